"""Solving a hand from the command line: progress shown while it goes on, and what is printed at its end.

Imports the solver, so commands import it inside their bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cli.exits import DONE, INTERRUPTED, TARGET_NOT_REACHED
from cli.options import rule_set
from cli.output import note, warn
from cli.progress import Forecast, Progress
from solver.cfr.solve import INTERRUPT, Limits, Run
from solver.rules.score import parse_score, start_score
from solver.solving.door import UNIT_NAMES, solve
from solver.solving.machine import peak_bytes, usable_threads
from solver.solving.order import Keep, Observer, Question
from solver.solving.places import default_folder
from solver.strategy.description import describe
from solver.strategy.run import DEFAULT_TARGETS, Task
from solver.strategy.solution import Solution

#: what run.json says for those who read the folder
UNTOLD = frozenset({"format", "rules_digest", "slots", "digest", "payoffs", "versions"})


class Shown(Observer):
    """Shows on stderr how far a run is."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.forecast: Forecast | None = None
        self.judged = 0

    def stage(self, what: str) -> None:
        """A part of the work begins."""
        self.progress.stage(what)

    def update(self, run: Run) -> None:
        """The iteration, the last exploitability, and the time left."""
        if self.forecast is None:
            limits = run.limits
            self.forecast = Forecast(limits.target, max_iterations=limits.iterations, max_seconds=limits.seconds)
        last = run.measures[-1] if run.measures else None
        if last is not None and len(run.measures) > self.judged:
            self.judged = len(run.measures)
            self.forecast.add(last.iteration, last.seconds + run.checking, last.exploitability)
        gap, left = None if last is None else last.exploitability, self.forecast.seconds_left()
        self.progress.update(f"iteration {run.iteration}", exploitability=gap, seconds_left=left)

    def note(self, sentence: str) -> None:
        """Something worth knowing that is no failure."""
        note(sentence, quiet=self.progress.quiet)

    def warn(self, sentence: str) -> None:
        """Something works less well than it should."""
        warn(sentence)


@contextmanager
def shown(question: Question, quiet: bool) -> Iterator[Shown]:
    """Progress on stderr while a hand is solved."""
    with Progress(unit=UNIT_NAMES[question.unit], quiet=quiet) as progress:
        yield Shown(progress)


def question_of(
    rules: str, settings: list[str] | None, score: str | None, unit: str, equity: Path | None = None
) -> Question:
    """The hand that the options name."""
    chosen = rule_set(rules, settings)
    return Question(chosen, start_score(chosen) if score is None else parse_score(chosen, score), unit, equity)


def solved_in_passing(question: Question, results: Path, quiet: bool, target: float | None = None) -> Solution:
    """A hand that another command needs, solved into the results folder; KeyboardInterrupt when it was interrupted."""
    task = Task(threads=usable_threads(), limits=Limits(target or DEFAULT_TARGETS[question.unit]))
    with shown(question, quiet) as observer:
        solution = solve(question, task, Keep(default_folder(results, question)), observer)
    if solution.facts["reason"] == INTERRUPT:
        raise KeyboardInterrupt
    return solution


def summary(solution: Solution) -> dict[str, Any]:
    """The keys that `solve --json` promises, and some more."""
    told = {key: value for key, value in describe(solution).items() if key not in UNTOLD}
    return told | {"memory_bytes": peak_bytes() or told["memory_bytes"], "path": solution.path}


def exit_code(solution: Solution) -> int:
    """0 when the target was reached, 130 after Ctrl-C, else 1."""
    if solution.facts["reason"] == INTERRUPT:
        return INTERRUPTED
    return DONE if solution.facts["reached_target"] else TARGET_NOT_REACHED
