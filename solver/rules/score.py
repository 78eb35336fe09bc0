"""The score of a match, and what a hand does to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from solver.errors import UsageError
from solver.rules.model import RuleSet

SEATS = (ELDER, DEALER) = (0, 1)
SEAT_NAMES = ("elder", "dealer")
PETITS_LIMIT = 2
PETITS_EXCHANGED = 3

Side: TypeAlias = tuple[int, int]
"""(points, 0) in Truc, (longs, petits) in Trut."""


class Prize(StrEnum):
    """What a hand pays that is no number of points: tokens in Trut (U2, U5, G2), the match in both games."""

    PETIT = "petit"
    LONG = "long"
    MATCH = "match"


Amount: TypeAlias = int | Prize
"""What the winner of a hand gets: points in Truc (T10), or a prize."""


@dataclass(frozen=True, slots=True)
class Score:
    """What both sides have before a hand, by their seat in that hand."""

    elder: Side
    dealer: Side

    def of(self, seat: int) -> Side:
        """What the side in `seat` has."""
        return self.elder if seat == ELDER else self.dealer

    def swapped(self) -> Score:
        """The same score when the deal has passed on (K3, T11)."""
        return Score(self.dealer, self.elder)


NextScore: TypeAlias = Score | int
"""Score of the next hand, seats exchanged; or the winner of the match, by his seat in the hand played."""


def other(seat: int) -> int:
    """The opponent of `seat`."""
    return 1 - seat


def start_score(rules: RuleSet) -> Score:
    """The score at the start of a match."""
    return Score((0, 0), (0, 0))


def need(rules: RuleSet, score: Score) -> tuple[int, int]:
    """Points (Truc, T6) or longs (Trut, U1) that elder and dealer still need to win the match."""
    return rules.target - score.elder[0], rules.target - score.dealer[0]


def parse_score(rules: RuleSet, text: str) -> Score:
    """Read "7-10" (Truc points) or "5.2-6.0" (Trut longs.petits; "5-6" has no petits), elder first.

    Raises UsageError with what is allowed when it is no score of a match that is still going on.
    """
    one_side = r"(\d{1,9})" if rules.tokens == "points" else r"(\d{1,9})(?:\.(\d{1,9}))?"
    match = re.fullmatch(rf"\s*{one_side}\s*-\s*{one_side}\s*", text, re.ASCII)
    if match is None:
        form = "7-10" if rules.tokens == "points" else "5.2-6.0 (longs.petits)"
        raise UsageError(f"'{text}' is not a score; allowed: elder-dealer, for example {form}.")
    numbers = [int(number or 0) for number in match.groups()]
    if rules.tokens == "points":
        numbers = [numbers[0], 0, numbers[1], 0]
    score = Score((numbers[0], numbers[1]), (numbers[2], numbers[3]))
    check_score(rules, score, text)
    return score


def check_score(rules: RuleSet, score: Score, text: str = "") -> None:
    """Raise UsageError unless a hand can be played at `score`; `text` is what to call it."""
    shown = text.strip() or format_score(rules, score)
    unit = "points" if rules.tokens == "points" else "longs"
    most = 0 if rules.tokens == "points" else PETITS_LIMIT
    for who, (main, petits) in zip(SEAT_NAMES, (score.elder, score.dealer), strict=True):
        if main >= rules.target:
            raise UsageError(
                f"At score '{shown}' the {who} has {main} {unit} and has already won at target "
                f"{rules.target}; allowed: 0 to {rules.target - 1}."
            )
        if main < 0 or not 0 <= petits <= most:
            value = f"{main} {unit} and {petits} petits"
            raise UsageError(
                f"At score '{shown}' the {who} has {value}; "
                f"allowed: 0 to {rules.target - 1} {unit} and 0 to {most} petits."
            )


def format_score(rules: RuleSet, score: Score) -> str:
    """The text that `parse_score` reads: "7-10" or "5.2-6.0"."""
    if rules.tokens == "points":
        return f"{score.elder[0]}-{score.dealer[0]}"
    (longs0, petits0), (longs1, petits1) = score.elder, score.dealer
    return f"{longs0}.{petits0}-{longs1}.{petits1}"


def award(rules: RuleSet, score: Score, winner: int | None, amount: Amount) -> NextScore:
    """The score of the next hand, seats exchanged (T11), or the winner of the match.

    A `winner` of None is a drawn hand (T10, U6): nobody gets anything and the deal passes on.
    """
    if amount == Prize.MATCH:
        return score.swapped() if winner is None else winner
    sides = [score.elder, score.dealer]
    if rules.tokens == "points":
        _award_points(sides, winner, amount)
    elif rules.tokens == "exchange":
        _award_exchange(rules, sides, winner, amount)
    else:
        _award_keep(rules, score, sides, winner, amount)
    if winner is not None and sides[winner][0] >= rules.target:
        return winner
    return Score(sides[ELDER], sides[DEALER]).swapped()


def both_sing(rules: RuleSet, score: Score) -> bool:
    """G5: is this hand one for which both sides, at two petits, are asked to sing?"""
    return rules.chanter != "off" and score.elder[1] == score.dealer[1] == PETITS_LIMIT


def _award_points(sides: list[Side], winner: int | None, amount: Amount) -> None:
    """T10."""
    if not isinstance(amount, int):
        raise UsageError(f"A hand of Truc cannot pay '{amount}'; allowed: a number of points, or match.")
    if winner is not None:
        sides[winner] = (sides[winner][0] + amount, 0)


def _award_exchange(rules: RuleSet, sides: list[Side], winner: int | None, amount: Amount) -> None:
    """U2, U5: three petits become a long; whoever gets a long wipes out the other side's petits."""
    _check_token(amount)
    if winner is None:
        return
    longs, petits = sides[winner]
    if amount == Prize.PETIT:
        longs, petits = (longs, petits + 1) if petits + 1 < PETITS_EXCHANGED else (longs + 1, 0)
    else:
        longs, petits = longs + 1, petits if rules.winner_keeps_petits else 0
    if longs > sides[winner][0]:
        sides[other(winner)] = (sides[other(winner)][0], 0)
    sides[winner] = (longs, petits)


def _award_keep(rules: RuleSet, score: Score, sides: list[Side], winner: int | None, amount: Amount) -> None:
    """G2: at most two petits, kept; who wins a long loses his own. G5: singing costs both theirs."""
    _check_token(amount)
    if winner is not None:
        longs, petits = sides[winner]
        sides[winner] = (longs, min(petits + 1, PETITS_LIMIT)) if amount == Prize.PETIT else (longs + 1, 0)
    if both_sing(rules, score):
        sides[:] = [(longs, 0) for longs, _ in sides]


def _check_token(amount: Amount) -> None:
    if amount not in (Prize.PETIT, Prize.LONG):
        raise UsageError(f"A hand of Trut cannot pay '{amount}'; allowed: petit, long, or match.")
