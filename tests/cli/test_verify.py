"""`verify`: true claims hold, tampered ones do not, damaged folders are named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cli import exits


@pytest.fixture
def copied(small_folder: Path, tmp_path: Path) -> Path:
    """A copy of the small solution that a test may spoil."""
    return Path(shutil.copytree(small_folder, tmp_path / "copy"))


def change(folder: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    """Edit run.json."""
    told = json.loads((folder / "run.json").read_text())
    edit(told)
    (folder / "run.json").write_text(json.dumps(told))


def test_a_true_claim_holds(run: Any, small_folder: Path) -> None:
    done = run("verify", str(small_folder), "--json")
    told = json.loads(done.out)
    claimed = json.loads((small_folder / "run.json").read_text())
    assert done.code == exits.DONE
    assert {"value", "best_response", "nash_conv", "error_bound", "ok"} <= told.keys()
    assert told["ok"]
    assert told["exact"]
    assert 0 < told["error_bound"] < 1e-11
    assert told["value"] == pytest.approx(claimed["value"], abs=told["error_bound"])
    assert float(Fraction(told["fractions"]["value"])) == told["value"]
    assert told["game_value"][0] <= told["value"] <= told["game_value"][1]


def test_without_exact_numbers(run: Any, small_folder: Path) -> None:
    told = json.loads(run("verify", str(small_folder), "--no-exact", "--json").out)
    assert told["ok"]
    assert not told["exact"]
    assert told["fractions"] is None


@pytest.mark.parametrize(
    ("edit", "part"),
    [
        (lambda told: told.update(value=told["value"] + 1e-9), "claimed value"),
        (lambda told: told["best_response"].__setitem__(0, told["best_response"][0] - 1e-9), "of the elder"),
        (lambda told: told["best_response"].__setitem__(1, told["best_response"][1] - 1e-9), "of the dealer"),
        (lambda told: told.update(nash_conv=0.0), "nash_conv"),
        (lambda told: told.update(exploitability=told["exploitability"] / 2), "exploitability"),
        (lambda told: told.update(target=1e-9), "target"),
    ],
)
@pytest.mark.parametrize("exact", ["--exact", "--no-exact"])
def test_a_tampered_claim_does_not(run: Any, copied: Path, edit: Any, part: str, exact: str) -> None:
    change(copied, edit)
    done = run("verify", str(copied), exact, "--json")
    told = json.loads(done.out)
    assert done.code == exits.CHECK_FAILED
    assert not told["ok"]
    assert any(part in fault for fault in told["faults"])
    assert "warning: " in done.err


def tamper_frequency(folder: Path) -> None:
    import polars as pl

    frame = pl.read_parquet(folder / "strategy.parquet")
    first = frame["frequency"].to_numpy().copy()
    first[0] ^= 1
    frame.with_columns(pl.Series("frequency", first)).write_parquet(folder / "strategy.parquet")


def drop_rows(folder: Path) -> None:
    import polars as pl

    pl.read_parquet(folder / "strategy.parquet").head(100).write_parquet(folder / "strategy.parquet")


def cut_short(name: str) -> Callable[[Path], None]:
    def cut(folder: Path) -> None:
        place = folder / name
        place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])

    return cut


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (tamper_frequency, "digests differ"),
        (drop_rows, "made under other rules"),
        (cut_short("strategy.parquet"), "strategy.parquet' is damaged"),
        (cut_short("convergence.parquet"), "convergence.parquet' is damaged"),
        (cut_short("run.json"), "run.json' is damaged"),
        (lambda folder: (folder / "strategy.parquet").unlink(), "is missing"),
        (lambda folder: (folder / "strategy.parquet").write_text("not parquet"), "no parquet file"),
        (lambda folder: (folder / "run.json").unlink(), "no run.json"),
        (lambda folder: change(folder, lambda told: told["options"].update(all_tied="elder")), "other rules"),
        (lambda folder: change(folder, lambda told: told["options"].update(rankz=3)), "is damaged"),
        (lambda folder: change(folder, lambda told: told["options"].update(copies="x")), "is damaged"),
        (lambda folder: change(folder, lambda told: told.update(score="3-4")), "another game"),
        (lambda folder: change(folder, lambda told: told.update(score="12-3")), "is damaged"),
        (lambda folder: change(folder, lambda told: told.pop("nash_conv")), "lacks 'nash_conv'"),
        (lambda folder: change(folder, lambda told: told.update(value=None)), "is damaged"),
        (lambda folder: change(folder, lambda told: told.update(format=99)), "format 99"),
        (lambda folder: (folder / "run.json").write_text("[]"), "is damaged"),
    ],
)
def test_damaged_folders_are_named(run: Any, copied: Path, spoil: Callable[[Path], Any], part: str) -> None:
    change(copied, lambda told: told.pop("files"))  # as in folders of older versions
    spoil(copied)
    done = run("verify", str(copied))
    assert done.code == exits.FILE, done.err
    assert done.out == ""
    assert part in done.err
    assert str(copied) in done.err
    assert done.err.count("\n") == 1


def test_a_strategy_of_another_solution_is_refused(run: Any, copied: Path, tmp_path: Path) -> None:
    from tests.conftest import SMALL

    other = tmp_path / "other"
    run("solve", "truc", *SMALL, "--max-iterations", "3", "--out", str(other))
    shutil.copy(other / "strategy.parquet", copied / "strategy.parquet")
    done = run("verify", str(copied))
    assert done.code == exits.FILE
    assert "digests differ" in done.err
