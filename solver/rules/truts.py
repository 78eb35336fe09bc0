"""A hand of Trut: one trut at most, answered by fold or see (U2 to U4), or a trut d'office."""

from __future__ import annotations

from dataclasses import dataclass, replace

from solver.rules.labels import labels_of
from solver.rules.options import HAND_SIZE
from solver.rules.outcome import TOKEN_POINTS, Result
from solver.rules.position import Position, card_tokens
from solver.rules.score import Prize, other
from solver.rules.tricks import Deal, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class TrutPosition(Position):
    """A position of a Trut hand in which cards are played.

    Before each card there are windows (U4): first the player about to play, then the other if he still holds
    a card, each says trut or is silent; then the card follows. In `trut_window = own_turn` the player about
    to play acts once: he truts or plays his card.

    office: the hand is played for a long and nothing may be said: after a fortial trut or with both at the
        fortial (U7), and in the trut d'office of Gâtine (G4, G5).
    truter, seen: who truted, and was it answered by see.
    spoken: how many windows before the next card have passed in silence.
    stub: the deals that follow if every trick of a trut d'office is rotten (G6).
    deal_again: is a drawn hand dealt again by the same dealer (U7 both at the fortial, G6)?
    """

    office: bool = False
    truter: int | None = None
    seen: bool = False
    spoken: int = 0
    stub: tuple[Deal, ...] = ()
    deal_again: bool = False

    @property
    def prize(self) -> Prize:
        """What the hand is played for (U2)."""
        return Prize.LONG if self.office or self.seen else Prize.PETIT

    @property
    def stake(self) -> int:
        """3 when the hand is played for a long, 1 for a petit (U9)."""
        return TOKEN_POINTS[self.prize]

    def _unanswered(self) -> bool:
        return self.truter is not None and not self.seen

    def _may_trut(self) -> bool:
        """U3: one trut a hand, no counter-trut."""
        return not self.office and self.truter is None and self.rules.trut_window != "off"

    def _windows(self) -> tuple[int, ...]:
        """U4: the seats that may speak before the next card and have not yet."""
        if not self._may_trut() or not self.rules.both_speak:
            return ()
        turn = self.table.turn
        seats = (turn, other(turn)) if self.table.hands[other(turn)] else (turn,)
        return seats[self.spoken :]

    def _speaker(self) -> int:
        if self.truter is not None and not self.seen:
            return other(self.truter)
        windows = self._windows()
        return windows[0] if windows else self.table.turn

    def _choices(self) -> tuple[str, ...]:
        if self._unanswered():
            return ("fold", "see")
        if self._windows():
            return (*self._announcements(), "silent")
        cards = card_tokens(self.rules, self.table.hands[self.table.turn])
        return (*cards, *self._announcements()) if self._may_trut() and self._own_turn() else cards

    def _own_turn(self) -> bool:
        return self.rules.trut_window == "own_turn"

    def _announcements(self) -> tuple[str, ...]:
        """U2, and in the owner's first window also the labels of his hand (U8, G7)."""
        hand = self.table.hands[self._speaker()]
        first = len(hand) == HAND_SIZE if self._own_turn() else self.table.untouched
        return ("trut", *(labels_of(self.rules, hand) if first else ()))

    def _after(self, word: str) -> Position:
        match word:
            case "trut" | "brelan" | "tierce" | "pair":
                return replace(self, truter=self._speaker())
            case "silent":
                return replace(self, spoken=self.spoken + 1)
            case "see":
                return replace(self, seen=True)
            case "fold":
                return replace(self, result=Result(self.truter, Prize.PETIT))
            case _:
                return self._card(self.rules.ranks.index(word))

    def _card(self, card: int) -> TrutPosition:
        played = replace(self, table=self.table.play(card), spoken=0)
        verdict = played.table.verdict
        if not verdict.over:
            return played
        if verdict.winner is None and self.stub:
            return self._tout_pate()
        again = verdict.winner is None and self.deal_again
        return replace(played, result=Result(verdict.winner, self.prize, again))

    def _tout_pate(self) -> TrutPosition:
        """G6: three rotten tricks of a trut d'office; three new cards each, played for the same long."""
        return replace(self, table=Table(rules=self.rules, hands=self.stub[0]), stub=self.stub[1:], spoken=0)


def office_hand(before: Position, hands: Deal, stub: tuple[Deal, ...] = ()) -> TrutPosition:
    """The trut d'office that follows `before`, from the first card on (G4, G5; U7 after a fortial trut).

    In Gâtine three rotten tricks are dealt again until somebody wins the long (G6); in Trut such a hand is
    drawn, gives no tokens, and the deal passes on (U6, U7).
    """
    return TrutPosition(
        rules=before.rules,
        score=before.score,
        table=Table(rules=before.rules, hands=hands),
        history=before.history,
        office=True,
        stub=stub,
        deal_again=before.rules.tout_pate > 0,
    )
