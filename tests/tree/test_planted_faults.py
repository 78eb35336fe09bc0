"""Faults planted on purpose: the comparison with the referee must see each of them, and so must the linear program.

These are the faults that other programs shipped: a wrong stake, a swapped seat, a dealer who is forgotten, a deck that
does not get smaller. docs/judging.md lists the same and more as changes of one line in the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from solver.cards.deals import deal_weights
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import Prize, Score, parse_score
from solver.tree import boards, machine
from solver.tree.build import boards_of, build_game
from solver.tree.machine import LadderMachine, Utility
from solver.tree.utility import points_utility
from tests.games.solving import solved_by_any
from tests.reference.refereed import refereed
from tests.reference.sequence_form import solve
from tests.tree.test_referee_moves import Hand, play_random_hand

Plant = Callable[[pytest.MonkeyPatch], None]
OPTIONS = {"ranks": "2", "copies": "4,3", "ladder": "1,2,4", "remainder": "both"}


@pytest.fixture(autouse=True)
def fresh_boards() -> Iterator[None]:
    """No board made under a fault stays behind, and none made before hides it."""
    boards_of.cache_clear()
    yield
    boards_of.cache_clear()


def wrong_stake(patch: pytest.MonkeyPatch) -> None:
    """Who folds pays what was asked, not what was at stake (T4)."""
    right = LadderMachine.bet

    def bet(self: LadderMachine, stake: int | None, bettor: int, offer: int | None) -> int:
        number = right(self, stake, bettor, offer)
        asked = Prize.MATCH if offer is None else offer
        self.pending[number].fold = machine.outcome_number(self.outcomes, bettor, asked)
        return number

    patch.setattr(LadderMachine, "bet", bet)


def swapped_answer(patch: pytest.MonkeyPatch) -> None:
    """The bettor answers his own bet."""
    right = LadderMachine.bet

    def bet(self: LadderMachine, stake: int | None, bettor: int, offer: int | None) -> int:
        number = right(self, stake, bettor, offer)
        self.pending[number].answerer = bettor
        return number

    patch.setattr(LadderMachine, "bet", bet)


def swapped_lead(patch: pytest.MonkeyPatch) -> None:
    """The loser of a trick leads the next (K5)."""
    right = boards.trick_leader
    patch.setattr(boards, "trick_leader", lambda rules, leader, outcome: 1 - right(rules, leader, outcome))


def swapped_payoff(patch: pytest.MonkeyPatch) -> None:
    """Who wins the hand pays."""
    right = machine.ends
    patch.setattr(machine, "ends", lambda *rest: (right(*rest)[1], right(*rest)[0], right(*rest)[2]))


def whole_deck_twice(patch: pytest.MonkeyPatch) -> None:
    """The dealer's cards come from a deck that still has the elder's (K8)."""

    def weights(rules: RuleSet) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        alone = deal_weights(replace(rules, copies=(8,) * len(rules.ranks))).sum(axis=1)
        return np.outer(alone, alone)

    patch.setattr("solver.tree.boards.deal_weights", weights)


def dealer_forgotten(rules: RuleSet, score: Score) -> Utility:
    """Both scores with the same two numbers are taken for one: whose need is whose is lost (T10, T12)."""
    return points_utility(rules, Score(min(score.elder, score.dealer), max(score.elder, score.dealer)))


def right_utility(rules: RuleSet, score: Score) -> Utility:
    return points_utility(rules, score)


def nothing(patch: pytest.MonkeyPatch) -> None:
    pass


FAULTS: dict[str, tuple[Plant, Callable[[RuleSet, Score], Utility]]] = {
    "wrong stake": (wrong_stake, right_utility),
    "swapped answer": (swapped_answer, right_utility),
    "swapped lead": (swapped_lead, right_utility),
    "swapped payoff": (swapped_payoff, right_utility),
    "whole deck twice": (whole_deck_twice, right_utility),
    "dealer forgotten": (nothing, dealer_forgotten),
}


def compare_with_the_referee(utility: Callable[[RuleSet, Score], Utility]) -> None:
    rules = catalogue.load("truc", OPTIONS)
    hand = Hand(rules, parse_score(rules, "10-7"), "points")
    game = build_game(rules, hand.score, utility(rules, hand.score), "points")
    for seed in range(40):
        play_random_hand(hand, game, Random(seed))


def compare_with_the_program(utility: Callable[[RuleSet, Score], Utility]) -> None:
    rules = catalogue.load("truc", OPTIONS | {"ranks": "3", "copies": "4,3,2", "remainder": "off", "ladder": "1,3"})
    score = parse_score(rules, "10-7")
    found = solved_by_any(build_game(rules, score, utility(rules, score), "points"), 1e-4)
    value = solve(refereed(rules, score)).value
    assert -found.best_response[1] - 1e-9 <= value <= found.best_response[0] + 1e-9, "the program has another value"


@pytest.mark.parametrize("compare", [compare_with_the_referee, compare_with_the_program])
def test_without_a_fault_nothing_is_found(compare: Callable[[Callable[[RuleSet, Score], Utility]], None]) -> None:
    compare(right_utility)


@pytest.mark.parametrize("fault", list(FAULTS))
def test_the_referee_sees_the_fault(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    plant, utility = FAULTS[fault]
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        compare_with_the_referee(utility)


@pytest.mark.parametrize("fault", list(FAULTS))
def test_the_linear_program_sees_the_fault(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """The fault may also make the solver stop short of its target, or the tree contradict itself."""
    plant, utility = FAULTS[fault]
    plant(monkeypatch)
    with pytest.raises((AssertionError, ValueError)):
        compare_with_the_program(utility)
