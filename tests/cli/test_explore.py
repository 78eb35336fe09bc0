"""The command that writes the page: what it writes, what it says, what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli import exits


def texts_of(page: Path) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.read_text("utf-8"), re.S)
    return dict(json.loads(found[0])["texts"])


def test_it_writes_one_file_and_says_so(small_folder: Path, run: Any, tmp_path: Path) -> None:
    place = tmp_path / "new" / "page.html"
    done = run("explore", str(small_folder), "--out", str(place))
    assert done.code == exits.DONE, done.err
    assert done.out == ""
    assert re.fullmatch(rf"Wrote {re.escape(str(place))}: 0\.\d MB, [\d,]+ points with figures\.\n", done.err)
    assert "score 0-0 (elder-dealer); unit: points; exploitability" in texts_of(place)["en"]["facts"]
    assert list(place.parent.iterdir()) == [place]


def test_language_reach_and_quiet(small_folder: Path, run: Any, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    words = ("explore", str(small_folder), "--lang", "fr", "--min-reach", "0.01", "--out", str(place))
    done = run(*words)
    assert done.code == exits.DONE
    assert "points of the third trick carry none; --min-reach 0 keeps all." in done.err
    assert '<html lang="fr"' in place.read_text("utf-8")[:60]
    assert any("au moins 0,0100 des donnes" in note for note in texts_of(place)["fr"]["notes"])
    assert run(*words, "--quiet").err == ""


def test_a_state_of_a_match(run: Any, tmp_path: Path) -> None:
    """A stored score of a match is shown in chances of the match."""
    folder, place = tmp_path / "match", tmp_path / "state.html"
    words = ("match", "truc", "--set", "target=2", "--set", "ranks=3", "--target", "0.05", "--quiet")
    assert run(*words, "--out", str(folder)).code == exits.DONE
    done = run("explore", str(folder), "--score", "1-0", "--unit", "match", "--out", str(place), "--quiet")
    assert done.code == exits.DONE, done.err
    assert "score 1-0 (elder-dealer); unit: chance of winning the match" in texts_of(place)["en"]["facts"]


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["--out", "page.png"], exits.USAGE, "must end in .html"),
        (["--out", "page.html", "--min-reach", "2"], exits.USAGE, "'2' is not allowed for --min-reach"),
        (["--out", "page.html", "--min-reach", "x"], exits.USAGE, "'x' is not allowed for --min-reach"),
        (["--out", "page.html", "--lang", "de"], exits.USAGE, "'de'"),
        ([], exits.USAGE, "'--out'"),
    ],
)
def test_refusals_are_one_sentence(
    words: list[str],
    code: int,
    part: str,
    small_folder: Path,
    run: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("explore", str(small_folder), *words)
    assert done.code == code
    assert part in done.err
    assert re.fullmatch(r"error: [^\n]+[.?!]\n", done.err), done.err
    assert list(tmp_path.iterdir()) == []


def test_the_place_is_looked_at_before_the_target(run: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("explore", "no-such-target", "--out", str(tmp_path / "file" / "a.html"))
    assert done.code == exits.FILE
    assert "is a file, not a folder" in done.err
