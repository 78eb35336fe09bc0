"""Exported rows against the view of every point they name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl  # noqa: TID253
import pytest

from solver.cards.notation import format_hand
from solver.cfr.solve import Limits
from solver.errors import UsageError
from solver.exchange.exports import export_rows
from solver.exchange.rows import COLUMNS, write_rows
from solver.query.advise import point_after
from solver.query.point import view
from solver.rules import catalogue
from solver.rules.score import SEAT_NAMES, parse_score
from solver.strategy import store
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game

GAMES = [
    ("truc", {"ranks": "3", "ladder": "1,2"}, "0-0"),
    ("truc", {"ranks": "2", "remainder": "both", "counter_raise": "yes", "free_fold": "yes"}, "9-8"),
    ("trut", {"ranks": "3"}, "0.0-0.0"),
    ("trut", {"ranks": "3", "brelan": "yes"}, "0.0-0.0"),
    ("trut", {"ranks": "2", "copies": "5", "trut_window": "own_turn"}, "0.0-0.0"),
    ("trut", {"ranks": "3"}, "6.2-0.0"),
    ("trut-gatine", {"ranks": "3", "tout_pate": "0", "labels": "yes"}, "0.2-0.0"),
]


def solved(name: str, options: dict[str, str], score: str) -> Solution:
    rules = catalogue.load(name, options)
    game = game_at(rules, parse_score(rules, score), "points")
    return solve_game(game, Task(limits=Limits(1e-12, 15)))


def rows_of(solution: Solution) -> pl.DataFrame:
    frames: list[pl.DataFrame] = []
    write_rows(solution, frames.append)
    return pl.concat(frames)


@pytest.mark.parametrize(("name", "options", "score"), GAMES)
def test_rows_are_what_the_view_of_their_point_shows(name: str, options: dict[str, str], score: str) -> None:
    solution = solved(name, options, score)
    rows = rows_of(solution)
    assert tuple(rows.columns) == COLUMNS
    assert not rows.select("history", "seat", "hand", "action").is_duplicated().any()
    points = rows.select("history", "seat").unique(maintain_order=True)
    step = max(1, points.height // 40)
    for history, seat in points[::step].iter_rows():
        compare(solution, rows.filter(pl.col("history") == history, pl.col("seat") == seat), history, seat)


def compare(solution: Solution, rows: pl.DataFrame, history: str, seat: str) -> None:
    seen = view(solution, point_after(solution.game, history))
    assert SEAT_NAMES[seen.seat] == seat
    wanted = {
        (format_hand(solution.game.rules, tuple(hand)), action): (row, column)
        for row, hand in enumerate(seen.hands.tolist())
        for column, action in enumerate(seen.actions)
        if not np.isnan(seen.frequency[row, column])
    }
    assert set(rows.select("hand", "action").iter_rows()) == set(wanted)
    for hand, action, frequency, reach, ev in rows.select(COLUMNS[2:]).iter_rows():
        row, column = wanted[hand, action]
        assert frequency == seen.frequency[row, column]
        assert reach == pytest.approx(seen.reach[row], rel=1e-12, abs=1e-300)
        assert (ev is None) == bool(np.isnan(seen.ev[row, column]))
        assert ev is None or ev == pytest.approx(seen.ev[row, column], abs=1e-9)


def test_every_decision_is_there_and_the_opening_adds_up(small_folder: Path) -> None:
    solution = store.load(small_folder)
    rows = rows_of(solution)
    opening = rows.filter(pl.col("history") == "", pl.col("seat") == "elder")
    best = opening.group_by("hand").agg(pl.col("ev").max(), pl.col("reach").first())
    assert float((best["reach"] * best["ev"]).sum()) == pytest.approx(solution.claim.best_response[0], abs=1e-12)
    sums = rows.group_by("history", "seat", "hand").agg(pl.col("frequency").sum())
    assert sums["frequency"].to_numpy() == pytest.approx(np.ones(sums.height))


@pytest.mark.parametrize("kind", ["parquet", "csv", "json"])
def test_files_hold_the_same_rows(
    small_folder: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.exchange.exports.PIECE_ROWS", 1000)
    solution = store.load(small_folder)
    place = tmp_path / f"rows.{kind}"
    count = export_rows(solution, place, kind)
    readers: dict[str, Callable[[Path], pl.DataFrame]] = {
        "parquet": pl.read_parquet,
        "csv": pl.read_csv,
        "json": pl.read_json,
    }
    read = readers[kind](place)
    whole = rows_of(solution)
    assert count == whole.height
    keys = ["history", "seat", "hand", "action"]
    filled = read.with_columns(pl.col("history").fill_null(""))
    assert filled.sort(keys).equals(whole.sort(keys))
    assert [path.name for path in tmp_path.iterdir()] == [place.name]


def test_rare_rows_are_left_out_and_an_empty_file_is_refused(small_folder: Path, tmp_path: Path) -> None:
    solution = store.load(small_folder)
    count = export_rows(solution, tmp_path / "some.csv", "csv", 0.01)
    read = pl.read_csv(tmp_path / "some.csv")
    assert read.height == count > 0
    assert read["reach"].min() >= 0.01  # type: ignore[operator]
    with pytest.raises(UsageError, match="the largest is"):
        export_rows(solution, tmp_path / "none.csv", "csv", 1.0)
    assert not (tmp_path / "none.csv").exists()


def test_a_failure_leaves_the_old_file(small_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.exchange.exports import RowFile

    def full(self: RowFile) -> None:
        raise OSError(28, "No space left on device")

    place = tmp_path / "rows.csv"
    place.write_text("old")
    monkeypatch.setattr(RowFile, "flush", full)
    with pytest.raises(OSError, match="No space") as caught:
        export_rows(store.load(small_folder), place, "csv")
    assert caught.value.filename == str(place)
    assert place.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
