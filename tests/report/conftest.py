"""Solutions with made-up strategies: charts show them as well as solved ones, and they cost nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from solver.cfr.solve import Measure
from solver.evaluate.best_response import Evaluation
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.quantise import quantise
from solver.strategy.solution import Solution, game_at

MadeUp = Callable[..., Solution]


@cache
def built(name: str, score: str, options: tuple[tuple[str, str], ...]) -> Solution:
    """A game with random strategies and a claim of 0.00125 points."""
    rules = catalogue.load(name, dict(options))
    game = game_at(rules, parse_score(rules, score), "points")
    average = np.random.default_rng(7).random(game.tree.n_slots, np.float32) ** 3
    measures = [Measure(n, n / 50, -0.2, (-0.2 + 3 / n, 0.2 + 3 / n)) for n in (10, 20, 40, 80, 160, 1000, 3000)]
    claim = Evaluation(-0.2, (-0.19875, 0.20125))
    return Solution(game, quantise(game.tree, average), claim, measures, {"algorithm": "dcfr"})


@pytest.fixture
def made_up() -> MadeUp:
    """`made_up("truc", "0-0", ranks="3")`: a solution nobody solved."""

    def make(name: str, score: str, **options: str) -> Solution:
        return built(name, score, tuple(options.items()))

    return make


@pytest.fixture
def small(made_up: MadeUp) -> Solution:
    """Truc with three ranks, hence ten hands, and one raise."""
    return made_up("truc", "0-0", ranks="3", ladder="1,2")


@pytest.fixture
def full(made_up: MadeUp) -> Solution:
    """Truc with all 120 hands, but one raise and no remainder."""
    return made_up("truc", "0-0", ladder="1,2", remainder="off")
