"""Whether a result can be written where it is meant to go: found out before the work, not after it."""

from __future__ import annotations

import errno
import shutil
import tempfile
from pathlib import Path

from solver.errors import FileError, ResourceError, UsageError
from solver.rules import catalogue
from solver.rules.score import format_score
from solver.solving.figures import sized
from solver.solving.order import Keep, Question
from solver.strategy.store import foreign, read_run

STORED_BYTES_A_SLOT = 3
FULL = {errno.ENOSPC, errno.EDQUOT}


def default_folder(results: Path, question: Question) -> Path:
    """Where a solution goes: RULES-SCORE-UNIT, and part of the fingerprint when options were changed."""
    rules = question.rules
    name = f"{rules.name}-{format_score(rules, question.score)}-{question.unit}"
    changed = rules.name not in catalogue.names() or catalogue.load(rules.name).fingerprint != rules.fingerprint
    return results / (f"{name}-{rules.fingerprint[:8]}" if changed else name)


def check_place(question: Question, keep: Keep) -> None:
    """Raise unless the folder can be written and holds nothing that would be lost.

    FileError or ResourceError where nothing can be written, UsageError where something else lies.
    """
    folder = keep.folder
    if folder.exists() and not folder.is_dir():
        raise FileError(f"'{folder}' is a file; name a folder with --out.")
    if folder.is_dir() and any(folder.iterdir()):
        check_content(question, keep)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder.parent) as file:
            file.write(bytes(4096))
    except OSError as error:
        if error.errno in FULL:
            raise ResourceError(f"The disk of '{folder}' is full; choose another place with --out.") from error
        reason = (error.strerror or type(error).__name__).lower()
        raise FileError(
            f"The folder '{folder}' cannot be written ({reason}); choose another with --out or --results."
        ) from error


def check_content(question: Question, keep: Keep) -> None:
    """UsageError when the folder holds anything but a solution of the same game."""
    folder, rules = keep.folder, question.rules
    what = foreign(folder)
    if what:
        raise UsageError(
            f"'{folder}' holds {what} and is not a solution folder, so it is not replaced; name another with --out."
        )
    if keep.replace:
        return
    made = read_run(folder)
    here = (rules.fingerprint, format_score(rules, question.score), question.unit)
    there = tuple(made.get(key) for key in ("fingerprint", "score", "unit"))
    if there != here:
        raise UsageError(
            f"'{folder}' holds another solution ({made.get('rules')} at {there[1]}, unit {there[2]}, "
            f"fingerprint {there[0]}); name another folder with --out, or --force to replace it."
        )


def check_disk(folder: Path, slots: int, forced: bool) -> None:
    """ResourceError when the disk has no room for the result, unless forced."""
    free, needed = shutil.disk_usage(folder.parent).free, STORED_BYTES_A_SLOT * slots
    if free < needed and not forced:
        raise ResourceError(
            f"The disk of '{folder}' has {sized(free)} free, the result takes about {sized(needed)}; "
            "choose another place with --out, or --force to try."
        )


def fallback_folder(folder: Path) -> Path:
    """A new folder of the same name in the system's place for temporary files."""
    return Path(tempfile.mkdtemp(prefix="truc-solve-")) / folder.name
