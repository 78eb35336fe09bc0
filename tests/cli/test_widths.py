"""Tables from 60 to 200 columns: nothing wider than asked for, no number, hand or word broken, nothing left out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from cli import exits, layout, rows
from cli.app import COMMANDS, load
from cli.output import emit

WIDTHS = [60, 80, 120, 200]
LONG = 24  # words beyond that, paths for the most part, may be broken
RULE = re.compile(r"[─\-|+]+")

# What each command that prints tables is tried with; None: its figures are never twice the same.
CASES: dict[str, list[str] | None] = {
    "rules": ["", "trut", "truc --set ranks=3"],
    "estimate": None,
    "solve": None,
    "match": None,
    "import": None,
    "bench": None,
    "doctor": None,
    "verify": ["{truc}", "{match}"],
    "query": ["{truc} --hand 778 --why", "{trut} --hand 778 --history '8 d:trut' --why --lang fr"],
    "table": ["{truc} --all", "{full} --all", "{trut} --history '7' --all"],
    "stats": ["{truc}", "{trut} --by seat,class,history", "{match}"],
    "compare": ["{truc} {truc}", "{truc} {other} --rows 5", "{trut} {fortial}"],
    "equity": ["{match}"],
    "review": ["{record} --results {results} --quiet"],
}


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight ranks, one copy each, one raise: as many columns as the full game has, in less time."""
    from cli.app import main

    folder = tmp_path_factory.mktemp("full") / "truc"
    words = ["--set", "copies=1", "--set", "ladder=1,2", "--score", "10-10", "--max-iterations", "3"]
    assert main(["solve", "truc", *words, "--quiet", "--out", str(folder)]) == exits.TARGET_NOT_REACHED
    return folder


def prints_tables(name: str) -> bool:
    return name != "export" and any("--json" in parameter.opts for parameter in load(name).params)


def cases() -> list[Any]:
    return [
        pytest.param(name, words, id=f"{name} {words}".strip())
        for name, several in CASES.items()
        for words in several or ()
    ]


def words_of(text: str) -> set[str]:
    """What stands in a table, its rules left out."""
    return {word for word in text.split() if not RULE.fullmatch(word) and len(word) <= LONG}


def test_every_command_with_tables_is_tried() -> None:
    assert {entry.name for entry in COMMANDS if prints_tables(entry.name)} <= set(CASES)


@pytest.mark.parametrize(("name", "words"), cases())
def test_nothing_is_broken_or_lost(
    name: str, words: str, places: dict[str, Path], full: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = shlex.split(words.format(full=full, **places))
    shown = {}
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        done = run(name, *given)
        assert done.code == exits.DONE, done.err
        assert max(map(len, done.out.splitlines())) <= width
        assert "…" not in done.out
        shown[width] = words_of(done.out)
    for width in WIDTHS[:-1]:
        assert shown[WIDTHS[-1]] - shown[width] == set()


@pytest.mark.parametrize("width", WIDTHS)
def test_wide_figures_of_the_commands_that_measure(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cli.commands.bench import SHOWN

    figures: dict[str, Any] = {column.key: 1234567.891 for column in SHOWN}
    row = {**figures, "rules": "trut-gatine-mini", "score": "5.2-6.0", "options": "ranks=3", "slots": 1705520}
    monkeypatch.setenv("COLUMNS", str(width))
    emit([row, row], columns=SHOWN, title="Speed of the solver")
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= width
    for column in SHOWN:
        assert rows.cell(row[column.key], column.form) in printed


def test_the_first_columns_are_repeated(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    row = {"seat": "elder", "trick": 1, "word": "raise", **{f"figure {k}": k + 0.25 for k in range(12)}}
    emit([row], title="wide")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines.count(["wide"]) == 1
    parts = [line for line in lines if line[:3] == ["elder", "1", "raise"]]
    assert len(parts) == 3
    assert [figure for part in parts for figure in part[3:]] == [f"{k}.25" for k in range(12)]


def test_a_page_narrower_than_a_column_breaks_it() -> None:
    (part,) = layout.parts([layout.sizes("path", ["x" * 300], False)], 60)
    assert part.widths == [58]
    assert layout.parts([layout.Sizes(10, 10)] * 4, 60) == [layout.Part([0, 1, 2, 3], [10] * 4, layout.WIDE_GAP)]


def test_long_texts_get_the_room_that_is_left() -> None:
    needs = [layout.sizes("a", ["word " * 30], False), layout.sizes("b", ["1.25"], True)]
    (part,) = layout.parts(needs, 60)
    assert part.widths == [60 - layout.EDGES - layout.NARROW_GAP - 4, 4]
