"""Reduced hands of every rule set, with the value that the linear program gives to 12 digits.

They stand in games.csv and together reach every option of a single hand. Values are the elder's, in points;
sizes leave out moves without choice. The checks solve each of them again.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import Score, parse_score

from .extensive import Game
from .refereed import refereed
from .sequence_form import Solution, solve


@dataclass(frozen=True)
class Reduced:
    """One reduced game.

    Attributes:
        name: what tests call it.
        preset, options, score: the hand; options is text such as "ranks=3 copies=4,2,2".
        value: the elder's value in points.
        infosets, sequences: of elder and dealer, the empty sequence included.
        slow: takes more than about ten seconds to build and solve on a busy machine.
    """

    name: str
    preset: str
    score: str
    options: str
    value: float
    infosets: tuple[int, int]
    sequences: tuple[int, int]
    slow: bool

    @property
    def settings(self) -> dict[str, str]:
        """The options as `catalogue.load` takes them."""
        return dict(option.split("=") for option in self.options.split())

    @property
    def rules(self) -> RuleSet:
        """The rule set with the options of this game."""
        return catalogue.load(self.preset, self.settings)

    @property
    def at(self) -> Score:
        """The score of this game."""
        return parse_score(self.rules, self.score)


def _read(row: dict[str, str]) -> Reduced:
    infosets = (int(row["elder_infosets"]), int(row["dealer_infosets"]))
    sequences = (int(row["elder_sequences"]), int(row["dealer_sequences"]))
    hand = (row["name"], row["preset"], row["score"], row["options"])
    return Reduced(*hand, float(row["value"]), infosets, sequences, row["slow"] == "slow")


with Path(__file__).with_name("games.csv").open(encoding="ascii", newline="") as _file:
    REDUCED = tuple(_read(row) for row in csv.DictReader(_file))

TRUC = tuple(game for game in REDUCED if game.rules.betting == "ladder")
TRUT = tuple(game for game in REDUCED if game.rules.betting == "trut")


def named(name: str) -> Reduced:
    """The reduced game of that name."""
    return next(game for game in REDUCED if game.name == name)


@cache
def tree(reduced: Reduced) -> Game:
    """Its explicit tree, built once a process."""
    return refereed(reduced.rules, reduced.at)


@cache
def solution(reduced: Reduced) -> Solution:
    """Its optimal pair, solved once a process."""
    return solve(tree(reduced))
