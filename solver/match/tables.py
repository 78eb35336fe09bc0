"""Equity tables in memory and on disk: chances at every score, with the bounds that best responses give."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import FileError
from solver.rules.model import RuleSet
from solver.rules.score import Prize, Score, award
from solver.strategy.equity import key_columns, score_key
from solver.strategy.parquet import read_frame, write_parquet

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class StateValue:
    """One score, all chances of the elder of a hand there to win the match.

    value   both sides play the stored strategies from here on
    upper   the elder answers best for the whole match; lower: the dealer does
    """

    value: float
    lower: float
    upper: float

    @property
    def gap(self) -> float:
        """nash_conv of the match from this score on: what both sides' best responses gain together."""
        return self.upper - self.lower


Values = Mapping[Score, StateValue]


@dataclass(slots=True)
class EquityTable:
    """Values of the scores solved so far."""

    rules: RuleSet
    values: dict[Score, StateValue] = field(default_factory=dict)

    def frame(self) -> polars.DataFrame:
        """Rows of equity.parquet, by score; ``point_worth`` is None at a score whose neighbour is not solved."""
        import polars

        rows = []
        for score in sorted(self.values, key=lambda one: (one.elder, one.dealer)):
            found = self.values[score]
            key = dict(zip(key_columns(self.rules), score_key(self.rules, score), strict=True))
            rows.append(
                {
                    **key,
                    "elder_wins": found.value,
                    "lower": found.lower,
                    "upper": found.upper,
                    "point_worth": self.point_worth(score),
                    "rules": self.rules.name,
                    "fingerprint": self.rules.fingerprint,
                }
            )
        return polars.DataFrame(rows, infer_schema_length=None)

    def point_worth(self, score: Score) -> float | None:
        """What one more point or petit of the elder's is worth before a hand at this score, same seats."""
        after = award(self.rules, score, 0, 1 if self.rules.tokens == "points" else Prize.PETIT)
        here = self.values[score].value
        if isinstance(after, int):
            return 1.0 - here
        there = self.values.get(after.swapped())
        return None if there is None else there.value - here

    def content(self) -> bytes:
        """The table as a file."""
        file = io.BytesIO()
        write_parquet(self.frame(), file)
        return file.getvalue()


def read_table(rules: RuleSet, path: Path) -> dict[Score, StateValue]:
    """The rows of equity.parquet; FileError when it is missing, damaged or made for other rules."""
    keys = key_columns(rules)
    frame = read_frame(path)
    missing = [name for name in (*keys, "elder_wins", "lower", "upper", "fingerprint") if name not in frame.columns]
    if missing:
        raise FileError(f"'{path}' is no equity table of a match of {rules.name}: it lacks the column '{missing[0]}'.")
    if frame["fingerprint"].unique().to_list() != [rules.fingerprint]:
        names = ", ".join(map(str, frame["rules"].unique().to_list())) if "rules" in frame.columns else "others"
        raise FileError(f"'{path}' was made for the rules '{names}', not for these options of '{rules.name}'.")
    found = {}
    for row in frame.select(*keys, "elder_wins", "lower", "upper").iter_rows():
        numbers, (value, lower, upper) = row[:-3], row[-3:]
        sides = [(n, 0) for n in numbers] if len(keys) == 2 else [numbers[:2], numbers[2:]]
        found[Score(*sides)] = StateValue(value, lower, upper)
    return found
