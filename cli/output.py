"""The only printer: data on stdout, everything else on stderr.

`emit` prints rows or a mapping in the format the user asked for; `note`, `warn` and `error` are one-line
messages. Nothing else in the program writes to a stream, except the progress line.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

from cli import layout, rows
from cli.rows import Column
from cli.streams import escaped, is_unicode, while_read

if TYPE_CHECKING:
    from rich.console import Console

Format = Literal["table", "csv", "json", "markdown", "parquet"]
FORMATS: tuple[Format, ...] = ("table", "csv", "json", "markdown", "parquet")
NARROWEST, WIDEST = 60, 200

_SUFFIXES: dict[str, Format] = {
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".md": "markdown",
    ".parquet": "parquet",
}


def emit(
    data: Any,
    *,
    json: bool = False,
    format: Format | None = None,
    out: Path | None = None,
    title: str = "",
    columns: Sequence[Column | str] | None = None,
) -> None:
    """Print rows (mappings, or a data frame) or one mapping on stdout, or write them to `out`.

    json is the option --json; format is --format, by default what the suffix of `out` says, else a table.
    `columns` picks and orders the columns (csv, table, markdown, parquet); table and markdown also follow
    their headings and number formats. A mapping is shown a line a key, and rows inside it as a table.
    Raises UsageError if the options contradict each other, OSError if `out` cannot be written.
    """
    kind = _chosen(json, format, out)
    values = rows.plain(data)
    with while_read() if out is None else contextlib.nullcontext():
        if kind == "parquet":
            table = rows.flat_rows(values)
            _deliver(_parquet(table, rows.columns_of(table, columns)), out)
        elif out is not None or (kind in ("csv", "markdown") and not (is_unicode(sys.stdout) or sys.stdout.isatty())):
            buffer = io.StringIO()
            _write(buffer, kind, values, (title, columns))
            _deliver(buffer.getvalue().encode("utf-8", "backslashreplace"), out)
        else:
            _write(sys.stdout, kind, values, (title, columns))


def text(message: str) -> None:
    """Print a line of data that is not a table, such as the version."""
    sys.stdout.write(f"{message}\n")


def note(message: str, *, quiet: bool = False) -> None:
    """Tell something on stderr that is neither data nor a failure, unless quiet."""
    if not quiet:
        _tell(message)


def warn(message: str) -> None:
    """Tell on stderr what works less well than it should."""
    _tell(f"warning: {message}")


def error(sentence: str) -> None:
    """Tell on stderr, in one sentence, why the run ends."""
    _tell(f"error: {sentence}")


def show_warning(message: Warning | str, *_details: Any, **_more: Any) -> None:
    """Stands in for `warnings.showwarning`: the sentence without the source line."""
    warn(str(message))


def _tell(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{escaped(line)}\n")
        sys.stderr.flush()


def _chosen(json: bool, format: Format | None, out: Path | None) -> Format:
    """The format the options ask for together."""
    from solver.errors import UsageError

    if json and format not in (None, "json"):
        raise UsageError(f"--json and --format {format} contradict each other; give one of them.")
    kind: Format | None = "json" if json else format
    if kind is None and out is not None:
        kind = _SUFFIXES.get(out.suffix.lower())
        if kind is None:
            raise UsageError(
                f"The format of {str(out)!r} is not clear from its name: end it in {', '.join(_SUFFIXES)}, "
                f"or give --format {'|'.join(FORMATS)}."
            )
    if kind == "parquet" and out is None and sys.stdout.isatty():
        raise UsageError("Parquet is not text: name a file with --out, or send stdout to one.")
    return kind or "table"


def _write(
    stream: TextIO, kind: Format, values: Any, look: tuple[str, Sequence[Column | str] | None]
) -> None:
    """Write plain values as text; look is the title and the columns asked for."""
    title, wanted = look
    if kind == "json":
        stream.write(rows.as_json(values, ascii_only=not is_unicode(stream)))
        return
    if kind == "csv":
        table = rows.flat_rows(values)
        stream.write(rows.as_csv(table, rows.columns_of(table, wanted)))
        return
    if values == [] and kind == "table":
        note("There is nothing to show.")
    elif isinstance(values, list):
        _write_table(stream, kind, values, (title, rows.columns_of(values, wanted)))
    else:
        _write_mapping(stream, kind, values, look)


def _write_mapping(
    stream: TextIO, kind: Format, values: rows.Row, look: tuple[str, Sequence[Column | str] | None]
) -> None:
    """A mapping with its tables: `columns` are those of its table if there is one, else its own."""
    title, wanted = look
    facts = {key: value for key, value in values.items() if not rows.is_table(value)}
    inner = {key: value for key, value in values.items() if rows.is_table(value)}
    _write_facts(stream, kind, facts, (title, rows.columns_of([facts], None if inner else wanted)))
    for key, table in inner.items():
        stream.write("\n")
        heading = "" if len(inner) == 1 else key
        _write_table(
            stream, kind, table, (heading, rows.columns_of(table, wanted if len(inner) == 1 else None))
        )


def _write_facts(stream: TextIO, kind: Format, facts: rows.Row, look: tuple[str, list[Column]]) -> None:
    """A mapping, a line a key."""
    title, columns = look
    pairs = [(column.title, rows.cell(facts.get(column.key), column.form)) for column in columns]
    if kind == "markdown":
        table = [{"what": key, "value": value} for key, value in pairs]
        stream.write(rows.as_markdown(table, [Column("what", " "), Column("value", " ")], title))
        return
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for key, value in pairs:
        grid.add_row(Text(key), Text(value))
    screen = console(stream)
    if title:
        screen.print(Text(title, style="bold"))
    screen.print(grid)


def _write_table(stream: TextIO, kind: Format, table: list[Any], look: tuple[str, list[Column]]) -> None:
    """Rows, a line a row."""
    title, columns = look
    if kind == "markdown":
        stream.write(rows.as_markdown(table, columns, title))
        return
    headings = [column.title for column in columns]
    cells = [[rows.cell(row.get(column.key), column.form) for row in table] for column in columns]
    right = [rows.is_number(table, column) for column in columns]
    screen = console(stream)
    needs = [layout.sizes(*one) for one in zip(headings, cells, right, strict=True)]
    for number, part in enumerate(layout.parts(needs, screen.width, rows.naming(table, columns))):
        _write_part(screen, part, (headings, cells, right), title if number == 0 else "")


def _write_part(
    screen: Console, part: layout.Part, content: tuple[list[str], list[list[str]], list[bool]], title: str
) -> None:
    """Some columns of a table; content: headings, cells by column, and which columns stand to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    headings, cells, right = content
    padding = (0, part.gap - 2, 0, 1) if part.gap > layout.NARROW_GAP else (0, 1, 0, 0)
    shown = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=padding)
    for column, width in zip(part.columns, part.widths, strict=True):
        justify: Literal["right", "left"] = "right" if right[column] else "left"
        shown.add_column(Text(headings[column]), justify=justify, overflow="fold", width=width)
    for line in zip(*(cells[column] for column in part.columns), strict=True):
        shown.add_row(*map(Text, line))
    screen.print(shown)


def paragraphs(lines: Sequence[str]) -> None:
    """Print sentences, each broken at spaces to the width of the screen."""
    import textwrap

    width = console(sys.stdout).width
    for line in lines:
        text("\n".join(textwrap.wrap(line, width)))


def console(stream: TextIO) -> Console:
    """A console on the stream, as wide as the terminal within 60 to 200, in colour only on a terminal.

    A pipe or a file has no width, so it gets the widest: nothing is folded there that need not be.
    """
    from rich.console import Console

    terminal = stream.isatty() if hasattr(stream, "isatty") else False
    asked = os.environ.get("COLUMNS", "")
    columns = int(asked) if asked.isdecimal() else shutil.get_terminal_size().columns if terminal else WIDEST
    width = min(max(columns, NARROWEST), WIDEST)
    return Console(file=stream, width=width, highlight=False, emoji=False, markup=False)


def _parquet(table: list[dict[str, Any]], columns: Sequence[Column]) -> bytes:
    """The rows as a parquet file."""
    import polars

    keys = [column.key for column in columns]
    frame = polars.DataFrame([{key: row.get(key) for key in keys} for row in table], infer_schema_length=None)
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _deliver(content: bytes, out: Path | None) -> None:
    """Write to stdout or to `out`, whole or not at all."""
    if out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    from solver.files import write_bytes
    from solver.places import plain_file

    write_bytes(out, content)
    if plain_file(out) is not None:
        note(f"Wrote {out}")
