"""A solved hand: the game, the stored behaviour, and what was claimed of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.cfr.average import average_behaviour
from solver.cfr.schedules import schedule
from solver.cfr.solve import Limits, Measure, Run, measure, solve
from solver.cfr.sweeper import Sweeper
from solver.evaluate.best_response import Evaluation, evaluate
from solver.rules.kinds import redealt
from solver.rules.model import RuleSet
from solver.rules.score import Score
from solver.strategy.equity import read_equity
from solver.strategy.quantise import Counts, quantise, stored_behaviour
from solver.strategy.redeals import tie_share
from solver.tree.build import HandGame, build_game
from solver.tree.machine import Utility
from solver.tree.model import PublicTree, tree_size
from solver.tree.utility import match_utility, points_utility

Doubles = NDArray[np.float64]
DEFAULT_ALGORITHM = "dcfr"
DEFAULT_TARGETS = {"points": 0.005, "match": 0.001}


@dataclass(slots=True)
class Solution:
    """Stored strategies of both sides.

    stored     uint32 [slots], 1/65536
    claim      the judge's word on exactly these strategies
    measures   judged points of the run; facts: algorithm, threads, seconds, reason … as in run.json
    path       folder it was read from or written to
    """

    game: HandGame
    stored: Counts
    claim: Evaluation
    measures: list[Measure] = field(default_factory=list)
    facts: dict[str, object] = field(default_factory=dict)
    path: Path | None = None
    extra_files: Callable[[Path], None] | None = None

    def behaviour(self, node: int) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
        """Probabilities of a node's edges, lanes of the acting side in each child."""
        return stored_behaviour(self.game.tree, self.stored, node)

    def own_zero(self, seat: int) -> float:
        """What is added to a side's payoffs to tell them as its own: a dealer is paid minus the elder's chance."""
        return float(self.game.unit == "match" and seat == 1)


def game_at(rules: RuleSet, score: Score, unit: str, equity: Path | None = None) -> HandGame:
    """The hand of a rule set at a score; the unit "match" reads ``equity`` (a file, or a folder that holds one)."""
    if unit == "points":
        return game_for(rules, score, points_utility(rules, score), unit)
    return game_for(rules, score, match_utility(rules, score, read_equity(rules, equity)), unit)


def game_for(rules: RuleSet, score: Score, utility: Utility, unit: str) -> HandGame:
    """The hand played for any utility, redeals of a hand for a long included (G6)."""
    ties = tie_share(rules) if redealt(rules, score) else None
    return build_game(rules, score, utility, unit, tie_share=ties)


@dataclass(frozen=True, slots=True)
class Task:
    """What to solve with, and when to stop."""

    algorithm: str = DEFAULT_ALGORITHM
    threads: int = 1
    limits: Limits = field(default_factory=lambda: Limits(0.005))


def usable_threads() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def new_run(game: HandGame, task: Task) -> tuple[Run, float]:
    """A run at iteration 0 and the seconds it took to compile the kernels."""
    started = time.perf_counter()
    sweeper = Sweeper(game.tree, game.worth, schedule(task.algorithm), task.threads)
    sweeper.warm_up()
    return Run(sweeper, task.limits), time.perf_counter() - started


def judge_of(run: Run) -> Callable[[], tuple[float, tuple[float, float]]]:
    """The judge of a run's average strategy.

    When that has come just below the target, what rounding makes of it is judged instead: a run that stops must keep
    its promise for the strategy that is stored. Below half the target the rounding is as large as the target itself.
    """
    tree, worth, target = run.sweeper.tree, run.sweeper.worth, run.limits.target

    def judge() -> tuple[float, tuple[float, float]]:
        found = evaluate(tree, worth, lambda node: average_behaviour(tree, run.sweeper.average, node))
        if target / 2 < found.exploitability <= target:
            found = judge_rounded(tree, worth, quantise(tree, run.sweeper.average))
        return found.value, found.best_response

    return judge


def judge_rounded(tree: PublicTree, worth: Doubles, stored: Counts) -> Evaluation:
    """The judge's word on strategies as they are stored."""
    return evaluate(tree, worth, lambda node: stored_behaviour(tree, stored, node))


def solve_run(game: HandGame, run: Run, watch: Callable[[Run], None] = lambda run: None) -> Run:
    """Drive a run to one of its limits."""
    return solve(run, judge_of(run), watch)


def finish(game: HandGame, run: Run, facts: dict[str, object]) -> Solution:
    """Round the average strategy to what is stored, and have the judge look at that."""
    if not run.measures or run.measures[-1].iteration != run.iteration:
        measure(run, judge_of(run))
    run.sweeper.close()
    stored = quantise(game.tree, run.sweeper.average)
    return Solution(game, stored, judge_rounded(game.tree, run.sweeper.worth, stored), run.measures, facts)


def run_facts(run: Run, task: Task, compile_seconds: float) -> dict[str, object]:
    """What run.json tells of a run that has ended; ``reached_target`` is for who has judged the result."""
    rule, size = schedule(task.algorithm), tree_size(run.sweeper.tree)
    return {
        "algorithm": task.algorithm,
        "parameters": {"averaging": rule.averaging, "clip": rule.clip, "trust": rule.trust},
        "iterations": run.iteration,
        "seconds": run.seconds,
        "checking_seconds": run.checking,
        "compile_seconds": compile_seconds,
        "target": task.limits.target,
        "reason": run.reason,
        "threads": task.threads,
        "infosets": size.infosets,
        "sequences": size.sequences,
        "nodes": size.nodes,
    }
