"""Stored frequencies from the rows of a profile, decision by decision.

Below a REVEAL the tree knows the follower by what his last card comes to, a profile by the card. The frequencies of
the cards of a class are averaged by how often the profile brings each of them there: nobody else can tell them apart
any more, so value and both best responses stay what they were.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.cards.hands import HAND_SIZE, merge
from solver.exchange.profile import Asked, Doubles, Flags, Longs, Profile
from solver.strategy.quantise import Counts, quantise_node
from solver.strategy.rows import SILENT, Part, RowWalk, Told
from solver.strategy.solution import Solution
from solver.tree.machine import WORD
from solver.tree.model import CHANCE, DECISION, N_CLASSES, REVEAL, lanes

#: sums this near to one are one
ROUNDING = 1e-9


@dataclass(slots=True)
class Findings:
    """What was seen of a profile on the way.

    infosets   information sets of the game that rows can name; missing: those without a row; passed: decisions that
               rows cannot name; rescaled: information sets whose frequencies did not sum to one
    largest    the largest distance of such a sum from one
    gap, odd   the first information set without a row, and the first whose sum is too far from one
    """

    infosets: int = 0
    missing: int = 0
    passed: int = 0
    rescaled: int = 0
    largest: float = 0.0
    gap: str = ""
    odd: str = ""


@dataclass(slots=True)
class Cells:
    """A decision as rows see it: a cell for each hand at each history.

    text      place in ``texts``; hand: its number
    possible  whether it can be held here; card: the only card left, or -1
    """

    texts: list[str]
    text: Longs
    hand: Longs
    possible: Flags
    card: Longs


class Fit(RowWalk):
    """One walk for one side that fills ``stored`` from the rows of its decisions."""

    def __init__(self, blank: Solution, side: int, profile: Profile, tolerance: float, findings: Findings) -> None:
        super().__init__(blank, side, lambda frame: None)
        self.profile, self.tolerance, self.findings = profile, tolerance, findings
        self.stored: Counts = blank.stored
        self.ids: Callable[[str], int] = lambda text: profile.histories.get(text, -1)
        self.silent = len(self.solution.game.rules.ranks) + WORD[SILENT]

    def fill(self, node: int = 0) -> None:
        """Fill the decisions of the side in the subtree of a node."""
        tree = self.tree
        edges = range(tree.edges[node], tree.edges[node + 1])
        if tree.kind[node] == DECISION and tree.player[node] == self.side:
            for edge, sigma in zip(edges, self.decide(node), strict=True):
                own = self.own[-1] if tree.link[edge] < 0 else self.own[-1][self.lane_map(edge, self.side)]
                self.honest.append(self.honest[-1] & self.may_say(edge))
                self.below(edge, own * sigma, self.after(edge, node))
                self.honest.pop()
        elif tree.kind[node] == DECISION:
            for edge in edges:
                own = self.own[-1] if tree.link[edge] < 0 else self.own[-1][self.lane_map(edge, self.side)]
                self.below(edge, own, self.after(edge, node))
        elif tree.kind[node] == CHANCE:
            self.below(edges[0], self.own[-1][self.lane_map(edges[0], self.side)], self.told[-1])
        elif tree.kind[node] == REVEAL:
            self.reveal_cells(node)

    def below(self, edge: int, own: Doubles, told: Told) -> None:
        """Fill what lies below an edge."""
        self.enter(own, told)
        self.fill(int(self.tree.child[edge]))
        self.leave()

    def reveal_cells(self, node: int) -> None:
        """Go below a REVEAL, where the follower's own reach runs over board, lead and card."""
        own, n = self.own[-1], len(self.tree.compare)
        self.shown_weights = self.board_weights(node)
        if self.side != self.tree.leader[node]:
            own = np.repeat(own.reshape(-1, 1, n), n, axis=1).reshape(-1)
        labels = self.solution.game.rules.ranks
        texts = [f"{text} {label}".strip() for text in self.told[-1].texts for label in labels]
        self.below(int(self.tree.edges[node]), own, Told(texts))

    def decide(self, node: int) -> list[Doubles]:
        """The profile's frequencies at a node, an array an edge as its own reach goes on; stored on the way."""
        tree, space = self.tree, self.solution.game.spaces[self.tree.space[node]]
        named = space.memory <= 1 and space.sizes is None
        self.findings.passed += not named
        follows = tree.leader[node] >= 0 and tree.leader[node] != self.side
        parts = [self.part(node, edge, follows) for edge in range(tree.edges[node], tree.edges[node + 1])]
        if named:
            chance = self.frequencies(self.cells(node), parts)
        else:
            options = np.bincount(np.concatenate([part.parent for part in parts]))
            chance = [1.0 / options[part.parent] for part in parts]
        if follows:
            merged = self.merged(node, chance)
            lane = np.arange(len(merged[0]))
            self.store(node, [(lane, lane)] * len(merged), merged)
        else:
            self.store(node, [(part.parent, part.frequency.astype(np.int64)) for part in parts], chance)
        return [self.spread(node, place, one) for place, one in enumerate(zip(parts, chance, strict=True))]

    def part(self, node: int, edge: int, follows: bool) -> Part:
        """One action, a row a cell that may take it; ``frequency`` and ``value`` hold the lane below."""
        tree = self.tree
        below = lanes(tree, int(tree.child[edge]), self.side)
        size = below * len(tree.compare) // N_CLASSES if follows else below
        parent = self.lane_map(edge, self.side).astype(np.int64) if tree.link[edge] >= 0 else np.arange(size)
        lane = np.arange(size, dtype=np.float64)
        return self.legal(node, edge, Part(parent, self.action_numbers(edge, size), lane, lane))

    def cells(self, node: int) -> Cells:
        """The hands and histories of a node, in the order of its lanes; for a follower by board, lead and card."""
        tree, n = self.tree, len(self.tree.compare)
        space = self.solution.game.spaces[tree.space[node]]
        if tree.leader[node] < 0:
            possible = self.seen_weights(node).sum(axis=2) > 0
            held = space.held[self.side]
            hand = merge(HAND_SIZE - held, held, n)[space.played[:, self.side]].astype(np.int64)
            texts = [self.told[-1].full(board) for board in range(len(hand))]
            text, state = np.indices(hand.shape)
            card = state if held == 1 else np.full(hand.shape, -1)
        else:
            dealt = self.lead_rows(node)
            hand = merge(HAND_SIZE - 1, 1, n)[space.played[:, self.side]].astype(np.int64)
            board, lead, laid = np.indices(dealt.shape)
            texts = [self.told[-1].full(place) for place in range(len(hand) * n)]
            text, possible = np.asarray(board * n + lead), dealt > 0
            if tree.leader[node] == self.side:
                text, possible, card = text[..., 0], dealt.sum(axis=2) > 0, np.full(hand.shape, -1)
            else:
                hand, card = hand[board, laid], laid
        hand = hand.reshape(-1)
        return Cells(texts, text.reshape(-1), hand, possible.reshape(-1) & self.honest[-1][hand], card.reshape(-1))

    def lead_rows(self, node: int) -> Doubles:
        """Weights below a REVEAL by board, lead and the follower's card."""
        return self.shown_weights if self.tree.leader[node] == 0 else self.shown_weights.transpose(0, 2, 1)

    def frequencies(self, cells: Cells, parts: list[Part]) -> list[Doubles]:
        """The profile's frequencies of every part; uniform where it has none or the hand cannot be held."""
        parent, action = (np.concatenate([getattr(part, name) for part in parts]) for name in ("parent", "action"))
        number = np.fromiter(map(self.ids, cells.texts), np.int64, len(cells.texts))
        asked = np.flatnonzero(cells.possible[parent])
        cell, wanted = parent[asked], action[asked]
        alias = np.where(wanted == self.silent, cells.card[cell], -1)
        history, hand = number[cells.text[cell]], cells.hand[cell]
        told = np.full(len(parent), np.nan)
        told[asked] = self.profile.take(Asked(self.side, history, hand, wanted, alias))
        size = len(cells.hand)
        known = np.bincount(parent[~np.isnan(told)], minlength=size)
        total = np.bincount(parent, np.nan_to_num(told), size).astype(np.float64)
        options = np.bincount(parent, minlength=size)
        self.judge(cells, (number, options), known, total)
        fair = (1.0 / np.maximum(options, 1))[parent]
        shared = np.divide(np.nan_to_num(told), total[parent], out=fair, where=total[parent] > 0)
        return np.split(shared, np.cumsum([len(part.parent) for part in parts])[:-1])

    def judge(self, cells: Cells, listed: tuple[Longs, Longs], known: Longs, total: Doubles) -> None:
        """Count what is missing, where there is a choice, and what does not sum to one."""
        (number, options), seen = listed, self.findings
        some = cells.possible & (known > 0)
        missing = np.flatnonzero(cells.possible & (known == 0) & (options > 1))
        seen.infosets += int(cells.possible.sum())
        seen.missing += len(missing)
        if len(missing) and not seen.gap:
            seen.gap = self.point(cells, int(missing[0]))
        off = np.where(some, np.abs(total - 1.0), 0.0)
        seen.rescaled += int((off > ROUNDING).sum())
        seen.largest = max(seen.largest, float(off.max(initial=0.0)))
        if not seen.odd and seen.largest > self.tolerance:
            worst = int(np.argmax(off))
            line = self.profile.first_line(self.side, int(number[cells.text[worst]]), int(cells.hand[worst]))
            seen.odd = (
                f"{self.profile.place(line)}: the frequencies of {self.point(cells, worst)} sum to {total[worst]:.6g}"
            )

    def point(self, cells: Cells, cell: int) -> str:
        """An information set in words."""
        seat = ("elder", "dealer")[self.side]
        history = cells.texts[cells.text[cell]]
        return f"the {seat} with {self.hands[cells.hand[cell]]} after '{history}'"

    def merged(self, node: int, chance: list[Doubles]) -> list[Doubles]:
        """Frequencies of a follower's classes from those of his cards, [boards, class, lead] flat."""
        tree, n = self.tree, len(self.tree.compare)
        dealt = self.lead_rows(node)
        board, lead, card = (axis.reshape(-1) for axis in np.indices(dealt.shape))
        lane = (board * N_CLASSES + tree.compare[lead, card]) * n + lead
        size = len(dealt) * N_CLASSES * n
        mass = self.own[-1] * dealt.reshape(-1)
        brought = np.bincount(lane, mass, size)[lane]
        mass = np.where(brought > 0, mass, dealt.reshape(-1))
        whole = np.bincount(lane, mass, size)
        fair = [np.full(size, 1.0 / len(chance)) for _ in chance]
        return [
            np.divide(np.bincount(lane, mass * one, size), whole, out=none, where=whole > 0)
            for one, none in zip(chance, fair, strict=True)
        ]

    def store(self, node: int, rows: list[tuple[Longs, Longs]], chance: list[Doubles]) -> None:
        """Round the frequencies of a node and keep them; ``rows`` are parent and lane below of each, an edge a pair."""
        counts = quantise_node([parent for parent, _ in rows], chance)
        for place, ((_, lane), rounded) in enumerate(zip(rows, counts, strict=True)):
            self.stored[self.tree.slot[self.tree.edges[node] + place] + lane] = rounded

    def spread(self, node: int, place: int, known: tuple[Part, Doubles]) -> Doubles:
        """Frequencies for every lane (a follower's cell) below an edge, 0 where it may not be taken."""
        part, chance = known
        size = len(self.own[-1])
        edge = int(self.tree.edges[node]) + place
        if self.tree.link[edge] >= 0:
            size = lanes(self.tree, int(self.tree.child[edge]), self.side)
        whole = np.zeros(size)
        whole[part.frequency.astype(np.int64)] = chance
        return whole
