"""Binding the book: what the states of a solved match say at the first decisions, and how often all is said.

Run as a program with a match folder and the folder of the book:
``python -m solver.book.binding MATCH BOOK``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars
from numpy.typing import NDArray

from solver.cards.hands import multisets
from solver.cards.notation import format_hand
from solver.files import write_bytes, write_json, written
from solver.match.record import MATCH, read_record, recorded_rules
from solver.match.scores import all_scores
from solver.match.state import state_folder
from solver.match.workers import local_workers
from solver.query.advise import HARDLY_EVER
from solver.query.decisions import Decision
from solver.query.stats import Tally
from solver.query.visitor import every_decision
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.score import format_score
from solver.strategy import store
from solver.strategy.equity import EQUITY
from solver.strategy.parquet import FILES, digest_of
from solver.strategy.redeals import cache_file, keep, redeal_values
from solver.strategy.shipped import OPENINGS, REDEALS, SPOKEN, STATES, SUMS
from solver.strategy.solution import Solution
from solver.tree.history import Histories, words_of

#: decisions after more words and cards than this are not in the book: the first of the hand, and the first answer
DEEPEST = 1
#: keys of the whole hand's counts
SPOKEN_KEYS = ("seat", "trick", "word")
#: parts of one to which chances of the match, losses and frequencies are kept
WORTH_GRAIN, LOSS_GRAIN, FREQUENCY_GRAIN = 2.0**-11, 2.0**-12, 2.0**-7
#: binary digits that losses and arrivals, and sums, keep
FEW_BITS, SUM_BITS = 4, 12
#: rows in a piece of the file: as many as there are, which compresses best
ROW_GROUP = 1 << 24


Doubles = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(slots=True)
class Page:
    """What the book says of one score, filled decision by decision."""

    solution: Solution
    frames: list[polars.DataFrame] = field(default_factory=list)
    hands: polars.Series = field(init=False)

    def __post_init__(self) -> None:
        rules = self.solution.game.rules
        every = multisets(HAND_SIZE, len(rules.ranks)).cards.tolist()
        self.hands = polars.Series([format_hand(rules, tuple(one)) for one in every])

    def add(self, decision: Decision) -> None:
        """Rows of a decision that comes early enough."""
        if len(words_of(self.solution.game, decision.path)) > DEEPEST:
            return
        rows, arrival, best = decision.rows, decision.rows.arrival, decision.best
        texts = Histories(self.solution.game).texts(decision.path)
        row, action = np.nonzero(~np.isnan(decision.frequency.T) & (arrival >= HARDLY_EVER)[:, None])
        opens = np.diff(row, prepend=-1) > 0
        worth = best + self.solution.own_zero(decision.seat)
        self.frames.append(
            polars.DataFrame(
                {
                    "history": polars.Series(texts, dtype=polars.String).gather(rows.board[row]),
                    "hand": self.hands.gather(rows.hand[row]),
                    "action": polars.Series(decision.actions).gather(action),
                    "frequency": grained(decision.frequency[action, row], FREQUENCY_GRAIN),
                    "loss": shortened(grained(best[row] - decision.ev[action, row], LOSS_GRAIN), FEW_BITS),
                    "best": once(grained(worth[row], WORTH_GRAIN), opens),
                    "arrival": once(shortened(arrival[row], FEW_BITS), opens),
                }
            )
        )


def grained(numbers: Doubles, grain: float) -> Singles:
    """Rounded to multiples of a power of two, which float32 holds exactly: small on disk."""
    return np.asarray(np.round(numbers / grain) * grain, np.float32)


def shortened(numbers: Doubles | Singles, bits: int) -> Singles:
    """Rounded to a number of binary digits."""
    part, power = np.frexp(np.asarray(numbers, np.float64))
    return np.asarray(np.ldexp(np.round(np.ldexp(part, bits)), power - bits), np.float32)


def once(numbers: Singles, first: NDArray[np.bool_]) -> polars.Series:
    """The numbers on the first row of each hand, null on its others."""
    return polars.Series(np.where(first, numbers, np.float32(np.nan))).fill_nan(None)


Bound = tuple[polars.DataFrame, polars.DataFrame, dict[str, object]]


def bind_score(folder: Path, score: str) -> Bound:
    """First decisions, counts and claims of one state's folder."""
    solution = store.load(folder)
    page, tally = Page(solution), Tally(solution, SPOKEN_KEYS)

    def sink(decision: Decision) -> None:
        page.add(decision)
        tally.add(decision)

    every_decision(solution, sink)
    keyed = [dict(zip(SPOKEN_KEYS, key, strict=True)) for key in tally.groups]
    sums = [dict(zip(SUMS, shortened(one, SUM_BITS).tolist(), strict=True)) for one in tally.groups.values()]
    openings = polars.concat(page.frames) if page.frames else polars.DataFrame()
    spoken = polars.DataFrame([{**key, **one} for key, one in zip(keyed, sums, strict=True)])
    claim = {
        "score": score,
        "value": solution.claim.value,
        "elder_best": solution.claim.best_response[0],
        "dealer_best": solution.claim.best_response[1],
        "iterations": solution.facts["iterations"],
        "seconds": solution.facts["seconds"],
    }
    return under(score, openings), under(score, spoken), claim


def under(score: str, frame: polars.DataFrame) -> polars.DataFrame:
    """The rows with their score; a hand may have no decision at all."""
    return frame.select(polars.lit(score).alias("score"), polars.all()) if frame.height else polars.DataFrame()


def bind(match: Path, book: Path, workers: int = 1) -> Path:
    """Write the book's folder of a solved match; returns it."""
    rules = recorded_rules(match)
    scores = sorted(all_scores(rules), key=lambda one: (one.elder, one.dealer))
    jobs = [(state_folder(match, rules, score), format_score(rules, score)) for score in scores]
    with local_workers(workers) as pool:
        pages = list(pool.map(bind_score, *zip(*jobs, strict=True)))
    folder = book / rules.name
    folder.mkdir(parents=True, exist_ok=True)
    write(pages, folder)
    write_bytes(folder / EQUITY, (match / EQUITY).read_bytes())
    files = {name: digest_of((folder / name).read_bytes()) for name in (EQUITY, OPENINGS, SPOKEN, STATES)}
    write_json(folder / MATCH, read_record(match) | {FILES: files})
    if rules.tout_pate:
        keep_redeals(rules, book / REDEALS)
    return folder


def write(pages: Iterable[Bound], folder: Path) -> None:
    """The three tables of a folder, texts as categories."""
    openings, spoken, claims = zip(*pages, strict=True)
    small = [polars.col(polars.String).cast(polars.Categorical), polars.col(polars.Float64).cast(polars.Float32)]
    for frames, name in ((openings, OPENINGS), (spoken, SPOKEN)):
        told = [frame for frame in frames if frame.height]
        whole = polars.concat(told).with_columns(small)
        with written(folder / name) as file:
            whole.write_parquet(
                file, compression="brotli", compression_level=11, statistics=False,
                row_group_size=ROW_GROUP, data_page_size=ROW_GROUP,
            )  # fmt: skip
    with written(folder / STATES) as file:
        polars.DataFrame(list(claims)).write_parquet(file, compression="zstd")


def keep_redeals(rules: RuleSet, folder: Path) -> None:
    """The table of tout pâté beside the folders of the rule sets."""
    redeals = redeal_values(rules)
    keep(redeals, folder / cache_file(redeals).name)


if __name__ == "__main__":
    bind(Path(sys.argv[1]), Path(sys.argv[2]), os.cpu_count() or 1)
