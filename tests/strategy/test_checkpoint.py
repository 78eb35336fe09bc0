"""Checkpoints: the same bits after reading, refusals that name what differs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.cfr.solve import Limits, Run
from solver.errors import FileError, UsageError
from solver.rules import catalogue
from solver.rules.score import start_score
from solver.strategy.checkpoint import checkpoint_path, identity, read_checkpoint, write_checkpoint
from solver.strategy.run import Task, new_run, solve_run
from solver.strategy.solution import game_at
from solver.tree.build import HandGame


@pytest.fixture(scope="module")
def game() -> HandGame:
    rules = catalogue.load("truc", {"ranks": "2", "copies": "4", "ladder": "1,2"})
    return game_at(rules, start_score(rules), "points")


def run_of(game: HandGame, algorithm: str, iterations: int) -> Run:
    return new_run(game, Task(algorithm, 1, Limits(1e-12, iterations)))


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "linear", "dcfr", "pcfr+", "dpcfr+"])
def test_a_resumed_run_goes_on_to_the_same_bits(game: HandGame, tmp_path: Path, algorithm: str) -> None:
    made_of = identity(game, algorithm)
    straight = solve_run(run_of(game, algorithm, 24))
    half = solve_run(run_of(game, algorithm, 11))
    write_checkpoint(tmp_path / "c.npz", half, made_of)
    resumed = run_of(game, algorithm, 24)
    read_checkpoint(tmp_path / "c.npz", resumed, made_of)
    assert (resumed.iteration, resumed.measures, resumed.seconds) == (11, half.measures, half.seconds)
    solve_run(resumed)
    for name in ("regret", "average", "strategy"):
        assert np.array_equal(getattr(resumed.sweeper, name), getattr(straight.sweeper, name))


def test_the_file_stands_beside_the_folder_and_is_whole_or_not_there(
    game: HandGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = checkpoint_path(tmp_path / "truc-0-0-points")
    assert place == tmp_path / "truc-0-0-points.checkpoint.npz"
    run, made_of = run_of(game, "dcfr", 3), identity(game, "dcfr")
    write_checkpoint(place, run, made_of)
    before = place.read_bytes()
    monkeypatch.setattr("solver.files.os.fsync", lambda handle: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_checkpoint(place, run, made_of)
    assert place.read_bytes() == before
    assert list(tmp_path.iterdir()) == [place]


def test_points_judged_only_for_the_stop_are_left_out(game: HandGame, tmp_path: Path) -> None:
    run, made_of = solve_run(run_of(game, "dcfr", 43)), identity(game, "dcfr")
    assert [measure.iteration for measure in run.measures] == [40, 43]
    write_checkpoint(tmp_path / "c.npz", run, made_of, 1)
    resumed = run_of(game, "dcfr", 60)
    read_checkpoint(tmp_path / "c.npz", resumed, made_of)
    assert resumed.measures == run.measures[:1]


def test_what_differs_is_named(game: HandGame, tmp_path: Path) -> None:
    run, made_of = run_of(game, "dcfr", 3), identity(game, "dcfr")
    write_checkpoint(tmp_path / "c.npz", run, made_of)
    other = {**made_of, "options": {**made_of["options"], "ladder": [1, 2, 4], "redeal": 1}, "unit": "match"}
    with pytest.raises(UsageError) as caught:
        read_checkpoint(tmp_path / "c.npz", run, other)
    for part in ("ladder is 1,2 there and 1,2,4 here", "redeal is 0 there and 1 here", "unit is points there"):
        assert part in str(caught.value)
    with pytest.raises(UsageError, match="the equity table differs"):
        read_checkpoint(tmp_path / "c.npz", run, {**made_of, "payoffs": "0"})


@pytest.mark.parametrize("keep", [0, 10, 0.5, 0.95])
def test_damage_is_named(game: HandGame, tmp_path: Path, keep: float) -> None:
    place, made_of = tmp_path / "c.npz", identity(game, "dcfr")
    write_checkpoint(place, run_of(game, "dcfr", 3), made_of)
    content = place.read_bytes()
    place.write_bytes(content[: int(keep if keep > 1 else keep * len(content))])
    with pytest.raises(FileError, match="is damaged"):
        read_checkpoint(place, run_of(game, "dcfr", 3), made_of)


def test_arrays_of_another_tree_are_refused(game: HandGame, tmp_path: Path) -> None:
    place, made_of = tmp_path / "c.npz", identity(game, "dcfr")
    write_checkpoint(place, run_of(game, "dcfr", 3), made_of)
    run = run_of(game, "dcfr", 3)
    run.sweeper.regret = np.zeros(3, np.float32)
    with pytest.raises(FileError, match="has shape"):
        read_checkpoint(place, run, made_of)
