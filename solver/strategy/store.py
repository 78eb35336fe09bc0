"""A solution folder: strategy.parquet, convergence.parquet, run.json.

The folder is written whole or not at all and read as it stood at one moment. run.json says what belongs together: a
digest of every other file, one of the frequencies, one of the payoffs, and fingerprints of the rules without and with
their name; the columns are in ``frames``.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars

from solver.cfr.solve import Measure
from solver.errors import FileError, UsageError
from solver.files import new_folder, write_json
from solver.reading import read_folder
from solver.rules.model import RuleSet
from solver.rules.score import Score, format_score, parse_score
from solver.strategy import parquet
from solver.strategy.description import (
    claim_of,
    damaged,
    describe,
    digest,
    facts_of,
    payoff_digest,
    rules_of,
    run_in,
)
from solver.strategy.equity import EQUITY, equity_of
from solver.strategy.frames import convergence_frame, measures_of, strategy_frame
from solver.strategy.parquet import FILES, check_content, digest_of, parse_frame, write_parquet
from solver.strategy.quantise import Counts
from solver.strategy.solution import Solution, game_at, game_for
from solver.tree.build import HandGame
from solver.tree.utility import match_utility

STRATEGY, CONVERGENCE, RUN = "strategy.parquet", "convergence.parquet", parquet.RUN


def save(solution: Solution, folder: Path, force: bool = True) -> Path:
    """Write the folder whole or not at all; returns it.

    force   also over a solution of another game. What the folder holds is looked at when all is written
    UsageError when that is not to be replaced, FileError when the folder cannot be; OSError names the folder.
    """
    game = solution.game
    only = None if force else (game.rules, game.score, game.unit)
    with new_folder(folder, lambda: check_replaced(folder, only)) as beside:
        write_files(solution, beside)
    solution.path = folder
    return folder


def write_files(solution: Solution, folder: Path) -> None:
    """The three files, and those of ``extra_files``."""
    with (folder / STRATEGY).open("wb") as file:
        write_parquet(strategy_frame(solution.game.tree, solution.stored), file)
    with (folder / CONVERGENCE).open("wb") as file:
        write_parquet(convergence_frame(solution.measures, solution.game.unit), file)
    if solution.extra_files is not None:
        solution.extra_files(folder)
    files = {path.name: digest_of(path.read_bytes()) for path in sorted(folder.iterdir())}
    write_json(folder / RUN, describe(solution) | {FILES: files})


def copy_equity(equity: Path, folder: Path) -> None:
    """Put the equity table a hand was solved for beside its solution, which cannot be read without it."""
    shutil.copyfile(equity / EQUITY if equity.is_dir() else equity, folder / EQUITY)


def foreign(folder: Path) -> str:
    """What a folder holds that no solution does, as a sentence says it: "" if it may be replaced by a solution."""
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    others = [name for name in names if name not in (STRATEGY, CONVERGENCE, RUN, EQUITY)]
    if others:
        return f"'{others[0]}'"
    return f"no {RUN}" if names and RUN not in names else ""


def check_replaced(folder: Path, only: tuple[RuleSet, Score, str] | None = None) -> None:
    """UsageError when a solution may not take the place of what a folder holds.

    only   rules, score and unit of the only game whose solution may be replaced; None: that of any game may be
    """
    others = foreign(folder)
    if others:
        raise UsageError(
            f"'{folder}' holds {others} and is not a solution folder, so it is not replaced; name another with --out."
        )
    if only is None or not (folder / RUN).is_file():
        return
    rules, score, unit = only
    made = read_run(folder)
    there = tuple(made.get(key) for key in ("fingerprint", "score", "unit"))
    if there != (rules.fingerprint, format_score(rules, score), unit):
        raise UsageError(
            f"'{folder}' holds another solution ({made.get('rules')} at {there[1]}, unit {there[2]}, "
            f"fingerprint {there[0]}); name another folder with --out, or --force to replace it."
        )


def contents(folder: Path, *names: str) -> dict[str, bytes]:
    """The files of a solution folder at one moment; FileError when it is none."""
    try:
        found = read_folder(folder, names)
    except FileNotFoundError:
        found = {}
    if RUN not in found:
        raise FileError(f"'{folder}' is no solution folder: it has no {RUN}.")
    return found


def read_run(folder: Path) -> dict[str, Any]:
    """run.json of a folder; FileError when it is missing, damaged or of a newer format."""
    return run_in(contents(folder, RUN), folder)


def load(folder: Path) -> Solution:
    """Read a solution folder and check that its files belong together; FileError otherwise."""
    content = contents(folder, RUN, STRATEGY, CONVERGENCE, EQUITY)
    run = run_in(content, folder)
    check_files(run, content, folder)
    rules = rules_of(run, folder / RUN)
    try:
        game, claim = game_of(run, rules, content, folder), claim_of(run)
        made, slots, frequencies = run["payoffs"], run["slots"], run["digest"]
    except (KeyError, TypeError, IndexError, ValueError, UsageError) as error:
        raise damaged(folder / RUN, error) from error
    if payoff_digest(game) != made or game.tree.n_slots != slots:
        raise FileError(
            f"'{folder}' was solved for another game than its rules, score and equity give now; solve it again."
        )
    stored = read_frequencies(content[STRATEGY], folder / STRATEGY, slots, frequencies)
    measures = read_measures(content[CONVERGENCE], folder / CONVERGENCE, game.unit)
    solution = Solution(game, stored, claim, measures, facts_of(run), folder)
    if EQUITY in content:
        solution.extra_files = partial(keep_equity, content[EQUITY])
    return solution


def check_files(run: Mapping[str, Any], content: Mapping[str, bytes], folder: Path) -> None:
    """FileError when a file is missing, or is not the one that run.json was written with."""
    files = run.get(FILES, {})
    for name in dict.fromkeys((STRATEGY, CONVERGENCE, *files)):
        if name not in content:
            raise FileError(f"'{folder / name}' is missing; {parquet.AGAIN}.")
        check_content(content[name], folder / name, files)


def is_whole(folder: Path) -> bool:
    """Whether a folder holds a solution whose files are those that run.json was written with."""
    try:
        content = contents(folder, RUN, STRATEGY, CONVERGENCE, EQUITY)
        run = run_in(content, folder)
        check_files(run, content, folder)
        rules_of(run, folder / RUN)
    except FileError:
        return False
    return True


def keep_equity(content: bytes, folder: Path) -> None:
    """Write the equity table that a solution was read with beside it again."""
    (folder / EQUITY).write_bytes(content)


def game_of(run: Mapping[str, Any], rules: RuleSet, content: Mapping[str, bytes], folder: Path) -> HandGame:
    """The game that run.json names, paid by the equity table of the folder if it has one."""
    score, unit = parse_score(rules, run["score"]), run["unit"]
    if unit == "points" or EQUITY not in content:
        return game_at(rules, score, unit, folder)
    equity = equity_of(rules, parse_frame(content[EQUITY], folder / EQUITY), folder / EQUITY)
    return game_for(rules, score, match_utility(rules, score, equity), unit)


def claims(solution: Solution) -> dict[str, Any]:
    """What the folder of a solution claims, as run.json tells it; FileError when a claim is missing."""
    if solution.path is None:
        return describe(solution)
    run = read_run(solution.path)
    for key in ("value", "best_response", "nash_conv", "exploitability"):
        if key not in run:
            raise damaged(solution.path / RUN, KeyError(key))
    return run


def read_frequencies(content: bytes, path: Path, slots: int, wanted: str) -> Counts:
    """The stored behaviour, checked against the number of slots and the digest."""
    frame = parse_frame(content, path, ["frequency"])
    if frame.height != slots:
        raise FileError(f"'{path}' has {frame.height} rows, the rules in {RUN} make {slots}: made under other rules.")
    column = frame["frequency"]
    if not column.dtype.is_integer() or column.has_nulls():
        raise damaged(path, ValueError(f"its frequencies are of the type {column.dtype}, not whole numbers"))
    stored = column.to_numpy().astype(np.uint32, copy=False)
    if digest(stored) != wanted:
        raise FileError(f"'{path}' is not the file {RUN} was written with: their digests differ.")
    return stored


def read_measures(content: bytes, path: Path, unit: str) -> list[Measure]:
    """The judged points of the run."""
    try:
        return measures_of(parse_frame(content, path), unit)
    except (polars.exceptions.PolarsError, TypeError) as error:
        raise damaged(path, error) from error
