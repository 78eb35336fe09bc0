"""`table` on the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from cli import exits


def test_a_row_a_hand(run: Any, small_folder: Path) -> None:
    rows = json.loads(run("table", str(small_folder), "--json").out)
    assert len(rows) == 10
    assert list(rows[0]) == ["hand", "raise", "rest", "7", "8", "A", "value", "best", "edge", "reach", "arrival"]
    assert rows[0]["hand"] == "7 7 7"
    assert rows[0]["8"] is None


def test_formats_agree(run: Any, small_folder: Path) -> None:
    whole = json.loads(run("table", str(small_folder), "--json").out)
    text = run("table", str(small_folder), "--format", "csv").out
    assert [row["hand"] for row in csv.DictReader(io.StringIO(text))] == [row["hand"] for row in whole]
    assert "| 7 7 7 |" in run("table", str(small_folder), "--format", "markdown").out
    assert "%" in run("table", str(small_folder)).out


def test_rows_hardly_ever_reached_are_hidden_and_counted(run: Any, small_folder: Path) -> None:
    words = ("table", str(small_folder), "--history", "8 raise", "--json")
    some, every = run(*words), run(*words, "--all")
    hidden = len(json.loads(every.out)) - len(json.loads(some.out))
    assert hidden > 0
    assert f"{hidden} hands hardly ever reached are left out; --all shows them." in some.err
    assert "left out" not in every.err


def test_where_and_sort(run: Any, small_folder: Path) -> None:
    words = ("--where", "value > 0", "--sort", "raise", "--json")
    rows = json.loads(run("table", str(small_folder), *words).out)
    assert rows
    assert all(row["value"] > 0 for row in rows)
    assert [row["raise"] for row in rows] == sorted((row["raise"] for row in rows), reverse=True)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--where", "nope > 1"], ["'nope'", "raise"]),
        (["--where", "value >"], ["no condition"]),
        (["--sort", "nope"], ["'nope'", "hand"]),
        (["--history", "7 8 A raise fold"], ["over"]),
        (["--history", "raise raise"], ["position 7"]),
    ],
)
def test_bad_input(run: Any, small_folder: Path, words: list[str], parts: list[str]) -> None:
    done = run("table", str(small_folder), *words)
    assert done.code == exits.USAGE
    assert done.out == ""
    assert done.err.count("\n") == 1
    for part in parts:
        assert part in done.err
