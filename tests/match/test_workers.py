"""Worker processes of this machine: as many as one likes give the same bits, and kill -9 loses next to nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from solver.errors import ResourceError
from solver.match.record import MATCH
from solver.match.run import new_match, resume_match, solve_match
from solver.match.workers import LocalWorkers, local_workers
from solver.strategy.equity import EQUITY
from tests.match.conftest import Here, solve_here
from tests.match.test_run import RULES, same_match

ROOT = Path(__file__).parents[2]
MAIN_THREAD = threading.current_thread() is threading.main_thread()
#: fine enough that a state takes some seconds, so that a kill falls into one
TARGET = 5e-5

SCRIPT = """
import sys
from pathlib import Path
from solver.match import state
from solver.match.run import local_workers, new_match, resume_match, solve_match
from solver.rules import catalogue

if __name__ == "__main__":
    rules = catalogue.load("truc", {"ranks": "3", "ladder": "1,2", "target": "2"})
    run = new_match(rules, 5e-5, Path(sys.argv[1]))
    if "resume" in sys.argv:
        resume_match(run)
    with local_workers(2) as pool:
        solve_match(run, pool)
"""


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("straight") / "match"
    solve_here(RULES, TARGET, folder)
    return folder


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers_gives_the_same_bits(workers: int, straight: Path, tmp_path: Path) -> None:
    with local_workers(workers) as pool:
        solve_match(new_match(RULES, TARGET, tmp_path / "match"), pool)
    assert same_match(straight, tmp_path / "match")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def children(pid: int) -> list[int]:
    """Processes started by a process."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_kill_9_at_any_moment_and_resume_to_the_same_bits(straight: Path, tmp_path: Path) -> None:
    """Killed before anything is done, then in the middle of later states; the workers go with their caller."""
    script, folder = tmp_path / "go.py", tmp_path / "match"
    script.write_text(SCRIPT)
    words = [sys.executable, str(script), str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for states in (0, 1, 3):
        run = subprocess.Popen([*words, *(["resume"] if states else [])], env=environment)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and run.poll() is None:
            done = len(list((folder / "states").glob("[0-9]*"))) if states else int((folder / MATCH).exists())
            if done >= max(states, 1):
                break
            time.sleep(0.02)
        workers = children(run.pid)
        run.kill()
        run.wait()
        deadline = time.monotonic() + 10
        while any(map(alive, workers)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(map(alive, workers))
    subprocess.run([*words, "resume"], env=environment, check=True)
    assert same_match(straight, folder)


def test_a_killed_worker_is_told_and_what_is_done_is_kept(tmp_path: Path) -> None:
    run = new_match(RULES, TARGET, tmp_path / "match")

    with local_workers(1) as pool:

        def kill_later(run: object) -> None:
            if (tmp_path / "match" / EQUITY).exists():
                end(pool)

        with pytest.raises(ResourceError, match=r"ended from outside.*1 of 4 states"):
            solve_match(run, pool, watch=kill_later)
    assert (tmp_path / "match" / "states" / "1-1").is_dir()
    assert not (tmp_path / "match" / "states" / "0-0").exists()


def end(pool: LocalWorkers) -> None:
    for pid in list(pool._processes or {}):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.skipif(not MAIN_THREAD, reason="signals go to the main thread")
def test_ctrl_c_keeps_what_is_done_to_go_on_from(straight: Path, tmp_path: Path) -> None:
    """Ctrl-C once the first states are done: the workers are told, and end."""
    folder = tmp_path / "match"
    sent: list[bool] = []
    run = new_match(RULES, TARGET, folder)
    with local_workers(2) as pool:

        def interrupt(run: object) -> None:
            if (folder / EQUITY).exists() and not sent:
                sent.append(True)
                signal.raise_signal(signal.SIGINT)

        solve_match(run, pool, watch=interrupt)
    assert run.reason == "interrupted"
    assert 0 < run.done < run.states
    again = new_match(RULES, TARGET, folder)
    resume_match(again)
    solve_match(again, Here())
    assert same_match(straight, folder)
