"""Solved matches against linear programs, and what must hold of any match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb
from pathlib import Path

import numpy as np
import pytest

from solver.cfr.average import average_behaviour
from solver.evaluate.best_response import Behaviour
from solver.match import bounds
from solver.match.run import MatchRun, description
from solver.match.scores import dependencies, groups
from solver.match.state import state_folder
from solver.match.tables import StateValue
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.referee import Result, next_score
from solver.rules.score import Score, format_score
from solver.strategy import store
from solver.tree.machine import Utility
from solver.tree.model import PublicTree
from solver.tree.utility import Equity, match_utility
from tests.match.conftest import named, solve_here
from tests.match.slow_match import REDUCED, SlowMatch, stored
from tests.reference.brute import best_response
from tests.reference.extensive import uniform
from tests.reference.refereed import refereed

Solved = Callable[[str], MatchRun]
NAMES = [one.name for one in REDUCED]
#: the programs' own accuracy
LP = 1e-8


def check_against_programs(name: str, found: Mapping[Score, StateValue]) -> None:
    """Every value of the programs lies between the bounds."""
    for score, value in stored(named(name)).items():
        one = found[score]
        assert one.lower - LP <= value <= one.upper + LP, (format_score(named(name).rules, score), value, one)


@pytest.mark.parametrize("name", NAMES)
def test_the_programs_values_lie_within_the_bounds(name: str, solved: Solved) -> None:
    run = solved(name)
    assert set(stored(named(name))) == set(run.table.values)
    check_against_programs(name, run.table.values)


@pytest.mark.parametrize("name", NAMES)
def test_the_bound_meets_the_target(name: str, solved: Solved) -> None:
    run = solved(name)
    assert run.reason == "target reached"
    told = description(run)
    assert told["reached_target"]
    assert told["missing"] == []
    assert 0 < told["exploitability"] <= run.target
    assert told["nash_conv"] == pytest.approx(2 * told["exploitability"])
    assert told["nash_conv"] == pytest.approx(sum(told["best_response"]) - 1)
    assert all(one.lower <= one.value <= one.upper for one in run.table.values.values())


@pytest.mark.parametrize("name", NAMES)
def test_T11_U6_the_value_of_a_score_is_the_same_from_both_seats(name: str, solved: Solved) -> None:
    """The value of a hand, given V(d, e) after a drawn hand, is V(e, d); and the other way round."""
    run = solved(name)
    values = {score: one.value for score, one in run.table.values.items()}
    for group in groups(run.rules):
        hands = {score: store.load(state_folder(run.folder, run.rules, score)) for score in group}
        known = {score: run.table.values[score] for other in dependencies(run.rules, group) for score in other}
        judged = bounds.Group(run.rules, group, {score: hand.behaviour for score, hand in hands.items()}, known)
        for score in group:
            assert bounds.chance(judged, score, None, values) == pytest.approx(values[score], abs=1e-12)
            assert hands[score].claim.value == pytest.approx(values[score], abs=1e-12)


def test_whoever_is_ahead_is_better_off_and_the_deal_is_worth_something(solved: Solved) -> None:
    values = solved("truc to 3").table.values
    for (elder, _), (dealer, _) in ((score.elder, score.dealer) for score in values):
        here = values[Score((elder, 0), (dealer, 0))].value
        if elder:
            assert here > values[Score((elder - 1, 0), (dealer, 0))].value
        if elder == dealer:
            assert here != pytest.approx(0.5, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_stored_values_solve_the_programs(name: str) -> None:
    """One program a score, with the stored values for all that follows, drawn hands included."""
    reduced = named(name)
    match = SlowMatch(reduced.rules, dict(stored(reduced)))
    for score, value in stored(reduced).items():
        assert match.hand(score) == pytest.approx(value, abs=2e-9)


def coin_flip(rules: RuleSet, score: Score, equity: Equity, same: Equity | None = None) -> Utility:
    """A hand that gives either side a point with even chances, whatever is played."""
    honest = match_utility(rules, score, equity, same)
    return lambda winner, amount: (honest(0, 1) + honest(1, 1)) / 2


def test_a_match_of_coin_flips_has_the_values_of_pascals_triangle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "match_utility", coin_flip)
    rules = catalogue.load("truc", {"ranks": "2", "copies": "3", "ladder": "1", "remainder": "off", "target": "4"})
    run = solve_here(rules, 0.001, tmp_path)
    for score, one in run.table.values.items():
        elder, dealer = rules.target - score.elder[0], rules.target - score.dealer[0]
        flips = elder + dealer - 1
        wins = sum(comb(flips, k) for k in range(elder, flips + 1)) / 2**flips
        assert one.value == pytest.approx(wins, abs=1e-12)
        assert one.lower == pytest.approx(wins, abs=1e-12)
        assert one.upper == pytest.approx(wins, abs=1e-12)


def dealer_left_out(rules: RuleSet, score: Score, equity: Equity, same: Equity | None = None) -> Utility:
    """The planted fault: whoever is elder now is taken for the elder of the next hand too."""
    honest = match_utility(rules, score, equity, same)
    forgetful = match_utility(rules, score, lambda after: 1.0 - equity(after.swapped()), same)
    return lambda winner, amount: honest(winner, amount) if winner is None else forgetful(winner, amount)


def averaged_over_dealers(rules: RuleSet, score: Score, equity: Equity, same: Equity | None = None) -> Utility:
    """The planted fault: one equity for both seats."""

    def either(after: Score) -> float:
        return (equity(after) + 1.0 - equity(after.swapped())) / 2.0

    honest, even = match_utility(rules, score, equity, same), match_utility(rules, score, either, same)
    return lambda winner, amount: honest(winner, amount) if winner is None else even(winner, amount)


def draw_ignored(rules: RuleSet, score: Score, equity: Equity, same: Equity | None = None) -> Utility:
    """The planted fault: a drawn hand is worth as much as an even one."""
    honest = match_utility(rules, score, equity, same)
    return lambda winner, amount: 0.5 if winner is None else honest(winner, amount)


@pytest.mark.parametrize("fault", [dealer_left_out, averaged_over_dealers, draw_ignored])
def test_planted_faults_are_found_by_the_programs(
    fault: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison with the programs is what each of DESIGN's faults breaks."""
    monkeypatch.setattr(bounds, "match_utility", fault)
    run = solve_here(named("truc to 2").rules, 0.002, tmp_path)
    with pytest.raises(AssertionError):
        check_against_programs("truc to 2", run.table.values)


def even_behaviour(tree: PublicTree) -> Behaviour:
    """Every action of every lane equally often."""
    nothing = np.zeros(tree.n_slots, np.float32)
    return lambda node: average_behaviour(tree, nothing, node)


@pytest.mark.parametrize("name", ["truc to 2", "trut to 2"])
def test_bounds_hold_for_bad_strategies_too(name: str) -> None:
    """Both sides play every action equally often at every score: the bounds are wide, and bounds."""
    rules = named(name).rules
    found: dict[Score, StateValue] = {}
    for group in groups(rules):
        known = {score: found[score] for other in dependencies(rules, group) for score in other}
        trees = {s: bounds.game_with(rules, s, lambda after: 0.5).tree for s in group}
        judged = bounds.Group(rules, group, {s: even_behaviour(tree) for s, tree in trees.items()}, known)
        values = bounds.settle_values(judged)
        found |= bounds.settle_bounds(judged, values)
        for score in group:
            one = found[score]
            assert 0 <= one.lower <= one.value <= one.upper <= 1
    check_against_programs(name, found)
    assert max(one.gap for one in found.values()) > 0.2


def test_a_bound_is_the_fixed_point_of_drawn_hands() -> None:
    """One more round changes a bound by no more than what is left of the last guess."""
    rules = named("trut to 2").rules
    score = Score((1, 2), (1, 2))
    tree = bounds.game_with(rules, score, lambda after: 0.5).tree
    group = bounds.Group(rules, (score,), {score: even_behaviour(tree)}, {})
    found = bounds.settle_bounds(group, bounds.settle_values(group))[score]
    lowers, uppers = bounds.best_round(group, {score: found.lower}, {score: found.upper})
    assert found.upper - bounds.NEAR * found.gap <= uppers[score] <= found.upper
    assert found.lower <= lowers[score] <= found.lower + bounds.NEAR * found.gap


HANDS = [
    ("truc", {"ranks": "3", "copies": "4,2,2", "ladder": "1,2", "target": "2"}, ((1, 0), (0, 0))),
    ("trut", {"ranks": "3", "copies": "4,3,2", "target": "2"}, ((1, 2), (1, 2))),
    ("trut", {"ranks": "3", "copies": "4,3,2", "target": "2"}, ((0, 2), (1, 2))),
    ("trut", {"ranks": "3", "copies": "4,3,2", "target": "2"}, ((0, 1), (1, 0))),
]


@pytest.mark.parametrize(("preset", "options", "sides"), HANDS, ids=str)
def test_one_round_is_the_best_response_of_plain_recursion(
    preset: str, options: dict[str, str], sides: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    """The elder's next hands are worth the dealer's lower bounds there, a hand dealt again his own upper bound (U7)."""
    rules, score = catalogue.load(preset, options), Score(*sides)
    chances = np.random.default_rng(5)
    low, high = {}, {}
    for one in (Score(a, b) for a in every_side(rules) for b in every_side(rules)):
        low[one], high[one] = sorted(chances.uniform(size=2).tolist())
    tree = bounds.game_with(rules, score, low.__getitem__).tree
    group = bounds.Group(rules, (score,), {score: even_behaviour(tree)}, {})

    def paid(next_elder: dict[Score, float], again: dict[Score, float]) -> Callable[[Result], float]:
        def pay(result: Result) -> float:
            after = next_score(rules, score, result)
            if isinstance(after, int):
                return float(after == 0)
            return again[after] if result.again else 1.0 - next_elder[after]

        return pay

    for seat, (after, same) in enumerate(((low, high), (high, low))):
        game = refereed(rules, score, paid(after, same))
        profile = {key: {a: float(p) for a, p in row.items()} for key, row in uniform(game).items()}
        slow = float(best_response(game, seat, profile).value)
        fast = bounds.chance(group, score, seat, after, same)
        assert fast == pytest.approx(slow if seat == 0 else -slow, abs=1e-12)


def every_side(rules: RuleSet) -> list[tuple[int, int]]:
    petits = range(1 if rules.tokens == "points" else 3)
    return [(main, petit) for main in range(rules.target) for petit in petits]
