"""Histories of Trut and Gâtine that break the rules: one sentence, with the place and what is allowed."""

from __future__ import annotations

import pytest

from solver.cards.notation import parse_history
from solver.errors import UsageError
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.tree.build import HandGame, build_game
from solver.tree.history import Point, choices, walk
from solver.tree.utility import points_utility


def game(name: str, score: str, **options: str) -> HandGame:
    rules = catalogue.load(name, options)
    at = parse_score(rules, score)
    return build_game(rules, at, points_utility(rules, at), "points")


@pytest.mark.parametrize(
    ("name", "score", "history", "place", "allowed"),
    [
        ("trut-mini", "0.0-0.0", "7 trut trut", "position 8", "fold, see"),
        ("trut-mini", "0.0-0.0", "7 see", "position 3", "trut"),
        ("trut-mini", "0.0-0.0", "7 trut see 8 trut", "position 14", "7, 8, A"),
        ("trut-mini", "6.2-0.0", "7", "position 1", "pass, trut"),
        ("trut-mini", "6.2-0.0", "trut see", "position 6", "7, 8, A"),
        ("trut-mini", "6.2-0.0", "pass 7", "position 6", "nothing: the hand is over"),
        ("trut-gatine-mini", "0.2-0.0", "8", "position 1", "pass, hold"),
        ("trut-mini", "0.0-0.0", "raise", "position 1", "trut"),
    ],
)
def test_a_history_that_breaks_the_rules_names_place_and_choices(
    name: str, score: str, history: str, place: str, allowed: str
) -> None:
    hand = game(name, score)
    with pytest.raises(UsageError) as caught:
        walk(hand, parse_history(hand.rules, history))
    assert place in str(caught.value)
    assert allowed in str(caught.value)


def test_U4_a_prefix_says_who_truts() -> None:
    hand = game("trut-mini", "0.0-0.0")
    elder = walk(hand, parse_history(hand.rules, "e:trut"))
    dealer = walk(hand, parse_history(hand.rules, "d:trut"))
    assert int(hand.tree.player[elder.node]) == 1
    assert int(hand.tree.player[dealer.node]) == 0
    assert choices(hand, dealer) == ["fold", "see"]


def test_G5_singing_that_is_not_stored_is_explained() -> None:
    hand = game("trut-gatine-mini", "0.2-0.2", tout_pate="0")
    with pytest.raises(UsageError, match="single refusal restores the ordinary hand"):
        walk(hand, parse_history(hand.rules, "sing"))
    assert walk(hand, parse_history(hand.rules, "refuse")) == Point(0)
