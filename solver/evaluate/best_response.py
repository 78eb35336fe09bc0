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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.tree.model import CHANCE, DECISION, LEAF, N_CLASSES, REVEAL, PublicTree, lanes

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


def evaluate(tree: PublicTree, behaviour: Behaviour) -> Evaluation:
    """Value of a profile and both best responses; FloatingPointError if a best response were worse than the profile."""
    kept: Kept = {}
    passes = [Pass(tree, behaviour, side, best, kept) for side, best in ((0, False), (0, True), (1, True))]
    with ThreadPoolExecutor(2) as pool:  # three independent walks; numpy lets go of the interpreter
        value, elder, dealer = (float(root.sum()) for root in pool.map(Pass.root, passes))
    found = Evaluation(value, (elder, dealer))
    scale = max(1.0, float(np.abs(tree.payoff).max()))
    if not all(gain >= -1e-9 * scale for gain in found.gains):  # a gain that is no number is refused too
        raise FloatingPointError(f"a best response is worth less than the strategy it answers: {found}")
    return found


class Pass:
    """One walk over the tree for one side: its values against the other side's strategy.

    best   the side answers best; False: it plays its own part of the profile
    kept   weights gathered so far, which walks over the same tree may share
    """

    def __init__(
        self, tree: PublicTree, behaviour: Behaviour, side: int, best: bool, kept: Kept | None = None
    ) -> None:
        self.tree, self.behaviour, self.side, self.best = tree, behaviour, side, best
        self.kept: Kept = {} if kept is None else kept

    def root(self) -> Doubles:
        """Counterfactual value of every state of the side at the root, float64 [states]."""
        return self.walk(0, np.ones(lanes(self.tree, 0, 1 - self.side)))

    def walk(self, node: int, reach: Doubles) -> Doubles:
        """Counterfactual values [lanes of the side] given the other side's reach [lanes of the other]."""
        tree = self.tree
        if tree.kind[node] == DECISION:
            return (
                self.own_decision(node, reach)
                if tree.player[node] == self.side
                else self.other_decision(node, reach)
            )
        if tree.kind[node] == CHANCE:
            edge = int(tree.edges[node])
            below = self.walk(int(tree.child[edge]), reach[self.lane_map(edge, 1 - self.side)])
            return self.gather(node, edge, below)
        if tree.kind[node] == REVEAL:
            return self.reveal(node, reach)
        return self.leaf(node, reach) if tree.kind[node] == LEAF else self.show(node, reach)

    def lane_map(self, edge: int, side: int) -> NDArray[np.int32]:
        """Parent lane of every child lane of a side across a linked edge."""
        start = self.tree.link_lanes[self.tree.link[edge], side]
        return self.tree.lane_map[start : start + lanes(self.tree, int(self.tree.child[edge]), side)]

    def gather(self, node: int, edge: int, below: Doubles) -> Doubles:
        """Sum child lanes into the parent lanes they come from."""
        size = lanes(self.tree, node, self.side)
        return np.bincount(self.lane_map(edge, self.side), weights=below, minlength=size).astype(np.float64)

    def other_decision(self, node: int, reach: Doubles) -> Doubles:
        """The other side decides: its reach splits, the values add up."""
        tree, total = self.tree, np.zeros(lanes(self.tree, node, self.side))
        strategy = self.behaviour(node)
        for edge, sigma in zip(range(tree.edges[node], tree.edges[node + 1]), strategy, strict=True):
            linked = tree.link[edge] >= 0
            above = reach[self.lane_map(edge, 1 - self.side)] if linked else reach
            below = self.walk(int(tree.child[edge]), above * sigma)
            total += self.gather(node, edge, below) if linked else below
        return total

    def own_decision(self, node: int, reach: Doubles) -> Doubles:
        """The side decides: the largest value of each state, or the mean under its own strategy."""
        tree = self.tree
        total = np.full(lanes(tree, node, self.side), -np.inf if self.best else 0.0)
        strategy = None if self.best else self.behaviour(node)
        for place, edge in enumerate(range(tree.edges[node], tree.edges[node + 1])):
            linked = tree.link[edge] >= 0
            below = self.walk(
                int(tree.child[edge]), reach[self.lane_map(edge, 1 - self.side)] if linked else reach
            )
            if strategy is not None:
                below = below * strategy[place]
                total += self.gather(node, edge, below) if linked else below
            elif linked:
                np.maximum.at(total, self.lane_map(edge, self.side), below)
            else:
                total = np.maximum(total, self.allowed(node, edge, below))
        return total

    def allowed(self, node: int, edge: int, below: Doubles) -> Doubles:
        """Values of an action, minus infinity for the states that may not choose it."""
        tree = self.tree
        if tree.mask[edge] < 0:
            return below
        states = int(tree.states[tree.space[node], self.side])
        mask = tree.mask_value[tree.mask[edge] : tree.mask[edge] + states]
        return np.where(np.tile(mask, len(below) // states), below, -np.inf)

    def board_weights(self, node: int) -> Doubles:
        """Weights of every board of a node, float64 [boards, elder's states, dealer's states]."""
        key = "boards", int(self.tree.matrix[node]), int(self.tree.space[node])
        if key not in self.kept:
            self.kept[key] = self.gathered(node)
        return self.kept[key]

    def gathered(self, node: int) -> Doubles:
        """The same, not kept."""
        tree, space = self.tree, int(self.tree.space[node])
        n0, n1 = tree.states[space].tolist()
        places = tree.board_matrix[tree.matrix[node] : tree.matrix[node] + tree.boards[space]]
        return np.asarray(tree.weights[places[:, None] + np.arange(n0 * n1)].reshape(-1, n0, n1))

    def leaf(self, node: int, reach: Doubles) -> Doubles:
        """The hand is over: payoff times the weight of every state the other side may hold."""
        tree, weights = self.tree, self.board_weights(node)
        boards, n0, n1 = weights.shape
        sign = 1.0 if self.side == 0 else -1.0
        payoff: Doubles | float = float(tree.payoff[node, 0])
        if tree.table[node] >= 0:
            payoff = tree.table_value[tree.table[node] : tree.table[node] + boards, None]
        if self.side == 0:
            value = np.matmul(weights, reach.reshape(boards, n1, 1))[:, :, 0]
        else:
            value = np.matmul(reach.reshape(boards, 1, n0), weights)[:, 0, :]
        return np.asarray((sign * payoff * value).reshape(-1))

    def reveal(self, node: int, reach: Doubles) -> Doubles:
        """The last lead is shown: the follower is known by the class of his card against it."""
        tree, weights = self.tree, self.class_weights(node)
        boards, n = len(weights), len(tree.compare)
        child = int(tree.child[tree.edges[node]])
        if self.side == tree.leader[node]:
            return self.walk(child, np.matmul(weights, reach.reshape(boards, n, 1)).reshape(-1))
        below = self.walk(child, reach).reshape(boards, 1, N_CLASSES * n)
        return np.asarray(np.matmul(below, weights).reshape(-1))

    def class_weights(self, node: int) -> Doubles:
        """Weights of every board by what the last two cards come to, float64 [boards, class and lead, follower's card].

        Each weight stands in the class of its two cards; the other classes hold 0 there.
        """
        tree, n = self.tree, len(self.tree.compare)
        key = "classes", int(tree.matrix[node]), int(tree.space[node])
        if key not in self.kept:
            weights = self.gathered(node)
            lead_rows = weights if tree.leader[node] == 0 else weights.transpose(0, 2, 1)
            classes = (tree.compare == np.arange(N_CLASSES)[:, None, None]) * lead_rows[:, None]
            self.kept[key] = classes.reshape(len(weights), N_CLASSES * n, n)
        return self.kept[key]

    def show(self, node: int, reach: Doubles) -> Doubles:
        """The last cards are shown: payoff of the class."""
        tree, n = self.tree, len(self.tree.compare)
        boards = int(tree.boards[tree.space[node]])
        payoff = np.broadcast_to(tree.payoff[node][None, :, None], (boards, N_CLASSES, n))
        if tree.table[node] >= 0:
            payoff = payoff.copy()
            start = tree.table[node]
            payoff[:, 1] = payoff[:, 1] + tree.table_value[start : start + boards * n].reshape(boards, n)
        signed = payoff if self.side == 0 else -payoff
        if self.side == tree.leader[node]:
            return np.asarray((signed * reach.reshape(boards, N_CLASSES, n)).sum(axis=1).reshape(-1))
        return np.asarray((signed * reach.reshape(boards, 1, n)).reshape(-1))
