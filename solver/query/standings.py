"""What a score is worth: rows of an equity table with what a point and the seat are worth there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from solver.match.tables import EquityTable, read_table
from solver.rules.model import RuleSet
from solver.rules.score import Score, format_score


def standings(rules: RuleSet, path: Path, score: Score | None = None) -> list[dict[str, Any]]:
    """A row a score of an equity table, or that of one score; FileError when it was made for other rules.

    elder_wins     chance of the elder of the next hand to win the match; lower, upper: bounds of the true value
    point_worth    what one more point or petit of the elder's would add
    lead_worth     what leading adds against dealing with the same points on either side
    """
    values = read_table(rules, path)
    table = EquityTable(rules, values)
    wanted = sorted(values, key=lambda one: (one.elder, one.dealer)) if score is None else [score]
    rows = []
    for one in wanted:
        if one not in values:
            continue
        found, seats = values[one], values.get(one.swapped())
        rows.append(
            {
                "score": format_score(rules, one),
                "elder_wins": found.value,
                "lower": found.lower,
                "upper": found.upper,
                "point_worth": table.point_worth(one),
                "lead_worth": None if seats is None else found.value - (1.0 - seats.value),
            }
        )
    return rows
