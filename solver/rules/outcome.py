"""How a hand ended, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import UsageError
from solver.rules.model import RuleSet
from solver.rules.score import ELDER, Amount, NextScore, Prize, Score, award, need

TOKEN_POINTS = {Prize.PETIT: 1, Prize.LONG: 3}
"""U9."""

UNIT_NAMES = {"points": "points", "match": "of the match"}
"""The units of payoffs, and what stands after a number in each."""


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a hand.

    winner: seat, or None when nobody won it.
    amount: what was at stake: in Truc points, not cut to anyone's need, or the match after a called rest.
    again: drawn, and the same dealer deals the same kind of hand again (U7 both at the fortial, G6).
    """

    winner: int | None
    amount: Amount
    again: bool = False


def points_paid(rules: RuleSet, score: Score, winner: int | None, amount: Amount) -> float:
    """The elder's payoff in points when `winner` gets `amount` (T12, U9); the dealer's is its negative."""
    if winner is None:
        return 0.0
    if amount in TOKEN_POINTS:
        gain = TOKEN_POINTS[Prize(amount)]
    else:
        needed = need(rules, score)[winner]
        gain = needed if isinstance(amount, Prize) else min(amount, needed)
    return float(gain) if winner == ELDER else -float(gain)


def payoff(rules: RuleSet, score: Score, result: Result, unit: str = "points") -> float:
    """The elder's payoff in points (T12, U9); the dealer's is its negative.

    Raises UsageError for another unit: a chance of winning the match needs an equity table.
    """
    if unit != "points":
        raise UsageError(f"One hand cannot be paid in the unit '{unit}'; allowed: points.")
    return points_paid(rules, score, result.winner, result.amount)


def next_score(rules: RuleSet, score: Score, result: Result) -> NextScore:
    """The score of the next hand, or the winner of the match by his seat in this hand (T10, T11, U5, G2).

    After `again` nothing has changed, not even the dealer: the very same score is returned.
    """
    return score if result.again else award(rules, score, result.winner, result.amount)
