"""Every schedule converges, none of them to something that is no number."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from solver.cfr.average import average_behaviour
from solver.cfr.schedules import SCHEDULES, schedule
from solver.cfr.sweeper import Sweeper
from solver.errors import UsageError
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.solution import game_at
from solver.tree.build import HandGame
from solver.tree.model import DECISION
from solver.tree.reading import edges_of, legal, slots
from tests.games.hand_made import leduc
from tests.games.solving import Paid, judged, solved


@cache
def hand(name: str, score: str, **options: str) -> HandGame:
    rules = catalogue.load(name, options)
    return game_at(rules, parse_score(rules, score), "points")


@pytest.mark.parametrize("algorithm", list(SCHEDULES))
def test_every_schedule_converges(algorithm: str) -> None:
    game = hand("truc", "11-10", ranks="3")
    early = Sweeper(game.tree, game.worth, schedule(algorithm))
    for _ in range(10):
        early.step()
    late, _ = solved(game, 2e-3, algorithm, 4000)
    assert 0.0 <= late.nash_conv < judged(early).nash_conv / 5
    assert late.value == pytest.approx(-0.396, abs=3e-3)


@pytest.mark.parametrize("algorithm", list(SCHEDULES))
@pytest.mark.parametrize("score", ["2.1-4.2", "0.2-0.0"])
def test_no_schedule_ends_in_nan(algorithm: str, score: str) -> None:
    """Sums of subnormal regrets once had an infinite inverse: pdcfr+ at the fifth iteration of this hand."""
    game = hand("trut", score, ranks="3", copies="4,3,2")
    sweeper = Sweeper(game.tree, game.worth, schedule(algorithm))
    for _ in range(60):
        sweeper.step()
    for array in (sweeper.regret, sweeper.average, sweeper.strategy):
        assert np.isfinite(array).all()


@pytest.mark.parametrize(
    "game",
    [
        hand("truc", "0-0", ranks="4"),
        hand("truc", "0-0", ranks="3", free_fold="true", counter_raise="true"),
        hand("trut-brelan", "0.0-0.0", ranks="4"),
        leduc(),
    ],
    ids=["plain", "more actions", "masks", "chance"],
)
def test_the_strategy_kept_is_matched_to_the_regrets(game: Paid) -> None:
    """It is made where the regrets move, by other code for two, three and mixed actions."""
    tree = game.tree
    sweeper = Sweeper(tree, game.worth, schedule("dcfr"))
    for _ in range(6):
        sweeper.step()
    positive = np.maximum(sweeper.regret, np.float32(0.0))
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        edges = edges_of(tree, node)
        for edge in edges:
            positive[slots(tree, edge)] *= legal(tree, edge)
        for edge, part in zip(edges, average_behaviour(tree, positive, node), strict=True):
            kept = sweeper.strategy[slots(tree, edge)]
            assert np.abs(kept - part).max() < 1e-5


def test_averages_weigh_iterations_by_a_power() -> None:
    """The factors multiply to (t / T)^gamma."""
    for name, gamma in (("cfr", 0), ("cfr+", 1), ("cfr+q", 2), ("dcfr", 2), ("dpcfr+", 3), ("pdcfr+", 5)):
        rule = schedule(name)
        assert float(np.prod([rule.decay(t) for t in range(4, 11)])) == pytest.approx((3 / 10) ** gamma, rel=1e-5)


def test_an_unknown_schedule_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError, match=r"'dcfr\+'.*Did you mean"):
        schedule("dcfr+")
