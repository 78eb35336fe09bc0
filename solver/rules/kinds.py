"""Which kind of hand a score calls for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from solver.rules.model import RuleSet
from solver.rules.score import PETITS_LIMIT, SEATS, Score, both_sing


@dataclass(frozen=True, slots=True)
class HandKind:
    """A kind of hand, and the side it favours where only one side decides.

    ladder: a hand of Truc. ordinary: a Trut hand (U2 to U4, G3). fortial: `side` alone is there (U7).
    both_fortial: both are (U7). tenir: `side` alone is at two petits (G4). chanter: both are (G5).
    """

    name: Literal["ladder", "ordinary", "fortial", "both_fortial", "tenir", "chanter"]
    side: int | None = None


def hand_kind(rules: RuleSet, score: Score) -> HandKind:
    """The kind of the hand played at `score`.

    A rule that is switched off leaves an ordinary hand in its place: without G4 or G5 two petits are just
    two petits, and a further one is lost (G2).
    """
    if rules.betting == "ladder":
        return HandKind("ladder")
    if both_sing(rules, score):
        return HandKind("chanter")
    if rules.tenir:
        sides = _sides_at(score, longs=0)
        return HandKind("tenir", sides[0]) if len(sides) == 1 else HandKind("ordinary")
    if rules.fortial:
        sides = _sides_at(score, longs=rules.target - 1)
        return (HandKind("ordinary"), HandKind("fortial", *sides[:1]), HandKind("both_fortial"))[len(sides)]
    return HandKind("ordinary")


def _sides_at(score: Score, longs: int) -> list[int]:
    """The seats that have two petits and at least `longs` longs."""
    return [seat for seat in SEATS if score.of(seat)[1] == PETITS_LIMIT and score.of(seat)[0] >= longs]
