"""The progress of long work on stderr: a live line on a terminal, else a plain line every ten seconds."""

from __future__ import annotations

import math
import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from solver.solving.figures import duration

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

HEARTBEAT_SECONDS = 10.0


class Progress:
    """Shows what is done, the exploitability now and the time left, while it is used as a context manager.

    Both forms are drawn by a thread of their own, so they go on while one step takes long (compiling).
    `--quiet` silences them. Updates cost no more than an assignment and may come thousands of times a second.
    """

    def __init__(self, *, unit: str = "points", quiet: bool = False, stream: TextIO | None = None) -> None:
        """`unit` is what exploitability is measured in; `stream` is stderr unless a test says otherwise."""
        self.unit = unit
        self.quiet = quiet
        self.stream = sys.stderr if stream is None else stream
        self.started = time.monotonic()
        self._done = "starting"
        self._exploitability: float | None = None
        self._due: float | None = None
        self._live: Live | None = None
        self._over = threading.Event()
        self._heart: threading.Thread | None = None

    def stage(self, what: str) -> None:
        """Name the part of the work that begins, such as `compiling kernels (once)`."""
        self._done, self._due = what, None

    def update(
        self, done: str, *, exploitability: float | None = None, seconds_left: float | None = None
    ) -> None:
        """Tell what is done, such as `iteration 120`; without a new exploitability the last one stays."""
        self._done = done
        if exploitability is not None:
            self._exploitability = exploitability
        self._due = None if seconds_left is None else time.monotonic() + seconds_left

    def line(self) -> str:
        """The progress as one line of text."""
        now = time.monotonic()
        parts = [self._done]
        if self._exploitability is not None:
            parts.append(f"exploitability {self._exploitability:.3g} {self.unit}")
        parts.append(f"{duration(now - self.started)} gone")
        if self._due is not None:
            parts.append(f"about {duration(max(self._due - now, 0.0))} left")
        return ", ".join(parts)

    def __rich__(self) -> RenderableType:
        """The line, for rich, which asks for it at every refresh."""
        from rich.text import Text

        return Text(self.line(), no_wrap=True, overflow="ellipsis", style="dim")

    def __enter__(self) -> Progress:
        if self.quiet:
            return self
        if self.stream.isatty():
            from rich.live import Live

            from cli.output import console

            self._live = Live(self, console=console(self.stream), refresh_per_second=4, transient=True)
            self._live.start()
        else:
            self._heart = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
            self._heart.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._live is not None:
            self._live.stop()
        if self._heart is not None:
            self._heart.join(timeout=1.0)

    def _beat(self) -> None:
        while not self._over.wait(HEARTBEAT_SECONDS):
            try:
                self.stream.write(f"{self.line()}\n")
                self.stream.flush()
            except (OSError, ValueError):
                return


class Forecast:
    """When a run will stop, from how its exploitability has fallen so far.

    Exploitability falls about as a power of time; the line through the newest point and the one at half its
    time (in logarithms) is prolonged to the target. Limits on iterations and seconds may come first.
    """

    def __init__(
        self, target: float, *, max_iterations: int | None = None, max_seconds: float | None = None
    ) -> None:
        """`target` is an exploitability in the unit of the run."""
        self.target = target
        self.max_iterations = max_iterations
        self.max_seconds = max_seconds
        self._points: list[tuple[float, float]] = []
        self._limits: list[float] = []

    def add(self, iteration: int, seconds: float, exploitability: float) -> None:
        """Record a measurement: `seconds` of solving so far, the exploitability then."""
        self._limits = []
        if self.max_seconds is not None:
            self._limits.append(self.max_seconds - seconds)
        if self.max_iterations is not None and iteration > 0:
            self._limits.append((self.max_iterations - iteration) * seconds / iteration)
        if seconds > 0 and exploitability > 0:
            self._points.append((seconds, exploitability))

    def seconds_left(self) -> float | None:
        """Seconds until the first of target and limits, None while nothing can be said."""
        left = [*self._limits]
        reach = self._until_target()
        if reach is not None:
            left.append(reach)
        return max(min(left), 0.0) if left else None

    def _until_target(self) -> float | None:
        if len(self._points) < 2:
            return None
        now, gap = self._points[-1]
        if gap <= self.target:
            return 0.0
        then, wider = next((one for one in reversed(self._points[:-1]) if one[0] <= now / 2), self._points[0])
        if wider <= gap or then >= now or self.target <= 0:
            return None
        # wider / gap = (now / then) ** power, and gap / target = (reach / now) ** power
        return now * float((gap / self.target) ** (math.log(now / then) / math.log(wider / gap))) - now
