"""A whole match: groups of scores handed to workers as soon as what they depend on is known.

A group's result depends only on its inputs, so any number of workers gives the same bits. The equity table and the
run's description are written after every group.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from solver.cfr.solve import INTERRUPT, TARGET, TIME, deferred_interrupt, reached
from solver.errors import ResourceError, UsageError
from solver.match.plan import Plan, make_plan
from solver.match.record import description, drop_checkpoints, resume_match, save_run
from solver.match.scores import Group, dependencies, groups
from solver.match.state import GroupTask, StoppedError
from solver.match.tables import EquityTable, StateValue
from solver.match.workers import Solved, Workers, local_workers
from solver.memory import ran_out
from solver.places import FULL
from solver.rules.model import RuleSet
from solver.rules.score import format_score, start_score
from solver.strategy.redeals import redeal_values

__all__ = ["MatchRun", "description", "local_workers", "new_match", "resume_match", "save_run", "solve_match"]

SHORT = "bound above the target"
#: seconds that workers get to keep their checkpoints
PATIENCE = 30.0
#: how a group ends that was not solved because all was to end
ENDED = (StoppedError, CancelledError, BrokenExecutor)


@dataclass(slots=True)
class MatchRun:
    """State of a match run.

    target    exploitability that the whole match is to have at most: half its nash_conv
    table     values found so far
    waiting   groups not yet begun, in order; running: those being solved, and when each was begun
    seconds   of solving, earlier runs included
    paid      seconds of workers that the groups finished in this run took, and the effort planned for them
    reason    why it stopped; empty while it goes on
    """

    rules: RuleSet
    target: float
    folder: Path
    table: EquityTable
    plan: Plan
    waiting: list[Group]
    algorithm: str = "dcfr"
    seconds: float = 0.0
    running: dict[Group, float] = field(default_factory=dict)
    paid: tuple[float, float] = (0.0, 0.0)
    reason: str = ""

    @property
    def states(self) -> int:
        """Scores of the match."""
        return len(self.plan.tolerance)

    @property
    def done(self) -> int:
        """Scores solved so far."""
        return len(self.table.values)

    @property
    def start(self) -> StateValue | None:
        """Value and bounds of the match, None until all is solved."""
        return self.table.values.get(start_score(self.rules))

    @property
    def reached(self) -> bool:
        """Whether the whole match is solved to its target."""
        return self.start is not None and reached(self.start.gap / 2.0, self.target)

    def seconds_left(self, workers: int) -> float | None:
        """Seconds until all is solved, by the work that is left; None before the first groups are finished."""
        seconds, effort = self.paid
        if not effort or not seconds:
            return None
        now, pace = time.monotonic(), seconds / effort
        left = sum(self.effort(group) * pace for group in self.waiting)
        left += sum(max(0.0, self.effort(group) * pace - (now - begun)) for group, begun in self.running.items())
        return left / workers

    def effort(self, group: Group) -> float:
        """Work planned for a group."""
        return sum(self.plan.effort[score] for score in group)


def new_match(rules: RuleSet, target: float, folder: Path, algorithm: str = "dcfr") -> MatchRun:
    """A match with nothing solved yet; UsageError for rules whose scores do not only go forward."""
    if rules.chanter != "off" and rules.tout_pate == 0:
        raise UsageError(
            "A match with chanter needs tout_pate of at least 1: without it a drawn hand takes petits away."
        )
    if rules.tout_pate:
        redeal_values(rules)
    return MatchRun(rules, target, folder, EquityTable(rules), make_plan(rules, target), groups(rules), algorithm)


def solve_match(
    run: MatchRun,
    pool: Workers,
    workers: int | None = None,
    max_seconds: float | None = None,
    watch: Callable[[MatchRun], None] = lambda run: None,
) -> MatchRun:
    """Solve every waiting group; stops in time or at Ctrl-C with what is finished, and says what is missing.

    ``workers`` groups at most are given out at once, by default as many as there are workers at the time. ``watch``
    is called about twice a second. ResourceError when a worker was killed or the disk is full; what is
    finished is kept then too. A second Ctrl-C raises KeyboardInterrupt.
    """
    save_run(run)
    started, before = time.monotonic(), run.seconds
    pending: dict[Future[Solved], Group] = {}
    with deferred_interrupt() as interrupted, interrupted.at_once():
        try:
            while (run.waiting or pending) and not run.reason:
                hand_out(run, pool, pool.count() if workers is None else workers, pending)
                collect(run, pending, 0.5)
                run.seconds = before + time.monotonic() - started
                if run.waiting or pending:
                    late = max_seconds is not None and run.seconds - before >= max_seconds
                    run.reason = INTERRUPT if interrupted else TIME if late else ""
                watch(run)
            if pending:
                halt(run, pool, pending)
            run.seconds = before + time.monotonic() - started
            run.reason = run.reason or (TARGET if run.reached else SHORT)
            save_run(run)
        except Exception as error:
            give_up(run, pool, pending)
            sentence = told(run, error)
            if sentence is error:
                raise
            raise sentence from error
    return run


def hand_out(run: MatchRun, pool: Workers, workers: int, pending: dict[Future[Solved], Group]) -> None:
    """Give groups whose dependencies are known to idle workers, in order."""
    for group in list(run.waiting):
        if len(pending) >= workers:
            return
        needed = [score for other in dependencies(run.rules, group) for score in other]
        if all(score in run.table.values for score in needed):
            known = {score: run.table.values[score] for score in needed}
            tolerance = {score: run.plan.tolerance[score] for score in group}
            gap = {score: run.plan.gap[score] for score in group}
            task = GroupTask(run.rules, group, known, tolerance, gap, run.folder, run.algorithm)
            pending[pool.give(task)] = group
            run.waiting.remove(group)
            run.running[group] = time.monotonic()


def collect(run: MatchRun, pending: dict[Future[Solved], Group], seconds: float) -> None:
    """Take what is finished within some seconds, and keep it on disk; then raise what went wrong, if anything did."""
    taken: list[Group] = []
    failures: list[BaseException] = []
    for future in wait(pending, timeout=seconds, return_when=FIRST_COMPLETED).done:
        group = pending.pop(future)
        failure = CancelledError() if future.cancelled() else future.exception()
        if failure is not None:
            failures.append(failure)
            continue
        run.table.values.update(future.result())
        spent, effort = run.paid
        run.paid = spent + time.monotonic() - run.running.pop(group), effort + run.effort(group)
        taken.append(group)
    if taken:
        save_run(run)
    for group in taken:
        drop_checkpoints(run, group)
    for failure in sorted(failures, key=lambda one: isinstance(one, ENDED)):
        raise failure


def halt(run: MatchRun, pool: Workers, pending: dict[Future[Solved], Group]) -> None:
    """Have the workers keep checkpoints of what they are at; what they finish meanwhile is taken."""
    pool.halt()
    deadline = time.monotonic() + PATIENCE
    while pending and time.monotonic() < deadline:
        with suppress(*ENDED):
            collect(run, pending, 0.5)


def give_up(run: MatchRun, pool: Workers, pending: dict[Future[Solved], Group]) -> None:
    """Keep what can be kept when something went wrong."""
    run.reason = "failed"
    with suppress(Exception):
        halt(run, pool, pending)
        save_run(run)


def told(run: MatchRun, error: Exception) -> Exception:
    """The sentence for a run that ends because something ran out; any other error is itself."""
    kept = f"the {run.done} of {run.states} states that are finished are kept in '{run.folder}', --resume goes on"
    at = " and ".join(format_score(run.rules, score) for group in run.running for score in group)
    if disk_is_full(error):
        place = getattr(error, "filename", None) or run.folder
        return ResourceError(f"The disk is full: '{place}' could not be written; {kept}.")
    if ran_out(error):
        return ResourceError(f"There is not enough memory to solve {run.rules.name} at {at}; {kept}.")
    if isinstance(error, BrokenExecutor):
        return ResourceError(
            f"A worker process was ended from outside while {run.rules.name} was solved at {at}, for lack of memory "
            f"perhaps (fewer --threads need less); {kept}."
        )
    if isinstance(error, ResourceError):
        return ResourceError(f"{str(error).rstrip('.')}; {kept}.")
    return error


def disk_is_full(error: Exception) -> bool:
    """Whether an error says so; the writer of parquet files tells it in words only."""
    if isinstance(error, OSError):
        return error.errno in FULL
    return os.strerror(errno.ENOSPC) in str(error)
