"""Any rule set as an explicit game: every deal is played out by the referee, which alone knows the rules.

Cards dealt later (the redeal of T9, the singing of G5, the tout pâté of G6) are chance nodes. The referee is
told all deals when a hand starts, so behind such a node the hand starts again with one deal more, and the
same words and cards are repeated up to there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from solver.errors import UsageError
from solver.rules.model import RuleSet
from solver.rules.referee import DEALER, Position, Referee, Result, payoff, stub_deals
from solver.rules.score import Score

from .deck import Hand, deals, left
from .extensive import Chance, Deal, Game, InfoSet, Node, Number, Terminal, choose

Pair = tuple[Hand, Hand]
Private = tuple[tuple[Hashable, ...], tuple[Hashable, ...]]
Pay = Callable[[Result], Number]


def points(rules: RuleSet, score: Score) -> Pay:
    """The elder's payoff in points (T12, U9), exact; a drawn hand pays 0 even where it is dealt again."""

    def pay(result: Result) -> Number:
        exact = Fraction(payoff(rules, score, result))
        return int(exact) if exact.denominator == 1 else exact

    return pay


def refereed(rules: RuleSet, score: Score, pay: Pay | None = None, skip_forced: bool = True) -> Game:
    """The hand game at a score.

    A player's private knowledge is a tuple in order of time: every hand dealt to him, every word of his that
    the other could not hear in full (the three cards kept of six, G5). The public history holds every token,
    silences included. With `skip_forced` a node with one legal action is left out; its token stays in the
    history.

    Raises:
        UsageError: singing in full with a tout pâté, whose stub holds cards that only one player has seen.
    """
    if rules.chanter == "full" and rules.tout_pate:
        raise UsageError(f"chanter full is judged without tout_pate, not with {rules.tout_pate}; allowed: 0.")
    table = _Table(rules, Referee(rules, score), pay or points(rules, score), skip_forced)
    dealt = []
    for weight, hand0, hand1 in deals(rules.copies):
        first = (hand0, hand1)
        root = table.grow(_Moment(table.start((first,)), (), (first,), ((hand0,), (hand1,))))
        dealt.append(Deal(weight, first, root))
    return Game(rules.name, tuple(dealt))


@dataclass(frozen=True)
class _Moment:
    """A position, how to reach it (`said` over the deals `seen`), and what each seat alone knows."""

    position: Position
    said: tuple[str, ...]
    seen: tuple[Pair, ...]
    private: Private


@dataclass
class _Table:
    """One game being written out; equal leaves are shared."""

    rules: RuleSet
    referee: Referee
    pay: Pay
    skip_forced: bool
    leaves: dict[Result, Terminal] = field(default_factory=dict)

    @property
    def sings(self) -> bool:
        """Is this the hand of G5, played in full?"""
        return self.referee.kind.name == "chanter" and self.rules.chanter == "full"

    def start(self, seen: tuple[Pair, ...]) -> Position:
        """The first position; where the referee wants a later deal in advance, any stands in for it."""
        if len(seen) == 1 and (self.rules.redeal or self.sings):
            return self.start((*seen, self.stub(seen)[0][1]))
        return self.referee.start(seen[0], seen[1:])

    def stub(self, seen: tuple[Pair, ...]) -> list[tuple[int, Pair]]:
        """What may be dealt next: weight and three cards each."""
        rest = left(self.rules.copies, *(hand for pair in seen for hand in pair))
        return [(weight, (hand0, hand1)) for weight, hand0, hand1 in deals(rest)]

    def grow(self, moment: _Moment) -> Node:
        """The tree below a moment."""
        position = moment.position
        if position.result is not None:
            if position.result not in self.leaves:
                self.leaves[position.result] = Terminal(self.pay(position.result))
            return self.leaves[position.result]
        seat = position.to_act
        assert seat is not None
        key = InfoSet(seat, moment.private[seat], position.history)
        return choose(key, position.legal, lambda token: self.follow(moment, token), self.skip_forced)

    def follow(self, moment: _Moment, token: str) -> Node:
        """The tree behind a token: chance if cards are dealt now, else the next moment."""
        seat = moment.position.to_act
        after = moment.position.play(token)
        rotten = after.result is not None and after.result.again
        if token == "accept" or (token == "sing" and seat == DEALER):
            return self.deal(moment, token)
        if rotten and len(moment.seen) <= stub_deals(self.rules):
            return self.deal(moment, token)
        private = moment.private
        if after.history[-1][1] != token:
            private = _learn(private, (token, None) if seat == 0 else (None, token))
        return self.grow(_Moment(after, (*moment.said, token), moment.seen, private))

    def deal(self, moment: _Moment, token: str) -> Node:
        """Chance deals three cards each from the stub, then play goes on."""
        said = (*moment.said, token)
        branches = []
        for weight, pair in self.stub(moment.seen):
            seen = (*moment.seen, pair)
            position = self.start(seen)
            for word in said:
                position = position.play(word)
            branches.append((weight, self.grow(_Moment(position, said, seen, _learn(moment.private, pair)))))
        return Chance(tuple(branches))


def _learn(private: Private, news: tuple[Hashable, Hashable]) -> Private:
    """Each seat's knowledge with its part of the news; None is no news."""
    mine, yours = (
        (*known, new) if new is not None else known for known, new in zip(private, news, strict=True)
    )
    return mine, yours
