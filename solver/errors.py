"""Every error this package raises on purpose, with the exit code the command line gives it.

A message is a sentence for a card player: what is wrong, the value, what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar


class TrucError(Exception):
    """Root of all errors raised on purpose; a check that failed or a target that was not reached."""

    exit_code: ClassVar[int] = 1


class UsageError(TrucError):
    """Bad rules, hand, history, score or option."""

    exit_code: ClassVar[int] = 2


class FileError(TrucError):
    """A file that is missing, damaged, or made for other rules."""

    exit_code: ClassVar[int] = 3


class ResourceError(TrucError):
    """Not enough memory or disk."""

    exit_code: ClassVar[int] = 4


def near(word: str, choices: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" for the closest of `choices` to `word`, or "" if none is close."""
    by_lower = {choice.lower(): choice for choice in choices}
    matches = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return f" Did you mean '{by_lower[matches[0]]}'?" if matches else ""
