"""From accumulated reach to probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.tree.model import PublicTree, lanes


def average_behaviour(tree: PublicTree, average: NDArray[np.float32], node: int) -> list[NDArray[np.float64]]:
    """Average strategy of a node: one array of probabilities an edge, lanes of the acting side in the child.

    Where nothing was accumulated (a hand that cannot be, or a point its owner avoids) it is uniform over what is legal.
    """
    player = int(tree.player[node])
    edges = range(tree.edges[node], tree.edges[node + 1])
    if (tree.link[edges.start : edges.stop] < 0).all() and (tree.mask[edges.start : edges.stop] < 0).all():
        return plain_average(tree, average, node)
    parents = [parent_lanes(tree, node, edge) for edge in edges]
    mass = [
        average[tree.slot[edge] : tree.slot[edge] + len(parent)].astype(np.float64)
        for edge, parent in zip(edges, parents, strict=True)
    ]
    legal = [legal_lanes(tree, node, edge) for edge in edges]
    size = lanes(tree, node, player)
    total, count = np.zeros(size), np.zeros(size)
    for parent, part, may in zip(parents, mass, legal, strict=True):
        total += np.bincount(parent, weights=part, minlength=size)
        count += np.bincount(parent, weights=may, minlength=size)
    trained = total > 0
    factor = np.divide(1.0, total, out=np.zeros(size), where=trained)
    uniform = np.where(trained, 0.0, 1.0 / count)
    return [
        part * factor[parent] + uniform[parent] * may
        for parent, part, may in zip(parents, mass, legal, strict=True)
    ]


def plain_average(tree: PublicTree, average: NDArray[np.float32], node: int) -> list[NDArray[np.float64]]:
    """The same where every lane has every action, its own lane in each child."""
    size = lanes(tree, node, int(tree.player[node]))
    edges = range(tree.edges[node], tree.edges[node + 1])
    mass = np.stack([average[tree.slot[edge] : tree.slot[edge] + size] for edge in edges]).astype(np.float64)
    total = np.zeros(size)
    for part in mass:
        total += part
    trained = total > 0
    mass *= np.divide(1.0, total, out=np.zeros(size), where=trained)
    mass += np.where(trained, 0.0, 1.0 / len(mass))
    return list(mass)


def parent_lanes(tree: PublicTree, node: int, edge: int) -> NDArray[np.int64]:
    """Acting side's lane in the node for every lane in the child."""
    player = int(tree.player[node])
    size = lanes(tree, int(tree.child[edge]), player)
    if tree.link[edge] < 0:
        return np.arange(size)
    start = tree.link_lanes[tree.link[edge], player]
    return tree.lane_map[start : start + size].astype(np.int64)


def legal_lanes(tree: PublicTree, node: int, edge: int) -> NDArray[np.float64]:
    """1.0 for lanes that may choose the edge, 0.0 for the others."""
    size = lanes(tree, int(tree.child[edge]), int(tree.player[node]))
    if tree.mask[edge] < 0:
        return np.ones(size)
    states = int(tree.states[tree.space[node], tree.player[node]])
    mask = tree.mask_value[tree.mask[edge] : tree.mask[edge] + states]
    return np.tile(mask.astype(np.float64), size // states)
