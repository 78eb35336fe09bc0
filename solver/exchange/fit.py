"""Stored frequencies from the rows of a profile, decision by decision.

Below a REVEAL the tree knows the follower by what his last card comes to, a profile by the card. The frequencies of
the cards of a class are averaged by how often the profile brings each of them there: nobody else can tell them apart
any more, so value and both best responses stay what they were.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from solver.exchange.profile import Asked, Doubles, Flags, Longs, Profile
from solver.query.cells import cell_lanes, follows
from solver.query.visitor import Place, Visitor
from solver.rules.score import SEAT_NAMES
from solver.rules.words import SILENT, WORD
from solver.strategy.quantise import quantise_node
from solver.strategy.solution import Solution
from solver.tree.history import Histories
from solver.tree.model import lanes
from solver.tree.reading import Edge, edges_of, lane_map, legal, node_at, slots

#: sums this near to one are one
ROUNDING = 1e-9


@dataclass(slots=True)
class Findings:
    """What was seen of a profile on the way.

    infosets   information sets of the game; missing: those without a row; rescaled: those whose frequencies did not
               sum to one
    largest    the largest distance of such a sum from one
    gap, odd   the first information set without a row, and the first whose sum is too far from one
    """

    infosets: int = 0
    missing: int = 0
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


@dataclass(frozen=True, slots=True)
class Part:
    """One action at a decision, a row a cell that may take it: the cell, the action's number, the cell below."""

    source: Longs
    action: Longs
    below: Longs


@dataclass(slots=True)
class Fit:
    """Fills ``stored`` with the decisions of one side, from the rows of a profile."""

    blank: Solution
    side: int
    profile: Profile
    tolerance: float
    findings: Findings
    visitor: Visitor = field(init=False)
    histories: Histories = field(init=False)

    def __post_init__(self) -> None:
        self.visitor = Visitor(self.blank, self.side, lambda decision: None, play=self.decide)
        self.histories = Histories(self.blank.game)

    def fill(self) -> None:
        """Fill the decisions of the side."""
        self.visitor.everything()

    def decide(self, place: Place) -> list[Doubles]:
        """The profile's frequencies at a place, an array an edge over the cells below; stored on the way."""
        game, node = self.blank.game, place.node
        edges, behind = edges_of(game.tree, node.number), follows(node, self.side)
        parts = [self.part(edge, len(place.way.own), behind) for edge in edges]
        chance = self.frequencies(self.cells(place), parts)
        if behind:
            merged = self.merged(place, chance)
            lane = np.arange(len(merged[0]))
            self.store(edges, [(lane, lane)] * len(merged), merged)
        else:
            self.store(edges, [(part.source, part.below) for part in parts], chance)
        return [self.spread(edge, place, part, share) for edge, part, share in zip(edges, parts, chance, strict=True)]

    def part(self, edge: Edge, cells: int, behind: bool) -> Part:
        """One action of a decision with so many cells."""
        game, ranks = self.blank.game, len(self.blank.game.rules.ranks)
        source = np.arange(cells) if behind else lane_map(game.tree, edge, self.side)
        if edge.word:
            action = np.full(len(source), ranks + WORD[edge.word], np.int64)
        else:
            card = game.spaces[node_at(game.tree, edge.child).space].card.astype(np.int64)
            action = np.repeat(card, len(source) // len(card))
        keep = np.flatnonzero(legal(game.tree, edge)) if edge.masked else np.arange(len(source))
        return Part(source[keep], action[keep], keep)

    def cells(self, place: Place) -> Cells:
        """The hands and histories of a place; where nothing can be held a cell has neither."""
        game, size = self.blank.game, len(place.way.own)
        rows = self.visitor.rows(place)
        text, hand, card = (np.full(size, -1) for _ in range(3))
        text[rows.cell], hand[rows.cell] = self.histories.places(rows.board, rows.lead), rows.hand
        space = game.spaces[place.node.space]
        if space.held[self.side] == 1 and (place.way.cards is None or follows(place.node, self.side)):
            card[rows.cell] = rows.held
        return Cells(self.histories.texts(place.path), text, hand, hand >= 0, card)

    def frequencies(self, cells: Cells, parts: list[Part]) -> list[Doubles]:
        """The profile's frequencies of every part; uniform where it has none or the hand cannot be held."""
        parent, action = (np.concatenate([getattr(part, name) for part in parts]) for name in ("source", "action"))
        number = np.array([self.profile.histories.get(text, -1) for text in cells.texts], np.int64)
        asked = np.flatnonzero(cells.possible[parent])
        cell, wanted = parent[asked], action[asked]
        silent = len(self.blank.game.rules.ranks) + WORD[SILENT]
        alias = np.where(wanted == silent, cells.card[cell], -1)
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
        return np.split(shared, np.cumsum([len(part.source) for part in parts])[:-1])

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
        seat = SEAT_NAMES[self.side]
        history = cells.texts[cells.text[cell]]
        return f"the {seat} with {self.profile.names.hands[cells.hand[cell]]} after '{history}'"

    def merged(self, place: Place, chance: list[Doubles]) -> list[Doubles]:
        """Frequencies of a follower's classes from those of his cards, [boards, class, lead] flat."""
        cards = place.way.cards
        assert cards is not None, "a follower is asked below a reveal"
        lane, size, dealt = cell_lanes(self.blank.game, place.node), place.node.lanes(self.side), cards.reshape(-1)
        mass = place.way.own * dealt
        brought = np.bincount(lane, mass, size)[lane]
        mass = np.where(brought > 0, mass, dealt)
        whole = np.bincount(lane, mass, size)
        fair = [np.full(size, 1.0 / len(chance)) for _ in chance]
        return [
            np.divide(np.bincount(lane, mass * part, size), whole, out=even, where=whole > 0)
            for part, even in zip(chance, fair, strict=True)
        ]

    def store(self, edges: list[Edge], rows: list[tuple[Longs, Longs]], chance: list[Doubles]) -> None:
        """Round the frequencies of a node and keep them; ``rows`` are the lanes above and below, an edge a pair."""
        counts = quantise_node([source for source, _ in rows], chance)
        for edge, (_, lane), rounded in zip(edges, rows, counts, strict=True):
            self.blank.stored[slots(self.blank.game.tree, edge)][lane] = rounded

    def spread(self, edge: Edge, place: Place, part: Part, chance: Doubles) -> Doubles:
        """Frequencies for every cell below an edge, 0 where it may not be taken."""
        size = lanes(self.blank.game.tree, edge.child, self.side) if edge.linked else len(place.way.own)
        whole = np.zeros(size)
        whole[part.below] = chance
        return whole
