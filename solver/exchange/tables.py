"""Tables that other programs wrote, read from bytes: csv in the forms that spreadsheets give it, and parquet.

A line of a csv file is a row: line breaks inside a field are refused, so that a quote that is never closed swallows
nothing. The bytes are read once, so that what is hashed is what is read, whatever signs the name of the file has.
"""

from __future__ import annotations

import codecs
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars

from solver.errors import FileError, UsageError, near
from solver.reading import unreadable

FORMATS = (".csv", ".parquet")
#: the column that says where a row stands
LINE = "line"
SEPARATORS, UNIT = (b",", b";", b"\t"), b"\x1f"
#: byte-order marks, and the encodings they tell of
MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
PARQUET = b"PAR1"
QUOTE, END = 34, 10


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file of rows; ``kind`` is the ending of its name."""

    path: Path
    kind: str
    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.content).hexdigest()

    def place(self, line: int) -> str:
        """As "Line 7 of 'rows.csv'"; parquet files have rows."""
        return f"{'Line' if self.kind == '.csv' else 'Row'} {line} of '{self.path.name}'"

    def unreadable(self, why: str) -> FileError:
        """The error for a file that is not what its name says."""
        return FileError(f"'{self.path}' cannot be read as {self.kind[1:]} ({why}).")


def read_source(path: Path) -> Source:
    """The bytes of a csv or parquet file; UsageError for another ending, FileError when there are none."""
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise UsageError(f"'{path}' is no file of rows: its name must end in {' or '.join(FORMATS)}.")
    try:
        return Source(path, kind, path.read_bytes())
    except (FileNotFoundError, IsADirectoryError) as error:
        raise FileError(f"There is no file '{path}'; name a csv or parquet file of rows.") from error
    except OSError as error:
        raise unreadable(path, error) from error


def read_table(source: Source, columns: Sequence[str]) -> polars.DataFrame:
    """These columns of a table and ``LINE``, where each row stands; rows with nothing in them are left out.

    FileError when it cannot be read, UsageError when a column is missing or holds no texts and numbers.
    """
    frame = csv_frame(source, columns) if source.kind == ".csv" else parquet_frame(source, columns)
    filled = [polars.col(name).cast(polars.String).fill_null("").str.strip_chars() != "" for name in columns]
    frame = frame.filter(polars.any_horizontal(filled))
    if frame.height == 0:
        raise UsageError(f"'{source.path.name}' has no rows.")
    return frame


def check_columns(source: Source, given: Sequence[str], wanted: Sequence[str]) -> None:
    """UsageError for a column that is missing or there twice."""
    for name in wanted:
        if given.count(name) != 1:
            what = "no column" if name not in given else "more than one column"
            hint = near(name, given) if name not in given else ""
            raise UsageError(
                f"'{source.path.name}' has {what} '{name}'; a profile has the columns {', '.join(wanted)}.{hint}"
            )


def parquet_frame(source: Source, columns: Sequence[str]) -> polars.DataFrame:
    """The columns of a parquet file."""
    if not source.content.startswith(PARQUET) or not source.content.endswith(PARQUET):
        raise source.unreadable("it is damaged or another file")
    try:
        given = polars.read_parquet_schema(io.BytesIO(source.content))
        check_columns(source, list(given), columns)
        frame = polars.read_parquet(io.BytesIO(source.content), columns=list(columns))
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        raise source.unreadable("it is damaged or another file") from error
    for name in columns:
        kind = frame.schema[name]
        if kind.is_nested() or kind in (polars.Binary, polars.Object, polars.Boolean) or kind.is_temporal():
            raise UsageError(
                f"The column '{name}' of '{source.path.name}' holds {str(kind).lower()}; a profile has texts, and "
                "numbers for frequencies."
            )
    return frame.select(columns).with_row_index(LINE, 1)


def csv_frame(source: Source, columns: Sequence[str]) -> polars.DataFrame:
    """The columns of a csv file as texts; the separator is the one that its first line has most of."""
    content, before = plain_text(source)
    if not content.strip():
        raise source.unreadable("it is empty")
    header = content.partition(b"\n")[0]
    separator = max(SEPARATORS, key=header.count)
    if b'"' in content:
        content, separator = without_quotes(source, content, before, separator), UNIT
        header = content.partition(b"\n")[0]
    try:
        frame = polars.read_csv(
            io.BytesIO(content), separator=separator.decode(), quote_char=None, infer_schema=False
        )
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException) as error:
        raise broken(source, content, before, separator) from error
    given = [name.strip() for name in header.decode().split(separator.decode())]
    check_columns(source, given, columns)
    chosen = [polars.nth(given.index(name)).alias(name) for name in columns]
    return frame.select(chosen).with_row_index(LINE, before + 2)


def plain_text(source: Source) -> tuple[bytes, int]:
    """A csv file in UTF-8 with line feeds, empty lines before its first left out; and how many these were."""
    content, encoding = source.content, "utf-8"
    for mark, told in MARKS:
        if content.startswith(mark):
            content, encoding = content[len(mark) :], told
            break
    else:
        if b"\0" in content[:2]:
            encoding = "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
    if encoding != "utf-8":
        try:
            content = content.decode(encoding).encode()
        except UnicodeDecodeError as error:
            raise source.unreadable(f"it is not text in {encoding.upper()}; save it in UTF-8") from error
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    if not content.endswith(b"\n"):  # without it an empty field in quotes is read as a quote
        content += b"\n"
    rest = content.lstrip(b"\r\n")
    return rest, content[: len(content) - len(rest)].count(b"\n")


def without_quotes(source: Source, content: bytes, before: int, separator: bytes) -> bytes:
    """A csv file with its quotes left out, and ``UNIT`` for the separators that are not within quotes.

    Polars reads some empty fields in quotes as a quote. FileError for a quote that is not closed on its line, since
    line breaks in a field are not read, and for one in the middle of a field.
    """
    signs = np.frombuffer(content, np.uint8)
    quotes, ends = np.flatnonzero(signs == QUOTE), np.flatnonzero(signs == END)
    odd = np.flatnonzero(np.searchsorted(quotes, ends) % 2)
    if len(odd):
        why = "has a quote that is not closed there, and a field holds no line break; close it or leave it out"
        raise source.unreadable(f"line {int(odd[0]) + 1 + before} {why}")
    beside = np.append(signs[quotes[::2] - 1], signs[quotes[1::2] + 1])
    beside[0] = END if quotes[0] == 0 else beside[0]
    stray = np.flatnonzero(~np.isin(beside, [QUOTE, END, ord("\r"), separator[0]])) % len(quotes[::2])
    if len(stray):
        line = int(np.searchsorted(ends, quotes[::2][stray.min()])) + 1 + before
        raise source.unreadable(f"line {line} has a quote within a field; quote the whole field")
    within = np.bitwise_xor.accumulate(signs == QUOTE)
    plain = np.where((signs == separator[0]) & ~within, UNIT[0], signs)
    return bytes(plain[signs != QUOTE])


def broken(source: Source, content: bytes, before: int, separator: bytes) -> FileError:
    """What is wrong with a csv file: its first line that is no text, or has more fields than the first."""
    fields = 0
    for number, line in enumerate(content.split(b"\n"), before + 1):
        try:
            line.decode()
        except UnicodeDecodeError:
            return source.unreadable(f"line {number} is not text in UTF-8; save the file in UTF-8")
        here = line.count(separator) + 1
        fields = fields or here
        if here > fields:
            return source.unreadable(
                f"line {number} has {here} fields, the first line {fields}; a field with a separator in it, such as a "
                "decimal comma, stands in quotes"
            )
    return source.unreadable("it is damaged or another file")
