"""A solution folder: strategy.parquet, convergence.parquet, run.json.

The folder is written beside its place and renamed into it, so an interrupted write leaves the old one whole.
A digest of the frequencies and the fingerprint of the rules say what belongs together; the columns are in
``frames``.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import polars

from solver.cfr.solve import Measure
from solver.errors import FileError, UsageError
from solver.evaluate.best_response import Evaluation
from solver.rules.model import RuleSet
from solver.rules.score import format_score, parse_score
from solver.strategy.equity import EQUITY
from solver.strategy.frames import (
    convergence_frame,
    judged_responses,
    measures_of,
    own_responses,
    strategy_frame,
)
from solver.strategy.quantise import Counts
from solver.strategy.solution import Solution, game_at
from solver.tree.build import HandGame
from solver.tree.reading import payoff_arrays

FORMAT = 1
DERIVED = frozenset(
    {"format", "rules", "options", "fingerprint", "score", "unit", "value", "best_response", "nash_conv"}
    | {"exploitability", "slots", "digest", "payoffs", "versions"}
)
ROW_GROUP = 1 << 19
STRATEGY, CONVERGENCE, RUN = "strategy.parquet", "convergence.parquet", "run.json"


def digest(stored: Counts) -> str:
    """SHA-256 of the stored frequencies, little-endian."""
    return hashlib.sha256(np.ascontiguousarray(stored, "<u4").data).hexdigest()


def versions() -> dict[str, str]:
    """Versions of what the numbers depend on."""
    found = {}
    for package in ("truc-solve", "numpy", "numba", "polars"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def describe(solution: Solution) -> dict[str, Any]:
    """The content of run.json."""
    game, claim = solution.game, solution.claim
    return {
        "format": FORMAT,
        "rules": game.rules.name,
        "options": game.rules.options(),
        "fingerprint": game.rules.fingerprint,
        "score": format_score(game.rules, game.score),
        "unit": game.unit,
        **solution.facts,
        "value": claim.value,
        "best_response": list(own_responses(claim.best_response, game.unit)),
        "nash_conv": claim.nash_conv,
        "exploitability": claim.exploitability,
        "slots": len(solution.stored),
        "digest": digest(solution.stored),
        "payoffs": payoff_digest(game),
        "versions": versions(),
    }


def payoff_digest(game: HandGame) -> str:
    """SHA-256 of the tree's payoffs: what the hand was played for."""
    hashed = hashlib.sha256()
    for payoffs in payoff_arrays(game.tree, game.worth):
        hashed.update(payoffs.astype("<f8").tobytes())
    return hashed.hexdigest()


def save(solution: Solution, folder: Path) -> Path:
    """Write the folder whole or not at all; returns it. OSError names the folder it was meant for."""
    beside = Path()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        write_files(solution, beside)
        beside.chmod(0o777 & ~umask())
        replace_folder(beside, folder)
    except BaseException as error:
        if beside.name:
            shutil.rmtree(beside, ignore_errors=True)
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(folder), None
        raise
    solution.path = folder
    return folder


def write_files(solution: Solution, folder: Path) -> None:
    """The three files, and those of ``extra_files``."""
    frame = strategy_frame(solution.game.tree, solution.stored)
    write_parquet(frame, folder / STRATEGY)
    write_parquet(convergence_frame(solution.measures, solution.game.unit), folder / CONVERGENCE)
    if solution.extra_files is not None:
        solution.extra_files(folder)
    text = json.dumps(describe(solution), indent=2, ensure_ascii=False)
    (folder / RUN).write_text(f"{text}\n", "utf-8")


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


def write_parquet(frame: polars.DataFrame, path: Path) -> None:
    """One file in row groups small enough that writing takes little memory."""
    with path.open("wb") as file, system_errors():
        frame.write_parquet(file, compression="zstd", compression_level=9, row_group_size=ROW_GROUP)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def system_errors() -> Iterator[None]:
    """What polars raises when the system refuses to write becomes the OSError it is made of."""
    try:
        yield
    except (polars.exceptions.PolarsError, OSError) as error:
        number = re.search(r"\(os error (\d+)\)", str(error))
        if getattr(error, "errno", None) is not None or number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1]))) from error


def umask() -> int:
    """The mask of permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def replace_folder(new: Path, place: Path) -> None:
    """Rename ``new`` to ``place``; what stood there is kept until the new one is in place."""
    if not place.exists():
        new.replace(place)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{place.name}.old.", dir=place.parent))
    place.replace(old / "folder")
    try:
        new.replace(place)
    except OSError:
        (old / "folder").replace(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def read_run(folder: Path) -> dict[str, Any]:
    """run.json of a folder; FileError when it is missing, damaged or of a newer format."""
    path = folder / RUN
    if not path.is_file():
        raise FileError(f"'{folder}' is no solution folder: it has no {RUN}.")
    try:
        run = dict(json.loads(path.read_text("utf-8")))
        newer = run["format"] > FORMAT
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path, error) from error
    if newer:
        raise FileError(f"'{path}' has format {run['format']}; this version reads up to {FORMAT}: update truc-solve.")
    return run


def load(folder: Path) -> Solution:
    """Read a solution folder and check that its files belong together; FileError otherwise."""
    run = read_run(folder)
    try:
        game, claim = game_of(run, folder), claim_of(run)
        made, slots, content = run["payoffs"], int(run["slots"]), str(run["digest"])
    except (KeyError, TypeError, IndexError, ValueError, UsageError) as error:
        raise damaged(folder / RUN, error) from error
    if payoff_digest(game) != made or game.tree.n_slots != slots:
        raise FileError(
            f"'{folder}' was solved for another game than its rules, score and equity give now; solve it again."
        )
    stored = read_frequencies(folder / STRATEGY, slots, content)
    measures = read_measures(folder / CONVERGENCE, game.unit)
    return Solution(game, stored, claim, measures, facts_of(run), folder)


def damaged(path: Path, error: Exception) -> FileError:
    """The sentence for a file whose content is not what was written."""
    what = f"it lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split()).rstrip(".")
    return FileError(f"'{path}' is damaged ({what}); solve again or restore the file.")


def game_of(run: dict[str, Any], folder: Path) -> HandGame:
    """The game that run.json names; FileError when its fingerprint is another."""
    rules = rules_of(run)
    if rules.fingerprint != run["fingerprint"]:
        raise FileError(
            f"'{folder / RUN}' names options whose fingerprint is {rules.fingerprint}, "
            f"not {run['fingerprint']}: the solution was made under other rules."
        )
    return game_at(rules, parse_score(rules, run["score"]), run["unit"], folder)


def rules_of(run: dict[str, Any]) -> RuleSet:
    """The rule set that run.json names."""
    return RuleSet(name=run["rules"], **run["options"])


def claim_of(run: dict[str, Any]) -> Evaluation:
    """What run.json claims, as the judge would say it."""
    elder, dealer = (float(one) for one in run["best_response"])
    return Evaluation(float(run["value"]), judged_responses((elder, dealer), run["unit"]))


def claims(solution: Solution) -> dict[str, Any]:
    """What the folder of a solution claims, as run.json tells it; FileError when a claim is missing or no number."""
    if solution.path is None:
        return describe(solution)
    run = read_run(solution.path)
    try:
        for told in (run["value"], *run["best_response"], run["nash_conv"], run["exploitability"]):
            float(told)
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(solution.path / RUN, error) from error
    return run


def facts_of(run: dict[str, Any]) -> dict[str, object]:
    """What run.json tells of the run itself: all that ``describe`` does not work out anew."""
    return {key: value for key, value in run.items() if key not in DERIVED}


def read_frame(path: Path, columns: list[str] | None = None) -> polars.DataFrame:
    """A parquet file, or FileError."""
    if not path.is_file():
        raise FileError(f"'{path}' is missing; solve again or restore the file.")
    try:
        with path.open("rb") as file:  # polars takes no path that is not UTF-8
            return polars.read_parquet(file, columns=columns)
    except polars.exceptions.ColumnNotFoundError as error:
        raise FileError(f"'{path}' lacks one of the columns {', '.join(columns or [])}; it is another file.") from error
    except (polars.exceptions.PolarsError, OSError) as error:
        raise FileError(f"'{path}' is damaged or no parquet file; solve again or restore it.") from error


def read_frequencies(path: Path, slots: int, content: str) -> Counts:
    """The stored behaviour, checked against the number of slots and the digest."""
    frame = read_frame(path, ["frequency"])
    if frame.height != slots:
        raise FileError(f"'{path}' has {frame.height} rows, the rules in {RUN} make {slots}: made under other rules.")
    stored = frame["frequency"].to_numpy().astype(np.uint32, copy=False)
    if digest(stored) != content:
        raise FileError(f"'{path}' is not the file {RUN} was written with: their digests differ.")
    return stored


def read_measures(path: Path, unit: str) -> list[Measure]:
    """The judged points of the run."""
    try:
        return measures_of(read_frame(path), unit)
    except polars.exceptions.PolarsError as error:
        raise damaged(path, error) from error
