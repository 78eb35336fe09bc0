"""What charts show of a point: every hand's mix of actions, strongest hand first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.cards.notation import Token
from solver.errors import UsageError
from solver.query.advise import HARDLY_EVER
from solver.query.point import PointView
from solver.report.strength import strongest_first
from solver.report.wording import Wording
from solver.rules.model import RuleSet
from solver.rules.words import AGREES, GIVES_UP, PROPOSALS, SEEN, SILENT, WORDS
from solver.tree.build import HandGame
from solver.tree.history import Point, apply, choices, walk, word_edge

Doubles = NDArray[np.float64]

WORD_ORDER = (*PROPOSALS, *AGREES, *GIVES_UP, SILENT)
CARD_PLACES = ("high", "middle", "low")


@dataclass(frozen=True, slots=True)
class Mix:
    """The acting side's hands at a point, strongest first.

    seat     0 elder, 1 dealer
    hands    int8 [hands, 3]
    parts    the columns: words, then high, middle and low card
    share    float64 [hands, parts], rows sum to one; 0 where a hand has no such action
    cards    rank of the card in each part, int64 [hands, parts]; -1 for words
    weight   float64 [hands]: how often the hand is held and the point is reached, sums to one (even if never
             reached: then as dealt)
    rare     bool [hands]: the hand is played this far in less than HARDLY_EVER of its deals
    """

    seat: int
    hands: NDArray[np.int8]
    parts: tuple[str, ...]
    share: Doubles
    cards: NDArray[np.int64]
    weight: Doubles
    rare: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def answers(self) -> bool:
        """Does the side answer a bet?"""
        return any(word in self.parts for word in (*SEEN, "accept"))

    def columns(self, words: Sequence[str]) -> list[int]:
        """Places of those of the words that can be said here."""
        return [place for place, part in enumerate(self.parts) if part in words]


def mix_of(seen: PointView, rules: RuleSet) -> Mix:
    """Sort the hands of a view by strength and its cards by their place in the hand."""
    order = strongest_first(rules, seen.hands)
    frequency = seen.frequency[order]
    words = sorted(set(seen.actions) - set(rules.ranks), key=word_place)
    actions = [*words, *(action for action in seen.actions if action in rules.ranks)]
    frequency = frequency[:, [seen.actions.index(action) for action in actions]]
    ranks = [rules.ranks.index(action) for action in actions[len(words) :]]
    share = np.zeros((len(order), len(words) + len(CARD_PLACES)))
    cards = np.full(share.shape, -1, np.int64)
    share[:, : len(words)] = np.nan_to_num(frequency[:, : len(words)])
    for row, line in enumerate(frequency[:, len(words) :]):
        legal = np.flatnonzero(~np.isnan(line)).tolist()
        for number, column in enumerate(legal):
            place = 0 if number == 0 else 2 if number == len(legal) - 1 else 1
            share[row, len(words) + place] = line[column]
            cards[row, len(words) + place] = ranks[column]
    used = [k for k in range(share.shape[1]) if k < len(words) or (cards[:, k] >= 0).any()]
    reach, dealt = seen.reach[order], seen.dealt[order]
    weight = reach if reach.sum() > 0 else dealt
    parts = (*words, *CARD_PLACES)
    return Mix(
        seen.seat,
        seen.hands[order],
        tuple(parts[k] for k in used),
        share[:, used],
        cards[:, used],
        weight / weight.sum(),
        reach < HARDLY_EVER * dealt,
    )


def word_place(word: str) -> int:
    """Where a word stands among the others: bets, answers, silence, then whatever else there is."""
    return WORD_ORDER.index(word) if word in WORD_ORDER else len(WORD_ORDER)


def require(game: HandGame, mix: Mix, words: Sequence[str], tokens: Sequence[Token]) -> list[int]:
    """Columns of the words; UsageError that says what can be done here and where the words can be said."""
    found = mix.columns(words)
    if not found:
        raise UsageError(nowhere(game, mix, words, tokens))
    return found


def nowhere(game: HandGame, mix: Mix, words: Sequence[str], tokens: Sequence[Token]) -> str:
    """The sentence for words that cannot be said at a point."""
    spoken = {WORDS[word] for word in set(game.tree.word.tolist()) if word >= 0}
    wanted = " or ".join(word for word in words if word in spoken)
    if not wanted:
        bets = ", ".join(word for word in PROPOSALS if word in spoken) or "none"
        return f"There is no {words[0]} in {game.rules.name} at this score; its bets: {bets}."
    here = f"after '{' '.join(token.word for token in tokens)}'" if tokens else "at the opening"
    can = [part for part in mix.parts if part not in CARD_PLACES] + ["a card"] * ("high" in mix.parts)
    found = places_to_say(game, tokens, words) or places_to_say(game, (), words)
    where = " or ".join(f'--history "{text}"' for text in found)
    hint = f"It can be with {where}" if where else "Nor can it be soon after"
    return f"{wanted.capitalize()} cannot be chosen {here}, only {', '.join(can)}. {hint}."


def default_history(game: HandGame, kind: str) -> str:
    """The history a chart shows if none is given: the first bet of the hand for folds, else the opening."""
    if kind != "fold" or says(game, Point(0), GIVES_UP):
        return ""
    return next((word for word in PROPOSALS if word_edge(game, 0, word)), "")


def places_to_say(game: HandGame, tokens: Sequence[Token], words: Sequence[str], most: int = 3) -> list[str]:
    """The nearest histories that go on from this one and end where one of the words can be said."""
    spoken = " ".join(token.word for token in tokens)
    level: list[tuple[str, Point]] = [(spoken, walk(game, tokens))]
    for _ in range(3):
        found = [text for text, point in level if says(game, point, words)]
        if found:
            return found[:most]
        level = [step for text, point in level for step in steps(game, text, point)][:200]
    return []


def says(game: HandGame, point: Point, words: Sequence[str]) -> bool:
    """Can one of the words be said at this very point?"""
    return not point.over and any(word_edge(game, point.node, word) for word in words if word in WORDS)


def steps(game: HandGame, text: str, point: Point) -> list[tuple[str, Point]]:
    """Every history one word or card longer."""
    longer = []
    for word in choices(game, point):
        after = apply(game, point, Token(None, word, 1))
        if after is not None:
            longer.append((f"{text} {word}".strip(), after))
    return longer


def best_cut(mix: Mix, frequency: Doubles) -> tuple[int, float]:
    """The k for which "the k strongest hands do it, the others do not" is right most often, and how often.

    ``frequency`` float64 [hands]; hands count as often as they come here.
    """
    right_above = np.concatenate(([0.0], np.cumsum(mix.weight * frequency)))
    does_not = mix.weight * (1.0 - frequency)
    right_below = does_not.sum() - np.concatenate(([0.0], np.cumsum(does_not)))
    right = right_above + right_below
    cut = int(np.argmax(right))
    return cut, float(right[cut])


def overall(mix: Mix, columns: Sequence[int], wording: Wording, rules: RuleSet) -> str:
    """How often each of the columns is chosen over all hands, as a phrase."""
    shares = mix.weight @ mix.share
    listed = ", ".join(f"{wording.word(rules, mix.parts[k])} {wording.percent(shares[k], '.1f')}" for k in columns)
    return wording.sentence([wording.named(wording.text("overall"), listed)])
