"""The solution of every score that `play` and `review` come to: looked for in the results folder, else solved.

What is solved here is solved loosely, so it goes to a hidden folder of its own, where `query` does not look for it.
Imports the solver, so commands import it inside their bodies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cli.output import note
from cli.runs import solved_in_passing
from solver.query.locate import Found, describe, solution_folders
from solver.rules.kinds import hand_kind
from solver.rules.model import RuleSet
from solver.rules.outcome import UNIT_NAMES
from solver.rules.score import Score, parse_score
from solver.solving.order import Question
from solver.strategy import store
from solver.strategy.solution import Solution
from solver.tree.machine import build_machine
from solver.tree.utility import points_utility

LOOSE_TARGET = 0.02
PLACE = ".coach"
#: results, a match, its states, a score
DEEPEST = 4
#: solutions kept in memory; one of the whole game of Truc takes about 200 MB
KEPT = 3


@dataclass(slots=True)
class ScoreSolutions:
    """Solutions by score.

    target  exploitability in points to which a score is solved that has no solution
    """

    rules: RuleSet
    results: Path
    target: float = LOOSE_TARGET
    quiet: bool = False
    held: dict[Score, Solution] = field(default_factory=dict)

    def __call__(self, score: Score) -> Solution:
        """The solution of the hand at a score; KeyboardInterrupt when solving it was interrupted."""
        if score not in self.held:
            while len(self.held) >= KEPT:
                self.held.pop(next(iter(self.held)))
            found = self.found(score)
            self.held[score] = self.solved(score) if found is None else self.loaded(found)
        return self.held[score]

    def found(self, score: Score) -> Found | None:
        """A solution of the score for the match, else in points, else of another score where the same is at stake."""
        wanted = Question(self.rules, score, "match")
        folders = [*solution_folders(self.results, DEEPEST), *solution_folders(self.results / PLACE)]
        known = [one for folder in folders if (one := describe(folder, wanted)) is not None]
        known = [one for one in known if one.distance == 0 or self.same_game(one, score)]
        return min(known, key=lambda one: (one.unit != "match", one.distance > 0, one.exploitability), default=None)

    def same_game(self, found: Found, score: Score) -> bool:
        """Whether the hand at another score has the same bets and pays the same points."""
        there = parse_score(self.rules, found.score)
        if found.unit != "points" or hand_kind(self.rules, there) != hand_kind(self.rules, score):
            return False
        machines = [build_machine(self.rules, at) for at in (there, score)]
        pays = [
            [points_utility(self.rules, at)(*outcome) for outcome in machine.outcomes]
            for at, machine in zip((there, score), machines, strict=True)
        ]
        return machines[0] == machines[1] and pays[0] == pays[1]

    def loaded(self, found: Found) -> Solution:
        """Read a folder and say which."""
        known = f"exploitability {found.exploitability:.3g} {UNIT_NAMES[found.unit]}"
        note(f"Using {found.folder}, {known}.", quiet=self.quiet)
        return store.load(found.folder)

    def solved(self, score: Score) -> Solution:
        """Solve the score to the loose target and keep the result."""
        question = Question(self.rules, score)
        note(f"There is no solution of {question.title}; solving it to {self.target:g} points.", quiet=self.quiet)
        return solved_in_passing(question, self.results / PLACE, self.quiet, self.target)
