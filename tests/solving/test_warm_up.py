"""Compiling is over before anything is timed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from solver.cfr import sweep_kernels
from solver.cfr.schedules import schedule
from solver.cfr.sweeper import Sweeper
from solver.jit import MARK
from solver.rules import catalogue
from solver.rules.score import start_score
from solver.solving import warm_up
from solver.strategy.solution import game_at
from solver.tree import kernels


def compiled() -> dict[str, int]:
    """How many versions there are of every kernel."""
    found = {}
    for module in (kernels, sweep_kernels):
        for name, function in vars(module).items():
            if hasattr(function, "signatures"):
                found[name] = len(function.signatures)
    return found


@pytest.mark.parametrize("name", ["truc", "trut", "trut-gatine"])
def test_no_game_compiles_anything_more(name: str) -> None:
    assert warm_up.compile_kernels() > 0
    before = compiled()
    assert sum(before.values()) > 0
    rules = catalogue.load(name, {"ranks": "2", "copies": "4"})
    game = game_at(rules, start_score(rules), "points")
    for algorithm in ("dcfr", "pcfr+"):
        Sweeper(game.tree, game.worth, schedule(algorithm), 2).step()
    assert compiled() == before


def test_a_cold_cache_is_filled_by_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler's memory must not count towards that of the solve."""
    started: list[Any] = []
    monkeypatch.setattr(warm_up, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr("solver.solving.warm_up.subprocess.run", lambda *words, **more: started.append(words))
    warm_up.compile_kernels()
    assert len(started) == 1
    assert (tmp_path / MARK).exists()
    warm_up.compile_kernels()
    assert len(started) == 1


def test_no_child_process_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "cache_folder", lambda: None)
    monkeypatch.setattr("solver.solving.warm_up.subprocess.run", lambda *words, **more: pytest.fail("a child"))
    warm_up.compile_kernels()


def test_a_child_that_cannot_start_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr("sys.executable", str(tmp_path / "no-python"))
    warm_up.compile_kernels()
