"""One point of the tree under a solution: who acts, with what, how often it is reached, what every action is worth.

Values are conditional: the acting side's expected payoff in the unit of the solution, given its own hand and that the
point is reached, when it goes on as well as it can against the other side's stored strategy. What an action loses is
measured from there, so a move that the solution never makes is not blamed for what the solution never trained after it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import multisets
from solver.errors import UsageError
from solver.query.decisions import Decision, Doubles
from solver.query.visitor import decision_at
from solver.rules.options import HAND_SIZE
from solver.strategy.solution import Solution
from solver.tree.history import Point
from solver.tree.model import DECISION, REVEAL, SHOW
from solver.tree.reading import node_at


@dataclass(frozen=True, slots=True)
class PointView:
    """Rows are the hands the acting side may still have here, strongest ranks first.

    seat       0 elder, 1 dealer
    hands      int8 [rows, 3]: whole hand, laid cards included
    actions    what may be done: words, and card labels
    frequency  float64 [rows, actions]; NaN where a hand has no such action
    ev         float64 [rows, actions]; NaN likewise, and where the other side never comes here
    value      float64 [rows]: mean of ev over what the solution does
    reach      float64 [rows]: how often the hand is held and the point is reached
    dealt      float64 [rows]: the chance of the hand and what is seen of the other's cards, whatever is said
    """

    seat: int
    hands: NDArray[np.int8]
    actions: list[str]
    frequency: Doubles
    ev: Doubles
    value: Doubles
    reach: Doubles
    dealt: Doubles


class Abridged(Solution):
    """A solution of which only some points are kept, as they were seen when all of it was there."""

    def view(self, point: Point) -> PointView:
        """What was kept of a decision point."""
        raise NotImplementedError


def view(solution: Solution, point: Point) -> PointView:
    """Everything about a decision point; UsageError when the hand is over there."""
    if isinstance(solution, Abridged):
        return solution.view(point)
    return view_of(solution, decision_of(solution, point))


def decision_of(solution: Solution, point: Point, best: bool = True) -> Decision:
    """The decision at a point, or the last card there, only with what was laid there and what some hand can do."""
    if point.over or node_at(solution.game.tree, point.node).kind not in (DECISION, REVEAL, SHOW):
        raise UsageError("Nothing is left to decide after this history: the hand is over.")
    every = decision_at(solution, point, best)
    return every.at((every.rows.board == point.board) & (every.rows.lead == point.lead))


def view_of(solution: Solution, decision: Decision) -> PointView:
    """A decision of one board as a table of hands."""
    hands = multisets(HAND_SIZE, len(solution.game.rules.ranks)).cards[decision.rows.hand]
    zero, rows = solution.own_zero(decision.seat), decision.rows
    frequency, ev = decision.frequency.T, decision.ev.T + zero
    mean = np.nansum(np.where(frequency > 0, frequency * ev, 0.0), axis=1)
    value = np.where(np.isnan(ev).all(axis=1), np.nan, mean)
    return PointView(decision.seat, hands, decision.actions, frequency, ev, value, rows.reach, rows.dealt)
