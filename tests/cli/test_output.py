"""What reaches stdout and files: formats, alignment, encodings, whole files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from cli import rows
from cli.app import COMMANDS, main
from cli.output import emit
from cli.rows import Column
from cli.streams import _spelled_out
from solver.errors import UsageError

TABLE = [
    {"hand": "7 8 A", "frequency": 0.25, "ev": float("nan"), "best": True},
    {"hand": "K|Q 9", "frequency": 0.123456789, "ev": -1.5, "best": False},
]
ANSWER = {"hand": "7 8 A", "value": -0.125, "actions": TABLE}


def test_json_has_no_nan(capsys: pytest.CaptureFixture[str]) -> None:
    emit({"value": float("inf"), "rows": TABLE}, json=True)
    text = capsys.readouterr().out
    found = json.loads(text, parse_constant=pytest.fail)
    assert found["value"] is None
    assert found["rows"][0]["ev"] is None


def test_csv_keeps_full_precision(capsys: pytest.CaptureFixture[str]) -> None:
    emit(TABLE, format="csv")
    found = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert found[1] == {"hand": "K|Q 9", "frequency": "0.123456789", "ev": "-1.5", "best": "false"}
    assert found[0]["ev"] == ""


def test_csv_of_an_answer_is_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    emit(ANSWER, format="csv")
    assert capsys.readouterr().out.startswith("hand,frequency,ev,best\n")


def test_markdown_escapes_bars_and_aligns_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    emit(TABLE, format="markdown", columns=["hand", Column("frequency", "how often", ".1%")])
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["| hand | how often |", "|---|---:|", "| 7 8 A | 25.0% |", "| K\\|Q 9 | 12.3% |"]


def test_markdown_shows_every_sign_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    emit([{"name": "*Ann* <b>"}, {"name": "`x` [a](b)"}, {"name": "a_b _c_ \\ ~d~ &lt; A&B"}], format="markdown")
    assert capsys.readouterr().out.splitlines()[2:] == [
        r"| \*Ann\* \<b\> |",
        r"| \`x\` \[a\](b) |",
        r"| a_b \_c\_ \\ \~d\~ \&lt; A&B |",
    ]


@pytest.mark.parametrize("kind", ["table", "csv", "json", "markdown"])
def test_data_goes_to_stdout_alone(kind: Any, capsys: pytest.CaptureFixture[str]) -> None:
    emit(ANSWER, format=kind, title="an answer")
    printed = capsys.readouterr()
    assert "7 8 A" in printed.out
    assert printed.err == ""


def test_numpy_and_data_frames_are_plain() -> None:
    import numpy as np
    import polars as pl

    value = {"a": np.float32(0.5), "b": np.arange(2), "c": Path("x"), "d": pl.DataFrame({"e": [1]})}
    assert rows.plain(value) == {"a": 0.5, "b": [0, 1], "c": "x", "d": [{"e": 1}]}


@pytest.mark.parametrize("width", [60, 200])
def test_table_fits_the_width_and_loses_nothing(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    wide = [{f"column {i}": f"{'x' * 12}{i}" for i in range(8)}]
    emit(wide, format="table")
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines) <= width
    shown = "".join(lines)
    assert all(f"{'x' * 12}{i}" in shown for i in range(8))
    assert "…" not in shown


def test_ascii_stdout_spells_out(run_apart: Any) -> None:
    done = run_apart("doctor", PYTHONIOENCODING="ascii", NO_COLOR="1")
    assert done.out.isascii()
    assert "|" in done.out


SPOKEN = [
    "rules",
    "rules trut-gatine",
    "estimate truc --set ranks=2 --no-probe",
    "verify {truc}",
    "verify {match}",
    "query {truc} --hand 778 --why --lang fr",
    "query {trut} --hand 778 --history '8 d:trut' --why --lang fr",
    "query {truc} --hand 77é",
    "table {trut} --history '7'",
    "table {truc} --format csv",
    "table {truc} --format markdown",
    "stats {trut} --by seat,class",
    "compare {truc} {other} --rows 3",
    "compare {truc} {truc} --json",
    "equity {match}",
    "review {record} --results {results}",
    "export {truc} --out {new}/é.csv",
    "chart {truc} --kind fold --lang fr --out {new}/é.png",
    "solve truc --set ranks=2 --max-iterations 2 --out {new}/é",
    "play truc --set ranks=2 --set ladder=1,2 --seed 5 --hands 1 --lang fr --results {results}",
    "import {profile} --rules truc --set ranks=2 --set ladder=1,2 --out {new}/é",
    "explore {truc} --out {new}/é.html",
]


def test_every_command_that_ends_soon_is_tried_on_a_poor_terminal() -> None:
    tried = {words.split()[0] for words in SPOKEN}
    assert {entry.name for entry in COMMANDS} - tried == {"match", "bench", "doctor"}


@pytest.mark.parametrize("words", SPOKEN)
def test_a_poor_terminal_gets_nothing_broken(
    words: str, places: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same run on a terminal of any encoding: the same exit code, no traceback, nothing lost or marked as lost."""
    ended = {}
    for encoding in ("utf-8", "latin-1", "ascii"):
        (tmp_path / encoding).mkdir()
        streams = [io.TextIOWrapper(io.BytesIO(), encoding, newline="") for _ in range(2)]
        monkeypatch.setattr(sys, "stdin", io.StringIO("7\nnon\n?\naide\n8\ntenir\n" * 10))
        monkeypatch.setattr(sys, "stdout", streams[0])
        monkeypatch.setattr(sys, "stderr", streams[1])
        code = main(shlex.split(words.format(new=tmp_path / encoding, **places)))
        for stream in streams:
            stream.flush()
        printed = [stream.buffer.getvalue().decode(encoding) for stream in streams]
        monkeypatch.undo()
        assert "Traceback" not in printed[1]
        assert "fault of truc-solve" not in printed[1]
        ended[encoding] = (code, *(text.count("?") for text in printed))
    assert ended["latin-1"] == ended["ascii"] == ended["utf-8"]


def test_every_character_of_this_program_can_be_spelled_out() -> None:
    root = Path(__file__).parents[2]
    known = {mark for place in ("cli", "solver") for path in (root / place).rglob("*.py") for mark in path.read_text()}
    drawn = set("γ↦")  # in comments
    for mark in known - drawn:
        if not mark.isascii():
            spelled = _spelled_out(UnicodeEncodeError("ascii", mark, 0, 1, ""))[0]
            assert "?" not in spelled, mark
            assert "\\" not in spelled, mark


def test_a_locale_without_unicode(run_apart: Any, places: dict[str, Path]) -> None:
    poor = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = run_apart("query", str(places["trut"]), "--hand", "7 7 8", "--why", "--lang", "fr", **poor)
    assert done.code == 0, done.err
    assert done.out.isascii()
    assert "Le mieux est" in done.out or "Se valent ici" in done.out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("words", [["--help"], ["rules"], ["query", "{truc}", "--hand", "778", "--why"]])
def test_no_color_is_respected_on_a_terminal(words: list[str], places: dict[str, Path]) -> None:
    import pexpect

    shown = {}
    for name, more in (("plain", {"NO_COLOR": "1"}), ("default", dict[str, str]())):
        given = [word.format(**places) for word in words]
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        child = pexpect.spawn(
            sys.executable,
            ["-m", "cli", *given],
            env={**environment, "TERM": "xterm-256color", "PYTHONPATH": str(Path(__file__).parents[2]), **more},
            encoding="utf-8",
            timeout=300,
            dimensions=(80, 100),
        )
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
        shown[name] = child.before
    coloured = r"\x1b\[(?:[0-9;]*;)?(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])[0-9;]*m"
    assert not re.search(coloured, shown["plain"])
    if words == ["--help"]:
        assert re.search(coloured, shown["default"])


def test_no_colour_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    emit(TABLE, title="plain")
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "start"), [("a.csv", b"hand,"), ("a.json", b"["), ("a.md", b"| hand"), ("a.parquet", b"PAR1")]
)
def test_out_follows_the_ending(
    name: str, start: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    emit(TABLE, out=tmp_path / "new" / name)
    assert (tmp_path / "new" / name).read_bytes().startswith(start)
    assert [one.name for one in (tmp_path / "new").iterdir()] == [name]
    assert capsys.readouterr().out == ""


def test_out_keeps_the_old_file_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "a.csv"
    old.write_text("old")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space") as caught:
        emit(TABLE, out=old)
    assert caught.value.filename == str(old)
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is writable for root")
def test_unwritable_folder_is_one_sentence(tmp_path: Path, run: Any) -> None:
    tmp_path.chmod(0o500)
    done = run("rules", "--out", str(tmp_path / "a.csv"))
    assert done.code == 3
    assert "may not be read or written" in done.err


@pytest.mark.parametrize(
    ("options", "part"),
    [({"json": True, "format": "csv"}, "contradict"), ({"out": Path("a.xls")}, "'a.xls'")],
)
def test_contradictions(options: dict[str, Any], part: str) -> None:
    with pytest.raises(UsageError, match=part):
        emit(TABLE, **options)


def test_parquet_is_not_sent_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(UsageError, match="--out"):
        emit(TABLE, format="parquet")


def test_nothing_to_show_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    emit([])
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "nothing" in printed.err
