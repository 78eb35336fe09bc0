"""How likely each pair of hands is: deal weights with card removal (K8)."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import counts
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE


def deal_weights(rules: RuleSet) -> NDArray[np.int64]:
    """Number of ways to deal hand i to the elder and hand j to the dealer, int64 [hands, hands] (K8).

    The weight is the product over ranks of C(c, n0)·C(c − n0, n1) with c copies of the rank.
    """
    held = counts(HAND_SIZE, len(rules.ranks))
    weights = np.ones((len(held), len(held)), np.int64)
    for rank, copies in enumerate(rules.copies):
        span = range(HAND_SIZE + 1)
        table = np.array(
            [[comb(copies, a) * comb(max(copies - a, 0), b) for b in span] for a in span], np.int64
        )
        weights *= table[held[:, rank][:, None], held[:, rank][None, :]]
    return weights
