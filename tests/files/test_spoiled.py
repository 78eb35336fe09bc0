"""Files that were spoiled: said with exit 3 before other code reads them; whole ones of old formats are read."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl  # noqa: TID253
import pytest

from cli import exits
from cli.app import main
from solver.cfr.solve import Limits, Run
from solver.errors import FileError
from solver.match.record import MATCH, read_record, resume_match, save_run
from solver.match.run import MatchRun, new_match, solve_match
from solver.match.verify import verify_match
from solver.rules import catalogue
from solver.rules.score import start_score
from solver.strategy import store
from solver.strategy.checkpoint import SEALED, identity, read_checkpoint, write_checkpoint
from solver.strategy.equity import EQUITY
from solver.strategy.parquet import digest_of
from solver.strategy.run import Task, new_run, solve_run
from solver.strategy.shipped import book_root
from solver.strategy.solution import game_at
from solver.tree.build import HandGame
from tests.match.conftest import Here, without_digests

TINY = catalogue.load("truc", {"ranks": "2", "copies": "4", "ladder": "1,2"})
MATCH_RULES = catalogue.load("truc", {"ranks": "2", "ladder": "1,2", "target": "2"})


@pytest.fixture
def copied(small_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_folder, tmp_path / "copy"))


def change(folder: Path, **facts: Any) -> None:
    made = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(made | facts))


def never(*words: Any, **more: Any) -> None:
    pytest.fail("it was read")


def older(folder: Path) -> Path:
    """As an older version wrote it: without digests of files and of the named rules."""
    made = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({k: made[k] for k in made if k not in ("files", "rules_digest")}))
    return folder


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one sentence with which the command line refuses a folder."""
    assert main(["verify", str(folder), *words, "--quiet"]) == exits.FILE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "fault of truc-solve" not in printed.err
    return printed.err


RUNS: list[Callable[[dict[str, Any]], Any]] = [
    lambda run: run.pop("rules"),
    lambda run: run.update(rules=7),
    lambda run: run.update(rules="trut"),
    lambda run: run.update(options=None),
    lambda run: run.update(options=[]),
    lambda run: run["options"].update(ladder=5),
    lambda run: run["options"].update(ranks=[{}]),
    lambda run: run["options"].update(betting=["x"]),
    lambda run: run["options"].pop("ladder"),
    lambda run: run.update(slots=float("inf")),
    lambda run: run.update(slots="many"),
    lambda run: run.update(slots=10**400),
    lambda run: run.update(best_response=[float("nan"), 0.0]),
    lambda run: run.update(best_response=[1.0]),
    lambda run: run.update(best_response="no"),
    lambda run: run.update(target="low"),
    lambda run: run.update(reached_target="yes"),
    lambda run: run.update(value=True),
    lambda run: run.update(score=[0, 0]),
    lambda run: run.update(unit="\udc80"),
    lambda run: run.update(unit="chips"),
    lambda run: run.update(reason="\ud800"),
    lambda run: run.update(digest=None),
    lambda run: run.update(files=3),
    lambda run: run.update(format="1"),
]


@pytest.mark.parametrize("number", range(len(RUNS)))
@pytest.mark.parametrize("words", [(), ("--score", "0-0")], ids=["", "score"])
def test_a_description_of_the_wrong_kinds(
    number: int, words: tuple[str, ...], copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = json.loads((copied / "run.json").read_text())
    RUNS[number](made)
    (copied / "run.json").write_text(json.dumps(made))
    assert "run.json" in refused(copied, capsys, *words)


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b'{"format": 1e999}', b'{"format": "\xff"}', b"7"])
def test_a_description_that_is_none(content: bytes, copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copied / "run.json").write_bytes(content)
    assert "is damaged" in refused(copied, capsys)


def test_a_byte_order_mark_is_read(copied: Path) -> None:
    (copied / "run.json").write_bytes(b"\xef\xbb\xbf" + (copied / "run.json").read_bytes())
    assert store.load(copied).game.rules.name == "truc"


def test_folders_of_older_versions_are_read_but_not_under_another_name(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert store.load(older(copied)).game.rules.name == "truc"
    change(copied, rules="trut")
    assert "'trut'" in refused(copied, capsys)


@pytest.mark.parametrize("name", ["strategy.parquet", "convergence.parquet"])
def test_one_changed_byte_of_a_table(name: str, copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray((copied / name).read_bytes())
    monkeypatch.setattr("solver.strategy.parquet.polars.read_parquet", never)
    for place in random.Random(1).sample(range(len(content)), 20):
        content[place] ^= 1
        (copied / name).write_bytes(content)
        with pytest.raises(FileError, match=f"{name}' is damaged"):
            store.load(copied)
        content[place] ^= 1


@pytest.mark.parametrize("values", [["a"], [[1]], [{"a": 1}], [0.5], [None]])
def test_frequencies_of_another_kind(values: list[Any], copied: Path) -> None:
    older(copied)
    slots = json.loads((copied / "run.json").read_text())["slots"]
    pl.DataFrame({"frequency": values * slots}).write_parquet(copied / "strategy.parquet")
    with pytest.raises(FileError, match=r"strategy\.parquet"):
        store.load(copied)


@pytest.fixture(scope="module")
def game() -> HandGame:
    return game_at(TINY, start_score(TINY), "points")


def run_of(game: HandGame) -> Run:
    return new_run(game, Task("dcfr", 1, Limits(1e-12, 3)))


@pytest.fixture
def checkpoint(game: HandGame, tmp_path: Path) -> Path:
    write_checkpoint(tmp_path / "c.npz", solve_run(run_of(game)), identity(game, "dcfr"))
    return tmp_path / "c.npz"


def test_any_changed_bit_of_a_checkpoint_is_seen(game: HandGame, checkpoint: Path) -> None:
    whole = checkpoint.read_bytes()
    run, made_of = run_of(game), identity(game, "dcfr")
    before = run.sweeper.average.copy()
    chosen = random.Random(2)
    for place in [*chosen.sample(range(len(whole)), 60), *range(len(whole) - SEALED - 30, len(whole), 7)]:
        spoiled = bytearray(whole)
        spoiled[place] ^= 1 << chosen.randrange(8)
        checkpoint.write_bytes(spoiled)
        with pytest.raises(FileError, match=r"is damaged|has format"):
            read_checkpoint(checkpoint, run, made_of)
        assert np.array_equal(run.sweeper.average, before)
    checkpoint.write_bytes(whole)
    read_checkpoint(checkpoint, run, made_of)
    assert run.iteration == 3


@pytest.mark.parametrize(
    "spoil",
    [
        {"average": lambda one: -1.0 - one},
        {"average": lambda one: one * np.float32("nan")},
        {"regret": lambda one: one + np.float32("inf")},
        {"clocks": lambda one: one * np.nan},
        {"measures": lambda one: np.full((1, 5), np.nan)},
        {"about": lambda one: np.array(str(one).replace('"iteration": 3', '"iteration": -3'))},
        {"about": lambda one: np.array(str(one).replace('"identity": {', '"identity": null, "other": {'))},
        {"about": lambda one: np.array("[]")},
        {"about": lambda one: np.array("[" * 100_000)},
    ],
)
def test_what_no_run_has_is_refused_without_a_digest(spoil: dict[str, Any], game: HandGame, checkpoint: Path) -> None:
    as_format_2(checkpoint, spoil)
    with pytest.raises(FileError, match="is damaged"):
        read_checkpoint(checkpoint, run_of(game), identity(game, "dcfr"))


def test_checkpoints_of_format_2_are_read(game: HandGame, checkpoint: Path) -> None:
    as_format_2(checkpoint, {})
    run = run_of(game)
    read_checkpoint(checkpoint, run, identity(game, "dcfr"))
    assert run.iteration == 3


def as_format_2(checkpoint: Path, spoil: dict[str, Any]) -> None:
    """Write a checkpoint as an older version did, some of its arrays changed."""
    with np.load(checkpoint) as kept:
        arrays = {name: kept[name] for name in kept.files}
    arrays["about"] = np.array(str(arrays["about"]).replace('"format": 3', '"format": 2'))
    arrays |= {name: change(arrays[name]) for name, change in spoil.items()}
    np.savez(checkpoint, **arrays)


@pytest.fixture(scope="module")
def solved_match(tmp_path_factory: pytest.TempPathFactory) -> MatchRun:
    folder = tmp_path_factory.mktemp("match") / "m"
    return solve_match(new_match(MATCH_RULES, 0.01, folder), Here())


@pytest.fixture
def match(solved_match: MatchRun, tmp_path: Path) -> Path:
    return Path(shutil.copytree(solved_match.folder, tmp_path / "m"))


def test_what_a_state_claims_is_judged(match: Path) -> None:
    assert verify_match(match).ok
    change(match / "states" / "0-1", exploitability=0.4)
    (fault,) = verify_match(match).faults
    assert "At 0-1: The claimed exploitability is 0.4" in fault


@pytest.mark.parametrize("name", ["run.json", "strategy.parquet"])
def test_a_state_that_was_torn_is_solved_again(name: str, match: Path) -> None:
    (match / "states" / "0-0" / name).write_bytes(b"")
    run = new_match(MATCH_RULES, 0.01, match)
    (note,) = resume_match(run)
    assert "states/0-0' is damaged; its hand is solved again" in note
    assert run.done == run.states - 1
    solve_match(run, Here())
    assert verify_match(match).ok


def test_a_changed_byte_of_an_equity_table(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray((match / EQUITY).read_bytes())
    content[len(content) // 2] ^= 8
    (match / EQUITY).write_bytes(content)
    monkeypatch.setattr("solver.strategy.parquet.polars.read_parquet", never)
    for read in (verify_match, lambda place: store.load(place / "states" / "0-0")):
        with pytest.raises(FileError, match=r"equity\.parquet' is damaged"):
            read(match)


def test_a_match_stopped_between_its_table_and_its_description(
    match: Path, solved_match: MatchRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_match(MATCH_RULES, 0.01, match)
    resume_match(run)
    first = next(iter(run.table.values))
    run.waiting.append((first,))
    del run.table.values[first]

    def killed(run: MatchRun) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.match.record.description", killed)
    with pytest.raises(KeyboardInterrupt):
        save_run(run)
    monkeypatch.undo()
    again = new_match(MATCH_RULES, 0.01, match)
    resume_match(again)
    assert again.done == again.states - 1


def test_matches_of_older_versions_are_read(match: Path) -> None:
    made = read_record(without_digests(match))
    (match / MATCH).write_text(json.dumps({key: value for key, value in made.items() if key != "rules_digest"}))
    assert verify_match(match).ok


@pytest.mark.parametrize(
    "facts", [{"rules": "trut"}, {"options": 3}, {"target": "x"}, {"nash_conv": "x"}, {"versions": 1}], ids=str
)
def test_a_description_of_a_match_of_the_wrong_kinds(facts: dict[str, Any], match: Path) -> None:
    made = json.loads((match / MATCH).read_text())
    (match / MATCH).write_text(json.dumps(made | facts))
    with pytest.raises(FileError, match=r"match\.json"):
        verify_match(match)


@pytest.mark.parametrize("name", ["truc", "truc-lanes", "trut", "trut-gatine"])
def test_the_book_knows_its_tables(name: str) -> None:
    folder = book_root() / name
    files = read_record(folder)["files"]
    tables = {path.name: digest_of(path.read_bytes()) for path in folder.glob("*.parquet")}
    assert files == tables
