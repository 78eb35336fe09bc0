"""`solve`: what it writes and says, how it stops, and that nothing is lost."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli import exits
from solver.cfr.solve import Run
from solver.cfr.sweeper import Sweeper
from solver.solving import door, running, saving
from solver.solving.running import Checkpoint
from solver.strategy import run as strategy_run
from solver.strategy import store
from solver.strategy.checkpoint import write_checkpoint
from tests.conftest import SMALL

PROMISED_KEYS = {
    *("rules", "options", "fingerprint", "score", "unit", "algorithm", "iterations", "seconds", "value"),
    *("compile_seconds", "best_response", "nash_conv", "exploitability", "reached_target", "infosets"),
    *("memory_bytes", "threads", "path"),
}
MAIN_THREAD = threading.current_thread() is threading.main_thread()


def solve(run: Any, folder: Path, *words: str) -> Any:
    return run("solve", "truc", *SMALL, "--out", str(folder), "--json", *words)


def test_the_folder_and_the_promised_keys(run: Any, tmp_path: Path) -> None:
    done = solve(run, tmp_path / "s", "--target", "0.02")
    told = json.loads(done.out)
    assert done.code == exits.DONE, done.err
    assert told.keys() >= PROMISED_KEYS
    assert told["reason"] == "target reached"
    assert told["reached_target"]
    assert 0 < told["exploitability"] <= 0.02
    assert told["nash_conv"] == pytest.approx(sum(told["best_response"]))
    assert told["exploitability"] == pytest.approx(told["nash_conv"] / 2)
    assert told["path"] == str(tmp_path / "s")
    assert "Stopped: target reached" in done.err
    assert {path.name for path in (tmp_path / "s").iterdir()} == {
        "run.json",
        "strategy.parquet",
        "convergence.parquet",
    }
    written = json.loads((tmp_path / "s" / "run.json").read_text())
    assert {key: told[key] for key in ("value", "options", "exploitability", "reason", "target")} == {
        key: written[key] for key in ("value", "options", "exploitability", "reason", "target")
    }
    assert not (tmp_path / "s.checkpoint.npz").exists()


def test_a_limit_exits_1_and_keeps_the_result(run: Any, tmp_path: Path) -> None:
    done = solve(run, tmp_path / "s", "--max-iterations", "12")
    told = json.loads(done.out)
    assert done.code == exits.TARGET_NOT_REACHED
    assert (told["reason"], told["iterations"], told["reached_target"]) == ("iteration limit", 12, False)
    assert "Stopped: iteration limit" in done.err
    assert store.load(tmp_path / "s").claim.value == told["value"]
    assert (tmp_path / "s.checkpoint.npz").exists()


def test_time_limit(run: Any, tmp_path: Path) -> None:
    done = solve(run, tmp_path / "s", "--max-time", "0.05", "--target", "1e-9")
    assert done.code == exits.TARGET_NOT_REACHED
    assert json.loads(done.out)["reason"] == "time limit"


def test_a_target_that_rounding_reaches_is_told_as_reached(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is stored may be a little better than the average strategy that the last iteration was judged by."""
    import polars as pl

    monkeypatch.setattr("solver.strategy.run.trembles", lambda target, spread: 0.0)  # else a target has its own floors
    for iterations in map(str, range(10, 40)):
        words = ("--max-iterations", iterations)
        stored = json.loads(solve(run, tmp_path / "s", *words, "--target", "1e-9").out)["exploitability"]
        average = pl.read_parquet(tmp_path / "s" / "convergence.parquet")["nash_conv"][-1] / 2
        if stored < average:
            break
    done = solve(run, tmp_path / "s", *words, "--target", repr(stored))
    told = json.loads(done.out)
    assert done.code == exits.DONE
    assert (told["reason"], told["reached_target"]) == ("target reached", True)
    assert told["exploitability"] == stored
    assert "Stopped: target reached" in done.err
    assert "limit" not in done.err
    assert not (tmp_path / "s.checkpoint.npz").exists()


@pytest.mark.skipif(not MAIN_THREAD, reason="the alarm goes to the main thread")
def test_the_time_limit_holds_while_the_tree_is_built(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*words: Any) -> None:
        began = time.monotonic()
        while time.monotonic() < began + 20:
            pass
        pytest.fail("it was built to the end")

    monkeypatch.setattr(door, "LEAST_BUILDING", 0.1)
    monkeypatch.setattr(door, "game_at", slow)
    done = solve(run, tmp_path / "s", "--max-time", "0.1")
    assert done.code == exits.TARGET_NOT_REACHED
    assert done.out == ""
    assert done.err == (
        "error: The time limit of 0.1 s was over before the tree of truc at 0-0 was built, so there is no result; "
        "give it more with --max-time, or take fewer ranks (--set ranks=4).\n"
    )
    assert list(tmp_path.iterdir()) == []
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_default_folder_names_the_game(run: Any, tmp_path: Path) -> None:
    words = ("--results", str(tmp_path), "--score", "3-4", "--max-iterations", "1", "--json")
    path = Path(json.loads(run("solve", "truc", *SMALL, *words).out)["path"])
    assert path.parent == tmp_path
    assert path.name.startswith("truc-3-4-points-")
    assert len(path.name.removeprefix("truc-3-4-points-")) == 8


@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+"])
def test_straight_and_resumed_runs_have_the_same_bits(algorithm: str, run: Any, tmp_path: Path) -> None:
    straight, halves = tmp_path / "straight", tmp_path / "halves"
    common = ("--algorithm", algorithm, "--target", "1e-9")
    solve(run, straight, *common, "--max-iterations", "40", "--threads", "1")
    solve(run, halves, *common, "--max-iterations", "20", "--threads", "2")
    done = solve(run, halves, *common, "--max-iterations", "40", "--resume")
    assert "Resumed at iteration 20" in done.err
    with (
        np.load(tmp_path / "straight.checkpoint.npz") as one,
        np.load(tmp_path / "halves.checkpoint.npz") as two,
    ):
        assert set(one.files) == set(two.files)
        for name in ("regret", "average", "strategy"):
            assert np.array_equal(one[name], two[name]), name
    assert (straight / "strategy.parquet").read_bytes() == (halves / "strategy.parquet").read_bytes()


def test_a_resumed_run_stops_where_a_straight_one_does(run: Any, tmp_path: Path) -> None:
    straight = json.loads(solve(run, tmp_path / "a", "--target", "0.01").out)
    solve(run, tmp_path / "b", "--target", "0.01", "--max-iterations", "37")
    resumed = json.loads(solve(run, tmp_path / "b", "--target", "0.01", "--resume").out)
    assert resumed["iterations"] == straight["iterations"]
    assert resumed["value"] == straight["value"]


def test_resume_counts_iterations_from_the_start_and_time_from_now(run: Any, tmp_path: Path) -> None:
    solve(run, tmp_path / "s", "--max-iterations", "20")
    same = json.loads(solve(run, tmp_path / "s", "--max-iterations", "20", "--resume").out)
    assert same["iterations"] == 20
    more = json.loads(solve(run, tmp_path / "s", "--max-time", "0.05", "--target", "1e-9", "--resume").out)
    assert more["iterations"] > 20


def test_resume_refuses_another_run(run: Any, tmp_path: Path) -> None:
    solve(run, tmp_path / "s", "--max-iterations", "5")
    words = ("--set", "lead_after_tie=rotter", "--score", "1-0", "--algorithm", "cfr+", "--resume", "--force")
    done = solve(run, tmp_path / "s", *words)
    assert done.code == exits.USAGE
    for part in (
        "lead_after_tie is previous_leader there and rotter here",
        "score is 0-0 there and 1-0 here",
        "algorithm is dcfr there and cfr+ here",
    ):
        assert part in done.err
    assert "ranks" not in done.err


def test_resume_without_a_checkpoint(run: Any, tmp_path: Path) -> None:
    done = solve(run, tmp_path / "s", "--resume")
    assert done.code == exits.FILE
    assert "There is no checkpoint" in done.err


def test_a_damaged_checkpoint(run: Any, tmp_path: Path) -> None:
    solve(run, tmp_path / "s", "--max-iterations", "5")
    place = tmp_path / "s.checkpoint.npz"
    place.write_bytes(place.read_bytes()[:-2000])
    done = solve(run, tmp_path / "s", "--resume")
    assert done.code == exits.FILE
    assert "is damaged" in done.err
    assert "Traceback" not in done.err


def test_checkpoints_now_and_then(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "CHECKPOINT_SECONDS", 0.0)
    written = []

    def counted(*words: Any) -> None:
        written.append(words)
        write_checkpoint(*words)

    monkeypatch.setattr(running, "write_checkpoint", counted)
    assert solve(run, tmp_path / "s", "--target", "0.05").code == exits.DONE
    assert len(written) > 5
    assert not (tmp_path / "s.checkpoint.npz").exists()


def interrupting(times: int, iteration: int) -> Any:
    """A watch that sends Ctrl-C in the given iteration."""
    watch = Checkpoint.watch

    def watched(self: Checkpoint, run: Run) -> None:
        watch(self, run)
        if run.iteration == iteration and not run.reason:
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)

    return watched


@pytest.mark.skipif(not MAIN_THREAD, reason="signals go to the main thread")
def test_ctrl_c_keeps_checkpoint_and_folder(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checkpoint, "watch", interrupting(1, 20))
    done = solve(run, tmp_path / "s", "--target", "1e-9")
    assert done.code == exits.INTERRUPTED
    assert json.loads(done.out)["reason"] == "interrupted"
    assert (tmp_path / "s" / "run.json").exists()
    monkeypatch.undo()
    resumed = solve(run, tmp_path / "s", "--target", "1e-9", "--max-iterations", "30", "--resume")
    assert "Resumed at iteration 21" in resumed.err


@pytest.mark.skipif(not MAIN_THREAD, reason="signals go to the main thread")
def test_ctrl_c_twice_keeps_the_checkpoint(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(run, tmp_path / "s", "--max-iterations", "15")
    before = (tmp_path / "s" / "run.json").read_bytes()
    monkeypatch.setattr(Checkpoint, "watch", interrupting(2, 20))
    done = solve(run, tmp_path / "s", "--target", "1e-9", "--resume")
    assert done.code == exits.INTERRUPTED
    assert done.out == ""
    assert "checkpoint" in done.err
    assert (tmp_path / "s" / "run.json").read_bytes() == before
    assert (tmp_path / "s.checkpoint.npz").exists()


@pytest.mark.skipif(not MAIN_THREAD, reason="signals go to the main thread")
@pytest.mark.parametrize("where", ["sweep", "judge", "checkpoint"])
def test_ctrl_c_twice_loses_no_work(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Wherever the second one falls, the run goes on from there to the bits of one that was never stopped."""
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    words = ("--target", "1e-9", "--max-iterations", "90")
    solve(run, straight, *words)
    place, name = {
        "sweep": (Sweeper, "step"),
        "judge": (strategy_run, "evaluate"),
        "checkpoint": (running, "write_checkpoint"),
    }[where]
    whole, calls = getattr(place, name), []

    def pressed(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        return whole(*given)

    monkeypatch.setattr(running, "CHECKPOINT_SECONDS", 0.0 if where == "checkpoint" else 60.0)
    monkeypatch.setattr(place, name, pressed)
    done = solve(run, broken, *words)
    monkeypatch.undo()
    assert done.code == exits.INTERRUPTED
    assert done.out == ""
    assert f"The checkpoint {broken}.checkpoint.npz is kept; --resume goes on from it." in done.err
    resumed = solve(run, broken, *words, "--resume")
    iteration = {"sweep": 2, "judge": 80, "checkpoint": 3}[where]
    assert f"Resumed at iteration {iteration} from" in resumed.err
    assert (straight / "strategy.parquet").read_bytes() == (broken / "strategy.parquet").read_bytes()


@pytest.mark.skipif(not MAIN_THREAD, reason="signals go to the main thread")
def test_ctrl_c_while_saving_waits(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*words: Any) -> Path:
        signal.raise_signal(signal.SIGINT)
        return store.save(*words)

    monkeypatch.setattr(saving, "save", slow)
    done = solve(run, tmp_path / "s", "--target", "0.05")
    assert done.code == exits.DONE
    assert "Saving first" in done.err
    assert store.load(tmp_path / "s").facts["reached_target"]


@pytest.mark.skipif(not MAIN_THREAD, reason="signals go to the main thread")
def test_an_interrupted_run_leaves_a_better_solution(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(run, tmp_path / "s", "--target", "0.01")
    before = (tmp_path / "s" / "run.json").read_bytes()
    monkeypatch.setattr(Checkpoint, "watch", interrupting(1, 10))
    done = solve(run, tmp_path / "s", "--target", "1e-9")
    assert done.code == exits.INTERRUPTED
    assert "holds a better solution" in done.err
    assert json.loads(done.out)["path"] is None
    assert (tmp_path / "s" / "run.json").read_bytes() == before


def test_an_old_checkpoint_is_told(run: Any, tmp_path: Path) -> None:
    solve(run, tmp_path / "s", "--max-iterations", "5")
    done = solve(run, tmp_path / "s", "--max-iterations", "5")
    assert "--resume goes on from it" in done.err


def test_a_quick_run_does_not_remove_the_checkpoint_of_another(run: Any, tmp_path: Path) -> None:
    solve(run, tmp_path / "s", "--max-iterations", "50", "--target", "1e-9")
    before = (tmp_path / "s.checkpoint.npz").read_bytes()
    assert solve(run, tmp_path / "s", "--target", "0.1").code == exits.DONE
    assert (tmp_path / "s.checkpoint.npz").read_bytes() == before
    assert solve(run, tmp_path / "s", "--target", "0.1", "--resume").code == exits.DONE
    assert not (tmp_path / "s.checkpoint.npz").exists()


def test_quiet_says_nothing(run: Any, tmp_path: Path) -> None:
    assert solve(run, tmp_path / "s", "--max-iterations", "5", "--quiet").err == ""


def test_people_get_a_short_summary(run: Any, tmp_path: Path) -> None:
    done = run("solve", "truc", *SMALL, "--out", str(tmp_path / "s"), "--max-iterations", "5")
    assert "exploitability" in done.out
    assert "fingerprint" not in done.out


def equity_file(place: Path, fingerprint: str, target: int) -> Path:
    """An invented equity table of Truc: whoever has more points is more likely to win."""
    import polars as pl

    scores = [(e, d) for e in range(target) for d in range(target)]
    pl.DataFrame(
        {
            "elder": [e for e, _ in scores],
            "dealer": [d for _, d in scores],
            "elder_wins": [0.5 + (e - d) / (2.5 * target) for e, d in scores],
            "rules": ["truc"] * len(scores),
            "fingerprint": [fingerprint] * len(scores),
        }
    ).write_parquet(place)
    return place


def test_unit_match(run: Any, tmp_path: Path) -> None:
    import polars as pl

    words = (*SMALL, "--set", "target=4")
    fingerprint = json.loads(run("rules", "truc", *words, "--json").out)["fingerprint"]
    equity = equity_file(tmp_path / "table.parquet", fingerprint, 4)
    done = run(
        *("solve", "truc", *words, "--unit", "match", "--score", "2-3", "--equity", str(equity), "--json"),
        *("--out", str(tmp_path / "s")),
    )
    told = json.loads(done.out)
    assert done.code == exits.DONE, done.err
    assert 0 < told["value"] < 1
    assert told["target"] == 0.001
    assert all(0 < one < 1 for one in told["best_response"])
    assert told["nash_conv"] == pytest.approx(sum(told["best_response"]) - 1)
    assert (tmp_path / "s" / "equity.parquet").exists()
    again = store.load(tmp_path / "s")
    assert again.claim.nash_conv == pytest.approx(told["nash_conv"], abs=1e-12)
    curve = pl.read_parquet(tmp_path / "s" / "convergence.parquet")
    sums = curve["best_response_elder"] + curve["best_response_dealer"] - 1
    assert np.allclose(sums, curve["nash_conv"])


def test_unit_match_without_a_table(run: Any, tmp_path: Path) -> None:
    done = solve(run, tmp_path / "s", "--unit", "match")
    assert done.code == exits.FILE
    assert "truc-solve match" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="no such memory figures there")
def test_memory_is_that_of_the_process(run: Any, tmp_path: Path) -> None:
    told = json.loads(solve(run, tmp_path / "s", "--max-iterations", "5").out)
    assert 50e6 < told["memory_bytes"] < 4e9
