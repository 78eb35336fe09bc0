"""Values without any error, for small decks: Python's own integers, by code that shares only the tree with the judge.

Ways to deal the cards are integers, so are 16-bit frequencies, and payoffs over their common denominator.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.tree.model import CHANCE, DECISION, LEAF, N_CLASSES, REVEAL, SHOW, PublicTree, lanes

UNIT = 1 << 16
NOTHING = float("-inf")

#: arrays of Python integers
Whole = NDArray[Any]


@dataclass(frozen=True, slots=True)
class ExactEvaluation:
    """Value to the elder and both best responses as fractions, each in its own side's payoff."""

    value: Fraction
    best_response: tuple[Fraction, Fraction]

    @property
    def nash_conv(self) -> Fraction:
        """Sum of the best responses."""
        return sum(self.best_response, Fraction())


def exact_evaluation(tree: PublicTree, stored: NDArray[np.uint32], deals: int) -> ExactEvaluation:
    """Judge stored frequencies (1/65536, in slot order) without rounding.

    deals   number of ways to deal both hands and whatever comes after: the weights are multiples of 1/deals.
            ValueError when they are not.
    """
    judge = ExactJudge(tree, stored, deals)
    return ExactEvaluation(judge.value(), (judge.best(0), judge.best(1)))


class ExactJudge:
    """Integer vectors down and up the tree; a reach below d decisions counts in units of 65536^-d."""

    def __init__(self, tree: PublicTree, stored: NDArray[np.uint32], deals: int) -> None:
        self.tree, self.stored, self.deals = tree, stored, deals
        scaled = np.rint(tree.weights * deals)
        first = int(np.prod(tree.states[0]))
        if np.abs(tree.weights * deals - scaled).max() > 1e-3 or int(scaled[:first].sum()) != deals:
            raise ValueError(f"the weights of the tree are no multiples of 1/{deals}")
        self.weights: Whole = scaled.astype(np.int64).astype(object)
        self.found: dict[int, int] = {}

    @cached_property
    def payoff_unit(self) -> int:
        """Common denominator of all payoffs."""
        numbers = (*self.tree.payoff.ravel().tolist(), *self.tree.table_value.tolist())
        return lcm(*(Fraction(number).denominator for number in set(numbers)))

    def whole(self, payoff: float) -> int:
        """A payoff in units of the common denominator."""
        return int(Fraction(payoff) * self.payoff_unit)

    def frequencies(self, edge: int) -> Whole:
        """Stored counts of an edge, one a lane of the acting side in the child."""
        start, player = int(self.tree.slot[edge]), int(self.tree.player[self.parent(edge)])
        count = lanes(self.tree, int(self.tree.child[edge]), player)
        return self.stored[start : start + count].astype(object)

    def parent(self, edge: int) -> int:
        """Node that an edge leaves."""
        return int(np.searchsorted(self.tree.edges, edge, side="right")) - 1

    def moved(self, edge: int, side: int, reach: Whole) -> Whole:
        """Reach of a side in the lanes of the child."""
        return reach if self.tree.link[edge] < 0 else reach[self.lane_map(edge, side)]

    def lane_map(self, edge: int, side: int) -> NDArray[np.int32]:
        """Parent lane of every child lane."""
        start = self.tree.link_lanes[self.tree.link[edge], side]
        return self.tree.lane_map[start : start + lanes(self.tree, int(self.tree.child[edge]), side)]

    def board_weights(self, node: int) -> Whole:
        """Ways to deal, [boards, elder's states, dealer's states]."""
        tree, space = self.tree, int(self.tree.space[node])
        n0, n1 = tree.states[space].tolist()
        places = tree.board_matrix[tree.matrix[node] : tree.matrix[node] + tree.boards[space]]
        block: Whole = self.weights[places[:, None] + np.arange(n0 * n1)]
        return block.reshape(len(places), n0, n1)

    def class_masses(self, node: int, follower: Whole) -> Whole:
        """Follower's weighted reach by class of his card against each lead, flat (board, class, lead)."""
        tree, n = self.tree, len(self.tree.compare)
        block = self.board_weights(node)
        if tree.leader[node] == 1:
            block = block.transpose(0, 2, 1)
        by_card = block * follower.reshape(-1, 1, n)
        masses = [np.where(tree.compare == c, by_card, 0).sum(axis=2) for c in range(N_CLASSES)]
        return np.stack(masses, axis=1).reshape(-1)

    def shown(self, node: int) -> Whole:
        """Elder's payoff by board, class and lead, flat."""
        tree, n = self.tree, len(self.tree.compare)
        boards = int(tree.boards[tree.space[node]])
        payoff = np.empty((boards, N_CLASSES, n), object)
        for c in range(N_CLASSES):
            payoff[:, c] = self.whole(float(tree.payoff[node, c]))
        if tree.table[node] >= 0:
            start = int(tree.table[node])
            ties = [self.whole(one) for one in tree.table_value[start : start + boards * n].tolist()]
            payoff[:, 1] += np.array(ties, object).reshape(boards, n)
        return payoff.reshape(-1)

    def ended(self, node: int) -> Whole:
        """Elder's payoff of every board of a leaf, [boards, 1]."""
        tree = self.tree
        boards = int(tree.boards[tree.space[node]])
        if tree.table[node] < 0:
            return np.full((boards, 1), self.whole(float(tree.payoff[node, 0])), object)
        start = int(tree.table[node])
        return np.array([[self.whole(one)] for one in tree.table_value[start : start + boards].tolist()], object)

    def value(self) -> Fraction:
        """Value of the profile to the elder: reaches of both sides go down, the ends add up."""
        ones = [np.full(lanes(self.tree, 0, side), 1, object) for side in (0, 1)]
        self.found = {}
        self.descend(0, (ones[0], ones[1]), 0)
        scale = self.deals * self.payoff_unit
        return sum((Fraction(total, scale * UNIT**depth) for depth, total in self.found.items()), Fraction())

    def descend(self, node: int, reach: tuple[Whole, Whole], depth: int) -> None:
        """Add every end below a node to what is found at its depth."""
        tree = self.tree
        if tree.kind[node] == LEAF:
            block, ended = self.board_weights(node), self.ended(node)
            elder, dealer = reach[0].reshape(len(block), -1, 1), reach[1].reshape(len(block), 1, -1)
            self.add(depth, ((block * elder * dealer).sum(axis=(1, 2)) * ended[:, 0]).sum())
        elif tree.kind[node] == SHOW:
            leader, n = int(tree.leader[node]), len(tree.compare)
            lead = np.repeat(reach[leader].reshape(-1, 1, n), N_CLASSES, axis=1).reshape(-1)
            self.add(depth, (self.shown(node) * lead * reach[1 - leader]).sum())
        elif tree.kind[node] == REVEAL:
            leader = int(tree.leader[node])
            masses = self.class_masses(node, reach[1 - leader])
            below = (reach[0], masses) if leader == 0 else (masses, reach[1])
            self.descend(int(tree.child[tree.edges[node]]), below, depth)
        else:
            decides = tree.kind[node] == DECISION
            for edge in range(tree.edges[node], tree.edges[node + 1]):
                after = [self.moved(edge, side, reach[side]) for side in (0, 1)]
                if decides:
                    after[tree.player[node]] = after[tree.player[node]] * self.frequencies(edge)
                self.descend(int(tree.child[edge]), (after[0], after[1]), depth + int(decides))

    def add(self, depth: int, total: int) -> None:
        """Note what an end contributes."""
        self.found[depth] = self.found.get(depth, 0) + int(total)

    def best(self, side: int) -> Fraction:
        """Best-response value of a side against the other's stored strategy."""
        deepest = self.decisions_below(1 - side)
        ones = np.full(lanes(self.tree, 0, 1 - side), 1, object)
        total = sum(self.answer(0, ones, side, deepest).tolist())
        return Fraction(total, self.deals * self.payoff_unit * UNIT**deepest)

    def decisions_below(self, side: int) -> int:
        """Most decisions of a side on any path."""
        tree = self.tree
        below = np.zeros(len(tree.kind), np.int64)
        for node in range(len(tree.kind) - 1, -1, -1):
            children = tree.child[tree.edges[node] : tree.edges[node + 1]]
            decides = tree.kind[node] == DECISION and tree.player[node] == side
            below[node] = int(decides) + int(below[children].max(initial=0))
        return int(below[0])

    def answer(self, node: int, reach: Whole, side: int, left: int) -> Whole:
        """Values of a side's lanes against the other's reach, in units of 65536^-deepest; ``left`` as many to come."""
        tree, kind = self.tree, self.tree.kind[node]
        if kind in (LEAF, SHOW):
            ends: Whole = self.end_values(node, reach, side) * (UNIT**left if side == 0 else -(UNIT**left))
            return ends
        if kind == REVEAL:
            return self.answer_reveal(node, reach, side, left)
        own = kind == DECISION and tree.player[node] == side
        total = np.full(lanes(tree, node, side), NOTHING if own else 0, object)
        for edge in range(tree.edges[node], tree.edges[node + 1]):
            above = self.moved(edge, 1 - side, reach)
            if kind == DECISION and not own:
                below = self.answer(int(tree.child[edge]), above * self.frequencies(edge), side, left - 1)
            else:
                below = self.answer(int(tree.child[edge]), above, side, left)
            linked = tree.link[edge] >= 0
            parent = self.lane_map(edge, side) if linked else np.arange(len(total))
            if own:
                may = self.may_choose(node, edge, len(below))
                np.maximum.at(total, parent[may], below[may])
            else:
                np.add.at(total, parent, below)
        return total

    def may_choose(self, node: int, edge: int, size: int) -> NDArray[np.bool_]:
        """Lanes that may take an edge."""
        tree = self.tree
        if tree.mask[edge] < 0 or tree.kind[node] == CHANCE:
            return np.ones(size, np.bool_)
        states = int(tree.states[tree.space[node], tree.player[node]])
        return np.tile(tree.mask_value[tree.mask[edge] : tree.mask[edge] + states], size // states)

    def end_values(self, node: int, reach: Whole, side: int) -> Whole:
        """Elder's payoff times the other side's weighted reach, for every lane of ``side``."""
        tree, n = self.tree, len(self.tree.compare)
        if tree.kind[node] == SHOW:
            payoff = self.shown(node).reshape(-1, N_CLASSES, n)
            if side == tree.leader[node]:
                return np.asarray((payoff * reach.reshape(-1, N_CLASSES, n)).sum(axis=1)).reshape(-1)
            return (payoff * reach.reshape(-1, 1, n)).reshape(-1)
        block = self.board_weights(node)
        seen = block if side == 0 else block.transpose(0, 2, 1)
        sums = (seen * reach.reshape(len(block), 1, -1)).sum(axis=2)
        return np.asarray(sums * self.ended(node)).reshape(-1)

    def answer_reveal(self, node: int, reach: Whole, side: int, left: int) -> Whole:
        """The leader knows the follower by class; the follower's card decides his class against every lead."""
        tree, n = self.tree, len(self.tree.compare)
        child = int(tree.child[tree.edges[node]])
        if side == tree.leader[node]:
            return self.answer(child, self.class_masses(node, reach), side, left)
        below = self.answer(child, reach, side, left).reshape(-1, N_CLASSES, n)
        block = self.board_weights(node)
        if tree.leader[node] == 1:
            block = block.transpose(0, 2, 1)
        total = np.zeros((len(block), n), object)
        for lead in range(n):
            for card in range(n):
                total[:, card] += block[:, lead, card] * below[:, tree.compare[lead, card], lead]
        return total.reshape(-1)
