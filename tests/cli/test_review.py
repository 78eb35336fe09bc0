"""`review` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli import exits

RECORD = """truc-solve record 1

hand 1
rules: truc
set: ranks=3
set: ladder=1 2
score: 0-0
elder: Anna / 7 7 7
dealer: Bert / 8 8 8
history: 7 raise fold
result: dealer 1 points

hand 2
rules: truc
set: ranks=3
set: ladder=1 2
score: 1-0
elder: Bert / 7 8 A
dealer: Anna / ? ? ?
history: 7 8
result: unfinished
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    place = tmp_path / "evening.txt"
    place.write_text(RECORD)
    return place


def test_people_get_decisions_totals_and_what_lost_most(run: Any, record: Path, small_folder: Path) -> None:
    done = run("review", str(record), "--results", str(small_folder.parent))
    assert done.code == exits.DONE, done.err
    assert "Players" in done.out
    assert "What lost most" in done.out
    assert f"Using {small_folder}" in done.err
    assert "fold" in done.out


def test_json(run: Any, record: Path, small_folder: Path) -> None:
    told = json.loads(run("review", str(record), "--results", str(small_folder.parent), "--json").out)
    assert told.keys() == {"rows", "players"}
    assert {"hand", "player", "action", "value", "best", "best_value", "loss", "judged", "mark"} <= told["rows"][
        0
    ].keys()
    assert {"player", "unit", "hands", "loss", "loss_a_hand", "mistakes"} <= told["players"][0].keys()
    assert [(row["hand"], row["player"]) for row in told["rows"]] == [
        (1, "Anna"),
        (1, "Bert"),
        (1, "Anna"),
        (2, "Bert"),
    ]
    fold = told["rows"][2]
    assert (fold["action"], fold["value"], fold["mistake"]) == ("fold", -1.0, True)
    assert fold["loss"] == pytest.approx(fold["best_value"] + 1.0)


def test_one_player_as_csv(run: Any, record: Path, small_folder: Path) -> None:
    words = ("review", str(record), "--results", str(small_folder.parent), "--format", "csv")
    lines = run(*words, "--for", "Bert").out.splitlines()
    assert lines[0].startswith("hand,score,player,seat,cards,history,action,unit,value,best")
    assert all(",Bert," in line for line in lines[1:])
    wrong = run(*words, "--for", "bret")
    assert wrong.code == exits.USAGE
    assert "Did you mean 'Bert'?" in wrong.err


@pytest.mark.parametrize(
    ("old", "new", "code", "part"),
    [
        ("7 raise fold", "7 raise flod", exits.USAGE, "line 10, column 18: 'flod'"),
        ("7 raise fold", "7 call", exits.USAGE, "line 10, column 12: 'call' is not legal here"),
        ("truc-solve record 1", "poker", exits.FILE, "line 1, column 1"),
    ],
)
def test_errors_name_line_and_column(run: Any, record: Path, old: str, new: str, code: int, part: str) -> None:
    record.write_text(RECORD.replace(old, new))
    done = run("review", str(record))
    assert done.code == code
    assert done.out == ""
    assert part in done.err
    assert done.err.count("\n") == 1


def test_missing_and_empty_files(run: Any, tmp_path: Path) -> None:
    assert run("review", str(tmp_path / "none")).code == exits.FILE
    (tmp_path / "empty").write_text("truc-solve record 1\n")
    done = run("review", str(tmp_path / "empty"))
    assert done.code == exits.DONE
    assert "holds no hands" in done.err
