"""An equity table as a chart shows it: a square of chances with the scores along its sides."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars
from numpy.typing import NDArray

from solver.errors import FileError
from solver.report.wording import Wording, rules_text
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.strategy.equity import EQUITY, POINTS_KEYS, TOKEN_KEYS
from solver.strategy.store import RUN

NEEDED = ("elder_wins", "rules", "fingerprint")


@dataclass(frozen=True, slots=True)
class EquityTable:
    """Chance that the elder wins the match.

    sides        scores of one side, "7" or "5.2", in rising order; rows the elder's, columns the dealer's
    elder_wins   float64 [sides, sides]; NaN where the table has no such score
    error        largest half width of the bounds; NaN if the table has none
    """

    name: str
    fingerprint: str
    sides: tuple[str, ...]
    elder_wins: NDArray[np.float64]
    error: float
    options: RuleSet | None

    def rules_line(self, say: Wording) -> str:
        """Name of the rule set and what is known of its options."""
        if self.options is not None:
            return rules_text(self.options)
        return f"{self.name}, {say.text('other options', fingerprint=self.fingerprint)}"


def read_table(place: Path) -> EquityTable:
    """Read a file, or a folder with ``equity.parquet``; FileError when it cannot be read as one."""
    path = place / EQUITY if place.is_dir() else place
    if not path.is_file():
        raise FileError(f"There is no equity table at '{path}'; `truc-solve match` makes one.")
    try:
        frame = polars.read_parquet(path)
    except (polars.exceptions.PolarsError, OSError) as error:
        raise FileError(
            f"'{path}' is damaged or no parquet file; `truc-solve match` makes it again."
        ) from error
    keys = TOKEN_KEYS if TOKEN_KEYS[0] in frame.columns else POINTS_KEYS
    missing = [column for column in (*keys, *NEEDED) if column not in frame.columns]
    if missing or frame.is_empty():
        fault = f"it lacks the column '{missing[0]}'" if missing else "it has no row"
        raise FileError(f"'{path}' is no equity table: {fault}.")
    name, fingerprint = str(frame["rules"][0]), str(frame["fingerprint"][0])
    half = len(keys) // 2
    rows = [tuple(map(int, row)) for row in frame.select(keys).iter_rows()]
    sides = sorted({row[:half] for row in rows} | {row[half:] for row in rows})
    chances = np.full((len(sides), len(sides)), np.nan)
    for row, chance in zip(rows, frame["elder_wins"].to_list(), strict=True):
        chances[sides.index(row[:half]), sides.index(row[half:])] = chance
    labels = tuple(".".join(map(str, side)) for side in sides)
    return EquityTable(
        name, fingerprint, labels, chances, widest(frame), known_rules(path, name, fingerprint)
    )


def widest(frame: polars.DataFrame) -> float:
    """The largest distance from a chance to its bounds."""
    if not {"lower", "upper"} <= set(frame.columns):
        return float("nan")
    chance = frame["elder_wins"].to_numpy()
    lower, upper = frame["lower"].to_numpy(), frame["upper"].to_numpy()
    return float(np.max(np.maximum(chance - lower, upper - chance)))


def known_rules(path: Path, name: str, fingerprint: str) -> RuleSet | None:
    """The rules of that fingerprint: a preset, or the options in ``run.json`` beside the table."""
    candidates = [catalogue.load(name, {})] if name in catalogue.names() else []
    run = path.parent / RUN
    if run.is_file():
        try:
            candidates.append(RuleSet(name=name, **json.loads(run.read_text("utf-8"))["options"]))
        except (ValueError, KeyError, TypeError) as error:
            raise FileError(f"'{run}' beside the equity table is damaged ({error}).") from error
    return next((rules for rules in candidates if rules.fingerprint == fingerprint), None)
