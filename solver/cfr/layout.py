"""Where the vectors of a sweep live, and how the tree is cut into pieces for threads and caches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.tree.model import DECISION, LEAF, REVEAL, PublicTree
from solver.tree.reading import (
    Node,
    cut_roots,
    cuts,
    edges_of,
    lane_map,
    lead_rows,
    links,
    matrices,
    node_at,
    nodes_of_kind,
)

#: floats of a piece's vectors: they stay in a second-level cache
PIECE_FLOATS = 120_000


class Places(NamedTuple):
    """Offsets into a work array for the nodes of the top, or of any subtree below the cut.

    reach   int64 [n, 2]  vector of each side's reach; equal offsets share memory
    value   int64 [n, 2]  vector of counterfactual values when that side is updated
    """

    reach: NDArray[np.int64]
    value: NDArray[np.int64]


class Matrices(NamedTuple):
    """Single-precision weights in the orders the kernels walk them.

    elder_rows, dealer_rows  float32: every board's matrix with the elder's, the dealer's state as row
    reveal_board             int64 [spaces]: number of a space's first board in the three pools below, -1 without
    reveal_cards             float32 [boards, n, 2, n]: follower's card × (he loses, he wins) × lead, zero elsewhere
    reveal_leads             the same with the lead first and the card last
    reveal_tied              float32 [boards, n]: lead and card alike
    moves_boards             bool [l, 2]: the link's map of a side keeps the states, board by board
    """

    elder_rows: NDArray[np.float32]
    dealer_rows: NDArray[np.float32]
    reveal_board: NDArray[np.int64]
    reveal_cards: NDArray[np.float32]
    reveal_leads: NDArray[np.float32]
    reveal_tied: NDArray[np.float32]
    moves_boards: NDArray[np.bool_]


class Pieces(NamedTuple):
    """The cut: nodes above it, and tasks below it.

    top    int64 [k]     nodes above the cut, parents first
    task   int32 [t, 4]  root node, one past its subtree, first and last + 1 root board
    work   (floats above the cut, floats of the largest task)
    """

    top: NDArray[np.int64]
    task: NDArray[np.int32]
    work: tuple[int, int]


def cut_tree(tree: PublicTree) -> tuple[Pieces, Places, Places]:
    """Pieces whose vectors fit ``PIECE_FLOATS``, and the places of the vectors above and below the cut."""
    inside = np.zeros(len(tree.kind), np.bool_)
    tasks: list[tuple[int, int, int, int]] = []
    places, below = empty_places(tree), 0
    for root in cut_roots(tree):
        end, boards = node_at(tree, root).end, node_at(tree, root).boards
        inside[root:end] = True
        nodes, size = range(root, end), boards
        used = place_vectors(tree, nodes, size, places, reuse=True)
        while used > PIECE_FLOATS and size > 1:
            size = (size + 1) // 2
            used = place_vectors(tree, nodes, size, places, reuse=True)
        below = max(below, used)
        tasks += [(root, end, low, min(low + size, boards)) for low in range(0, boards, size)]
    top, top_places = np.flatnonzero(~inside), empty_places(tree)
    top_work = place_vectors(tree, top.tolist(), 0, top_places, reuse=False)
    return Pieces(top, np.array(tasks, np.int32).reshape(-1, 4), (top_work, below)), top_places, places


def empty_places(tree: PublicTree) -> Places:
    """Places for every node, all -1."""
    nodes = len(tree.kind)
    return Places(np.full((nodes, 2), -1), np.full((nodes, 2), -1))


def most_boards(tree: PublicTree, chunk: int) -> list[int]:
    """Most boards of every space in a piece of ``chunk`` root boards (0: all of them)."""
    if chunk == 0:
        return [int(n) for n in tree.boards]
    return [int(np.diff(np.append(cut[:-1:chunk], cut[-1])).max()) for cut in cuts(tree)]


def place_vectors(tree: PublicTree, nodes: Sequence[int], chunk: int, places: Places, reuse: bool) -> int:
    """Give every vector of these nodes and their children a place; returns the floats needed.

    reuse   the vectors below a node give their memory to the next node's when it is left (depth first);
            False: all of them live at once
    """
    boards = most_boards(tree, chunk)
    cursor = {int(nodes[0]): 0}
    used = 0

    def room(node: Node, side: int) -> int:
        nonlocal used
        start, used = used, used + boards[node.space] * node.states[side]
        return start

    for side in (0, 1):
        places.reach[nodes[0], side] = room(node_at(tree, nodes[0]), side)
        places.value[nodes[0], side] = room(node_at(tree, nodes[0]), side)
    cursor[int(nodes[0])], most = used, used
    for number in nodes:
        node = node_at(tree, number)
        used = cursor[number] if reuse else used
        edges = edges_of(tree, number)
        for edge in edges:
            child = node_at(tree, edge.child)
            for side in (0, 1):
                passed = node.kind == REVEAL and side == node.player
                shared = passed or (node.kind == DECISION and not edge.linked and side != node.player)
                places.reach[edge.child, side] = places.reach[number, side] if shared else room(child, side)
                places.value[edge.child, side] = places.value[number, side] if passed else room(child, side)
        cursor.update((edge.child, used) for edge in edges)
        most = max(most, used)
    return most


def solver_matrices(tree: PublicTree) -> Matrices:
    """Single-precision weight matrices of every space and reveal."""
    weights = tree.weights.astype(np.float32)
    board, rows = reveal_rows(tree)
    nothing = np.float32(0.0)
    leads = np.stack([np.where(tree.compare == outcome, rows, nothing) for outcome in (0, 2)], axis=2)
    cards = np.ascontiguousarray(leads.transpose(0, 3, 2, 1))
    tied = np.where(tree.compare == 1, rows, nothing).sum(axis=2)
    return Matrices(
        weights, turned(tree, weights), board, cards.reshape(-1), leads.reshape(-1), tied.reshape(-1),
        links_of_boards(tree),
    )  # fmt: skip


def turned(tree: PublicTree, weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """The weights with every board's matrix transposed in its place."""
    out = weights.copy()
    seen: set[int] = set()
    for node in nodes_of_kind(tree, DECISION, LEAF):
        if node.leader >= 0:
            continue
        places, (n0, n1) = matrices(tree, node.number)
        for place in set(places.tolist()) - seen:
            out[place : place + n0 * n1] = weights[place : place + n0 * n1].reshape(n0, n1).T.reshape(-1)
            seen.add(place)
    return out


def reveal_rows(tree: PublicTree) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Number of each space's first board (-1: no reveal), and the boards' weights, float32 [boards, lead, card]."""
    n, filled = len(tree.compare), 0
    board = np.full(len(tree.boards), -1, np.int64)
    rows = [np.zeros((0, n, n), np.float32)]
    for node in nodes_of_kind(tree, REVEAL):
        if board[node.space] < 0:
            rows.append(lead_rows(tree, node.number).astype(np.float32))
            board[node.space], filled = filled, filled + node.boards
    return board, np.concatenate(rows)


def links_of_boards(tree: PublicTree) -> NDArray[np.bool_]:
    """Whether each link's map of each side keeps the states: lane = parent's board · states + state."""
    out = np.zeros(tree.link_lanes.shape, np.bool_)
    for link, edge in links(tree).items():
        parent, child = node_at(tree, edge.source), node_at(tree, edge.child)
        for side in (0, 1):
            states = child.states[side]
            lane = lane_map(tree, edge, side).reshape(-1, states)
            same = states == parent.states[side]
            out[link, side] = same and bool((lane % states == np.arange(states)).all())
    return out
