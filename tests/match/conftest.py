"""Matches on small decks, solved in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from solver.match.record import MATCH
from solver.match.run import MatchRun, new_match, solve_match
from solver.match.state import GroupTask, solve_group
from solver.match.workers import Solved
from solver.rules.model import RuleSet
from tests.match.slow_match import REDUCED, Reduced


def without_digests(folder: Path) -> Path:
    """Take the digests of other files out of match.json, as it is in folders of older versions; returns the folder."""
    made = json.loads((folder / MATCH).read_text())
    (folder / MATCH).write_text(json.dumps({key: value for key, value in made.items() if key != "files"}))
    return folder


class Here:
    """Solves each group at once, in this process, where tests can put faults in."""

    def give(self, task: GroupTask) -> Future[Solved]:
        done: Future[Solved] = Future()
        try:
            done.set_result(solve_group(task))
        except Exception as error:
            done.set_exception(error)
        return done

    def count(self) -> int:
        return 1

    def halt(self) -> None:
        return


def solve_here(rules: RuleSet, target: float, folder: Path) -> MatchRun:
    """Solve a match in this process."""
    return solve_match(new_match(rules, target, folder), Here())


@pytest.fixture(scope="session")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], MatchRun]:
    """A reduced match of slow_match by its name, solved once to 0.002."""
    runs: dict[str, MatchRun] = {}

    def call(name: str) -> MatchRun:
        if name not in runs:
            runs[name] = solve_here(named(name).rules, 0.002, tmp_path_factory.mktemp("match") / "match")
        return runs[name]

    return call


def named(name: str) -> Reduced:
    return next(one for one in REDUCED if one.name == name)
