"""Histories: a seat is checked before cards and words, and what is printed leads back to where it was printed."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from solver.cards.notation import parse_history
from solver.errors import ResourceError, UsageError
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.tree.build import HandGame, build_game
from solver.tree.counting import count_tree
from solver.tree.history import Point, cards_laid, play_card, seat_at, take, text_of, walk
from solver.tree.model import DECISION, tree_size
from solver.tree.reading import edges_of, node_at
from solver.tree.utility import points_utility

CASES = [
    ("truc", "0-0", {"ranks": "2", "ladder": "1,2"}),
    ("truc", "9-8", {"ranks": "2", "remainder": "both", "counter_raise": "yes", "free_fold": "yes"}),
    ("trut", "0.0-0.0", {"ranks": "2"}),
    ("trut", "0.0-0.0", {"ranks": "2", "trut_window": "own_turn"}),
    ("trut-brelan", "0.0-0.0", {"ranks": "2"}),
    ("trut", "6.2-0.0", {"ranks": "2"}),
    ("trut-gatine", "0.1-0.0", {"ranks": "2", "tout_pate": "0", "labels": "yes", "trut_window": "own_turn"}),
    ("trut-gatine", "0.2-0.0", {"ranks": "2", "tout_pate": "0"}),
]


def game(name: str, score: str, options: dict[str, str]) -> HandGame:
    rules = catalogue.load(name, options)
    at = parse_score(rules, score)
    return build_game(rules, at, points_utility(rules, at), "points")


def points(made: HandGame) -> Iterator[Point]:
    """Every point of a tree at which something is decided or a last card laid."""
    waiting = [Point(0)]
    while waiting:
        at = waiting.pop()
        node = node_at(made.tree, at.node)
        laid = [card for side in cards_laid(made, at) for card in side]
        dealt = all(laid.count(rank) <= copies for rank, copies in enumerate(made.rules.copies))
        if at.over or not dealt or not (node.kind == DECISION or node.leader >= 0):
            continue
        yield at
        waiting += [take(made, at, edge) for edge in edges_of(made.tree, at.node) if edge.word]
        cards = (play_card(made, at, rank) for rank in range(len(made.rules.ranks)))
        waiting += [after for after in cards if after is not None]


@pytest.mark.parametrize(("name", "score", "options"), CASES, ids=str)
def test_what_is_printed_leads_back(name: str, score: str, options: dict[str, str]) -> None:
    made = game(name, score, options)
    seen = dict[str, Point]()
    for point in points(made):
        text = text_of(made, point)
        assert seen.setdefault(text, point) == point, "two points are printed alike"
        assert walk(made, parse_history(made.rules, text)) == point, text
    assert len(seen) > 10


def test_a_silence_of_the_dealer_is_printed_with_the_one_before_it() -> None:
    made = game(*CASES[2])
    point = walk(made, parse_history(made.rules, "d:silent"))
    assert text_of(made, point) == "silent silent"
    assert walk(made, parse_history(made.rules, "silent silent")) == point


@pytest.mark.parametrize(
    ("name", "score", "options", "history", "sentence"),
    [
        (*CASES[0], "d:7", "position 1: 'd:7' cannot come here: the elder may do this, the dealer may not"),
        (*CASES[0], "7 e:8", "position 3: 'e:8' cannot come here: the dealer may do this, the elder may not"),
        (*CASES[0], "7 7 d:8", "position 5: 'd:8' cannot come here: the elder may do this"),
        (*CASES[0], "7 7 8 8 raise call d:8", "position 20: 'd:8' cannot come here: the elder may do this"),
        (*CASES[0], "7 7 8 8 raise call 8 e:8", "position 22: 'e:8' cannot come here: the dealer may do this"),
        (*CASES[0], "d:raise", "position 1: 'd:raise' cannot come here: the elder may do this"),
        (*CASES[2], "7 7 e:8", "position 5: 'e:8' cannot come here: the dealer may do this"),
        (*CASES[2], "7 7 8 8 8 e:trut", "position 11: 'e:trut' cannot come here: the dealer may do this"),
        (*CASES[2], "e:trut e:see", "position 8: 'e:see' cannot come here: the dealer may do this"),
        (*CASES[2], "e:trut d:raise", "position 8: 'raise' cannot come here; allowed is fold, see."),
    ],
)
def test_a_wrong_seat_is_what_is_named(
    name: str, score: str, options: dict[str, str], history: str, sentence: str
) -> None:
    made = game(name, score, options)
    with pytest.raises(UsageError) as caught:
        walk(made, parse_history(made.rules, history))
    assert sentence in str(caught.value)


@pytest.mark.parametrize("history", ["e:7 d:raise e:call d:8", "e:7 d:7 e:8 d:8 e:raise d:call e:8 d:8"])
def test_a_right_seat_changes_nothing(history: str) -> None:
    made = game(*CASES[0])
    bare = " ".join(word[2:] for word in history.split())
    assert walk(made, parse_history(made.rules, history)) == walk(made, parse_history(made.rules, bare))


def test_who_lays_a_last_card() -> None:
    made = game(*CASES[0])
    leads = walk(made, parse_history(made.rules, "7 7 8 8 raise call"))
    follows = walk(made, parse_history(made.rules, "7 7 8 8 raise call 8 rest call"))
    assert (seat_at(made, leads), seat_at(made, follows)) == (0, 1)
    assert not leads.over
    assert not follows.over
    assert walk(made, parse_history(made.rules, "7 7 8 8 raise call 8 rest call 7")).over


@pytest.mark.parametrize(("name", "score", "options"), CASES, ids=str)
def test_a_tree_is_counted_as_it_is_built(name: str, score: str, options: dict[str, str]) -> None:
    made = game(name, score, options)
    assert count_tree(made.rules, made.score) == tree_size(made.tree)


def test_the_full_games_are_counted_as_they_are_built() -> None:
    for name, score in (("truc", "3-5"), ("trut", "0.0-0.0"), ("trut-gatine", "0.2-0.0")):
        made = game(name, score, {"tout_pate": "0"} if name == "trut-gatine" else {})
        assert count_tree(made.rules, made.score) == tree_size(made.tree)


def test_a_tree_of_billions_of_nodes_is_refused_in_no_time() -> None:
    """Fifteen thousand million nodes: the builder stops counting where it would not build."""
    options = {"ranks": "2", "ladder": ",".join(map(str, range(1, 100))), "target": "99", "counter_raise": "yes"}
    rules = catalogue.load("truc", options)
    assert count_tree(rules, parse_score(rules, "0-0")).nodes == 14_974_433_927
    began = time.monotonic()
    with pytest.raises(ResourceError, match="more than 1,000,000 nodes, too many to build and solve; take fewer bets"):
        game("truc", "0-0", options)
    assert time.monotonic() - began < 10.0
