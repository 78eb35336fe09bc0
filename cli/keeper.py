"""Nothing lost: drives a run, keeps checkpoints, and saves what comes of it wherever it can."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cli.output import note, warn
from cli.places import fallback_folder
from cli.progress import Forecast, Progress, duration
from solver.cfr.solve import INTERRUPT, ITERATIONS, TARGET, Limits, Run
from solver.errors import FileError, ResourceError
from solver.strategy.checkpoint import checkpoint_path, write_checkpoint
from solver.strategy.solution import Solution, finish, solve_run
from solver.strategy.store import copy_equity, read_run, save
from solver.tree.build import HandGame

CHECKPOINT_SECONDS = 60.0


class Keeper:
    """One run and the files that come of it.

    made_of   what the checkpoint must agree with
    force     a solution of another game is replaced that came to the folder meanwhile
    """

    force = False

    def __init__(
        self,
        game: HandGame,
        run: Run,
        folder: Path,
        made_of: Mapping[str, Any],
        progress: Progress,
        quiet: bool,
    ) -> None:
        self.game, self.run, self.folder, self.made_of = game, run, folder, made_of
        self.progress, self.quiet = progress, quiet
        self.checkpoint = checkpoint_path(folder)
        self.forecast = Forecast(
            run.limits.target, max_iterations=run.limits.iterations, max_seconds=run.limits.seconds
        )
        self.judged, self.owns_checkpoint = 0, False
        self.due = time.monotonic() + CHECKPOINT_SECONDS

    def solve(self) -> None:
        """Drive the run to one of its limits; a checkpoint stays behind unless the target was reached.

        A second Ctrl-C, which ends the run without a result, raises KeyboardInterrupt after keeping the checkpoint.
        """
        run = self.run
        self.start()
        with patient_interrupts():
            try:
                if not run.reason:
                    solve_run(self.game, run, self.watch)
            except KeyboardInterrupt:
                self.keep(self.judged)
                self.tell_checkpoint()
                raise
            if run.reason != TARGET:
                self.keep(self.judged)

    def start(self) -> None:
        """Take up the clocks of a resumed run, which may have nothing left to do."""
        run, limits = self.run, self.run.limits
        if run.iteration == 0:
            if self.checkpoint.exists():
                note(
                    f"'{self.checkpoint}' of an earlier run is not used; --resume goes on from it.",
                    quiet=self.quiet,
                )
            return
        self.judged, self.owns_checkpoint = len(run.measures), True
        note(f"Resumed at iteration {run.iteration} from {self.checkpoint}.", quiet=self.quiet)
        if limits.seconds is not None:
            run.limits = Limits(limits.target, limits.iterations, limits.seconds + run.seconds + run.checking)
        if limits.iterations is not None and run.iteration >= limits.iterations:
            run.reason = ITERATIONS
        elif run.measures and run.measures[-1].iteration == run.iteration:
            run.reason = TARGET if run.measures[-1].exploitability <= limits.target else ""

    def watch(self, run: Run) -> None:
        """After every iteration: tell how far the run is, now and then keep a checkpoint."""
        if len(run.measures) > self.judged:
            last = run.measures[-1]
            self.forecast.add(last.iteration, last.seconds + run.checking, last.exploitability)
        gap = run.measures[-1].exploitability if run.measures else None
        self.progress.update(
            f"iteration {run.iteration}", exploitability=gap, seconds_left=self.forecast.seconds_left()
        )
        if run.reason:
            return
        self.judged = len(run.measures)
        if time.monotonic() >= self.due:
            self.keep(self.judged)

    def keep(self, measures: int) -> None:
        """Write the checkpoint; a disk that takes none is told, and the run goes on."""
        try:
            write_checkpoint(self.checkpoint, self.run, self.made_of, measures)
            self.owns_checkpoint = True
        except OSError as error:
            warn(f"the checkpoint '{self.checkpoint}' could not be written ({reason(error)}).")
        self.due = time.monotonic() + CHECKPOINT_SECONDS

    def tell_checkpoint(self) -> None:
        """Say where the run can go on from."""
        if self.checkpoint.exists():
            note(f"The checkpoint {self.checkpoint} is kept; --resume goes on from it.", quiet=self.quiet)

    def finish(self, facts: Mapping[str, object], equity: Path | None) -> tuple[Solution, Path | None]:
        """Round, judge and save the result; returns it and its folder, None where a better one stays."""
        with patient_interrupts():
            self.progress.stage("rounding and judging the result")
            nothing = np.zeros(0, np.float32)
            self.run.sweeper.regret = self.run.sweeper.strategy = nothing
            solution = finish(self.game, self.run, dict(facts))
            self.run.sweeper.average = nothing
            solution.extra_files = None if equity is None else partial(copy_equity, equity)
            solution.facts["reached_target"] = solution.claim.exploitability <= self.run.limits.target
            self.tell_reason(solution)
            self.progress.stage("saving")
            path = self.save(solution)
            if self.run.reason != TARGET:
                self.tell_checkpoint()
            elif self.owns_checkpoint:
                self.checkpoint.unlink(missing_ok=True)
        return solution, path

    def save(self, solution: Solution) -> Path | None:
        """Write the folder; an interrupted run does not replace a better solution."""
        if self.run.reason == INTERRUPT and better_one(self.folder, solution.claim.exploitability):
            note(f"{self.folder} holds a better solution and stays as it is.", quiet=self.quiet)
            return None
        try:
            return save(solution, self.folder, self.force)
        except Exception as error:
            raise self.rescued(solution, error) from error

    def rescued(self, solution: Solution, error: Exception) -> ResourceError | FileError:
        """Save in the folder for temporary files what could not be saved in its place, and say so."""
        kind = ResourceError if isinstance(error, OSError) else FileError
        tried = f"The result could not be written to '{self.folder}' ({reason(error)})"
        fallback = fallback_folder(self.folder)
        try:
            place = save(solution, fallback)
        except Exception as second:
            with suppress(OSError):
                fallback.parent.rmdir()
            kept = f"; the checkpoint {self.checkpoint} is kept" if self.checkpoint.exists() else ""
            return kind(f"{tried}, nor to the folder for temporary files ({reason(second)}){kept}.")
        return kind(f"{tried}; it is kept whole in '{place}', move it from there.")

    def tell_reason(self, solution: Solution) -> None:
        """Why the run stopped, and how good the result is."""
        run, claim = self.run, solution.claim
        note(
            f"Stopped: {run.reason}, after {run.iteration} iterations in "
            f"{duration(run.seconds + run.checking)}; "
            f"exploitability {claim.exploitability:.3g} {self.progress.unit}, target {run.limits.target:g}.",
            quiet=self.quiet,
        )
        if run.reason == TARGET and not solution.facts["reached_target"]:
            warn("rounding to 16 bits took the exploitability above the target: it is finer than files hold.")


def better_one(folder: Path, exploitability: float) -> bool:
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
def patient_interrupts() -> Iterator[None]:
    """Ctrl-C while a result is being saved only says so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def wait(number: int, frame: object) -> None:
        note("Saving first, one moment.")

    kept = signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, kept)
