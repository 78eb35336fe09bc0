"""A solved hand: the game, the stored behaviour, and what was claimed of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from solver.cfr.solve import TARGET, Measure, Run, reached
from solver.evaluate.best_response import Evaluation
from solver.rules.kinds import redealt
from solver.rules.model import RuleSet
from solver.rules.score import Score
from solver.strategy.equity import read_equity
from solver.strategy.quantise import Counts, quantise, stored_behaviour
from solver.strategy.redeals import tie_share
from solver.strategy.run import Task, judge_last, judge_rounded, new_run, run_facts, solve_run
from solver.tree.build import HandGame, build_game
from solver.tree.machine import Utility
from solver.tree.utility import match_utility, points_utility


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


def rounded(game: HandGame, run: Run, facts: dict[str, object]) -> Solution:
    """What a run has come to, as it is stored; the claim is still that of the run's last judged point."""
    run.sweeper.close()
    last = run.measures[-1]
    claim = Evaluation(last.value, last.best_response)
    return Solution(game, quantise(game.tree, run.sweeper.average), claim, run.measures, facts)


def judged(solution: Solution) -> Solution:
    """The solution with the judge's word on exactly what is stored, and whether that reaches the target."""
    game, facts = solution.game, dict(solution.facts)
    claim, target = judge_rounded(game.tree, game.worth, solution.stored), facts.get("target")
    if isinstance(target, int | float):
        facts["reached_target"] = reached(claim.exploitability, target)
        if facts["reached_target"]:
            facts["reason"] = TARGET
    return replace(solution, claim=claim, facts=facts)


def finish(game: HandGame, run: Run, facts: dict[str, object]) -> Solution:
    """Round the average strategy to what is stored, and have the judge look at that."""
    judge_last(run)
    return judged(rounded(game, run, facts))


def solve_game(game: HandGame, task: Task) -> Solution:
    """A hand solved to one of the limits of a task, and kept nowhere."""
    run = solve_run(new_run(game, task))
    return finish(game, run, run_facts(run, task.threads))
