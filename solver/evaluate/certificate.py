"""How far a judged value can be off: an a-priori bound on the rounding of double precision.

For every profile, weak duality bounds the value of the game by the two best responses, so only the arithmetic has
to be rigorous. Every value is a sum of products of numbers that are not negative (weights, reaches) with a
payoff, and maxima; with n roundings on the way of any term and u = 2^-53 it is off by at most γ_n·U,
γ_n = n·u/(1 − n·u), U the largest payoff (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). Nothing
underflows: the factors are multiples of 2^-16 and weights of deals. On small decks ``exact`` does without rounding.
"""

from __future__ import annotations

import numpy as np

from solver.tree.model import LEAF, N_CLASSES, REVEAL, SHOW, PublicTree, lanes

ROUNDOFF = 2.0**-53
#: roundings in a weight of the tree: one in the scale, one in the product with it
WEIGHT_ROUNDINGS = 2


def error_bound(tree: PublicTree) -> float:
    """Largest possible difference between a value that the judge finds and the true one, of the same profile.

    It holds for the value of the profile and for each best response; their sum is off by at most twice as much.
    """
    most = roundings(tree)
    return most * ROUNDOFF / (1.0 - most * ROUNDOFF) * largest_payoff(tree)


def largest_payoff(tree: PublicTree) -> float:
    """Largest absolute payoff of any end of the hand."""
    ends = (tree.kind == LEAF) | (tree.kind == SHOW)
    table = float(np.abs(tree.table_value).max(initial=0.0))
    return float(np.abs(tree.payoff[ends]).max(initial=0.0)) + table


def roundings(tree: PublicTree) -> int:
    """Most roundings on the way of a term from an end of the hand to the root, in any walk of the judge."""
    summed = longest_sums(tree)
    below = np.zeros(len(tree.kind), np.int64)
    for node in range(len(tree.kind) - 1, -1, -1):
        edges = range(tree.edges[node], tree.edges[node + 1])
        deepest = max((int(below[tree.child[edge]]) for edge in edges), default=0)
        below[node] = deepest + roundings_at(tree, node, [summed.get(int(tree.link[edge]), 0) for edge in edges])
    return int(below[0]) + int(tree.states[tree.space[0]].max())


def roundings_at(tree: PublicTree, node: int, gathers: list[int]) -> int:
    """Roundings that one node adds: products with reach, strategy, weight and payoff, and its sums."""
    kind, widest = tree.kind[node], int(tree.states[tree.space[node]].max())
    if kind == LEAF:
        return WEIGHT_ROUNDINGS + 2 + widest
    if kind == SHOW:
        return 2 + N_CLASSES
    if kind == REVEAL:
        return WEIGHT_ROUNDINGS + 2 + widest
    return 2 + len(gathers) + max(gathers)


def longest_sums(tree: PublicTree) -> dict[int, int]:
    """Most child lanes that a parent lane gathers, for every link."""
    found: dict[int, int] = {}
    for edge, link in enumerate(tree.link.tolist()):
        if link >= 0 and link not in found:
            child, most = int(tree.child[edge]), 1
            for side in (0, 1):
                start = tree.link_lanes[link, side]
                lane_map = tree.lane_map[start : start + lanes(tree, child, side)]
                most = max(most, int(np.bincount(lane_map).max(initial=0)))
            found[link] = most
    return found
