"""The real kernels and the real judge on any public tree."""

from __future__ import annotations

from solver.cfr.average import average_behaviour
from solver.cfr.schedules import schedule
from solver.cfr.sweeper import Sweeper
from solver.evaluate.best_response import Evaluation, evaluate
from solver.tree.model import PublicTree


def judged(sweeper: Sweeper) -> Evaluation:
    """The judge's word on the average strategy."""
    return evaluate(sweeper.tree, lambda node: average_behaviour(sweeper.tree, sweeper.average, node))


def solved(
    tree: PublicTree, target: float, algorithm: str = "sapcfr+", most: int = 20_000
) -> tuple[Evaluation, Sweeper]:
    """Sweeps until nash_conv is at most ``target``; AssertionError if ``most`` iterations do not reach it."""
    sweeper, due = Sweeper(tree, schedule(algorithm)), 40
    while sweeper.iteration < most:
        while sweeper.iteration < due:
            sweeper.step()
        found = judged(sweeper)
        if found.nash_conv <= target:
            return found, sweeper
        due = min(most, due + max(40, due // 4))
    raise AssertionError(f"nash_conv {judged(sweeper).nash_conv} after {most} iterations of {algorithm}")
