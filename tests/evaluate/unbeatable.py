"""Hands that cannot lose, from the cards alone, and which lanes of the tree they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import multisets
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.tricks import Trick, next_leader, verdict
from solver.tree.boards import NOBODY, Space
from solver.tree.build import HandGame
from solver.tree.model import N_CLASSES
from solver.tree.reading import Edge, classes, decisions, edge_with

Cards = tuple[int, ...]
Winners = tuple[int | None, ...]
#: who leads the open trick, and the card he led or None
Open = tuple[int, int | None]


@cache
def cannot_lose(rules: RuleSet, mine: int, held: Cards, laid: Cards, winners: Winners, trick: Open) -> bool:
    """Whether ``mine`` can lay the cards he holds so that he never loses, whatever the other holds and lays.

    laid   all cards on the table, sorted; winners: of the finished tricks, None for a spoiled one
    """
    leader, led = trick
    end = verdict(rules, winners)
    if end.over:
        return end.winner in (mine, None)
    own = (leader if led is None else 1 - leader) == mine
    gone = [(*held, *laid).count(rank) for rank in range(len(rules.ranks))]
    cards = sorted(set(held)) if own else [rank for rank, copies in enumerate(rules.copies) if gone[rank] < copies]
    results = []
    for card in cards:
        left, table = without(held, card) if own else held, tuple(sorted((*laid, card)))
        if led is None:
            results.append(cannot_lose(rules, mine, left, table, winners, (leader, card)))
        else:
            done = Trick(leader, led, card)
            after = (*winners, done.winner), (next_leader(rules, done), None)
            results.append(cannot_lose(rules, mine, left, table, *after))
    return any(results) if own else all(results)


def without(cards: Cards, card: int) -> Cards:
    """One card less."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def unbeatable(game: HandGame, space: Space, side: int) -> NDArray[np.bool_]:
    """The lanes of a side in a space whose hand can be and cannot lose, bool [boards, states]."""
    rules, n = game.rules, len(game.rules.ranks)
    winners = tuple(None if winner == NOBODY else winner for winner in space.tricks)
    if space.revealed and side != space.leader:
        ends = [verdict(rules, (*winners, (space.leader, None, side)[c])).winner for c in range(N_CLASSES)]
        safe = np.repeat([end in (side, None) for end in ends], n)
        return np.stack([safe & can_be(game, table_of(space, board, n)) for board in range(space.boards)])
    held = multisets(1 if space.revealed else space.held[side], n).cards.tolist()
    out = np.zeros((space.boards, len(held)), np.bool_)
    for board in range(space.boards):
        laid, lead = table_of(space, board, n), int(space.lead[board])
        for state, cards in enumerate(held):
            mine = tuple(cards), laid, winners, (space.leader, lead if lead >= 0 else None)
            if space.revealed:
                mine = (), tuple(sorted((*laid, *cards))), winners, (space.leader, cards[0])
            within = all((*laid, *cards).count(rank) <= copies for rank, copies in enumerate(rules.copies))
            out[board, state] = within and cannot_lose(rules, side, *mine)
    return out


def can_be(game: HandGame, laid: Cards) -> NDArray[np.bool_]:
    """Which (class, lead) some last card of the follower gives, bool [classes · ranks]."""
    copies, outcome = game.rules.copies, classes(game.tree)
    found = np.zeros((N_CLASSES, len(copies)), np.bool_)
    for lead in range(len(copies)):
        for card in range(len(copies)):
            table = (*laid, lead, card)
            found[outcome[lead, card], lead] |= all(table.count(rank) <= copies[rank] for rank in (lead, card))
    return found.reshape(-1)


def table_of(space: Space, board: int, n: int) -> Cards:
    """Cards that were laid on a board, sorted; the last lead, shown at a REVEAL, is not among them."""
    laid: list[int] = []
    for side in (0, 1):
        cards = multisets(HAND_SIZE - max(space.held[side], int(space.revealed)), n).cards
        laid += [int(card) for card in cards[space.played[board, side]]]
    return tuple(sorted(laid))


def folds(game: HandGame) -> Iterator[tuple[Edge, NDArray[np.bool_]]]:
    """Every edge along which a bet is folded to, and the lanes of its hands that cannot lose."""
    known: dict[tuple[int, int], NDArray[np.bool_]] = {}
    for node in decisions(game.tree):
        edge = edge_with(game.tree, node.number, "fold")
        if edge is not None:
            key = node.space, node.player
            if key not in known:
                known[key] = unbeatable(game, game.spaces[node.space], node.player).reshape(-1)
            yield edge, known[key]
