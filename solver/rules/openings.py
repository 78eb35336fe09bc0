"""What is decided before the cards are played: fortial (U7), tenir (G4) and chanter (G5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from solver.rules.options import HAND_SIZE
from solver.rules.outcome import TOKEN_POINTS, Result
from solver.rules.position import Position, check_stub
from solver.rules.score import DEALER, SEATS, Prize, other
from solver.rules.tricks import Deal, Hand
from solver.rules.truts import office_hand
from solver.rules.words import KEEP, KEPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening(Position):
    """A position before the first card, with the deals that may follow from the stub (G6)."""

    stub: tuple[Deal, ...] = ()

    @property
    def stake(self) -> int:
        """1: so far a petit can be won."""
        return TOKEN_POINTS[Prize.PETIT]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideDecides(Opening):
    """One side looks at its cards and decides alone: trut or pass at the fortial (U7), hold or pass (G4).

    Pass gives the other side a petit without play. Otherwise the hand is played for a long with no betting:
    at the fortial the opponent must see, since declining would lose the match.
    """

    side: int
    yes: Literal["trut", "hold"]

    def _speaker(self) -> int:
        return self.side

    def _choices(self) -> tuple[str, ...]:
        return (self.yes, "pass")

    def _after(self, word: str) -> Position:
        if word == "pass":
            return replace(self, result=Result(other(self.side), Prize.PETIT))
        return office_hand(self, self.table.hands, self.stub)


@dataclass(frozen=True, slots=True, kw_only=True)
class Singing(Opening):
    """G5: each in turn from the elder sings or refuses; the first refusal ends the asking.

    more: the three further cards each that are dealt if all sing.
    """

    more: Deal
    asked: int = 0

    def _speaker(self) -> int:
        return SEATS[self.asked]

    def _choices(self) -> tuple[str, ...]:
        return ("sing", "refuse")

    def _after(self, word: str) -> Position:
        if word == "refuse":
            return office_hand(self, self.table.hands, check_stub(self.rules, self.table.hands, self.stub))
        if self.asked != DEALER:
            return replace(self, asked=self.asked + 1)
        return Keeping(
            rules=self.rules,
            score=self.score,
            table=self.table,
            history=self.history,
            stub=self.stub,
            six=(self._six(0), self._six(1)),
        )

    def _six(self, seat: int) -> Hand:
        return tuple(sorted(self.table.hands[seat] + self.more[seat]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping(Opening):
    """G5: all have sung; each keeps three of six, elder first, unseen; the others go back under the stub.

    The history says only "keep": which cards were kept is not shown (K7).
    """

    six: Deal
    kept: tuple[Hand, ...] = ()

    def _speaker(self) -> int:
        return SEATS[len(self.kept)]

    def _choices(self) -> tuple[str, ...]:
        return tuple(self._keep_words())

    def _keep_words(self) -> dict[str, Hand]:
        """Every different three of the six cards, by its token "keep:7+8+A"."""
        hands = sorted(set(combinations(self.six[self._speaker()], HAND_SIZE)))
        return {KEEP + "+".join(self.rules.ranks[card] for card in hand): hand for hand in hands}

    def _public(self, word: str) -> str:
        return KEPT if word.startswith(KEEP) else word

    def _after(self, word: str) -> Position:
        kept = (*self.kept, self._keep_words()[word])
        if len(kept) < len(SEATS):
            return replace(self, kept=kept)
        hands = (kept[0], kept[1])
        return office_hand(self, hands, check_stub(self.rules, hands, self.stub))
