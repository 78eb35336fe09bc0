"""The real kernels and the real judge on any public tree."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.cfr.average import average_behaviour
from solver.cfr.schedules import schedule
from solver.cfr.sweeper import Sweeper
from solver.evaluate.best_response import Evaluation, evaluate
from solver.tree.model import PublicTree

Doubles = NDArray[np.float64]


class Paid(Protocol):
    """A tree, and what its outcomes are worth to the first side, float64 [outcomes]."""

    @property
    def tree(self) -> PublicTree: ...

    @property
    def worth(self) -> Doubles: ...


def judged(sweeper: Sweeper) -> Evaluation:
    """The judge's word on the average strategy."""
    return evaluate(sweeper.tree, sweeper.worth, lambda node: average_behaviour(sweeper.tree, sweeper.average, node))


def solved(hand: Paid, target: float, algorithm: str = "sapcfr+", most: int = 20_000) -> tuple[Evaluation, Sweeper]:
    """Sweeps until nash_conv is at most ``target``; AssertionError if ``most`` iterations do not reach it."""
    sweeper, due = Sweeper(hand.tree, hand.worth, schedule(algorithm)), 40
    while sweeper.iteration < most:
        while sweeper.iteration < due:
            sweeper.step()
        found = judged(sweeper)
        if found.nash_conv <= target:
            return found, sweeper
        due = min(most, due + max(40, due // 4))
    raise AssertionError(f"nash_conv {judged(sweeper).nash_conv} after {most} iterations of {algorithm}")


def solved_by_any(hand: Paid, target: float) -> Evaluation:
    """The first of several schedules that gets there.

    No schedule is the quickest everywhere, and near 1e-5 single precision stops some of them on some small decks, not
    the same on every processor.
    """
    for algorithm, most in (("sapcfr+", 2500), ("dpcfr+", 9000), ("pdcfr+", 5000), ("dcfr", 20_000)):
        try:
            return solved(hand, target, algorithm, most)[0]
        except AssertionError as late:
            print(late)
    raise AssertionError(f"no schedule comes to nash_conv {target}")
