"""What to do with one hand at one point of a hand, and what every other choice would lose.

Two marks keep a reader from trusting too much. An action is *indifferent* when it loses next to nothing
against the best one: such mixes are one of many that are as good. A hand is *hardly ever reached* when the
strategies play it this far in less than one of a thousand of the deals that allow it: nobody trained it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.cards.notation import format_card, format_hand, parse_hand, parse_history
from solver.errors import UsageError
from solver.query.point import PointView, view
from solver.rules.score import SEAT_NAMES
from solver.strategy.solution import Solution
from solver.tree.build import HandGame
from solver.tree.history import Point, cards_laid, silence, text_of, walk
from solver.tree.model import DECISION
from solver.tree.reading import node_at

HARDLY_EVER = 1e-3
INDIFFERENT = "indifferent"
RARE = "hardly ever reached"
#: the least loss that is more than rounding, in the unit of the solution
LEAST_LOSS = 1e-6


@dataclass(frozen=True, slots=True)
class Choice:
    """One action of a hand: how often it is taken, what it is worth, what it loses against the best one.

    ev and loss are NaN where the other side never comes here.
    """

    action: str
    frequency: float
    ev: float
    loss: float
    indifferent: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """Everything about one hand at one point; values in the unit of the solution, to the acting side.

    reach     how often the hand is held and the point reached
    arrival   the same among the deals that allow it
    then      what the hand does next if nobody says anything now (Trut windows), else None
    """

    hand: str
    history: str
    to_act: str
    reach: float
    arrival: float
    value: float
    actions: list[Choice]
    marks: list[str] = field(default_factory=list)
    then: Advice | None = None


def advise(solution: Solution, hand: str, history: str = "") -> Advice:
    """Advice for a hand after a history; UsageError when either cannot be, with what is allowed."""
    game = solution.game
    cards = parse_hand(game.rules, hand)
    point = point_after(game, history)
    seen = view(solution, point)
    advice = advice_of(solution, seen, row_of(game, point, seen, cards))
    return place(advice, text_of(game, point), next_own(solution, point, seen.seat, cards))


def place(advice: Advice, history: str, then: Advice | None) -> Advice:
    """The advice with its history, and with what comes next."""
    parts = (advice.hand, history, advice.to_act, advice.reach, advice.arrival, advice.value)
    return Advice(*parts, advice.actions, advice.marks, then)


def point_after(game: HandGame, history: str) -> Point:
    """The point after a history; UsageError with the position of the first word that cannot come there."""
    return walk(game, parse_history(game.rules, history))


def next_own(solution: Solution, point: Point, seat: int, cards: Sequence[int]) -> Advice | None:
    """Advice for the next decision of the same hand when both sides say nothing, if there is one."""
    game, after = solution.game, silence(solution.game, point)
    while after is not None and (node := node_at(game.tree, after.node)).kind == DECISION:
        if node.player == seat:
            seen = view(solution, after)
            return place(advice_of(solution, seen, row_of(game, after, seen, cards)), text_of(game, after), None)
        after = silence(game, after)
    return None


def indifference(solution: Solution) -> float:
    """The loss below which an action counts as as good as the best: twice what the solution may be off."""
    return max(2.0 * solution.claim.exploitability, LEAST_LOSS)


def advice_of(solution: Solution, seen: PointView, row: int) -> Advice:
    """One row of a view in words."""
    limit = indifference(solution)
    legal = np.flatnonzero(~np.isnan(seen.frequency[row])).tolist()
    worth = [float(seen.ev[row, k]) for k in legal]
    best = max((one for one in worth if one == one), default=float("nan"))
    close = sum(best - one <= limit for one in worth)
    choices = [
        Choice(
            seen.actions[k],
            float(seen.frequency[row, k]),
            one,
            best - one,
            close > 1 and best - one <= limit,
        )
        for k, one in zip(legal, worth, strict=True)
    ]
    arrival = min(float(seen.reach[row] / seen.dealt[row]), 1.0)
    marks = [INDIFFERENT] * (close > 1) + [RARE] * (arrival < HARDLY_EVER)
    hand = format_hand(solution.game.rules, tuple(seen.hands[row].tolist()))
    reach, value = float(seen.reach[row]), float(seen.value[row])
    return Advice(hand, "", SEAT_NAMES[seen.seat], reach, arrival, value, choices, marks)


def row_of(game: HandGame, point: Point, seen: PointView, cards: Sequence[int]) -> int:
    """The row of a hand in a view; UsageError that says why it cannot be held here."""
    rows = np.flatnonzero((seen.hands == np.array(sorted(cards), np.int8)).all(axis=1))
    if len(rows):
        return int(rows[0])
    laid = cards_laid(game, point)
    own, other = Counter(laid[seen.seat]), Counter(laid[1 - seen.seat])
    hand, who, rival = format_hand(game.rules, tuple(cards)), SEAT_NAMES[seen.seat], SEAT_NAMES[1 - seen.seat]
    lacking = own - Counter(cards)
    if lacking:
        names = named(game, lacking)
        raise UsageError(
            f"The hand {hand} lacks {names}, which the {who} has laid in this history; "
            f"allowed are hands of three cards with {named(game, own)}."
        )
    for rank, count in other.items():
        copies, held = game.rules.copies[rank], list(cards).count(rank)
        if held + count > copies:
            label = format_card(game.rules, rank)
            raise UsageError(
                f"The hand {hand} cannot be: it has {held} times {label} and the {rival} has laid {count}, "
                f"the deck has {copies}."
            )
    raise UsageError(f"The {who} cannot hold {hand} after this history; allowed are the hands of `table`.")


def named(game: HandGame, cards: Counter[int]) -> str:
    """Cards as they are counted: 7, or 2 times 8."""
    texts = [
        format_card(game.rules, rank) if count == 1 else f"{count} times {format_card(game.rules, rank)}"
        for rank, count in sorted(cards.items())
    ]
    return " and ".join(texts)
