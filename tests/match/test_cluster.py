"""States sent to a real Dask scheduler with worker processes on this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from types import SimpleNamespace
from typing import Any

import pytest

from cli import exits
from solver.errors import ResourceError, UsageError
from solver.match import cluster
from solver.match.cluster import ClusterWorkers, cluster_workers, connect, solve_away, unpack
from solver.match.record import MATCH
from solver.match.run import MatchRun, new_match, solve_match
from solver.match.state import GroupTask, solve_group
from solver.rules import catalogue
from solver.rules.score import Score
from solver.strategy.description import versions
from solver.strategy.equity import EQUITY
from tests.match.conftest import solve_here
from tests.match.test_run import RULES, same_match

pytest.importorskip("distributed")

ROOT = Path(__file__).parents[2]
TARGET = 5e-5


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def dask(*words: str) -> subprocess.Popen[bytes]:
    """A part of a cluster, as the documentation starts it."""
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture
def address() -> Iterator[str]:
    """A scheduler with two workers, each a process with one thread."""
    place = f"tcp://127.0.0.1:{free_port()}"
    processes = [dask("scheduler", "--host", place, "--no-dashboard", "--no-show")]
    words = ("worker", place, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
    processes += [dask(*words) for _ in range(2)]
    wait_for(place)
    try:
        yield place
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_killed_worker_costs_only_its_state(address: str, tmp_path: Path) -> None:
    """Two workers, one killed while it solves; the result equals the local one bit for bit."""
    folder, straight = tmp_path / "match", tmp_path / "straight"
    solved: list[set[Score]] = []
    with cluster_workers(address) as pool:
        deadline = time.monotonic() + 40
        while pool.count() < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        processes = pool.client.run(os.getpid)
        assert len(processes) == 2

        def kill_a_busy_one(run: MatchRun) -> None:
            busy = [worker for worker, tasks in pool.client.processing().items() if tasks]
            if run.done == 1 and busy and not solved:
                solved.append(set(run.table.values))
                os.kill(processes[busy[0]], signal.SIGKILL)

        run = solve_match(new_match(RULES, TARGET, folder), pool, watch=kill_a_busy_one)
        assert pool.count() == 1
    assert solved == [{Score((1, 0), (1, 0))}]
    assert run.reason == "target reached"
    solve_here(RULES, TARGET, straight)
    assert same_match(straight, folder)
    assert {path.name for path in folder.iterdir()} == {MATCH, EQUITY, "states"}


@pytest.mark.slow
def test_what_was_sent_is_taken_back_at_the_end(address: str, tmp_path: Path) -> None:
    """After the time limit no worker goes on with what nobody waits for."""
    run = new_match(catalogue.load("truc", {"ranks": "6", "target": "6"}), 1e-6, tmp_path / "match")
    with cluster_workers(address) as pool:
        solve_match(run, pool, max_seconds=6.0)
        assert run.reason == "time limit"
        deadline = time.monotonic() + 10
        while (busy := any(pool.client.run(at_work).values())) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not busy


def at_work(dask_worker: Any) -> bool:
    """Whether a worker is solving something; called on it."""
    return bool(dask_worker.state.executing)


def test_nobody_answers_at_the_address() -> None:
    began = time.monotonic()
    with pytest.raises(UsageError, match=r"No Dask scheduler answers at 'tcp://127\.0\.0\.1:\d+'") as told:
        connect(f"tcp://127.0.0.1:{free_port()}")
    assert time.monotonic() - began < 12
    assert "\n" not in str(told.value)


def test_somebody_else_listens_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1.0)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(UsageError, match="No Dask scheduler answers"):
            connect(f"tcp://127.0.0.1:{silent.getsockname()[1]}")


@pytest.mark.parametrize("address", ["", "nonsense://here", "tcp://no.such.host.invalid:8786", "127.0.0.1:port"])
def test_no_address_at_all(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1.0)
    with pytest.raises(UsageError, match="No Dask scheduler answers"):
        connect(address)


class FewWorkers:
    """A client of a scheduler with these workers, each with what it answers when it is asked whether it can solve."""

    scheduler = SimpleNamespace(address="tcp://there:8786")

    def __init__(self, **answers: object) -> None:
        self.answers = answers

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.answers, 1)

    def run(self, function: Any, *words: Any, workers: list[str], on_error: str) -> dict[str, object]:
        return {name: self.answers[name] for name in workers}


def counted(workers: ClusterWorkers) -> int:
    """The workers once all have been asked."""
    workers.count()
    for asked in workers.ready.values():
        asked.exception()
    return workers.count()


def test_workers_are_asked_before_they_count() -> None:
    client = FewWorkers(one=cluster.SAME, two=cluster.SAME, gone=OSError("closed"))
    assert resolve_name(cluster.ASKED) == cluster.SAME
    assert counted(ClusterWorkers(client)) == 3


def test_a_worker_without_this_package_is_told() -> None:
    client = FewWorkers(one=cluster.SAME, two=ModuleNotFoundError("No module named 'solver'"))
    with pytest.raises(ResourceError, match=r"worker at two cannot solve \(No module named 'solver'\); install"):
        counted(ClusterWorkers(client))


def test_no_worker_is_waited_for_a_told_time(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = ClusterWorkers(FewWorkers())
    assert workers.count() == 0
    monkeypatch.setattr(workers, "last_seen", workers.last_seen - cluster.WORKER_SECONDS)
    with pytest.raises(ResourceError, match=r"for 60 seconds; start one with `dask worker tcp://there:8786`"):
        workers.count()


def test_without_a_worker_the_match_ends_and_keeps_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "WORKER_SECONDS", 0.0)
    run = new_match(RULES, 0.01, tmp_path)
    with pytest.raises(ResourceError, match=r"0 of \d+ states that are finished are kept in .*, --resume goes on\."):
        solve_match(run, ClusterWorkers(FewWorkers()))
    assert (tmp_path / MATCH).exists()


def test_a_scheduler_without_this_package_is_told() -> None:
    workers = ClusterWorkers(FewWorkers())
    error = workers.told(RuntimeError("Error during deserialization of the task graph."), "truc at 1-1")
    assert isinstance(error, ResourceError)
    assert str(error) == "The scheduler of the cluster cannot read what it is sent; install truc-solve there."


@pytest.mark.slow
def test_a_lost_scheduler_is_one_sentence(tmp_path: Path) -> None:
    """No traceback of Dask before it; run apart, since its loggers are the process's."""
    place = f"tcp://127.0.0.1:{free_port()}"
    scheduler = dask("scheduler", "--host", place, "--no-dashboard", "--no-show")
    wait_for(place)
    words = ("match", "truc", "--set", "ranks=2", "--set", "target=2", "--out", "m", "--quiet", "--cluster", place)
    match = subprocess.Popen(
        [sys.executable, "-m", "cli", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    worker = dask("worker", place, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "m" / MATCH).exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        scheduler.kill()
        said = match.communicate(timeout=100)[1]
    finally:
        for process in (worker, scheduler, match):
            process.kill()
            process.wait()
    assert match.returncode == exits.RESOURCE, said
    assert said.count("\n") == 1
    assert "are kept in 'm', --resume goes on." in said


def test_a_worker_with_another_version_is_refused(tmp_path: Path) -> None:
    run = new_match(RULES, 0.01, tmp_path)
    group = run.waiting[0]
    task = GroupTask(RULES, group, {}, run.plan.tolerance, run.plan.gap)
    with pytest.raises(UsageError, match=r"A worker of the cluster has numba .* and not 0\.1"):
        solve_away(task, versions() | {"numba": "0.1"})


def test_a_worker_returns_the_files_of_its_states(tmp_path: Path) -> None:
    run = new_match(RULES, 0.01, tmp_path)
    task = GroupTask(RULES, run.waiting[0], {}, run.plan.tolerance, run.plan.gap)
    values, files = solve_away(task, versions())
    assert values == solve_group(task)
    (score,) = files
    unpack(files[score], tmp_path / "states" / "1-1")
    unpack(files[score], tmp_path / "states" / "1-1")
    assert {path.name for path in (tmp_path / "states" / "1-1").iterdir()} == set(files[score])
    assert [path.name for path in (tmp_path / "states").iterdir()] == ["1-1"]


def wait_for(address: str) -> None:
    """Until the scheduler listens."""
    host, port = address.removeprefix("tcp://").split(":")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as one:
            if one.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.1)
