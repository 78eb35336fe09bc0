"""The hands of a match as trees: built once, paid anew."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.cfr.average import average_behaviour
from solver.match import bounds
from solver.match.scores import all_scores
from solver.rules import catalogue
from solver.rules.score import Score, format_score
from solver.strategy.description import payoff_digest
from solver.strategy.solution import game_for
from solver.tree.utility import match_utility

SMALL = [
    ("truc", {"ranks": "2", "copies": "3", "target": "4"}),
    ("truc-lanes", {"ranks": "2", "copies": "3", "ladder": "1,2,4", "target": "3", "all_tied": "elder"}),
    ("trut", {"ranks": "2", "copies": "3", "target": "2"}),
    ("trut-gatine", {"ranks": "2", "copies": "3", "target": "2"}),
]


@pytest.mark.parametrize(("preset", "options"), SMALL, ids=str)
def test_a_tree_paid_anew_is_the_tree_built_for_those_payoffs(preset: str, options: dict[str, str]) -> None:
    """Bit for bit, since a state's folder is told from the payoffs it was solved for."""
    rules = catalogue.load(preset, options)
    chances = np.random.default_rng(3)
    equity = {score: float(chance) for score, chance in zip(all_scores(rules), chances.uniform(size=400), strict=False)}
    for score in all_scores(rules):
        paid = bounds.game_with(rules, score, equity.__getitem__)
        built = game_for(rules, score, match_utility(rules, score, equity.__getitem__), "match")
        assert payoff_digest(paid) == payoff_digest(built), format_score(rules, score)
        for name in built.tree._fields:
            assert np.array_equal(getattr(paid.tree, name), getattr(built.tree, name)), name


def test_a_drawn_hand_leads_to_the_seats_exchanged_or_to_itself() -> None:
    truc, trut = (catalogue.load(name) for name in ("truc", "trut"))
    assert bounds.drawn_to(truc, Score((3, 0), (7, 0))) == Score((7, 0), (3, 0))
    assert bounds.drawn_to(trut, Score((3, 1), (6, 2))) == Score((6, 2), (3, 1))
    assert bounds.drawn_to(trut, Score((6, 2), (6, 2))) == Score((6, 2), (6, 2))


def test_expected_gap_weighs_what_follows_with_how_the_hand_ends() -> None:
    """With the same gap everywhere it is that gap times the chance that the match goes on."""
    rules = catalogue.load("truc", {"ranks": "2", "ladder": "1", "remainder": "off", "target": "2"})
    tree = bounds.game_with(rules, Score((0, 0), (0, 0)), lambda score: 0.5).tree

    def first(node: int) -> list[NDArray[np.float64]]:
        return average_behaviour(tree, np.zeros(tree.n_slots, np.float32), node)

    everywhere = dict.fromkeys(all_scores(rules), 0.25)
    assert bounds.expected_gap(rules, Score((0, 0), (0, 0)), first, everywhere) == pytest.approx(0.25)
    last = bounds.expected_gap(rules, Score((1, 0), (1, 0)), first, everywhere)
    assert 0 < last < 0.25
