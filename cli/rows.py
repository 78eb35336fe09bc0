"""Rows as text: plain values, CSV, Markdown and JSON, without printing anything."""

from __future__ import annotations

import csv
import dataclasses
import enum
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

Row = Mapping[str, Any]


class Column(NamedTuple):
    """How a column is shown to people; scripts get the key and the full value.

    key: name in the row and in csv, json, parquet. heading: printed above the column ("" prints the key).
    form: format specification of its numbers, such as ".3f", "+.4f", ".1%" or ",d" ("" picks six digits).
    """

    key: str
    heading: str = ""
    form: str = ""

    @property
    def title(self) -> str:
        """What stands above the column."""
        return self.heading or self.key.replace("_", " ")


def plain(value: Any) -> Any:
    """The value in JSON's own types: numpy values, paths, enums, dataclasses and data frames unwrapped.

    JSON has no NaN and no infinity; they become None.
    """
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, PurePath):
        return str(value)
    for unwrap in ("to_dicts", "tolist", "item"):
        if hasattr(value, unwrap):
            return plain(getattr(value, unwrap)())
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return str(value)


def columns_of(rows: Sequence[Row], wanted: Sequence[Column | str] | None) -> list[Column]:
    """The columns to show: the wanted ones, else every key in order of first appearance."""
    if wanted is not None:
        return [Column(one) if isinstance(one, str) else one for one in wanted]
    return [Column(key) for key in dict.fromkeys(key for row in rows for key in row)]


def cell(value: Any, form: str = "") -> str:
    """One value as people read it: six digits, yes and no, "" for what is missing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        if form:
            return format(value, form)
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    if isinstance(value, list):
        return " ".join(cell(item, form) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {cell(item, form)}" for key, item in value.items())
    return str(value)


def is_table(value: Any) -> bool:
    """Whether a plain value is a list of rows."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def flat_rows(data: Any) -> list[dict[str, Any]]:
    """The rows of a plain value, for formats that know only rows: of a mapping with one table, that table."""
    if isinstance(data, list):
        return data
    inner = [value for value in data.values() if is_table(value)]
    return inner[0] if len(inner) == 1 else [data]


def as_json(data: Any, *, ascii_only: bool = False) -> str:
    """The plain value as JSON: a mapping over several lines, a list of rows a line each."""
    if isinstance(data, list):
        lines = [json.dumps(item, ensure_ascii=ascii_only, allow_nan=False) for item in data]
        return "[" + ",".join(f"\n  {line}" for line in lines) + ("\n]\n" if lines else "]\n")
    return json.dumps(data, ensure_ascii=ascii_only, allow_nan=False, indent=2) + "\n"


def as_csv(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    """The rows as CSV with a header of keys; lists and mappings inside a cell are JSON."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.key for column in columns])
    for row in rows:
        writer.writerow([_csv_cell(row.get(column.key)) for column in columns])
    return text.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def as_markdown(rows: Sequence[Row], columns: Sequence[Column], title: str = "") -> str:
    """The rows as a Markdown table, numbers to the right."""
    lines = [f"**{_escaped(title)}**", ""] if title else []
    lines.append("| " + " | ".join(_escaped(column.title) for column in columns) + " |")
    lines.append("|" + "|".join("---:" if is_number(rows, column) else "---" for column in columns) + "|")
    for row in rows:
        cells = (_escaped(cell(row.get(column.key), column.form)) for column in columns)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """What Markdown would read as more than text with a backslash before it."""
    return re.sub(r"[\\`*\[\]<>|~]|(?<!\w)_|_(?!\w)|&(?=[#\w]+;)", r"\\\g<0>", text.replace("\n", " "))


def is_number(rows: Sequence[Row], column: Column) -> bool:
    """Whether the column holds numbers only, and so stands to the right."""
    values = [row.get(column.key) for row in rows]
    held = [value for value in values if value is not None]
    return bool(held) and all(type(value) in (int, float) for value in held)


def naming(rows: Sequence[Row], columns: Sequence[Column]) -> int:
    """How many of the first columns say what a row is about: those before the first with a measured number."""
    measured = [any(isinstance(row.get(column.key), float) for row in rows) for column in columns]
    return max(measured.index(True) if True in measured else len(columns), 1)
