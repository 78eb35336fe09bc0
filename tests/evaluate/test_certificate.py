"""The error bound of the judge, and exact values against it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from solver.cfr.solve import Limits
from solver.evaluate.certificate import error_bound, largest_payoff, longest_sums, roundings
from solver.evaluate.exact import UNIT, ExactJudge, exact_evaluation
from solver.rules import catalogue
from solver.rules.score import parse_score, start_score
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game
from solver.strategy.verify import ways_to_deal
from solver.tree.model import PublicTree, lanes, slot_counts

GAMES = [
    ("truc", {"ranks": "3", "ladder": "1,2"}, "0-0"),
    ("truc", {"ranks": "3", "copies": "4,3,2", "remainder": "both", "free_fold": "yes"}, "9-8"),
    ("truc", {"ranks": "2", "copies": "6", "redeal": "1", "ladder": "1,2", "remainder": "off"}, "0-0"),
    ("truc-lanes", {"ranks": "3", "all_tied": "elder", "lead_after_tie": "rotter"}, "5-10"),
    ("trut", {"ranks": "3"}, "0.0-0.0"),
    ("trut", {"ranks": "3", "brelan": "yes", "trut_window": "own_turn"}, "0.0-0.0"),
    ("trut", {"ranks": "3"}, "6.2-0.0"),
    ("trut-gatine", {"ranks": "3", "tout_pate": "0"}, "0.2-0.0"),
]


def solved(name: str, options: dict[str, str], score: str, iterations: int = 20) -> Solution:
    rules = catalogue.load(name, options)
    game = game_at(rules, parse_score(rules, score), "points")
    return solve_game(game, Task(limits=Limits(1e-12, iterations)))


@pytest.mark.parametrize(("name", "options", "score"), GAMES)
def test_the_judge_keeps_its_bound(name: str, options: dict[str, str], score: str) -> None:
    solution = solved(name, options, score)
    exact = exact_evaluation(solution.game.tree, solution.stored, ways_to_deal(solution.game.rules))
    bound = error_bound(solution.game.tree)
    claim = solution.claim
    assert 0 < bound < 1e-10
    assert abs(exact.value - Fraction(claim.value)) <= bound
    for true, found in zip(exact.best_response, claim.best_response, strict=True):
        assert abs(true - Fraction(found)) <= bound
    assert exact.nash_conv >= 0
    assert -exact.best_response[1] <= exact.value <= exact.best_response[0]


def test_the_known_value_without_bets_lies_between_the_best_responses() -> None:
    """ALGORITHMS, exact anchors: three ranks, four copies, no bets: -48/385."""
    solution = solved("truc", {"ranks": "3", "ladder": "1", "remainder": "off"}, "0-0", 300)
    exact = exact_evaluation(solution.game.tree, solution.stored, ways_to_deal(solution.game.rules))
    assert -exact.best_response[1] <= Fraction(-48, 385) <= exact.best_response[0]
    assert exact.nash_conv < Fraction(1, 1000)


def test_exact_values_of_a_pure_profile_are_multiples_of_the_deals() -> None:
    """Both sides always take the first action there is: every payoff is whole, so is the value times the deals."""
    rules = catalogue.load("truc", {"ranks": "2", "copies": "4", "ladder": "1,2", "remainder": "off"})
    tree = game_at(rules, start_score(rules), "points").tree
    stored = first_actions(tree)
    deals = ways_to_deal(rules)
    exact = exact_evaluation(tree, stored, deals)
    assert (exact.value * deals).denominator == 1
    assert exact.best_response[0] >= exact.value


def first_actions(tree: PublicTree) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    """Frequencies of the profile that puts everything on the first edge a lane has."""
    stored = np.zeros(tree.n_slots, np.uint32)
    counts = slot_counts(tree)
    for node in np.flatnonzero(counts[tree.edges[:-1].clip(max=len(counts) - 1)]).tolist():
        if tree.slot[tree.edges[node]] < 0:
            continue
        player = int(tree.player[node])
        free = np.ones(lanes(tree, node, player), np.bool_)
        for edge in range(tree.edges[node], tree.edges[node + 1]):
            size = lanes(tree, int(tree.child[edge]), player)
            parent = np.arange(size)
            if tree.link[edge] >= 0:
                start = tree.link_lanes[tree.link[edge], player]
                parent = tree.lane_map[start : start + size].astype(np.int64)
            first = np.zeros(size, np.bool_)
            first[np.unique(parent, return_index=True)[1]] = True
            chosen = first & free[parent]
            stored[tree.slot[edge] : tree.slot[edge] + size] = chosen * UNIT
            free[parent[chosen]] = False
    return stored


def test_a_wrong_number_of_deals_is_refused() -> None:
    solution = solved(*GAMES[0], iterations=1)
    with pytest.raises(ValueError, match="no multiples"):
        ExactJudge(solution.game.tree, solution.stored, ways_to_deal(solution.game.rules) + 1)


def test_a_changed_payoff_changes_the_exact_value() -> None:
    """A planted wrong stake must not go unseen."""
    solution = solved(*GAMES[0], iterations=5)
    tree, deals = solution.game.tree, ways_to_deal(solution.game.rules)
    payoff = tree.payoff.copy()
    payoff[np.flatnonzero(tree.kind == 3)[0]] += 1.0
    assert exact_evaluation(tree._replace(payoff=payoff), solution.stored, deals) != exact_evaluation(
        tree, solution.stored, deals
    )


def test_the_bound_grows_with_payoffs_and_counts_every_level() -> None:
    solution = solved(*GAMES[0], iterations=1)
    tree = solution.game.tree
    doubled = tree._replace(payoff=tree.payoff * 2.0)
    assert error_bound(doubled) == pytest.approx(2 * error_bound(tree))
    assert largest_payoff(tree) == 12.0
    assert roundings(tree) > 6 * 3
    assert max(longest_sums(tree).values()) >= 3
