"""A hand while it is solved: a run and the judge that ends it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from solver.cfr.average import average_behaviour
from solver.cfr.schedules import schedule
from solver.cfr.solve import Limits, Run, measure, reached, solve
from solver.cfr.sweeper import Sweeper, trembles
from solver.evaluate.best_response import Doubles, Evaluation, evaluate
from solver.strategy.quantise import Counts, quantise, stored_behaviour
from solver.tree.build import HandGame
from solver.tree.model import PublicTree, tree_size
from solver.tree.reading import payoff_spread

DEFAULT_ALGORITHM = "dcfr"
DEFAULT_TARGETS = {"points": 0.005, "match": 0.001}

Watch = Callable[[Run], None]


@dataclass(frozen=True, slots=True)
class Task:
    """What to solve with, and when to stop; forced: also with too little memory or disk.

    off_path   strategies are trained also where they never come
    """

    algorithm: str = DEFAULT_ALGORITHM
    threads: int = 1
    limits: Limits = field(default_factory=lambda: Limits(DEFAULT_TARGETS["points"]))
    forced: bool = False
    off_path: bool = True


def unwatched(run: Run) -> None:
    """Nobody looks at the run after an iteration."""


def new_run(game: HandGame, task: Task) -> Run:
    """A run at iteration 0, its kernels compiled."""
    started = time.perf_counter()
    sweeper = Sweeper(game.tree, game.worth, schedule(task.algorithm), task.threads)
    if task.off_path:
        sweeper.trembles = trembles(task.limits.target, payoff_spread(game.tree, game.worth))
    sweeper.warm_up()
    return Run(sweeper, task.limits, compiling=time.perf_counter() - started)


def judge_rounded(tree: PublicTree, worth: Doubles, stored: Counts) -> Evaluation:
    """The judge's word on strategies as they are stored."""
    return evaluate(tree, worth, lambda node: stored_behaviour(tree, stored, node))


def judge_of(run: Run, storing: bool = True) -> Callable[[], tuple[float, tuple[float, float]]]:
    """The judge of a run's average strategy.

    storing   the strategy is to be stored: when that of the run has come just below the target, what rounding makes of
              it is judged instead, so that a run that stops keeps its promise for what is stored; below half the
              target rounding is as large as the target itself
    """
    tree, worth, target = run.sweeper.tree, run.sweeper.worth, run.limits.target

    def judge() -> tuple[float, tuple[float, float]]:
        found = evaluate(tree, worth, lambda node: average_behaviour(tree, run.sweeper.average, node))
        if storing and found.exploitability > target / 2 and reached(found.exploitability, target):
            found = judge_rounded(tree, worth, quantise(tree, run.sweeper.average))
        return found.value, found.best_response

    return judge


def solve_run(run: Run, watch: Watch = unwatched, storing: bool = True) -> Run:
    """Drive a run to one of its limits, or until ``watch`` gives it a reason to end; returns it. See ``judge_of``."""
    return solve(run, judge_of(run, storing), watch)


def judge_last(run: Run) -> None:
    """Judge the average strategy of a run where it stands, unless that was done."""
    if not run.measures or run.measures[-1].iteration != run.iteration:
        measure(run, judge_of(run))


def run_facts(run: Run, threads: int = 1) -> dict[str, object]:
    """What run.json tells of a run that has ended."""
    rule, size = run.sweeper.schedule, tree_size(run.sweeper.tree)
    return {
        "algorithm": rule.name,
        "parameters": {
            "averaging": rule.averaging, "clip": rule.clip, "trust": rule.trust, "trembles": run.sweeper.trembles,
        },
        "iterations": run.iteration,
        "seconds": run.seconds,
        "checking_seconds": run.checking,
        "compile_seconds": run.compiling,
        "target": run.limits.target,
        "reason": run.reason,
        "threads": threads,
        "infosets": size.infosets,
        "sequences": size.sequences,
        "nodes": size.nodes,
    }  # fmt: skip
