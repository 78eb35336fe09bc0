"""A run driven to its end with a checkpoint beside it, so that no more than a minute of work can be lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from solver.cfr.solve import ITERATIONS, TARGET, Run, reached
from solver.strategy.checkpoint import identity, read_checkpoint, write_checkpoint
from solver.strategy.run import Watch, solve_run, unwatched
from solver.tree.build import HandGame

CHECKPOINT_SECONDS = 60.0


def unforgiving(error: OSError) -> None:
    """A checkpoint that cannot be written ends the run."""
    raise error


@dataclass(slots=True)
class Checkpoint:
    """The checkpoint of a run, written every minute and when the run is stopped.

    failed    gets the error when the disk takes none
    judged    points that were judged for the run's own sake: one judged only because the run stops is left out, it
              would change where a resumed run is judged, and so where it ends
    own       the file is of this run, not of an earlier one
    """

    path: Path
    game: HandGame
    run: Run
    failed: Callable[[OSError], None] = unforgiving
    judged: int = 0
    own: bool = False
    due: float = field(default_factory=lambda: time.monotonic() + CHECKPOINT_SECONDS)

    def resume(self) -> None:
        """Set the fresh run to where the file stands, which may have nothing left to do; errors of ``read_checkpoint``.

        Seconds of the limits count from now, iterations from the start.
        """
        run = self.run
        read_checkpoint(self.path, run, identity(self.game, run.sweeper.schedule.name))
        self.judged, self.own = len(run.measures), True
        limits, last = run.limits, run.measures[-1] if run.measures else None
        if limits.seconds is not None:
            run.limits = replace(limits, seconds=limits.seconds + run.seconds + run.checking)
        if limits.iterations is not None and run.iteration >= limits.iterations:
            run.reason = ITERATIONS
        elif last and last.iteration == run.iteration and reached(last.exploitability, limits.target):
            run.reason = TARGET

    def watch(self, run: Run) -> None:
        """After every iteration: now and then the file is written."""
        if not run.reason:
            self.judged = len(run.measures)
            if time.monotonic() >= self.due:
                self.write()

    def write(self) -> None:
        """Write the file, whole or not at all."""
        try:
            made_of = identity(self.game, self.run.sweeper.schedule.name)
            write_checkpoint(self.path, self.run, made_of, self.judged)
            self.own = True
        except OSError as error:
            self.failed(error)
        self.due = time.monotonic() + CHECKPOINT_SECONDS


def drive(run: Run, checkpoint: Checkpoint | None, watch: Watch = unwatched) -> None:
    """Drive a run to one of its limits; the checkpoint stays behind unless the target was reached.

    ``watch`` is called after every iteration and may end the run by giving it a reason. A second Ctrl-C, which ends the
    run without a result, raises KeyboardInterrupt after the checkpoint was written.
    """

    def watched(run: Run) -> None:
        if checkpoint is not None:
            checkpoint.watch(run)
        watch(run)

    try:
        solve_run(run, watched)
    except KeyboardInterrupt:
        if checkpoint is not None:
            checkpoint.write()
        raise
    if checkpoint is not None and run.reason != TARGET:
        checkpoint.write()
