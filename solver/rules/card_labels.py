"""Labels of cards as they are written: for decks, hands and histories alike, in French and English letters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations_with_replacement

from solver.errors import UsageError
from solver.rules.words import HISTORY_WORDS, SYNONYMS

FRENCH_LETTERS = {"R": "K", "D": "Q", "V": "J", "10": "T"}
CARDS = frozenset("23456789TJQKA")
SEPARATORS = " \t\n\r,;-+"
LONGEST = 3


def french_letters(ranks: Collection[str]) -> dict[str, str]:
    """The French letters that stand for labels of a deck, which has no label of that name itself."""
    return {letter: label for letter, label in FRENCH_LETTERS.items() if label in ranks and letter not in ranks}


def read_label(ranks: Collection[str], text: str) -> str | None:
    """The label of a deck that a text stands for, in either language and case; None for any other text."""
    label = text.upper()
    return label if label in ranks else french_letters(ranks).get(label)


def pieces(text: str) -> list[str]:
    """What stands between separators."""
    return "".join(" " if character in SEPARATORS else character for character in text).split()


def read_deck(text: str, ranks: Collection[str]) -> tuple[str, ...]:
    """The labels of a deck that is to be made, strongest first; ``ranks``: labels of the deck there is now.

    Separators may be left out where every label is one character or 10. French letters are read as English ones but
    beside these: "R D V" are K Q J, "R K" are two labels. UsageError where a text can be read in more than one way.
    """
    labels = pieces(text.upper())
    if len(labels) == 1 and len(labels[0]) > 1:
        apart = labels[0].replace("10", "")
        if "1" in apart or "0" in apart:
            raise UsageError(
                f"The ranks '{text}' can be read in more than one way; write the labels apart, such as 'R D V 10'."
            )
        labels = list(labels[0].replace("10", "T"))
    letters = {letter: label for letter, label in FRENCH_LETTERS.items() if letter not in ranks and label not in labels}
    return tuple(letters.get(label, label) for label in labels)


def label_fault(ranks: Sequence[object], hand_size: int) -> str:
    """What is wrong with the labels of a deck, "" if nothing is: a text for "is" or "are"."""
    for label in ranks:
        if not isinstance(label, str) or not 1 <= len(label) <= LONGEST or label != label.upper():
            return f"labels of one to {LONGEST} capital letters and digits"
        if not (label.isascii() and label.isalnum()):
            return f"labels of letters and digits, which '{label}' is not"
        if label.lower() in {*HISTORY_WORDS, *SYNONYMS}:
            return f"labels that are no word of a history, which '{label}' is"
    hands: dict[str, tuple[str, ...]] = {}
    long = any(len(str(label)) > 1 for label in ranks)
    for hand in combinations_with_replacement(map(str, ranks), hand_size) if long else ():
        other = hands.setdefault("".join(hand), hand)
        if other != hand:
            pair = f"{' '.join(other)} and {' '.join(hand)}"
            return f"labels whose hands differ when written together, which {pair} do not"
    return ""
