"""Streams that are closed, full or of a poor encoding, settings that mean nothing, paths that are no text.

No traceback, no lost result, no run that never ends: what cannot be said is not said.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli import exits, output
from cli.output import emit
from tests.cli.conftest import TINY

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams of a POSIX shell")

ROOT = Path(__file__).parents[2]
SOLVE = ("solve", "truc", *TINY, "--target", "0.02", "--out", "s")


def shell(redirection: str, *words: str, here: Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command line with streams as a shell makes them."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "cli", *words],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
        timeout=60,
        check=False,
        **{"capture_output": True, **more},
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-", "2>/dev/full"])
def test_a_closed_stream_costs_no_result(closed: str, tmp_path: Path) -> None:
    done = shell(closed, *SOLVE, here=tmp_path)
    assert done.returncode == exits.DONE, done.stderr
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "s" / "run.json").exists()


@pytest.mark.parametrize(("wrong", "more"), [(False, []), (True, []), (True, ["--json"])])
def test_a_reader_that_leaves_does_not_change_the_exit_code(
    wrong: bool, more: list[str], places: dict[str, Path], tmp_path: Path
) -> None:
    """`verify t | true` ends as verify does."""
    folder = tmp_path / "t"
    shutil.copytree(places["truc"], folder)
    if wrong:
        run = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps({**run, "exploitability": 0.0001, "nash_conv": 0.0002}))
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = shell("", "verify", str(folder), *more, here=tmp_path, capture_output=False, stdout=writing, stderr=-1)
    finally:
        os.close(writing)
    assert done.returncode == (exits.CHECK_FAILED if wrong else exits.DONE), done.stderr
    assert b"BrokenPipe" not in done.stderr


@pytest.mark.parametrize(("where", "code"), [("> /dev/full", exits.RESOURCE), ("| head -1", exits.DONE)])
def test_play_ends_when_nothing_can_be_shown(where: str, code: int, places: dict[str, Path], tmp_path: Path) -> None:
    words = f"play truc {' '.join(TINY)} --quiet --results {places['results']}"
    script = f"yes | {{ '{sys.executable}' -m cli {words}; echo $? >code; }} {where}"
    subprocess.run(
        ["sh", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert (tmp_path / "code").read_text() == f"{code}\n"


@pytest.mark.parametrize("settings", [{"FORCE_COLOR": "0"}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}])
def test_colours_that_nobody_wants(
    settings: dict[str, str], run: Any, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    done = run("verify", str(places["truc"]))
    assert done.code == exits.DONE
    assert "\x1b" not in done.out


def test_colours_that_are_asked_for(run: Any, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1m" in run("verify", str(places["truc"])).out


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
@pytest.mark.parametrize("value", ["²", "1" + "0" * 20, "-5", "wide", ""])
def test_a_size_that_is_none_is_ignored(
    name: str, value: str, run: Any, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    plain = [run("verify", str(places["truc"])).out, run("--help").out]
    monkeypatch.setenv(name, value)
    assert [run("verify", str(places["truc"])).out, run("--help").out] == plain


@pytest.mark.parametrize(("numba", "polars"), [("0", "0"), ("-1", "x"), ("x", "")])
def test_numbers_of_threads_that_are_none(numba: str, polars: str, run_apart: Any) -> None:
    done = run_apart(*SOLVE, "--quiet", NUMBA_NUM_THREADS=numba, POLARS_MAX_THREADS=polars)
    assert (done.code, done.err) == (exits.DONE, "")


@pytest.mark.parametrize("backend", ["module://matplotlib_inline.backend_inline", "no such backend"])
def test_a_backend_of_others_is_not_used(
    backend: str, run_apart: Any, places: dict[str, Path], tmp_path: Path
) -> None:
    done = run_apart("chart", str(places["truc"]), "--kind", "strategy", "--out", "c.png", MPLBACKEND=backend)
    assert done.code == exits.DONE, done.err
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_a_notebook_keeps_the_backend_it_names() -> None:
    probe = "import os, solver.report.charts, matplotlib as m; print(m.rcParams['backend'], os.environ['MPLBACKEND'])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "svg"}
    done = subprocess.run([sys.executable, "-c", probe], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "svg svg\n"


@pytest.mark.parametrize("words", [[], ["solve"], ["query"]])
def test_help_does_not_need_docstrings(words: list[str]) -> None:
    """`python -OO` forgets them."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    pages = [
        subprocess.run(
            [sys.executable, *option, "-m", "cli", *words, "--help"], env=environment, capture_output=True, check=True
        ).stdout
        for option in ([], ["-OO"])
    ]
    assert b"Example:" in pages[0]
    assert pages[0] == pages[1]


def test_a_path_that_is_not_text(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    place = os.fsdecode(b"caf\xe9")
    try:
        Path(place).mkdir()
    except OSError:
        pytest.skip("this file system takes only text")
    Path(place).rmdir()
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict") for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    for words in (
        ["solve", "truc", *TINY, "--target", "0.02", "--out", place],
        ["verify", place, "--json"],
        ["table", place, "--out", f"{place}.md"],
        ["export", place, "--out", f"{place}.csv"],
        ["export", place, "--out", f"{place}.parquet"],
        ["chart", place, "--kind", "strategy", "--out", f"{place}.png"],
        ["explore", place, "--out", f"{place}.html"],
        ["import", f"{place}.csv", "--rules", "truc", *TINY, "--out", f"{place}2"],
        ["verify", f"{place}2"],
    ):
        assert output_of(words, streams) == exits.DONE, words
    assert len(list(tmp_path.iterdir())) == 7
    assert "caf\\udce9" in streams[0].buffer.getvalue().decode()


def output_of(words: list[str], streams: Sequence[io.TextIOWrapper]) -> int:
    """The exit code of a command, all it said being written."""
    from cli.app import main

    code = main(words)
    for stream in streams:
        stream.flush()
    return code


def written_in(encoding: str, kind: Any, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What two players whose names differ in one letter come out as, where that letter is not to be had."""
    from cli.streams import prepare_streams

    stream = io.TextIOWrapper(io.BytesIO(), encoding, newline="")
    monkeypatch.setattr(sys, "stdout", stream)
    prepare_streams()
    emit([{"player": "Łuk"}, {"player": "Đuk"}], format=kind)
    stream.flush()
    content: bytes = stream.buffer.getvalue()
    return content


@pytest.mark.parametrize("kind", ["csv", "markdown"])
def test_data_in_a_file_is_utf_8_whatever_the_locale(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = written_in("cp1252", kind, monkeypatch).decode("utf-8")
    assert "Łuk" in text
    assert "Đuk" in text


def test_names_stay_apart_where_letters_are_lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    text = written_in("cp1252", "table", monkeypatch).decode("cp1252")
    assert "\\u0141uk" in text
    assert "\\u0110uk" in text


def test_what_a_message_quotes_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    output.error("'\x1b[2J\n\x07\x9b' is not allowed, 'é' is.")
    assert capsys.readouterr().err == "error: '\\x1b[2J\\n\\x07\\x9b' is not allowed, 'é' is.\n"


def test_a_save_that_gets_no_memory(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*words: Any, **more: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("solver.strategy.store.write_parquet", refused)
    done = run(*SOLVE[:-1], str(tmp_path / "s"), "--quiet")
    assert done.code == exits.RESOURCE
    assert done.err.startswith(f"error: The result could not be written to '{tmp_path / 's'}' (memoryerror)")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(("limit", "most"), [("-v", 300_000), ("-v", 900_000), ("-d", 200_000)])
def test_too_little_memory_to_begin(limit: str, most: int, tmp_path: Path) -> None:
    script = f"ulimit {limit} {most}; exec '{sys.executable}' -m cli {' '.join(SOLVE)}"
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == exits.RESOURCE
    assert re.fullmatch(
        rf"error: This process may take \d+ MB of memory \(ulimit {limit}\), and needs \d+ MB .*\.\n", done.stderr
    )
