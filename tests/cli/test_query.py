"""`query` and TARGET on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli import exits
from tests.conftest import SMALL


def test_promised_keys(run: Any, small_folder: Path) -> None:
    done = run("query", str(small_folder), "--hand", "7 8 A", "--history", "7 8", "--json")
    told = json.loads(done.out)
    assert done.code == exits.DONE
    assert {"hand", "history", "to_act", "reach", "value", "actions", "unit", "exploitability"} <= told.keys()
    assert {"action", "frequency", "ev", "loss"} <= told["actions"][0].keys()
    assert (told["to_act"], told["hand"], told["history"]) == ("elder", "7 8 A", "7 8")
    assert sum(one["frequency"] for one in told["actions"]) == pytest.approx(1)


def test_people_get_percent_losses_and_a_headline(run: Any, small_folder: Path) -> None:
    done = run("query", str(small_folder), "--hand", "78A")
    assert "truc (ranks=7 8 A; ladder=1 2) at 0-0, unit points, exploitability" in " ".join(done.out.split())
    assert "%" in done.out
    assert "loss" in done.out


def test_french(run: Any, small_folder: Path) -> None:
    assert "relance" in run("query", str(small_folder), "--hand", "78A", "--lang", "fr").out


def test_csv_is_a_row_an_action(run: Any, small_folder: Path) -> None:
    lines = run("query", str(small_folder), "--hand", "7 8 A", "--format", "csv").out.splitlines()
    assert lines[0] == "action,frequency,ev,loss,mark"
    assert len(lines) > 3


def test_a_rule_set_finds_the_nearest_solution_and_says_so(run: Any, small_folder: Path) -> None:
    words = ("query", "truc", *SMALL, "--hand", "7 8 A", "--results", str(small_folder.parent), "--json")
    same = run(*words)
    assert f"Using {small_folder}." in same.err
    other = run(*words, "--score", "3-4")
    assert "it is of another score, 0-0 and not 3-4" in other.err
    assert json.loads(other.out)["score"] == "0-0"
    assert run(*words, "--score", "3-4", "--quiet").err == ""


def test_a_game_never_solved_is_solved_first(run: Any, tmp_path: Path) -> None:
    words = ("query", "truc", "--set", "ranks=2", "--set", "ladder=1", "--hand", "778", "--results", str(tmp_path))
    done = run(*words, "--json")
    assert done.code == exits.DONE, done.err
    assert "solving it first" in done.err
    assert "Stopped: target reached" in done.err
    again = run(*words, "--json")
    assert "Using" in again.err
    assert {**json.loads(again.out), "path": ""} == {**json.loads(done.out), "path": ""}


def test_trut_windows_show_the_card_that_follows(run: Any, tmp_path: Path) -> None:
    words = ("query", "trut", "--set", "ranks=3", "--hand", "7 8 A", "--results", str(tmp_path))
    told = json.loads(run(*words, "--json").out)
    assert [one["action"] for one in told["actions"]] == ["silent", "trut"]
    assert told["then"]["history"] == "silent silent"
    assert {one["action"] for one in told["then"]["actions"]} == {"7", "8", "A"}
    direct = json.loads(run(*words, "--history", "silent silent", "--json").out)
    assert direct["actions"] == told["then"]["actions"]
    assert "then, if nobody speaks" in run(*words).out


@pytest.mark.parametrize(
    ("words", "code", "parts"),
    [
        (["--hand", "7 8"], exits.USAGE, ["has 2 cards", "3"]),
        (["--hand", "7 8 A A"], exits.USAGE, ["has 4 cards"]),
        (["--hand", "7 7 7 7 7"], exits.USAGE, ["has 5 cards", "5 times 7", "only 4"]),
        (["--hand", "7 8 K"], exits.USAGE, ["'K' at position 5", "not in this deck", "7 8 A"]),
        (["--hand", "7 8 X"], exits.USAGE, ["'X'", "not a card"]),
        (["--hand", "7 8 A", "--history", "7 call"], exits.USAGE, ["position 3", "'call'"]),
        (["--hand", "7 8 A", "--history", "K"], exits.USAGE, ["'K' at position 1"]),
        (["--hand", "7 8 A", "--history", "7 8 9"], exits.USAGE, ["'9' at position 5"]),
        (["--hand", "8 8 A", "--history", "7 8"], exits.USAGE, ["lacks 7"]),
        (["--hand", "7 8 A", "--history", "raise fold"], exits.USAGE, ["over"]),
        (["--hand", "7 8 A", "--score", "3-4"], exits.FILE, ["solved at 0-0, not at 3-4"]),
        (["--hand", "7 8 A", "--score", "12-3"], exits.USAGE, ["12-3"]),
        (["--hand", "7 8 A", "--set", "ranks=3"], exits.USAGE, ["--set"]),
        (["--hand", "7 8 A", "--lang", "de"], exits.USAGE, ["de", "en", "fr"]),
        ([], exits.USAGE, ["--hand"]),
    ],
)
def test_bad_input(run: Any, small_folder: Path, words: list[str], code: int, parts: list[str]) -> None:
    done = run("query", str(small_folder), *words)
    assert done.code == code, done.err
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert done.err.endswith((".\n", ")\n", "?\n"))
    for part in parts:
        assert part in done.err


@pytest.mark.parametrize(
    ("target", "code", "part"),
    [
        ("trucc", exits.USAGE, "Did you mean 'truc'?"),
        ("no/such/folder", exits.FILE, "no folder 'no/such/folder'"),
        ("README.md", exits.FILE, "README.md"),
    ],
)
def test_bad_targets(run: Any, target: str, code: int, part: str) -> None:
    done = run("query", target, "--hand", "7 8 A")
    assert done.code == code
    assert part in done.err


def test_a_bad_hand_is_found_before_anything_is_solved(run: Any, tmp_path: Path) -> None:
    done = run("query", "truc", "--set", "ranks=4", "--hand", "7 8 9", "--results", str(tmp_path))
    assert done.code == exits.USAGE
    assert list(tmp_path.iterdir()) == []


def test_the_command_answers_a_last_card(run: Any, small_folder: Path) -> None:
    done = run("query", str(small_folder), "--hand", "7 8 A", "--history", "7 7 8 8 raise call", "--why", "--json")
    assert done.code == exits.DONE
    told = json.loads(done.out)
    assert [one["action"] for one in told["actions"]] == ["A"]
    assert told["why"]["sentences"][0].startswith("There is only A to do")
