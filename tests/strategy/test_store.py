"""Solution folders: whole or not at all, the same when read again, for every rule set."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl  # noqa: TID253
import pytest

from solver.cfr.solve import Limits, Measure
from solver.errors import FileError
from solver.evaluate.exact import UNIT
from solver.rules import catalogue
from solver.rules.score import start_score
from solver.strategy import store
from solver.strategy.frames import (
    convergence_frame,
    judged_responses,
    measures_of,
    own_responses,
    smallest,
    strategy_frame,
)
from solver.strategy.run import Task, new_run, solve_run
from solver.strategy.solution import Solution, finish, game_at
from solver.tree.model import DECISION, lanes
from solver.tree.reading import edges_of, lane_map, slots


def solved(name: str, **options: str) -> Solution:
    rules = catalogue.load(name, {"ranks": "3", **options})
    game = game_at(rules, start_score(rules), "points")
    run = solve_run(new_run(game, Task(limits=Limits(1e-12, 10))))
    return finish(game, run, {"algorithm": "dcfr", "reason": "iteration limit"})


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solved("truc", ladder="1,2")


@pytest.mark.parametrize("name", [name for name in catalogue.names() if not name.endswith("mini")])
def test_a_folder_reads_as_it_was_written(name: str, tmp_path: Path) -> None:
    made = solved(name)
    store.save(made, tmp_path / "s")
    read = store.load(tmp_path / "s")
    assert np.array_equal(read.stored, made.stored)
    assert read.claim == made.claim
    assert read.measures == made.measures
    assert read.facts == made.facts
    assert read.game.rules == made.game.rules
    assert read.path == tmp_path / "s"


def test_frequencies_of_an_information_set_sum_to_one(solution: Solution) -> None:
    tree = solution.game.tree
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        total = np.zeros(lanes(tree, node, int(tree.player[node])), np.int64)
        for edge in edges_of(tree, node):
            parent = lane_map(tree, edge, int(tree.player[node]))
            np.add.at(total, parent, solution.stored[slots(tree, edge)].astype(np.int64))
        assert (total == UNIT).all()


def test_columns_name_every_slot(solution: Solution) -> None:
    tree, frame = solution.game.tree, strategy_frame(solution.game.tree, solution.stored)
    assert frame.height == tree.n_slots
    assert not frame.select("node", "edge", "lane").is_duplicated().any()
    for slot in range(0, frame.height, 997):
        row = frame.row(slot, named=True)
        edge = int(tree.edges[row["node"]]) + row["edge"]
        assert int(tree.slot[edge]) + row["lane"] == slot
        assert row["frequency"] == solution.stored[slot]


@pytest.mark.parametrize(("largest", "kind"), [(255, np.uint8), (256, np.uint16), (65536, np.uint32)])
def test_the_smallest_type_that_fits(largest: int, kind: type) -> None:
    assert smallest(largest) is kind


def test_a_failed_write_leaves_the_old_folder(
    solution: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = store.save(solution, tmp_path / "s")
    before = {path.name: path.read_bytes() for path in place.iterdir()}

    def full(*words: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in ("strategy.store.write_parquet", "files.put"):
        with monkeypatch.context() as patch:
            patch.setattr(f"solver.{name}", full)
            with pytest.raises(OSError, match="No space") as caught:
                store.save(solution, place)
        assert caught.value.filename == str(place)
        assert {path.name: path.read_bytes() for path in place.iterdir()} == before
        assert [path.name for path in tmp_path.iterdir()] == ["s"]


def test_a_rename_that_fails_puts_the_old_folder_back(
    solution: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = store.save(solution, tmp_path / "s")
    rename = Path.rename
    refused: list[Path] = []

    def once(self: Path, target: Path) -> Path:
        if self.name.startswith(".s.") and target == place and not refused:
            refused.append(self)
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", once)
    monkeypatch.setattr("solver.files.exchanged", lambda one, other: False)
    with pytest.raises(OSError, match="Input/output"):
        store.save(solution, place)
    assert refused
    assert np.array_equal(store.load(place).stored, solution.stored)


def test_run_json_says_what_and_how(solution: Solution, tmp_path: Path) -> None:
    told = json.loads((store.save(solution, tmp_path / "s") / "run.json").read_text())
    assert {"format", "rules", "options", "fingerprint", "score", "unit", "algorithm", "versions"} <= told.keys()
    assert told["fingerprint"] == solution.game.rules.fingerprint
    assert told["slots"] == len(solution.stored)
    assert store.claims(store.load(tmp_path / "s")) == told


def of_an_older_version(place: Path) -> Path:
    """Take out of run.json what folders did not have at first: the digests of the other files and of named rules."""
    run = json.loads((place / "run.json").read_text())
    (place / "run.json").write_text(json.dumps({k: run[k] for k in run if k not in ("files", "rules_digest")}))
    return place


def test_a_file_that_is_another_is_refused(solution: Solution, tmp_path: Path) -> None:
    place = of_an_older_version(store.save(solution, tmp_path / "s"))
    pl.DataFrame({"x": [1]}).write_parquet(place / "strategy.parquet")
    with pytest.raises(FileError, match="frequency"):
        store.load(place)
    of_an_older_version(store.save(solution, place))
    pl.DataFrame({"x": [1]}).write_parquet(place / "convergence.parquet")
    with pytest.raises(FileError, match="is damaged"):
        store.load(place)


def test_chances_are_told_to_each_side_as_its_own() -> None:
    measures = [Measure(10, 0.5, 0.55, (0.6, -0.5))]
    frame = convergence_frame(measures, "match")
    assert frame.select("best_response_elder", "best_response_dealer").row(0) == (0.6, 0.5)
    assert frame["nash_conv"][0] == pytest.approx(0.1)
    assert measures_of(frame, "match") == measures
    assert own_responses((0.6, -0.5), "points") == (0.6, -0.5)
    assert judged_responses(own_responses((0.25, -0.25), "match"), "match") == (0.25, -0.25)
