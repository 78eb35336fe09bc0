"""The judge: value of a strategy and both best responses, in float64, on the public tree.

It shares nothing with the solver but the tree: whole vectors in numpy, depth first, another order of work. A best
responder knows his own hand and what is public, never the other hand: at each of his information sets he takes the
action with the largest counterfactual value against the other side's strategy.

How to read the numbers: ``best_response`` are values, each in its own side's payoff; both add up to ``nash_conv``,
which is zero in equilibrium; exploitability is half of it (OpenSpiel's convention).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.tree.model import CHANCE, DECISION, LEAF, N_CLASSES, REVEAL, PublicTree, lanes
from solver.tree.reading import (
    Node,
    board_weights,
    classes,
    edges_of,
    gathered,
    lane_map,
    largest_payoff,
    lead_rows,
    legal,
    matrix_key,
    moved,
    node_at,
    payoffs,
)

Doubles = NDArray[np.float64]
#: strategy of a node: one float64 array of probabilities for each of its edges, lanes of the acting side in the child
Behaviour = Callable[[int], list[Doubles]]
Kept = dict[tuple[str, int, int], Doubles]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A judged strategy, in the unit of the tree's payoffs; ``value`` is the elder's."""

    value: float
    best_response: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """Sum of both best-response values; zero in equilibrium."""
        return self.best_response[0] + self.best_response[1]

    @property
    def exploitability(self) -> float:
        """Half of nash_conv."""
        return self.nash_conv / 2.0

    @property
    def gains(self) -> tuple[float, float]:
        """What each side would gain by a best response; never negative but for rounding."""
        return self.best_response[0] - self.value, self.best_response[1] + self.value


def evaluate(tree: PublicTree, worth: Doubles, behaviour: Behaviour) -> Evaluation:
    """Value of a profile and both best responses; FloatingPointError if a best response were worse than the profile.

    worth   float64 [outcomes]: what every end of the hand is worth to the elder
    """
    kept: Kept = {}
    passes = [Pass(tree, worth, behaviour, side, best, kept) for side, best in ((0, False), (0, True), (1, True))]
    with ThreadPoolExecutor(2) as pool:  # three independent walks; numpy lets go of the interpreter
        value, elder, dealer = (float(root.sum()) for root in pool.map(Pass.root, passes))
    judged = Evaluation(value, (elder, dealer))
    scale = max(1.0, largest_payoff(tree, worth))
    if not all(gain >= -1e-9 * scale for gain in judged.gains):  # a gain that is no number is refused too
        raise FloatingPointError(f"a best response is worth less than the strategy it answers: {judged}")
    return judged


@dataclass(slots=True)
class Pass:
    """One walk over the tree for one side: its values against the other side's strategy.

    worth  float64 [outcomes], to the elder
    best   the side answers best; False: it plays its own part of the profile
    kept   weights gathered so far, which walks over the same tree may share
    """

    tree: PublicTree
    worth: Doubles
    behaviour: Behaviour
    side: int
    best: bool
    kept: Kept = field(default_factory=dict)

    def root(self) -> Doubles:
        """Counterfactual value of every state of the side at the root, float64 [states]."""
        return self.walk(0, np.ones(lanes(self.tree, 0, 1 - self.side)))

    def walk(self, number: int, reach: Doubles) -> Doubles:
        """Counterfactual values [lanes of the side] given the other side's reach [lanes of the other]."""
        node = node_at(self.tree, number)
        if node.kind == DECISION:
            return self.own_decision(node, reach) if node.player == self.side else self.other_decision(node, reach)
        if node.kind == CHANCE:
            edge = edges_of(self.tree, number)[0]
            below = self.walk(edge.child, moved(self.tree, edge, 1 - self.side, reach))
            return gathered(self.tree, edge, self.side, below)
        if node.kind == REVEAL:
            return self.reveal(node, reach)
        return self.leaf(node, reach) if node.kind == LEAF else self.show(node, reach)

    def other_decision(self, node: Node, reach: Doubles) -> Doubles:
        """The other side decides: its reach splits, the values add up."""
        total = np.zeros(node.lanes(self.side))
        for edge, sigma in zip(edges_of(self.tree, node.number), self.behaviour(node.number), strict=True):
            below = self.walk(edge.child, moved(self.tree, edge, 1 - self.side, reach) * sigma)
            total += gathered(self.tree, edge, self.side, below)
        return total

    def own_decision(self, node: Node, reach: Doubles) -> Doubles:
        """The side decides: the largest value of each state, or the mean under its own strategy."""
        tree = self.tree
        total = np.full(node.lanes(self.side), -np.inf if self.best else 0.0)
        strategy = None if self.best else self.behaviour(node.number)
        for place, edge in enumerate(edges_of(tree, node.number)):
            below = self.walk(edge.child, moved(tree, edge, 1 - self.side, reach))
            if strategy is not None:
                total += gathered(tree, edge, self.side, below * strategy[place])
            elif edge.linked:
                np.maximum.at(total, lane_map(tree, edge, self.side), below)
            else:
                total = np.maximum(total, np.where(legal(tree, edge), below, -np.inf) if edge.masked else below)
        return total

    def board_weights(self, node: Node) -> Doubles:
        """Weights of every board of a node, float64 [boards, elder's states, dealer's states]."""
        key = "boards", *matrix_key(self.tree, node.number)
        if key not in self.kept:
            self.kept[key] = board_weights(self.tree, node.number)
        return self.kept[key]

    def leaf(self, node: Node, reach: Doubles) -> Doubles:
        """The hand is over: payoff times the weight of every state the other side may hold."""
        weights, payoff = self.board_weights(node), payoffs(self.tree, node.number, self.worth)[:, None]
        boards, n0, n1 = weights.shape
        if self.side == 0:
            return np.asarray((payoff * np.matmul(weights, reach.reshape(boards, n1, 1))[:, :, 0]).reshape(-1))
        return np.asarray((-payoff * np.matmul(reach.reshape(boards, 1, n0), weights)[:, 0, :]).reshape(-1))

    def reveal(self, node: Node, reach: Doubles) -> Doubles:
        """The last lead is shown: the follower is known by the class of his card against it."""
        weights, child = self.class_weights(node), edges_of(self.tree, node.number)[0].child
        boards, n = len(weights), weights.shape[2]
        if self.side == node.leader:
            return self.walk(child, np.matmul(weights, reach.reshape(boards, n, 1)).reshape(-1))
        below = self.walk(child, reach).reshape(boards, 1, N_CLASSES * n)
        return np.asarray(np.matmul(below, weights).reshape(-1))

    def class_weights(self, node: Node) -> Doubles:
        """Weights of every board by what the last two cards come to, float64 [boards, class and lead, follower's card].

        Each weight stands in the class of its two cards; the other classes hold 0 there.
        """
        key = "classes", *matrix_key(self.tree, node.number)
        if key not in self.kept:
            rows, outcome = lead_rows(self.tree, node.number), classes(self.tree)
            apart = (outcome == np.arange(N_CLASSES)[:, None, None]) * rows[:, None]
            self.kept[key] = apart.reshape(len(rows), -1, rows.shape[2])
        return self.kept[key]

    def show(self, node: Node, reach: Doubles) -> Doubles:
        """The last cards are shown: payoff of the class."""
        payoff = payoffs(self.tree, node.number, self.worth)
        signed, boards, n = payoff if self.side == 0 else -payoff, len(payoff), payoff.shape[2]
        if self.side == node.leader:
            return np.asarray((signed * reach.reshape(boards, N_CLASSES, n)).sum(axis=1).reshape(-1))
        return np.asarray((signed * reach.reshape(boards, 1, n)).reshape(-1))
