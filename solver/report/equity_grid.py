"""An equity table as a chart shows it: a square of chances with the scores along its sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars
from numpy.typing import NDArray

from solver.errors import FileError, UsageError
from solver.match.record import MATCH
from solver.reading import parse_json
from solver.report.wording import Wording, rules_text
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.strategy.equity import EQUITY, POINTS_KEYS, TOKEN_KEYS
from solver.strategy.parquet import RUN, read_frame

BOUNDS = ("lower", "upper")
NEEDED = ("elder_wins", "rules", "fingerprint")


@dataclass(frozen=True, slots=True)
class EquityGrid:
    """Chance that the elder wins the match.

    sides        scores of one side, "7" or "5.2", in rising order; rows the elder's, columns the dealer's
    elder_wins   float64 [sides, sides]; NaN where the table has no such score
    error           largest distance from a chance to its bounds; NaN if the table has none
    exploitability  of the whole match from its start, in matches; NaN if that is not known
    options         the rules, if they are a preset or described beside the table
    """

    name: str
    fingerprint: str
    sides: tuple[str, ...]
    elder_wins: NDArray[np.float64]
    error: float
    exploitability: float
    options: RuleSet | None

    def rules_line(self, say: Wording) -> str:
        """Name of the rule set and what is known of its options."""
        if self.options is not None:
            return rules_text(self.options)
        return f"{self.name}, {say.text('other options', fingerprint=self.fingerprint)}"


def read_grid(place: Path) -> EquityGrid:
    """Read a file, or a folder with ``equity.parquet``; FileError when it cannot be read as one."""
    path = place / EQUITY if place.is_dir() else place
    if not path.is_file():
        raise FileError(f"There is no equity table at '{path}'; `truc-solve match` makes one.")
    frame = read_frame(path, again="`truc-solve match` makes it again")
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
    rules = known_rules(path, name, fingerprint)
    return EquityGrid(name, fingerprint, labels, chances, widest(frame), from_start(frame, keys), rules)


def widest(frame: polars.DataFrame) -> float:
    """The largest distance from a chance to its bounds."""
    if not set(BOUNDS) <= set(frame.columns):
        return float("nan")
    chance = frame["elder_wins"].to_numpy()
    lower, upper = frame["lower"].to_numpy(), frame["upper"].to_numpy()
    return float(np.max(np.maximum(chance - lower, upper - chance)))


def from_start(frame: polars.DataFrame, keys: Sequence[str]) -> float:
    """Exploitability of the match that begins with nothing on either side: half the gap of its bounds."""
    start = frame.filter(polars.all_horizontal(polars.col(key) == 0 for key in keys))
    if start.is_empty() or not set(BOUNDS) <= set(frame.columns):
        return float("nan")
    return float(start["upper"][0] - start["lower"][0]) / 2.0


def known_rules(path: Path, name: str, fingerprint: str) -> RuleSet | None:
    """The rules of that fingerprint: a preset, or options in a description beside the table."""
    candidates = [catalogue.load(name, {})] if name in catalogue.names() else []
    for description in (path.parent / MATCH, path.parent / RUN):
        if description.is_file():
            try:
                options = parse_json(description.read_bytes())["options"]
                candidates.append(RuleSet(name=name, **options))
            except (ValueError, KeyError, TypeError, UsageError) as error:
                raise FileError(f"'{description}' beside the equity table is damaged ({error}).") from error
    return next((rules for rules in candidates if rules.fingerprint == fingerprint), None)
