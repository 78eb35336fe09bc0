"""Records of hands and games as files: added whole or not at all, counted before they are written."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from cli import exits
from solver.coach.reading import read_records
from solver.errors import FileError
from solver.exchange.efg import MOST, check_exportable, count_nodes, write_efg
from solver.rules import catalogue
from solver.rules.score import parse_score, start_score
from tests.files.conftest import Ran, Run, names_in

TINY = ("--set", "ranks=2", "--set", "ladder=1,2")
SOLVE = ("solve", "truc", *TINY, "--target", "0.1", "--quiet")
PLAY = ("play", "truc", *TINY, "--seed", "5", "--quiet", "--record")


def play(run: Run, monkeypatch: pytest.MonkeyPatch, record: str) -> Ran:
    monkeypatch.setattr(sys, "stdin", io.StringIO("7\n8\ncall\n" * 40))
    return run(*PLAY, record, "--hands", "1")


def numbers(record: Path) -> list[str]:
    return re.findall(r"(?m)^hand (\d+)$", record.read_text())


@pytest.fixture
def record(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record of one hand."""
    assert play(run, monkeypatch, "record").code == exits.DONE
    return here / "record"


def test_two_that_play_into_one_file_number_on(run: Run, record: Path) -> None:
    from cli.commands.play import Pages

    one, other = Pages(record), Pages(record)
    (hand,) = read_records(record)
    for pages in (one, other, other, one):
        pages.add(hand)
    assert numbers(record) == ["1", "2", "3", "4", "5"]
    assert [hand.number for hand in read_records(record)] == [1, 2, 3, 4, 5]


def test_a_hand_that_finds_no_room_is_not_recorded_at_all(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cli.commands.play import Pages

    pages, before = Pages(record), record.read_bytes()
    (hand,) = read_records(record)
    monkeypatch.setattr("solver.files.os.fsync", lambda handle: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        pages.add(hand)
    assert record.read_bytes() == before
    assert pages.written == 0


def test_a_torn_last_hand_is_told_and_skipped(run: Run, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = record.read_bytes()
    block = whole[whole.index(b"\nhand") :].replace(b"hand 1", b"hand 2")
    for end in range(2, len(block) - 1):
        record.write_bytes(whole + block[:end])
        told = list[str]()
        hands = read_records(record, told.append)
        assert [hand.number for hand in hands][:1] == [1]
        assert len(hands) + len(told) == 2
    record.write_bytes(whole + block[:40])
    done = run("review", record, "--json", "--quiet")
    assert done.code == exits.DONE, done.err
    assert "torn and left out" in done.err
    assert "made a comment" in play(run, monkeypatch, str(record)).err
    assert numbers(record) == ["1", "2"]
    assert "# hand 2" in record.read_text()
    assert len(read_records(record, pytest.fail)) == 2


def test_a_mistake_in_a_record_is_still_one(record: Path) -> None:
    text = record.read_text()
    for spoiled in (text.replace("hand 1", "hound 1"), text.replace("score: 0-0", "score: 99-0")):
        record.write_text(spoiled)
        with pytest.raises(Exception, match="line"):
            read_records(record)
    record.write_text("a novel")
    with pytest.raises(FileError, match="a record begins"):
        read_records(record)


@pytest.mark.parametrize(
    ("name", "score", "options"),
    [
        ("truc", "10-10", {"ranks": "3", "copies": "2", "ladder": "1,2"}),
        ("truc", "0-0", {"ranks": "2", "copies": "4,2", "ladder": "1,2,3", "counter_raise": "true"}),
        ("trut-brelan", "0.0-0.0", {"ranks": "3", "copies": "3"}),
        ("trut-gatine", "0.0-0.0", {"ranks": "3", "copies": "2", "tout_pate": "0", "chanter": "off"}),
        ("trut-gatine", "0.0-0.0", {"ranks": "7 A K Q", "copies": "2", "labels": "true", "tout_pate": "0"}),
        ("trut-mini", "6.2-0.0", {}),
    ],
)
def test_nodes_are_counted_exactly(name: str, score: str, options: dict[str, str], tmp_path: Path) -> None:
    rules = catalogue.load(name, options)
    at = parse_score(rules, score)
    seen = list[int]()
    assert check_exportable(rules, at) == write_efg(rules, at, tmp_path / "game.efg", seen.append) == seen[-1]
    assert seen == sorted(seen)


def test_counting_stops_at_the_limit() -> None:
    rules = catalogue.load("truc", {"ladder": "1,2,3,4,5,6,7,8", "counter_raise": "true"})
    assert MOST < count_nodes(rules, start_score(rules), MOST) < MOST + 20_000


def test_an_old_game_file_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, place = catalogue.load("truc", {"ranks": "2", "ladder": "1,2"}), tmp_path / "keep.efg"
    place.write_text("old")

    def interrupted(nodes: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_efg(rules, start_score(rules), place, interrupted)
    assert place.read_text() == "old"
    assert names_in(tmp_path) == ["keep.efg"]
