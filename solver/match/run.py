"""A whole match: groups of scores handed to workers as soon as what they depend on is known.

Workers are processes with one thread each; a group's result depends only on its inputs, so any number of workers
gives the same bits. The equity table and the run's description are written after every group.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from solver.errors import FileError, UsageError
from solver.match.scores import dependencies, groups, visits
from solver.match.state import GroupTask, Values, solve_group, state_folder
from solver.match.tables import EquityTable, StateValue
from solver.rules.kinds import hand_kind
from solver.rules.model import RuleSet
from solver.rules.score import Score, start_score
from solver.strategy.equity import EQUITY, score_key
from solver.strategy.redeals import redeal_values
from solver.strategy.solution import game_for
from solver.strategy.store import FORMAT, read_frame, versions

MATCH = "match.json"
#: part of the target that the scores' tolerances may add up to; the rest is for what the guess of visits misses
BUDGET = 0.7
LOOSEST = 0.02

Group = tuple[Score, ...]


@dataclass(slots=True)
class MatchRun:
    """State of a match run.

    table       values found so far
    tolerance   exploitability each score is solved to
    waiting     groups not yet solved, in order
    reason      why it stopped; empty while it goes on
    """

    rules: RuleSet
    target: float
    folder: Path
    table: EquityTable
    tolerance: dict[Score, float]
    waiting: list[Group]
    algorithm: str = "dcfr"
    seconds: float = 0.0
    running: list[Group] = field(default_factory=list)
    reason: str = ""

    @property
    def done(self) -> int:
        return len(self.table.values)

    @property
    def start(self) -> StateValue | None:
        return self.table.values.get(start_score(self.rules))


def tolerances(rules: RuleSet, target: float) -> dict[Score, float]:
    """Exploitability for every score so that, weighted by visits, they add up to ``BUDGET`` of the match's nash_conv.

    Exploitability falls about as the square of the iterations, so the least work for the bound has tolerances that grow
    as (cost / visits) to the power 2/3: scores that are cheap or often met are solved further than dear or rare ones.
    """
    share = visits(rules)
    weight = {score: (hand_cost(rules, score) / max(share[score], 1e-4)) ** (2.0 / 3.0) for score in share}
    total = 2.0 * sum(share[score] * weight[score] for score in share)
    return {score: float(min(LOOSEST, BUDGET * target * weight[score] / total)) for score in share}


def hand_cost(rules: RuleSet, score: Score) -> float:
    """Slots of the hand at a score: what one sweep costs."""
    return float(game_for(rules, score, lambda winner, amount: 0.0, "match").tree.n_slots) + 20_000.0


def new_match(rules: RuleSet, target: float, folder: Path, algorithm: str = "dcfr") -> MatchRun:
    """A match with nothing solved yet; UsageError for rules whose scores do not only go forward."""
    if rules.chanter != "off" and rules.tout_pate == 0:
        raise UsageError("A match with chanter needs tout_pate of at least 1: without it a drawn hand takes petits away.")
    if rules.tout_pate:
        redeal_values(rules)
    return MatchRun(rules, target, folder, EquityTable(rules), tolerances(rules, target), groups(rules), algorithm)


def resume_match(run: MatchRun) -> None:
    """Take what an earlier run of the same match has finished; UsageError names what differs, FileError what is broken."""
    path = run.folder / MATCH
    if not path.is_file():
        raise FileError(f"There is no match to resume in '{run.folder}': it has no {MATCH}.")
    try:
        made = json.loads(path.read_text("utf-8"))
        wanted = description(run)
        differs = [key for key in ("options", "target", "algorithm", "format") if made[key] != wanted[key]]
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"'{path}' is damaged ({error}); start the match anew in another folder.") from error
    if differs:
        told = "; ".join(f"{key} is {named(made, wanted, key)}" for key in differs)
        raise UsageError(f"The match in '{run.folder}' is another one: {told}.")
    if made["versions"]["truc-solve"] != wanted["versions"]["truc-solve"]:
        raise UsageError(
            f"The match in '{run.folder}' was begun with truc-solve {made['versions']['truc-solve']}, "
            f"this is {wanted['versions']['truc-solve']}; start anew in another folder."
        )
    run.seconds = float(made["seconds"])
    read_table(run)


def named(made: dict[str, Any], wanted: dict[str, Any], key: str) -> str:
    """How a difference is told: the options one by one, the rest as they are."""
    if key != "options":
        return f"{made[key]} there and {wanted[key]} here"
    pairs = [(name, made[key].get(name), value) for name, value in wanted[key].items() if made[key].get(name) != value]
    return ", ".join(f"{name} {old} there and {new} here" for name, old, new in pairs)


def read_table(run: MatchRun) -> None:
    """Values of the groups whose rows and folders are all there."""
    path = run.folder / EQUITY
    if not path.is_file():
        return
    rows = {tuple(row[: len(row) - 3]): row[-3:] for row in table_rows(run, path)}
    for group in list(run.waiting):
        keys = [score_key(run.rules, score) for score in group]
        whole = all(key in rows for key in keys) and all(
            (state_folder(run.folder, run.rules, score) / "run.json").is_file() for score in group
        )
        if whole:
            for score, key in zip(group, keys, strict=True):
                run.table.values[score] = StateValue(*rows[key])
            run.waiting.remove(group)


def table_rows(run: MatchRun, path: Path) -> Iterator[tuple[Any, ...]]:
    """Score keys, value, lower and upper of every row."""
    from solver.strategy.equity import key_columns

    return read_frame(path).select(*key_columns(run.rules), "elder_wins", "lower", "upper").iter_rows()


def description(run: MatchRun) -> dict[str, Any]:
    """The content of match.json."""
    start = run.start
    found: dict[str, Any] = {
        "format": FORMAT, "rules": run.rules.name, "options": json.loads(json.dumps(run.rules.options())),
        "fingerprint": run.rules.fingerprint, "target": run.target, "algorithm": run.algorithm,
        "states": len(run.tolerance), "states_done": run.done, "seconds": run.seconds, "reason": run.reason,
        "versions": versions(),
    }  # fmt: skip
    if start is not None:
        nash_conv = start.upper - start.lower
        found |= {
            "value": start.value, "best_response": [start.upper, 1.0 - start.lower], "nash_conv": nash_conv,
            "exploitability": nash_conv / 2.0, "reached_target": nash_conv <= run.target,
        }  # fmt: skip
    return found


def save_run(run: MatchRun) -> None:
    """Write the equity table, then the description, each whole or not at all."""
    run.folder.mkdir(parents=True, exist_ok=True)
    if run.table.values:
        run.table.save(run.folder / EQUITY)
    beside = run.folder / f".{MATCH}.new"
    beside.write_text(json.dumps(description(run), indent=2, ensure_ascii=False) + "\n", "utf-8")
    os.replace(beside, run.folder / MATCH)


@contextmanager
def local_workers(threads: int) -> Iterator[Executor]:
    """Worker processes of this machine, started afresh so that they share no lock or thread with this one."""
    with ProcessPoolExecutor(threads, mp_context=get_context("spawn")) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list((pool._processes or {}).values()):
                process.terminate()
            raise


def solve_match(
    run: MatchRun, pool: Executor, workers: int, max_seconds: float | None = None,
    watch: Callable[[MatchRun], None] = lambda run: None,
) -> MatchRun:  # fmt: skip
    """Solve every waiting group; stops in time with what is finished, and says what is missing."""
    save_run(run)
    started, before = time.monotonic(), run.seconds
    pending: dict[Future[Values], Group] = {}
    while run.waiting or pending:
        hand_out(run, pool, workers, pending)
        finished, _ = wait(pending, timeout=1.0, return_when=FIRST_COMPLETED)
        run.seconds = before + time.monotonic() - started
        for future in finished:
            group = pending.pop(future)
            run.table.values.update(future.result())
            run.running.remove(group)
            save_run(run)
        watch(run)
        if max_seconds is not None and run.seconds - before >= max_seconds and (run.waiting or pending):
            run.reason = "time limit"
            save_run(run)
            raise MatchStopped(run)
    start = run.start
    assert start is not None
    run.reason = "target reached" if start.upper - start.lower <= run.target else "bound above the target"
    save_run(run)
    return run


class MatchStopped(Exception):
    """The time is up; ``run`` holds what is finished, and the workers must be ended."""

    def __init__(self, run: MatchRun) -> None:
        super().__init__("time limit")
        self.run = run


def hand_out(run: MatchRun, pool: Executor, workers: int, pending: dict[Future[Values], Group]) -> None:
    """Give groups whose dependencies are known to idle workers, in order."""
    for group in list(run.waiting):
        if len(pending) >= workers:
            return
        needed = dependencies(run.rules, group)
        if all(score in run.table.values for other in needed for score in other):
            known = {score: run.table.values[score] for other in needed for score in other}
            tolerance = {score: run.tolerance[score] for score in group}
            task = GroupTask(run.rules, group, known, tolerance, run.folder, run.algorithm)
            pending[pool.submit(solve_group, task)] = group
            run.running.append(group)
            run.waiting.remove(group)


def is_special(rules: RuleSet, score: Score) -> bool:
    """Whether the hand at a score is not an ordinary one."""
    return hand_kind(rules, score).name not in ("ladder", "ordinary")
