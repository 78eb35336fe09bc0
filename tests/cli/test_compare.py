"""`compare` on the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from cli import exits
from tests.conftest import SMALL


@pytest.fixture(scope="module")
def lanes_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from cli.app import main

    folder = tmp_path_factory.mktemp("compared") / "lanes3"
    assert main(["solve", "truc-lanes", *SMALL, "--target", "0.01", "--quiet", "--out", str(folder)]) == 0
    return folder


def test_promised_keys(run: Any, small_folder: Path, lanes_folder: Path) -> None:
    done = run("compare", str(small_folder), str(lanes_folder), "--json", "--rows", "3")
    told = json.loads(done.out)
    assert done.code == exits.DONE
    assert {"values", "rates", "summary", "rows", "head_to_head", "notes"} <= told.keys()
    assert told["values"]["a"]["rules"] == "truc"
    assert told["values"]["b"]["exploitability"] <= 0.01
    assert told["head_to_head"] is None
    assert len(told["rows"]) == 3
    same = json.loads(run("compare", str(small_folder), str(small_folder), "--json").out)
    assert same["head_to_head"]["a_gains"] == pytest.approx(0)
    assert same["rows"] == []


def test_people_read_a_report(run: Any, small_folder: Path, lanes_folder: Path) -> None:
    text = run("compare", str(small_folder), str(lanes_folder), "--rows", "4").out
    for part in ("Values of the elder", "alternate_raises true instead of false", "points a hand", "Where they differ"):
        assert part in text
    assert "Head to head" in run("compare", str(small_folder), str(small_folder), "--format", "markdown").out


def test_csv_is_a_row_a_hand(run: Any, small_folder: Path, lanes_folder: Path, tmp_path: Path) -> None:
    words = ("compare", str(small_folder), str(lanes_folder), "--rows", "5")
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)))
    assert len(rows) == 5
    assert {"history", "seat", "hand", "a", "b", "difference", "reach_a"} <= rows[0].keys()
    assert abs(sum(json.loads(rows[0]["a"]).values()) - 1) < 1e-6
    for name in ("c.csv", "c.parquet", "c.json", "c.md", "c.txt"):
        assert run(*words, "--out", str(tmp_path / name)).code == exits.DONE
        assert (tmp_path / name).stat().st_size > 100


def test_rule_sets_by_name_use_the_results_folder(run: Any, small_folder: Path) -> None:
    words = ("compare", "truc", str(small_folder), "--set", "ranks=3", "--results", str(small_folder.parent))
    refused = run(*words)
    assert refused.code == exits.USAGE
    assert "--set changes a rule set by name" in refused.err
    done = run("compare", "truc", "truc", *SMALL, "--results", str(small_folder.parent), "--json", "--quiet")
    assert json.loads(done.out)["head_to_head"]["a_gains"] == pytest.approx(0)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--rows", "0"], ["--rows", "at least 1"]),
        (["--sort", "nope"], ["nope", "difference", "loss"]),
        (["--json", "--format", "csv"], ["contradict"]),
        (["--other-score", "12-3"], ["12-3"]),
        (["--out", "list.xyz"], ["list.xyz"]),
    ],
)
def test_bad_input(run: Any, small_folder: Path, words: list[str], parts: list[str]) -> None:
    done = run("compare", str(small_folder), str(small_folder), *words)
    assert done.code == exits.USAGE, done.err
    assert done.out == ""
    assert done.err.count("\n") == 1
    for part in parts:
        assert part in done.err
