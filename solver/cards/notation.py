"""How hands and histories are written and read (French letters R D V 10 are read as K Q J T)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from solver.errors import UsageError, near
from solver.rules.card_labels import CARDS, LONGEST, SEPARATORS, french_letters, pieces, read_label
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.words import HISTORY_WORDS, KEEP, SYNONYMS, same_word

SEAT_PREFIXES = {"e:": 0, "d:": 1}


@dataclass(frozen=True, slots=True)
class Token:
    """One thing said or played: the seat if the text names it, the word or card label, where it stands.

    `position` counts characters from 1 and is that of the seat prefix if there is one.
    """

    seat: int | None
    word: str
    position: int


def parse_hand(rules: RuleSet, text: str) -> tuple[int, ...]:
    """The sorted rank indices (0 strongest) of a hand like "7 8 A", "78A" or, in French, "7 8 10".

    Raises UsageError naming the bad card and its position, or what is wrong with the number of cards.
    """
    labels = [read_label(rules.ranks, piece) for piece in pieces(text)]
    if None in labels:
        readings = sorted({tuple(sorted(reading)) for reading in _readings(rules, " ".join(pieces(text)), HAND_SIZE)})
        if len(readings) > 1:
            ways = " or ".join(format_hand(rules, reading) for reading in readings)
            raise UsageError(f"Hand '{text.strip()}' can be read as {ways}; write the cards apart.")
        hand = readings[0] if readings else tuple(sorted(_cards(rules, text)))
    else:
        hand = tuple(sorted(rules.ranks.index(label) for label in labels if label is not None))
    faults = []
    if len(hand) != HAND_SIZE:
        faults.append(f"has {len(hand)} cards, a hand has {HAND_SIZE}")
    for rank, copies in enumerate(rules.copies):
        if hand.count(rank) > copies:
            faults.append(f"has {hand.count(rank)} times {rules.ranks[rank]}, the deck only {copies}")
    if faults:
        raise UsageError(f"Hand '{text.strip()}' {' and '.join(faults)}.")
    return hand


def format_hand(rules: RuleSet, hand: tuple[int, ...], lang: Literal["en", "fr"] = "en") -> str:
    """The text of a hand, strongest card first: "7 8 T", in French "7 8 10"."""
    return " ".join(format_card(rules, card, lang) for card in sorted(hand))


def format_card(rules: RuleSet, card: int, lang: Literal["en", "fr"] = "en") -> str:
    """The label of a card; its French letter is used where the deck has no label of that name itself."""
    label = rules.ranks[card]
    french = {english: letter for letter, english in french_letters(rules.ranks).items()}
    return french.get(label, label) if lang == "fr" else label


def parse_history(rules: RuleSet, text: str) -> tuple[Token, ...]:
    """The words and cards of a history, separated by spaces or commas: "K raise call d:9 e:A".

    Only the words are looked at: whether each is legal where it stands is for the referee. French letters and
    synonyms become the words of the rule set (`call` in Truc, `see` in Trut). Raises UsageError naming the
    bad word, its position and what is allowed.
    """
    return tuple(_token(rules, word, position) for word, position in _words(text))


def _token(rules: RuleSet, text: str, position: int) -> Token:
    seat = SEAT_PREFIXES.get(text[:2].lower())
    word = text if seat is None else text[2:]
    card = read_label(rules.ranks, word)
    if card is not None:
        return Token(seat, card, position)
    if word.lower().startswith(KEEP):
        kept = parse_hand(rules, word[len(KEEP) :])
        return Token(seat, KEEP + "+".join(rules.ranks[rank] for rank in kept), position)
    spoken = word.lower()
    if spoken not in HISTORY_WORDS and spoken not in SYNONYMS:
        raise UsageError(
            f"'{text}' at position {position} of the history is no card of this deck and no word."
            f"{near(spoken, HISTORY_WORDS)} Allowed: {_deck_text(rules)}; {', '.join(HISTORY_WORDS)}."
        )
    not_said_here = "see" if rules.betting == "ladder" else "call"
    return Token(seat, same_word(spoken, [word for word in HISTORY_WORDS if word != not_said_here]), position)


def _words(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text and where each starts, counted from 1."""
    start = 0
    padded = text.replace(",", " ") + " "
    for end, character in enumerate(padded):
        if character.isspace():
            if end > start:
                yield padded[start:end], start + 1
            start = end + 1


def _readings(rules: RuleSet, text: str, cards: int) -> Iterator[tuple[int, ...]]:
    """Every way to read a text as so many cards, written together or with spaces."""
    text = text.lstrip()
    if cards == 0:
        if not text:
            yield ()
        return
    for length in range(1, min(LONGEST, len(text)) + 1):
        label = read_label(rules.ranks, text[:length])
        if label is not None:
            for rest in _readings(rules, text[length:], cards - 1):
                yield (rules.ranks.index(label), *rest)


def _cards(rules: RuleSet, text: str) -> list[int]:
    """The cards of a text, with or without separators; the longest label that fits is read."""
    cards = []
    place = 0
    while place < len(text):
        if text[place] in SEPARATORS:
            place += 1
            continue
        for length in range(LONGEST, 0, -1):
            label = read_label(rules.ranks, text[place : place + length])
            if label is not None:
                break
        else:
            raise _bad_card(rules, text, place)
        cards.append(rules.ranks.index(label))
        place += length
    return cards


def _bad_card(rules: RuleSet, text: str, place: int) -> UsageError:
    bad = "10" if text.startswith("10", place) else text[place]
    card = read_label(CARDS, bad) is not None
    fault = "is not in this deck" if card else "is not a card"
    return UsageError(
        f"'{bad}' at position {place + 1} of hand '{text.strip()}' {fault}; allowed: {_deck_text(rules)}."
    )


def _deck_text(rules: RuleSet) -> str:
    """The cards of the deck, with the French letters that are read."""
    letters = [f"{letter} for {label}" for letter, label in french_letters(rules.ranks).items()]
    return " ".join(rules.ranks) + (f" (or {', '.join(letters)})" if letters else "")
