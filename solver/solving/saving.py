"""What a run has come to, saved wherever it can be."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from solver.cfr.solve import INTERRUPT
from solver.errors import FileError, ResourceError
from solver.files import reserve
from solver.memory import ran_out
from solver.solving.order import Keep, Observer
from solver.strategy.solution import Solution
from solver.strategy.store import read_run, save


def save_somewhere(solution: Solution, keep: Keep, checkpoint: Path, observer: Observer) -> None:
    """Write the folder; an interrupted run does not replace a better solution.

    ResourceError or FileError when the folder cannot be written: the result then lies in a folder for temporary files,
    and the sentence says where.
    """
    folder = keep.folder
    if solution.facts["reason"] == INTERRUPT and holds_better(folder, solution.claim.exploitability):
        observer.note(f"{folder} holds a better solution and stays as it is.")
        return
    try:
        save(solution, folder, keep.replace)
    except Exception as error:
        kind = ResourceError if isinstance(error, OSError) or ran_out(error) else FileError
        tried = f"The result could not be written to '{folder}' ({reason(error)})"
        fallback = reserve(folder.name)
        try:
            place = save(solution, fallback)
        except Exception as second:
            with suppress(OSError):
                fallback.parent.rmdir()
            kept = f"; the checkpoint {checkpoint} is kept" if checkpoint.exists() else ""
            raise kind(f"{tried}, nor to the folder for temporary files ({reason(second)}){kept}.") from error
        raise kind(f"{tried}; it is kept whole in '{place}', move it from there.") from error


def holds_better(folder: Path, exploitability: float) -> bool:
    """Whether the folder holds a solution that claims at most this exploitability."""
    try:
        return float(read_run(folder)["exploitability"]) <= exploitability
    except (FileError, OSError, KeyError, TypeError, ValueError):
        return False


def reason(error: Exception) -> str:
    """The system's own words for a failure."""
    told = error.strerror if isinstance(error, OSError) else None
    return " ".join((told or str(error) or type(error).__name__).lower().split())


@contextmanager
def patient_interrupts(observer: Observer) -> Iterator[None]:
    """Ctrl-C while a result is being saved only says so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = signal.signal(signal.SIGINT, lambda number, frame: observer.note("Saving first, one moment."))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, kept)
