"""Why a hand does what it does: chances to win, what folding costs, what the other side holds by now.

Chances to win are of the hand, not of the match, both sides playing the solution; a hand won by nobody counts as not
won. A chance "if called" is among the deals and hands that call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.cards.notation import parse_hand
from solver.query.advise import Advice, advice_of, point_after, row_of
from solver.query.cells import other_hands
from solver.query.decisions import Decision
from solver.query.point import decision_of, view_of
from solver.query.stats import classes
from solver.rules.score import SEAT_NAMES
from solver.rules.words import BETS
from solver.strategy.solution import Solution
from solver.tree.build import HandGame
from solver.tree.history import Point
from solver.tree.reading import edge_at, edge_with, player_of

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """A class of the other side's hands: how likely by now, and how likely by the cards alone that were laid."""

    hand_class: str
    share: float
    dealt: float


@dataclass(frozen=True, slots=True)
class Called:
    """A bet of one's own: how often it is folded to, and the chance to win the hand if not (None: never)."""

    word: str
    folds: float
    wins: float | None


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons of one decision.

    wins        chance to win the hand after each action, None where the other side never comes here
    called      own bets; fold_costs: what folding loses against the best action, None where nobody asks
    other       elder or dealer; bet: what the other side has just said that waits for an answer, "" if nothing
    said        elder or dealer and the bet that was just said without anybody being asked (U7), None if none was
    held        the other side's hands by class, strongest classes first
    """

    advice: Advice
    wins: dict[str, float | None]
    called: list[Called]
    fold_costs: float | None
    other: str
    bet: str
    said: tuple[str, str] | None
    held: list[Share]


def why(solution: Solution, hand: str, history: str = "") -> Why:
    """The reasons for what a hand does after a history; UsageError as for ``advise``."""
    game = solution.game
    cards, point = parse_hand(game.rules, hand), point_after(game, history)
    decision = decision_of(solution, point)
    seen = view_of(solution, decision)
    row = row_of(game, point, seen, cards)
    advice = advice_of(solution, seen, row)
    paid = replace(solution, game=replace(game, worth=winning(game, seen.seat)))
    won = decision_of(paid, point, best=False)
    wins = {one.action: chance(won.ev[won.actions.index(one.action), row]) for one in advice.actions}
    called = [bet_of(decision, row, word, wins[word]) for word in advice_words(advice) if word in decision.bets]
    folding = [one.loss for one in advice.actions if one.action == "fold"]
    costs = folding[0] if folding and folding[0] == folding[0] else None
    bet, said = last_bet(game, point)
    return Why(advice, wins, called, costs, SEAT_NAMES[1 - seen.seat], bet, said, shares(game, decision, row))


def advice_words(advice: Advice) -> list[str]:
    """The actions of an advice."""
    return [one.action for one in advice.actions]


def chance(number: float) -> float | None:
    """A probability without rounding errors, None for NaN."""
    return min(max(float(number), 0.0), 1.0) + 0.0 if number == number else None


def winning(game: HandGame, seat: int) -> Doubles:
    """Worth of the outcomes, to the elder, when a hand won by ``seat`` pays ``seat`` one, and anything else nothing."""
    sign = 1.0 if seat == 0 else -1.0
    return game.worth_by(lambda winner, amount: sign * float(winner == seat))


def last_bet(game: HandGame, point: Point) -> tuple[str, tuple[str, str] | None]:
    """The bet that waits for an answer at a point, "" if none does; and who has just said which that asks nobody."""
    last = edge_at(game.tree, point.path[-1][0]) if point.path else None
    if last is None or last.word not in BETS:
        return "", None
    if edge_with(game.tree, last.child, "fold"):
        return last.word, None
    return "", (SEAT_NAMES[player_of(game.tree, last.source)], last.word)


def shares(game: HandGame, decision: Decision, row: int) -> list[Share]:
    """The other side's hands by class; none where it never comes here."""
    rows = decision.rows
    at = int(rows.board[row]), int(rows.lead[row]), int(rows.held[row])
    hands, dealt, here = other_hands(game, decision.node, decision.seat, decision.way, at)
    if not here.sum() > 0:
        return []
    kinds = classes(game.rules)
    of, size = kinds.of[hands], len(kinds.names)
    now, before = (np.bincount(of, weights=one / one.sum(), minlength=size) for one in (here, dealt))
    return [Share(name, float(now[k]), float(before[k])) for k, name in enumerate(kinds.names) if before[k] > 0]


def bet_of(decision: Decision, row: int, word: str, overall: float | None) -> Called:
    """What comes of one's own bet; ``overall``: chance to win the hand after it."""
    folds = float(np.nan_to_num(decision.bets[word].folded[row]))
    if overall is None or folds > 1.0 - 1e-9:
        return Called(word, folds, None)
    return Called(word, folds, chance((overall - folds) / (1.0 - folds)))
