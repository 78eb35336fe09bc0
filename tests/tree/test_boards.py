"""Every weight of every board is the chance of the two whole hands that it stands for (K8)."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from solver.cards.hands import multisets
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import start_score
from solver.tree.boards import Space, hand_winner
from solver.tree.build import HandGame, build_game
from solver.tree.utility import points_utility
from tests.reference import deck

DECKS = [("2", "3"), ("3", "4"), ("3", "1,4,2"), ("3", "8,1,3"), ("4", "2,1,3,2")]


def game_of(ranks: str, copies: str, name: str = "truc", merged: bool = True, **options: str) -> HandGame:
    rules = catalogue.load(name, {"ranks": ranks, "copies": copies, **options})
    score = start_score(rules)
    return build_game(rules, score, points_utility(rules, score), "points", merged)


def cards_of(size: int, number: int, rules: RuleSet) -> tuple[int, ...]:
    return tuple(multisets(size, len(rules.ranks)).cards[number].tolist())


def whole_hands(rules: RuleSet, space: Space, board: int, side: int) -> list[tuple[int, ...]]:
    """What each state of a side on a board was dealt: cards laid and cards still held."""
    held = space.held[side]
    laid = cards_of(3 - held, int(space.played[board, side]), rules)
    return [tuple(sorted(laid + cards_of(held, k, rules))) for k in range(len(multisets(held, len(rules.ranks))))]


@pytest.mark.parametrize(("ranks", "copies"), DECKS)
@pytest.mark.parametrize("merged", [True, False])
def test_K8_board_weights_are_deal_weights(ranks: str, copies: str, merged: bool) -> None:
    game = game_of(ranks, copies, merged=merged, ladder="1,2")
    tree, rules, seen = game.tree, game.rules, 0
    total = comb(rules.deck_size, 3) * comb(rules.deck_size - 3, 3)
    for space in game.spaces:
        nodes = np.flatnonzero(tree.space == space.number)
        if space.revealed or not len(nodes):
            continue
        for board in range(space.boards):
            hands = [whole_hands(rules, space, board, side) for side in (0, 1)]
            expected = [[deck.weight(rules.copies, a, b) / total for b in hands[1]] for a in hands[0]]
            place = tree.board_matrix[tree.matrix[nodes[0]] + board]
            found = tree.weights[place : place + len(hands[0]) * len(hands[1])].reshape(len(hands[0]), len(hands[1]))
            np.testing.assert_allclose(found, expected, rtol=1e-14)
            seen += 1
    assert seen > 3


@pytest.mark.parametrize("name", ["truc", "trut"])
def test_K5_K6_spaces_know_who_leads_and_who_has_won(name: str) -> None:
    """Every board's tricks, played again card by card from the cards it was made of."""
    game = game_of("3", "4", name=name, merged=False)
    for space in game.spaces:
        for board in range(space.boards):
            at, laid, path = space, board, []
            while at.parent >= 0:
                path.append(int(at.card[laid]))
                laid, at = int(at.parent_board[laid]), game.spaces[at.parent]
            leader, winners = 0, []
            cards = path[::-1]
            for lead, follow in zip(cards[::2], cards[1::2], strict=False):
                winner = 2 if lead == follow else leader if lead < follow else 1 - leader
                winners.append(winner)
                leader = winner if winner < 2 else leader if name == "truc" else 1 - leader
            assert hand_winner(tuple(winners)) == space.winner
            if space.winner < 0:
                assert space.leader == leader
                assert space.lead[board] == (cards[-1] if len(cards) % 2 else -1)
                assert space.actor == (1 - leader if len(cards) % 2 else leader)
