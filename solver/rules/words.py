"""The one table of the words of a history that are not cards, and of what they are for."""

from __future__ import annotations

from collections.abc import Collection

WORDS = (
    "silent", "raise", "rest", "call", "fold", "trut", "see", "hold", "pass", "sing", "refuse",
    "brelan", "tierce", "pair", "redeal", "accept",
)  # fmt: skip
"""What is said where it is somebody's choice. Stored solutions and kernels hold the places: never change the order."""

WORD = {word: number for number, word in enumerate(WORDS)}
"""The number of each word."""

SILENT = "silent"
LABEL_WORDS = ("brelan", "tierce", "pair")
RAISES = ("raise", "rest")
TRUTS = ("trut", *LABEL_WORDS)
BETS = (*RAISES, *TRUTS)
"""What is answered by see or call, or by fold."""

PROPOSALS = (*BETS, "sing", "redeal")
"""What asks the other side for an answer (G5, T9 besides bets)."""

SEEN = ("call", "see")
AGREES = (*SEEN, "hold", "accept")
GIVES_UP = ("fold", "pass", "refuse")

ANY_CARD = "*"
"""Stands for a card where it does not matter which."""

SYNONYMS = {"call": "see", "see": "call", "suite": "tierce", "berlan": "brelan"}
"""Each word with another that may be meant by it."""

KEEP = "keep:"
"""G5: keep:7+8+A is said by a player who keeps these three of his six cards; a history has only KEPT."""
KEPT = "keep"

HISTORY_WORDS = (*WORDS, KEPT)
"""Everything but cards that may stand in a history."""


def same_word(word: str, known: Collection[str]) -> str:
    """`word`, or its synonym when that one is among the `known` words and `word` is not."""
    synonym = SYNONYMS.get(word, word)
    return synonym if word not in known and synonym in known else word


def seated(seat: int, word: str) -> str:
    """A word or card with the seat it belongs to: "e:trut" is said by the elder."""
    return f"{'ed'[seat]}:{word}"
