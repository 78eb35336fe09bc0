"""`stats` on the command line."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli import exits

FIGURES = ["offered", "chosen", "frequency", "value", "loss", "folded", "defence", "minimum_defence", "bluff"]


def test_rows_carry_reach_value_and_what_bets_meet(run: Any, small_folder: Path) -> None:
    done = run("stats", str(small_folder), "--json")
    rows = json.loads(done.out)
    assert done.code == exits.DONE
    assert done.err == ""
    assert list(rows[0]) == ["seat", "trick", "word", *FIGURES, "marks"]
    opening = {row["word"]: row for row in rows if row["seat"] == "elder" and row["trick"] == 1}
    assert opening["silent"]["offered"] == pytest.approx(1.0)
    assert opening["raise"]["minimum_defence"] == pytest.approx(2 / 3)
    assert opening["fold"]["folded"] is None
    assert 0.0 <= opening["raise"]["bluff"] <= 1.0


def test_formats_agree(run: Any, small_folder: Path, tmp_path: Path) -> None:
    words = ("stats", str(small_folder), "--by", "class,seat")
    whole = json.loads(run(*words, "--format", "json").out)
    table = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)))
    assert list(table[0]) == ["seat", "class", "word", *FIGURES, "mark"]
    assert [row["class"] for row in table] == [row["class"] for row in whole]
    assert [float(row["chosen"]) for row in table] == pytest.approx([row["chosen"] for row in whole])
    assert {"brelan", "77x", "7x"} <= {row["class"] for row in whole}
    assert "| brelan |" in run(*words, "--format", "markdown").out
    assert run(*words, "--out", str(tmp_path / "s.parquet")).code == exits.DONE
    assert "at 0-0, unit points, exploitability" in run(*words).out


def test_history_and_score(run: Any, small_folder: Path) -> None:
    rows = json.loads(run("stats", str(small_folder), "--by", "history,score", "--json").out)
    histories = [row["history"] for row in rows]
    assert histories[0] == ""
    assert {"*", "raise", "* raise call * *"} <= set(histories)
    assert {row["score"] for row in rows} == {"0-0"}


def test_a_match_folder_is_counted_score_by_score(run: Any, small_folder: Path, tmp_path: Path) -> None:
    for score in ("0-0", "3-4"):
        shutil.copytree(small_folder, tmp_path / "states" / score)
    rows = json.loads(run("stats", str(tmp_path), "--by", "word", "--json").out)
    assert list(rows[0])[:2] == ["score", "word"]
    assert len(rows) == 10
    assert "2 scores of truc" in run("stats", str(tmp_path)).out
    refused = run("stats", str(tmp_path), "--score", "3-4")
    assert refused.code == exits.USAGE
    assert "leave out --set and --score" in refused.err


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--by", "seats"], ["'seats'", "Did you mean 'seat'?", "score, seat, trick"]),
        (["--score", "12-3"], ["12-3"]),
        (["--json", "--format", "csv"], ["contradict"]),
    ],
)
def test_bad_input(run: Any, small_folder: Path, words: list[str], parts: list[str]) -> None:
    done = run("stats", str(small_folder), *words)
    assert done.code == exits.USAGE
    assert done.out == ""
    assert done.err.count("\n") == 1
    for part in parts:
        assert part in done.err
