"""Behaviours in 16 bits: whole multiples of 1/65536 that sum to one exactly.

What is stored is what is certified; rounding costs about 1e-6 points (ALGORITHMS, certificate).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.cfr.average import average_behaviour
from solver.evaluate.exact import UNIT
from solver.tree.model import PublicTree
from solver.tree.reading import decisions, edges_of, lane_map, slots

Counts = NDArray[np.uint32]


def quantise_node(parents: list[NDArray[np.int64]], probabilities: list[NDArray[np.float64]]) -> list[Counts]:
    """Whole parts by largest remainder: for every parent lane the counts of its actions sum to 65536."""
    parent = np.concatenate(parents)
    exact = np.concatenate(probabilities) * UNIT
    whole = np.floor(exact + 1e-9)
    missing = UNIT - np.bincount(parent, weights=whole)
    order = np.lexsort((whole - exact, parent))
    starts = np.searchsorted(parent[order], np.arange(len(missing)))
    rank = np.arange(len(order)) - starts[parent[order]]
    whole[order] += rank < missing[parent[order]]
    ends = np.cumsum([len(part) for part in parents])[:-1]
    return np.split(whole.astype(np.uint32), ends)


def quantise_plain(probabilities: list[NDArray[np.float64]]) -> list[Counts]:
    """The same where every lane has every action: ranks of remainders by comparing the few actions pairwise."""
    exact = np.stack(probabilities) * UNIT
    whole = np.floor(exact + 1e-9)
    rest = exact - whole
    missing = UNIT - whole.sum(axis=0)
    for k, own in enumerate(rest):
        before = (rest[:k] >= own).sum(axis=0) + (rest[k + 1 :] > own).sum(axis=0)
        whole[k] += before < missing
    return list(whole.astype(np.uint32))


def quantise(tree: PublicTree, average: NDArray[np.float32]) -> Counts:
    """Stored behaviour of every slot, uint32 in 1/65536, from accumulated reach."""
    stored = np.zeros(tree.n_slots, np.uint32)
    for node in decisions(tree):
        edges = edges_of(tree, node.number)
        probabilities = average_behaviour(tree, average, node.number)
        if any(edge.linked for edge in edges):
            counts = quantise_node([lane_map(tree, edge, node.player) for edge in edges], probabilities)
        else:
            counts = quantise_plain(probabilities)
        for edge, part in zip(edges, counts, strict=True):
            stored[slots(tree, edge)] = part
    return stored


def stored_behaviour(tree: PublicTree, stored: Counts, node: int) -> list[NDArray[np.float64]]:
    """Probabilities of a node's actions from stored counts; exact in float64."""
    return [stored[slots(tree, edge)] / float(UNIT) for edge in edges_of(tree, node)]
