"""The loop: update, measure now and then, stop for a reason that is always named."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from solver.cfr.sweeper import Sweeper

TARGET, ITERATIONS, TIME, INTERRUPT = "target reached", "iteration limit", "time limit", "interrupted"
FIRST_CHECK = 40


@dataclass(frozen=True, slots=True)
class Measure:
    """One judged point of a run; ``seconds`` of solving, without compiling; all values in the run's unit."""

    iteration: int
    seconds: float
    value: float
    best_response: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """Sum of both best-response values."""
        return sum(self.best_response)

    @property
    def exploitability(self) -> float:
        """Half of nash_conv."""
        return self.nash_conv / 2.0


def reached(exploitability: float, target: float) -> bool:
    """The one meaning of a target that is reached, of a hand and of a match.

    What is stored claims it by the exploitability of the numbers that are stored.
    """
    return exploitability <= target


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop: exploitability ``target``, iterations, seconds; None: no such limit.

    first_check   iteration of the first judgement: far from the target one would only cost time
    """

    target: float
    iterations: int | None = None
    seconds: float | None = None
    first_check: int = FIRST_CHECK


@dataclass(slots=True)
class Run:
    """A running or finished solve.

    measures   every judged point, oldest first
    seconds    spent in sweeps; checking: by the judge; compiling: on kernels
    """

    sweeper: Sweeper
    limits: Limits
    measures: list[Measure] = field(default_factory=list)
    seconds: float = 0.0
    checking: float = 0.0
    compiling: float = 0.0
    reason: str = ""

    @property
    def iteration(self) -> int:
        """Sweeps of both sides done so far."""
        return self.sweeper.iteration

    def step(self) -> None:
        """One iteration, its time taken."""
        started = time.perf_counter()
        self.sweeper.step()
        self.seconds += time.perf_counter() - started


def next_check(run: Run) -> int:
    """Iteration of the next judgement: judging costs as much as tens of sweeps.

    Far from the target the number of iterations doubles; near it exploitability is taken to fall with their square.
    The rule looks at the measures only, so a resumed run is judged where a straight one is.
    """
    if not run.measures:
        return run.limits.first_check
    iteration = run.measures[-1].iteration
    factor = max(run.measures[-1].exploitability, 0.0) / max(run.limits.target, 1e-300)  # rounding may be below 0
    growth = min(2.0, max(1.06, factor**0.5))
    return int(max(iteration + 5, round(iteration * growth)))


def solve(
    run: Run,
    judge: Callable[[], tuple[float, tuple[float, float]]],
    watch: Callable[[Run], None] = lambda run: None,
) -> Run:
    """Sweep until a limit is met; ``judge`` returns (value, best responses) of the current average strategy.

    ``watch`` is called after every iteration. Ctrl-C ends the run after the iteration it falls into, a second one
    without a last judgement, by KeyboardInterrupt: in both cases the state is whole, and the run can be continued from
    it to the same bits.
    """
    due = next_check(run)
    with deferred_interrupt() as interrupted:
        while not run.reason:
            run.step()
            interrupted.halt()
            reason = INTERRUPT if interrupted else stop_reason(run)
            if reason or run.iteration >= due:
                with interrupted.at_once():
                    measure(run, judge)
                due = next_check(run)
                if reached(run.measures[-1].exploitability, run.limits.target):
                    reason = TARGET
            run.reason = reason
            watch(run)
    return run


class Interrupts:
    """Ctrl-C counted instead of raised, so that it falls between two steps of the work."""

    def __init__(self) -> None:
        self.times, self.raising = 0, False

    def __bool__(self) -> bool:
        return self.times > 0

    def note(self, number: int, frame: object) -> None:
        """The handler of the signal."""
        self.times += 1
        if self.raising:
            self.halt()

    def halt(self) -> None:
        """KeyboardInterrupt if Ctrl-C was pressed more than once."""
        if self.times > 1:
            raise KeyboardInterrupt

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Within, nothing is lost by stopping: a second Ctrl-C raises where it falls."""
        self.halt()
        self.raising = True
        try:
            yield
        finally:
            self.raising = False


@contextmanager
def deferred_interrupt() -> Iterator[Interrupts]:
    """Count Ctrl-C meanwhile; only the main thread can do this, elsewhere nothing is counted."""
    caught = Interrupts()
    if threading.current_thread() is not threading.main_thread():
        yield caught
        return
    kept = signal.signal(signal.SIGINT, caught.note)
    try:
        yield caught
    finally:
        signal.signal(signal.SIGINT, kept)


def stop_reason(run: Run) -> str:
    """The limit that is met, or an empty string."""
    if run.limits.iterations is not None and run.iteration >= run.limits.iterations:
        return ITERATIONS
    if run.limits.seconds is not None and run.seconds + run.checking >= run.limits.seconds:
        return TIME
    return ""


def measure(run: Run, judge: Callable[[], tuple[float, tuple[float, float]]]) -> None:
    """Judge the average strategy and add the point to the run; the judge's time is kept apart."""
    started = time.perf_counter()
    value, best_response = judge()
    run.checking += time.perf_counter() - started
    run.measures.append(Measure(run.iteration, run.seconds, value, best_response))
