"""How a hand ended, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from solver.errors import UsageError
from solver.rules.model import RuleSet
from solver.rules.score import ELDER, NextScore, Score, award, need

PETIT_POINTS = 1
LONG_POINTS = 3

Kind: TypeAlias = Literal["points", "match", "petit", "long"]


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a hand.

    winner: seat, or None when nobody won it (drawn is then True).
    kind: "points", or "match" after a called rest, in Truc; "petit" or "long" in Trut.
    stake: points at stake, not cut to anyone's need; 1 for a petit, 3 for a long (U9).
    again: drawn, and the same dealer deals the same kind of hand again (U7 both at the fortial, G6).
    """

    winner: int | None
    kind: Kind
    stake: int
    drawn: bool = False
    again: bool = False


def payoff(rules: RuleSet, score: Score, result: Result, unit: str = "points") -> float:
    """The elder's payoff in points (T12, U9); the dealer's is its negative.

    Raises UsageError for another unit: a chance of winning the match needs an equity table.
    """
    if unit != "points":
        raise UsageError(f"One hand cannot be paid in the unit '{unit}'; allowed: points.")
    if result.winner is None:
        return 0.0
    gain = result.stake
    if rules.tokens == "points":
        needed = need(rules, score)[result.winner]
        gain = needed if result.kind == "match" else min(result.stake, needed)
    return float(gain) if result.winner == ELDER else -float(gain)


def next_score(rules: RuleSet, score: Score, result: Result) -> NextScore:
    """The score of the next hand, or the winner of the match by his seat in this hand (T10, T11, U5, G2).

    After `again` nothing has changed, not even the dealer: the very same score is returned.
    """
    if result.again:
        return score
    return award(rules, score, result.winner, result.stake if result.kind == "points" else result.kind)
