"""A run on disk: everything from which a solve goes on to the same bits.

One .npz file without pickles: the float32 arrays ``regret``, ``average`` and ``strategy``, the judged points, the
clocks, and as JSON what the run is of. A digest of all that follows the zip; it is compared before anything is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from solver.cfr.solve import Measure, Run
from solver.errors import FileError, TrucError, UsageError
from solver.files import written
from solver.places import reason
from solver.reading import parse_json
from solver.rules.score import format_score
from solver.strategy.description import as_given, payoff_digest
from solver.tree.build import HandGame

#: 2: without a digest
FORMAT, WITHOUT_DIGEST = 3, 2
#: stands between the zip and the digest of it
SEAL = b"truc-solve sha256 "
SEALED = len(SEAL) + 64
ENDING = ".checkpoint.npz"
ARRAYS = ("regret", "average", "strategy")
#: bytes hashed at a time
PIECE = 1 << 20

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
    with written(path) as file:
        np.savez(
            file,
            about=np.array(json.dumps(about)),
            clocks=np.array([run.seconds, run.checking]),
            measures=np.array(points, np.float64).reshape(-1, 5),
            **arrays,
        )
        file.seek(0)
        seal = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
        file.write(SEAL + seal.encode())


def read_checkpoint(path: Path, run: Run, made_of: Mapping[str, Any]) -> None:
    """Set a fresh run to where the checkpoint stands.

    FileError when there is none or it is damaged, UsageError naming each option in which it differs.
    """
    if not path.is_file():
        raise FileError(f"There is no checkpoint '{path}' to resume from; solve without --resume.")
    try:
        with path.open("rb") as file:
            sealed = is_sealed(file)
            with np.load(file, allow_pickle=False) as kept:
                about = parse_json(str(kept["about"]).encode())
                if about["format"] != (FORMAT if sealed else WITHOUT_DIGEST):
                    raise FileError(f"'{path}' has format {about['format']}, this version reads up to {FORMAT}.")
                check_identity(path, about["identity"], made_of)
                restore(run, kept, about["iteration"])
    except TrucError:
        raise
    except PermissionError as error:
        raise FileError(f"The checkpoint '{path}' may not be read ({reason(error)}).") from error
    except Exception as error:  # a spoiled zip makes its reader raise nearly anything
        what = " ".join(str(error).split()).rstrip(".")
        raise FileError(f"'{path}' is damaged ({what}); solve without --resume.") from error


def is_sealed(file: IO[bytes]) -> bool:
    """Whether a file ends in a digest, as those of format 3 do; ValueError when it is not the digest of the file."""
    content = file.seek(0, 2) - SEALED
    file.seek(max(content, 0))
    seal = file.read()
    file.seek(0)
    if not seal.startswith(SEAL):
        return False
    hashed, left = hashlib.sha256(), content
    while left:
        piece = file.read(min(left, PIECE))
        hashed.update(piece)
        left -= len(piece)
    file.seek(0)
    if hashed.hexdigest().encode() != seal.removeprefix(SEAL):
        raise ValueError("it is not what was written: its digest differs")
    return True


def restore(run: Run, kept: Mapping[str, NDArray[Any]], iteration: int) -> None:
    """Copy arrays, points and clocks into a run, one array at a time; ValueError for what no run has."""
    sweeper = run.sweeper
    clocks, points = kept["clocks"], kept["measures"]
    if type(iteration) is not int or iteration < 0:
        raise ValueError(f"its iteration is {iteration!r}")
    if clocks.shape != (2,) or not (clocks >= 0.0).all() or points.shape[1:] != (5,) or not np.isfinite(points).all():
        raise ValueError("its clocks or judged points are no numbers")
    for name in ARRAYS:
        target, values = getattr(sweeper, name), kept[name]
        if values.shape != target.shape or values.dtype != target.dtype:
            raise ValueError(f"'{name}' has shape {values.shape}, not {target.shape}")
        if not np.isfinite(values).all() or (name != "regret" and (values < 0).any()):
            raise ValueError(f"'{name}' holds what is no {'regret' if name == 'regret' else 'weight'}")
        target[:] = values
    sweeper.iteration = iteration
    run.seconds, run.checking = map(float, clocks)
    run.measures = [Measure(int(row[0]), row[1], row[2], (row[3], row[4])) for row in points.tolist()]


def check_identity(path: Path, made: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise UsageError naming each option in which a checkpoint differs from what is asked for."""
    differences = [
        f"{name} is {as_given(made['options'].get(name))} there and {as_given(value)} here"
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
