"""The words of a history that are not cards."""

from __future__ import annotations

from collections.abc import Collection

BETTING_WORDS = ("raise", "rest", "call", "fold", "trut", "see", "silent")
SPECIAL_WORDS = ("hold", "pass", "sing", "refuse", "keep", "redeal", "accept")
LABEL_WORDS = ("brelan", "tierce", "pair")
WORDS = BETTING_WORDS + SPECIAL_WORDS + LABEL_WORDS

SYNONYMS = {"call": "see", "see": "call", "suite": "tierce", "berlan": "brelan"}
"""Each word with another that may be meant by it."""

KEEP = "keep:"
"""G5: keep:7+8+A is said by a player who keeps these three of his six cards."""


def same_word(word: str, known: Collection[str]) -> str:
    """`word`, or its synonym when that one is among the `known` words and `word` is not."""
    synonym = SYNONYMS.get(word, word)
    return synonym if word not in known and synonym in known else word
