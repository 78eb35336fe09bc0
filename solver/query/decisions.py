"""Every decision of a side with the values of its actions: one walk of the judge, whole vectors.

Rows of a decision are (what was laid, own hand). Below the reveal of the last lead the tree knows a follower by the
class of his card; here he has his card again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import HAND_SIZE, merge
from solver.evaluate.best_response import Pass
from solver.query.stakes import Stakes
from solver.strategy.solution import Solution
from solver.tree.machine import WORD, WORDS
from solver.tree.model import CHANCE, N_CLASSES, REVEAL, lanes

Doubles = NDArray[np.float64]
Longs = NDArray[np.int64]
CARD = "*"  # any card, in what was said
BETS = ("raise", "rest", "trut", "brelan", "tierce", "pair")


@dataclass(frozen=True, slots=True)
class Bet:
    """What comes of a bet.

    folded      float64 [rows]: how often the answer is a fold, NaN where the other side never comes here
    called      float64 [rows]: the bettor's value when it is not, NaN where that never happens
    fold_value  the bettor's payoff after a fold
    most_folds  share of folds that pays for a bet with a lost hand: risk / (risk + gain)
    """

    folded: Doubles
    called: Doubles
    fold_value: float
    most_folds: float


@dataclass(frozen=True, slots=True)
class Rows:
    """Who holds what where, arrays [rows].

    lane   of the acting side at the node; hand: number of the whole hand; board, lead: what was laid
    scale  factor of counterfactual values; reach: hand held and point reached; dealt: whatever is said
    """

    lane: Longs
    hand: Longs
    board: Longs
    lead: Longs
    scale: Doubles
    reach: Doubles
    dealt: Doubles

    def only(self, keep: Longs) -> Rows:
        """Some of the rows."""
        numbers = self.lane[keep], self.hand[keep], self.board[keep], self.lead[keep]
        return Rows(*numbers, self.scale[keep], self.reach[keep], self.dealt[keep])


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a side.

    path       edges walked from the root
    actions    words and card labels; frequency, ev float64 [actions, rows], NaN where a hand has no such action;
               ev also where the other side never comes here
    """

    node: int
    seat: int
    trick: int
    path: tuple[int, ...]
    rows: Rows
    actions: list[str]
    frequency: Doubles
    ev: Doubles
    bets: dict[str, Bet]


Sink = Callable[[Decision], None]


@dataclass(frozen=True, slots=True)
class Answers:
    """What the other side does with a bet, by the bettor's lane: masses, and counterfactual value if not folded."""

    folds: Doubles
    calls: Doubles
    value: Doubles


class DecisionWalk(Pass):
    """Hands over every decision of one side; ``passed`` counts those after new cards, which are left out."""

    def __init__(self, solution: Solution, side: int, sink: Sink) -> None:
        super().__init__(solution.game.tree, solution.behaviour, side, best=False)
        self.solution, self.sink = solution, sink
        self.own: list[Doubles] = [np.ones(lanes(self.tree, 0, side))]
        self.path: list[int] = []
        self.before_reveal: Doubles = np.zeros(0)
        self.shown_weights: Doubles = np.zeros(0)
        self.answered: dict[int, Answers | None] = {}
        self.stakes = Stakes(solution.game.tree, side)
        self.passed = 0

    def descend(self, edge: int, own: Doubles, reach: Doubles) -> Doubles:
        """Values below an edge, with the side's own reach there."""
        self.own.append(own)
        self.path.append(edge)
        below = self.walk(int(self.tree.child[edge]), reach)
        self.own.pop()
        self.path.pop()
        return below

    def walk(self, node: int, reach: Doubles) -> Doubles:
        """As the judge walks; a CHANCE or REVEAL carries the side's own reach along."""
        tree, kind = self.tree, self.tree.kind[node]
        if kind not in (CHANCE, REVEAL):
            return super().walk(node, reach)
        edge = int(tree.edges[node])
        own = self.own[-1]
        if kind == CHANCE:
            own = own[self.lane_map(edge, self.side)]
        elif self.side != tree.leader[node]:
            self.before_reveal, own = own, np.ones(lanes(tree, int(tree.child[edge]), self.side))
        if kind == REVEAL:
            self.shown_weights = self.board_weights(node)
        self.own.append(own)
        self.path.append(edge)
        value = super().walk(node, reach)
        self.own.pop()
        self.path.pop()
        return value

    def other_decision(self, node: int, reach: Doubles) -> Doubles:
        """The other side decides: own reach only moves along; what it does with a bet is kept."""
        tree, total = self.tree, np.zeros(lanes(self.tree, node, self.side))
        folds, value = np.zeros(0), np.zeros(len(total))
        for edge, sigma in zip(range(tree.edges[node], tree.edges[node + 1]), self.behaviour(node), strict=True):
            linked = tree.link[edge] >= 0
            above = (reach[self.lane_map(edge, 1 - self.side)] if linked else reach) * sigma
            own = self.own[-1][self.lane_map(edge, self.side)] if linked else self.own[-1]
            below = self.descend(edge, own, above)
            total += self.gather(node, edge, below) if linked else below
            if node in self.answered:
                if tree.word[edge] == WORD["fold"]:
                    folds = self.seen(node, above)
                else:
                    value = value + below
        if node in self.answered:
            self.answered[node] = Answers(folds, np.maximum(self.seen(node, reach) - folds, 0.0), value)
        return total

    def seen(self, node: int, reach: Doubles) -> Doubles:
        """Mass of the other side against every lane of the side, up to a factor of the lane."""
        boards, leader = int(self.tree.boards[self.tree.space[node]]), self.tree.leader[node]
        if leader < 0 or self.tree.kind[node] == REVEAL:
            found = np.matmul(self.own_weights(node), reach.reshape(boards, -1, 1))
        elif leader == self.side:
            found = reach.reshape(boards, N_CLASSES, -1).sum(axis=1)
        else:
            found = np.repeat(reach.reshape(boards, 1, -1), N_CLASSES, axis=1)
        return np.asarray(found.reshape(-1))

    def own_weights(self, node: int) -> Doubles:
        """Weights of every board, [boards, own states, the other's states]."""
        weights = self.board_weights(node)
        return weights if self.side == 0 else weights.transpose(0, 2, 1)

    def own_decision(self, node: int, reach: Doubles) -> Doubles:
        """The side decides: hand over its actions, return the value of its mix."""
        tree, ranks = self.tree, self.solution.game.rules.ranks
        size = lanes(tree, node, self.side)
        total = np.zeros(size)
        words: dict[str, tuple[Doubles, Doubles]] = {}
        cards = np.full((2, len(ranks), size), np.nan)
        bets: dict[str, tuple[int, Answers]] = {}
        for edge, sigma in zip(range(tree.edges[node], tree.edges[node + 1]), self.behaviour(node), strict=True):
            child, word = int(tree.child[edge]), WORDS[tree.word[edge]] if tree.word[edge] >= 0 else CARD
            if word in BETS and self.stakes.edge_of(child, "fold") >= 0:  # a trut at the fortial is not answered
                self.answered[child] = None
            if tree.link[edge] < 0:
                below = self.descend(edge, self.own[-1] * sigma, reach)
                total += below * sigma
                legal = self.allowed(node, edge, below) > -np.inf
                words[word] = np.where(legal, sigma, np.nan), np.where(legal, below, np.nan)
            else:
                parent = self.lane_map(edge, self.side)
                below = self.descend(edge, self.own[-1][parent] * sigma, reach[self.lane_map(edge, 1 - self.side)])
                total += self.gather(node, edge, below * sigma)
                if word == CARD:
                    card = self.solution.game.spaces[tree.space[child]].card
                    cards[:, np.repeat(card, len(parent) // len(card)), parent] = sigma, below
            answers = self.answered.pop(child, None)
            if answers is not None:
                bets[word] = edge, answers
        self.hand_over(node, reach, (words, cards), bets)
        return total

    def hand_over(
        self,
        node: int,
        reach: Doubles,
        actions: tuple[dict[str, tuple[Doubles, Doubles]], Doubles],
        bets: dict[str, tuple[int, Answers]],
    ) -> None:
        """Make the decision of a node and give it to the sink."""
        space = self.solution.game.spaces[self.tree.space[node]]
        if space.memory > 1 or space.sizes is not None:
            self.passed += 1
            return
        rows = self.plain_rows(node, reach) if self.tree.leader[node] < 0 else self.shown_rows(node, reach)
        words, cards = actions
        some = np.flatnonzero(~np.isnan(cards[0]).all(axis=1)).tolist()
        names = [*words, *(self.solution.game.rules.ranks[k] for k in some)]
        said = np.array(list(words.values())).reshape(len(words), 2, cards.shape[2]).swapaxes(0, 1)
        table = np.concatenate([said, cards[:, some]], axis=1)
        frequency, value = table[:, :, rows.lane]
        with np.errstate(invalid="ignore", divide="ignore"):
            ev = np.where(rows.scale > 0, value / rows.scale, np.nan)
        told = {word: self.bet(node, edge, answers, rows) for word, (edge, answers) in bets.items()}
        trick = len(space.tricks) + 1
        self.sink(Decision(node, self.side, trick, tuple(self.path), rows, names, frequency, ev, told))

    def plain_rows(self, node: int, reach: Doubles) -> Rows:
        """Rows where both sides' cards are their own knowledge."""
        weights, mass = self.own_weights(node), self.seen(node, reach)
        dealt = weights.sum(axis=2).reshape(-1)
        lane = np.flatnonzero(dealt > 0)
        space = self.solution.game.spaces[self.tree.space[node]]
        held = space.held[self.side]
        whole = merge(HAND_SIZE - held, held, len(self.tree.compare))[space.played[:, self.side]].reshape(-1)
        scale = mass[lane]
        board, lead = lane // weights.shape[1], np.full(len(lane), -1)
        return Rows(lane, whole[lane].astype(np.int64), board, lead, scale, self.own[-1][lane] * scale, dealt[lane])

    def shown_rows(self, node: int, reach: Doubles) -> Rows:
        """Rows below a REVEAL, unfolded to the lead and the card of the side that acts."""
        tree, n = self.tree, len(self.tree.compare)
        follows = self.side != tree.leader[node]
        weights = self.shown_weights
        by_lead = weights if tree.leader[node] == 0 else weights.transpose(0, 2, 1)
        board, lead, card = (axis.reshape(-1) for axis in np.indices((len(weights), n, n if follows else 1)))
        if follows:
            lane = (board * N_CLASSES + tree.compare[lead, card]) * n + lead
            dealt = by_lead[board, lead, card]
            scale = reach[board * n + lead]
            arrival = self.before_reveal[board * n + card] * self.own[-1][lane] * dealt * scale
        else:
            lane, card = board * n + lead, lead
            dealt = by_lead.sum(axis=2).reshape(-1)
            scale = self.seen(node, reach)
            arrival = self.own[-1] * scale
        keep = dealt > 0
        space = self.solution.game.spaces[tree.space[node]]
        hand = merge(HAND_SIZE - 1, 1, n)[space.played[:, self.side]][board, card].astype(np.int64)
        return Rows(*(part[keep] for part in (lane, hand, board, lead, scale, arrival, dealt)))

    def bet(self, node: int, edge: int, answers: Answers, rows: Rows) -> Bet:
        """What comes of a bet, a row a hand."""
        folds, calls, value = answers.folds[rows.lane], answers.calls[rows.lane], answers.value[rows.lane]
        called = calls > 1e-12 * (folds + calls)
        with np.errstate(invalid="ignore", divide="ignore"):
            folded = np.where(folds + calls > 0, folds / (folds + calls), np.nan)
            worth = np.where(called, value / calls, np.nan)
        answer = int(self.tree.child[edge])
        return Bet(folded, worth, self.stakes.after_fold(answer), self.stakes.most_folds(node, answer))


def every_decision(solution: Solution, sink: Sink) -> int:
    """Hand over all decisions, the elder's first; returns how many after new cards are left out (T9, G5)."""
    passed = 0
    for side in (0, 1):
        walk = DecisionWalk(solution, side, sink)
        walk.root()
        passed += walk.passed
    return passed
