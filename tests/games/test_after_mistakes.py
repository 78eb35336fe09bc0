"""What solutions of the full games do after mistakes, as a user gets them: solved to the default targets."""

from __future__ import annotations

import os
from functools import cache

import pytest

from solver.cards.notation import parse_hand
from solver.cfr.solve import Limits
from solver.evaluate.local import local_exploitability
from solver.query.advise import advise, point_after, row_of
from solver.query.point import decision_of, view_of
from solver.query.trust import trust_at
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.run import DEFAULT_TARGETS, Task
from solver.strategy.solution import Solution, game_at, solve_game
from solver.tree.reading import slots
from tests.evaluate.unbeatable import folds

GAMES = [("truc", "11-10", "match"), ("trut", "0.0-0.0", "points")]
if os.environ.get("TRUC_SOLVE_ALL_GAMES"):
    GAMES.append(("truc", "0-0", "points"))


@cache
def solved(name: str, score: str, unit: str, off_path: bool = True) -> Solution:
    rules = catalogue.load(name, {})
    task = Task(limits=Limits(DEFAULT_TARGETS[unit]), off_path=off_path)
    return solve_game(game_at(rules, parse_score(rules, score), unit), task)


def folded(solution: Solution) -> tuple[int, int]:
    """Hands and points where the hand cannot lose, and at how many of them it folds now and then."""
    points = folding = 0
    for edge, safe in folds(solution.game):
        often = solution.stored[slots(solution.game.tree, edge)]
        points += int(safe.sum())
        folding += int((safe & (often > 0)).sum())
    return points, folding


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_hand_that_cannot_lose_never_folds(game: tuple[str, str, str]) -> None:
    points, folding = folded(solved(*game))
    assert points > 2000
    assert folding == 0


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_mean_local_gain_is_at_most_ten_times_the_target(game: tuple[str, str, str]) -> None:
    solution = solved(*game)
    found = local_exploitability(solution.game.tree, solution.game.worth, solution.behaviour)
    assert solution.claim.exploitability <= DEFAULT_TARGETS[game[2]]
    assert found.mean <= 10 * DEFAULT_TARGETS[game[2]]


def test_without_training_off_the_path_both_are_found() -> None:
    solution = solved(*GAMES[0], off_path=False)
    assert folded(solution)[1] > 100
    found = local_exploitability(solution.game.tree, solution.game.worth, solution.behaviour)
    assert found.by_mistakes[1][0] > 10 * DEFAULT_TARGETS["match"]


def trust_of(solution: Solution, history: str, hand: str) -> tuple[float, float, bool]:
    """Own local gain, limit of what is indifferent, and the mark, of one hand at one point."""
    point = point_after(solution.game, history)
    decision = decision_of(solution, point)
    cards = parse_hand(solution.game.rules, hand)
    row = row_of(solution.game, point, view_of(solution, decision), cards)
    trust = trust_at(solution, decision)
    return float(trust.gain[row]), float(trust.limit[row]), bool(trust.weak[row])


def test_a_point_where_a_hand_could_gain_much_is_marked() -> None:
    gain, limit, weak = trust_of(solved(*GAMES[0], off_path=False), "8 raise", "7 7 8")
    assert gain == pytest.approx(0.2155, abs=0.001)
    assert limit >= gain
    assert weak
    gain, limit, weak = trust_of(solved(*GAMES[0]), "8 raise", "7 7 8")
    assert gain < 1e-4
    assert limit < 0.01
    assert not weak


def test_what_is_indifferent_depends_on_the_point() -> None:
    """Leading the 8 loses 0.007 of the match; at this point the solution can tell that from nothing."""
    _, limit, _ = trust_of(solved(*GAMES[0]), "", "7 7 8")
    assert 0 < limit < 0.005


def test_two_sevens_and_an_eight_call_after_a_bad_lead() -> None:
    calls = {one.action: one.frequency for one in advise(solved(*GAMES[0]), "7 7 8", "8 raise").actions}
    assert calls == {"fold": 0.0, "call": 1.0}
