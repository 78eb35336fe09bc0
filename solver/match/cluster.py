"""Workers on other machines: groups of scores sent to a Dask distributed scheduler.

The scores of a match are a graph of tasks; it stays with the caller, who sends a group as soon as the last one it
depends on has come back, and keeps every result on its own disk. So a worker needs nothing but the package, shares no
folder, holds nothing that others need, and takes with it no more than what it was working on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from uuid import uuid4

from solver.errors import ResourceError, TrucError, UsageError
from solver.files import new_folder, room
from solver.match.state import GroupTask, never, solve_group, state_folder
from solver.match.workers import Solved
from solver.rules.score import Score, format_score
from solver.strategy.description import versions

CONNECT_SECONDS = 8.0
#: how long a match goes on without a worker
WORKER_SECONDS = 60.0
#: how often a group that failed on a worker is tried again; workers that die are counted by the scheduler
RETRIES = 2
MOST_AT_ONCE = 256
SAME = ("truc-solve", "numpy", "numba")
#: what a worker is asked for before it gets work: one that cannot import this would end over its first group
ASKED = f"{__name__}:SAME"

Files = dict[Score, dict[str, bytes]]


class ClusterWorkers:
    """The workers of a scheduler; each group is waited for by a thread of this process."""

    def __init__(self, client: Any) -> None:
        self.client, self.name = client, uuid4().hex[:8]
        self.threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="cluster")
        self.sent: set[Any] = set()
        self.ready: dict[str, Future[None]] = {}
        self.last_seen, self.ending = time.monotonic(), False

    def count(self) -> int:
        """Workers connected to the scheduler now that can solve, each counted once.

        ResourceError when one cannot, when there has been none for WORKER_SECONDS, or when the scheduler is gone.
        """
        try:
            addresses = list(self.client.nthreads())
        except Exception as error:
            raise ResourceError("The scheduler of the cluster was lost.") from error
        for address in addresses:
            if address not in self.ready:
                self.ready[address] = self.threads.submit(self.check, address)
        checked = [self.ready[address] for address in addresses]
        count = sum(one.done() for one in checked)
        for one in checked:
            if one.done():
                one.result()
        if count:
            self.last_seen = time.monotonic()
        elif time.monotonic() - self.last_seen > WORKER_SECONDS:
            raise ResourceError(
                f"No worker has been there to solve for {WORKER_SECONDS:.0f} seconds; start one with "
                f"`dask worker {self.client.scheduler.address}`."
            )
        return count

    def check(self, address: str) -> None:
        """ResourceError for a worker that has no truc-solve; one that goes away meanwhile is no longer counted."""
        answer: object = None
        with suppress(Exception):
            answer = self.client.run(resolve_name, ASKED, workers=[address], on_error="return").get(address)
        if isinstance(answer, ImportError | AttributeError):
            raise ResourceError(
                f"The worker at {address} cannot solve ({answer}); install the same truc-solve there as here."
            )

    def give(self, task: GroupTask) -> Future[Solved]:
        """Send a group; its states' folders are written here when it comes back."""
        return self.threads.submit(self.send, task)

    def send(self, task: GroupTask) -> Solved:
        """Wait for a group; ResourceError when workers keep dying over it or the scheduler is lost."""
        title = " and ".join(format_score(task.rules, score) for score in task.group)
        key = f"truc-solve-{self.name}-{title}"
        away = replace(task, folder=None, resumable=False)
        remote = self.client.submit(solve_away, away, versions(), key=key, retries=RETRIES, pure=False)
        self.sent.add(remote)
        try:
            values, files = remote.result()
        except Exception as error:
            raise self.told(error, f"{task.rules.name} at {title}") from error
        finally:
            self.sent.discard(remote)
            remote.release()
        if task.folder is not None:
            for score, content in files.items():
                unpack(content, state_folder(task.folder, task.rules, score))
        return dict(values)

    def told(self, error: Exception, what: str) -> BaseException:
        """What went wrong, in a sentence."""
        if isinstance(error, TrucError | MemoryError) or self.ending:
            return CancelledError() if self.ending else error
        kind = type(error).__name__
        if kind == "KilledWorker":
            return ResourceError(f"One worker of the cluster after the other died while it solved {what}.")
        if isinstance(error, ImportError):
            return ResourceError(f"A worker of the cluster cannot solve {what}: {error}; install truc-solve there.")
        if "deserialization" in str(error):
            return ResourceError("The scheduler of the cluster cannot read what it is sent; install truc-solve there.")
        if "Cancelled" in kind or "Closed" in kind:
            return ResourceError(f"The scheduler of the cluster was lost while {what} was being solved.")
        return error

    def halt(self) -> None:
        """Take back what was sent; a worker notices after its current sweep."""
        self.ending = True
        with suppress(Exception):
            self.client.cancel(list(self.sent), force=True)

    def close(self) -> None:
        """Leave the scheduler and its workers as they are."""
        self.halt()
        with suppress(Exception):
            self.client.close(timeout=2)
        self.threads.shutdown(wait=False, cancel_futures=True)


@contextmanager
def cluster_workers(address: str) -> Iterator[ClusterWorkers]:
    """The workers of the scheduler at an address; UsageError when none answers, or Dask is not installed."""
    workers = ClusterWorkers(connect(address))
    try:
        yield workers
    finally:
        workers.close()


def connect(address: str) -> Any:
    """A client of the scheduler at an address."""
    try:
        dask: Any = import_module("distributed")
    except ImportError as error:
        raise UsageError(
            "--cluster needs Dask distributed, which is not installed: pip install 'truc-solve[cluster]'."
        ) from error
    for logger in ("distributed", "tornado", "asyncio", *logging.root.manager.loggerDict):
        if logger.startswith(("distributed", "tornado", "asyncio")):
            logging.getLogger(logger).setLevel(logging.CRITICAL)
    try:
        asyncio.run(asyncio.wait_for(knock(dask, address), CONNECT_SECONDS))
        return dask.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise UsageError(
            f"No Dask scheduler answers at '{address}'; start one with `dask scheduler` and give the address that it "
            "prints, such as tcp://127.0.0.1:8786."
        ) from error


async def knock(dask: Any, address: str) -> None:
    """Shake hands with a scheduler and leave; a client would wait for ever for one that listens and says nothing."""
    secrets = dask.Security().get_connection_args("client")
    there = await dask.comm.connect(address, timeout=CONNECT_SECONDS, **secrets)
    await there.close()


def solve_away(task: GroupTask, wanted: dict[str, str]) -> tuple[Solved, Files]:
    """Solve a group on a worker and return the values and the files of the states' folders.

    UsageError when the worker has another version of a package that the bits depend on.
    """
    here = versions()
    differs = [f"{name} {here[name]} and not {wanted[name]}" for name in SAME if here[name] != wanted[name]]
    if differs:
        raise UsageError(f"A worker of the cluster has {', '.join(differs)}; install the same versions everywhere.")
    with room(None) as folder:
        values = solve_group(replace(task, folder=folder), stop_asked())
        places = {score: state_folder(folder, task.rules, score) for score in task.group}
        files = {score: {path.name: path.read_bytes() for path in place.iterdir()} for score, place in places.items()}
        return values, files


def stop_asked() -> Any:
    """Tells whether the task of this worker's thread has been taken back."""
    dask: Any = import_module("distributed")
    try:
        worker = dask.get_worker()
        key, tasks = worker.get_current_task(), worker.state.tasks
    except (ValueError, AttributeError):
        return never

    def asked() -> bool:
        task = tasks.get(key)
        return task is None or task.state == "cancelled"

    return asked


def unpack(content: dict[str, bytes], place: Path) -> None:
    """Write a folder whole or not at all."""
    with new_folder(place) as beside:
        for name, data in content.items():
            (beside / name).write_bytes(data)
