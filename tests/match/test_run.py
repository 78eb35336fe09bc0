"""A run of a match: what it keeps when it ends early, what it goes on from, and what it refuses."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl  # noqa: TID253
import pytest

from solver.cfr.solve import Run
from solver.errors import FileError, ResourceError, UsageError
from solver.match import run as match_run
from solver.match import state
from solver.match.plan import make_plan
from solver.match.record import MATCH, only_run, read_record, recorded_rules, resume_match
from solver.match.run import MatchRun, new_match, solve_match
from solver.match.state import GroupTask, StoppedError, solve_group
from solver.match.tables import read_table
from solver.match.workers import Solved
from solver.rules import catalogue
from solver.rules.score import Score
from solver.solving import running
from solver.strategy.checkpoint import write_checkpoint
from solver.strategy.equity import EQUITY
from tests.match.conftest import Here, without_digests

RULES = catalogue.load("truc", {"ranks": "3", "ladder": "1,2", "target": "2"})
TARGET = 0.002


def fresh(folder: Path, target: float = TARGET) -> MatchRun:
    return new_match(RULES, target, folder)


class Failing(Here):
    """Fails at the group with this number."""

    def __init__(self, number: int, error: Exception) -> None:
        self.left, self.error = number, error

    def give(self, task: GroupTask) -> Future[Solved]:
        self.left -= 1
        if self.left >= 0:
            return super().give(task)
        failed: Future[Solved] = Future()
        failed.set_exception(self.error)
        return failed


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished match."""
    folder = tmp_path_factory.mktemp("whole") / "match"
    solve_match(fresh(folder), Here())
    return folder


@pytest.fixture
def half(whole: Path, tmp_path: Path) -> Path:
    """A match of which only the last scores are done."""
    folder = tmp_path / "half"
    with pytest.raises(ResourceError):
        solve_match(fresh(folder), Failing(1, MemoryError()))
    assert (folder / EQUITY).is_file()
    return folder


def same_match(one: Path, other: Path) -> bool:
    """Whether two folders hold the same values and strategies, bit for bit."""
    names = sorted(path.name for path in (one / "states").iterdir())
    digests = [
        [json.loads((place / "states" / name / "run.json").read_text())["digest"] for name in names]
        for place in (one, other)
    ]
    return (one / EQUITY).read_bytes() == (other / EQUITY).read_bytes() and digests[0] == digests[1]


def test_what_lies_in_the_folder(whole: Path) -> None:
    assert {path.name for path in whole.iterdir()} == {MATCH, EQUITY, "states"}
    assert {path.name for path in (whole / "states").iterdir()} == {"0-0", "0-1", "1-0", "1-1"}
    table = pl.read_parquet(whole / EQUITY)
    columns = ["elder", "dealer", "elder_wins", "lower", "upper", "point_worth", "rules", "fingerprint"]
    assert table.columns == columns
    rows = read_table(RULES, whole / EQUITY)
    worth = dict(zip(table.select("elder", "dealer").iter_rows(), table["point_worth"], strict=True))
    assert worth[0, 1] == pytest.approx(rows[Score((1, 0), (1, 0))].value - rows[Score((0, 0), (1, 0))].value)
    assert worth[1, 1] == pytest.approx(1 - rows[Score((1, 0), (1, 0))].value)
    assert recorded_rules(whole) == RULES


def test_a_resumed_run_has_the_same_bits(whole: Path, half: Path) -> None:
    run = fresh(half)
    assert resume_match(run) == []
    assert 0 < run.done < run.states
    solve_match(run, Here())
    assert run.reason == "target reached"
    assert same_match(whole, half)


def test_a_finished_match_is_resumed_at_once(whole: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(whole, tmp_path / "match")
    run = fresh(folder)
    resume_match(run)
    solve_match(run, Failing(0, AssertionError("nothing is to be solved")))
    assert run.reason == "target reached"
    assert same_match(whole, folder)


def test_a_state_whose_folder_is_gone_is_solved_again(whole: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(whole, tmp_path / "match")
    shutil.rmtree(folder / "states" / "0-1")
    run = fresh(folder)
    resume_match(run)
    assert run.done == 2
    solve_match(run, Here())
    assert same_match(whole, folder)


def task_of(run: MatchRun, group: tuple[Score, ...]) -> GroupTask:
    tolerance, gap = ({score: part[score] for score in group} for part in (run.plan.tolerance, run.plan.gap))
    return GroupTask(RULES, group, {}, tolerance, gap, run.folder)


def test_a_stopped_state_goes_on_from_its_checkpoint(whole: Path, tmp_path: Path) -> None:
    """Whenever it is stopped: at the opening, before the first judgement, between two."""
    for sweeps in (5, 31, 36, 40):
        folder = tmp_path / str(sweeps)
        run = fresh(folder, 1e-4)
        task = task_of(run, (Score((1, 0), (1, 0)),))
        straight = solve_group(replace(task, folder=tmp_path / "straight"))
        left = [sweeps]

        def stopping(left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] < 0

        with pytest.raises(StoppedError):
            solve_group(task, stopping)
        assert (folder / "checkpoint-1-1.npz").is_file() == (sweeps > state.OPENING_SWEEPS)
        assert not (folder / "states").exists()
        assert solve_group(task) == straight
        digests = [
            json.loads((place / "states" / "1-1" / "run.json").read_text())["digest"]
            for place in (folder, tmp_path / "straight")
        ]
        assert digests[0] == digests[1]


def test_checkpoints_now_and_then_and_gone_with_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "CHECKPOINT_SECONDS", 0.0)
    written: list[str] = []

    def counted(place: Path, run: Run, *rest: Any) -> None:
        written.append(place.name)
        write_checkpoint(place, run, *rest)

    monkeypatch.setattr(running, "write_checkpoint", counted)
    solve_match(fresh(tmp_path / "match", 1e-4), Here())
    assert {"checkpoint-0-0.npz", "checkpoint-1-0.npz", "checkpoint-0-1.npz"} <= set(written)
    assert not list((tmp_path / "match").glob("checkpoint*"))


def test_time_limit(tmp_path: Path) -> None:
    run = solve_match(fresh(tmp_path / "match"), Here(), max_seconds=0.01)
    assert run.reason == "time limit"
    assert run.start is None
    made = json.loads((tmp_path / "match" / MATCH).read_text())
    assert made["states_done"] == run.done < run.states
    assert set(made["missing"]) | {"1-1"} == {"0-0", "0-1", "1-0", "1-1"}
    assert made["value"] is None
    assert not made["reached_target"]


def test_a_bound_above_the_target_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_run, "make_plan", lambda rules, target: make_plan(rules, 0.05))
    run = solve_match(fresh(tmp_path / "match"), Here())
    assert run.reason == "bound above the target"
    assert not run.reached


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (BrokenProcessPool("gone"), "ended from outside while truc was solved at 0-1 and 1-0"),
        (MemoryError(), "not enough memory to solve truc at 0-1 and 1-0"),
        (OSError(errno.ENOSPC, "No space left on device", "states/1-0"), "disk is full: 'states/1-0'"),
        (pl.exceptions.ComputeError("No space left on device (os error 28)"), "disk is full: '"),
    ],
    ids=["worker", "memory", "disk", "disk as parquet tells it"],
)
def test_what_is_finished_is_kept_when_something_runs_out(error: Exception, part: str, tmp_path: Path) -> None:
    folder = tmp_path / "match"
    with pytest.raises(ResourceError, match="--resume goes on") as told:
        solve_match(fresh(folder), Failing(1, error))
    assert part in str(told.value)
    assert "1 of 4 states" in str(told.value)
    assert read_record(folder)["states_done"] == 1
    assert set(read_table(RULES, folder / EQUITY)) == {Score((1, 0), (1, 0))}


def test_a_full_disk_under_the_table_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.match import tables

    def full(frame: object, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(tables, "write_parquet", full)
    with pytest.raises(ResourceError, match=f"disk is full: '.*{EQUITY}'"):
        solve_match(fresh(tmp_path / "match"), Here())


def change(folder: Path, **facts: Any) -> None:
    """Rewrite facts of match.json."""
    made = json.loads((folder / MATCH).read_text())
    (folder / MATCH).write_text(json.dumps(made | facts))


@pytest.mark.parametrize(
    ("other", "parts"),
    [
        (lambda folder: new_match(RULES, 0.01, folder), ["target is 0.002 there and 0.01 here"]),
        (
            lambda folder: new_match(replace(RULES, lead_after_tie="rotter", ladder=(1, 2, 4)), TARGET, folder),
            ["lead_after_tie is previous_leader there and rotter here", "ladder is 1,2 there and 1,2,4 here"],
        ),
        (lambda folder: new_match(RULES, TARGET, folder, "cfr+"), ["algorithm is dcfr there and cfr+ here"]),
    ],
    ids=["target", "options", "algorithm"],
)
def test_resume_names_what_differs(other: Callable[[Path], MatchRun], parts: list[str], half: Path) -> None:
    with pytest.raises(UsageError) as told:
        resume_match(other(half))
    assert all(part in str(told.value) for part in parts)
    assert "ranks" not in str(told.value)


def test_half_a_match_of_another_version(half: Path) -> None:
    versions = json.loads((half / MATCH).read_text())["versions"]
    change(half, versions=versions | {"truc-solve": "0.0.1"})
    with pytest.raises(FileError, match=r"begun with truc-solve 0\.0\.1"):
        resume_match(fresh(half))
    change(half, versions=versions | {"numba": "0.1"})
    assert "numba 0.1 there" in resume_match(fresh(half))[0]


def test_the_first_format_had_a_nash_conv_for_its_target(half: Path) -> None:
    change(half, format=1, target=2 * TARGET)
    assert read_record(half)["target"] == TARGET
    run = fresh(half)
    resume_match(run)
    assert run.done == 1


def test_a_newer_format_is_refused(half: Path) -> None:
    change(half, format=9)
    with pytest.raises(FileError, match=r"format 9.*update truc-solve"):
        resume_match(fresh(half))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 2}'])
def test_a_damaged_description(text: str, half: Path) -> None:
    (half / MATCH).write_text(text)
    with pytest.raises(FileError, match="is damaged"):
        resume_match(fresh(half))


def test_an_equity_table_of_other_rules(half: Path, tmp_path: Path) -> None:
    without_digests(half)
    pl.read_parquet(half / EQUITY).with_columns(fingerprint=pl.lit("0" * 16)).write_parquet(half / EQUITY)
    with pytest.raises(FileError, match="made for the rules 'truc', not for these options"):
        resume_match(fresh(half))
    pl.DataFrame({"elder": [1]}).write_parquet(half / EQUITY)
    with pytest.raises(FileError, match="lacks the column 'dealer'"):
        resume_match(fresh(half))
    (half / EQUITY).write_bytes(b"PAR1 or not")
    with pytest.raises(FileError, match="damaged"):
        resume_match(fresh(half))


def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no match to resume"):
        resume_match(fresh(tmp_path))


def test_leftovers_of_a_killed_run_are_removed(half: Path) -> None:
    (half / "states" / ".0-1.abcd").mkdir()
    (half / ".match.json.new").write_text("half")
    resume_match(fresh(half))
    assert not list(half.glob(".*"))
    assert not list((half / "states").glob(".*"))


def test_a_damaged_checkpoint_is_told_and_nothing_lost(half: Path) -> None:
    (half / "checkpoint-1-0.npz").write_bytes(b"half a file")
    run = fresh(half)
    resume_match(run)
    with pytest.raises(FileError, match=r"checkpoint-1-0\.npz.*is damaged"):
        solve_match(run, Here())
    assert read_record(half)["states_done"] == 1


def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with only_run(tmp_path), pytest.raises(UsageError, match="Another run is at work"), only_run(tmp_path):
        pass
    with only_run(tmp_path):
        pass


def test_chanter_needs_tout_pate(tmp_path: Path) -> None:
    rules = catalogue.load("trut-gatine-mini", {"tout_pate": "0"})
    with pytest.raises(UsageError, match="tout_pate"):
        new_match(rules, TARGET, tmp_path)
