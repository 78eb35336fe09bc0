"""The same bits for any number of threads, any cut into pieces, and for a run that was stopped and went on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from solver.cfr import layout
from solver.cfr.schedules import SCHEDULES, schedule
from solver.cfr.solve import Limits
from solver.cfr.sweeper import Sweeper
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.checkpoint import identity, read_checkpoint, write_checkpoint
from solver.strategy.run import Task, new_run, solve_run
from solver.strategy.solution import game_at
from solver.tree.build import HandGame


@cache
def hand(name: str, score: str, options: str) -> HandGame:
    rules = catalogue.load(name, dict(option.split("=") for option in options.split()))
    return game_at(rules, parse_score(rules, score), "points")


MIDDLE = [
    ("truc", "0-0", "ranks=5 ladder=1,2,4"),
    ("trut", "0.0-0.0", "ranks=6"),
    ("trut-brelan", "0.0-0.0", "ranks=5"),
]
SMALL = ("truc", "8-9", "ranks=3 copies=4,3,2 remainder=both")


def stepped(game: HandGame, algorithm: str, iterations: int, threads: int = 1) -> Sweeper:
    """Sweeps with floors, and over the iteration with which the average begins anew."""
    sweeper = Sweeper(game.tree, game.worth, schedule(algorithm), threads)
    sweeper.trembles = 0.03
    for _ in range(iterations):
        sweeper.step()
    return sweeper


def same_bits(one: Sweeper, other: Sweeper) -> bool:
    assert one.regret.any()
    assert one.average.any()
    return all(
        np.array_equal(getattr(one, name).view(np.uint32), getattr(other, name).view(np.uint32))
        for name in ("regret", "average", "strategy")
    )


@pytest.mark.parametrize("algorithm", ["dcfr", "sapcfr+"])
@pytest.mark.parametrize("middle", MIDDLE, ids=str)
def test_two_and_three_threads_give_the_bits_of_one(middle: tuple[str, str, str], algorithm: str) -> None:
    game = hand(*middle)
    runs = [stepped(game, algorithm, 6, threads) for threads in (1, 2, 3)]
    assert len(runs[0].pieces.task) > 10
    assert [len(run.shares) for run in runs] == [1, 2, 3]
    assert all(len(share) for run in runs for share in run.shares)
    assert same_bits(runs[0], runs[1])
    assert same_bits(runs[0], runs[2])


@pytest.mark.parametrize("floats", [200, 4_000])
def test_the_cut_changes_no_bit(monkeypatch: pytest.MonkeyPatch, floats: int) -> None:
    game = hand(*MIDDLE[0])
    usual = stepped(game, "dcfr", 6)
    monkeypatch.setattr(layout, "PIECE_FLOATS", floats)
    other = stepped(game, "dcfr", 6, 2)
    assert len(usual.pieces.task) < len(other.pieces.task)
    assert same_bits(usual, other)


@pytest.mark.parametrize("algorithm", list(SCHEDULES))
def test_a_run_that_goes_on_gives_the_bits_of_a_straight_one(algorithm: str, tmp_path: Path) -> None:
    """Through a checkpoint file, judged at the same iterations, and with another number of threads."""
    game, place = hand(*SMALL), tmp_path / "run.checkpoint.npz"
    made_of = identity(game, algorithm)
    straight = new_run(game, Task(algorithm, 1, Limits(1e-9, 60)))
    solve_run(straight)
    first = new_run(game, Task(algorithm, 1, Limits(1e-9, 25)))
    solve_run(first)
    write_checkpoint(place, first, made_of)
    second = new_run(game, Task(algorithm, 2, Limits(1e-9, 60)))
    read_checkpoint(place, second, made_of)
    assert second.iteration == 25
    assert second.sweeper.trembles > 0
    solve_run(second)
    assert second.iteration == straight.iteration == 60
    assert same_bits(straight.sweeper, second.sweeper)
    assert straight.measures[-1].best_response == second.measures[-1].best_response
