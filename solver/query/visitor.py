"""The one walk that reads a strategy: every decision of a side, or that at one point, with the value of actions.

It goes the judge's way, whole vectors, depth first, but carries the reach of both sides down. A side's own reach runs
over *cells*: lanes of the tree, and below the reveal of the last lead a follower's board, lead and card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from solver.evaluate.best_response import Pass
from solver.query.cells import cell_lanes, follows, rows_at
from solver.query.decisions import Bet, Decision, Doubles, Rows, Way
from solver.query.stakes import Stakes
from solver.rules.words import BETS
from solver.strategy.solution import Solution
from solver.tree.history import Point, seat_at
from solver.tree.model import DECISION, LEAF, N_CLASSES, REVEAL
from solver.tree.reading import (
    Edge,
    Node,
    edge_at,
    edge_with,
    edges_of,
    gathered,
    heard,
    lane_map,
    lead_rows,
    legal,
    moved,
    node_at,
)

Sink = Callable[[Decision], None]


@dataclass(frozen=True, slots=True)
class Answers:
    """What the other side does with a bet, by the bettor's lane: masses, and counterfactual value if not folded."""

    folds: Doubles
    calls: Doubles
    value: Doubles


@dataclass(slots=True)
class Place:
    """A decision of the side before anything below it is known: the node, and the way to it."""

    node: Node
    path: tuple[int, ...]
    way: Way


#: frequencies at a place, an array an edge over the cells of the edge's child
Play = Callable[[Place], list[Doubles]]


@dataclass(slots=True)
class Visitor:
    """One walk for one side.

    sink   gets every decision
    best   values of actions go on with the side's best play; False: with what the strategy does
    play   what the side does at a place, by default the strategy; then nothing is valued or handed over
    goal   the node whose decision alone is handed over, None: all are
    """

    solution: Solution
    side: int
    sink: Sink
    best: bool = True
    play: Play | None = None
    goal: int | None = None
    answered: dict[int, Answers | None] = field(default_factory=dict)
    judge: Pass = field(init=False)

    def __post_init__(self) -> None:
        game = self.solution.game
        self.judge = Pass(game.tree, game.worth, self.solution.behaviour, self.side, self.best)

    def everything(self) -> None:
        """Hand over every decision of the side."""
        self.visit(0, (), self.start())

    def at(self, point: Point) -> None:
        """Hand over the decision at one point, which must be the side's."""
        tree, way, node = self.solution.game.tree, self.start(), node_at(self.solution.game.tree, 0)
        path: tuple[int, ...] = ()
        for number, _, _ in point.path:
            edge = edge_at(tree, number)
            if node.kind == REVEAL:
                way = self.below_reveal(node, way)
            else:
                sigma = self.solution.behaviour(node.number)[number - node.edges[0]]
                way = self.below(node, edge, way, self.over_cells(node, sigma))
            node, path = node_at(tree, edge.child), (*path, number)
        if node.kind == DECISION:
            self.own_decision(node, path, way)
        else:
            self.last_card(node, path, way)

    def start(self) -> Way:
        """The way to the root."""
        root = node_at(self.solution.game.tree, 0)
        return Way(np.ones(root.lanes(self.side)), np.ones(root.lanes(1 - self.side)))

    def last_card(self, node: Node, path: tuple[int, ...], way: Way) -> None:
        """Hand over the last card of the side, which follows by itself: the only action of each hand."""
        rows, ranks = self.rows(Place(node, path, way)), self.solution.game.rules.ranks
        value = self.visit(node.number, path, way)[rows.lane]
        lays = rows.held == np.arange(len(ranks))[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            ev = np.where(lays & (rows.scale > 0), value / rows.scale, np.nan)
        frequency = np.where(lays, 1.0, np.nan)
        trick = len(self.solution.game.spaces[node.space].tricks) + 1
        self.sink(Decision(node, self.side, trick, path, way, rows, list(ranks), frequency, ev, {}))

    def visit(self, number: int, path: tuple[int, ...], way: Way) -> Doubles:
        """Counterfactual values of the side's lanes; decisions below are handed over."""
        node = node_at(self.solution.game.tree, number)
        if node.kind == DECISION:
            return self.own_decision(node, path, way) if node.player == self.side else self.answer(node, path, way)
        if node.kind == REVEAL:
            below = self.visit(number + 1, (*path, node.edges[0]), self.below_reveal(node, way))
            if self.side == node.leader:
                return below
            weights = self.judge.class_weights(node)
            return np.asarray(np.matmul(below.reshape(len(weights), 1, -1), weights).reshape(-1))
        if self.play:
            return np.zeros(node.lanes(self.side))
        return self.judge.leaf(node, way.other) if node.kind == LEAF else self.judge.show(node, way.other)

    def below_reveal(self, node: Node, way: Way) -> Way:
        """Below a REVEAL: a follower's own cells are board, lead and card; the other follower is known by class."""
        rows = lead_rows(self.solution.game.tree, node.number)
        if self.side == node.leader:
            other = np.matmul(self.judge.class_weights(node), way.other.reshape(len(rows), -1, 1)).reshape(-1)
            return Way(way.own, other, way.honest, rows, (way.other, other))
        own = np.broadcast_to(way.own.reshape(len(rows), 1, -1), rows.shape).reshape(-1)
        return Way(own, way.other, way.honest, rows)

    def below(self, node: Node, edge: Edge, way: Way, sigma: Doubles) -> Way:
        """Below an edge that is taken with frequencies ``sigma``, [cells or lanes of the edge's child]."""
        tree, player = self.solution.game.tree, node.player
        own, other = moved(tree, edge, self.side, way.own), moved(tree, edge, 1 - self.side, way.other)
        own, other = (own * sigma, other) if player == self.side else (own, other * sigma)
        return replace(way, own=own, other=other, honest=heard(tree, edge, way.honest))

    def over_cells(self, node: Node, sigma: Doubles) -> Doubles:
        """Frequencies of an edge over the cells of the acting side in its child."""
        own = node.player == self.side and follows(node, self.side)
        return sigma[cell_lanes(self.solution.game, node)] if own else sigma

    def answer(self, node: Node, path: tuple[int, ...], way: Way) -> Doubles:
        """The other side decides: values add up; what it does with a bet is kept."""
        tree, total = self.solution.game.tree, np.zeros(node.lanes(self.side))
        folds, value, asked = np.zeros(0), np.zeros(len(total)), node.number in self.answered
        for edge, sigma in zip(edges_of(tree, node.number), self.solution.behaviour(node.number), strict=True):
            beneath = self.below(node, edge, way, sigma)
            below = self.visit(edge.child, (*path, edge.number), beneath)
            total += gathered(tree, edge, self.side, below)
            if asked and edge.word == "fold":
                folds = self.mass(node, beneath.other)
            elif asked:
                value = value + below
        if asked:
            self.answered[node.number] = Answers(folds, np.maximum(self.mass(node, way.other) - folds, 0.0), value)
        return total

    def mass(self, node: Node, other: Doubles) -> Doubles:
        """Reach of the other side against every lane of the side, up to a factor of the lane."""
        if node.leader < 0 or node.kind == REVEAL:
            return np.asarray(np.matmul(self.own_weights(node), other.reshape(node.boards, -1, 1))).reshape(-1)
        if node.leader == self.side:
            return np.asarray(other.reshape(node.boards, N_CLASSES, -1).sum(axis=1)).reshape(-1)
        return np.repeat(other.reshape(node.boards, 1, -1), N_CLASSES, axis=1).reshape(-1)

    def own_weights(self, node: Node) -> Doubles:
        """Weights of every board, [boards, own states, the other's states]."""
        weights = self.judge.board_weights(node)
        return weights if self.side == 0 else weights.transpose(0, 2, 1)

    def own_decision(self, node: Node, path: tuple[int, ...], way: Way) -> Doubles:
        """The side decides: hand over its actions, return the value of its play."""
        tree, place, wanted = self.solution.game.tree, Place(node, path, way), self.goal in (None, node.number)
        edges, bets = edges_of(tree, node.number), dict[str, tuple[Edge, Answers]]()
        mixes = self.play(place) if self.play else self.solution.behaviour(node.number)
        values = []
        for edge, sigma in zip(edges, mixes, strict=True):
            if wanted and edge.word in BETS and edge_with(tree, edge.child, "fold"):  # none at the fortial
                self.answered[edge.child] = None
            cells = sigma if self.play else self.over_cells(node, sigma)
            values.append(self.visit(edge.child, (*path, edge.number), self.below(node, edge, way, cells)))
            answers = self.answered.pop(edge.child, None)
            if answers is not None:
                bets[edge.word] = edge, answers
        if wanted and self.play is None:
            self.hand_over(place, edges, (mixes, values), bets)
        return np.zeros(node.lanes(self.side)) if self.play else self.value_here(node, edges, mixes, values)

    def value_here(self, node: Node, edges: list[Edge], mixes: list[Doubles], values: list[Doubles]) -> Doubles:
        """Value of a node of the side: of its best action, or of its mix."""
        tree = self.solution.game.tree
        if not self.best:
            return np.asarray(
                sum(
                    gathered(tree, edge, self.side, value * sigma)
                    for edge, sigma, value in zip(edges, mixes, values, strict=True)
                )
            )
        total = np.full(node.lanes(self.side), -np.inf)
        for edge, value in zip(edges, values, strict=True):
            allowed = np.where(legal(tree, edge), value, -np.inf) if edge.masked else value
            if edge.linked:
                np.maximum.at(total, lane_map(tree, edge, self.side), allowed)
            else:
                total = np.maximum(total, allowed)
        return total

    def rows(self, place: Place) -> Rows:
        """The hands that the side may have at a place."""
        node = place.node
        weights = self.own_weights(node) if place.way.cards is None else np.zeros(0)
        return rows_at(self.solution.game, node, self.side, place.way, (weights, self.mass(node, place.way.other)))

    def hand_over(
        self, place: Place, edges: list[Edge], below: tuple[list[Doubles], list[Doubles]],
        bets: dict[str, tuple[Edge, Answers]],
    ) -> None:  # fmt: skip
        """Make the decision of a place and give it to the sink; ``below``: frequencies and values of the edges."""
        rows, node = self.rows(place), place.node
        names, table = self.table(node, edges, below)
        frequency, value = table[:, :, rows.lane]
        with np.errstate(invalid="ignore", divide="ignore"):
            ev = np.where(rows.scale > 0, value / rows.scale, np.nan)
        answers = {word: self.bet(node, edge, answer, rows) for word, (edge, answer) in bets.items()}
        trick = len(self.solution.game.spaces[node.space].tricks) + 1
        self.sink(Decision(node, self.side, trick, place.path, place.way, rows, names, frequency, ev, answers))

    def table(
        self, node: Node, edges: list[Edge], below: tuple[list[Doubles], list[Doubles]]
    ) -> tuple[list[str], Doubles]:
        """Names of the actions, and float64 [2, actions, lanes]: frequency and value, NaN where there is no such."""
        game, size = self.solution.game, node.lanes(self.side)
        words, said = list[str](), list[Doubles]()
        cards = np.full((2, len(game.rules.ranks), size), np.nan)
        for edge, sigma, value in zip(edges, *below, strict=True):
            if edge.word:
                words.append(edge.word)
                said.append(np.where(legal(game.tree, edge), [sigma, value], np.nan))
            else:
                source = lane_map(game.tree, edge, self.side)
                card = game.spaces[node_at(game.tree, edge.child).space].card
                cards[:, np.repeat(card, len(source) // len(card)), source] = sigma, value
        some = np.flatnonzero(~np.isnan(cards[0]).all(axis=1)).tolist()
        spoken = np.array(said).reshape(len(words), 2, size).swapaxes(0, 1)
        return [*words, *(game.rules.ranks[k] for k in some)], np.concatenate([spoken, cards[:, some]], axis=1)

    def bet(self, node: Node, edge: Edge, answers: Answers, rows: Rows) -> Bet:
        """What comes of a bet, a row a hand."""
        folds, calls, value = answers.folds[rows.lane], answers.calls[rows.lane], answers.value[rows.lane]
        called = calls > 1e-12 * (folds + calls)
        with np.errstate(invalid="ignore", divide="ignore"):
            folded = np.where(folds + calls > 0, folds / (folds + calls), np.nan)
            worth = np.where(called, value / calls, np.nan)
        stakes = Stakes(self.solution.game, self.side)
        return Bet(folded, worth, stakes.after_fold(edge.child), stakes.most_folds(node.number, edge.child))


def every_decision(solution: Solution, sink: Sink) -> None:
    """Hand over all decisions, the elder's first."""
    for side in (0, 1):
        Visitor(solution, side, sink).everything()


def decision_at(solution: Solution, point: Point, best: bool = True) -> Decision:
    """The decision at a point, with the rows of every board that the same words lead to; ``best``: see ``Visitor``."""
    got: list[Decision] = []
    side = seat_at(solution.game, point)
    Visitor(solution, side, got.append, best, goal=point.node).at(point)
    return got[0]
