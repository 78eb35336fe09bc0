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
from tests.games.solving import judged, solved


@cache
def hand(name: str, score: str, **options: str) -> HandGame:
    rules = catalogue.load(name, options)
    return game_at(rules, parse_score(rules, score), "points")


@pytest.mark.parametrize("algorithm", list(SCHEDULES))
def test_every_schedule_converges(algorithm: str) -> None:
    tree = hand("truc", "11-10", ranks="3").tree
    early = Sweeper(tree, schedule(algorithm))
    for _ in range(10):
        early.step()
    late, _ = solved(tree, 2e-3, algorithm, 4000)
    assert 0.0 <= late.nash_conv < judged(early).nash_conv / 5
    assert late.value == pytest.approx(-0.396, abs=3e-3)


@pytest.mark.parametrize("algorithm", list(SCHEDULES))
@pytest.mark.parametrize("score", ["2.1-4.2", "0.2-0.0"])
def test_no_schedule_ends_in_nan(algorithm: str, score: str) -> None:
    """Sums of subnormal regrets once had an infinite inverse: pdcfr+ at the fifth iteration of this hand."""
    sweeper = Sweeper(hand("trut", score, ranks="3", copies="4,3,2").tree, schedule(algorithm))
    for _ in range(60):
        sweeper.step()
    for array in (sweeper.regret, sweeper.average, sweeper.strategy):
        assert np.isfinite(array).all()


@pytest.mark.parametrize(
    ("name", "options"),
    [("truc", {"ranks": "4"}), ("truc", {"ranks": "3", "redeal": "1"}), ("trut-brelan", {"ranks": "4"})],
    ids=["plain", "redeal", "masks"],
)
def test_the_strategy_kept_is_matched_to_the_regrets(name: str, options: dict[str, str]) -> None:
    """It is made where the regrets move, by other code for two, three and mixed actions."""
    tree = hand(name, "0-0" if name == "truc" else "0.0-0.0", **options).tree
    sweeper = Sweeper(tree, schedule("dcfr"))
    for _ in range(6):
        sweeper.step()
    positive = np.maximum(sweeper.regret, np.float32(0.0))
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        edges = range(tree.edges[node], tree.edges[node + 1])
        for edge in edges:
            legal = legal_lanes(tree, node, edge)
            positive[tree.slot[edge] : tree.slot[edge] + len(legal)] *= legal
        for edge, part in zip(edges, average_behaviour(tree, positive, node), strict=True):
            kept = sweeper.strategy[tree.slot[edge] : tree.slot[edge] + len(part)]
            assert np.abs(kept - part).max() < 1e-5


def test_averages_weigh_iterations_by_a_power() -> None:
    """The factors multiply to (t / T)^gamma."""
    for name, gamma in (("cfr", 0), ("cfr+", 1), ("cfr+q", 2), ("dcfr", 2), ("dpcfr+", 3), ("pdcfr+", 5)):
        rule = schedule(name)
        assert float(np.prod([rule.decay(t) for t in range(4, 11)])) == pytest.approx((3 / 10) ** gamma, rel=1e-5)


def test_an_unknown_schedule_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError, match=r"'dcfr\+'.*Did you mean"):
        schedule("dcfr+")
