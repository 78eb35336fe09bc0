"""Whether a result can be written where it is meant to go: found out before the work, not after it."""

from __future__ import annotations

import errno
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cli.memory import sized
from solver.errors import FileError, ResourceError, UsageError
from solver.rules.score import format_score
from solver.strategy.store import foreign, read_run

if TYPE_CHECKING:
    from cli.runs import Order

STORED_BYTES_A_SLOT = 3
FULL = {errno.ENOSPC, errno.EDQUOT}


def check_place(order: Order) -> None:
    """Raise unless the folder of an order can be written and holds nothing that would be lost."""
    folder = order.folder
    if folder.exists() and not folder.is_dir():
        raise FileError(f"'{folder}' is a file; name a folder with --out.")
    if folder.is_dir() and any(folder.iterdir()):
        check_content(order)
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


def check_content(order: Order) -> None:
    """Raise when the folder holds anything but a solution of the same game."""
    folder = order.folder
    what = foreign(folder)
    if what:
        raise UsageError(
            f"'{folder}' holds {what} and is not a solution folder, so it is not replaced; name another with --out."
        )
    if order.force:
        return
    made = read_run(folder)
    here = (order.rules.fingerprint, format_score(order.rules, order.score), order.unit)
    there = tuple(made.get(key) for key in ("fingerprint", "score", "unit"))
    if there != here:
        raise UsageError(
            f"'{folder}' holds another solution ({made.get('rules')} at {there[1]}, unit {there[2]}, "
            f"fingerprint {there[0]}); name another folder with --out, or --force to replace it."
        )


def check_disk(order: Order, slots: int) -> None:
    """ResourceError when the disk has no room for the result, unless forced."""
    free, needed = shutil.disk_usage(order.folder.parent).free, STORED_BYTES_A_SLOT * slots
    if free < needed and not order.force:
        raise ResourceError(
            f"The disk of '{order.folder}' has {sized(free)} free, the result takes about {sized(needed)}; "
            "choose another place with --out, or --force to try."
        )


def fallback_folder(folder: Path) -> Path:
    """A new folder of the same name in the system's place for temporary files."""
    return Path(tempfile.mkdtemp(prefix="truc-solve-")) / folder.name
