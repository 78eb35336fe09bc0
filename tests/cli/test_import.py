"""`import` on the command line, and what other commands make of an imported folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli import exits

GAME = ("--rules", "truc", "--set", "ranks=3", "--set", "ladder=1,2")


@pytest.fixture(scope="module")
def rows(small_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of the small solution as csv."""
    from cli.app import main

    place = tmp_path_factory.mktemp("rows") / "rows.csv"
    assert main(["export", str(small_folder), "--out", str(place), "--quiet"]) == exits.DONE
    return place


def test_an_imported_profile_is_judged_queried_and_compared(
    run: Any, small_folder: Path, rows: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "there"
    done = run("import", str(rows), *GAME, "--out", str(folder), "--json")
    assert done.code == exits.DONE, done.err
    told, made = json.loads(done.out), json.loads((small_folder / "run.json").read_text())
    assert told["algorithm"] == "imported"
    assert (told["source"], len(told["source_digest"])) == ("rows.csv", 64)
    assert told["filled"] == 0
    assert told["nash_conv"] == pytest.approx(made["nash_conv"], abs=1e-12)
    assert json.loads((folder / "run.json").read_text())["algorithm"] == "imported"
    judged = json.loads(run("verify", str(folder), "--json").out)
    assert judged["ok"]
    assert judged["nash_conv"] == pytest.approx(made["nash_conv"], abs=1e-12)
    query = ("--hand", "778", "--json")
    mine, theirs = (json.loads(run("query", str(one), *query).out) for one in (folder, small_folder))
    assert mine["actions"] == theirs["actions"]
    compared = json.loads(run("compare", str(folder), str(small_folder), "--json", "--quiet").out)
    assert all(row["difference"] == pytest.approx(0.0, abs=1e-9) for row in compared["rows"])
    assert compared["head_to_head"] is not None


def test_an_imported_folder_answers_only_when_it_is_named(run: Any, rows: Path, tmp_path: Path) -> None:
    from solver.query.locate import nearest
    from solver.rules import catalogue
    from solver.rules.score import start_score
    from solver.solving.order import Question

    rules = catalogue.load("truc", {"ranks": "3", "ladder": "1,2"})
    assert run("import", str(rows), *GAME, "--out", str(tmp_path / "there"), "--quiet").code == exits.DONE
    assert nearest(tmp_path, Question(rules, start_score(rules), "points")) is None


def test_a_worse_profile_is_seen_to_be_worse(run: Any, small_folder: Path, rows: Path, tmp_path: Path) -> None:
    """Always playing the strongest card and never betting: compare names the difference and the loss."""
    lines = rows.read_text().splitlines()
    folder, place = tmp_path / "there", tmp_path / "opening.csv"
    opening = [line.split(",")[:5] for line in lines[1:] if line.startswith(('"",elder', ",elder"))]
    assert opening
    first: set[str] = set()
    kept = [lines[0].rsplit(",", 2)[0]]
    for history, seat, hand, action, _ in opening:
        best = action not in ("raise", "rest") and hand not in first
        first |= {hand} if best else set()
        kept.append(",".join((history, seat, hand, action, str(int(best)))))
    place.write_text("\n".join(kept) + "\n")
    done = run("import", str(place), *GAME, "--out", str(folder), "--json")
    assert "information sets have no row, the first is" in done.err
    assert done.err.count("\n") == 1
    told = json.loads(done.out)
    assert told["filled"] > 0
    assert told["exploitability"] > 0.1
    compared = json.loads(run("compare", str(folder), str(small_folder), "--json", "--quiet").out)
    assert max(row["difference"] for row in compared["rows"]) > 0.3


@pytest.mark.parametrize(
    ("words", "code", "parts"),
    [
        (["rows.csv", *GAME], exits.USAGE, ["--out"]),
        (["rows.csv", "--out", "x"], exits.USAGE, ["--rules"]),
        (["rows.csv", "--rules", "trucc", "--out", "x"], exits.USAGE, ["trucc", "Did you mean 'truc'"]),
        (["none.csv", *GAME, "--out", "x"], exits.FILE, ["There is no file 'none.csv'"]),
        (["rows.csv", *GAME, "--out", "x", "--fill", "zero"], exits.USAGE, ["'zero'", "uniform"]),
        (["rows.csv", *GAME, "--out", "x", "--tolerance", "2"], exits.USAGE, ["'2'", "from 0 to below 1"]),
        (
            ["rows.csv", *GAME, "--out", "x", "--fill", "refuse"],
            exits.USAGE,
            ["no row for the elder", "--fill uniform"],
        ),
        (["rows.csv", "--rules", "trut-mini", "--out", "x"], exits.USAGE, ["Line 2 of 'rows.csv'", "'raise'"]),
        (["rows.csv", *GAME, "--out", "rows.csv"], exits.FILE, ["'rows.csv' is a file"]),
    ],
)
def test_bad_input(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], code: int, parts: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "history,seat,hand,action,frequency\n,elder,7 7 8,raise,1\n"
    (tmp_path / "rows.csv").write_text(text)
    done = run("import", *words)
    assert done.code == code, done.err
    assert done.out == ""
    assert done.err.count("\n") == 1
    for part in parts:
        assert part in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def test_a_solution_is_not_replaced(run: Any, small_folder: Path, rows: Path) -> None:
    before = (small_folder / "run.json").read_bytes()
    done = run("import", str(rows), *GAME, "--out", str(small_folder))
    assert done.code == exits.USAGE
    assert "was not imported" in done.err
    assert (small_folder / "run.json").read_bytes() == before
