"""Processes forked from one that reads or writes tables: polars has no threads there, and waits for them for ever."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from solver.errors import UsageError

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
_state = {"at work": False, "inherited": False}


def look_before() -> None:
    """Before a fork: see whether the threads of polars run here."""
    names = list(Path("/proc/self/task").glob("*/comm"))
    _state["at work"] = any(map(is_of_polars, names)) if names else "polars" in sys.modules


def is_of_polars(name: Path) -> bool:
    """Whether a thread is one of the pool of polars."""
    try:
        return name.read_text().startswith("polars-0")
    except OSError:
        return False


def look_after() -> None:
    """In the new process: remember what its parent had at work."""
    _state["inherited"] = _state["inherited"] or _state["at work"]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=look_before, after_in_child=look_after)


def check_fork() -> None:
    """UsageError in a process that was forked after tables had been read or written."""
    if _state["inherited"]:
        raise UsageError(
            "This process was forked from one that has read or written tables, which then do not work here; start "
            "processes by multiprocessing's method 'spawn' or 'forkserver', or fork before the first table."
        )


def with_tables(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """A function that reads, writes or returns tables: UsageError instead of waiting for ever."""

    @wraps(function)
    def checked(*values: Given.args, **named: Given.kwargs) -> Answer:
        check_fork()
        return function(*values, **named)

    return checked
