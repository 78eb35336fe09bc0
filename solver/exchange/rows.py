"""A whole strategy as plain rows, decision by decision: history, seat, hand, action, frequency, reach, ev."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars

from solver.cards.hands import multisets
from solver.cards.notation import format_hand
from solver.query.decisions import Decision
from solver.query.visitor import every_decision
from solver.rules.options import HAND_SIZE
from solver.rules.score import SEAT_NAMES
from solver.strategy.solution import Solution
from solver.tree.history import Histories

Sink = Callable[[polars.DataFrame], None]

COLUMNS = ("history", "seat", "hand", "action", "frequency", "reach", "ev")


def write_rows(solution: Solution, sink: Sink) -> None:
    """Hand over all rows, a frame a decision, the elder's decisions first."""
    rules, histories = solution.game.rules, Histories(solution.game)
    cards = multisets(HAND_SIZE, len(rules.ranks)).cards.tolist()
    hands = polars.Series([format_hand(rules, tuple(hand)) for hand in cards])

    def frame(decision: Decision) -> None:
        rows, (row, action) = decision.rows, np.nonzero(~np.isnan(decision.frequency.T))
        places = histories.places(rows.board, rows.lead)[row]
        sink(
            polars.DataFrame(
                {
                    "history": polars.Series(histories.texts(decision.path)).gather(places),
                    "seat": polars.Series([SEAT_NAMES[decision.seat]]).new_from_index(0, len(row)),
                    "hand": hands.gather(rows.hand[row]),
                    "action": polars.Series(decision.actions).gather(action),
                    "frequency": decision.frequency[action, row],
                    "reach": rows.reach[row],
                    "ev": polars.Series(decision.ev[action, row] + solution.own_zero(decision.seat)).fill_nan(None),
                }
            )
        )

    every_decision(solution, frame)
