"""The error bound of the judge, and exact values against it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from solver.cfr.schedules import schedule
from solver.cfr.solve import Limits
from solver.cfr.sweeper import Sweeper
from solver.evaluate.best_response import Evaluation
from solver.evaluate.certificate import error_bound, longest_sums, roundings
from solver.evaluate.exact import UNIT, ExactEvaluation, ExactJudge, exact_evaluation
from solver.rules import catalogue
from solver.rules.score import parse_score, start_score
from solver.strategy.quantise import quantise
from solver.strategy.run import Task, judge_rounded
from solver.strategy.solution import Solution, game_at, solve_game
from solver.strategy.verify import ways_to_deal
from solver.tree.model import LEAF, PublicTree, lanes, slot_counts
from solver.tree.reading import largest_payoff
from tests.games.hand_made import leduc

GAMES = [
    ("truc", {"ranks": "3", "ladder": "1,2"}, "0-0"),
    ("truc", {"ranks": "3", "copies": "4,3,2", "remainder": "both", "free_fold": "yes"}, "9-8"),
    ("truc", {"ranks": "2", "copies": "6", "ladder": "1,2", "remainder": "off"}, "0-0"),
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
    game = solution.game
    exact = exact_evaluation(game.tree, game.worth, solution.stored, ways_to_deal(game.rules))
    check_bound(exact, solution.claim, error_bound(game.tree, game.worth))


def test_the_judge_keeps_its_bound_where_new_cards_are_dealt() -> None:
    """Leduc has what no hand of cards has: a CHANCE node in the middle."""
    made = leduc()
    sweeper = Sweeper(made.tree, made.worth, schedule("dcfr"))
    for _ in range(20):
        sweeper.step()
    stored = quantise(made.tree, sweeper.average)
    claim = judge_rounded(made.tree, made.worth, stored)
    check_bound(exact_evaluation(made.tree, made.worth, stored, 6 * 5 * 4), claim, error_bound(made.tree, made.worth))


def check_bound(exact: ExactEvaluation, claim: Evaluation, bound: float) -> None:
    assert 0 < bound < 1e-10
    assert abs(exact.value - Fraction(claim.value)) <= bound
    for true, found in zip(exact.best_response, claim.best_response, strict=True):
        assert abs(true - Fraction(found)) <= bound
    assert exact.nash_conv >= 0
    assert -exact.best_response[1] <= exact.value <= exact.best_response[0]


def test_the_known_value_without_bets_lies_between_the_best_responses() -> None:
    """ALGORITHMS, exact anchors: three ranks, four copies, no bets: -48/385."""
    solution = solved("truc", {"ranks": "3", "ladder": "1", "remainder": "off"}, "0-0", 300)
    game = solution.game
    exact = exact_evaluation(game.tree, game.worth, solution.stored, ways_to_deal(game.rules))
    assert -exact.best_response[1] <= Fraction(-48, 385) <= exact.best_response[0]
    assert exact.nash_conv < Fraction(1, 1000)


def test_exact_values_of_a_pure_profile_are_multiples_of_the_deals() -> None:
    """Both sides always take the first action there is: every payoff is whole, so is the value times the deals."""
    rules = catalogue.load("truc", {"ranks": "2", "copies": "4", "ladder": "1,2", "remainder": "off"})
    game = game_at(rules, start_score(rules), "points")
    stored = first_actions(game.tree)
    deals = ways_to_deal(rules)
    exact = exact_evaluation(game.tree, game.worth, stored, deals)
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
    game = solution.game
    with pytest.raises(ValueError, match="no multiples"):
        ExactJudge(game.tree, game.worth, solution.stored, ways_to_deal(game.rules) + 1)


def test_a_changed_payoff_changes_the_exact_value() -> None:
    """A planted wrong stake must not go unseen."""
    solution = solved(*GAMES[0], iterations=5)
    game, deals = solution.game, ways_to_deal(solution.game.rules)
    tree, worth, outcome = game.tree, game.worth, game.tree.outcome.copy()
    leaf = np.flatnonzero(tree.kind == LEAF)[0]
    winner, stake = game.outcomes[outcome[leaf, 0]]
    outcome[leaf] = next(k for k, end in enumerate(game.outcomes) if end.winner == winner and end.amount != stake)
    dearer = worth.copy()
    dearer[tree.outcome[leaf, 0]] += 1.0
    right = exact_evaluation(tree, worth, solution.stored, deals)
    assert exact_evaluation(tree._replace(outcome=outcome), worth, solution.stored, deals) != right
    assert exact_evaluation(tree, dearer, solution.stored, deals) != right


def test_the_bound_grows_with_payoffs_and_counts_every_level() -> None:
    solution = solved(*GAMES[0], iterations=1)
    tree, worth = solution.game.tree, solution.game.worth
    assert error_bound(tree, worth * 2.0) == pytest.approx(2 * error_bound(tree, worth))
    assert largest_payoff(tree, worth) == 12.0
    assert roundings(tree) > 6 * 3
    assert max(longest_sums(tree).values()) >= 3
