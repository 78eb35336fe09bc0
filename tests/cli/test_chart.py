"""The command that draws: what it writes, what it says, what it refuses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cli import exits

KINDS = ["strategy", "raise", "fold", "thresholds", "convergence"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_a_solved_hand(kind: str, small_folder: Path, run: Any, tmp_path: Path) -> None:
    place = tmp_path / f"{kind}.svg"
    done = run("chart", str(small_folder), "--kind", kind, "--out", str(place))
    assert done.code == exits.DONE, done.err
    assert done.out == ""
    assert done.err == f"Wrote {place}\n"
    text = place.read_text("utf-8")
    assert "Rules: truc (ranks=7 8 A; ladder=1 2); score 0-0 (elder-dealer); unit: points; exploitability" in text


def test_quiet_says_nothing(small_folder: Path, run: Any, tmp_path: Path) -> None:
    done = run("chart", str(small_folder), "--kind", "fold", "--out", str(tmp_path / "a.png"), "--quiet")
    assert (done.code, done.out, done.err) == (exits.DONE, "", "")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_history_and_language(small_folder: Path, run: Any, tmp_path: Path) -> None:
    place = tmp_path / "new" / "folder" / "a.svg"
    words = ("--kind", "thresholds", "--history", "8 raise", "--lang", "fr", "--out", str(place))
    assert run("chart", str(small_folder), *words).code == exits.DONE
    assert "8 relance" in place.read_text("utf-8")


def test_several_runs(small_folder: Path, run: Any, tmp_path: Path) -> None:
    place = tmp_path / "runs.svg"
    words = ("--kind", "convergence", "--with", str(small_folder), "--out", str(place))
    assert run("chart", str(small_folder), *words).code == exits.DONE
    assert place.read_text("utf-8").count("Rules: truc") == 2


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["--kind", "strateg"], exits.USAGE, "Did you mean 'strategy'?"),
        (["--kind", "fold", "--history", "7"], exits.USAGE, '--history "7 raise"'),
        (["--kind", "trut"], exits.USAGE, "There is no trut in truc"),
        (["--kind", "raise", "--history", "raise"], exits.USAGE, "only call, fold"),
        (["--kind", "strategy", "--history", "7 K"], exits.USAGE, "'K' at position 3"),
        (["--kind", "strategy", "--history", "raise raise"], exits.USAGE, "position 7"),
        (["--kind", "fold", "--with", "other"], exits.USAGE, "--with"),
        (["--kind", "convergence", "--history", "7"], exits.USAGE, "--history '7'"),
        (["--kind", "fold", "--lang", "de"], exits.USAGE, "'de'"),
        (["--kind", "equity"], exits.FILE, "truc-solve match"),
        (["--kind", "fold", "--out", "a.gif"], exits.USAGE, ".png, .svg, .pdf"),
        (["--kind", "fold", "--out", "a"], exits.USAGE, ".png, .svg, .pdf"),
        ([], exits.USAGE, "'--kind'"),
    ],
)
def test_refusals_are_one_sentence(
    words: list[str], code: int, part: str, small_folder: Path, run: Any, tmp_path: Path
) -> None:
    place = [] if "--out" in words else ["--out", str(tmp_path / "a.png")]
    done = run("chart", str(small_folder), *words, *place)
    assert done.code == code
    assert part in done.err
    assert re.fullmatch(r"error: [^\n]+[.?!]\n", done.err), done.err
    assert list(tmp_path.iterdir()) == []


def test_unwritable_place(small_folder: Path, run: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("chart", str(small_folder), "--kind", "fold", "--out", str(tmp_path / "file" / "a.png"))
    assert done.code == exits.FILE
    assert "is a file, not a folder" in done.err


def test_the_place_is_looked_at_before_the_target(run: Any) -> None:
    done = run("chart", "no-such-target", "--kind", "fold", "--out", "a.bmp")
    assert "a.bmp" in done.err
