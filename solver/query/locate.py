"""Which solution answers a question about a game: the nearest one in the results folder."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.errors import FileError, TrucError
from solver.match.record import MATCH, recorded_rules
from solver.reading import parse_json
from solver.rules.kinds import hand_kind
from solver.rules.score import Score, format_score, parse_score, start_score
from solver.solving.order import Question
from solver.strategy.description import rules_of
from solver.strategy.store import RUN, read_run

DEEPEST = 2
STATES = "states"
#: the algorithm of profiles that came from elsewhere: they are read where they are named, and answer no other question
IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class Found:
    """A solution folder of the same rules.

    distance   points or tokens between its score and the wanted one, both sides together
    """

    folder: Path
    score: str
    unit: str
    exploitability: float
    distance: int
    written: float


def solution_folders(results: Path, depth: int = DEEPEST, fingerprint: str | None = None) -> Iterator[Path]:
    """Folders with a run.json in the results folder or in its folders, and the states of matches, none of them hidden.

    fingerprint   matches of other rules are passed over; None: no match is
    """
    if depth == 0 or not results.is_dir():
        return
    try:
        folders = sorted(path for path in results.iterdir() if not path.name.startswith(".") and path.is_dir())
    except PermissionError:
        warnings.warn(f"'{results}' may not be read; what it holds is passed over.", stacklevel=2)
        return
    for folder in folders:
        if not os.access(folder, os.R_OK | os.X_OK):
            warnings.warn(f"'{folder}' may not be read; what it holds is passed over.", stacklevel=2)
        elif (folder / RUN).is_file():
            yield folder
        elif not (folder / MATCH).is_file():
            yield from solution_folders(folder, depth - 1, fingerprint)
        elif fingerprint in (None, match_fingerprint(folder)):
            yield from solution_folders(folder / STATES, 1)


def match_fingerprint(folder: Path) -> str | None:
    """The rules of a match folder, None when its description cannot be read."""
    try:
        return str(parse_json((folder / MATCH).read_bytes())["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def state_of_match(folder: Path, score: str | None) -> Path:
    """The solution folder of a score, the first one by default, in a match folder; any other folder is itself."""
    if not (folder / MATCH).is_file():
        return folder
    rules = recorded_rules(folder)
    asked = format_score(rules, start_score(rules) if score is None else parse_score(rules, score))
    place = folder / STATES / asked
    if not (place / RUN).is_file():
        raise FileError(f"The match in '{folder}' has no solution of the score {asked}; --resume goes on with it.")
    return place


def nearest(results: Path, wanted: Question) -> Found | None:
    """The solution of the same rules to use: by unit first, then by score, then by how good it is."""
    folders = solution_folders(results, fingerprint=wanted.rules.fingerprint)
    found = [one for folder in folders if (one := describe(folder, wanted)) is not None]
    if not found:
        return None
    return min(found, key=lambda one: (one.unit != wanted.unit, one.distance, one.exploitability, -one.written))


def describe(folder: Path, wanted: Question) -> Found | None:
    """What a folder holds, None if its rules or its kind of hand are others or its run.json cannot be read.

    A hand at the fortial or with tenir (U7, G4) is another game than an ordinary one, however near the scores.
    """
    try:
        run = read_run(folder)
        if run["fingerprint"] != wanted.rules.fingerprint or run.get("algorithm") == IMPORTED:
            return None
        score = parse_score(wanted.rules, run["score"])
        if hand_kind(wanted.rules, score) != hand_kind(wanted.rules, wanted.score):
            return None
        return Found(
            folder,
            run["score"],
            run["unit"],
            float(run["exploitability"]),
            distance(score, wanted.score),
            (folder / RUN).stat().st_mtime,
        )
    except (TrucError, OSError, KeyError, TypeError, ValueError):
        return None


def distance(one: Score, other: Score) -> int:
    """Sum of the differences in everything that counts."""
    pairs = zip((*one.elder, *one.dealer), (*other.elder, *other.dealer), strict=True)
    return sum(abs(a - b) for a, b in pairs)


def check_folder(folder: Path, score: str | None, unit: str) -> None:
    """FileError when a folder was solved at another score, or in points where the match is asked for."""
    run = read_run(folder)
    made: tuple[Any, Any] = (run.get("score"), run.get("unit"))
    if score is not None:
        rules = rules_of(run, folder / RUN)
        asked = format_score(rules, parse_score(rules, score))
        if asked != made[0]:
            raise FileError(f"'{folder}' was solved at {made[0]}, not at {asked}.")
    if unit == "match" and made[1] != unit:
        raise FileError(f"'{folder}' was solved in the unit {made[1]}, not {unit}.")
