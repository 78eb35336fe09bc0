"""A whole strategy as plain rows, node by node: history, seat, hand, action, frequency, reach, ev.

One walk of the judge for each side gives the values of its decisions; below a REVEAL its classes are unfolded into
cards again, so every row names cards that a player holds. A history writes silence only at its end, where it says
which of two decisions of the same player is meant, and names the seat of a trut.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars
from numpy.typing import NDArray

from solver.cards.hands import HAND_SIZE, merge, multisets
from solver.cards.notation import format_hand
from solver.evaluate.best_response import Pass
from solver.strategy.solution import Solution
from solver.tree.machine import WORD, WORDS
from solver.tree.model import CHANCE, REVEAL, lanes

Doubles = NDArray[np.float64]
Longs = NDArray[np.int64]
Sink = Callable[[polars.DataFrame], None]

SEATS = ("elder", "dealer")
COLUMNS = ("history", "seat", "hand", "action", "frequency", "reach", "ev")
SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Told:
    """What was said and played on the way to a node: a text a board (below a REVEAL a board and lead), and how many
    silences came after it.
    """

    texts: list[str]
    silences: int = 0

    def full(self, place: int) -> str:
        """The history of one of them."""
        return " ".join(filter(None, [self.texts[place], *[SILENT] * self.silences]))


@dataclass(frozen=True, slots=True)
class Part:
    """One action at a node, a row a lane of the acting side.

    parent   lane of the node; action: number in ``labels``; frequency; value: counterfactual
    """

    parent: Longs
    action: Longs
    frequency: Doubles
    value: Doubles


class RowWalk(Pass):
    """One walk for one side that hands over a frame of rows for each of its decisions.

    honest   which whole hands may have said all that the side said so far: labels are truthful (U8, G7)
    passed   decisions after new cards were dealt, which rows cannot name (T9, G5)
    """

    def __init__(self, solution: Solution, side: int, sink: Sink) -> None:
        super().__init__(solution.game.tree, solution.behaviour, side, best=False)
        self.solution, self.sink = solution, sink
        rules = solution.game.rules
        self.labels = [*rules.ranks, *WORDS]
        self.hands = [format_hand(rules, tuple(one)) for one in multisets(HAND_SIZE, len(rules.ranks)).cards.tolist()]
        self.own: list[Doubles] = [np.ones(lanes(self.tree, 0, side))]
        self.told: list[Told] = [Told([""])]
        self.honest: list[NDArray[np.bool_]] = [np.ones(len(self.hands), np.bool_)]
        self.before_reveal, self.shown_weights = np.zeros(0), np.zeros((0, 0, 0))
        self.passed = 0

    def walk(self, node: int, reach: Doubles) -> Doubles:
        """As the judge walks; a CHANCE or REVEAL carries the side's own reach and the history along."""
        kind = self.tree.kind[node]
        if kind not in (CHANCE, REVEAL):
            return super().walk(node, reach)
        edge = int(self.tree.edges[node])
        if kind == REVEAL:
            self.before_reveal, self.shown_weights = self.own[-1], self.board_weights(node)
            labels = self.solution.game.rules.ranks
            texts = [f"{text} {label}".strip() for text in self.told[-1].texts for label in labels]
            self.enter(self.reveal_reach(node), Told(texts))
        else:
            self.enter(self.own[-1][self.lane_map(edge, self.side)], self.told[-1])
        value = super().walk(node, reach)
        self.leave()
        return value

    def enter(self, own: Doubles, told: Told) -> None:
        """Remember own reach and history below an edge."""
        self.own.append(own)
        self.told.append(told)

    def leave(self) -> None:
        """Forget them again."""
        self.own.pop()
        self.told.pop()

    def reveal_reach(self, node: int) -> Doubles:
        """Own reach below a REVEAL: the leader's as before, the follower's counted from there by class and lead."""
        if self.side == self.tree.leader[node]:
            return self.own[-1]
        return np.ones(lanes(self.tree, int(self.tree.child[self.tree.edges[node]]), self.side))

    def other_decision(self, node: int, reach: Doubles) -> Doubles:
        """The other side decides: own reach only moves along."""
        tree, total = self.tree, np.zeros(lanes(self.tree, node, self.side))
        for edge, sigma in zip(range(tree.edges[node], tree.edges[node + 1]), self.behaviour(node), strict=True):
            linked = tree.link[edge] >= 0
            above = reach[self.lane_map(edge, 1 - self.side)] if linked else reach
            self.enter(self.own[-1][self.lane_map(edge, self.side)] if linked else self.own[-1], self.after(edge, node))
            below = self.walk(int(tree.child[edge]), above * sigma)
            self.leave()
            total += self.gather(node, edge, below) if linked else below
        return total

    def own_decision(self, node: int, reach: Doubles) -> Doubles:
        """The side decides: rows for every action, then its value."""
        tree, total = self.tree, np.zeros(lanes(self.tree, node, self.side))
        parts = []
        for edge, sigma in zip(range(tree.edges[node], tree.edges[node + 1]), self.behaviour(node), strict=True):
            linked = tree.link[edge] >= 0
            parent = self.lane_map(edge, self.side).astype(np.int64) if linked else np.arange(len(total))
            self.enter(self.own[-1][parent] * sigma, self.after(edge, node))
            self.honest.append(self.honest[-1] & self.may_say(edge))
            below = self.walk(int(tree.child[edge]), reach[self.lane_map(edge, 1 - self.side)] if linked else reach)
            self.honest.pop()
            self.leave()
            part = Part(parent, self.action_numbers(edge, len(parent)), sigma, below)
            parts.append(self.legal(node, edge, part))
            total += self.gather(node, edge, below * sigma) if linked else below * sigma
        self.hand_over(node, reach, parts)
        return total

    def after(self, edge: int, node: int) -> Told:
        """The history below an edge."""
        told, tree = self.told[-1], self.tree
        space = self.solution.game.spaces[tree.space[tree.child[edge]]]
        if tree.word[edge] >= 0:
            word = WORDS[tree.word[edge]]
            if word == SILENT:
                return Told(told.texts, told.silences + 1)
            if self.speaks_in_turn(node):
                word = f"{'ed'[tree.player[node]]}:{word}"
            return Told([f"{text} {word}".strip() for text in told.texts])
        ranks = self.solution.game.rules.ranks
        pairs = zip(space.parent_board.tolist(), space.card.tolist(), strict=True)
        return Told([f"{told.texts[board]} {ranks[card]}".strip() for board, card in pairs])

    def speaks_in_turn(self, node: int) -> bool:
        """Whether both sides may say the same thing here, so that a history must say who did."""
        rules, edges = self.solution.game.rules, slice(self.tree.edges[node], self.tree.edges[node + 1])
        windows = rules.betting == "trut" and rules.trut_window == "any_time"
        return windows and bool((self.tree.word[edges] == WORD[SILENT]).any())

    def action_numbers(self, edge: int, size: int) -> Longs:
        """What an edge is for each of its lanes, as a place in ``labels``."""
        ranks, tree = len(self.solution.game.rules.ranks), self.tree
        if tree.word[edge] >= 0:
            return np.full(size, ranks + tree.word[edge], np.int64)
        card = self.solution.game.spaces[tree.space[tree.child[edge]]].card.astype(np.int64)
        return np.repeat(card, size // len(card))

    def legal(self, node: int, edge: int, part: Part) -> Part:
        """Only the lanes that may take the edge."""
        if self.tree.mask[edge] < 0:
            return part
        states = int(self.tree.states[self.tree.space[node], self.side])
        mask = self.tree.mask_value[self.tree.mask[edge] : self.tree.mask[edge] + states]
        keep = np.tile(mask, len(part.parent) // states)
        return Part(part.parent[keep], part.action[keep], part.frequency[keep], part.value[keep])

    def may_say(self, edge: int) -> NDArray[np.bool_]:
        """Which whole hands may take an edge; only what is said over three cards asks for some of them."""
        start = int(self.tree.mask[edge])
        if start < 0:
            return np.ones(len(self.hands), np.bool_)
        return self.tree.mask_value[start : start + len(self.hands)]

    def hand_over(self, node: int, reach: Doubles, parts: list[Part]) -> None:
        """Make the rows of a node and give them to the sink."""
        space = self.solution.game.spaces[self.tree.space[node]]
        if space.memory > 1 or space.sizes is not None:
            self.passed += 1
            return
        place = np.concatenate([np.full(len(part.parent), k) for k, part in enumerate(parts)])
        parent, action, frequency, value = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("parent", "action", "frequency", "value")
        )
        order = np.lexsort((place, parent))
        whole = Part(parent[order], action[order], frequency[order], value[order])
        if self.tree.leader[node] < 0:
            self.plain_rows(node, reach, whole)
        else:
            self.shown_rows(node, reach, whole)

    def plain_rows(self, node: int, reach: Doubles, part: Part) -> None:
        """Rows where both sides' cards are their own knowledge."""
        weights = self.seen_weights(node)
        boards, states, _ = weights.shape
        mass = np.matmul(weights, reach.reshape(boards, -1, 1)).reshape(-1)
        possible = weights.sum(axis=2).reshape(-1) > 0
        space = self.solution.game.spaces[self.tree.space[node]]
        held = space.held[self.side]
        hand = merge(HAND_SIZE - held, held, len(self.tree.compare))[space.played[:, self.side]].reshape(-1)
        keep = (possible & self.honest[-1][hand])[part.parent]
        lane = part.parent[keep]
        texts = [self.told[-1].full(board) for board in range(boards)]
        self.give((texts, lane // states), hand[lane], self.own[-1][lane] * mass[lane], (part, keep, mass[lane]))

    def seen_weights(self, node: int) -> Doubles:
        """Weights of every board, [boards, own states, the other's states]."""
        weights = self.board_weights(node)
        return weights if self.side == 0 else weights.transpose(0, 2, 1)

    def shown_rows(self, node: int, reach: Doubles, part: Part) -> None:
        """Rows below a REVEAL, unfolded to the lead and the card of the side that acts."""
        tree, n = self.tree, len(self.tree.compare)
        follows = self.side != tree.leader[node]
        weights = self.shown_weights
        lead_rows = weights if tree.leader[node] == 0 else weights.transpose(0, 2, 1)
        boards = len(lead_rows)
        board, lead, card = (axis.reshape(-1) for axis in np.indices((boards, n, n if follows else 1)))
        if follows:
            lane = (board * 3 + tree.compare[lead, card]) * n + lead
            dealt, scale = lead_rows[board, lead, card], reach[board * n + lead]
            arrival = self.before_reveal[board * n + card] * self.own[-1][lane] * dealt * scale
        else:
            lane, card = board * n + lead, lead
            dealt, scale = lead_rows.sum(axis=2).reshape(-1), reach.reshape(boards, 3, n).sum(axis=1).reshape(-1)
            arrival = self.own[-1] * scale
        space = self.solution.game.spaces[tree.space[node]]
        hand = merge(HAND_SIZE - 1, 1, n)[space.played[:, self.side]][board, card]
        row, unfolded = unfold(lane, (dealt > 0) & self.honest[-1][hand], part)
        texts = [self.told[-1].full(place) for place in range(boards * n)]
        every = np.ones(len(row), np.bool_)
        self.give((texts, (board * n + lead)[row]), hand[row], arrival[row], (unfolded, every, scale[row]))

    def give(
        self,
        history: tuple[list[str], Longs],
        hand: NDArray[np.int32],
        reach: Doubles,
        values: tuple[Part, NDArray[np.bool_], Doubles],
    ) -> None:
        """Put the columns together, numbers of texts into texts, and hand them over."""
        part, keep, scale = values
        worth = part.value[keep]
        ev = np.divide(worth, scale, out=np.full(len(worth), np.nan), where=scale > 0)
        frame = polars.DataFrame(
            {
                "history": polars.Series(history[0]).gather(history[1]),
                "seat": polars.Series([SEATS[self.side]]).new_from_index(0, len(worth)),
                "hand": polars.Series(self.hands).gather(hand),
                "action": polars.Series(self.labels).gather(part.action[keep]),
                "frequency": part.frequency[keep],
                "reach": reach,
                "ev": polars.Series(ev).fill_nan(None),
            },
        )
        if frame.height:
            self.sink(frame)


def unfold(lane: Longs, keep: NDArray[np.bool_], part: Part) -> tuple[Longs, Part]:
    """For the kept ones of ``lane``, all rows of ``part`` with that parent: (place in ``lane``, the rows)."""
    first = np.searchsorted(part.parent, lane, "left")
    count = np.where(keep, np.searchsorted(part.parent, lane, "right") - first, 0)
    row = np.repeat(np.arange(len(lane)), count)
    source = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + first[row]
    return row, Part(part.parent[source], part.action[source], part.frequency[source], part.value[source])


def write_rows(solution: Solution, sink: Sink) -> int:
    """Hand over all rows, the elder's decisions first; returns the number of decisions that rows cannot name."""
    passed = 0
    for side in (0, 1):
        walk = RowWalk(solution, side, sink)
        walk.root()
        passed += walk.passed
    return passed
