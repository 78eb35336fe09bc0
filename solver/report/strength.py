"""How strong a hand is before anything is said: the order of the hands in every chart.

The strength of a hand is its chance to win (a hand won by nobody counts half) without bets when both sides
see all cards and play their best, averaged over both seats and over the other side's hands as dealt (K8). It
depends on the rules alone, so a hand stands at the same place in every chart of a rule set. It orders the 120
hands almost as the equilibrium without bets does: Kendall's tau 0.975, against 0.735 for the order by ranks.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.cards.deals import deal_weights
from solver.cards.hands import multisets, state_numbers
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.score import ELDER, other
from solver.rules.tricks import Trick, next_leader, verdict

Doubles = NDArray[np.float64]

UNDECIDED = 0.5
CARDS = ((0, 1), (0, 0), (1, 0))  # the leader wins the trick, spoils it, loses it


@cache
def strengths(rules: RuleSet) -> Doubles:
    """The strength of every hand, float64 [hands], in the order of ``multisets(3, ranks)``; from 0 to 1."""
    elder_wins = open_card_outcomes(rules, ELDER)
    weights = deal_weights(rules).astype(np.float64)
    as_elder = (weights * elder_wins).sum(axis=1)
    as_dealer = (weights * (1.0 - elder_wins)).sum(axis=0)
    found: Doubles = (as_elder + as_dealer) / (2.0 * np.maximum(weights.sum(axis=1), 1.0))
    found.flags.writeable = False
    return found


def strongest_first(rules: RuleSet, hands: NDArray[np.int8]) -> NDArray[np.int64]:
    """Places of the rows of ``hands`` (int8 [n, 3], ranks ascending) from the strongest to the weakest hand.

    Hands of equal strength keep the order of their ranks.
    """
    numbers = state_numbers(HAND_SIZE, len(rules.ranks))
    rows = np.array([numbers[tuple(hand)] for hand in hands.tolist()], np.int64)
    return np.lexsort((rows, -np.round(strengths(rules)[rows], 12)))


def open_card_outcomes(rules: RuleSet, leader: int, winners: tuple[int | None, ...] = ()) -> Doubles:
    """What comes of every pair of hands with open cards and no bets, for the leader of the next trick.

    ``winners`` are those of the tricks before. float64 [leader's hand, follower's hand]: 1 the leader wins
    the hand, 0 the follower, 1/2 nobody.
    """
    n_ranks, size = len(rules.ranks), HAND_SIZE - len(winners)
    after = [after_trick(rules, Trick(leader, *cards), winners) for cards in CARDS]
    larger = multisets(size - 1, n_ranks).add
    hands = len(multisets(size, n_ranks))
    best = np.zeros((hands, hands))
    for lead in range(n_ranks):
        worst = np.ones((len(larger), hands))
        for follow in range(n_ranks):
            column = larger[:, follow]
            worst[:, column] = np.minimum(worst[:, column], after[1 + np.sign(lead - follow)])
        best[larger[:, lead]] = np.maximum(best[larger[:, lead]], worst)
    return best


def after_trick(rules: RuleSet, trick: Trick, winners: tuple[int | None, ...]) -> Doubles:
    """The same after a trick, for its leader: float64 [leader's rest, follower's rest], or one number."""
    winners = (*winners, trick.winner)
    found = verdict(rules, winners)
    if found.over:
        return np.array(UNDECIDED if found.winner is None else float(found.winner == trick.leader))
    if next_leader(rules, trick) == trick.leader:
        return open_card_outcomes(rules, trick.leader, winners)
    return 1.0 - open_card_outcomes(rules, other(trick.leader), winners).T
