"""`export` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli import exits


def test_json_by_the_name_of_the_file(run: Any, small_folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "new" / "rows.json"
    done = run("export", str(small_folder), "--out", str(place), "--min-reach", "0.001")
    assert done.code == exits.DONE, done.err
    rows = json.loads(place.read_text())
    assert f"Wrote {len(rows):,} rows to {place}" in done.err
    assert list(rows[0]) == ["history", "seat", "hand", "action", "frequency", "reach", "ev"]
    assert done.out == ""


def test_format_goes_before_the_name(run: Any, small_folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "rows.dat"
    assert run("export", str(small_folder), "--out", str(place), "--format", "csv", "--quiet").err == ""
    assert place.read_text().startswith("history,seat,hand,action,frequency,reach,ev\n")


@pytest.mark.parametrize(
    ("words", "code", "parts"),
    [
        (["--out", "x.efg"], exits.USAGE, ["efg", "name a rule set"]),
        (["--out", "x.csv", "--format", "parket"], exits.USAGE, ["'parket'", "Did you mean 'parquet'?"]),
        (["--out", "x.dat"], exits.USAGE, ["'x.dat'", "--format"]),
        (["--out", "x.csv", "--min-reach", "2"], exits.USAGE, ["'2'", "from 0 to 1"]),
        (["--out", "x.csv", "--min-reach", "1"], exits.USAGE, ["the largest is"]),
        (["--out", "/dev/null/x.csv"], exits.FILE, ["/dev/null/x.csv", "cannot be written"]),
        ([], exits.USAGE, ["--out"]),
    ],
)
def test_bad_input(
    run: Any,
    small_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    code: int,
    parts: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("export", str(small_folder), *words)
    assert done.code == code, done.err
    assert done.err.count("\n") == 1
    for part in parts:
        assert part in done.err
    assert list(tmp_path.iterdir()) == []
