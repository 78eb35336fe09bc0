"""How often every word is said: the flow of probability through the tree under a solution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.strategy.solution import Solution
from solver.tree.machine import WORDS
from solver.tree.model import CHANCE, DECISION, N_CLASSES, REVEAL, lanes

Doubles = NDArray[np.float64]
CARD = "card"


@dataclass(frozen=True, slots=True)
class Flow:
    """One choice at one betting history, all boards and hands together.

    seat     who chooses; trick: 1, 2, 3
    word     what is said, or "card"; ``silent`` where nothing is
    offered  chance that the choice is there in a hand; chosen: that it is made
    answer   whether the choice answers a bet
    """

    node: int
    edge: int
    seat: int
    trick: int
    word: str
    offered: float
    chosen: float
    answer: bool


class Flows:
    """One walk over the tree with the reach of both sides."""

    def __init__(self, solution: Solution) -> None:
        self.solution, self.tree = solution, solution.game.tree

    def all(self) -> Iterator[Flow]:
        """Every edge of every decision that can be reached, depth first."""
        ones = [np.ones(lanes(self.tree, 0, side)) for side in (0, 1)]
        waiting = [(0, ones[0], ones[1], 1.0, False)]
        while waiting:
            node, elder, dealer, mass, answer = waiting.pop()
            if self.tree.kind[node] == DECISION:
                yield from self.decision(node, (elder, dealer), mass, answer, waiting)
            elif self.tree.kind[node] in (CHANCE, REVEAL):
                edge = int(self.tree.edges[node])
                below = self.pass_on(node, edge, (elder, dealer))
                waiting.append((int(self.tree.child[edge]), *below, mass, False))

    def decision(
        self, node: int, reach: tuple[Doubles, Doubles], mass: float, answer: bool, waiting: list[Entry]
    ) -> Iterator[Flow]:
        """Flows out of one node; its children are put on the list."""
        tree, player = self.tree, int(self.tree.player[node])
        trick = len(self.solution.game.spaces[tree.space[node]].tricks) + 1
        edges = range(tree.edges[node], tree.edges[node + 1])
        for edge, sigma in zip(edges, self.solution.behaviour(node), strict=True):
            below = list(self.pass_on(node, edge, reach))
            below[player] = below[player] * sigma
            child, word = int(tree.child[edge]), int(tree.word[edge])
            flow = self.mass(child, (below[0], below[1]))
            name = CARD if word < 0 else WORDS[word]
            yield Flow(node, edge, player, trick, name, mass, flow, answer)
            asked = name not in (CARD, "silent", "call", "see", "fold", "accept", "refuse", "hold", "sing", "pass")
            if flow > 0.0:
                waiting.append((child, below[0], below[1], flow, asked))

    def pass_on(self, node: int, edge: int, reach: tuple[Doubles, Doubles]) -> tuple[Doubles, Doubles]:
        """Reach below an edge, before anybody's choice."""
        tree = self.tree
        if tree.kind[node] == REVEAL:
            follower = 1 - int(tree.leader[node])
            known = self.classes(node, reach[follower])
            return (known, reach[1]) if follower == 0 else (reach[0], known)
        if tree.link[edge] < 0:
            return reach
        found = []
        for side in (0, 1):
            start = tree.link_lanes[tree.link[edge], side]
            found.append(reach[side][tree.lane_map[start : start + lanes(tree, int(tree.child[edge]), side)]])
        return found[0], found[1]

    def weights(self, node: int) -> Doubles:
        """Weights of all boards of a node, float64 [boards, elder's states, dealer's states]."""
        tree, space = self.tree, int(self.tree.space[node])
        n0, n1 = tree.states[space].tolist()
        places = tree.board_matrix[tree.matrix[node] : tree.matrix[node] + tree.boards[space]]
        return np.asarray(tree.weights[places[:, None] + np.arange(n0 * n1)].reshape(-1, n0, n1))

    def classes(self, node: int, reach: Doubles) -> Doubles:
        """Follower's mass by class and lead at a REVEAL."""
        tree, weights, n = self.tree, self.weights(node), len(self.tree.compare)
        lead_rows = weights if tree.leader[node] == 0 else weights.transpose(0, 2, 1)
        cards = reach.reshape(-1, 1, n)
        mass = [(lead_rows * cards * (tree.compare == c)).sum(axis=2) for c in range(N_CLASSES)]
        return np.stack(mass, axis=1).reshape(-1)

    def mass(self, node: int, reach: tuple[Doubles, Doubles]) -> float:
        """Chance that a node is reached."""
        tree, leader = self.tree, int(self.tree.leader[node])
        boards = int(tree.boards[tree.space[node]])
        if leader >= 0 and tree.kind[node] != REVEAL:
            follower = reach[1 - leader].reshape(boards, N_CLASSES, -1).sum(axis=1)
            return float((follower * reach[leader].reshape(boards, -1)).sum())
        weights = self.weights(node)
        elder, dealer = reach[0].reshape(boards, 1, -1), reach[1].reshape(boards, -1, 1)
        return float(np.matmul(np.matmul(elder, weights), dealer).sum())


Entry = tuple[int, Doubles, Doubles, float, bool]
