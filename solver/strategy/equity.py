"""Equity tables on disk: the chance of winning the match at every score."""

from __future__ import annotations

from pathlib import Path

import polars

from solver.errors import FileError
from solver.rules.model import RuleSet
from solver.rules.score import SEAT_NAMES, Score, format_score
from solver.strategy.parquet import read_frame
from solver.strategy.shipped import shipped
from solver.tree.utility import Equity

EQUITY = "equity.parquet"
POINTS_KEYS = SEAT_NAMES
TOKEN_KEYS = ("elder_longs", "elder_petits", "dealer_longs", "dealer_petits")


def key_columns(rules: RuleSet) -> tuple[str, ...]:
    """Columns that name a score: points, or longs and petits of both sides."""
    return POINTS_KEYS if rules.tokens == "points" else TOKEN_KEYS


def score_key(rules: RuleSet, score: Score) -> tuple[int, ...]:
    """A score as the key columns hold it."""
    if rules.tokens == "points":
        return score.elder[0], score.dealer[0]
    return (*score.elder, *score.dealer)


def equity_file(place: Path) -> Path:
    """The table itself, that of a folder, or that of the match a state's folder belongs to."""
    if not place.is_dir():
        return place
    own, of_match = place / EQUITY, place.resolve().parent.parent / EQUITY
    return of_match if not own.is_file() and of_match.is_file() else own


def read_equity(rules: RuleSet, place: Path | None) -> Equity:
    """Chance of the elder at a score, from a file or a folder with ``equity.parquet``, by default the book's.

    FileError when there is none, it is damaged, was made for other rules, or lacks a score.
    """
    place = shipped(rules) if place is None else place
    if place is None:
        raise FileError("The unit match needs an equity table: `truc-solve match` makes it, --equity FILE names it.")
    path = equity_file(place)
    if not path.is_file():
        raise FileError(f"There is no equity table at '{path}'; `truc-solve match {rules.name}` makes one.")
    return equity_of(rules, read_frame(path, again=f"`truc-solve match {rules.name}` makes it again"), path)


def equity_of(rules: RuleSet, frame: polars.DataFrame, path: Path) -> Equity:
    """The chances in a table that was read; FileError when it was made for other rules or lacks a column."""
    keys = key_columns(rules)
    missing = [column for column in (*keys, "elder_wins", "rules", "fingerprint") if column not in frame.columns]
    if missing:
        raise FileError(f"'{path}' is no equity table of these rules: it lacks the column '{missing[0]}'.")
    made_for = frame["fingerprint"].unique().to_list()
    if made_for != [rules.fingerprint]:
        names = ", ".join(map(str, frame["rules"].unique().to_list()))
        raise FileError(f"'{path}' was made for the rules '{names}', not for these options of '{rules.name}'.")
    table = dict(zip(frame.select(keys).iter_rows(), frame["elder_wins"].to_list(), strict=True))

    def equity(score: Score) -> float:
        key = score_key(rules, score)
        if key not in table:
            raise FileError(f"'{path}' has no score {format_score(rules, score)}; the match was not finished.")
        return float(table[key])

    return equity
