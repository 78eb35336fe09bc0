"""The order of hands in charts, against open-card play worked out card by card."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cards.deals import deal_weights
from solver.cards.hands import multisets
from solver.report.strength import open_card_outcomes, strengths, strongest_first
from solver.rules.catalogue import load
from solver.rules.model import RuleSet
from solver.rules.tricks import Table

GAMES = [
    ("truc", {"ranks": "3"}),
    ("trut", {"ranks": "3"}),
    ("truc", {"ranks": "3", "all_tied": "elder"}),
    ("trut", {"ranks": "2", "all_tied": "elder"}),
    ("truc", {"ranks": "78A", "copies": "1,4,2"}),
]


def elder_wins(table: Table) -> float:
    """The same by trying every card: 1 the elder, 0 the dealer, 1/2 nobody."""
    if table.verdict.over:
        return 0.5 if table.verdict.winner is None else 1.0 - table.verdict.winner
    found = [elder_wins(table.play(card)) for card in set(table.hands[table.turn])]
    return max(found) if table.turn == 0 else min(found)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_open_cards_as_by_trying_every_card(name: str, options: dict[str, str]) -> None:
    rules = load(name, options)
    hands = [tuple(hand) for hand in multisets(3, len(rules.ranks)).cards.tolist()]
    slow = [[elder_wins(Table(rules=rules, hands=(one, two))) for two in hands] for one in hands]
    assert open_card_outcomes(rules, 0).tolist() == slow


@pytest.mark.parametrize("name", ["truc", "trut", "trut-gatine"])
def test_hands_of_both_sides_win_every_other_time(name: str) -> None:
    rules = load(name)
    ways = deal_weights(rules).sum(axis=1)
    assert ways @ strengths(rules) / ways.sum() == pytest.approx(0.5)


def test_a_better_card_never_weakens_a_hand() -> None:
    rules = load("truc")
    cards = multisets(3, 8).cards
    better = (cards[:, None, :] <= cards[None, :, :]).all(axis=2)
    found = strengths(rules)
    assert all(found[a] >= found[b] - 1e-12 for a, b in zip(*np.nonzero(better), strict=True))


def test_order_of_three_ranks() -> None:
    rules = load("truc", {"ranks": "3"})
    cards = multisets(3, 3).cards
    ordered = ["".join(rules.ranks[card] for card in cards[row]) for row in strongest_first(rules, cards)]
    assert ordered[0] == "777"
    assert ordered[-2:] == ["8AA", "AAA"]
    assert sorted(ordered) == sorted("".join(rules.ranks[card] for card in hand) for hand in cards.tolist())


def test_thirteen_ranks_are_quick() -> None:
    rules = RuleSet(name="wide", ranks=tuple("23456789TJQKA"), copies=(4,) * 13)
    found = strengths(rules)
    assert len(found) == 455
    assert found.max() <= 1.0
    assert found.min() >= 0.0


def test_order_does_not_depend_on_the_rows_given() -> None:
    rules = load("trut")
    cards = multisets(3, 8).cards
    some = np.random.default_rng(1).permutation(len(cards))[:30]
    whole = {tuple(cards[row]): place for place, row in enumerate(strongest_first(rules, cards))}
    places = [whole[tuple(cards[some][row])] for row in strongest_first(rules, cards[some])]
    assert places == sorted(places)
