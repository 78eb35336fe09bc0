"""Judging a match folder anew: sound ones pass, and whatever was changed in one is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl  # noqa: TID253
import pytest

from solver.errors import FileError
from solver.match.record import MATCH
from solver.match.run import MatchRun
from solver.match.state import state_folder
from solver.match.verify import verify_match
from solver.rules import catalogue
from solver.rules.score import Score
from solver.strategy import store
from solver.strategy.equity import EQUITY
from solver.strategy.quantise import quantise
from solver.strategy.verify import verify
from tests.match.conftest import solve_here, without_digests

Solved = Callable[[str], MatchRun]


@pytest.fixture
def folder(solved: Solved, tmp_path: Path) -> Path:
    return shutil.copytree(solved("truc to 2").folder, tmp_path / "match")


@pytest.mark.parametrize("name", ["truc to 2", "truc to 3", "trut to 2", "gatine to 2"])
def test_what_was_solved_holds(name: str, solved: Solved) -> None:
    run = solved(name)
    verdict = verify_match(run.folder)
    assert verdict.faults == []
    assert verdict.missing == []
    assert 0 < verdict.error_bound < 1e-11
    assert set(verdict.found) == set(run.table.values)
    for score, found in verdict.found.items():
        row = run.table.values[score]
        assert found.value == pytest.approx(row.value, abs=1e-9)
        assert row.lower - 1e-12 <= found.lower <= row.lower + 1e-6
        assert row.upper - 1e-6 <= found.upper <= row.upper + 1e-12
    told = verdict.told()
    assert told["nash_conv"] == pytest.approx(sum(told["best_response"]) - 1)
    assert told["game_value"][0] < told["value"] < told["game_value"][1]


@pytest.mark.parametrize(
    ("name", "options"),
    [("truc", {"ranks": "3", "copies": "4", "target": "3"}), ("trut", {"ranks": "3", "copies": "4", "target": "2"})],
)
def test_every_state_claims_what_its_final_numbers_bear_out(
    name: str, options: dict[str, str], tmp_path: Path
) -> None:
    """The hands of a group are solved for values that still move: what they reached then is not what is stored."""
    run = solve_here(catalogue.load(name, options), 5e-4, tmp_path / "match")
    assert run.reached
    for score in run.table.values:
        solution = store.load(state_folder(run.folder, run.rules, score))
        claimed = store.claims(solution)
        assert verify(solution, claimed).faults == []
        assert claimed["reached_target"] is (claimed["exploitability"] <= claimed["target"])


def test_progress_is_told(folder: Path) -> None:
    said: list[tuple[int, int]] = []
    verify_match(folder, lambda done, states: said.append((done, states)))
    assert said == [(1, 4), (3, 4), (4, 4)]


def spoil(folder: Path, score: str) -> None:
    """Exchange the strategy of a score for one that plays every action equally often, and mend its digest."""
    place = folder / "states" / score
    solution = store.load(place)
    tree = solution.game.tree
    solution.stored = quantise(tree, np.zeros(tree.n_slots, np.float32))
    store.save(solution, place)


def test_another_strategy_breaks_the_bounds(folder: Path) -> None:
    spoil(folder, "0-1")
    verdict = verify_match(folder)
    assert not verdict.ok
    assert any("At 0-1 the elder's best response" in fault for fault in verdict.faults)
    assert any("At 0-1 the dealer's best response" in fault for fault in verdict.faults)
    assert not any("At 1-0" in fault for fault in verdict.faults)


@pytest.mark.parametrize(
    ("facts", "part"),
    [
        ({"nash_conv": 1e-9}, "claims the nash_conv 1e-09"),
        ({"value": 0.6}, "claims the value 0.6"),
        ({"exploitability": None}, "claims the exploitability None"),
        ({"states_done": 3}, "claims 3 solved states, there are 4"),
        ({"reached_target": False}, "claims that the target was not reached"),
    ],
    ids=str,
)
def test_other_claims(facts: dict[str, Any], part: str, folder: Path) -> None:
    made = json.loads((folder / MATCH).read_text())
    (folder / MATCH).write_text(json.dumps(made | facts))
    verdict = verify_match(folder)
    assert len(verdict.faults) == 1
    assert part in verdict.faults[0]


def test_bounds_that_are_too_good(folder: Path) -> None:
    table = pl.read_parquet(without_digests(folder) / EQUITY)
    table.with_columns(upper=pl.col("elder_wins"), lower=pl.col("elder_wins")).write_parquet(folder / EQUITY)
    faults = verify_match(folder).faults
    for told in ("At 0-0 the elder's best response", "At 1-1 the dealer's best response"):
        assert any(told in fault for fault in faults), faults


def test_values_that_the_strategies_were_not_solved_for(folder: Path) -> None:
    table = pl.read_parquet(without_digests(folder) / EQUITY)
    table.with_columns(elder_wins=pl.col("elder_wins") + 0.01).write_parquet(folder / EQUITY)
    with pytest.raises(FileError, match="solved for another game"):
        verify_match(folder)


def test_an_unfinished_match_is_judged_as_far_as_it_goes(folder: Path) -> None:
    table = pl.read_parquet(without_digests(folder) / EQUITY)
    table.filter((pl.col("elder") + pl.col("dealer")) > 0).write_parquet(folder / EQUITY)
    made = json.loads((folder / MATCH).read_text())
    (folder / MATCH).write_text(json.dumps(made | {"states_done": 3, "value": None}))
    verdict = verify_match(folder)
    assert verdict.ok
    assert verdict.missing == [Score((0, 0), (0, 0))]
    assert verdict.told()["value"] is None


@pytest.mark.parametrize("lost", [MATCH, EQUITY, "states/1-1/run.json", "states/1-1/strategy.parquet"])
def test_a_file_that_is_missing(lost: str, folder: Path) -> None:
    (folder / lost).unlink()
    with pytest.raises(FileError):
        verify_match(folder)


def test_states_in_each_others_places(folder: Path) -> None:
    places = [folder / "states" / name for name in ("0-1", "1-0")]
    places[0].rename(folder / "aside")
    places[1].rename(places[0])
    (folder / "aside").rename(places[1])
    with pytest.raises(FileError, match="another hand than its name says"):
        verify_match(folder)
