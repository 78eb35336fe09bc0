"""A limit of time on work that does not look at the clock itself."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from solver.errors import TrucError


@contextmanager
def within(seconds: float | None, sentence: str) -> Iterator[None]:
    """TrucError with the sentence when what is done within takes longer; None: no limit.

    The system's alarm ends it, between two steps of the interpreter: in the main thread only, and not on Windows.
    """
    main = threading.current_thread() is threading.main_thread()
    if seconds is None or not main or not hasattr(signal, "setitimer"):
        yield
        return

    def late(number: int, frame: object) -> None:
        raise TrucError(sentence)

    kept = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, kept)
