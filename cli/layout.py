"""How a table that is too wide for the screen is shown: folded at spaces, then cut into parts, one below the other.

Numbers and short texts (hands, words, scores) are never broken. The first columns, which say what a row is about, stand
in every part again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

EDGES, WIDE_GAP, NARROW_GAP = 2, 3, 2
SHORT = 16  # a text up to this long is not broken
LEADING_SHARE = 0.45  # of the width, at most, for the columns that every part repeats


class Sizes(NamedTuple):
    """Widths of a column: what it takes unbroken, and the least that is still readable."""

    full: int
    least: int


class Part(NamedTuple):
    """Columns of one part of a table (numbers of columns), their widths, and the gap between them."""

    columns: list[int]
    widths: list[int]
    gap: int


def sizes(heading: str, cells: Sequence[str], number: bool) -> Sizes:
    """What a column takes: numbers whole, longer texts word by word, headings word by word."""
    longest = max(map(len, cells), default=0)
    full = max(longest, len(heading))
    least = longest if number or longest <= SHORT else max(SHORT, longest_word(cells))
    return Sizes(full, min(max(least, longest_word([heading])), full))


def longest_word(texts: Sequence[str]) -> int:
    """Length of the longest word."""
    return max((len(word) for text in texts for word in text.split()), default=0)


def parts(columns: Sequence[Sizes], width: int, naming: int = 1) -> list[Part]:
    """The table cut so that each part fits a width, if any cut can; of the first ``naming`` columns, as many as leave
    room for others are repeated.
    """
    every = list(range(len(columns)))
    if taken([one.full for one in columns], WIDE_GAP) <= width:
        return [Part(every, [one.full for one in columns], WIDE_GAP)]
    least = [one.least for one in columns]
    if taken(least, NARROW_GAP) <= width:
        return [widened(every, columns, width)]
    lead = leading(least[: naming + 1], width)
    groups: list[list[int]] = [[]]
    for column in every[lead:]:
        group = groups[-1]
        if group and taken([least[one] for one in (*every[:lead], *group, column)], NARROW_GAP) > width:
            groups.append([])
        groups[-1].append(column)
    return [widened([*every[:lead], *group], columns, width) for group in groups]


def taken(widths: Sequence[int], gap: int) -> int:
    """Characters that a line of columns takes."""
    return EDGES + sum(widths) + gap * (len(widths) - 1)


def leading(least: Sequence[int], width: int) -> int:
    """How many of the first columns every part repeats: as many as leave room for others, at least one."""
    fitting = [n for n in range(1, len(least)) if taken(least[:n], NARROW_GAP) <= LEADING_SHARE * width]
    return max(fitting, default=1)


def widened(chosen: list[int], columns: Sequence[Sizes], width: int) -> Part:
    """The chosen columns with the room that is left given to those that would be broken, the narrowest first.

    A column wider than the page by itself gets what is there, and is broken anywhere.
    """
    widths = [min(columns[one].least, max(width - EDGES, 1)) for one in chosen]
    room = width - taken(widths, NARROW_GAP)
    while room > 0:
        short = [k for k, one in enumerate(chosen) if widths[k] < columns[one].full]
        if not short:
            break
        widths[min(short, key=lambda k: widths[k])] += 1
        room -= 1
    return Part(chosen, widths, NARROW_GAP)
