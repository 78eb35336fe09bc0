"""Cards on the table: tricks, who leads, who won the hand (K3 to K7).

A card is a rank index, 0 the strongest. A seat is 0 for the elder, 1 for the dealer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.score import ELDER, SEATS, other

TRICKS = HAND_SIZE

Hand: TypeAlias = tuple[int, ...]
Deal: TypeAlias = tuple[Hand, Hand]


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick: who led, the card led, the card that followed."""

    leader: int
    lead: int
    follow: int

    @property
    def winner(self) -> int | None:
        """K4: the higher rank wins; equal ranks spoil the trick (None)."""
        if self.lead == self.follow:
            return None
        return self.leader if self.lead < self.follow else other(self.leader)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Is the hand over, and who won it (None: nobody, or not over yet)."""

    over: bool
    winner: int | None = None


def next_leader(rules: RuleSet, trick: Trick) -> int:
    """K5: the winner leads; after a spoiled trick the same player again, or the one who rotted it."""
    if trick.winner is not None:
        return trick.winner
    return trick.leader if rules.lead_after_tie == "previous_leader" else other(trick.leader)


def verdict(rules: RuleSet, winners: Sequence[int | None]) -> Verdict:
    """K6, from the winners of the tricks finished so far, None for a spoiled one."""
    won = [winner for winner in winners if winner is not None]
    for seat in SEATS:
        if won.count(seat) == 2:
            return Verdict(True, seat)
    if won and None in winners:
        return Verdict(True, won[0])
    if len(winners) == TRICKS:
        return Verdict(True, ELDER if rules.all_tied == "elder" else None)
    return Verdict(False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The cards still held, the card led to the open trick, and the finished tricks."""

    rules: RuleSet
    hands: Deal
    leader: int = ELDER
    led: int | None = None
    tricks: tuple[Trick, ...] = ()

    @property
    def turn(self) -> int:
        """Who plays the next card (K3, K5)."""
        return self.leader if self.led is None else other(self.leader)

    @property
    def untouched(self) -> bool:
        """Has no card been played?"""
        return self.led is None and not self.tricks

    @property
    def verdict(self) -> Verdict:
        """K6: is the hand over, and who won it."""
        return verdict(self.rules, [trick.winner for trick in self.tricks])

    def play(self, card: int) -> Table:
        """The table after the player in turn has played `card`, any that he holds (K4)."""
        held = list(self.hands[self.turn])
        held.remove(card)
        hands = (tuple(held), self.hands[1]) if self.turn == ELDER else (self.hands[0], tuple(held))
        if self.led is None:
            return replace(self, hands=hands, led=card)
        trick = Trick(self.leader, self.led, card)
        return replace(
            self, hands=hands, led=None, leader=next_leader(self.rules, trick), tricks=(*self.tricks, trick)
        )
