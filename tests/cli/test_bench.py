"""`bench`: rows with the promised figures, quickly here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cli import exits
from solver.solving import bench

MEASURED = bench.bandwidth


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small arrays and a small game."""
    monkeypatch.setattr(bench, "GAMES", (("truc", "0-0", {"ranks": "2", "copies": "4"}),))
    monkeypatch.setattr(bench, "bandwidth", lambda threads: 1e9)


@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+"])
def test_figures_hang_together(run: Any, algorithm: str) -> None:
    done = run("bench", "--quick", "--algorithm", algorithm, "--threads", "1", "--json")
    assert done.code == exits.DONE, done.err
    (row,) = json.loads(done.out)
    assert row["bytes_per_slot"] == 28
    assert row["iterations_per_second"] == pytest.approx(1 / row["seconds_per_iteration"])
    assert row["ns_per_slot"] == pytest.approx(row["seconds_per_iteration"] / row["slots"] * 1e9)
    rate = 28 * row["slots"] / row["seconds_per_iteration"]
    assert row["percent_of_bandwidth"] == pytest.approx(100 * rate / 1e9)
    assert row["compile_seconds"] > 0
    assert row["threads"] == 1


def test_quiet_and_unknown_rules(run: Any) -> None:
    assert run("bench", "--quick", "--quiet", "--json").err == ""
    done = run("bench", "--algorithm", "dfcr")
    assert done.code == exits.USAGE
    assert "Did you mean 'dcfr'?" in done.err


def test_bandwidth_is_measured_on_arrays_larger_than_caches() -> None:
    assert bench.TRIAD_FLOATS * 12 > 100e6
    assert MEASURED(1, 400_000) > 1e8
