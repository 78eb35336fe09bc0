"""What is to be solved and where the result goes, and whoever looks on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from solver.cfr.solve import Run
from solver.rules.model import RuleSet
from solver.rules.score import Score, format_score


@dataclass(frozen=True, slots=True)
class Question:
    """A hand: rules, score before it, unit ("points" or "match"), and the equity table, None for the book's."""

    rules: RuleSet
    score: Score
    unit: str = "points"
    equity: Path | None = None

    @property
    def title(self) -> str:
        """What is solved, in words."""
        return f"{self.rules.name} at {format_score(self.rules, self.score)}"


@dataclass(frozen=True, slots=True)
class Keep:
    """Where a result is kept, its checkpoint beside it.

    resume     go on from that checkpoint
    replace    also a solution of another game that lies there
    """

    folder: Path
    resume: bool = False
    replace: bool = False


class Observer:
    """Whoever looks on while a hand is solved; this one takes no notice of anything."""

    def stage(self, what: str) -> None:
        """A part of the work begins, such as `building the tree`."""

    def update(self, run: Run) -> None:
        """An iteration is done."""

    def note(self, sentence: str) -> None:
        """Something worth knowing that is no failure."""

    def warn(self, sentence: str) -> None:
        """Something works less well than it should."""
