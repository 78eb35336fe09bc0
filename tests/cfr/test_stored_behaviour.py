"""Averages as probabilities, and probabilities in 16 bits that sum to one exactly."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from solver.cfr.average import average_behaviour
from solver.evaluate.exact import UNIT
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.quantise import quantise, quantise_node, stored_behaviour
from solver.strategy.solution import game_at
from solver.tree.model import DECISION, PublicTree, lanes
from solver.tree.reading import edges_of, lane_map, legal
from tests.evaluate.explicit import random_mass

HANDS = [
    ("truc", "9-8", "ranks=4 remainder=both counter_raise=true free_fold=true"),
    ("trut-brelan", "0.0-0.0", "ranks=3"),
    ("trut-gatine", "0.0-0.0", "ranks=879T labels=true trut_window=own_turn"),
    ("trut", "6.2-0.0", "ranks=3"),
]


@cache
def tree_of(name: str, score: str, options: str) -> PublicTree:
    rules = catalogue.load(name, dict(option.split("=") for option in options.split()))
    return game_at(rules, parse_score(rules, score), "points").tree


def masses(tree: PublicTree) -> list[np.ndarray[tuple[int], np.dtype[np.float32]]]:
    """None at all, random, and random over forty powers of ten."""
    wide = random_mass(tree, 2) ** np.random.default_rng(3).integers(1, 60, tree.n_slots)
    return [np.zeros(tree.n_slots, np.float32), random_mass(tree, 1), wide.astype(np.float32)]


@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_averages_sum_to_one_over_what_is_legal(hand: tuple[str, str, str]) -> None:
    tree = tree_of(*hand)
    for mass in masses(tree):
        for node in np.flatnonzero(tree.kind == DECISION).tolist():
            total = np.zeros(lanes(tree, node, int(tree.player[node])))
            for edge, part in zip(edges_of(tree, node), average_behaviour(tree, mass, node), strict=True):
                assert (part >= 0).all()
                assert not part[~legal(tree, edge)].any()
                np.add.at(total, lane_map(tree, edge, int(tree.player[node])), part)
            np.testing.assert_allclose(total, 1.0, rtol=1e-12)


@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_stored_counts_sum_to_65536_and_lie_within_one_of_the_average(hand: tuple[str, str, str]) -> None:
    tree = tree_of(*hand)
    for mass in masses(tree):
        stored = quantise(tree, mass)
        for node in np.flatnonzero(tree.kind == DECISION).tolist():
            total = np.zeros(lanes(tree, node, int(tree.player[node])), np.int64)
            exact, kept = average_behaviour(tree, mass, node), stored_behaviour(tree, stored, node)
            for edge, wanted, part in zip(edges_of(tree, node), exact, kept, strict=True):
                counts = part * UNIT
                assert (counts == np.round(counts)).all(), "a stored probability is no multiple of 1/65536"
                assert np.abs(part - wanted).max() < 1 / UNIT
                assert not counts[~legal(tree, edge)].any(), "an illegal word was rounded up"
                np.add.at(total, lane_map(tree, edge, int(tree.player[node])), counts.astype(np.int64))
            assert (total == UNIT).all()


def test_the_largest_remainders_are_rounded_up() -> None:
    parents = [np.array([0, 1]), np.array([0, 1]), np.array([0, 1])]
    thirds = [np.array([1 / 3, 0.5]), np.array([1 / 3, 0.25]), np.array([1 / 3, 0.25])]
    counts = quantise_node(parents, thirds)
    assert sorted(int(part[0]) for part in counts) == [21845, 21845, 21846]
    assert [int(part[1]) for part in counts] == [32768, 16384, 16384]
