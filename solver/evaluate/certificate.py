"""How far a judged value can be off: an a-priori bound on the rounding of double precision.

For every profile, weak duality bounds the value of the game by the two best responses, so only the arithmetic has
to be rigorous. Every value is a sum of products of numbers that are not negative (weights, reaches) with a
payoff, and maxima; with n roundings on the way of any term and u = 2^-53 it is off by at most γ_n·U,
γ_n = n·u/(1 − n·u), U the largest payoff (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). Nothing
underflows: the factors are multiples of 2^-16 and weights of deals. On small decks ``exact`` does without rounding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.tree.model import LEAF, N_CLASSES, REVEAL, SHOW, PublicTree
from solver.tree.reading import Edge, Node, edges_of, lane_map, largest_payoff, links, node_at

ROUNDOFF = 2.0**-53
#: roundings in a weight of the tree: one in the scale, one in the product with it
WEIGHT_ROUNDINGS = 2


def error_bound(tree: PublicTree, worth: NDArray[np.float64]) -> float:
    """Largest possible difference between a value that the judge finds and the true one, of the same profile.

    It holds for the value of the profile and for each best response; their sum is off by at most twice as much.
    """
    most = roundings(tree)
    return most * ROUNDOFF / (1.0 - most * ROUNDOFF) * largest_payoff(tree, worth)


def roundings(tree: PublicTree) -> int:
    """Most roundings on the way of a term from an end of the hand to the root, in any walk of the judge."""
    summed = longest_sums(tree)
    below = np.zeros(len(tree.kind), np.int64)
    for number in range(len(tree.kind) - 1, -1, -1):
        node, edges = node_at(tree, number), edges_of(tree, number)
        deepest = max((int(below[edge.child]) for edge in edges), default=0)
        below[number] = deepest + roundings_at(node, edges, summed)
    return int(below[0]) + max(node_at(tree, 0).states)


def roundings_at(node: Node, edges: list[Edge], summed: dict[int, int]) -> int:
    """Roundings that one node adds: products with reach, strategy, weight and payoff, and its sums."""
    if node.kind == SHOW:
        return 2 + N_CLASSES
    if node.kind in (LEAF, REVEAL):
        return WEIGHT_ROUNDINGS + 2 + max(node.states)
    return 2 + len(edges) + max(summed.get(edge.link, 0) for edge in edges)


def longest_sums(tree: PublicTree) -> dict[int, int]:
    """Most child lanes that a parent lane gathers, for every link."""
    return {
        link: max(int(np.bincount(lane_map(tree, edge, side)).max(initial=1)) for side in (0, 1))
        for link, edge in links(tree).items()
    }
