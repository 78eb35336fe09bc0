"""What every position of a hand has in common, whatever is bet in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from solver.errors import UsageError, near
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.outcome import Result
from solver.rules.score import Score
from solver.rules.tricks import Deal, Hand, Table, Trick
from solver.rules.words import same_word

History = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(ABC):
    """A moment of a hand: somebody has to act, or it is over.

    rules, score: the game, and the score before the hand.
    table: cards held (hidden from the opponent, K7) and played (public).
    history: every (seat, token) so far, in order, silences included.
    result: how the hand ended, or None while somebody has to act.
    """

    rules: RuleSet
    score: Score
    table: Table
    history: History = ()
    result: Result | None = None

    @property
    def to_act(self) -> int | None:
        """The seat that has to act, or None when the hand is over."""
        return None if self.result else self._speaker()

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be said or played here, cards first and strongest first; empty when the hand is over."""
        return () if self.result else self._choices()

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""
        return self.table.tricks

    @property
    @abstractmethod
    def stake(self) -> int:
        """Points the hand is played for now: the accepted stake in Truc; 1 (petit) or 3 (long) in Trut."""

    def play(self, token: str) -> Position:
        """The position after the player to act says or plays `token`.

        Raises UsageError, naming the token and what is allowed, when it is not legal here.
        """
        word = same_word(token, self.legal)
        if word not in self.legal or self.to_act is None:
            allowed = ", ".join(self.legal) or "nothing, the hand is over"
            raise UsageError(f"'{token}' is not legal here.{near(token, self.legal)} Allowed: {allowed}.")
        said = replace(self, history=(*self.history, (self.to_act, self._public(word))))
        return said._after(word)

    @abstractmethod
    def _speaker(self) -> int:
        """Who acts, while the hand goes on."""

    @abstractmethod
    def _choices(self) -> tuple[str, ...]:
        """What he may do."""

    @abstractmethod
    def _after(self, word: str) -> Position:
        """What `word`, which is legal and already written in the history, leads to."""

    def _public(self, word: str) -> str:
        """What the opponent hears of `word`."""
        return word


def card_tokens(rules: RuleSet, hand: Hand) -> tuple[str, ...]:
    """The labels of the different cards of a hand, strongest first."""
    return tuple(rules.ranks[card] for card in sorted(set(hand)))


def check_deal(rules: RuleSet, deal: Deal, size: int, gone: Hand = ()) -> Deal:
    """Both hands sorted, after checking that each has `size` cards and that the deck has them all.

    `gone` are the cards dealt before from the same deck. Raises UsageError naming the hand or the rank.
    """
    for hand in deal:
        if len(hand) != size or not all(card in range(len(rules.ranks)) for card in hand):
            raise UsageError(
                f"{hand} is not a hand; allowed: {size} rank numbers from 0 to {len(rules.ranks) - 1}."
            )
    dealt = (*gone, *deal[0], *deal[1])
    for rank, copies in enumerate(rules.copies):
        if dealt.count(rank) > copies:
            raise UsageError(
                f"The deal has {dealt.count(rank)} cards of rank {rules.ranks[rank]}; allowed: {copies}."
            )
    return tuple(sorted(deal[0])), tuple(sorted(deal[1]))


def check_stub(rules: RuleSet, first: Deal, deals: Sequence[Deal]) -> tuple[Deal, ...]:
    """The deals that follow `first` from the same stub (T9, G6), checked one after the other."""
    gone = (*first[0], *first[1])
    checked = []
    for deal in deals:
        checked.append(check_deal(rules, deal, HAND_SIZE, gone))
        gone += (*deal[0], *deal[1])
    return tuple(checked)
