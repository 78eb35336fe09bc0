"""The command that draws: what it writes, what it says, what it refuses."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli import exits
from cli.app import main
from solver.report import charts
from solver.strategy import store

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


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same game by three algorithms, by one of them twice, and another game."""
    place = tmp_path_factory.mktemp("races")
    for name, algorithm, ladder in [
        *(("plain", "cfr", "1,2"), ("plus", "cfr+", "1,2"), ("first", "dcfr", "1,2"), ("again", "dcfr", "1,2")),
        ("other", "dcfr", "1,3"),
    ]:
        words = ("--set", "ranks=2", "--set", f"ladder={ladder}", "--algorithm", algorithm, "--target", "1e-9")
        assert main(["solve", "truc", *words, "--max-iterations", "90", "--quiet", "--out", str(place / name)]) == 1
    return place


def legend_and_caption(run: Any, races: Path, names: list[str], place: Path, *words: str) -> str:
    """The words of a convergence chart."""
    others = [word for name in names[1:] for word in ("--with", str(races / name))]
    done = run("chart", str(races / names[0]), "--kind", "convergence", *others, "--out", str(place), *words)
    assert done.code == exits.DONE, done.err
    return place.read_text("utf-8")


def test_runs_by_several_algorithms_in_one_chart(races: Path, run: Any, tmp_path: Path) -> None:
    text = legend_and_caption(run, races, ["plain", "plus", "first"], tmp_path / "a.svg")
    for name in ("cfr", "cfr+", "dcfr"):
        assert text.count(f">{name}</text>") == 1
        told = rf">{re.escape(name)}: exploitability [\d.]+ points; 90 iterations in [\d.]+ s\.<"
        assert len(re.findall(told, text)) == 1
    assert text.count("Rules: truc (ranks=7 8; ladder=1 2); score 0-0 (elder-dealer); unit: points.<") == 1
    assert text.count("Convergence: truc 0-0") == 1


def test_folders_of_one_name_are_told_apart_by_those_they_lie_in(races: Path, run: Any, tmp_path: Path) -> None:
    for place in ("monday/run", "tuesday/run"):
        shutil.copytree(races / "first", tmp_path / place)
    text = legend_and_caption(run, tmp_path, ["monday/run", "tuesday/run"], tmp_path / "a.svg")
    for name in ("dcfr, monday/run", "dcfr, tuesday/run"):
        assert text.count(f">{name}</text>") == 1
    text = legend_and_caption(run, tmp_path, ["monday/run", "monday/run"], tmp_path / "b.svg")
    for name in ("dcfr, 1", "dcfr, 2"):
        assert text.count(f">{name}</text>") == 1


def test_runs_by_the_same_algorithm_are_named_by_their_folders(races: Path, run: Any, tmp_path: Path) -> None:
    text = legend_and_caption(run, races, ["first", "again", "plain"], tmp_path / "a.svg")
    for name in ("dcfr, first", "dcfr, again", "cfr"):
        assert text.count(f">{name}</text>") == 1


def test_runs_of_several_games_in_one_chart(races: Path, run: Any, tmp_path: Path) -> None:
    text = legend_and_caption(run, races, ["first", "other"], tmp_path / "a.svg", "--lang", "fr")
    assert text.count("Règles\u00a0: truc (ranks=7 8; ladder=1 2)") == 1
    assert text.count("Règles\u00a0: truc (ranks=7 8; ladder=1 3)") == 1


def test_a_rule_set_beside_another_takes_the_same_options(run: Any, tmp_path: Path) -> None:
    words = ("--set", "ranks=2", "--set", "ladder=1,2", "--score", "1-2", "--results", str(tmp_path))
    place = tmp_path / "a.svg"
    done = run("chart", "truc", *words, "--kind", "convergence", "--with", "truc-lanes", "--out", str(place))
    assert done.code == exits.DONE, done.err
    assert place.read_text("utf-8").count("(ranks=7 8; ladder=1 2); score 1-2") == 2


def test_every_measured_point_is_drawn(races: Path) -> None:
    solutions = [store.load(races / name) for name in ("plain", "plus", "first")]
    figure = charts.draw_runs(solutions)
    for axes, across in zip(figure.axes, ("iteration", "seconds"), strict=True):
        assert axes.get_xscale() == axes.get_yscale() == "log"
        for line, solution in zip(axes.lines, solutions, strict=True):
            points = [[getattr(one, across), one.exploitability] for one in solution.measures]
            assert np.array(line.get_xydata()).tolist() == points
        looks = {(line.get_color(), line.get_linestyle(), line.get_marker()) for line in axes.lines}
        assert len(looks) == 3


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
