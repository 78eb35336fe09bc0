"""Where the vectors of a sweep live, and how the tree is cut into pieces for threads and caches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.tree.model import DECISION, N_CLASSES, REVEAL, PublicTree, lanes, slot_counts

PIECE_SLOTS = 60_000


class Places(NamedTuple):
    """Offsets into a work array for the nodes of the top, or of any subtree below the cut.

    reach   int64 [n, 2]  vector of each side's reach; equal offsets share memory
    value   int64 [n, 2]  vector of counterfactual values when that side is updated
    sigma   int64 [e]     strategy of each edge
    """

    reach: NDArray[np.int64]
    value: NDArray[np.int64]
    sigma: NDArray[np.int64]


class Matrices(NamedTuple):
    """Single-precision weights in the orders the kernels walk them.

    elder_rows, dealer_rows  float32: every board's matrix with the elder's, the dealer's state as row
    reveal_first             int64 [spaces]: place of a space's first board in the two pools below, -1 without
    reveal_down, reveal_up   float32: follower's card × (class, lead), and its transpose
    """

    elder_rows: NDArray[np.float32]
    dealer_rows: NDArray[np.float32]
    reveal_first: NDArray[np.int64]
    reveal_down: NDArray[np.float32]
    reveal_up: NDArray[np.float32]


class Pieces(NamedTuple):
    """The cut: nodes above it, and tasks below it.

    top    int64 [k]     nodes above the cut, parents first
    task   int32 [t, 4]  root node, one past its subtree, first and last + 1 root board
    work   (floats above the cut, floats of the largest task)
    """

    top: NDArray[np.int64]
    task: NDArray[np.int32]
    work: tuple[int, int]


def subtree_roots(tree: PublicTree) -> NDArray[np.int32]:
    """Nodes whose space is the first below the cut on their path."""
    parent = np.zeros(len(tree.kind), np.int32)
    parent[tree.child] = np.repeat(np.arange(len(tree.kind), dtype=np.int32), np.diff(tree.edges))
    below = tree.root[tree.space] >= 0
    below[0] = False
    return np.flatnonzero(below & ~below[parent]).astype(np.int32)


def span_boards(tree: PublicTree, space: int, low: int, high: int) -> int:
    """Number of boards of a space that belong to root boards [low, high)."""
    cut = tree.cut_value[tree.cut[space] :]
    return int(cut[high] - cut[low])


def cut_tree(tree: PublicTree) -> tuple[Pieces, Places, Places]:
    """Pieces of about ``PIECE_SLOTS`` slots, and the places of the vectors above and below the cut."""
    roots = subtree_roots(tree)
    inside = np.zeros(len(tree.kind), np.bool_)
    tasks: list[tuple[int, int, int, int]] = []
    counts = slot_counts(tree)
    chunk = np.zeros(len(tree.kind), np.int64)
    for root in roots.tolist():
        end, boards = int(tree.end[root]), int(tree.boards[tree.space[root]])
        inside[root:end] = True
        slots = int(counts[tree.edges[root] : tree.edges[end]].sum())
        size = max(1, min(boards, PIECE_SLOTS * boards // max(slots, 1)))
        chunk[root:end] = size
        tasks += [(root, end, low, min(low + size, boards)) for low in range(0, boards, size)]
    top = np.flatnonzero(~inside)
    top_places, top_work = place_vectors(tree, top, np.zeros(len(tree.kind), np.int64))
    places, below = empty_places(tree), 0
    for root in roots.tolist():
        nodes = np.arange(root, tree.end[root])
        _, size = place_vectors(tree, nodes, chunk, places)
        below = max(below, size)
    return Pieces(top, np.array(tasks, np.int32).reshape(-1, 4), (top_work, below)), top_places, places


def empty_places(tree: PublicTree) -> Places:
    nodes, edges = len(tree.kind), len(tree.child)
    return Places(np.full((nodes, 2), -1), np.full((nodes, 2), -1), np.full(edges, -1))


def most_lanes(tree: PublicTree, node: int, side: int, chunk: int) -> int:
    """Longest vector of a node over all pieces of ``chunk`` root boards (0: the whole node)."""
    space = int(tree.space[node])
    if chunk == 0:
        return lanes(tree, node, side)
    root_boards = int(tree.boards[tree.root[space]])
    spans = [span_boards(tree, space, k, min(k + chunk, root_boards)) for k in range(0, root_boards, chunk)]
    return max(spans) * int(tree.states[space, side])


def place_vectors(
    tree: PublicTree, nodes: NDArray[np.int64], chunk: NDArray[np.int64], places: Places | None = None
) -> tuple[Places, int]:
    """Give every vector of these nodes and their children a place; returns the floats needed."""
    places = places or empty_places(tree)
    used = 0

    def room(node: int, side: int) -> int:
        nonlocal used
        start, used = used, used + most_lanes(tree, node, side, int(chunk[node]))
        return start

    for side in (0, 1):
        places.reach[nodes[0], side] = room(int(nodes[0]), side)
        places.value[nodes[0], side] = room(int(nodes[0]), side)
    for node in nodes.tolist():
        kind, player = int(tree.kind[node]), int(tree.player[node])
        for edge in range(tree.edges[node], tree.edges[node + 1]):
            child = int(tree.child[edge])
            for side in (0, 1):
                shared = tree.link[edge] < 0 and side != player if kind == DECISION else kind == REVEAL and side == player
                places.reach[child, side] = places.reach[node, side] if shared else room(child, side)
                passed = kind == REVEAL and side == player
                places.value[child, side] = places.value[node, side] if passed else room(child, side)
            if kind == DECISION:
                places.sigma[edge] = room(child, player)
    return places, used


def solver_matrices(tree: PublicTree) -> Matrices:
    """Single-precision weight matrices of every space and reveal."""
    weights = tree.weights.astype(np.float32)
    turned = weights.copy()
    seen: set[int] = set()
    first = np.full(len(tree.boards), -1, np.int64)
    down: list[NDArray[np.float32]] = []
    filled = 0
    for node in range(len(tree.kind)):
        space = int(tree.space[node])
        n0, n1 = tree.states[space]
        places = tree.board_matrix[tree.matrix[node] : tree.matrix[node] + tree.boards[space]]
        if tree.kind[node] == REVEAL and first[space] < 0:
            first[space] = filled
            down.append(reveal_matrices(tree, places, int(tree.leader[node])))
            filled += down[-1].size
        elif tree.kind[node] != REVEAL and tree.leader[node] < 0:
            for place in set(places.tolist()) - seen:
                matrix = weights[place : place + n0 * n1].reshape(n0, n1)
                turned[place : place + n0 * n1] = matrix.T.reshape(-1)
                seen.add(place)
    up = [np.ascontiguousarray(block.transpose(0, 2, 1)).reshape(-1) for block in down]
    flat = [block.reshape(-1) for block in down]
    nothing = [np.zeros(0, np.float32)]
    return Matrices(weights, turned, first, np.concatenate(flat + nothing), np.concatenate(up + nothing))


def reveal_matrices(tree: PublicTree, places: NDArray[np.int64], leader: int) -> NDArray[np.float32]:
    """Weights of (follower's card, class · n + lead) for each board, float32 [boards, n, 3n]."""
    n = len(tree.compare)
    boards = np.stack([tree.weights[place : place + n * n].reshape(n, n) for place in places])
    lead_rows = boards if leader == 0 else boards.transpose(0, 2, 1)
    out = np.zeros((len(places), n, N_CLASSES, n), np.float32)
    lead, card = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    out[:, card, tree.compare[lead, card], lead] = lead_rows[:, lead, card]
    return out.reshape(len(places), n, N_CLASSES * n)
