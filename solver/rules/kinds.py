"""Which kind of hand a score calls for, and what follows from that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from solver.rules.model import RuleSet
from solver.rules.score import PETITS_LIMIT, SEATS, Score, both_sing


class Kind(StrEnum):
    """The kinds of hands: LADDER of Truc; ORDINARY of Trut (U2 to U4, G3); and four of Trut for a long without bets.

    FORTIAL: one side alone is there (U7); BOTH_FORTIAL: both are (U7). TENIR: one side alone is at two petits (G4);
    CHANTER: both are (G5).
    """

    LADDER = "ladder"
    ORDINARY = "ordinary"
    FORTIAL = "fortial"
    BOTH_FORTIAL = "both_fortial"
    TENIR = "tenir"
    CHANTER = "chanter"


@dataclass(frozen=True, slots=True)
class HandKind:
    """A kind of hand, and the side that decides alone whether it is played (FORTIAL, TENIR)."""

    name: Kind
    side: int | None = None

    @property
    def for_long(self) -> bool:
        """Is it played for a long from the first card on, without any bet (U7, G4, G5)?"""
        return self.name not in (Kind.LADDER, Kind.ORDINARY)

    @property
    def yes(self) -> Literal["trut", "hold"]:
        """What `side` says to have the hand played (U7, G4)."""
        return "trut" if self.name is Kind.FORTIAL else "hold"

    @property
    def dealt_again(self) -> bool:
        """Does the same dealer deal again when nobody wins it (U7)?"""
        return self.name is Kind.BOTH_FORTIAL

    @property
    def from_stub(self) -> bool:
        """Is it the trut d'office of Gâtine, whose rotten tricks bring new cards where `tout_pate` has it (G6)?"""
        return self.name in (Kind.TENIR, Kind.CHANTER)


def hand_kind(rules: RuleSet, score: Score) -> HandKind:
    """The kind of the hand played at `score`.

    A rule that is switched off leaves an ordinary hand in its place: without G4 or G5 two petits are just
    two petits, and a further one is lost (G2).
    """
    if rules.betting == "ladder":
        return HandKind(Kind.LADDER)
    if both_sing(rules, score):
        return HandKind(Kind.CHANTER)
    if rules.tenir or rules.fortial:
        sides = _sides_at(score, longs=0 if rules.tenir else rules.target - 1)
        if len(sides) == 1:
            return HandKind(Kind.TENIR if rules.tenir else Kind.FORTIAL, sides[0])
        if sides and not rules.tenir:
            return HandKind(Kind.BOTH_FORTIAL)
    return HandKind(Kind.ORDINARY)


def redealt(rules: RuleSet, score: Score) -> bool:
    """G6: are three rotten tricks followed by new cards, in the same hand?"""
    return rules.tout_pate > 0 and rules.all_tied == "none" and hand_kind(rules, score).from_stub


def sings(rules: RuleSet, score: Score) -> bool:
    """G5: are both sides asked to sing, and is that played in full?"""
    return rules.chanter == "full" and both_sing(rules, score)


def _sides_at(score: Score, longs: int) -> list[int]:
    """The seats that have two petits and at least `longs` longs."""
    return [seat for seat in SEATS if score.of(seat)[1] == PETITS_LIMIT and score.of(seat)[0] >= longs]
