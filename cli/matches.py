"""Solving a match from the command line: place, memory and disk looked at first, progress while it goes on.

Imports the solver, so commands import it inside their bodies.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.exits import DONE, INTERRUPTED, TARGET_NOT_REACHED
from cli.output import note
from cli.progress import Progress
from solver.cfr.solve import INTERRUPT
from solver.errors import FileError, ResourceError, UsageError
from solver.match.plan import hand_slots
from solver.match.record import MATCH, description, only_run, read_record, resume_match, sweep_leftovers
from solver.match.run import MatchRun, new_match, solve_match
from solver.match.workers import Workers, local_workers
from solver.memory import available_memory
from solver.places import probe
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import format_score, start_score
from solver.solving.estimate import extra_memory, sweeper_bytes
from solver.solving.figures import duration, sized
from solver.solving.machine import resident_bytes, usable_threads
from solver.solving.warm_up import compile_kernels
from solver.strategy.solution import game_for

DEFAULT_TARGET = 0.001
#: bytes of a state's folder a slot, measured; the largest trees take the fewest
STORED_BYTES_A_SLOT = 2.2
SHOWN = 6


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """What match is to be solved, how far, by whom, and where the result goes.

    target    exploitability of the whole match; max_time: seconds from now
    threads   workers on this machine, None for one a core; cluster: address of a scheduler instead
    """

    rules: RuleSet
    target: float
    folder: Path
    max_time: float | None = None
    threads: int | None = None
    cluster: str | None = None
    resume: bool = False
    force: bool = False
    quiet: bool = False


def match_folder(results: Path, rules: RuleSet) -> Path:
    """Where a match goes: RULES-match, and part of the fingerprint when options were changed."""
    changed = rules.name not in catalogue.names() or catalogue.load(rules.name).fingerprint != rules.fingerprint
    return results / (f"{rules.name}-match-{rules.fingerprint[:8]}" if changed else f"{rules.name}-match")


def carry_out_match(order: MatchOrder) -> MatchRun:
    """Solve the match, or as much of it as there is time for."""
    check_place(order)
    progress = MatchProgress(quiet=order.quiet)
    with only_run(order.folder), progress, workers_of(order) as (pool, count):
        progress.stage("compiling kernels (once)")
        compile_kernels()
        progress.stage("working out redeals (once)" if order.rules.tout_pate else "planning")
        run = new_match(order.rules, order.target, order.folder)
        if order.resume:
            for sentence in resume_match(run):
                note(sentence, quiet=order.quiet)
            note(f"Resumed with {run.done} of {run.states} states from {order.folder}.", quiet=order.quiet)
        check_room(order, run, count)
        solve_match(run, pool, max_seconds=order.max_time, watch=lambda run: progress.show(run, pool.count()))
    note(stopped(run), quiet=order.quiet)
    return run


@contextmanager
def workers_of(order: MatchOrder) -> Iterator[tuple[Workers, int]]:
    """The workers of an order, and how many of them are processes of this machine."""
    if order.cluster is None:
        count = order.threads or usable_threads()
        with local_workers(count) as here:
            yield here, count
        return
    if order.threads is not None:
        raise UsageError("--threads is about this machine and --cluster about others; give one of them.")
    from solver.match.cluster import cluster_workers

    with cluster_workers(order.cluster) as away:
        yield away, 0


def check_place(order: MatchOrder) -> None:
    """Raise unless the folder can be written and holds nothing that would be lost."""
    folder = order.folder
    if folder.exists() and not folder.is_dir():
        raise FileError(f"'{folder}' is a file; name a folder with --out.")
    sweep_leftovers(folder)
    if not order.resume and folder.is_dir() and any(folder.iterdir()):
        raise UsageError(occupied(folder))
    if order.resume and not (folder / MATCH).is_file():
        raise FileError(f"There is no match to resume in '{folder}': it has no {MATCH}; start it without --resume.")
    probe(folder, folder)


def occupied(folder: Path) -> str:
    """Why a match cannot be begun in a folder that is not empty."""
    if not (folder / MATCH).is_file():
        first = sorted(path.name for path in folder.iterdir())[0]
        return (
            f"'{folder}' holds '{first}' and is no match folder, so nothing is written there; name another with --out."
        )
    made = read_record(folder)
    done = f"{made.get('states_done')} of {made.get('states')} states of {made.get('rules')}"
    return f"'{folder}' holds a match already ({done}); --resume goes on with it, --out names another folder."


def check_room(order: MatchOrder, run: MatchRun, processes: int) -> None:
    """ResourceError when memory or disk will not do, unless forced."""
    if order.force:
        return
    free = available_memory()
    needed = processes * worker_bytes(order.rules) if processes else 0
    if free is not None and needed > free:
        raise ResourceError(
            f"Solving the match of {order.rules.name} with {processes} workers takes about {sized(needed)} of memory, "
            f"{sized(free)} can be had; take fewer --threads, or --force to try."
        )
    slots = sum(hand_slots(order.rules, score) for group in run.waiting for score in group)
    room, space = int(STORED_BYTES_A_SLOT * slots), shutil.disk_usage(order.folder).free
    if room > space:
        raise ResourceError(
            f"The disk of '{order.folder}' has {sized(space)} free, the match takes about {sized(room)} more; "
            "choose another place with --out, or --force to try."
        )


def worker_bytes(rules: RuleSet) -> int:
    """About what one worker holds at its peak: this process with a tree built, and two hands of the largest tree."""
    tree = game_for(rules, start_score(rules), lambda winner, amount: 0.0, "match").tree
    return resident_bytes() + int(1.1 * (extra_memory(tree, 1) + sweeper_bytes(tree, 1, tree.n_slots)))


class MatchProgress(Progress):
    """The progress of a match: what matters most comes first, since a narrow terminal cuts the line's end."""

    now = ""

    def show(self, run: MatchRun, workers: int) -> None:
        """Take states, the widest bound so far, time left, and what is being solved."""
        scores = [format_score(run.rules, score) for group in run.running for score in group]
        self.now = " ".join(scores[:SHOWN]) + (" …" if len(scores) > SHOWN else "")
        widest = max((one.gap / 2.0 for one in run.table.values.values()), default=None)
        left = run.seconds_left(workers) if workers else None
        waiting = "" if workers else ", waiting for workers"
        self.update(f"{run.done} of {run.states} states{waiting}", exploitability=widest, seconds_left=left)

    def line(self) -> str:
        """The progress as one line of text."""
        seconds, parts = time.monotonic(), [self._done]
        if self._due is not None:
            parts.append(f"about {duration(max(self._due - seconds, 0.0))} left")
        if self._exploitability is not None:
            parts.append(f"exploitability {self._exploitability:.3g}")
        parts.append(f"{duration(seconds - self.started)} gone")
        return ", ".join([*parts, f"at {self.now}"] if self.now else parts)


def stopped(run: MatchRun) -> str:
    """Why the run stopped, how good the result is or what is missing."""
    text = f"Stopped: {run.reason}, {run.done} of {run.states} states in {duration(run.seconds)}"
    if run.start is None:
        missing = description(run)["missing"]
        named = ", ".join(missing[-SHOWN:]) + (" and others" if len(missing) > SHOWN else "")
        return f"{text}; not yet solved: {named}. --resume goes on."
    return (
        f"{text}; exploitability {run.start.gap / 2.0:.3g} of the match (nash_conv {run.start.gap:.3g}), "
        f"target {run.target:g}."
    )


def summary(run: MatchRun) -> dict[str, Any]:
    """The keys that `match --json` promises, and some more."""
    inner = ("format", "rules_digest", "versions")
    return {key: value for key, value in description(run).items() if key not in inner} | {"path": run.folder}


def exit_code(run: MatchRun) -> int:
    """0 when the target was reached, 130 after Ctrl-C, else 1."""
    if run.reason == INTERRUPT:
        return INTERRUPTED
    return DONE if run.reached else TARGET_NOT_REACHED
