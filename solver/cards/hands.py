"""Hands as multisets of ranks (K8): enumeration, ranking and the effect of playing a card.

A multiset of ``size`` cards over ``n_ranks`` ranks is a sorted tuple of rank indices, 0 the strongest; its
state number is its place in lexicographic order. With 8 ranks there are 120, 36, 8 and 1 of size 3, 2, 1, 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Multisets:
    """All multisets of one size.

    cards  int8 [n, size]      ranks of each, ascending (strongest first)
    add    int32 [n, n_ranks]  state number, one size up, after adding a card of each rank
    """

    size: int
    n_ranks: int
    cards: NDArray[np.int8]
    add: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.cards)


@cache
def multisets(size: int, n_ranks: int) -> Multisets:
    """The table of multisets of ``size`` cards over ``n_ranks`` ranks."""
    states = list(combinations_with_replacement(range(n_ranks), size))
    larger = {
        state: index for index, state in enumerate(combinations_with_replacement(range(n_ranks), size + 1))
    }
    add = [[larger[tuple(sorted((*state, rank)))] for rank in range(n_ranks)] for state in states]
    return Multisets(
        size,
        n_ranks,
        np.array(states, np.int8).reshape(len(states), size),
        np.array(add, np.int32).reshape(len(states), n_ranks),
    )


@cache
def state_numbers(size: int, n_ranks: int) -> dict[tuple[int, ...], int]:
    """State number of each sorted tuple of rank indices: the inverse of ``multisets(...).cards``."""
    return {state: index for index, state in enumerate(combinations_with_replacement(range(n_ranks), size))}


def counts(size: int, n_ranks: int) -> NDArray[np.int64]:
    """How many cards of each rank every multiset holds, int64 [n, n_ranks]."""
    cards = multisets(size, n_ranks).cards
    return np.asarray((cards[:, :, None] == np.arange(n_ranks)).sum(axis=1), np.int64)


@cache
def merge(first: int, second: int, n_ranks: int) -> NDArray[np.int32]:
    """State number of the union of a multiset of size ``first`` and one of size ``second``, int32 [n, m]."""
    numbers = state_numbers(first + second, n_ranks)
    left, right = multisets(first, n_ranks).cards, multisets(second, n_ranks).cards
    union = [[numbers[tuple(sorted((*a.tolist(), *b.tolist())))] for b in right] for a in left]
    return np.array(union, np.int32).reshape(len(left), len(right))
