"""From accumulated reach to probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.tree.model import PublicTree, lanes
from solver.tree.reading import Edge, edges_of, lane_map, legal, player_of, slots


def average_behaviour(tree: PublicTree, average: NDArray[np.float32], node: int) -> list[NDArray[np.float64]]:
    """Average strategy of a node: one array of probabilities an edge, lanes of the acting side in the child.

    Where nothing was accumulated (a hand that cannot be, or a point its owner avoids) it is uniform over what is legal.
    """
    edges = edges_of(tree, node)
    if not any(edge.linked or edge.masked for edge in edges):
        return plain_average(tree, average, edges)
    player = player_of(tree, node)
    parents = [lane_map(tree, edge, player) for edge in edges]
    mass = [average[slots(tree, edge)].astype(np.float64) for edge in edges]
    may_take = [legal(tree, edge).astype(np.float64) for edge in edges]
    size = lanes(tree, node, player)
    total, count = np.zeros(size), np.zeros(size)
    for parent, part, may in zip(parents, mass, may_take, strict=True):
        total += np.bincount(parent, weights=part, minlength=size)
        count += np.bincount(parent, weights=may, minlength=size)
    trained = total > 0
    factor = np.divide(1.0, total, out=np.zeros(size), where=trained)
    uniform = np.where(trained, 0.0, 1.0 / count)
    return [
        part * factor[parent] + uniform[parent] * may
        for parent, part, may in zip(parents, mass, may_take, strict=True)
    ]


def plain_average(tree: PublicTree, average: NDArray[np.float32], edges: list[Edge]) -> list[NDArray[np.float64]]:
    """The same where every lane has every action, its own lane in each child."""
    mass = np.stack([average[slots(tree, edge)] for edge in edges]).astype(np.float64)
    total = np.zeros(mass.shape[1])
    for part in mass:
        total += part
    trained = total > 0
    mass *= np.divide(1.0, total, out=np.zeros(len(total)), where=trained)
    mass += np.where(trained, 0.0, 1.0 / len(mass))
    return list(mass)
