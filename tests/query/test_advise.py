"""Advice about a hand and the table of all hands, on a small solution."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl  # noqa: TID253
import pytest

from cli.app import main
from solver.errors import UsageError
from solver.query.advise import HARDLY_EVER, advise, indifference, point_after
from solver.query.point import view
from solver.query.table import actions_of, ordered, reached, strategy_table, where
from solver.strategy import store
from solver.strategy.solution import Solution
from solver.tree.history import cards_laid

HISTORIES = ("", "7", "8 raise", "8 raise call", "8 raise call A", "7 7 8", "8 A 8 7", "8 A 8 7 A", "7 7 8 8 raise")


@pytest.fixture(scope="module")
def solution(small_folder: Path) -> Solution:
    return store.load(small_folder)


def test_the_opening_adds_up_to_the_best_response(solution: Solution) -> None:
    """The best actions of all hands, each followed by the best there is, are the best response."""
    seen, claim = view(solution, point_after(solution.game, "")), solution.claim
    assert float((np.nanmax(seen.ev, axis=1) * seen.reach).sum()) == pytest.approx(claim.best_response[0], abs=1e-12)
    table = strategy_table(solution, point_after(solution.game, ""))
    total = float((table["value"] * table["reach"]).sum())
    assert claim.value - 1e-12 <= total <= claim.best_response[0] + 1e-12
    assert table["reach"].sum() == pytest.approx(1.0)
    assert table["arrival"].to_list() == pytest.approx([1.0] * table.height)


@pytest.mark.parametrize("history", HISTORIES)
def test_rows_are_consistent(solution: Solution, history: str) -> None:
    point = point_after(solution.game, history)
    table = strategy_table(solution, point)
    frequency = table.select(actions_of(table)).to_numpy()
    assert np.nansum(frequency, axis=1) == pytest.approx(np.ones(table.height))
    for row in table.iter_rows(named=True):
        advice = advise(solution, row["hand"], history)
        assert advice.hand == row["hand"]
        assert advice.reach == row["reach"]
        assert [one.action for one in advice.actions] == [
            action for action in actions_of(table) if row[action] is not None
        ]
        if row["value"] is None:
            continue
        assert advice.value == pytest.approx(sum(one.frequency * one.ev for one in advice.actions))
        assert min(one.loss for one in advice.actions) == 0.0
        assert row["best"] in [one.action for one in advice.actions if one.loss == 0.0]
        losses = sorted(one.loss for one in advice.actions)
        if len(losses) > 1:
            assert row["edge"] == pytest.approx(losses[1])
        assert ("hardly ever reached" in advice.marks) == (advice.arrival < HARDLY_EVER)


def test_indifferent_actions_lose_less_than_twice_the_exploitability(solution: Solution) -> None:
    limit = indifference(solution)
    assert limit == pytest.approx(2 * solution.claim.exploitability)
    seen = 0
    for hand in strategy_table(solution, point_after(solution.game, ""))["hand"].to_list():
        advice = advise(solution, hand)
        close = [one for one in advice.actions if one.loss <= limit]
        seen += len(close) > 1
        assert ("indifferent" in advice.marks) == (len(close) > 1)
        assert [one for one in advice.actions if one.indifferent] == (close if len(close) > 1 else [])
    assert seen


def test_what_was_laid(solution: Solution) -> None:
    assert cards_laid(solution.game, point_after(solution.game, "8 A raise call 8 7 A")) == ([1, 1], [2, 0, 2])


@pytest.mark.parametrize(
    ("hand", "history", "parts"),
    [
        ("8 8 A", "7 raise call 8", ["lacks 7", "elder", "with 7"]),
        ("7 7 8", "A A 7", ["lacks A", "dealer"]),
        ("7 7 7", "8 A 8 7 A", ["lacks 2 times 8", "elder"]),
        ("7 8 7", "7 8 7 raise rest", ["position 13", "'rest'", "fold, call"]),
        ("7 7 8", "7 7 7 7 7", ["position 9", "5"]),
        ("A A A", "7 8 7 8", ["over", "nothing is left"]),
    ],
)
def test_what_cannot_be_is_said(solution: Solution, hand: str, history: str, parts: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        advise(solution, hand, history)
    for part in parts:
        assert part.lower() in str(caught.value).lower()


def test_a_hand_that_the_laid_cards_rule_out(solution: Solution) -> None:
    with pytest.raises(UsageError, match="3 times 7 and the elder has laid 2, the deck has 4"):
        advise(solution, "7 7 7", "7 7 7")


def test_filters_and_order(solution: Solution) -> None:
    table = strategy_table(solution, point_after(solution.game, ""))
    assert where(table, "raise > 0.5 AND hand LIKE '7%'").height < table.height
    assert where(table, '"7" IS NULL')["hand"].to_list() == [
        hand for hand in table["hand"].to_list() if "7" not in hand
    ]
    values = ordered(table, "value")["value"].to_list()
    assert values == sorted(values, reverse=True)
    hands = ordered(table, "hand")["hand"].to_list()
    assert hands == sorted(hands)
    assert reached(table).height == table.height


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ("rais > 0.5", "Did you mean 'raise'?"),
        ("value +", "no condition"),
        ("7 > 0.5", "double quotes"),
        ("value", "no condition"),
        ("read_csv('/etc/passwd')", "no condition"),
        ("1 = 1; DROP TABLE x", "no condition"),
        ("raise > ALL (SELECT 1)", "SELECT asks for another table"),
        ("raise BETWEEN 0 AND (SELECT 1)", "SELECT asks for another table"),
        ("raise > ALL(ARRAY[0.5])", "it calls ALL"),
        ("LPAD(hand, 1000000000000, 'x') = hand", "it calls LPAD"),
    ],
)
def test_bad_filters_are_sentences(solution: Solution, expression: str, part: str) -> None:
    table = strategy_table(solution, point_after(solution.game, ""))
    with pytest.raises(UsageError) as caught:
        where(table, expression)
    assert part in str(caught.value)
    assert expression in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_filter_may_quote_words_that_it_may_not_use(solution: Solution) -> None:
    table = strategy_table(solution, point_after(solution.game, ""))
    assert where(table, "hand LIKE 'select (%' OR value > AVG(value)").height < table.height


@pytest.mark.parametrize("repeated", ["raise > 0 OR ", "NOT ", "("])
def test_a_filter_far_too_long_never_reaches_the_engine(solution: Solution, repeated: str) -> None:
    table = strategy_table(solution, point_after(solution.game, ""))
    with pytest.raises(UsageError, match=r"has [\d,]+ characters; a condition has at most 1,000"):
        where(table, repeated * 6000 + "raise > 0")


def test_a_bad_column_has_near_matches(solution: Solution) -> None:
    table = strategy_table(solution, point_after(solution.game, ""))
    with pytest.raises(UsageError, match="Did you mean 'value'"):
        ordered(table, "valeu")


def test_unreached_rows_have_no_values(solution: Solution) -> None:
    table = strategy_table(solution, point_after(solution.game, "A raise"))
    assert table.height
    assert isinstance(table.schema["value"], pl.Float64)


@pytest.fixture(scope="module")
def trut(tmp_path_factory: pytest.TempPathFactory) -> Solution:
    folder = tmp_path_factory.mktemp("trut") / "small"
    assert main(["solve", "trut", "--set", "ranks=2", "--max-iterations", "3", "--quiet", "--out", str(folder)]) == 1
    return store.load(folder)


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("7 trut", "7 d:trut"),
        ("7 d:trut", "7 d:trut"),
        ("7 D:TRUT see", "7 d:trut see"),
        ("e:7 silent", "7 silent"),
        ("7 silent e:trut call", "7 e:trut see"),
        ("7 e:trut", "7 e:trut"),
        ("7 silent trut", "7 e:trut"),
        ("7, 8", "7 8"),
    ],
)
def test_a_printed_history_can_be_given_again(trut: Solution, given: str, printed: str) -> None:
    hand = "7 7 8"
    assert point_after(trut.game, given) == point_after(trut.game, printed)
    advice = advise(trut, hand, given)
    assert advice.history == printed
    assert advise(trut, hand, advice.history) == advice
    if advice.then is not None:
        assert advise(trut, hand, advice.then.history).history == advice.then.history


def test_a_word_that_one_side_may_say_has_no_seat(solution: Solution) -> None:
    assert advise(solution, "7 8 A", "e:8 raise call").history == "8 raise call"
