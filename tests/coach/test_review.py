"""What recorded decisions lost, on small solutions."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.score_solutions import ScoreSolutions
from solver.coach.reading import parse_records
from solver.coach.record import HEADER, HandRecord
from solver.coach.review import Decision, review_hand, summaries, worst
from solver.query.advise import RARE, advise
from solver.rules.catalogue import load
from solver.rules.score import start_score
from tests.coach.sitting import Game, match_of, played_by_the_hints

TARGET = 0.002
SMALL = [
    ("truc", {"ranks": "3", "target": "3"}, "0-0"),
    ("trut", {"ranks": "2"}, "0.0-0.0"),
    ("trut", {"ranks": "2"}, "6.2-3.0"),
    ("trut-gatine", {"ranks": "2", "copies": "8"}, "0.2-1.0"),
]
LONGEST = 9  # decisions of one side in a hand: three windows of its own, three of the other, three cards


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("solved")


def solutions(place: Path, game: tuple[str, dict[str, str], str]) -> ScoreSolutions:
    return ScoreSolutions(load(game[0], game[1]), place, TARGET, quiet=True)


def rows_of(records: list[HandRecord], source: ScoreSolutions) -> list[Decision]:
    return [row for record in records for row in review_hand(record, source)]


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_following_the_hints_loses_nothing_and_the_solution_no_more_than_its_error(game: Game, place: Path) -> None:
    """The bounds: one decision at most nash_conv / (reach · frequency), since leaving out that action alone would gain
    the difference; a hand on average at most nash_conv for each of a side's decisions, since improving all decisions
    of one rank in the order of play gains no more than a best response.
    """
    source = solutions(place, game)
    records = [record for seed in range(8) for record in played_by_the_hints(match_of(game, seed), source, 1)]
    assert rows_of(records, source)
    for row in rows_of(records, source):
        if not row.judged:
            continue
        assert row.loss is not None
        if row.player == "you":
            assert row.loss == 0.0
            assert not row.mistake
        else:
            assert row.bound is not None
            assert row.loss <= row.bound + 1e-9
    nash_conv = source(records[0].score).claim.nash_conv
    lost = sum(row.loss or 0.0 for row in rows_of(records, source) if row.judged and row.player == "solution")
    assert nash_conv <= 2 * TARGET + 1e-4
    assert lost / len(records) <= LONGEST * nash_conv + 1e-12


def record(*lines: str) -> HandRecord:
    return parse_records("\n".join([HEADER, "hand 1", "rules: truc", "set: ranks=3", "set: target=3", *lines]) + "\n")[
        0
    ]


def test_a_blunder_is_found_with_the_values_of_query(place: Path) -> None:
    source = solutions(place, SMALL[0])
    rows = review_hand(record("score: 0-0", "elder: a / 7 7 7", "dealer: b / 8 8 8", "history: 7 raise fold"), source)
    assert [(row.player, row.action) for row in rows] == [("a", "7"), ("b", "raise"), ("a", "fold")]
    told = advise(source(start_score(source.rules)), "7 7 7", "7 raise")
    fold = next(one for one in told.actions if one.action == "fold")
    assert (rows[2].value, rows[2].loss) == (fold.ev, fold.loss) == (-1.0, fold.loss)
    assert rows[2].mistake
    assert worst(rows)[0] == rows[2]
    totals = {one.player: one for one in summaries(rows)}
    assert totals["a"].loss == pytest.approx(sum(row.loss or 0.0 for row in rows if row.player == "a"))
    assert (totals["a"].hands, totals["a"].decisions, totals["a"].loss_a_hand) == (1, 2, totals["a"].loss)


def test_only_players_whose_cards_are_known_are_judged(place: Path) -> None:
    source = solutions(place, SMALL[0])
    rows = review_hand(record("score: 0-0", "elder: a / ? ? ?", "dealer: b / 8 8 8", "history: 7 raise fold"), source)
    assert [row.player for row in rows] == ["b"]


def test_what_is_hardly_ever_reached_is_marked_and_not_judged(place: Path) -> None:
    source = solutions(place, SMALL[0])
    hand = record("score: 0-0", "elder: a / 7 7 7", "dealer: b / A A A", "history: 7 rest fold")
    rows = review_hand(hand, source)
    last = rows[-1]
    assert last.mark in (RARE, "never reached")
    assert not last.judged
    assert not last.mistake
    assert sum(one.judged for one in summaries(rows)) == sum(row.judged for row in rows)


def test_a_match_that_was_solved_is_judged_in_chance_of_the_match(run_match: Path) -> None:
    source = ScoreSolutions(load("truc", MATCH), run_match, quiet=True)
    lines = [
        "set: target=2",
        "set: ladder=1",
        "set: remainder=off",
        "score: 1-0",
        "elder: a / 7 7 8",
        "dealer: b / 7 8 8",
    ]
    text = "\n".join([HEADER, "hand 1", "rules: truc", "set: ranks=2", *lines, "history: 7 8 7 7"])
    rows = review_hand(parse_records(text)[0], source)
    assert {row.unit for row in rows} == {"match"}
    assert all(row.value is not None and 0.0 <= row.value <= 1.0 for row in rows)
    assert not (run_match / ".coach").exists()


MATCH = {"ranks": "2", "target": "2", "ladder": "1", "remainder": "off"}


@pytest.fixture(scope="module")
def run_match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from cli.app import main

    results = tmp_path_factory.mktemp("matches")
    options = [word for name, value in MATCH.items() for word in ("--set", f"{name}={value}")]
    assert main(["match", "truc", *options, "--target", "0.05", "--quiet", "--out", str(results / "m")]) == 0
    return results
