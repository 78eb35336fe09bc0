"""The solver against the sequence-form linear program on the reduced games, and two hands without bets.

The program is built from the referee's moves and shares nothing with the solver: not the tree, not the judge. For
each game its value must lie between what the judge says each side can hold the other to, and these two must be
closer than 1e-5 points.
"""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

from solver.evaluate.best_response import Evaluation
from solver.rules import catalogue
from solver.rules.score import start_score
from solver.strategy.run import DEFAULT_ALGORITHM
from solver.strategy.solution import game_at
from tests.games.solving import solved, solved_by_any
from tests.reference import games
from tests.reference.games import Reduced

CLOSE = 1e-5

CHOSEN = (
    "truc no bets",
    "truc one raise",
    "truc long ladder",
    "truc rotter leads",
    "truc elder takes ties",
    "truc catalan",
    "truc rest 9-7",
    "truc rest in answer 9-7",
    "truc 9-8",
    "truc 11-10",
    "truc 11-11",
    "trut no bets",
    "trut unequal copies",
    "trut own turn",
    "trut brelan own turn",
    "trut elder at the fortial",
    "trut dealer at the fortial",
    "trut both at the fortial",
    "gatine labels",
    "gatine elder holds",
    "gatine chanter theorem",
)
EASY = (*CHOSEN[-6:-3], "truc 11-10", "truc 11-11", "truc long ladder", "trut no bets", "gatine elder holds")


def smaller(name: str, preset: str, score: str, options: str) -> Reduced:
    """A game beside the list; what it is worth only the program says."""
    return Reduced(name, preset, score, options, 0.0, (0, 0), (0, 0), False)


SMALLER = [
    smaller("rest both 5-7", "truc", "5-7", "ranks=2 copies=5,4 ladder=1,2 remainder=both"),
    smaller("rest both counter", "truc", "9-8", "ranks=2 copies=3,5 ladder=1,2 remainder=both counter_raise=true"),
    smaller("10-5", "truc", "10-5", "ranks=3 copies=4,2,2 ladder=1,8"),
    smaller("5-10", "truc", "5-10", "ranks=3 copies=4,2,2 ladder=1,8"),
    smaller("lanes 7-9", "truc-lanes", "7-9", "ranks=3 copies=4,2,2 ladder=1,4"),
    smaller("brelan any time", "trut-brelan", "2.0-1.1", "ranks=2 copies=4"),
    smaller("previous leader", "trut", "0.0-0.0", "ranks=3 lead_after_tie=previous_leader trut_window=own_turn"),
    smaller("elder takes ties", "trut", "0.0-0.0", "ranks=3 copies=4,2,2 all_tied=elder trut_window=own_turn"),
]
ALL = bool(os.environ.get("TRUC_SOLVE_ALL_GAMES"))  # the rest of the list takes minutes; see docs/judging.md
#: for the program and tests/theorems: what the tree leaves out, and deals that follow
ALONE = [game for game in games.REDUCED if game.rules.redeal or game.rules.chanter == "full" or game.rules.tout_pate]
LISTED = [game for game in games.REDUCED if game.name in CHOSEN or (ALL and game not in ALONE)] + SMALLER


def bounds_hold(found: Evaluation, value: float) -> bool:
    """Is this value between what each side's best response leaves the other, and in value ± nash_conv?"""
    lower, upper = -found.best_response[1], found.best_response[0]
    return lower - 1e-9 <= value <= upper + 1e-9 and abs(found.value - value) <= found.nash_conv + 1e-9


def check_against_program(reduced: Reduced, found: Evaluation) -> None:
    program = games.solution(reduced)
    assert found.nash_conv < CLOSE
    assert bounds_hold(found, program.value), f"{found} does not hold {program.value}"


@pytest.mark.parametrize("reduced", LISTED, ids=lambda game: game.name)
def test_the_program_agrees(reduced: Reduced) -> None:
    check_against_program(reduced, solved_by_any(game_at(reduced.rules, reduced.at, "points"), CLOSE))


@pytest.mark.parametrize("name", EASY)
def test_the_program_agrees_with_the_default_algorithm(name: str) -> None:
    reduced = games.named(name)
    game = game_at(reduced.rules, reduced.at, "points")
    check_against_program(reduced, solved(game, CLOSE, DEFAULT_ALGORITHM, 9000)[0])


def test_the_games_reach_every_option_of_a_hand() -> None:
    """All but free_fold, redeal, chanter=full and tout_pate: tests/theorems has them."""
    used = {option for game in LISTED for option in game.settings}
    assert used >= {"copies", "lead_after_tie", "all_tied", "ladder", "alternate_raises", "counter_raise", "remainder"}
    assert used >= {"trut_window", "labels", "target"}
    rules = [game.rules for game in LISTED]
    assert {r.remainder for r in rules} == {"initiative", "answer", "both", "off"}
    assert {r.trut_window for r in rules} == {"any_time", "own_turn", "off"}
    assert {"off", "theorem"} <= {r.chanter for r in rules}
    for option in ("brelan", "fortial", "tenir", "labels", "counter_raise", "alternate_raises"):
        assert {getattr(r, option) for r in rules} == {False, True}
    assert {game.score for game in LISTED} >= {"9-8", "11-11", "5-10", "10-5"}


def no_bets(ranks: str, target: float) -> Evaluation:
    rules = catalogue.load("truc", {"ranks": ranks, "ladder": "1", "remainder": "off"})
    return solved(game_at(rules, start_score(rules), "points"), target, "dpcfr+")[0]


def test_K3_to_K6_three_ranks_without_bets() -> None:
    found = no_bets("3", CLOSE)
    assert bounds_hold(found, float(Fraction(-48, 385)))
    assert no_bets("3", 5e-7).value == pytest.approx(-48 / 385, abs=1e-6)


def test_K3_to_K6_the_full_deck_without_bets() -> None:
    """The value is HiGHS's of the sequence form (2.6 s there, too much here)."""
    assert no_bets("8", 5e-7).value == pytest.approx(-0.1211368010, abs=1e-6)
