"""`estimate`: exact counts, memory within a fifth, refusals before anything is lost."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from cli import exits
from tests.conftest import SMALL

MIDDLE = ("--set", "ranks=5")


def test_promised_keys_and_probe(run: Any) -> None:
    done = run("estimate", "truc", *SMALL, "--json")
    told = json.loads(done.out)
    assert done.code == exits.DONE
    assert {"infosets", "sequences", "nodes", "memory_bytes"} <= told.keys()
    assert 0 < told["seconds_per_iteration"] < 1


def test_counts_are_those_of_the_solution(run: Any, small_folder: Path) -> None:
    told = json.loads(run("estimate", "truc", *SMALL, "--no-probe", "--json").out)
    made = json.loads((small_folder / "run.json").read_text())
    assert told["seconds_per_iteration"] is None
    for key in ("infosets", "sequences", "nodes"):
        assert told[key] == made[key]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no exact memory figures here")
def test_memory_within_a_fifth(run_apart: Any, tmp_path: Path) -> None:
    guessed = json.loads(run_apart("estimate", "truc", *MIDDLE, "--no-probe", "--json").out)["memory_bytes"]
    words = ("--max-iterations", "15", "--json", "--quiet", "--out", str(tmp_path / "s"))
    measured = json.loads(run_apart("solve", "truc", *MIDDLE, *words).out)["memory_bytes"]
    assert measured / 1.2 < guessed < measured * 1.2


def test_too_little_memory_is_told(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("solver.solving.machine", "solver.memory"):
        monkeypatch.setattr(f"{place}.available_memory", lambda: 2**20)
    told = run("estimate", "truc", *SMALL, "--json")
    assert told.code == exits.DONE
    assert "less than the game needs" in told.err
    assert json.loads(told.out)["seconds_per_iteration"] is None
    refused = run("solve", "truc", *SMALL, "--out", str(tmp_path / "s"))
    assert refused.code == exits.RESOURCE
    assert "Solving truc at 0-0 needs about" in refused.err
    assert "--force" in refused.err
    assert not (tmp_path / "s").exists()
    forced = run("solve", "truc", *SMALL, "--out", str(tmp_path / "s"), "--force", "--target", "0.1")
    assert forced.code == exits.DONE


def test_a_redeal_is_refused_before_it_is_built(run: Any) -> None:
    """Only the referee plays it: each side can refuse, so it is worth nothing (T9)."""
    for command in ("estimate", "solve"):
        done = run(command, "truc", "--set", "redeal=1")
        assert done.code == exits.USAGE
        assert "played by the referee only" in done.err


def test_a_ladder_of_24_rungs_is_counted_and_refused_at_once(run: Any, tmp_path: Path) -> None:
    ladder = ("--set", "ladder=" + ",".join(map(str, range(1, 25))), "--set", "target=24", "--set", "counter_raise=1")
    began = time.monotonic()
    counted = run("estimate", "truc", *ladder, "--json")
    told = json.loads(counted.out)
    assert (told["nodes"], told["sequences"]) == (5_775_112, 41_472_855_648)
    assert told["memory_bytes"] is None
    assert "too many to build" in counted.err
    refused = run("solve", "truc", *ladder, "--out", str(tmp_path / "s"))
    assert refused.code == exits.RESOURCE
    assert "5,775,112 nodes" in refused.err
    assert not (tmp_path / "s").exists()
    assert time.monotonic() - began < 10.0


def test_both_numbers_of_information_sets(run: Any) -> None:
    words = ("estimate", "truc", "--set", "ranks=6", "--set", "copies=1", "--set", "ladder=1,2", "--no-probe")
    told = json.loads(run(*words, "--json").out)
    assert (told["infosets_dealt"], told["infosets"]) == (19_000, 192_754)
    lines = dict(re.split(r"  +", line.strip(), maxsplit=1) for line in run(*words).out.splitlines())
    assert (lines["information sets"], lines["as they are solved"]) == ("19,000", "192,754")


def test_table_for_people(run: Any) -> None:
    done = run("estimate", "truc", *SMALL, "--no-probe")
    assert "information sets" in done.out
    assert "seconds per iteration" not in done.out
