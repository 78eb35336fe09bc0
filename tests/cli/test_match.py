"""`match`: what it writes and says, how it stops, what it refuses; and the commands that read a match folder."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from cli import exits, matches
from solver.match.run import MatchRun, solve_match

ROOT = Path(__file__).parents[2]
GAME = ("truc", "--set", "ranks=3", "--set", "ladder=1,2", "--set", "target=2")
PROMISED_KEYS = {
    *("rules", "fingerprint", "states", "value", "best_response", "nash_conv", "exploitability", "reached_target"),
    *("seconds", "path", "reason", "states_done", "missing", "target", "options"),
}
MAIN_THREAD = threading.current_thread() is threading.main_thread()


def match(run: Any, folder: Path, *words: str) -> Any:
    return run("match", *GAME, "--threads", "1", "--out", str(folder), "--json", *words)


@pytest.fixture(scope="session")
def match_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match solved by the command."""
    from cli.app import main

    folder = tmp_path_factory.mktemp("match") / "match"
    words = ("match", *GAME, "--threads", "1", "--target", "0.002", "--quiet", "--out", str(folder))
    assert main(list(words)) == 0
    return folder


def test_the_promised_keys(run: Any, tmp_path: Path) -> None:
    done = match(run, tmp_path / "m", "--target", "0.002")
    told = json.loads(done.out)
    assert done.code == exits.DONE, done.err
    assert told.keys() >= PROMISED_KEYS
    assert (told["states"], told["states_done"], told["missing"]) == (4, 4, [])
    assert told["reason"] == "target reached"
    assert told["reached_target"]
    assert 0 < told["exploitability"] <= told["target"] == 0.002
    assert told["exploitability"] == pytest.approx(told["nash_conv"] / 2)
    assert told["nash_conv"] == pytest.approx(sum(told["best_response"]) - 1)
    assert told["path"] == str(tmp_path / "m")
    assert re.search(r"Stopped: target reached, 4 of 4 states in .*exploitability .*nash_conv", done.err)
    written = json.loads((tmp_path / "m" / "match.json").read_text())
    assert {key: written[key] for key in ("value", "nash_conv", "seconds")} == {
        key: told[key] for key in ("value", "nash_conv", "seconds")
    }


def test_people_get_a_short_summary(run: Any, tmp_path: Path) -> None:
    done = run("match", *GAME, "--threads", "1", "--out", str(tmp_path / "m"), "--target", "0.01")
    assert "exploitability" in done.out
    assert "nash conv" in done.out
    assert "fingerprint" not in done.out


def test_default_folder_names_the_match(run: Any, tmp_path: Path) -> None:
    words = ("--threads", "1", "--results", str(tmp_path), "--target", "0.02", "--json", "--quiet")
    path = Path(json.loads(run("match", *GAME, *words).out)["path"])
    assert path.parent == tmp_path
    assert re.fullmatch(r"truc-match-[0-9a-f]{8}", path.name)


def test_a_time_limit_says_what_is_missing_and_resume_goes_on(
    run: Any, tmp_path: Path, match_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slower(run: MatchRun, pool: Any, **words: Any) -> MatchRun:
        return solve_match(run, pool, **{**words, "max_seconds": 0.0})

    monkeypatch.setattr(matches, "solve_match", slower)
    done = match(run, tmp_path / "m", "--target", "0.002", "--max-time", "1")
    told = json.loads(done.out)
    assert done.code == exits.TARGET_NOT_REACHED
    assert told["reason"] == "time limit"
    assert told["value"] is None
    assert "0-0" in told["missing"]
    assert "not yet solved: " in done.err
    assert "0-0" in done.err
    monkeypatch.undo()
    again = match(run, tmp_path / "m", "--target", "0.002", "--resume")
    assert again.code == exits.DONE
    assert re.search(r"Resumed with \d of 4 states", again.err)
    equity = [(place / "equity.parquet").read_bytes() for place in (tmp_path / "m", match_folder)]
    assert equity[0] == equity[1]


def test_a_folder_with_a_match_is_left_alone(run: Any, match_folder: Path) -> None:
    before = (match_folder / "match.json").read_bytes()
    done = match(run, match_folder, "--target", "0.002")
    assert done.code == exits.USAGE
    assert "holds a match already (4 of 4 states of truc); --resume" in done.err
    assert (match_folder / "match.json").read_bytes() == before


def test_a_folder_with_something_else_is_left_alone(run: Any, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    done = match(run, tmp_path)
    assert done.code == exits.USAGE
    assert "holds 'letter.txt'" in done.err
    done = match(run, tmp_path / "letter.txt")
    assert done.code == exits.FILE


def test_resume_with_other_options_names_each(run: Any, match_folder: Path) -> None:
    done = match(run, match_folder, "--target", "0.003", "--set", "lead_after_tie=rotter", "--resume")
    assert done.code == exits.USAGE
    assert "lead_after_tie is previous_leader there and rotter here" in done.err
    assert "target is 0.002 there and 0.003 here" in done.err


def test_nothing_to_resume(run: Any, tmp_path: Path) -> None:
    done = match(run, tmp_path / "m", "--resume")
    assert done.code == exits.FILE
    assert "no match to resume" in done.err
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("match", "truk"), "truk"),
        (("match", "truc", "--target", "0"), "'0' is not allowed for --target"),
        (("match", "truc", "--max-time", "soon"), "'soon' is not allowed for --max-time"),
        (("match", "truc", "--threads", "0"), "'0' is not allowed for --threads"),
        (("match", "trut-gatine-mini", "--set", "tout_pate=0"), "tout_pate"),
        (("match", "truc", "--threads", "1", "--cluster", "tcp://127.0.0.1:1"), "give one of them"),
    ],
)
def test_bad_input(words: tuple[str, ...], part: str, run: Any, tmp_path: Path) -> None:
    done = run(*words, "--results", str(tmp_path))
    assert done.code == exits.USAGE
    assert part in done.err


def test_too_little_memory_is_told_before(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "available_memory", lambda: 10_000_000)
    done = match(run, tmp_path / "m")
    assert done.code == exits.RESOURCE
    assert "with 1 workers takes about" in done.err
    assert "10 MB can be had" in done.err


def test_too_little_disk_is_told_before(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 1000

    monkeypatch.setattr(shutil, "disk_usage", lambda place: Usage)
    done = match(run, tmp_path / "m")
    assert done.code == exits.RESOURCE
    assert "has 1000 bytes free, the match takes about" in done.err


@pytest.mark.parametrize("silent", [False, True])
def test_a_cluster_nobody_answers_at(silent: bool, run: Any, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if silent:
            listener.listen()
        port, began = listener.getsockname()[1], time.monotonic()
        done = run("match", *GAME, "--out", str(tmp_path / "m"), "--cluster", f"tcp://127.0.0.1:{port}")
    assert done.code == exits.USAGE
    assert time.monotonic() - began < 20
    assert done.out == ""
    assert re.fullmatch(r"error: No Dask scheduler answers at [^\n]*\.\n", done.err)


def start(folder: Path, *words: str, **options: Any) -> subprocess.Popen[bytes]:
    """The command in a process of its own, with a target so fine that it takes a while."""
    slow = ("match", "truc", "--set", "ranks=5", "--set", "target=3", "--target", "1e-5", "--out", str(folder))
    command = [sys.executable, "-m", "cli", *slow, "--threads", "1", *words]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=folder.parent, **options)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_ctrl_c_exits_130_and_keeps_what_is_done(tmp_path: Path) -> None:
    """Sent to the whole group of processes, as a terminal does."""
    going = start(tmp_path / "m", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    wait_for_states(going, tmp_path / "m")
    os.killpg(going.pid, signal.SIGINT)
    out, err = going.communicate(timeout=60)
    assert going.returncode == exits.INTERRUPTED
    told = json.loads(out)
    assert told["reason"] == "interrupted"
    assert 0 < told["states_done"] < told["states"]
    assert b"Stopped: interrupted" in err
    assert b"Traceback" not in err
    assert json.loads((tmp_path / "m" / "match.json").read_text())["missing"] == told["missing"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no terminals like that there")
def test_a_terminal_sees_states_and_time_left(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    going = start(tmp_path / "m", stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown, line = b"", rb"of 9 states, about [^\r]* left, exploitability [0-9.e-]+, [^\r]* gone, at \d-\d"
    while not re.search(line, shown) and (more := read(ours)):
        shown += more
    going.kill()
    going.wait()
    os.close(ours)
    assert re.search(line, shown)


def read(terminal: int) -> bytes:
    """What a terminal is sent next, nothing when whoever wrote to it is gone."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def wait_for_states(going: subprocess.Popen[bytes], folder: Path) -> None:
    """Until the first scores are done."""
    deadline = time.monotonic() + 150
    while not (folder / "equity.parquet").exists() and going.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (folder / "equity.parquet").exists()
    assert going.poll() is None


def test_verify_judges_a_whole_match(run: Any, match_folder: Path) -> None:
    done = run("verify", str(match_folder), "--json")
    told = json.loads(done.out)
    assert done.code == exits.DONE, done.err
    assert told.keys() >= {"value", "best_response", "nash_conv", "error_bound", "ok"}
    assert told["ok"]
    assert told["states"] == 4
    made = json.loads((match_folder / "match.json").read_text())
    assert told["value"] == pytest.approx(made["value"], abs=1e-9)
    assert told["nash_conv"] == pytest.approx(made["nash_conv"], abs=1e-6)


def test_states_are_asked_for_by_score(run: Any, match_folder: Path) -> None:
    told = json.loads(run("query", str(match_folder), "--score", "1-0", "--hand", "7 8 A", "--json").out)
    assert told["hand"] == "7 8 A"
    assert 0 <= told["value"] <= 1
    assert json.loads(run("verify", str(match_folder), "--score", "1-0", "--json").out)["score"] == "1-0"
    assert run("table", str(match_folder), "--score", "1-1").code == exits.DONE
    done = run("query", str(match_folder), "--score", "2-0", "--hand", "7 8 A")
    assert done.code == exits.USAGE
    assert "'2-0'" in done.err


def test_a_state_that_is_not_solved(run: Any, match_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(match_folder, tmp_path / "m")
    shutil.rmtree(folder / "states" / "0-0")
    done = run("query", str(folder), "--hand", "7 8 A")
    assert done.code == exits.FILE
    assert "has no solution of the score 0-0" in done.err


def test_the_nearest_solution_may_be_a_state_of_a_match(run: Any, match_folder: Path) -> None:
    words = ("--unit", "match", "--score", "0-1", "--hand", "7 8 A", "--results", str(match_folder.parent))
    done = run("query", *GAME, *words)
    assert done.code == exits.DONE, done.err
    assert "states/0-1" in done.err
