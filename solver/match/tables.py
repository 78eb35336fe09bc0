"""Equity tables in memory and on disk: chances at every score, with the bounds that best responses give."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import polars

from solver.rules.model import RuleSet
from solver.rules.score import Score, award
from solver.strategy.equity import key_columns, score_key


@dataclass(frozen=True, slots=True)
class StateValue:
    """One score, all chances of the elder of a hand there to win the match.

    value   both sides play the stored strategies from here on
    upper   the elder answers best for the whole match; lower: the dealer does
    """

    value: float
    lower: float
    upper: float


@dataclass(slots=True)
class EquityTable:
    """Values of the scores solved so far."""

    rules: RuleSet
    values: dict[Score, StateValue] = field(default_factory=dict)

    def frame(self) -> polars.DataFrame:
        """Rows of equity.parquet, by score; ``point_worth`` is None at a score whose neighbour is not solved."""
        rows = []
        for score in sorted(self.values, key=lambda one: (one.elder, one.dealer)):
            found = self.values[score]
            key = dict(zip(key_columns(self.rules), score_key(self.rules, score), strict=True))
            rows.append(
                {**key, "elder_wins": found.value, "lower": found.lower, "upper": found.upper,
                 "point_worth": self.point_worth(score), "rules": self.rules.name, "fingerprint": self.rules.fingerprint}
            )  # fmt: skip
        return polars.DataFrame(rows, infer_schema_length=None)

    def point_worth(self, score: Score) -> float | None:
        """What one more point or petit of the elder's is worth before a hand at this score, same seats."""
        after = award(self.rules, score, 0, 1 if self.rules.tokens == "points" else "petit")
        here = self.values[score].value
        if isinstance(after, int):
            return 1.0 - here
        there = self.values.get(after.swapped())
        return None if there is None else there.value - here

    def save(self, path: Path) -> None:
        """Write the table beside its place and rename it."""
        handle, name = tempfile.mkstemp(prefix=".equity.", dir=path.parent)
        os.close(handle)
        try:
            self.frame().write_parquet(name)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
