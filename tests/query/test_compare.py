"""Two solutions side by side, against the views of single points and the judge."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cards.notation import parse_hand
from solver.cfr.solve import Limits
from solver.query.advise import point_after, row_of
from solver.query.compare import LOSS, Comparison, compare
from solver.query.meeting import changes
from solver.query.point import view
from solver.query.stats import statistics
from solver.rules import catalogue
from solver.rules.score import SEAT_NAMES, parse_score
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game


def solved(name: str, options: dict[str, str], score: str, sweeps: int) -> Solution:
    rules = catalogue.load(name, {"ranks": "3", **options})
    game = game_at(rules, parse_score(rules, score), "points")
    return solve_game(game, Task("dcfr", 1, Limits(1e-9, sweeps)))


LADDER = {"ladder": "1,2"}


@pytest.fixture(scope="module")
def good() -> Solution:
    return solved("truc", LADDER, "0-0", 200)


@pytest.fixture(scope="module")
def poor() -> Solution:
    return solved("truc", LADDER, "0-0", 5)


@pytest.fixture(scope="module")
def same_rules(good: Solution, poor: Solution) -> Comparison:
    return compare(good, poor, 50)


def test_a_solution_does_not_differ_from_itself(good: Solution) -> None:
    found = compare(good, good)
    assert found.rows == []
    assert found.head_to_head is not None
    assert found.head_to_head["a_elder_b_dealer"] == pytest.approx(good.claim.value)
    assert found.head_to_head["a_gains"] == pytest.approx(0.0)
    assert all(row["difference"] == pytest.approx(0.0) for row in found.summary)
    assert not changes(found.rates)


def test_head_to_head_lies_within_the_best_responses(good: Solution, poor: Solution, same_rules: Comparison) -> None:
    """Nobody does better against a side than its best response (planted: swapping sides breaks this)."""
    found = same_rules.head_to_head
    assert found is not None
    against_good, against_poor = good.claim.best_response, poor.claim.best_response
    assert -against_good[1] - 1e-9 <= found["a_elder_b_dealer"] <= against_poor[0] + 1e-9
    assert -against_poor[1] - 1e-9 <= found["b_elder_a_dealer"] <= against_good[0] + 1e-9
    assert found["a_gains"] == pytest.approx((found["a_elder_b_dealer"] - found["b_elder_a_dealer"]) / 2)
    assert found["a_gains"] > 0.0


def test_rows_are_those_of_the_two_points(good: Solution, poor: Solution, same_rules: Comparison) -> None:
    assert len(same_rules.rows) == 50
    for row in same_rules.rows:
        seen = []
        for solution in (good, poor):
            point = point_after(solution.game, row["history"])
            one = view(solution, point)
            assert SEAT_NAMES[one.seat] == row["seat"]
            k = row_of(solution.game, point, one, parse_hand(solution.game.rules, row["hand"]))
            seen.append((one.actions, np.nan_to_num(one.frequency[k]), np.nan_to_num(one.ev[k]), one.reach[k]))
        (actions, f_a, ev_a, reach_a), (_, f_b, ev_b, reach_b) = seen
        assert row["difference"] == pytest.approx(np.abs(f_a - f_b).sum() / 2)
        assert row["b_loses_in_a"] == pytest.approx(((f_a - f_b) * ev_a).sum(), abs=1e-9)
        assert row["a_loses_in_b"] == pytest.approx(((f_b - f_a) * ev_b).sum(), abs=1e-9)
        assert (row["reach_a"], row["reach_b"]) == pytest.approx((reach_a, reach_b))
        assert row["a"] == pytest.approx({action: f_a[actions.index(action)] for action in row["a"]})


def test_rows_come_in_the_order_asked_for(good: Solution, poor: Solution, same_rules: Comparison) -> None:
    weights = [(row["reach_a"] + row["reach_b"]) / 2 * row["difference"] for row in same_rules.rows]
    assert weights == sorted(weights, reverse=True)
    losses = [
        max(row["reach_a"] * row["b_loses_in_a"], row["reach_b"] * row["a_loses_in_b"])
        for row in compare(good, poor, 10, LOSS).rows
    ]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > 0.0


def test_another_rule_is_compared_where_histories_are_common(good: Solution) -> None:
    lanes = solved("truc-lanes", LADDER, "0-0", 200)
    found = compare(good, lanes)
    assert found.head_to_head is None
    assert found.rows
    assert {row["trick"] for row in found.summary} == {1, 2, 3}
    for row in found.rows:
        for solution in (good, lanes):
            point_after(solution.game, row["history"])
    text = " ".join(found.notes)
    for part in ("alternate_raises true instead of false", "The elder gets", "histories that both have", "differ"):
        assert part in text


def test_rates_are_those_of_stats(good: Solution, poor: Solution, same_rules: Comparison) -> None:
    own = {(row["seat"], row["trick"], row["word"]): row for row in statistics(poor)}
    for row in same_rules.rates:
        there = own[row["seat"], row["trick"], row["word"]]
        assert row["frequency_b"] == there["frequency"]
        assert row["folded_b"] == there["folded"]


def test_scores_pay_differently_so_nobody_meets(good: Solution) -> None:
    found = compare(good, solved("truc", LADDER, "3-8", 30))
    assert found.head_to_head is None
    assert "score 3-8 instead of 0-0" in found.notes[0]
    assert found.rows


def test_other_cards_have_no_point_in_common(good: Solution) -> None:
    found = compare(good, solved("trut", {}, "0.0-0.0", 10))
    assert (found.rows, found.summary, found.head_to_head) == ([], [], None)
    assert any("only rates are compared" in note for note in found.notes)
    trut = next(row for row in found.rates if row["word"] == "trut")
    assert trut["frequency_a"] is None
    assert trut["frequency_b"] is not None
