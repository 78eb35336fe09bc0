"""What commands write, and where: devices, links, the folder one is in, full disks, two at a time."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import threading
from pathlib import Path
from typing import Any

import polars as pl  # noqa: TID253
import pytest

from cli import exits
from solver.solving.figures import sized
from solver.solving.saving import save_somewhere
from solver.strategy import store
from tests.files.conftest import Run, names_in

TINY = ("--set", "ranks=2", "--set", "ladder=1,2")
SOLVE = ("solve", "truc", *TINY, "--target", "0.1", "--quiet")
PLAY = ("play", "truc", *TINY, "--seed", "5", "--quiet", "--record")


WRITERS: list[list[str]] = [
    ["export", "{}", "--format", "csv"],
    ["export", "{}", "--format", "json"],
    ["export", "{}", "--format", "parquet"],
    ["export", "truc", *TINY, "--format", "efg"],
    ["table", "{}", "--format", "csv"],
    ["table", "{}", "--format", "parquet"],
]


@pytest.mark.skipif(os.name == "nt", reason="no such devices there")
@pytest.mark.parametrize("words", WRITERS, ids=lambda words: f"{words[0]} {words[-1]}")
def test_devices_and_pipes_are_written_through(
    words: list[str], run: Run, small_folder: Path, here: Path, devices: Path
) -> None:
    words = [word.format(small_folder) for word in words]
    done = run(*words, "--out", devices / "full", "--quiet")
    assert (done.code, done.err) == (exits.RESOURCE, f"error: The disk is full: {devices}/full could not be written.\n")
    assert run(*words, "--out", devices / "null", "--quiet").code == exits.DONE
    assert stat.S_ISCHR((devices / "full").stat().st_mode)
    assert stat.S_ISCHR((devices / "null").stat().st_mode)
    assert run(*words, "--out", "plain", "--quiet").code == exits.DONE
    os.mkfifo("pipe")
    read = list[bytes]()
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_bytes()))
    reader.start()
    assert run(*words, "--out", "pipe", "--quiet").code == exits.DONE
    reader.join(20)
    if words[-1] == "parquet":
        assert pl.read_parquet(io.BytesIO(read[0])).equals(pl.read_parquet("plain"))
    else:
        assert read == [Path("plain").read_bytes()]
    Path("link").symlink_to("target")
    assert run(*words, "--out", "link", "--quiet").code == exits.DONE
    assert Path("link").is_symlink()
    assert names_in(here) == ["link", "pipe", "plain", "target"]


@pytest.mark.parametrize("words", [["export", "--format", "csv"], ["chart", "--kind", "strategy"], ["explore"]])
def test_a_link_to_nowhere_is_refused_before_solving(
    words: list[str], run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.targets.open_target", lambda *words: pytest.fail("it was looked for"))
    name = {"chart": "a.png", "explore": "a.html"}.get(words[0], "a.csv")
    Path(name).symlink_to(here / "no" / "folder" / name)
    done = run(words[0], "truc", *words[1:], "--out", name)
    assert done.code == exits.FILE
    assert "whose folder does not exist" in done.err
    assert names_in(here) == [name]


def test_names_in_brackets_are_names(run: Run, small_folder: Path, here: Path) -> None:
    place = shutil.copytree(small_folder, here / "x[1]")
    shutil.copytree(small_folder, here / "x1")
    assert run("export", place, "--out", "y[1].parquet").code == exits.DONE
    assert names_in(here) == ["x1", "x[1]", "y[1].parquet"]
    (place / "strategy.parquet").write_bytes(b"")
    assert run("verify", place).code == exits.FILE


@pytest.mark.parametrize("out", [".", "../d", "..", "../d/."])
def test_the_folder_one_is_in_is_not_replaced(out: str, run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "d").mkdir()
    monkeypatch.chdir(here / "d")
    monkeypatch.setattr("solver.solving.door.game_at", lambda *words: pytest.fail("it was solved"))
    done = run(*SOLVE, "--out", out)
    assert done.code == exits.FILE
    assert "the folder you are in" in done.err
    assert names_in(here) == ["d"]
    assert names_in(here / "d") == []


def test_a_folder_from_within_a_link(run: Run, here: Path) -> None:
    (here / "real").mkdir()
    Path("link").symlink_to("real")
    assert run(*SOLVE, "--out", "link").code == exits.DONE
    assert Path("link").is_symlink()
    assert store.load(Path("link")).game.rules.name == "truc"
    assert names_in(here) == ["link", "real"]


@pytest.mark.parametrize("words", [(), ("--force",)], ids=["", "force"])
def test_two_solves_into_one_place(
    words: tuple[str, ...], run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*arguments: Any) -> Any:
        monkeypatch.undo()
        monkeypatch.chdir(here)
        monkeypatch.setattr("tempfile.tempdir", str(here / "temporary"))
        assert run(*SOLVE, "--score", "10-11", "--out", "s").code == exits.DONE
        return save_somewhere(*arguments)

    (here / "temporary").mkdir()
    monkeypatch.setattr("solver.solving.door.save_somewhere", late)
    done = run(*SOLVE, *words, "--out", "s")
    if words:
        assert done.code == exits.DONE
        assert store.read_run(here / "s")["score"] == "0-0"
        return
    assert done.code == exits.FILE
    assert "another solution" in done.err
    assert store.read_run(here / "s")["score"] == "10-11"
    (kept,) = (here / "temporary").glob("*/s")
    assert f"it is kept whole in '{kept}'" in done.err
    assert store.read_run(kept)["score"] == "0-0"


def test_an_unreadable_folder_is_named_once(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(*SOLVE).code == exits.DONE
    for name in ("closed", "open"):
        (here / "results" / name).mkdir()
    allowed = os.access
    monkeypatch.setattr("solver.query.locate.os.access", lambda at, mode: at.name != "closed" and allowed(at, mode))
    done = run("query", "truc", *TINY, "--unit", "points", "--hand", "7 7 8")
    assert done.code == exits.DONE, done.err
    assert done.err.count("closed") == 1
    assert "may not be read" in done.err


def test_score_on_a_folder_with_bad_rules(run: Run, small_folder: Path, here: Path) -> None:
    place = shutil.copytree(small_folder, here / "s")
    made = json.loads((place / "run.json").read_text())
    (place / "run.json").write_text(json.dumps(made | {"rules": "truc-lanes"}))
    done = run("query", place, "--score", "0-0", "--hand", "7 7 8")
    assert done.code == exits.FILE
    assert "'truc-lanes'" in done.err


@pytest.mark.parametrize(
    ("given", "part"), [("a\nb", "a\\nb"), ("\x1b[31mred", "\\x1b[31mred"), ("caf\udce9", "caf\\xe9")], ids=repr
)
def test_what_a_message_quotes_is_escaped(given: str, part: str, run: Run) -> None:
    done = run("query", f"/no/{given}", "--hand", "7 7 8")
    assert done.code == exits.FILE
    assert done.err.count("\n") == 1
    assert part in done.err
    assert "\x1b" not in done.err


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 bytes"), (99, "99 bytes"), (2048, "2.0 kB"), (3 << 20, "3.0 MB"), (420 << 20, "420 MB"), (2**30, "1.0 GB")],
)
def test_sizes_are_told_in_a_unit_that_shows_them(count: int, text: str) -> None:
    assert sized(count) == text


def test_leftovers_of_a_match_are_swept(run: Run, here: Path) -> None:
    (here / "m").mkdir()
    (here / "m" / ".match.json.new").touch()
    (here / "m" / ".match.json.truc-solve-12345678").touch()
    words = ("match", "truc", *TINY, "--set", "target=1", "--target", "0.5", "--threads", "1", "--quiet", "--out", "m")
    assert run(*words).code == exits.DONE
    assert names_in(here / "m") == ["equity.parquet", "match.json", "states"]
