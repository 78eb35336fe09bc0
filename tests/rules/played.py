"""Hands played from text, for the tests of the referee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.cards.notation import parse_hand, parse_history
from solver.rules.catalogue import load
from solver.rules.model import RuleSet
from solver.rules.referee import Position, Referee, Result
from solver.rules.score import Score, parse_score, start_score
from solver.rules.tricks import Deal


def rule_set(name: str, **options: str) -> RuleSet:
    return load(name, options)


def score_of(rules: RuleSet, text: str) -> Score:
    return parse_score(rules, text) if text else start_score(rules)


def deal(rules: RuleSet, text: str) -> Deal:
    """A deal from "7 8 A / K Q J", the elder's hand first."""
    elder, dealer = text.split("/")
    return parse_hand(rules, elder), parse_hand(rules, dealer)


def position(
    rules: RuleSet, hands: str, history: str = "", score: str = "", later: Sequence[str] = ()
) -> Position:
    """The position after a history in which silences may be left out."""
    referee = Referee(rules, score_of(rules, score))
    now = referee.start(deal(rules, hands), [deal(rules, text) for text in later])
    for token in parse_history(rules, history):
        while now.legal[-1:] == ("silent",) and (
            token.word not in now.legal or (token.seat is not None and token.seat != now.to_act)
        ):
            now = now.play("silent")
        assert token.seat in (None, now.to_act), f"{token} is not for seat {now.to_act}"
        now = now.play(token.word)
    return now


def result(rules: RuleSet, hands: str, history: str, score: str = "", later: Sequence[str] = ()) -> Result:
    ended = position(rules, hands, history, score, later).result
    assert ended is not None, "the hand is not over"
    return ended


def every_position(start: Position) -> Iterator[Position]:
    """All positions of one deal, `start` first."""
    yield start
    for token in start.legal:
        yield from every_position(start.play(token))
