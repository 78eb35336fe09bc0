"""What the end of a hand is worth to the elder, in points or in chance of winning the match."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from solver.rules.kinds import hand_kind
from solver.rules.model import RuleSet
from solver.rules.outcome import points_paid
from solver.rules.score import Amount, Score, award
from solver.tree.machine import Utility

#: chance that the elder of a hand that starts at this score wins the match
Equity = Callable[[Score], float]


def points_utility(rules: RuleSet, score: Score) -> Utility:
    """Single-hand points: min(stake, own need) in Truc (T12), petit 1 and long 3 in Trut (U9)."""
    return partial(points_paid, rules, score)


def match_utility(rules: RuleSet, score: Score, equity: Equity, same: Equity | None = None) -> Utility:
    """Chance that this hand's elder wins the match; the deal passes on, so next hand he is the dealer (T11).

    A drawn hand with both sides at the fortial is dealt again by the same dealer (U7): then ``same`` gives the chance,
    where it is another table than ``equity`` (bounds, in which the elder answers best and not the next elder).
    """
    again = hand_kind(rules, score).dealt_again

    def utility(winner: int | None, amount: Amount) -> float:
        if winner is None and again:
            return (same or equity)(score)
        after = award(rules, score, winner, amount)
        if isinstance(after, int):
            return 1.0 if after == 0 else 0.0
        return 1.0 - equity(after)

    return utility
