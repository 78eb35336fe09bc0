"""Tout pâté (G6): the table of redeals against a recursion of linear programs over the decks that can be left."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from solver.cfr.sweeper import Sweeper
from solver.rules import catalogue
from solver.rules.referee import Result, payoff, stub_deals
from solver.rules.score import parse_score
from solver.strategy.redeals import Redeals, redeal_values
from solver.strategy.solution import game_at
from tests.games.solving import solved
from tests.reference import deck, tricks
from tests.reference.extensive import Deal, Decision, Game, Node, Number, Terminal
from tests.reference.refereed import refereed
from tests.reference.sequence_form import solve

Hand = tuple[int, ...]


def with_chances(game: Game, tie: Callable[[Hand], float]) -> Game:
    """The bare trick game with the elder's chance of the long at its ends: 1, 0, or that of the redeal.

    Three tricks are rotten only if both held the same hand.
    """

    def same(node: Node, hand: Hand) -> Node:
        if isinstance(node, Terminal):
            return Terminal(tie(hand) if node.payoff == 0 else float(node.payoff > 0))
        assert isinstance(node, Decision)
        return Decision(node.infoset, node.actions, tuple(same(child, hand) for child in node.children))

    return Game(game.name, tuple(Deal(d.weight, d.private, same(d.root, _hand(d.private[0]))) for d in game.deals))


def _hand(private: object) -> Hand:
    assert isinstance(private, tuple)
    return private


class Recursion:
    """Elder's chance of the long on every deck, when after the last redeal it is `reshuffled`."""

    def __init__(self, reshuffled: float) -> None:
        self.reshuffled = reshuffled
        self.known: dict[tuple[Hand, int], float] = {}

    def chance(self, copies: Hand, left: int) -> float:
        """On a deck with these copies of each rank and so many redeals after it."""
        cards = tuple(count for count in copies if count)
        if (cards, left) not in self.known:
            game = tricks.no_bets(cards, rotter_leads=True)
            self.known[cards, left] = solve(with_chances(game, lambda hand: self.after(cards, left, hand))).value
        return self.known[cards, left]

    def after(self, copies: Hand, left: int, hand: Hand) -> float:
        return self.chance(deck.left(copies, hand, hand), left - 1) if left else self.reshuffled


DECKS = {"2": ["5,3", "6", "8,7"], "3": ["4", "5", "6,5,7"]}


@cache
def settled(ranks: str, copies: str) -> Redeals:
    redeals = Redeals(catalogue.load("trut-gatine", {"ranks": ranks, "copies": copies}))
    redeals.settle()
    return redeals


@pytest.mark.parametrize(("ranks", "copies"), [(ranks, copies) for ranks in DECKS for copies in DECKS[ranks]])
def test_G6_every_redeal_has_the_value_of_the_program(ranks: str, copies: str) -> None:
    redeals = settled(ranks, copies)
    rules = redeals.rules
    judge = Recursion(redeals.reshuffled)
    fixed = judge.chance(rules.copies, redeals.levels)
    assert redeals.levels == min(4, rules.deck_size // 6 - 1)
    assert redeals.reshuffled == pytest.approx(fixed, abs=2e-5), "the reshuffle is a fixed point"
    assert redeals.known
    for (cards, left), value in redeals.known.items():
        close = 2e-5 if left >= redeals.levels - 1 else 3e-4
        assert value == pytest.approx(judge.chance(cards, left), abs=close), f"deck {cards}, {left} redeals left"


def test_G6_the_whole_hand_with_its_chance_nodes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The dealer holds or passes (G4); the referee deals again from the stub; after it the long starts afresh."""
    monkeypatch.setenv("TRUC_SOLVE_CACHE", str(tmp_path))
    rules = catalogue.load("trut-gatine", {"ranks": "3", "copies": "5"})
    score = parse_score(rules, "0.0-0.2")
    assert stub_deals(rules) == 1
    found, _ = solved(game_at(rules, score, "points"), 1e-6, "dpcfr+")
    chance = settled("3", "5").reshuffled

    def pay(result: Result) -> Number:
        return 3.0 * (2.0 * chance - 1.0) if result.again else Fraction(payoff(rules, score, result))

    assert found.value == pytest.approx(solve(refereed(rules, score, pay)).value, abs=5e-5)


def test_the_table_is_kept_for_the_next_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRUC_SOLVE_CACHE", str(tmp_path))
    rules = catalogue.load("trut-gatine", {"ranks": "2", "copies": "8,7"})
    made = redeal_values(rules)
    monkeypatch.setattr(Redeals, "settle", lambda self: pytest.fail("solved again"))
    kept = redeal_values(rules)
    assert (kept.known, kept.reshuffled) == (made.known, made.reshuffled)


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals go to the main thread"
)
def test_ctrl_c_gives_no_half_solved_table(monkeypatch: pytest.MonkeyPatch) -> None:
    step = Sweeper.step

    def pressed(self: Sweeper) -> None:
        step(self)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Sweeper, "step", pressed)
    redeals = Redeals(catalogue.load("trut-gatine", {"ranks": "2", "copies": "5,3"}))
    with pytest.raises(KeyboardInterrupt):
        redeals.settle()
    assert not redeals.known
