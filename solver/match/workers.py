"""Worker processes of this machine: one thread each, started afresh so that they share no lock with the caller.

They leave Ctrl-C to the caller, end at once when the caller is gone, and can be asked to stop, which keeps checkpoints.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from multiprocessing.sharedctypes import RawValue
from typing import Any, Protocol

from solver.match.state import GroupTask, solve_group
from solver.match.tables import StateValue
from solver.rules.score import Score

Solved = dict[Score, StateValue]

#: the flag of the worker process this is; a plain shared byte, since a lock could be held by a worker that was killed
_flag: Any = None


class Workers(Protocol):
    """Whoever solves groups of scores."""

    def give(self, task: GroupTask) -> Future[Solved]:
        """Have a group solved, and its states' folders written."""

    def count(self) -> int:
        """How many groups can be solved at once now."""

    def halt(self) -> None:
        """Ask for an end: groups being solved keep their checkpoints and end without a result."""


class LocalWorkers(ProcessPoolExecutor):
    """Processes of this machine."""

    def __init__(self, count: int) -> None:
        self.flag, self.processes = RawValue("b", 0), count
        super().__init__(count, mp_context=get_context("spawn"), initializer=begin_worker, initargs=(self.flag,))

    def give(self, task: GroupTask) -> Future[Solved]:
        """Have a group solved by a process that is or becomes idle."""
        return self.submit(solve_here, task)

    def count(self) -> int:
        """The processes."""
        return self.processes

    def halt(self) -> None:
        """Have every worker stop after its current sweep."""
        self.flag.value = 1

    def terminate(self) -> None:
        """End the processes now."""
        for process in list((self._processes or {}).values()):
            process.terminate()


@contextmanager
def local_workers(count: int) -> Iterator[LocalWorkers]:
    """Worker processes, ended at the latest when the block is left."""
    pool = LocalWorkers(count)
    try:
        yield pool
    except BaseException:
        pool.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def begin_worker(flag: Any) -> None:
    """Set a new worker process up."""
    global _flag
    _flag = flag
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    caller = parent_process()
    if caller is not None:
        threading.Thread(target=end_with, args=(caller.sentinel,), daemon=True).start()


def end_with(sentinel: Any) -> None:
    """Wait for the end of the caller, and end."""
    connection.wait([sentinel])
    os._exit(1)


def solve_here(task: GroupTask) -> Solved:
    """Solve a group in a worker process."""
    return solve_group(task, lambda: bool(_flag is not None and _flag.value))
