"""`import solver`: quick, complete, and as safe as the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl  # noqa: TID253
import pytest

import solver
from solver.rules.score import Score
from solver.strategy import store

SMALL: dict[str, Any] = {"ranks": 2, "ladder": (1, 2)}
LIGHT = """
import sys, solver
solver.TrucError, solver.UsageError, dir(solver)
print([name for name in ("numba", "polars", "matplotlib", "numpy") if name in sys.modules])
"""


@pytest.fixture(scope="module")
def solution() -> solver.Solution:
    return solver.solve(solver.rule_set("truc", **SMALL), target=0.01)


def test_importing_loads_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", solver.__all__)
def test_every_name_is_there_and_described(name: str) -> None:
    assert name in dir(solver)
    assert getattr(solver, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'solver' has no attribute 'slove'"):
        solver.slove  # noqa: B018


def test_options_may_have_their_own_types() -> None:
    texts = solver.rule_set("truc", ranks="3", copies="4,3,2", free_fold="true", ladder="1,2")
    typed = solver.rule_set("truc", ranks=3, copies=[4, 3, 2], free_fold=True, ladder=(1, 2))
    assert texts.fingerprint == typed.fingerprint


def test_solving_tells_how_it_ended(solution: solver.Solution) -> None:
    assert solution.facts["reached_target"]
    assert solution.facts["reason"] == "target reached"
    assert solver.summary(solution)["exploitability"] <= 0.01
    stopped = solver.solve(solution.game.rules, max_iterations=3, target=1e-9)
    assert (stopped.facts["reason"], stopped.facts["iterations"]) == ("iteration limit", 3)
    assert not stopped.facts["reached_target"]


def test_score_and_rules_may_be_objects_or_text() -> None:
    rules = solver.rule_set("truc", **SMALL)
    by_text = solver.solve(rules, "3-1", max_iterations=2)
    by_object = solver.solve(rules, Score((3, 0), (1, 0)), max_iterations=2)
    assert by_text.game.score == by_object.game.score
    assert (by_text.stored == by_object.stored).all()


def test_progress_is_called_after_every_iteration() -> None:
    seen: list[tuple[int, float | None]] = []
    solver.solve(solver.rule_set("truc", **SMALL), max_iterations=45, progress=lambda *told: seen.append(told))
    assert [iteration for iteration, _ in seen] == list(range(1, 46))
    assert [gap is not None for _, gap in seen] == [False] * 39 + [True] * 6


def test_saved_and_loaded(solution: solver.Solution, tmp_path: Path) -> None:
    folder = solver.save(solution, tmp_path / "there")
    again = solver.load(str(folder))
    assert (again.stored == solution.stored).all()
    assert solver.summary(again)["digest"] == solver.summary(solution)["digest"]
    assert solver.judge(again).ok
    solver.save(solution, folder)
    told = solver.solve(solution.game.rules, max_iterations=2, out=tmp_path / "out")
    assert solver.load(tmp_path / "out").claim == told.claim


def test_what_stops_early_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    rules, there = solver.rule_set("truc", **SMALL), tmp_path / "out"
    straight = solver.solve(rules, max_iterations=20, target=1e-9)
    solver.solve(rules, max_iterations=8, target=1e-9, out=there)
    assert (tmp_path / "out.checkpoint.npz").exists()
    resumed = solver.solve(rules, max_iterations=20, target=1e-9, out=there, resume=True)
    assert resumed.facts["iterations"] == 20
    assert (resumed.stored == straight.stored).all()
    assert resumed.path == there


def test_a_solution_of_another_game_is_replaced_by_force_only(tmp_path: Path) -> None:
    rules = solver.rule_set("truc", **SMALL)
    solver.solve(rules, "3-1", max_iterations=2, out=tmp_path / "out")
    with pytest.raises(solver.UsageError, match="truc at 3-1"):
        solver.solve(rules, max_iterations=2, out=tmp_path / "out")
    solver.solve(rules, max_iterations=2, out=tmp_path / "out", force=True)
    assert solver.load(tmp_path / "out").game.score == Score((0, 0), (0, 0))


def test_too_little_memory_is_found_before_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.solving.machine.available_memory", lambda: 2**20)
    rules = solver.rule_set("truc", **SMALL)
    with pytest.raises(solver.ResourceError, match="needs about"):
        solver.solve(rules)
    assert solver.solve(rules, max_iterations=1, force=True).facts["iterations"] == 1


def test_a_result_that_cannot_be_saved_is_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(frame: pl.DataFrame, file: Any) -> None:
        if tmp_path / "elsewhere" not in Path(file.name).parents:
            raise OSError(28, "No space left on device")
        frame.write_parquet(file)

    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "elsewhere"))
    monkeypatch.setattr(store, "write_parquet", full)
    with pytest.raises(solver.ResourceError, match="it is kept whole in"):
        solver.solve(solver.rule_set("truc", **SMALL), max_iterations=3, out=tmp_path / "out")
    assert solver.load(next((tmp_path / "elsewhere").glob("*/out"))).facts["iterations"] == 3


def test_a_folder_with_anything_else_is_not_replaced(solution: solver.Solution, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Anna,")
    with pytest.raises(solver.UsageError, match=r"'letter.txt'"):
        solver.save(solution, tmp_path)
    with pytest.raises(solver.UsageError, match=r"'letter.txt'"):
        solver.solve(solution.game.rules, out=tmp_path)
    with pytest.raises(solver.FileError, match="is a file"):
        solver.save(solution, tmp_path / "letter.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_rows_are_those_of_the_export(solution: solver.Solution, tmp_path: Path) -> None:
    from solver.exchange.exports import export_rows

    export_rows(solution, tmp_path / "a.parquet", "parquet", 0.001)
    assert solver.rows(solution, 0.001).equals(pl.read_parquet(tmp_path / "a.parquet"))
    assert solver.rows(solution).height > solver.rows(solution, 0.001).height
    assert solver.rows(solution, 2.0).columns == solver.rows(solution).columns


def test_frames_and_advice_agree(solution: solver.Solution) -> None:
    row = solver.table(solution, "7").row(0, named=True)
    advice = solver.advise(solution, row["hand"], "7")
    assert {one.action: one.frequency for one in advice.actions}["raise"] == row["raise"]
    assert solver.stats(solution, ["seat", "word"]).equals(solver.stats(solution, "seat"))
    assert solver.convergence(solution)["nash_conv"][-1] == solution.measures[-1].nash_conv
    assert solver.explain(solution, row["hand"], "7", "fr")[0]


def test_a_hand_for_the_match(tmp_path: Path) -> None:
    from cli.app import main

    words = ["match", "truc", "--set", "ranks=2", "--set", "ladder=1,2", "--set", "target=2", "--target", "0.05"]
    assert main([*words, "--quiet", "--out", str(tmp_path / "m")]) == 0
    table = solver.equity(tmp_path / "m")
    assert table.equals(solver.equity(tmp_path / "m" / "equity.parquet"))
    rules = solver.rule_set("truc", **SMALL, target=2)
    solution = solver.solve(rules, "1-0", unit="match", equity=tmp_path / "m", out=tmp_path / "s")
    found = table.filter(elder=1, dealer=0)["elder_wins"][0]
    assert solver.summary(solution)["value"] == pytest.approx(found, abs=0.02)
    assert (tmp_path / "s" / "equity.parquet").exists()
    assert solver.load(tmp_path / "s").claim == solution.claim
    assert solver.load(tmp_path / "m", "1-0").game.score == solution.game.score


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda s: solver.rule_set("trucc"), "UsageError", "Did you mean 'truc'?"),
        (lambda s: solver.rule_set("truc", rank=3), "UsageError", "Did you mean 'ranks'?"),
        (lambda s: solver.solve("truc", "12-3"), "UsageError", "'12-3'"),
        (lambda s: solver.solve("truc", target=-1), "UsageError", "-1 is not allowed for target"),
        (lambda s: solver.solve("truc", max_seconds=float("nan")), "UsageError", "nan is not allowed for max_seconds"),
        (lambda s: solver.solve("truc", threads=0), "UsageError", "0 is not allowed for threads"),
        (lambda s: solver.solve("truc", max_iterations=0), "UsageError", "0 is not allowed for max_iterations"),
        (lambda s: solver.solve("truc", algorithm="dfcr"), "UsageError", "Did you mean 'dcfr'?"),
        (lambda s: solver.solve("truc", unit="pints"), "UsageError", "'pints'"),
        (lambda s: solver.solve(s.game.rules, unit="match"), "FileError", "truc-solve match"),
        (lambda s: solver.load("nowhere"), "FileError", "'nowhere'"),
        (lambda s: solver.advise(s, "7 8 A"), "UsageError", "'A' at position 5"),
        (lambda s: solver.table(s, "7 7 7 7 7 7 7"), "UsageError", "position"),
        (lambda s: solver.stats(s, "seet"), "UsageError", "Did you mean 'seat'?"),
        (lambda s: solver.compare(s, s, order="size"), "UsageError", "'size'"),
        (lambda s: solver.chart(s, "fald"), "UsageError", "Did you mean 'fold'?"),
        (lambda s: solver.equity("nowhere"), "FileError", "'nowhere'"),
    ],
)
def test_what_is_wrong_is_said(solution: solver.Solution, call: Any, kind: str, part: str) -> None:
    with pytest.raises(solver.TrucError) as caught:
        call(solution)
    assert type(caught.value).__name__ == kind
    assert part in str(caught.value)


def test_the_store_is_the_one_of_the_command_line(solution: solver.Solution, tmp_path: Path) -> None:
    solver.save(solution, tmp_path / "s")
    assert store.read_run(tmp_path / "s").keys() == solver.summary(solution).keys() | {"files"}
