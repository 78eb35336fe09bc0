"""Whether a result can be written where it is meant to go: found out before the work, not after it."""

from __future__ import annotations

import shutil
from pathlib import Path

from solver.errors import ResourceError
from solver.places import check_folder, probe
from solver.rules import catalogue
from solver.rules.score import format_score
from solver.solving.figures import sized
from solver.solving.order import Keep, Question
from solver.strategy.store import check_replaced

STORED_BYTES_A_SLOT = 3


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
    target = check_folder(keep.folder)
    check_replaced(keep.folder, None if keep.replace else (question.rules, question.score, question.unit))
    probe(target.parent, keep.folder)


def check_disk(folder: Path, slots: int, forced: bool) -> None:
    """ResourceError when the disk has no room for the result, unless forced."""
    free, needed = shutil.disk_usage(folder.parent).free, STORED_BYTES_A_SLOT * slots
    if free < needed and not forced:
        raise ResourceError(
            f"The disk of '{folder}' has {sized(free)} free, the result takes about {sized(needed)}; "
            "choose another place with --out, or --force to try."
        )
