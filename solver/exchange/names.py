"""How rows name histories, hands and actions, and what else is read as the same.

A row's history drops silences but at its end, and names the seat only where both sides may say the word; an efg file
writes every seat and every silence. Both are read as the row's form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import multisets
from solver.cards.notation import Token, format_hand, parse_hand, parse_history
from solver.errors import UsageError
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.words import SILENT, WORDS, seated
from solver.tree.build import HandGame
from solver.tree.history import names_seat, walk
from solver.tree.reading import decisions, edges_of

Longs = NDArray[np.int64]
SEATED = re.compile(r"(?:^|(?<=\s))([ed])\.(?=\S)")


def seated_words(game: HandGame) -> frozenset[str]:
    """The words that both sides may say at the same time, which a row's history gives with their seat."""
    tree = game.tree
    windows = [node for node in decisions(tree) if names_seat(game, node.number)]
    return frozenset(edge.word for node in windows for edge in edges_of(tree, node.number)) - {SILENT, ""}


@dataclass(slots=True)
class Names:
    """The texts of a game's rows and their numbers.

    seated  words that a row's history gives with their seat
    labels  card labels, then words: an action's number is its place; hands: texts in the order of their numbers
    """

    game: HandGame
    rules: RuleSet = field(init=False)
    seated: frozenset[str] = field(init=False)
    labels: list[str] = field(init=False)
    hands: list[str] = field(init=False)
    _hand: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.rules, self.seated = self.game.rules, seated_words(self.game)
        self.labels = [*self.rules.ranks, *WORDS]
        cards = multisets(HAND_SIZE, len(self.rules.ranks)).cards.tolist()
        self.hands = [format_hand(self.rules, tuple(one)) for one in cards]
        self._hand = {text: number for number, text in enumerate(self.hands)}

    def key(self, history: Longs, seat: int | Longs, hand: Longs, action: Longs) -> Longs:
        """One number for a row; negative where the history is -1."""
        return ((history * 2 + seat) * len(self.hands) + hand) * len(self.labels) + action

    def hand(self, text: str) -> int:
        """The number of a hand in any order; UsageError for what is no hand of this deck."""
        return self._hand[format_hand(self.rules, parse_hand(self.rules, text))]

    def action(self, text: str) -> int:
        """The number of a card or word; UsageError for what is neither."""
        tokens = parse_history(self.rules, text)
        if len(tokens) != 1 or tokens[0].word not in self.labels:
            raise UsageError(f"'{text}' is no action; an action is one card or one word.")
        return self.labels.index(tokens[0].word)

    def history(self, text: str) -> str:
        """A history in the form of rows; UsageError for what is no card and no word, and for a wrong seat."""
        tokens = parse_history(self.rules, SEATED.sub(r"\1:", text))
        last = max((place for place, token in enumerate(tokens) if token.word != SILENT), default=-1)
        kept = [token for place, token in enumerate(tokens) if token.word != SILENT or place > last]
        if any(token.seat is not None and token.word not in self.seated for token in kept):
            walk(self.game, kept)
        return " ".join(map(self.told, kept))

    def told(self, token: Token) -> str:
        """One word of a history, with its seat where that is needed."""
        if token.seat is None or token.word not in self.seated:
            return token.word
        return seated(token.seat, token.word)
