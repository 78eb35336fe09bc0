"""A solution folder: strategy.parquet, convergence.parquet, run.json.

The folder is written beside its place and renamed into it, so an interrupted write leaves the old one whole. Rows of
strategy.parquet stand in slot order: ``node`` and ``edge`` of the public tree, ``lane`` of the acting side in the
child, ``frequency`` in 1/65536. A digest of the frequencies and the fingerprint of the rules say what belongs together.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import polars

from solver.cfr.solve import Measure
from solver.errors import FileError
from solver.evaluate.best_response import Evaluation
from solver.rules.model import RuleSet
from solver.rules.score import format_score, parse_score
from solver.strategy.quantise import Counts
from solver.strategy.solution import Solution, game_at
from solver.tree.build import HandGame
from solver.tree.model import PublicTree, slot_counts

FORMAT = 1
STRATEGY, CONVERGENCE, RUN = "strategy.parquet", "convergence.parquet", "run.json"


def digest(stored: Counts) -> str:
    """SHA-256 of the stored frequencies, little-endian."""
    return hashlib.sha256(stored.astype("<u4").tobytes()).hexdigest()


def versions() -> dict[str, str]:
    """Versions of what the numbers depend on."""
    found = {}
    for package in ("truc-solve", "numpy", "numba", "polars"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def strategy_frame(tree: PublicTree, stored: Counts) -> polars.DataFrame:
    """The rows of strategy.parquet."""
    counts = slot_counts(tree)
    edge = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    node_of = np.repeat(np.arange(len(tree.kind), dtype=np.int32), np.diff(tree.edges))
    return polars.DataFrame(
        {
            "node": node_of[edge],
            "edge": (edge - tree.edges[node_of[edge]]).astype(np.int16),
            "lane": (np.arange(len(edge)) - first).astype(np.int32),
            "frequency": stored,
        }
    )


def convergence_frame(measures: list[Measure]) -> polars.DataFrame:
    """The rows of convergence.parquet."""
    return polars.DataFrame(
        {
            "iteration": [m.iteration for m in measures],
            "seconds": [m.seconds for m in measures],
            "value": [m.value for m in measures],
            "best_response_elder": [m.best_response[0] for m in measures],
            "best_response_dealer": [m.best_response[1] for m in measures],
            "nash_conv": [m.nash_conv for m in measures],
        },
        schema_overrides={"iteration": polars.Int64, "seconds": polars.Float64},
    )


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
        "best_response": list(claim.best_response),
        "nash_conv": claim.nash_conv,
        "exploitability": claim.exploitability,
        "slots": len(solution.stored),
        "digest": digest(solution.stored),
        "payoffs": payoff_digest(game),
        "versions": versions(),
    }


def payoff_digest(game: HandGame) -> str:
    """SHA-256 of the tree's payoffs: what the hand was played for."""
    tree = game.tree
    return hashlib.sha256(tree.payoff.astype("<f8").tobytes() + tree.table_value.astype("<f8").tobytes()).hexdigest()


def save(solution: Solution, folder: Path) -> Path:
    """Write the folder whole or not at all; returns it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        frame = strategy_frame(solution.game.tree, solution.stored)
        frame.write_parquet(beside / STRATEGY, compression="zstd", compression_level=9)
        convergence_frame(solution.measures).write_parquet(beside / CONVERGENCE)
        if solution.extra_files is not None:
            solution.extra_files(beside)
        (beside / RUN).write_text(json.dumps(describe(solution), indent=2, ensure_ascii=False) + "\n", "utf-8")
        beside.chmod(0o755)
        replace_folder(beside, folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    solution.path = folder
    return folder


def replace_folder(new: Path, place: Path) -> None:
    """Rename ``new`` to ``place``; what stood there is kept until the new one is in place."""
    if not place.exists():
        os.replace(new, place)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{place.name}.old.", dir=place.parent))
    os.replace(place, old / "folder")
    try:
        os.replace(new, place)
    except OSError:
        os.replace(old / "folder", place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def read_run(folder: Path) -> dict[str, Any]:
    """run.json of a folder; FileError when it is missing, damaged or of a newer format."""
    path = folder / RUN
    if not path.is_file():
        raise FileError(f"'{folder}' is no solution folder: it has no {RUN}.")
    try:
        run = json.loads(path.read_text("utf-8"))
        newer = run["format"] > FORMAT
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"'{path}' is damaged ({error}); solve again or restore the file.") from error
    if newer:
        raise FileError(f"'{path}' has format {run['format']}; this version reads up to {FORMAT}: update truc-solve.")
    return dict(run)


def load(folder: Path) -> Solution:
    """Read a solution folder and check that its files belong together; FileError otherwise."""
    run = read_run(folder)
    try:
        rules = RuleSet(name=run["rules"], **run["options"])
        game = game_at(rules, parse_score(rules, run["score"]), run["unit"], folder)
        claim = Evaluation(run["value"], (run["best_response"][0], run["best_response"][1]))
    except (KeyError, TypeError, IndexError) as error:
        raise FileError(f"'{folder / RUN}' is damaged ({error}); solve again or restore the file.") from error
    if rules.fingerprint != run["fingerprint"]:
        raise FileError(f"'{folder / RUN}' names options whose fingerprint is {rules.fingerprint}, not {run['fingerprint']}.")
    if payoff_digest(game) != run["payoffs"]:
        raise FileError(f"'{folder}' was solved for other payoffs than its rules, score and equity give now.")
    stored = read_frequencies(folder / STRATEGY, game.tree, run)
    known = {"rules", "options", "fingerprint", "score", "unit", "value", "best_response", "nash_conv", "slots", "digest"}
    facts = {key: value for key, value in run.items() if key not in known | {"format", "exploitability", "payoffs"}}
    return Solution(game, stored, claim, read_measures(folder / CONVERGENCE), facts, folder)


def read_frame(path: Path) -> polars.DataFrame:
    """A parquet file, or FileError."""
    if not path.is_file():
        raise FileError(f"'{path}' is missing; solve again or restore the file.")
    try:
        return polars.read_parquet(path)
    except (polars.exceptions.PolarsError, OSError) as error:
        raise FileError(f"'{path}' is damaged or no parquet file; solve again or restore it.") from error


def read_frequencies(path: Path, tree: PublicTree, run: dict[str, Any]) -> Counts:
    """The stored behaviour, checked against the tree and the digest."""
    frame = read_frame(path)
    if "frequency" not in frame.columns:
        raise FileError(f"'{path}' has no column 'frequency', it is no strategy file.")
    stored = frame["frequency"].to_numpy().astype(np.uint32)
    if len(stored) != tree.n_slots:
        raise FileError(f"'{path}' has {len(stored)} rows, the rules in {RUN} make {tree.n_slots}: made under other rules.")
    if digest(stored) != run["digest"]:
        raise FileError(f"'{path}' is not the file {RUN} was written with: their digests differ.")
    return stored


def read_measures(path: Path) -> list[Measure]:
    """The judged points of the run."""
    return [
        Measure(row["iteration"], row["seconds"], row["value"], (row["best_response_elder"], row["best_response_dealer"]))
        for row in read_frame(path).iter_rows(named=True)
    ]
