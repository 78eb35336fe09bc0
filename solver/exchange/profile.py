"""Rows of a behaviour profile from elsewhere: read from a file, with every text turned into a number.

A profile has a row for each action of a hand at a point: history, seat, hand, action, frequency, as ``export`` writes
them. Histories may also be in the form of an efg file, "e.K d.raise": every word with its seat, silences written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars
from numpy.typing import NDArray

from solver.errors import UsageError
from solver.exchange.names import Names
from solver.exchange.tables import LINE, Source, read_source, read_table
from solver.rules.score import SEAT_NAMES

COLUMNS = ("history", "seat", "hand", "action", "frequency")
#: how far a frequency may lie outside 0 to 1, as linear programs leave them
SLACK = 1e-9

Longs = NDArray[np.int64]
Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Asked:
    """Rows that are looked up: number of the history (-1: none), of the hand, of the action, for one seat.

    alias  another action that may be meant where the first has no row; -1: none
    """

    seat: int
    history: Longs
    hand: Longs
    action: Longs
    alias: Longs


@dataclass(slots=True)
class Profile:
    """The rows of a file in the order of their keys, and which of them were asked for.

    key        int64 [rows], increasing; line: where a row stands in the file, as ``place`` tells it
    histories  the number of each history; texts: the same the other way
    """

    names: Names
    source: Source
    key: Longs
    frequency: Doubles
    line: Longs
    histories: dict[str, int]
    used: Flags

    def __len__(self) -> int:
        return len(self.key)

    def place(self, line: int) -> str:
        """Where a row stands, for the beginning of a sentence."""
        return self.source.place(line)

    def keys(self, seat: int, history: Longs, hand: Longs, action: Longs) -> Longs:
        """The keys of rows; negative where the history is none."""
        return self.names.key(history, seat, hand, action)

    def take(self, asked: Asked) -> Doubles:
        """The frequencies of some rows, NaN where there is none; these rows count as used."""
        found = self.lookup(self.keys(asked.seat, asked.history, asked.hand, asked.action))
        other = self.lookup(self.keys(asked.seat, asked.history, asked.hand, asked.alias))
        row = np.where((found < 0) & (asked.alias >= 0), other, found)
        self.used[row[row >= 0]] = True
        return np.where(row >= 0, self.frequency[row], np.nan)

    def lookup(self, key: Longs) -> Longs:
        """The row of each key, -1 where there is none."""
        row = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[row] == key, row, -1)

    def first_line(self, seat: int, history: int, hand: int) -> int:
        """The first line of an information set."""
        low, high = self.names.key(np.array([history, history]), seat, np.array([hand, hand + 1]), np.zeros(2, int))
        rows = slice(*np.searchsorted(self.key, [low, high]).tolist())
        return int(self.line[rows].min())


def read_profile(path: Path, names: Names) -> Profile:
    """Read a csv or parquet file of rows; FileError when it cannot be read, UsageError names the line and the value."""
    source = read_source(path)
    frame = read_table(source, COLUMNS)
    reader = Reader(source, frame)
    hand, seat = reader.numbers("hand", names.hand), reader.numbers("seat", seat_number)
    action, texts = reader.numbers("action", names.action), reader.texts("history", names.history)
    histories = {text: number for number, text in enumerate(dict.fromkeys(texts.values()))}
    history = reader.replaced("history", {text: histories[told] for text, told in texts.items()})
    frequency = reader.frequencies()
    key = names.key(history, seat, hand, action)
    order = np.argsort(key, kind="stable")
    line = frame[LINE].to_numpy().astype(np.int64)[order]
    key = key[order]
    twice = np.flatnonzero(key[1:] == key[:-1]) + 1
    if len(twice):
        row = int(twice[np.argmin(line[twice])])
        raise UsageError(
            f"{source.place(int(line[row]))} repeats {source.place(int(line[row - 1])).lower()}; keep one of them."
        )
    return Profile(names, source, key, frequency[order], line, histories, np.zeros(len(key), np.bool_))


@dataclass(frozen=True, slots=True)
class Reader:
    """Columns of text turned into numbers, every different text once."""

    source: Source
    frame: polars.DataFrame

    def texts(self, column: str, read: Callable[[str], str]) -> dict[str, str]:
        """What each text of a column is read as; UsageError names the line of the first that cannot be."""
        return dict(self.each(column, read))

    def numbers(self, column: str, read: Callable[[str], int]) -> Longs:
        """The numbers a column is read as."""
        return self.replaced(column, dict(self.each(column, read)))

    def each(self, column: str, read: Callable[[str], Read]) -> Iterable[tuple[str, Read]]:
        """Every different text and what it is read as."""
        for text in self.column(column).unique(maintain_order=True).to_list():
            try:
                yield text, read(text)
            except UsageError as error:
                raise UsageError(f"{self.source.place(self.line_of(column, text))}: {error}") from error

    def column(self, column: str) -> polars.Series:
        """A column as text; what is empty is the empty text."""
        return self.frame[column].cast(polars.String).fill_null("")

    def line_of(self, column: str, text: str) -> int:
        """The first line with a text."""
        return int(self.frame[LINE].filter(self.column(column) == text)[0])

    def replaced(self, column: str, numbers: dict[str, int]) -> Longs:
        """A column with its texts replaced."""
        series = self.column(column).replace_strict(list(numbers), list(numbers.values()), return_dtype=polars.Int64)
        return series.to_numpy().astype(np.int64, copy=False)

    def frequencies(self) -> Doubles:
        """The frequencies; UsageError names the first that is no number from 0 to 1."""
        series = self.frame["frequency"]
        if series.dtype == polars.String:
            text = series.fill_null("").str.strip_chars().str.replace(r"^([+-]?[0-9]*),([0-9]+)$", "$1.$2")
            series = text.cast(polars.Float64, strict=False)
            broken = {one: fraction(one) for one in text.filter(series.is_null()).unique().to_list()}
            if broken:
                series = series.fill_null(text.replace_strict(list(broken), list(broken.values()), default=None))
        number = series.cast(polars.Float64).fill_null(float("nan")).to_numpy()
        bad = np.flatnonzero(~((number >= -SLACK) & (number <= 1.0 + SLACK)))
        if len(bad):
            row = int(bad[0])
            told, line = self.frame["frequency"][row], int(self.frame[LINE][row])
            shown = "" if told is None else told
            raise UsageError(f"{self.source.place(line)}: '{shown}' is no frequency; a number from 0 to 1 is.")
        clipped: Doubles = np.clip(number, 0.0, 1.0)
        return clipped


def fraction(text: str) -> float | None:
    """A fraction such as 1/3, as exact programs write them."""
    parts = re.fullmatch(r"([0-9]+) ?/ ?([0-9]+)", text)
    return int(parts[1]) / int(parts[2]) if parts and len(text) < 1000 and int(parts[2]) else None


def seat_number(text: str) -> int:
    """0 for the elder, 1 for the dealer."""
    word = text.strip().lower()
    if word not in SEAT_NAMES:
        raise UsageError(f"'{text}' is no seat; the seats are {' and '.join(SEAT_NAMES)}.")
    return SEAT_NAMES.index(word)
