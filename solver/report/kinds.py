"""Which charts there are, and what is asked of one before anything heavy is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from solver.errors import UsageError, near
from solver.places import check_file

Lang = Literal["en", "fr"]

KINDS: dict[str, str] = {
    "strategy": "what every hand does",
    "raise": "how often every hand raises or puts the match at stake (Truc)",
    "trut": "how often every hand truts (Trut)",
    "fold": "how often every hand folds to a bet",
    "thresholds": "from which hand on one bets or calls",
    "convergence": "exploitability against time and iterations",
    "equity": "chance of winning the match at every score",
}
AT_A_POINT = ("strategy", "raise", "trut", "fold", "thresholds")
SUFFIXES = (".png", ".svg", ".pdf")


def check_kind(kind: str) -> str:
    """The kind, if there is one of that name; UsageError with the near one otherwise."""
    if kind not in KINDS:
        raise UsageError(f"There is no chart '{kind}'.{near(kind, KINDS)} The kinds are: {', '.join(KINDS)}.")
    return kind


def check_place(place: Path) -> Path:
    """The file to write, if its name tells the format and its folder can be written.

    UsageError for another suffix or a folder; FileError when the folder it lies in cannot be written.
    """
    if place.suffix.lower() not in SUFFIXES:
        allowed = ", ".join(SUFFIXES)
        raise UsageError(f"'{place}' names no format that charts have: it must end in {allowed}.")
    if place.is_dir():
        raise UsageError(f"'{place}' is a folder; name a file in it that ends in {', '.join(SUFFIXES)}.")
    return check_file(place)
