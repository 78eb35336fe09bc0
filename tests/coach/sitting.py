"""Hands played without a terminal, by a random person against the solution."""

from __future__ import annotations

import random

from solver.coach.play import LiveHand, Match, Solutions
from solver.coach.record import HandRecord
from solver.coach.stored import best_choice
from solver.rules.catalogue import load
from solver.rules.model import RuleSet
from solver.rules.score import parse_score

#: name of the rules, options, score
Game = tuple[str, dict[str, str], str]

#: every kind of hand the two games have
GAMES: list[Game] = [
    ("truc", {"ranks": "3", "target": "4"}, "0-1"),
    ("truc", {"ranks": "3", "free_fold": "true", "counter_raise": "true", "remainder": "both"}, "9-8"),
    ("truc", {"ranks": "7 A 9", "copies": "4 6 2"}, "0-0"),
    ("trut", {"ranks": "3", "brelan": "true"}, "0.1-0.0"),
    ("trut", {"ranks": "3", "trut_window": "own_turn"}, "0.0-0.0"),
    ("trut", {"ranks": "3"}, "6.2-3.0"),
    ("trut", {"ranks": "3"}, "3.0-6.2"),
    ("trut", {"ranks": "2"}, "6.2-6.2"),
    ("trut-gatine", {"ranks": "2", "copies": "8"}, "0.2-1.0"),
    ("trut-gatine", {"ranks": "2", "copies": "8"}, "2.2-1.2"),
    ("trut-gatine", {"ranks": "3", "labels": "true"}, "1.1-1.0"),
    ("trut-gatine", {"ranks": "3", "chanter": "theorem", "tout_pate": "2", "copies": "7"}, "2.2-1.2"),
]


def match_of(game: Game, seed: int = 0) -> Match:
    name, options, score = game
    rules: RuleSet = load(name, options)
    return Match(rules, parse_score(rules, score), seed)


def played_at_random(match: Match, luck: random.Random, most: int = 100) -> LiveHand:
    """A hand in which both sides do anything that is legal, at most so many things."""
    hand = match.deal()
    while hand.position.to_act is not None and len(hand.position.history) < most:
        hand.play(luck.choice(hand.position.legal))
    return hand


def played_by_the_hints(match: Match, solutions: Solutions, hands: int) -> list[HandRecord]:
    """Hands in which the person always takes the best action of the hint."""
    records = []
    while match.winner is None and match.number <= hands:
        hand = match.deal()
        while hand.position.to_act is not None:
            advice = hand.hint(solutions) if hand.humans_turn else None
            if advice is not None:
                assert {one.action for one in advice.actions} == set(hand.position.legal)
                hand.play(best_choice(advice).action)
            elif hand.humans_turn:
                hand.play(hand.position.legal[-1])
            else:
                hand.play(hand.opponents_choice(solutions))
        records.append(hand.record("you", "solution"))
        match.settle(hand)
    return records
