"""A hand of Truc: bets on a ladder of stakes (T2 to T9)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from solver.rules.outcome import Result
from solver.rules.position import Position, card_tokens
from solver.rules.score import DEALER, Amount, Prize, need, other
from solver.rules.tricks import Deal, Table


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet that waits for its answer: who made it, and the stake if it is called."""

    by: int
    word: Literal["raise", "rest"]
    stake: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderPosition(Position):
    """A position of a Truc hand.

    A player about to play acts once (T2): he plays a card, or bets. A called bettor then plays a card (T4).

    accepted: the stake both have accepted. A called rest makes it what the needier side still needs: that is
        the match for either, and by T6 it ends the betting.
    at_rest: has a rest been called?
    raiser: who made the last accepted increase (T7).
    bet: the bet that waits for its answer.
    must_play: has the player in turn bet already, so that he must play a card (T4)?
    proposal: where the redeal of T9 stands; `new_deal` holds its cards.
    """

    accepted: int
    at_rest: bool = False
    raiser: int | None = None
    bet: Bet | None = None
    must_play: bool = False
    proposal: Literal["open", "asked", "closed"] = "closed"
    new_deal: Deal | None = None

    @property
    def stake(self) -> int:
        """The accepted stake in points."""
        return self.accepted

    def _speaker(self) -> int:
        if self.proposal == "asked":
            return DEALER
        return other(self.bet.by) if self.bet else self.table.turn

    def _choices(self) -> tuple[str, ...]:
        if self.proposal == "asked":
            return ("accept", "refuse")
        return self._answers(self.bet) if self.bet else self._turn()

    def _turn(self) -> tuple[str, ...]:
        """T2, T4, T8, T9: what the player about to play a card may do."""
        cards = card_tokens(self.rules, self.table.hands[self.table.turn])
        if self.must_play:
            return cards
        fold = ("fold",) if self.rules.free_fold else ()
        redeal = ("redeal",) if self.proposal == "open" else ()
        return (*cards, *self._bets(), *fold, *redeal)

    def _bets(self) -> tuple[str, ...]:
        """T3, T6, T7: the bets of a player about to play."""
        if self.rules.alternate_raises and self.raiser == self.table.turn:
            return ()
        may_raise = self._may_raise(self.accepted)
        may_rest = self.rules.remainder in ("initiative", "both") and self._may_rest(self.accepted)
        return (("raise",) if may_raise else ()) + (("rest",) if may_rest else ())

    def _answers(self, bet: Bet) -> tuple[str, ...]:
        """T4, T5: fold or call; where the rules have it, a raise or a rest in answer, accepting the raise.

        T7 cannot forbid these: the increase they accept was the opponent's.
        """
        raised = bet.word == "raise"
        may_raise = raised and self.rules.counter_raise and self._may_raise(bet.stake)
        may_rest = raised and self.rules.remainder in ("answer", "both") and self._may_rest(bet.stake)
        return ("fold", "call", *(("raise",) if may_raise else ()), *(("rest",) if may_rest else ()))

    def _most_needed(self) -> int:
        return max(need(self.rules, self.score))

    def _next_rung(self, stake: int) -> int | None:
        """T3: the smallest rung above `stake`."""
        return min((rung for rung in self.rules.ladder if rung > stake), default=None)

    def _may_raise(self, stake: int) -> bool:
        """T6: no bet once the stake is what both players still need; and there must be a rung."""
        return stake < self._most_needed() and self._next_rung(stake) is not None

    def _may_rest(self, stake: int) -> bool:
        """T6: nor a rest where the next rung already is the match."""
        rung = self._next_rung(stake)
        return stake < self._most_needed() and (rung is None or rung < self._most_needed())

    def _after(self, word: str) -> Position:
        match word:
            case "raise" | "rest":
                return self._bet(word)
            case "call":
                return replace(self._accept(), bet=None, must_play=True)
            case "fold":
                return self._fold()
            case "redeal":
                return replace(self, proposal="asked")
            case "refuse":
                return replace(self, proposal="closed")
            case "accept":
                return self._redeal()
            case _:
                return self._card(self.rules.ranks.index(word))

    def _bet(self, word: Literal["raise", "rest"]) -> LadderPosition:
        """T3; said in answer to a raise it accepts that raise first (T4, T5)."""
        speaker = self._speaker()
        before = self._accept() if self.bet else self
        stake = before._next_rung(before.accepted) if word == "raise" else before._most_needed()
        assert stake is not None, "raise is legal only below the last rung"
        return replace(before, bet=Bet(speaker, word, stake), proposal="closed")

    def _accept(self) -> LadderPosition:
        """T4: the stake is the bet's."""
        assert self.bet is not None, "only a bet can be accepted"
        return replace(self, accepted=self.bet.stake, at_rest=self.bet.word == "rest", raiser=self.bet.by)

    def _fold(self) -> LadderPosition:
        """T4: the opponent scores the stake before the bet. T8: without a bet, the current stake."""
        winner = other(self._speaker())
        return replace(self, bet=None, result=Result(winner, self._amount()))

    def _redeal(self) -> LadderPosition:
        """T9: three new cards each; once."""
        assert self.new_deal is not None, "the referee asks for the new cards when the hand starts"
        return replace(self, proposal="closed", table=Table(rules=self.rules, hands=self.new_deal))

    def _card(self, card: int) -> LadderPosition:
        table = self.table.play(card)
        played = replace(self, table=table, must_play=False, proposal="closed")
        if not table.verdict.over:
            return played
        return replace(played, result=Result(table.verdict.winner, self._amount()))

    def _amount(self) -> Amount:
        return Prize.MATCH if self.at_rest else self.accepted
