"""What the arrays of the public tree say: everything outside the tree and the kernels reads them through here.

Nodes and edges come as small records; lanes of an edge come as arrays over the lanes of a side in the edge's child.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.rules.words import WORDS
from solver.tree.model import DECISION, LEAF, N_CLASSES, SHOW, Floats, Ints, Longs, PublicTree, lanes, slot_counts

Vector = TypeVar("Vector", bound=NDArray[Any])

Flags = NDArray[np.bool_]
#: which whole hands of the elder and of the dealer may have said what they said, bool [hands]; None: all
Honest = tuple[Flags | None, Flags | None]
#: an edge along which nothing is said: a card is laid, or the last lead is shown
NO_WORD = ""


class Node(NamedTuple):
    """A node: its place in the tree, and the columns of ``PublicTree``.

    edges            numbers of its edges
    boards, states   of its space: states of the elder and of the dealer
    ties             place of the shares of spoiled tricks (G6), or -1
    """

    number: int
    kind: int
    player: int
    leader: int
    space: int
    edges: range
    end: int
    boards: int
    states: tuple[int, int]
    ties: int

    def lanes(self, side: int) -> int:
        """Length of one side's vector."""
        return self.boards * self.states[side]

    def decides(self, side: int) -> bool:
        """Whether a side acts here."""
        return self.kind == DECISION and self.player == side


class Edge(NamedTuple):
    """An edge: its place in the tree, where it leaves and leads, and what is said along it.

    link     number of the lane maps, -1: the lanes of the child are those of the source
    masked   whether only some hands may take it
    """

    number: int
    source: int
    child: int
    word: str
    link: int
    masked: bool

    @property
    def linked(self) -> bool:
        """Whether a card is laid, so that child lanes come from other lanes of the source."""
        return self.link >= 0


def node_at(tree: PublicTree, number: int) -> Node:
    """The node with a number."""
    space = int(tree.space[number])
    elder, dealer = tree.states[space].tolist()
    return Node(
        number, int(tree.kind[number]), int(tree.player[number]), int(tree.leader[number]), space,
        range(int(tree.edges[number]), int(tree.edges[number + 1])), int(tree.end[number]), int(tree.boards[space]),
        (elder, dealer), int(tree.ties[number]),
    )  # fmt: skip


def edge_at(tree: PublicTree, number: int) -> Edge:
    """The edge with a number."""
    word = int(tree.word[number])
    return Edge(
        number, int(tree.source[number]), int(tree.child[number]), WORDS[word] if word >= 0 else NO_WORD,
        int(tree.link[number]), bool(tree.mask[number] >= 0),
    )  # fmt: skip


def player_of(tree: PublicTree, node: int) -> int:
    """Who decides at a node."""
    return int(tree.player[node])


def edges_of(tree: PublicTree, node: int) -> list[Edge]:
    """The edges that leave a node."""
    return [edge_at(tree, number) for number in range(int(tree.edges[node]), int(tree.edges[node + 1]))]


def edge_with(tree: PublicTree, node: int, *words: str) -> Edge | None:
    """The first edge of a node along which one of the words is said."""
    return next((edge for edge in edges_of(tree, node) if edge.word in words), None)


def nodes_of_kind(tree: PublicTree, *kinds: int) -> Iterator[Node]:
    """All nodes of some kinds, in order."""
    for number in np.flatnonzero(np.isin(tree.kind, kinds)).tolist():
        yield node_at(tree, number)


def decisions(tree: PublicTree) -> Iterator[Node]:
    """All nodes at which somebody decides."""
    return nodes_of_kind(tree, DECISION)


def lane_map(tree: PublicTree, edge: Edge, side: int) -> Longs:
    """The lane of the source that every lane of the child comes from, int64 [lanes of the child]."""
    size = lanes(tree, edge.child, side)
    if not edge.linked:
        return np.arange(size)
    start = tree.link_lanes[edge.link, side]
    return tree.lane_map[start : start + size].astype(np.int64)


def moved(tree: PublicTree, edge: Edge, side: int, vector: Vector) -> Vector:
    """A side's vector of the source in the lanes of the child."""
    if not edge.linked:
        return vector
    start = tree.link_lanes[edge.link, side]
    return vector[tree.lane_map[start : start + lanes(tree, edge.child, side)]]  # type: ignore[return-value]


def gathered(tree: PublicTree, edge: Edge, side: int, vector: Floats) -> Floats:
    """The sums of child lanes in the lanes of the source that they come from."""
    if not edge.linked:
        return vector
    start = tree.link_lanes[edge.link, side]
    source = tree.lane_map[start : start + lanes(tree, edge.child, side)]
    return np.bincount(source, weights=vector, minlength=lanes(tree, edge.source, side)).astype(np.float64)


def legal(tree: PublicTree, edge: Edge) -> NDArray[np.bool_]:
    """Which lanes of the acting side may take an edge, bool [lanes of the child]."""
    player = int(tree.player[edge.source])
    size = lanes(tree, edge.child, player)
    if not edge.masked:
        return np.ones(size, np.bool_)
    states = int(tree.states[tree.space[edge.source], player])
    return np.tile(tree.mask_value[tree.mask[edge.number] : tree.mask[edge.number] + states], size // states)


def heard(tree: PublicTree, edge: Edge, honest: Honest) -> Honest:
    """Which whole hands of both sides may have said all that was said, an edge further on (U8, G7).

    Only what is said over three cards tells of the hand, so states of the source are whole hands then.
    """
    if not edge.masked:
        return honest
    start, player = int(tree.mask[edge.number]), player_of(tree, edge.source)
    may, before = tree.mask_value[start : start + int(tree.states[0, 0])], honest[player]
    both = may if before is None else before & may
    return (both, honest[1]) if player == 0 else (honest[0], both)


def slots(tree: PublicTree, edge: Edge) -> slice:
    """The slots of an edge: one a lane of the acting side in the child."""
    start = int(tree.slot[edge.number])
    return slice(start, start + lanes(tree, edge.child, int(tree.player[edge.source])))


def slots_below(tree: PublicTree) -> Longs:
    """Number of slots of every subtree, int64 [nodes]."""
    before = np.concatenate(([0], np.cumsum(slot_counts(tree))))
    first = before[tree.edges]
    return np.asarray(before[tree.edges[tree.end]] - first[:-1])


def edge_places(tree: PublicTree) -> tuple[Ints, Ints]:
    """Source of every edge, and its place among the edges of that node, int32 [edges] both."""
    return tree.source, np.arange(len(tree.source), dtype=np.int32) - tree.edges[tree.source]


def links(tree: PublicTree) -> dict[int, Edge]:
    """Every link between boards, by its number, with the first edge that has it."""
    edges = np.flatnonzero(tree.link >= 0)
    numbers, first = np.unique(tree.link[edges], return_index=True)
    return {int(link): edge_at(tree, edge) for link, edge in zip(numbers, edges[first].tolist(), strict=True)}


def cut_roots(tree: PublicTree) -> list[int]:
    """The nodes just below the cut into pieces: their space is the first below it on their path."""
    below = tree.root[tree.space] >= 0
    below[0] = False
    return sorted(tree.child[below[tree.child] & ~below[tree.source]].tolist())


def cuts(tree: PublicTree) -> list[Ints]:
    """For every space where each root board's part of its boards begins; one part of no boards above the cut."""
    return [
        tree.cut_value[first : first + tree.boards[root] + 1] if root >= 0 else np.zeros(2, np.int32)
        for first, root in zip(tree.cut.tolist(), tree.root.tolist(), strict=True)
    ]


def board_weights(tree: PublicTree, node: int) -> Floats:
    """Chances of both states on every board, float64 [boards, elder's states, dealer's states]; see ``matrix``."""
    places, shape = matrices(tree, node)
    return np.asarray(tree.weights[places[:, None] + np.arange(shape[0] * shape[1])].reshape(-1, *shape))


def matrices(tree: PublicTree, node: int) -> tuple[Longs, tuple[int, int]]:
    """Where the weights of every board stand, int64 [boards], and the states of both sides."""
    space = int(tree.space[node])
    elder, dealer = tree.states[space].tolist()
    start = int(tree.matrix[node])
    return tree.board_matrix[start : start + int(tree.boards[space])], (elder, dealer)


def matrix_key(tree: PublicTree, node: int) -> tuple[int, int]:
    """What nodes with the same weights have in common."""
    return int(tree.matrix[node]), int(tree.space[node])


def lead_rows(tree: PublicTree, node: int) -> Floats:
    """Chances of the last two cards at a REVEAL, float64 [boards, lead, follower's card]."""
    weights = board_weights(tree, node)
    return weights if tree.leader[node] == 0 else weights.transpose(0, 2, 1)


def classes(tree: PublicTree) -> Ints:
    """What the follower's last card comes to: 0 loses, 1 ties, 2 wins; int32 [lead, card]."""
    return tree.compare


def outcomes_of(tree: PublicTree, node: int) -> list[int]:
    """Outcomes at an end of the hand by the class of the last card; all alike where no class is left."""
    return [int(number) for number in tree.outcome[node]]


def stake_of(tree: PublicTree, node: int) -> int:
    """An outcome whose amount the hand is played for at a node, a bet that waits not counted."""
    return int(tree.stake[node])


def payoffs(tree: PublicTree, node: int, worth: Floats) -> Floats:
    """Elder's payoffs at an end of the hand: LEAF float64 [boards], SHOW float64 [boards, class, lead].

    Where three spoiled tricks are followed by new cards (G6) a payoff lies between those of winning and losing.
    """
    at = node_at(tree, node)
    shape = (at.boards,) if at.kind == LEAF else (at.boards, N_CLASSES, len(tree.compare))
    found = np.empty(shape)
    if at.kind == LEAF:
        found[:] = worth[tree.outcome[node, 0]]
    else:
        found[:] = worth[tree.outcome[node]][None, :, None]
    if at.ties >= 0:
        win, lose = worth[tree.tie_ends]
        size = at.boards if at.kind == LEAF else at.boards * len(tree.compare)
        spoiled = lose + (win - lose) * tree.tie_share[at.ties : at.ties + size]
        if at.kind == LEAF:
            found[:] = spoiled
        else:
            found[:, 1] = spoiled.reshape(at.boards, -1)
    return found


def payoff_arrays(tree: PublicTree, worth: Floats) -> tuple[Floats, Floats]:
    """All payoffs to the elder: float64 [nodes, class], 0 where new cards decide, and of these float64 [ties]."""
    ends = np.isin(tree.kind, (LEAF, SHOW))
    found = np.where(ends[:, None], worth[tree.outcome], 0.0)
    spoiled = tree.ties >= 0
    found[spoiled & (tree.kind == LEAF)] = 0.0
    found[spoiled & (tree.kind == SHOW), 1] = 0.0
    win, lose = worth[tree.tie_ends]
    return found, np.asarray(lose + (win - lose) * tree.tie_share)


def largest_payoff(tree: PublicTree, worth: Floats) -> float:
    """Largest absolute payoff of any end of the hand."""
    return float(np.abs(worth[used_outcomes(tree)]).max(initial=0.0))


def payoff_spread(tree: PublicTree, worth: Floats) -> float:
    """Difference between the best and the worst end of the hand."""
    return float(np.ptp(worth[used_outcomes(tree)]))


def used_outcomes(tree: PublicTree) -> Ints:
    """Outcomes that some end of the hand has."""
    return np.unique(tree.outcome[np.isin(tree.kind, (LEAF, SHOW))])
