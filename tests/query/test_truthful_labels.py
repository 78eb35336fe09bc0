"""U8: whoever announced a brelan holds three equal cards, so no other hand is shown there."""

from __future__ import annotations

from solver.cards.notation import parse_history
from solver.cfr.solve import Limits
from solver.query.point import view
from solver.rules import catalogue
from solver.rules.score import start_score
from solver.strategy.run import Task
from solver.strategy.solution import game_at, solve_game
from solver.tree.history import walk


def test_U8_only_three_equal_cards_may_have_said_brelan() -> None:
    rules = catalogue.load("trut-brelan", {"ranks": "3"})
    game = game_at(rules, start_score(rules), "points")
    solution = solve_game(game, Task(limits=Limits(0.05)))
    shown = view(solution, walk(game, parse_history(rules, "brelan see")))
    assert shown.seat == 0
    assert shown.hands.tolist() == [[0, 0, 0], [1, 1, 1], [2, 2, 2]]
    answer = view(solution, walk(game, parse_history(rules, "brelan")))
    assert len(answer.hands) == 10
