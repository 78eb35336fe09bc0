"""K8 against a plain enumeration of physical cards."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from tests.reference import deck


@pytest.mark.parametrize("copies", [(4, 4, 4), (4, 2, 1), (1, 3, 4), (2, 2, 2)])
def test_k8_weights_count_the_physical_deals(copies: tuple[int, ...]) -> None:
    cards = [(rank, copy) for rank, count in enumerate(copies) for copy in range(count)]
    counted: Counter[tuple[deck.Hand, deck.Hand]] = Counter()
    for first in combinations(cards, 3):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, 3):
            counted[tuple(rank for rank, _ in first), tuple(rank for rank, _ in second)] += 1
    assert {(h0, h1): weight for weight, h0, h1 in deck.deals(copies)} == counted


def test_k8_full_deck_has_120_hands_and_the_stated_denominator() -> None:
    copies = (4,) * 8
    assert len(deck.hands(copies)) == 120
    assert sum(weight for weight, _, _ in deck.deals(copies)) == comb(32, 3) * comb(29, 3)


def test_left_and_remove() -> None:
    assert deck.left((4, 4, 2), (0, 0, 1), (1, 2, 2)) == (2, 2, 0)
    assert deck.remove((0, 1, 1), 1) == (0, 1)
