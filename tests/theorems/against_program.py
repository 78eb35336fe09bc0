"""What the theorems of the rule book say, put to the solver and to the linear program."""

from __future__ import annotations

import pytest

from solver.evaluate.best_response import Evaluation
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.solution import game_at
from tests.games.solving import solved_by_any
from tests.reference.refereed import refereed
from tests.reference.sequence_form import solve

CLOSE = 1e-5


def by_solver(name: str, score: str, options: dict[str, str]) -> Evaluation:
    """The judged solution of the real tree, closer than 1e-5 points."""
    rules = catalogue.load(name, options)
    return solved_by_any(game_at(rules, parse_score(rules, score), "points"), CLOSE)


def by_program(name: str, score: str, options: dict[str, str]) -> float:
    """The elder's value by the sequence form of the referee's game."""
    rules = catalogue.load(name, options)
    return solve(refereed(rules, parse_score(rules, score))).value


def check_holds(found: Evaluation, value: float) -> None:
    """The solver's bounds hold a value that the program gives."""
    assert -found.best_response[1] - 1e-9 <= value <= found.best_response[0] + 1e-9, f"{found} does not hold {value}"


def check_same_value(name: str, score: str, options: dict[str, str], changed: dict[str, str]) -> None:
    """The solver's bounds on the changed game hold the program's value of the plain one."""
    check_holds(by_solver(name, score, options | changed), by_program(name, score, options))


def check_left_out(name: str, score: str, options: dict[str, str], changed: dict[str, str]) -> None:
    """The program gives the changed game, which only the referee plays, the plain game's value; the solver holds it."""
    value, plain = (by_program(name, score, options | more) for more in (changed, {}))
    assert value == pytest.approx(plain, abs=2e-12), f"the program's value {value} does not hold {plain}"
    check_holds(by_solver(name, score, options), value)
