"""The bets of a hand as a small machine: states, what may be said in each, and what it leads to.

A machine knows nothing of cards, nor of what an end of the hand is worth: it lists the outcomes, each a winner and what
he takes, and refers to them by number. An *idle* state says what is at stake; a *pending* state is a bet that waits for
its answer. The tree lays the machine over the tricks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.rules.kinds import Kind, hand_kind
from solver.rules.model import RuleSet
from solver.rules.score import Amount, Prize, Score, need
from solver.rules.words import WORD
from solver.tree.model import CALL, COUNTER, FOLD

#: elder's payoff when a winner (0, 1, or None for a drawn hand) takes an amount
Utility = Callable[[int | None, Amount], float]


class Outcome(NamedTuple):
    """How a hand can end: who takes how much; no winner: a drawn hand."""

    winner: int | None
    amount: Amount


@dataclass(slots=True)
class Idle:
    """Nothing waits for an answer. ``bets[seat]`` lists (word, pending state, hands that may say it or "").

    ends   outcomes when the elder wins the hand, when the dealer does, when nobody does
    """

    ends: tuple[int, int, int]
    fold: bool = False
    bets: tuple[list[tuple[str, int, str]], list[tuple[str, int, str]]] = field(
        default_factory=lambda: ([], [])
    )


@dataclass(slots=True)
class Pending:
    """A bet waits for ``answerer``.

    fold     outcome when he folds
    answers  list of (word, FOLD | CALL | COUNTER, idle state after CALL, pending state after COUNTER, else -1)
    """

    answerer: int
    fold: int
    answers: list[tuple[str, int, int]] = field(default_factory=list)


@dataclass(slots=True)
class BettingMachine:
    """All states; ``idle[0]`` is the start of the hand, or ``pending[0]`` where a side ``asks`` itself first.

    outcomes  all outcomes; the states refer to their numbers
    combined  the player about to play bets or plays in one decision (Truc, own-turn Trut)
    both      in every window the other player may speak too (U4 any_time)
    """

    outcomes: list[Outcome]
    idle: list[Idle]
    pending: list[Pending]
    combined: bool = False
    both: bool = False
    asks: bool = False


class BettingArrays(NamedTuple):
    """The machine as the tree kernel reads it; rows padded with -1.

    ends          int64   [idle, 3]          outcome: elder wins, dealer wins, drawn
    may_fold      bool    [idle]
    bet           int64   [idle, 2, k, 3]    word, pending state, mask number
    answerer      int64   [pending]
    fold          int64   [pending]          outcome
    answer        int64   [pending, k, 3]    word, FOLD | CALL | COUNTER, state
    combined      the player about to play bets or plays in one decision
    """

    ends: NDArray[np.int64]
    may_fold: NDArray[np.bool_]
    bet: NDArray[np.int64]
    answerer: NDArray[np.int64]
    fold: NDArray[np.int64]
    answer: NDArray[np.int64]
    combined: bool


def build_machine(rules: RuleSet, score: Score) -> BettingMachine:
    """The machine of the hand that the score calls for."""
    kind = hand_kind(rules, score)
    if kind.name is Kind.LADDER:
        return LadderMachine(rules, need(rules, score)).build()
    if kind.name is Kind.ORDINARY:
        return trut_machine(rules)
    outcomes: list[Outcome] = []
    machine = BettingMachine(outcomes, [Idle(ends(rules, outcomes, Prize.LONG))], [])
    if kind.side is not None:
        passed = outcome_number(outcomes, 1 - kind.side, Prize.PETIT)
        machine.pending.append(Pending(kind.side, passed, [("pass", FOLD, -1), (kind.yes, CALL, 0)]))
        machine.asks = True
    return machine


def outcome_number(outcomes: list[Outcome], winner: int | None, amount: Amount) -> int:
    """Number of an outcome, which is added to the list at its first mention."""
    outcome = Outcome(winner, amount)
    if outcome not in outcomes:
        outcomes.append(outcome)
    return outcomes.index(outcome)


def ends(rules: RuleSet, outcomes: list[Outcome], amount: Amount) -> tuple[int, int, int]:
    """Outcomes when the elder wins the amount, when the dealer does, when the hand is drawn (K6)."""
    winners = (0, 1, None if rules.all_tied == "none" else 0)
    elder, dealer, drawn = (outcome_number(outcomes, winner, amount) for winner in winners)
    return elder, dealer, drawn


class LadderMachine:
    """Truc (T2–T8): states are (stake, who increased it last); stake None is the match."""

    def __init__(self, rules: RuleSet, need: tuple[int, int]) -> None:
        self.rules, self.most = rules, max(need)
        self.outcomes: list[Outcome] = []
        self.numbers: dict[tuple[int | None, int | None], int] = {}
        self.waiting: dict[tuple[int, int, tuple[int | None, int | None]], int] = {}
        self.idle: list[Idle] = []
        self.pending: list[Pending] = []

    def build(self) -> BettingMachine:
        """All states that can be reached from the first rung."""
        self.state((self.rules.ladder[0], None))
        return BettingMachine(self.outcomes, self.idle, self.pending, combined=True, both=False)

    def next_rung(self, stake: int) -> int | None:
        """Smallest rung above the stake (T3)."""
        return next((rung for rung in self.rules.ladder if rung > stake), None)

    def offers(
        self, stake: int | None, last: int | None, seat: int, rest: bool
    ) -> list[tuple[str, int | None]]:
        """Increases ``seat`` may ask for on top of ``stake``: (word, new stake) (T3, T6, T7)."""
        if stake is None or stake >= self.most or (self.rules.alternate_raises and last == seat):
            return []
        rung = self.next_rung(stake)
        found: list[tuple[str, int | None]] = [] if rung is None else [("raise", rung)]
        if rest and (rung is None or rung < self.most):
            found.append(("rest", None))
        return found

    def state(self, key: tuple[int | None, int | None]) -> int:
        """Number of the idle state with this stake and last raiser, made on first use."""
        stake, last = key if self.rules.alternate_raises else (key[0], None)
        if (stake, last) in self.numbers:
            return self.numbers[stake, last]
        number = self.numbers[stake, last] = len(self.idle)
        amount = Prize.MATCH if stake is None else stake
        made = Idle(ends(self.rules, self.outcomes, amount), fold=self.rules.free_fold)
        self.idle.append(made)
        rest = self.rules.remainder in ("initiative", "both")
        for seat in (0, 1):
            for word, offer in self.offers(stake, last, seat, rest):
                made.bets[seat].append((word, self.bet(stake, seat, offer), ""))
        return number

    def bet(self, stake: int | None, bettor: int, offer: int | None) -> int:
        """Number of the pending state: ``bettor`` asks for ``offer``, folding costs ``stake`` (T4, T5)."""
        key = (-1 if stake is None else stake, bettor, (offer, bettor))
        if key in self.waiting:
            return self.waiting[key]
        number = self.waiting[key] = len(self.pending)
        made = Pending(1 - bettor, outcome_number(self.outcomes, bettor, Prize.MATCH if stake is None else stake))
        self.pending.append(made)
        made.answers += [("fold", FOLD, -1), ("call", CALL, self.state((offer, bettor)))]
        rest = self.rules.remainder in ("answer", "both")
        for word, more in self.offers(offer, bettor, 1 - bettor, rest):
            if word == "rest" or self.rules.counter_raise:
                made.answers.append((word, COUNTER, self.bet(offer, 1 - bettor, more)))
        return number


def trut_machine(rules: RuleSet) -> BettingMachine:
    """Trut (U2–U4, U8, G7): a petit is at stake, a long after a trut that was seen."""
    outcomes: list[Outcome] = []
    idle = [Idle(ends(rules, outcomes, amount)) for amount in (Prize.PETIT, Prize.LONG)]
    pending: list[Pending] = []
    if rules.trut_window != "off":
        labels = ("tierce", "brelan", "pair") if rules.labels else ("brelan",) if rules.brelan else ()
        for seat in (0, 1):
            folded = outcome_number(outcomes, seat, Prize.PETIT)
            pending.append(Pending(1 - seat, folded, [("fold", FOLD, -1), ("see", CALL, 1)]))
            idle[0].bets[seat].append(("trut", seat, ""))
            idle[0].bets[seat].extend((label, seat, label) for label in labels)
    own_turn = rules.trut_window == "own_turn"
    return BettingMachine(outcomes, idle, pending, combined=own_turn, both=rules.both_speak)


def machine_arrays(machine: BettingMachine) -> tuple[BettingArrays, list[str]]:
    """The machine as padded arrays, and the names of its masks."""
    width = max((len(bets) for state in machine.idle for bets in state.bets), default=0)
    answers = max((len(state.answers) for state in machine.pending), default=0)
    masks = sorted({mask for state in machine.idle for bets in state.bets for _, _, mask in bets if mask})
    bet = np.full((len(machine.idle), 2, width, 3), -1, np.int64)
    answer = np.full((len(machine.pending), answers, 3), -1, np.int64)
    for i, idle in enumerate(machine.idle):
        for seat in (0, 1):
            for k, (word, target, mask) in enumerate(idle.bets[seat]):
                bet[i, seat, k] = WORD[word], target, masks.index(mask) if mask else -1
    for i, pending in enumerate(machine.pending):
        for k, (word, how, target) in enumerate(pending.answers):
            answer[i, k] = WORD[word], how, target
    arrays = BettingArrays(
        np.array([state.ends for state in machine.idle], np.int64).reshape(len(machine.idle), 3),
        np.array([state.fold for state in machine.idle], np.bool_),
        bet,
        np.array([state.answerer for state in machine.pending], np.int64),
        np.array([state.fold for state in machine.pending], np.int64),
        answer,
        machine.combined,
    )
    return arrays, masks
