"""Counts of the tree, what `check_tree` refuses, and the merged third trick against the tree laid card by card."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from solver.cfr.average import average_behaviour
from solver.cfr.schedules import schedule
from solver.cfr.sweeper import Sweeper
from solver.evaluate.best_response import Evaluation, evaluate
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.tree.build import HandGame, build_game
from solver.tree.model import DECISION, PublicTree, check_tree, lanes, slot_counts, tree_size
from solver.tree.utility import points_utility
from tests.reference.extensive import size
from tests.reference.refereed import refereed


def game_of(name: str, score: str, options: dict[str, str], merged: bool = True) -> HandGame:
    rules = catalogue.load(name, options)
    at = parse_score(rules, score)
    return build_game(rules, at, points_utility(rules, at), "points", merged)


PLENTY = [  # six copies and more: no lane of these trees is impossible, so every lane is an information set
    ("truc", "0-0", {"ranks": "2", "copies": "6", "ladder": "1,2,4"}),
    ("truc", "10-8", {"ranks": "2", "copies": "6,8", "remainder": "both", "counter_raise": "true"}),
    ("truc", "0-0", {"ranks": "3", "copies": "6", "ladder": "1,2", "remainder": "off", "alternate_raises": "true"}),
    ("truc", "0-0", {"ranks": "2", "copies": "6", "ladder": "1,2", "free_fold": "true"}),
    ("trut", "0.0-0.0", {"ranks": "2", "copies": "6"}),
    ("trut", "0.0-0.0", {"ranks": "3", "copies": "6", "trut_window": "own_turn"}),
    ("trut", "6.2-0.0", {"ranks": "3", "copies": "6"}),
]


@pytest.mark.parametrize(("name", "score", "options"), PLENTY, ids=str)
def test_sizes_are_those_of_the_explicit_tree(name: str, score: str, options: dict[str, str]) -> None:
    game = game_of(name, score, options, merged=False)
    explicit = size(refereed(game.rules, game.score, skip_forced=False))
    counted = tree_size(game.tree)
    assert counted.infosets == sum(explicit.infosets)
    assert counted.sequences == sum(explicit.sequences) - 2, "the empty sequences are no slots"
    assert counted.nodes == len(game.tree.kind)


@pytest.mark.parametrize(("name", "score", "options"), PLENTY, ids=str)
def test_slots_cover_every_action_once(name: str, score: str, options: dict[str, str]) -> None:
    tree = game_of(name, score, options).tree
    used = np.zeros(tree.n_slots, np.int64)
    for node in np.flatnonzero(tree.kind == DECISION):
        for edge in range(tree.edges[node], tree.edges[node + 1]):
            count = lanes(tree, tree.child[edge], tree.player[node])
            assert slot_counts(tree)[edge] == count
            used[tree.slot[edge] : tree.slot[edge] + count] += 1
    assert (used == 1).all()


def test_a_merged_third_trick_is_smaller() -> None:
    whole, laid = (tree_size(game_of("truc", "0-0", {"ranks": "3"}, merged).tree) for merged in (True, False))
    assert whole.sequences < laid.sequences
    assert whole.boards < laid.boards


def changed(name: str, place: int, value: float) -> Callable[[PublicTree], PublicTree]:
    def damage(tree: PublicTree) -> PublicTree:
        array = getattr(tree, name).copy()
        array[place] = value
        return tree._replace(**{name: array})

    return damage


def first_card_without_link(tree: PublicTree) -> PublicTree:
    link = tree.link.copy()
    link[np.flatnonzero(link >= 0)[0]] = -1
    return tree._replace(link=link)


DAMAGE: dict[str, tuple[Callable[[PublicTree], PublicTree], str]] = {
    "an edge is lost": (lambda tree: tree._replace(child=tree.child[:-1]), "edges"),
    "a node has no edges entry": (lambda tree: tree._replace(edges=tree.edges[:-1]), "edges"),
    "two edges lead to one node": (changed("child", 1, 1), "exactly one edge"),
    "a node is its own child": (
        lambda tree: tree._replace(child=np.where(tree.child == 1, 0, tree.child).astype(np.int32)), "exactly one edge",
    ),
    "a child stands before its parent": (
        lambda tree: tree._replace(child=tree.child[::-1].copy()), "after its parent",
    ),
    "a card has no link": (first_card_without_link, "without a link"),
    "a lane map points outside": (changed("lane_map", 0, 10**6), "leaves the lanes"),
    "a lane map points below zero": (changed("lane_map", 0, -1), "leaves the lanes"),
    "a weight is wrong": (changed("weights", 5, 0.5), "sum to"),
}  # fmt: skip


@pytest.mark.parametrize("fault", list(DAMAGE))
def test_damaged_trees_are_refused(fault: str) -> None:
    damage, message = DAMAGE[fault]
    tree = game_of("truc", "0-0", {"ranks": "3", "ladder": "1,2", "remainder": "off"}).tree
    check_tree(tree)
    with pytest.raises(ValueError, match=message):
        check_tree(damage(tree))


MERGED = [
    ("truc", "0-0", {"ranks": "3", "copies": "4,2,2", "ladder": "1,2"}),
    ("truc-lanes", "9-10", {"ranks": "3", "copies": "4,3,2"}),
    ("truc", "8-9", {"ranks": "3", "copies": "3", "remainder": "both", "counter_raise": "true", "free_fold": "true"}),
    ("truc", "0-0", {"ranks": "3", "all_tied": "elder", "lead_after_tie": "rotter", "ladder": "1,2"}),
    ("trut", "0.0-0.0", {"ranks": "3", "copies": "4,3,2"}),
    ("trut", "0.0-0.0", {"ranks": "4", "copies": "2", "trut_window": "own_turn", "lead_after_tie": "previous_leader"}),
    ("trut-gatine", "0.2-0.0", {"ranks": "3", "tout_pate": "0"}),
]


def uniform(game: HandGame) -> Evaluation:
    nothing = np.zeros(game.tree.n_slots, np.float32)
    return evaluate(game.tree, game.worth, lambda node: average_behaviour(game.tree, nothing, node))


@pytest.mark.parametrize(("name", "score", "options"), MERGED, ids=str)
def test_merging_changes_no_value_of_uniform_play(name: str, score: str, options: dict[str, str]) -> None:
    """Uniform play is the same strategy in both trees: value and both best responses agree to the last digits."""
    one, other = (uniform(game_of(name, score, options, merged)) for merged in (True, False))
    assert one.value == pytest.approx(other.value, abs=1e-13)
    assert one.best_response == pytest.approx(other.best_response, abs=1e-13)
    assert one.nash_conv > 0.01


def solved(game: HandGame, iterations: int) -> Evaluation:
    sweeper = Sweeper(game.tree, game.worth, schedule("sapcfr+"))
    for _ in range(iterations):
        sweeper.step()
    return evaluate(game.tree, game.worth, lambda node: average_behaviour(game.tree, sweeper.average, node))


@pytest.mark.parametrize(("name", "score", "options"), MERGED, ids=str)
def test_merging_changes_no_value_of_the_game(name: str, score: str, options: dict[str, str]) -> None:
    one, other = (solved(game_of(name, score, options, merged), 250) for merged in (True, False))
    assert max(one.nash_conv, other.nash_conv) < 0.01
    assert one.value - other.value == pytest.approx(0.0, abs=min(one.nash_conv + other.nash_conv, 1e-4))
    lower, upper = (max(-e.best_response[1] for e in (one, other)), min(e.best_response[0] for e in (one, other)))
    assert lower <= upper + 1e-12
