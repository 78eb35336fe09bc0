"""The public tree as arrays: what the solver, the judge and the walk through a history read.

A node stands for what was *said* and for how the tricks went; the cards laid so far (the **board**) are an index
inside the node, and so is what a side still holds (its **state**). The vector of side p at node n is
flat, board-major: lane = board · states + state. All of it is public knowledge but the state.

Node kinds
    DECISION  ``player`` chooses an edge. One slot (a regret, an average, a probability) belongs to each lane of the
              acting side in the *child*: playing rank r from hand h is the lane of the hand that is left.
    CHANCE    one edge; every child lane comes from a parent lane, nobody decides. A hand of cards has none.
    REVEAL    the leader's last card becomes public. The follower's state becomes (class, lead): his last card loses,
              ties or wins (class 0, 1, 2) against each possible lead. Below it payoffs depend on the class alone.
    LEAF      the hand is over with outcome ``outcome[0]``; values weigh it with the matrix ``matrix`` of the board.
    SHOW      below a REVEAL: the outcome is ``outcome[class]``.

An outcome is a number: who takes how much stands in ``HandGame.outcomes``, and what that is worth to the elder in a
vector beside the tree, float64 [outcomes], so that one tree serves points and any equity table.

Hazard: lanes that cannot be (more copies of a rank than exist) are kept; their weights are zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NODE_KINDS = DECISION, CHANCE, REVEAL, LEAF, SHOW = 0, 1, 2, 3, 4
ANSWERS = FOLD, CALL, COUNTER = 0, 1, 2  # what an answer to a bet does
N_CLASSES = 3

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


class PublicTree(NamedTuple):
    """Nodes in depth-first order (a parent before its children, a subtree in one piece); -1 marks "none".

    nodes
      kind        int32 [n]      one of the kinds above
      player      int32 [n]      who decides; at a REVEAL and below it the leader of the last trick is ``leader``
      leader      int32 [n]      side whose last card is public (REVEAL, SHOW), else -1
      space       int32 [n]      which boards and states the node's vectors run over
      edges       int32 [n + 1]  first edge of each node
      end         int32 [n]      one past the last node of the subtree
      outcome     int32 [n, 3]   LEAF, SHOW
      stake       int32 [n]      an outcome whose amount the hand is played for, a bet that waits not counted
      matrix      int64 [n]      LEAF, REVEAL: place in ``board_matrix`` of the matrix of board 0
      ties        int64 [n]      place in ``tie_share`` of shares a board (LEAF) or a board and lead (SHOW, ties)
    edges
      source      int32 [e]      node it leaves
      child       int32 [e]
      link        int32 [e]      map from child lanes to parent lanes; -1: the lanes are the same
      word        int32 [e]      what is said; -1: a card is laid
      mask        int32 [e]      place in ``mask_value`` of the states that may choose it; -1: all may
      slot        int64 [e]      first slot; -1 where nobody decides
    spaces
      boards      int32 [s]
      states      int32 [s, 2]
      root        int32 [s]      the space at whose boards work is cut into pieces; -1: above the cut
      cut         int64 [s]      place in ``cut_value``; board range of root board k is cut_value[cut+k : cut+k+2]
    pools
      link_lanes  int64 [l, 2]   place in ``lane_map`` for each side; -1: identity
      lane_map    int32 [..]     parent lane of every child lane
      board_matrix int64 [..]    place in ``weights`` of a board's matrix, states[0] × states[1], elder-major
      weights     float64 [..]   chance of both states and the board, sums to one over hands at the root
      mask_value  bool [..]
      cut_value   int32 [..]
      tie_share   float64 [..]   chance of the elder after three spoiled tricks (G6): the payoff is that part of the
                                 way from outcome ``tie_ends[1]`` to ``tie_ends[0]``
      tie_ends    int32 [2]      outcomes when the elder, when the dealer wins what is redealt for
      compare     int32 [r, r]   class of the follower's card (column) against the lead (row)
    """

    kind: Ints
    player: Ints
    leader: Ints
    space: Ints
    edges: Ints
    end: Ints
    outcome: Ints
    stake: Ints
    matrix: Longs
    ties: Longs
    source: Ints
    child: Ints
    link: Ints
    word: Ints
    mask: Ints
    slot: Longs
    boards: Ints
    states: Ints
    root: Ints
    cut: Longs
    link_lanes: Longs
    lane_map: Ints
    board_matrix: Longs
    weights: Floats
    mask_value: NDArray[np.bool_]
    cut_value: Ints
    tie_share: Floats
    tie_ends: Ints
    compare: Ints

    @property
    def n_slots(self) -> int:
        """Number of (information set, action) pairs."""
        return int(slot_counts(self).sum())


@dataclass(frozen=True, slots=True)
class TreeSize:
    """Exact counts of a tree, without any of the solver's arrays.

    sequences   (information set, action) pairs: the slots
    infosets    information sets, lanes that cannot be included
    """

    nodes: int
    boards: int
    sequences: int
    infosets: int


def lanes(tree: PublicTree, node: int, side: int) -> int:
    """Length of one side's vector at a node."""
    space = tree.space[node]
    return int(tree.boards[space]) * int(tree.states[space, side])


def slot_counts(tree: PublicTree) -> Longs:
    """Number of slots of each edge, int64 [e]; 0 where nobody decides."""
    space = tree.space[tree.child]
    counts = tree.boards[space].astype(np.int64) * tree.states[space, tree.player[tree.source]]
    return np.where(tree.kind[tree.source] == DECISION, counts, 0)


def tree_size(tree: PublicTree) -> TreeSize:
    """Counts for ``estimate``."""
    decisions = tree.kind == DECISION
    boards, states = tree.boards[tree.space].astype(np.int64), tree.states[tree.space, np.maximum(tree.player, 0)]
    return TreeSize(len(tree.kind), int(boards.sum()), tree.n_slots, int((boards * states)[decisions].sum()))


def check_tree(tree: PublicTree) -> None:
    """Raise ValueError when the arrays contradict each other; cheap enough to run after every build."""
    nodes, edges = len(tree.kind), len(tree.child)
    if tree.edges[-1] != edges or len(tree.edges) != nodes + 1:
        raise ValueError(f"the tree has {edges} edges, its nodes claim {tree.edges[-1]}")
    if sorted(tree.child.tolist()) != list(range(1, nodes)):
        raise ValueError("every node but the root must be the child of exactly one edge")
    if not (tree.child > tree.source).all():
        raise ValueError("a child must come after its parent")
    for edge, (parent, child) in enumerate(zip(tree.source, tree.child, strict=True)):
        check_edge(tree, edge, int(parent), int(child))
    total = tree.weights[: int(np.prod(tree.states[0]))].sum()
    if abs(total - 1.0) > 1e-12:
        raise ValueError(f"the deal weights sum to {total}, not to 1")


def check_edge(tree: PublicTree, edge: int, parent: int, child: int) -> None:
    """Raise ValueError when an edge's lane maps do not fit its two nodes."""
    link = tree.link[edge]
    if link < 0:
        if tree.kind[parent] != REVEAL and tree.space[parent] != tree.space[child]:
            raise ValueError(f"edge {edge} changes the space without a link")
        return
    for side in (0, 1):
        start = tree.link_lanes[link, side]
        mapped = tree.lane_map[start : start + lanes(tree, child, side)]
        if len(mapped) and not 0 <= mapped.min() <= mapped.max() < lanes(tree, parent, side):
            raise ValueError(f"link {link} of edge {edge} leaves the lanes of node {parent}")
