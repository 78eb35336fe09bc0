"""The book: what ships with the package about whole matches, one folder a rule set.

In an installed package it lies in ``solver/book``, in a checkout in results/book: the wheel is built from that folder.
"""

from __future__ import annotations

from pathlib import Path

from solver.reading import parse_json
from solver.rules.model import RuleSet

#: what a folder of the book holds, besides equity.parquet
MATCH, OPENINGS, SPOKEN, STATES = "match.json", "openings.parquet", "spoken.parquet", "states.parquet"
#: columns of the counts behind `stats`, in the order of ``query.stats``
SUMS = ("offered", "chosen", "value", "loss", "answered", "folded", "known", "bluffs", "priced", "most_folds")
#: tables of tout pâté (G6), one file a deck
REDEALS = "redeals"


def book_root() -> Path:
    """The folder of the book; it need not be there."""
    package = Path(__file__).parents[1]
    installed = package / "book" / "matches"
    return installed if installed.is_dir() else package.parent / "results" / "book"


def shipped(rules: RuleSet) -> Path | None:
    """The book's folder of exactly these rules, None when it has none."""
    folder = book_root() / rules.name
    try:
        made_for = parse_json((folder / MATCH).read_bytes())["fingerprint"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return folder if made_for == rules.fingerprint else None
