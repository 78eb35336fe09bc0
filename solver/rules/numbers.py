"""Numbers as people and programs write them: plain digits, no digits of other scripts and no underscores."""

from __future__ import annotations

import re

#: digits that a whole number may have; more mean nothing here
MOST_DIGITS = 18


def read_whole(text: str) -> int | None:
    """A whole number, None for any other text."""
    plain = text.strip()
    return int(plain) if re.fullmatch(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}", plain) else None


def read_number(text: str) -> float | None:
    """A number such as 5, 0.5, .5 or 1e-3, None for any other text."""
    plain = text.strip()
    return float(plain) if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?", plain) else None
