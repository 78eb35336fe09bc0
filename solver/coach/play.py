"""A match of a person against the solution: deals, turns and the opponent's choices, without any words.

The opponent draws its actions with the stored frequencies of the solution.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from solver.coach.record import HandRecord
from solver.coach.replay import Seen, SeenDeal, further_deals, hand_of, laid_by, redeals
from solver.coach.stored import advice_at
from solver.query.advise import Advice
from solver.rules.model import RuleSet, check_left_out
from solver.rules.options import CARDS_DEALT, HAND_SIZE
from solver.rules.referee import Position, Referee, next_score
from solver.rules.score import DEALER, ELDER, Score, other
from solver.rules.tricks import Deal
from solver.rules.words import SILENT
from solver.strategy.solution import Solution

SeatPlan = Literal["elder", "dealer", "alternate"]
Solutions: TypeAlias = Callable[[Score], Solution]


def deal_cards(rules: RuleSet, score: Score, luck: random.Random) -> tuple[Deal, ...]:
    """A shuffled deal (K3), and those that may follow from the same stub."""
    deck = [rank for rank, copies in enumerate(rules.copies) for _ in range(copies)]
    luck.shuffle(deck)
    deals = []
    for start in range(0, CARDS_DEALT * (1 + further_deals(rules, score)), CARDS_DEALT):
        elder, dealer = deck[start : start + HAND_SIZE], deck[start + HAND_SIZE : start + CARDS_DEALT]
        deals.append((tuple(sorted(elder)), tuple(sorted(dealer))))
    return tuple(deals)


def draw(advice: Advice | None, legal: Sequence[str], luck: random.Random) -> str:
    """One of the legal actions, as often as the solution takes it; all alike where it does not say."""
    if len(legal) == 1:
        return legal[0]
    frequency = {} if advice is None else {one.action: one.frequency for one in advice.actions}
    weights = [frequency.get(word, 0.0) for word in legal]
    return luck.choices(legal, weights if sum(weights) > 0.0 else None)[0]


@dataclass(slots=True)
class LiveHand:
    """A hand being played.

    human   seat of the person
    deals   the first deal, and those that may follow
    said    (seat, token), silences left out, kept cards named
    """

    number: int
    human: int
    deals: tuple[Deal, ...]
    position: Position
    luck: random.Random
    said: list[tuple[int, str]] = field(default_factory=list)

    @property
    def humans_turn(self) -> bool:
        """Has the person to act?"""
        return self.position.to_act == self.human

    def play(self, token: str) -> None:
        """Say or play a token; UsageError when it is not legal."""
        seat = self.position.to_act
        self.position = self.position.play(token)
        if token != SILENT and seat is not None:
            self.said.append((seat, token))

    def opponents_choice(self, solutions: Solutions) -> str:
        """What the opponent does now; the solution is asked for only if there is a choice."""
        legal = self.position.legal
        advice = advice_at(solutions(self.position.score), self.position) if len(legal) > 1 else None
        return draw(advice, legal, self.luck)

    def hint(self, solutions: Solutions) -> Advice | None:
        """What the solution would do in the person's place; None where it does not say."""
        return advice_at(solutions(self.position.score), self.position)

    def record(self, human: str, opponent: str) -> HandRecord:
        """The hand as it stands; in one that is not over the opponent's unseen cards stay unseen."""
        rules, score = self.position.rules, self.position.score
        used = self.deals[: 1 + redeals(self.position)]
        hands: list[SeenDeal] = list(used)
        if self.position.result is None:
            hands[-1] = self._in_sight(used[-1])
        players = (human, opponent) if self.human == ELDER else (opponent, human)
        more, result = tuple(hands[1:]), self.position.result
        return HandRecord(self.number, rules, score, players, hands[0], tuple(self.said), more, result)

    def _in_sight(self, deal: Deal) -> SeenDeal:
        """The last deal as the person sees it."""
        laid = laid_by(self.position.table, other(self.human))
        seen: Seen = (*laid, *[None] * (HAND_SIZE - len(laid)))
        return (deal[0], seen) if self.human == ELDER else (seen, deal[1])

    def cards(self) -> tuple[int, ...]:
        """The cards the person holds."""
        return tuple(sorted(self.position.table.hands[self.human]))

    def whole_hand(self) -> tuple[int, ...]:
        """The three cards the person was dealt last."""
        return hand_of(self.position.table, self.human)

    def dealt_again(self) -> int:
        """How often new cards came after three rotten tricks (G6)."""
        return redeals(self.position)


@dataclass(slots=True)
class Match:
    """A match between a person and the solution.

    score    before the next hand, by the seats of that hand
    human    the person's seat in it
    number   of the next hand, from 1
    winner   True: the person has won, False: the opponent has, None: it goes on
    """

    rules: RuleSet
    score: Score
    seed: int
    plan: SeatPlan = "alternate"
    human: int = ELDER
    number: int = 1
    winner: bool | None = None

    def __post_init__(self) -> None:
        check_left_out(self.rules)
        if self.plan == "dealer":
            self.human = DEALER

    def deal(self) -> LiveHand:
        """The next hand; its cards depend on nothing but the seed, its number and the kind of hand."""
        luck = random.Random(f"{self.seed} cards {self.number}")
        deals = deal_cards(self.rules, self.score, luck)
        start = Referee(self.rules, self.score).start(deals[0], deals[1:])
        return LiveHand(self.number, self.human, deals, start, random.Random(f"{self.seed} choices {self.number}"))

    def settle(self, hand: LiveHand) -> None:
        """Count a finished hand; the deal passes on (K3) unless the person keeps his seat or it is dealt again."""
        result = hand.position.result
        assert result is not None, "the hand is over"
        self.number += 1
        after = next_score(self.rules, self.score, result)
        if isinstance(after, int):
            self.winner = after == self.human
            return
        if result.again:
            return
        if self.plan == "alternate":
            self.human = other(self.human)
        self.score = after if self.plan == "alternate" else after.swapped()

    def standing(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """What the person and the opponent have: points and 0 in Truc, longs and petits in Trut."""
        return self.score.of(self.human), self.score.of(other(self.human))
