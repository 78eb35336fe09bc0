"""Weights, outcomes and payoffs as they are read, against the tree's arrays entry by entry."""

from __future__ import annotations

import numpy as np

from solver.tree import reading
from solver.tree.model import LEAF, REVEAL, SHOW, PublicTree
from tests.tree.small_trees import Doubles, Read, hand

__all__ = ["hand"]  # a fixture


def weights_at(tree: PublicTree, node: int) -> list[list[list[float]]]:
    """Chance of both states on every board."""
    elder, dealer = tree.states[tree.space[node]].tolist()
    boards = []
    for board in range(tree.boards[tree.space[node]]):
        start = int(tree.board_matrix[tree.matrix[node] + board])
        boards.append([[float(tree.weights[start + i * dealer + j]) for j in range(dealer)] for i in range(elder)])
    return boards


def test_weights_of_boards(hand: Read) -> None:
    tree = hand.tree
    seen: dict[tuple[int, int], list[list[list[float]]]] = {}
    for node in np.flatnonzero((tree.kind != SHOW) & ((tree.leader < 0) | (tree.kind == REVEAL))).tolist():
        wanted = weights_at(tree, node)
        assert reading.board_weights(tree, node).tolist() == wanted
        places, states = reading.matrices(tree, node)
        assert states == (*tree.states[tree.space[node]],)
        assert places.tolist() == [tree.board_matrix[tree.matrix[node] + board] for board in range(len(wanted))]
        assert seen.setdefault(reading.matrix_key(tree, node), wanted) == wanted


def test_weights_of_the_last_two_cards(hand: Read) -> None:
    tree = hand.tree
    for node in np.flatnonzero(tree.kind == REVEAL).tolist():
        found, weights = reading.lead_rows(tree, node), weights_at(tree, node)
        for (board, lead, card), weight in np.ndenumerate(found):
            elder, dealer = (lead, card) if tree.leader[node] == 0 else (card, lead)
            assert weight == weights[board][elder][dealer]
        assert found.shape == (len(weights), len(tree.compare), len(tree.compare))


def test_classes_compare_the_last_card_with_the_lead(hand: Read) -> None:
    found = reading.classes(hand.tree)
    if hand.game is not None:
        assert found.shape == (len(hand.game.rules.ranks),) * 2
        for (lead, card), won in np.ndenumerate(found):
            assert won == (0 if lead < card else 1 if lead == card else 2)


def payoff_at(tree: PublicTree, worth: Doubles, node: int, board: int, won: int, lead: int) -> float:
    """Elder's payoff of one board at an end of the hand."""
    leaf = tree.kind[node] == LEAF
    if tree.ties[node] >= 0 and (leaf or won == 1):
        win, lose = worth[tree.tie_ends[0]], worth[tree.tie_ends[1]]
        place = tree.ties[node] + (board if leaf else board * len(tree.compare) + lead)
        return float(lose + (win - lose) * tree.tie_share[place])
    return float(worth[tree.outcome[node, 0 if leaf else won]])


def test_payoffs_of_every_end(hand: Read) -> None:
    """Of numbers in no order, so that none stands for another."""
    random, largest = np.random.default_rng(2), 0.0
    tree = hand.tree._replace(tie_share=random.random(len(hand.tree.tie_share)))
    worth = random.uniform(-1.0, 1.0, len(hand.worth))
    whole, shared = reading.payoff_arrays(tree, worth)
    assert not whole[~np.isin(tree.kind, (LEAF, SHOW))].any()
    assert len(shared) == len(tree.tie_share)
    for node in np.flatnonzero((tree.kind == LEAF) | (tree.kind == SHOW)).tolist():
        assert reading.outcomes_of(tree, node) == [tree.outcome[node, k] for k in range(3)]
        found, leaf = reading.payoffs(tree, node, worth), tree.kind[node] == LEAF
        boards, n = int(tree.boards[tree.space[node]]), len(tree.compare)
        assert found.shape == ((boards,) if leaf else (boards, 3, n))
        for place, payoff in np.ndenumerate(found):
            board, won, lead = (*place, 0, 0) if leaf else place
            assert payoff == payoff_at(tree, worth, node, board, won, lead)
            ties = tree.ties[node] >= 0 and (leaf or won == 1)
            entry = tree.ties[node] + (board if leaf else board * n + lead)
            assert payoff == (whole[node, won] + shared[entry] if ties else whole[node, won])
            assert not ties or whole[node, won] == 0.0
            largest = max(largest, abs(payoff))
    assert largest <= reading.largest_payoff(tree, worth) == max(abs(worth[k]) for k in used(tree))


def used(tree: PublicTree) -> set[int]:
    """Outcomes of all ends of the hand."""
    ends = np.flatnonzero((tree.kind == LEAF) | (tree.kind == SHOW)).tolist()
    return {int(tree.outcome[node, k]) for node in ends for k in range(3)}


def test_the_largest_payoff_is_one_that_can_be(hand: Read) -> None:
    """An outcome that no end has does not count; a loss counts as much as a gain."""
    more = np.append(hand.worth, 1e6)
    assert reading.largest_payoff(hand.tree, more) == reading.largest_payoff(hand.tree, hand.worth)
    worth = np.arange(1.0, len(hand.worth) + 1) * -1.0
    assert reading.largest_payoff(hand.tree, worth) == max(used(hand.tree)) + 1.0


def test_a_stake_is_an_outcome_of_that_amount(hand: Read) -> None:
    for node in range(len(hand.tree.kind)):
        assert reading.stake_of(hand.tree, node) == hand.tree.stake[node]
        if hand.game is not None:
            assert hand.game.amount_at(node) == hand.game.outcomes[hand.tree.stake[node]].amount
            if hand.tree.kind[node] in (LEAF, SHOW):
                ends = {hand.game.outcomes[number].amount for number in hand.tree.outcome[node]}
                assert ends == {hand.game.amount_at(node)}
