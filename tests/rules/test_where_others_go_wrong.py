"""Five places where programs of Trut go wrong, in the referee and in the tree (K5, K6, U5)."""

from __future__ import annotations

import pytest

from solver.rules import catalogue
from solver.rules.score import DEALER, ELDER, Prize, Score, award
from solver.tree.boards import NOBODY, TIE, hand_winner, trick_leader
from tests.rules.played import position

TRUT = catalogue.load("trut")


def test_K6_a_won_trick_and_a_rotten_one_end_the_hand() -> None:
    assert hand_winner((ELDER, NOBODY)) == ELDER
    after = position(TRUT, "7 8 A / 9 8 T", "7 9 8 8")
    assert after.result is not None
    assert after.result.winner == ELDER


def test_K6_a_rotten_trick_and_a_won_one_end_the_hand() -> None:
    assert hand_winner((NOBODY, DEALER)) == DEALER
    after = position(TRUT, "8 9 A / 8 7 T", "8 8 7 9")
    assert after.result is not None
    assert after.result.winner == DEALER


def test_K6_one_trick_each_and_a_rotten_one_go_to_the_first_trick() -> None:
    assert hand_winner((ELDER, DEALER, NOBODY)) == ELDER
    assert hand_winner((DEALER, ELDER, NOBODY)) == DEALER
    after = position(TRUT, "7 9 A / 9 8 A", "7 9 9 8 A A")
    assert after.result is not None
    assert after.result.winner == ELDER


def test_K5_the_follower_leads_after_a_rotten_trick() -> None:
    assert trick_leader(TRUT, ELDER, TIE) == DEALER
    assert trick_leader(TRUT, DEALER, TIE) == ELDER
    after = position(TRUT, "8 9 A / 8 7 T", "8 8")
    assert after.to_act == DEALER


@pytest.mark.parametrize("amount", [Prize.LONG, Prize.PETIT])
def test_U5_a_long_clears_the_others_petits_however_it_came(amount: Prize) -> None:
    before = Score((2, 2), (3, 2))
    after = award(TRUT, before, DEALER, amount)
    assert isinstance(after, Score)
    dealer, elder = after.elder, after.dealer
    assert dealer[0] == 4
    assert elder == (2, 0)
