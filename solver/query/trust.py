"""How far the figures of a point can be trusted: what its hands could still gain from there on.

A loss that is smaller than what both sides leave to gain from a point on is none that the solution can tell. A point
whose own hand leaves much is weakly trained, whether it is reached or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.evaluate.local import gains_at
from solver.query.decisions import Decision, Doubles
from solver.strategy.solution import Solution

WEAK = "weakly trained"
#: a gain that is so many times the exploitability of the whole hand is large
LARGE = 10.0
#: the least loss that is more than rounding, in the unit of the solution
LEAST_LOSS = 1e-6


@dataclass(frozen=True, slots=True)
class Trust:
    """Of every row of a decision, float64 [rows], in the unit of the solution.

    gain    what the hand would gain by a best response from the point on (its own local gain)
    limit   the largest loss that the solution cannot tell from zero: that gain, and the other side's mean gain from the
            same public state on, for both move what the actions are worth
    weak    bool [rows]: the gain is large, so the hand is weakly trained here
    """

    gain: Doubles
    limit: Doubles
    weak: np.ndarray[tuple[int], np.dtype[np.bool_]]


def trust_at(solution: Solution, decision: Decision) -> Trust:
    """Trust in the rows of a decision; walks the way to it, and for each side what is below it."""
    game, rows = solution.game, decision.rows
    sides = [
        gains_at(game.tree, game.worth, solution.behaviour, decision.path, side)
        for side in (decision.seat, 1 - decision.seat)
    ]
    shown = len(game.rules.ranks) if decision.node.leader >= 0 else 1
    state = rows.board * shown + (rows.lead if shown > 1 else 0)
    gain = sides[0][0][rows.lane]
    limit = np.maximum(gain + sides[1][1][state], LEAST_LOSS)
    return Trust(gain, limit, gain > max(LARGE * solution.claim.exploitability, LEAST_LOSS))
