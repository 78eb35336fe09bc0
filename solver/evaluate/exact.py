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
from solver.tree.reading import (
    Node,
    classes,
    edges_of,
    lane_map,
    legal,
    matrices,
    moved,
    node_at,
    nodes_of_kind,
    payoffs,
    slots,
)

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


def exact_evaluation(
    tree: PublicTree, worth: NDArray[np.float64], stored: NDArray[np.uint32], deals: int
) -> ExactEvaluation:
    """Judge stored frequencies (1/65536, in slot order) without rounding.

    worth   float64 [outcomes], to the elder: taken as the fractions that these numbers are
    deals   number of ways to deal both hands: the weights are multiples of 1/deals. ValueError when they are not.
    """
    judge = ExactJudge(tree, worth, stored, deals)
    return ExactEvaluation(judge.value(), (judge.best(0), judge.best(1)))


class ExactJudge:
    """Integer vectors down and up the tree; a reach below d decisions counts in units of 65536^-d."""

    def __init__(
        self, tree: PublicTree, worth: NDArray[np.float64], stored: NDArray[np.uint32], deals: int
    ) -> None:
        self.tree, self.worth, self.stored, self.deals = tree, worth, stored, deals
        scaled = np.rint(tree.weights * deals)
        first = node_at(tree, 0).states
        if np.abs(tree.weights * deals - scaled).max() > 1e-3 or int(scaled[: first[0] * first[1]].sum()) != deals:
            raise ValueError(f"the weights of the tree are no multiples of 1/{deals}")
        self.weights: Whole = scaled.astype(np.int64).astype(object)
        self.sums: dict[int, int] = {}

    @cached_property
    def payoff_unit(self) -> int:
        """Common denominator of all payoffs."""
        ends = nodes_of_kind(self.tree, LEAF, SHOW)
        numbers = {number for end in ends for number in payoffs(self.tree, end.number, self.worth).ravel().tolist()}
        return lcm(*(Fraction(number).denominator for number in numbers))

    def ended(self, node: Node) -> Whole:
        """Elder's payoffs of an end of the hand in units of the common denominator, shaped as ``payoffs``."""
        payoff = payoffs(self.tree, node.number, self.worth)
        whole = {number: int(Fraction(number) * self.payoff_unit) for number in set(payoff.ravel().tolist())}
        return np.array([whole[number] for number in payoff.ravel().tolist()], object).reshape(payoff.shape)

    def board_weights(self, node: Node) -> Whole:
        """Ways to deal, [boards, elder's states, dealer's states]."""
        places, (n0, n1) = matrices(self.tree, node.number)
        block: Whole = self.weights[places[:, None] + np.arange(n0 * n1)]
        return block.reshape(len(places), n0, n1)

    def lead_rows(self, node: Node) -> Whole:
        """Ways to deal the last two cards at a REVEAL, [boards, lead, follower's card]."""
        block = self.board_weights(node)
        return block if node.leader == 0 else block.transpose(0, 2, 1)

    def class_masses(self, node: Node, follower: Whole) -> Whole:
        """Follower's weighted reach by class of his card against each lead, flat (board, class, lead)."""
        block, outcome = self.lead_rows(node), classes(self.tree)
        by_card = block * follower.reshape(-1, 1, len(outcome))
        masses = [np.where(outcome == c, by_card, 0).sum(axis=2) for c in range(N_CLASSES)]
        return np.stack(masses, axis=1).reshape(-1)

    def value(self) -> Fraction:
        """Value of the profile to the elder: reaches of both sides go down, the ends add up."""
        ones = [np.full(lanes(self.tree, 0, side), 1, object) for side in (0, 1)]
        self.sums = {}
        self.descend(0, (ones[0], ones[1]), 0)
        scale = self.deals * self.payoff_unit
        return sum((Fraction(total, scale * UNIT**depth) for depth, total in self.sums.items()), Fraction())

    def descend(self, number: int, reach: tuple[Whole, Whole], depth: int) -> None:
        """Add every end below a node to the sum of its depth."""
        tree, node = self.tree, node_at(self.tree, number)
        if node.kind == LEAF:
            block, ended = self.board_weights(node), self.ended(node)
            elder, dealer = reach[0].reshape(len(block), -1, 1), reach[1].reshape(len(block), 1, -1)
            self.add(depth, ((block * elder * dealer).sum(axis=(1, 2)) * ended).sum())
        elif node.kind == SHOW:
            ended = self.ended(node)
            lead = reach[node.leader].reshape(len(ended), 1, -1)
            self.add(depth, (ended * lead * reach[1 - node.leader].reshape(ended.shape)).sum())
        elif node.kind == REVEAL:
            masses = self.class_masses(node, reach[1 - node.leader])
            below = (reach[0], masses) if node.leader == 0 else (masses, reach[1])
            self.descend(edges_of(tree, number)[0].child, below, depth)
        else:
            for edge in edges_of(tree, number):
                after: list[Whole] = [moved(tree, edge, side, reach[side]) for side in (0, 1)]
                if node.kind == DECISION:
                    after[node.player] = after[node.player] * self.stored[slots(tree, edge)].astype(object)
                self.descend(edge.child, (after[0], after[1]), depth + (node.kind == DECISION))

    def add(self, depth: int, total: int) -> None:
        """Note what an end contributes."""
        self.sums[depth] = self.sums.get(depth, 0) + int(total)

    def best(self, side: int) -> Fraction:
        """Best-response value of a side against the other's stored strategy."""
        deepest = self.decisions_below(1 - side)
        ones = np.full(lanes(self.tree, 0, 1 - side), 1, object)
        total = sum(self.answer(0, ones, side, deepest).tolist())
        return Fraction(total, self.deals * self.payoff_unit * UNIT**deepest)

    def decisions_below(self, side: int) -> int:
        """Most decisions of a side on any path."""
        below = np.zeros(len(self.tree.kind), np.int64)
        for node in reversed(list(nodes_of_kind(self.tree, DECISION, CHANCE, REVEAL))):
            deepest = max(int(below[edge.child]) for edge in edges_of(self.tree, node.number))
            below[node.number] = deepest + node.decides(side)
        return int(below[0])

    def answer(self, number: int, reach: Whole, side: int, left: int) -> Whole:
        """Values of a side's lanes against the other's reach, in units of 65536^-deepest; ``left`` as many to come."""
        tree, node = self.tree, node_at(self.tree, number)
        if node.kind in (LEAF, SHOW):
            ends: Whole = self.end_values(node, reach, side) * (UNIT**left if side == 0 else -(UNIT**left))
            return ends
        if node.kind == REVEAL:
            return self.answer_reveal(node, reach, side, left)
        own = node.decides(side)
        total = np.full(node.lanes(side), NOTHING if own else 0, object)
        for edge in edges_of(tree, number):
            above: Whole = moved(tree, edge, 1 - side, reach)
            if node.kind == CHANCE:
                np.add.at(total, lane_map(tree, edge, side), self.answer(edge.child, above, side, left))
            elif own:
                below, may = self.answer(edge.child, above, side, left), legal(tree, edge)
                np.maximum.at(total, lane_map(tree, edge, side)[may], below[may])
            else:
                played = above * self.stored[slots(tree, edge)].astype(object)
                np.add.at(total, lane_map(tree, edge, side), self.answer(edge.child, played, side, left - 1))
        return total

    def end_values(self, node: Node, reach: Whole, side: int) -> Whole:
        """Elder's payoff times the other side's weighted reach, for every lane of ``side``."""
        ended = self.ended(node)
        if node.kind == SHOW:
            if side == node.leader:
                return np.asarray((ended * reach.reshape(ended.shape)).sum(axis=1)).reshape(-1)
            return np.asarray(ended * reach.reshape(len(ended), 1, -1)).reshape(-1)
        block = self.board_weights(node)
        seen = block if side == 0 else block.transpose(0, 2, 1)
        sums = (seen * reach.reshape(len(block), 1, -1)).sum(axis=2)
        return np.asarray(sums * ended[:, None]).reshape(-1)

    def answer_reveal(self, node: Node, reach: Whole, side: int, left: int) -> Whole:
        """The leader knows the follower by class; the follower's card decides his class against every lead."""
        outcome, child = classes(self.tree), edges_of(self.tree, node.number)[0].child
        if side == node.leader:
            return self.answer(child, self.class_masses(node, reach), side, left)
        below = self.answer(child, reach, side, left).reshape(-1, N_CLASSES, len(outcome))
        block = self.lead_rows(node)
        total = np.zeros((len(block), len(outcome)), object)
        for (lead, card), won in np.ndenumerate(outcome):
            total[:, card] += block[:, lead, card] * below[:, won, lead]
        return total.reshape(-1)
