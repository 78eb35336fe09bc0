"""The games that all programs are run on: reduced decks, so that the others come to an end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.rules.model import RuleSet
    from solver.rules.score import Score


@dataclass(frozen=True, slots=True)
class Game:
    """A rule set with options, at a score."""

    rules: str
    score: str
    options: str

    def rule_set(self) -> RuleSet:
        """The rules."""
        from solver.rules import catalogue

        return catalogue.load(self.rules, dict(pair.split("=") for pair in self.options.split()))

    def at(self) -> Score:
        """The score before the hand."""
        from solver.rules.score import parse_score

        return parse_score(self.rule_set(), self.score)


GAMES = {
    "truc, three ranks, one raise": Game("truc", "0-0", "ranks=3 ladder=1,2 remainder=off"),
    "trut, three ranks": Game("trut", "0.0-0.0", "ranks=3"),
    "truc, four ranks, one raise": Game("truc", "0-0", "ranks=4 copies=2 ladder=1,2 remainder=off"),
    "gâtine, tenir, three ranks": Game("trut-gatine", "0.2-0.0", "ranks=3 tout_pate=0"),
}
