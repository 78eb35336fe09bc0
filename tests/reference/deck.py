"""Three-card hands as rank multisets, and the exact integer weight of two of them dealt together (K8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb

Hand = tuple[int, ...]


def hands(copies: Sequence[int]) -> list[Hand]:
    """All three-card multisets the deck allows, as sorted tuples of rank indices."""
    ranks = range(len(copies))
    return [h for h in combinations_with_replacement(ranks, 3) if all(h.count(r) <= copies[r] for r in ranks)]


def weight(copies: Sequence[int], hand0: Hand, hand1: Hand) -> int:
    """How many pairs of physical hands look like these two: 0 if the deck does not hold them (K8)."""
    product = 1
    for rank, count in enumerate(copies):
        mine = hand0.count(rank)
        product *= comb(count, mine) * comb(max(count - mine, 0), hand1.count(rank))
    return product


def deals(copies: Sequence[int]) -> Iterator[tuple[int, Hand, Hand]]:
    """Every possible (weight, elder's hand, dealer's hand)."""
    for hand0 in hands(copies):
        for hand1 in hands(copies):
            ways = weight(copies, hand0, hand1)
            if ways:
                yield ways, hand0, hand1


def remove(hand: Hand, card: int) -> Hand:
    """The hand without one card of that rank."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def left(copies: Sequence[int], *gone: Hand) -> tuple[int, ...]:
    """The copies of each rank still in the stub once these hands have left it."""
    return tuple(count - sum(hand.count(rank) for hand in gone) for rank, count in enumerate(copies))
