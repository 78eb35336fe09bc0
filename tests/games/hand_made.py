"""Games of other books as public trees, array by array, to be solved by the kernels that solve Truc."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.tree.build import place_slots, subtree_ends
from solver.tree.model import CHANCE, DECISION, LEAF, PublicTree, check_tree

Doubles = NDArray[np.float64]


class HandMade(NamedTuple):
    """A tree, and what its outcomes are worth to the first side, float64 [outcomes]."""

    tree: PublicTree
    worth: Doubles


class Space(NamedTuple):
    """Boards with the states of both sides.

    weights   float64 [boards, n0, n1]: chance of both states and the board
    showdown  the same with the sign of what the first side wins when the cards are compared
    dealt     True where the boards are dealt by a CHANCE node from the one board of space 0
    """

    weights: Doubles
    showdown: Doubles
    dealt: bool = False


@dataclass
class Maker:
    """Writes a tree depth first; a node is made by `node` or `leaf`, its children after it.

    worth   what the outcomes are worth; a payoff that comes again is the same outcome
    """

    spaces: Sequence[Space]
    kind: list[int] = field(default_factory=list)
    player: list[int] = field(default_factory=list)
    space: list[int] = field(default_factory=list)
    outcome: list[int] = field(default_factory=list)
    worth: list[float] = field(default_factory=list)
    shows: list[bool] = field(default_factory=list)
    edges: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)  # node: (child, link, mask)

    def node(self, kind: int, player: int, space: int, payoff: float = 0.0, shows: bool = False) -> int:
        self.kind.append(kind)
        self.player.append(player)
        self.space.append(space)
        if payoff not in self.worth:
            self.worth.append(payoff)
        self.outcome.append(self.worth.index(payoff))
        self.shows.append(shows)
        self.edges[len(self.kind) - 1] = []
        return len(self.kind) - 1

    def leaf(self, space: int, payoff: float, shows: bool) -> int:
        """`payoff` for the first side; of the winner's where the cards are compared (`shows`)."""
        return self.node(LEAF, 0, space, payoff, shows)

    def join(self, parent: int, child: int, link: int = -1, mask: int = -1) -> None:
        self.edges[parent].append((child, link, mask))

    def made(self, masks: Sequence[Sequence[bool]] = ()) -> HandMade:
        """The arrays and the worth; `masks` one after the other, each as long as the states of the side it is for."""
        edges = [edge for node in range(len(self.kind)) for edge in self.edges[node]]
        first = np.cumsum([0, *(len(self.edges[node]) for node in range(len(self.kind)))]).astype(np.int32)
        child = np.array([edge[0] for edge in edges], np.int32)
        starts = np.cumsum([0, *map(len, masks)])
        pools = self.pools()
        tree = PublicTree(
            kind=np.array(self.kind, np.int32),
            player=np.array(self.player, np.int32),
            leader=np.full(len(self.kind), -1, np.int32),
            space=np.array(self.space, np.int32),
            edges=first,
            end=subtree_ends(len(self.kind), first, child),
            outcome=np.repeat(np.array(self.outcome, np.int32)[:, None], 3, axis=1),
            stake=np.array(self.outcome, np.int32),
            matrix=np.array(
                [pools.first[space][shows] for space, shows in zip(self.space, self.shows, strict=True)], np.int64
            ),
            ties=np.full(len(self.kind), -1, np.int64),
            source=np.repeat(np.arange(len(self.kind), dtype=np.int32), np.diff(first)),
            child=child,
            link=np.array([edge[1] for edge in edges], np.int32),
            word=np.zeros(len(edges), np.int32),
            mask=np.array([edge[2] if edge[2] < 0 else starts[edge[2]] for edge in edges], np.int32),
            slot=np.zeros(len(edges), np.int64),
            boards=np.array([len(space.weights) for space in self.spaces], np.int32),
            states=np.array([space.weights.shape[1:] for space in self.spaces], np.int32),
            root=np.array([k if space.dealt else -1 for k, space in enumerate(self.spaces)], np.int32),
            cut=pools.cut,
            link_lanes=pools.link_lanes,
            lane_map=pools.lane_map,
            board_matrix=pools.board_matrix,
            weights=pools.weights,
            mask_value=np.array([may for mask in masks for may in mask], np.bool_),
            cut_value=pools.cut_value,
            tie_share=np.zeros(0),
            tie_ends=np.zeros(2, np.int32),
            compare=np.ones((1, 1), np.int32),
        )
        tree = place_slots(tree)
        check_tree(tree)
        return HandMade(tree, np.array(self.worth))

    def pools(self) -> Pools:
        """Matrices of every space, plain and for showdowns; lane maps of the spaces that are dealt."""
        first: list[tuple[int, int]] = []
        places: list[int] = []
        chunks: list[Doubles] = []
        cut: list[int] = []
        cut_value: list[int] = []
        link_lanes: list[list[int]] = []
        lane_map: list[int] = []
        used = 0
        for space in self.spaces:
            first.append((len(places), len(places) + len(space.weights)))
            for block in (*space.weights, *space.showdown):
                places.append(used)
                chunks.append(block.reshape(-1))
                used += block.size
            cut.append(len(cut_value))
            if space.dealt:
                cut_value += range(len(space.weights) + 1)
                starts = []
                for states in space.weights.shape[1:]:
                    starts.append(len(lane_map))
                    lane_map += list(range(states)) * len(space.weights)
                link_lanes.append(starts)
        return Pools(
            first,
            np.array(places, np.int64),
            np.concatenate(chunks),
            np.array(cut, np.int64),
            np.array(cut_value, np.int32),
            np.array(link_lanes, np.int64).reshape(-1, 2),
            np.array(lane_map, np.int32),
        )


class Pools(NamedTuple):
    first: list[tuple[int, int]]
    board_matrix: NDArray[np.int64]
    weights: Doubles
    cut: NDArray[np.int64]
    cut_value: NDArray[np.int32]
    link_lanes: NDArray[np.int64]
    lane_map: NDArray[np.int32]


def kuhn() -> HandMade:
    """Kuhn 1950: three cards, ante 1, one bet of 1. Value -1/18 to the first player."""
    card = np.arange(3)
    weights = (card[:, None] != card[None, :]) / 6.0
    make = Maker([Space(weights[None], (weights * np.sign(card[:, None] - card[None, :]))[None])])

    def answer(bettor: int) -> int:
        node = make.node(DECISION, 1 - bettor, 0)
        make.join(node, make.leaf(0, 1.0 if bettor == 0 else -1.0, False))
        make.join(node, make.leaf(0, 2.0, True))
        return node

    root = make.node(DECISION, 0, 0)
    check = make.node(DECISION, 1, 0)
    make.join(root, check)
    make.join(check, make.leaf(0, 1.0, True))
    make.join(check, answer(1))
    make.join(root, answer(0))
    return make.made()


def leduc() -> HandMade:
    """Southey et al. 2005: three ranks twice, ante 1, raises of 2 then 4, two a round; a public card between."""
    deal, show = np.zeros((3, 3, 3)), np.zeros((3, 3, 3))
    for board, a, b in product(range(3), repeat=3):
        left = [2 - (a, b).count(rank) for rank in range(3)]
        ways = 2 * (2 - (a == b)) * max(left[board], 0) if min(left) >= 0 else 0
        deal[board, a, b] = ways / (6 * 5 * 4)
        strength = [(card == board, card) for card in (a, b)]
        show[board, a, b] = (strength[0] > strength[1]) - (strength[0] < strength[1])
    make = Maker([Space(deal.sum(axis=0)[None], np.zeros((1, 3, 3))), Space(deal, deal * show, dealt=True)])

    def act(space: int, paid: tuple[int, int], raises: int, said: int) -> int:
        """The player whose turn it is in a round; `said` words of the round have been spoken."""
        seat = said % 2
        node = make.node(DECISION, seat, space)
        behind = paid[seat] < paid[1 - seat]
        if behind:
            make.join(node, make.leaf(space, float(paid[1]) if seat else -float(paid[0]), False))
        if behind or said == 1:
            make.join(node, close(space, max(paid)))
        else:
            make.join(node, act(space, paid, raises, said + 1))
        if raises < 2:
            bet = paid[1 - seat] + (4 if space else 2)
            make.join(node, act(space, (paid[0], bet) if seat else (bet, paid[1]), raises + 1, said + 1))
        return node

    def close(space: int, level: int) -> int:
        """A round is over: the public card, or the showdown."""
        if space:
            return make.leaf(1, float(level), True)
        node = make.node(CHANCE, 0, 0)
        make.join(node, act(1, (level, level), 0, 0), link=0)
        return node

    act(0, (1, 1), 0, 0)
    return make.made()


def bluff(forced: bool) -> HandMade:
    """A coin falls and only the first player sees it: heads wins, tails loses. Ante 1; he may bet 2, to call or fold.

    Heads always bets (`forced`: a mask forbids it to check). Tails bets half as often as heads, which makes a call
    worth as much as a fold; half the bets are called, which makes a bluff worth the ante that checking loses. Heads
    then wins (1 + 3) / 2 and tails loses 1: the value to the first player is 1/2.
    """
    weights = np.full((1, 2, 1), 0.5)
    make = Maker([Space(weights, weights * np.array([1.0, -1.0])[None, :, None])])
    root = make.node(DECISION, 0, 0)
    make.join(root, make.leaf(0, 1.0, True), mask=0 if forced else -1)
    answer = make.node(DECISION, 1, 0)
    make.join(root, answer)
    make.join(answer, make.leaf(0, 1.0, False))
    make.join(answer, make.leaf(0, 3.0, True))
    return make.made([[False, True]] if forced else [])
