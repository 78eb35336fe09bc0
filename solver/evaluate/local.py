"""Local exploitability: what a best response gains from a point on, also where the strategies never come.

Exploitability cannot see a point that the strategies avoid; a player who has strayed there can. So both sides are
taken to tremble: each legal action has at least the frequency ``FLOOR``. Where the strategy takes it more rarely than
that, it is a **mistake**. Every point is then reached, and at each of the side to act

    gain = (value of a best response from there on - value of the strategy from there on) / chance of being there,

in its own payoff. "From there on" leaves the past alone: what both may hold is distributed as the trembling strategies
bring it there. Below the point trembles weigh no more than ``FLOOR``, which changes a gain by about that part of the
gains behind them; so one walk for each side gives all gains at once. As everywhere in the judge, a best responder
knows his own hand and what is public.

* A **public state** is a node, the cards laid and, once it is shown, the last lead; its gain is the mean over the
  hands with a choice that the trembling strategies bring there. A side's gain where the other acts is a mean of its
  gains after the answers, so nothing larger is found there.
* A **decision point** is that and one's own hand, however rarely this hand comes there, if it has a choice.

``mean`` is over the decision points that at most two mistakes, of both sides together, lead to. A point belongs to
the number of mistakes that accounts for most of its trembling reach, and weighs as often as so many mistakes lead to it
when each of them is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from solver.evaluate.best_response import Behaviour, Doubles, Pass
from solver.tree.model import CHANCE, DECISION, LEAF, N_CLASSES, REVEAL, PublicTree, lanes
from solver.tree.reading import Edge, Node, edge_at, edges_of, gathered, lane_map, legal, node_at

#: least frequency of an action of trembling strategies; about the smallest that is stored
FLOOR = 1e-5
MOST_MISTAKES = 2
#: rows of a reach: with trembles, and its parts with 0, 1, … mistakes
ROWS = MOST_MISTAKES + 2

#: a public state: node, board, last lead or -1
State = tuple[int, int, int]


@dataclass(slots=True)
class Gains:
    """Gains of points by the number of mistakes that leads there: 0, 1, 2, more.

    weight, total   float64 [3]: of the decision points, and the same times their gain
    largest         float64 [4]: of the public states; where: which these are
    """

    weight: Doubles = field(default_factory=lambda: np.zeros(MOST_MISTAKES + 1))
    total: Doubles = field(default_factory=lambda: np.zeros(MOST_MISTAKES + 1))
    largest: Doubles = field(default_factory=lambda: np.zeros(MOST_MISTAKES + 2))
    where: list[State] = field(default_factory=lambda: [(0, 0, -1)] * (MOST_MISTAKES + 2))


@dataclass(frozen=True, slots=True)
class LocalExploitability:
    """Gains in the unit of the tree's payoffs.

    largest      of all public states; where: which it is
    mean         of the decision points that at most two mistakes lead to
    by_mistakes  (mean of decision points, largest of public states) that 0, 1, 2 mistakes lead to
    """

    largest: float
    mean: float
    by_mistakes: tuple[tuple[float, float], ...]
    where: State


def local_exploitability(tree: PublicTree, worth: Doubles, behaviour: Behaviour) -> LocalExploitability:
    """Judge a profile from every point on.

    worth   float64 [outcomes]: what every end of the hand is worth to the elder
    """
    kept: dict[tuple[str, int, int], Doubles] = {}
    passes = [LocalPass(tree, worth, behaviour, side, True, kept) for side in (0, 1)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(LocalPass.run, passes))
    return summed([walked.gains for walked in passes])


def gains_at(
    tree: PublicTree, worth: Doubles, behaviour: Behaviour, path: Sequence[int], side: int
) -> tuple[Doubles, Doubles]:
    """Gains of one side from one node on: the way there is walked, and what is below it, nothing else.

    path   numbers of the edges from the root to the node
    Returns the gain of each hand, float64 [lanes of the side], and that of every public state, float64 [boards] or,
    once the last lead is shown, [boards · ranks], board by board.
    """
    return LocalPass(tree, worth, behaviour, side, True).at(path)


def summed(gains: list[Gains]) -> LocalExploitability:
    """Both sides together."""
    weight, total = np.sum([side.weight for side in gains], axis=0), np.sum([side.total for side in gains], axis=0)
    largest, where = max(
        (float(most), place) for side in gains for most, place in zip(side.largest, side.where, strict=True)
    )
    most = np.maximum(*(side.largest for side in gains))[: MOST_MISTAKES + 1]
    means = shared(total, weight)
    mean = float(total.sum() / weight.sum()) if weight.any() else 0.0
    return LocalExploitability(largest, mean, tuple(zip(means.tolist(), most.tolist(), strict=True)), where)


def difference(best: Doubles, played: Doubles) -> Doubles:
    """How much better, 0 for lanes that can do nothing; below 0 is rounding."""
    return np.maximum(np.subtract(best, played, out=np.zeros_like(best), where=np.isfinite(best)), 0.0)


def shared(part: Doubles, whole: Doubles) -> Doubles:
    """A quotient, 0 where the whole is."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


@dataclass(slots=True)
class LocalPass(Pass):
    """One walk for one side: best response and profile side by side, against the trembling other side.

    A reach is float64 [rows, lanes]: first with trembles of ``FLOOR``; to look at every point also the parts of it with
    exactly 0, 1, 2 mistakes, each of which counts as certain.
    """

    gains: Gains = field(default_factory=Gains)

    def run(self) -> None:
        """Visit every decision of the side."""
        own, other = (np.zeros((ROWS, lanes(self.tree, 0, who))) for who in (self.side, 1 - self.side))
        own[:2] = other[:2] = 1.0
        self.descend(0, own, other)

    def at(self, path: Sequence[int]) -> tuple[Doubles, Doubles]:
        """Gains from the end of a way of edges on, see ``gains_at``."""
        node, reach = node_at(self.tree, 0), [np.ones((1, lanes(self.tree, 0, who))) for who in (0, 1)]
        for number in path:
            edge = edge_at(self.tree, number)
            if node.kind == REVEAL:
                reach[1 - node.leader] = self.by_class(node, reach[1 - node.leader])
            else:
                sigma = self.behaviour(node.number)[number - node.edges[0]] if node.kind == DECISION else None
                reach[self.side], reach[1 - self.side] = self.onward(
                    edge, reach[self.side], reach[1 - self.side], sigma
                )
            node = node_at(self.tree, edge.child)
        own, other = reach[self.side], reach[1 - self.side]
        gain, mass = difference(*self.descend(node.number, own, other)), self.mass(node, other)[0]
        part, whole = self.by_state(node, np.stack([own[0] * gain, own[0] * mass]))
        return shared(gain, mass), shared(part, whole)

    def descend(self, number: int, own: Doubles, other: Doubles) -> tuple[Doubles, Doubles]:
        """Counterfactual values [lanes of the side], of the best response from here on and of the profile."""
        node = node_at(self.tree, number)
        if node.kind == DECISION:
            return self.decide(node, own, other)
        if node.kind == REVEAL:
            return self.descend_reveal(node, own, other)
        if node.kind == CHANCE:
            edge = edges_of(self.tree, number)[0]
            best, played = self.descend(edge.child, *self.onward(edge, own, other, None))
            return gathered(self.tree, edge, self.side, best), gathered(self.tree, edge, self.side, played)
        ends = self.leaf(node, other[0]) if node.kind == LEAF else self.show(node, other[0])
        return ends, ends

    def decide(self, node: Node, own: Doubles, other: Doubles) -> tuple[Doubles, Doubles]:
        """A decision of either side; those of the own side are points to look at."""
        tree, acts = self.tree, node.player == self.side
        best, played = np.full(node.lanes(self.side), -np.inf if acts else 0.0), np.zeros(node.lanes(self.side))
        for edge, sigma in zip(edges_of(tree, node.number), self.behaviour(node.number), strict=True):
            better, mean = self.descend(edge.child, *self.onward(edge, own, other, sigma))
            played += gathered(tree, edge, self.side, mean * sigma if acts else mean)
            if not acts:
                best += gathered(tree, edge, self.side, better)
            elif edge.linked:
                np.maximum.at(best, lane_map(tree, edge, self.side), better)
            else:
                np.maximum(best, np.where(legal(tree, edge), better, -np.inf) if edge.masked else better, out=best)
        if acts and len(own) > 1:
            own = own * (self.actions(node) > 1)
            self.visit(node, difference(best, played), own, self.mass(node, other))
        return best, played

    def actions(self, node: Node) -> Doubles:
        """How many actions each lane of the side has."""
        parts = [
            gathered(self.tree, edge, self.side, legal(self.tree, edge).astype(np.float64))
            for edge in edges_of(self.tree, node.number)
        ]
        return np.asarray(np.sum(parts, axis=0))

    def onward(self, edge: Edge, own: Doubles, other: Doubles, sigma: Doubles | None) -> tuple[Doubles, Doubles]:
        """Reach of both sides below an edge; sigma: the strategy there of who acts, None: nobody does."""
        below = [
            reach[:, lane_map(self.tree, edge, who)] if edge.linked else reach
            for who, reach in ((self.side, own), (1 - self.side, other))
        ]
        if sigma is not None:
            acting = 0 if self.tree.player[edge.source] == self.side else 1
            below[acting] = self.trembled(edge, below[acting], sigma)
        return below[0], below[1]

    def trembled(self, edge: Edge, above: Doubles, sigma: Doubles) -> Doubles:
        """Reach of who takes an edge."""
        least = FLOOR * legal(self.tree, edge)
        rare = sigma < least
        below = above * np.where(rare, 0.0, sigma)
        below[0] = above[0] * np.maximum(sigma, least)
        below[2:] += above[1:-1] * rare
        return np.asarray(below)

    def descend_reveal(self, node: Node, own: Doubles, other: Doubles) -> tuple[Doubles, Doubles]:
        """The last lead is shown: the follower is known by the class of his card against it."""
        child = edges_of(self.tree, node.number)[0].child
        if self.side == node.leader:
            return self.descend(child, own, self.by_class(node, other))
        values = np.stack(self.descend(child, self.by_class(node, own), other))
        turned = np.matmul(values.reshape(2, node.boards, 1, -1), self.class_weights(node)).reshape(2, -1)
        return turned[0], turned[1]

    def by_class(self, node: Node, follower: Doubles) -> Doubles:
        """The follower's reach below a REVEAL."""
        cards = follower.reshape(len(follower), node.boards, -1).transpose(1, 2, 0)
        masses = np.matmul(self.class_weights(node), cards)
        return np.asarray(masses.transpose(2, 0, 1).reshape(len(follower), -1))

    def mass(self, node: Node, other: Doubles) -> Doubles:
        """Chance that the other side is here, for each lane of this one, in the rows of a reach."""
        rows, n = len(other), len(self.tree.compare)
        if node.leader < 0:
            weights = self.board_weights(node)
            seen = weights if self.side == 0 else weights.transpose(0, 2, 1)
            states = other.reshape(rows, node.boards, -1).transpose(1, 2, 0)
            return np.asarray(np.matmul(seen, states).transpose(2, 0, 1).reshape(rows, -1))
        if self.side == node.leader:
            return np.asarray(other.reshape(rows, -1, N_CLASSES, n).sum(axis=2).reshape(rows, -1))
        return np.repeat(other.reshape(rows, -1, 1, n), N_CLASSES, axis=2).reshape(rows, -1)

    def visit(self, node: Node, gain: Doubles, own: Doubles, mass: Doubles) -> None:
        """Add the points of a node.

        gain   [lanes] counterfactual; own: reach of hands that have a choice; mass: chance that the other side is there
        """
        ways = np.stack([(own[1 : m + 2] * mass[m + 1 : 0 : -1]).sum(axis=0) for m in range(MOST_MISTAKES + 1)])
        usual = (ways * FLOOR ** np.arange(MOST_MISTAKES + 1.0)[:, None]).argmax(axis=0)
        ways *= usual == np.arange(MOST_MISTAKES + 1)[:, None]
        self.gains.weight += ways.sum(axis=1)
        self.gains.total += ways @ shared(gain, mass[0])
        together = self.by_state(node, np.stack([own[0] * gain, own[0] * mass[0], *ways]))
        public = shared(together[0], together[1])
        by_ways = together[2:] * FLOOR ** np.arange(MOST_MISTAKES + 1.0)[:, None]
        mistakes = np.where(by_ways.any(axis=0), by_ways.argmax(axis=0), MOST_MISTAKES + 1)
        for m in range(MOST_MISTAKES + 2):
            here = np.where(mistakes == m, public, 0.0)
            place = int(here.argmax())
            if here[place] > self.gains.largest[m]:
                shown = len(self.tree.compare) if node.leader >= 0 else 1
                self.gains.largest[m] = here[place]
                self.gains.where[m] = node.number, place // shown, place % shown if node.leader >= 0 else -1

    def by_state(self, node: Node, rows: Doubles) -> Doubles:
        """Sums over the lanes of each public state: a board, or a board and lead once that is shown."""
        if node.leader < 0:
            return np.asarray(rows.reshape(len(rows), node.boards, -1).sum(axis=2))
        if self.side == node.leader:
            return rows
        return np.asarray(rows.reshape(len(rows), node.boards, N_CLASSES, -1).sum(axis=2).reshape(len(rows), -1))
