"""A run on disk: everything from which a solve goes on to the same bits.

One .npz file without pickles: the float32 arrays ``regret``, ``average`` and ``strategy``, the judged points, the
clocks, and as JSON what the run is of. It is written beside its place and renamed into it.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cfr.solve import Measure, Run
from solver.errors import FileError, UsageError
from solver.rules.score import format_score
from solver.strategy.store import payoff_digest, umask
from solver.tree.build import HandGame

FORMAT = 2
ENDING = ".checkpoint.npz"
ARRAYS = ("regret", "average", "strategy")

#: how a key of ``identity`` is called in a sentence
NAMES = {"payoffs": "the equity table", "slots": "the size of the tree"}


def checkpoint_path(folder: Path) -> Path:
    """Where the checkpoint of a run for this solution folder lies: beside it."""
    return folder.with_name(folder.name + ENDING)


def identity(game: HandGame, algorithm: str) -> dict[str, Any]:
    """What must be the same for a run to go on: the rules' options, score, unit, algorithm and payoffs."""
    options = json.loads(json.dumps(game.rules.options()))
    return {
        "options": options,
        "score": format_score(game.rules, game.score),
        "unit": game.unit,
        "algorithm": algorithm,
        "slots": game.tree.n_slots,
        "payoffs": payoff_digest(game),
    }


def write_checkpoint(path: Path, run: Run, made_of: Mapping[str, Any], measures: int | None = None) -> None:
    """Keep the state of a run between two iterations; the file is there whole or not at all.

    measures   how many of the judged points to keep: one that was judged only because the run stops would
               change where a resumed run is judged, and so where it ends
    """
    sweeper = run.sweeper
    arrays = {name: getattr(sweeper, name) for name in ARRAYS}
    about = {"format": FORMAT, "iteration": run.iteration, "identity": dict(made_of)}
    points = [[m.iteration, m.seconds, m.value, *m.best_response] for m in run.measures[:measures]]
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(
                file,
                about=np.array(json.dumps(about)),
                clocks=np.array([run.seconds, run.checking]),
                measures=np.array(points, np.float64).reshape(-1, 5),
                **arrays,
            )
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_checkpoint(path: Path, run: Run, made_of: Mapping[str, Any]) -> None:
    """Set a fresh run to where the checkpoint stands.

    FileError when there is none or it is damaged, UsageError naming each option in which it differs.
    """
    if not path.is_file():
        raise FileError(f"There is no checkpoint '{path}' to resume from; solve without --resume.")
    try:
        with np.load(path, allow_pickle=False) as kept:
            about = json.loads(str(kept["about"]))
            if about["format"] != FORMAT:
                raise FileError(f"'{path}' has format {about['format']}, this version reads {FORMAT}.")
            check_identity(path, about["identity"], made_of)
            restore(run, kept, int(about["iteration"]))
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        what = " ".join(str(error).split()).rstrip(".")
        raise FileError(f"'{path}' is damaged ({what}); solve without --resume.") from error


def restore(run: Run, kept: Mapping[str, NDArray[Any]], iteration: int) -> None:
    """Copy arrays, points and clocks into a run, one array at a time."""
    sweeper = run.sweeper
    for name in ARRAYS:
        target, values = getattr(sweeper, name), kept[name]
        if values.shape != target.shape or values.dtype != target.dtype:
            raise ValueError(f"'{name}' has shape {values.shape}, not {target.shape}")
        target[:] = values
    sweeper.iteration = iteration
    run.seconds, run.checking = (float(clock) for clock in kept["clocks"])
    run.measures = [Measure(int(row[0]), row[1], row[2], (row[3], row[4])) for row in kept["measures"].tolist()]


def check_identity(path: Path, made: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise UsageError naming each option in which a checkpoint differs from what is asked for."""
    differences = [
        f"{name} is {shown(made['options'].get(name))} there and {shown(value)} here"
        for name, value in wanted["options"].items()
        if made["options"].get(name) != value
    ]
    differences += [
        f"{name} is {made[name]} there and {wanted[name]} here"
        for name in ("score", "unit", "algorithm")
        if made[name] != wanted[name]
    ]
    if not differences:
        differences = [f"{text} differs" for key, text in NAMES.items() if made[key] != wanted[key]]
    if differences:
        raise UsageError(f"The checkpoint '{path}' is of another run: {'; '.join(differences)}.")


def shown(value: object) -> str:
    """An option's value as it would be given."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
