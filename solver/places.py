"""Whether something can be written where it is meant to go: looked at before the work, not after it."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import NoReturn

from solver.errors import FileError, ResourceError

#: what the system says when there is no room
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
#: where a process has its open files: what lies there is added to, never replaced
DESCRIPTORS = ("/proc/", "/dev/fd/")
#: links followed on the way to a file, as many as the system allows
MOST_LINKS = 40
#: bytes written to see whether there is room at all
PROBE = 4096


def check_file(place: Path) -> Path:
    """The place, if a file can be written there; FileError that says what is in the way."""
    if place.is_dir():
        raise FileError(f"'{place}' is a folder; name a file in it.")
    target = plain_file(place)
    if target is None:
        if not os.access(place, os.W_OK) or stat.S_ISSOCK(place.stat().st_mode):
            refuse(place, "it does not allow it")
    else:
        check_link(place, target)
        check_parent(place, target)
    return place


def check_folder(place: Path) -> Path:
    """Where a folder is to be written, links followed.

    FileError when a file is there, or a folder that cannot be replaced by another.
    """
    target = Path(os.path.realpath(place))
    check_link(place, target)
    if target.exists():
        if not target.is_dir():
            raise FileError(f"'{place}' is a file; name a folder with --out.")
        if Path.cwd().is_relative_to(target):
            refuse(place, "it is or holds the folder you are in, and a new folder takes its place")
        if os.path.ismount(target) or not os.access(target, os.R_OK | os.W_OK | os.X_OK):
            refuse(place, "the folder that is there does not allow it")
    check_parent(place, target)
    return target


def check_link(place: Path, target: Path) -> None:
    """FileError for a link that leads nowhere."""
    if target.is_symlink():
        refuse(place, "it is a link that leads back to itself")
    if place.is_symlink() and not target.parent.is_dir():
        refuse(place, f"it is a link to '{target}', whose folder does not exist")


def check_parent(place: Path, target: Path) -> None:
    """FileError when nothing can be made or renamed in the folder that a place lies in."""
    folder = target.absolute().parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        refuse(place, f"'{folder}' is a file, not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        refuse(place, f"the folder '{folder}' does not allow it")


def refuse(place: Path, why: str) -> NoReturn:
    """Raise the sentence for a place that cannot be written."""
    raise FileError(f"'{place}' cannot be written: {why}; choose another place with --out.")


def probe(folder: Path, place: Path) -> None:
    """Make a folder and try to write in it; ResourceError for a full disk, else FileError, which name the place."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(PROBE))
    except OSError as error:
        if error.errno in FULL:
            raise ResourceError(f"The disk of '{place}' is full; choose another place with --out.") from error
        raise FileError(
            f"The folder '{place}' cannot be written ({reason(error)}); choose another with --out or --results."
        ) from error


def plain_file(place: Path) -> Path | None:
    """The plain file, there or not, that a place leads to; None for what can only be written through."""
    if is_descriptor(place):
        return None
    target = Path(os.path.realpath(place))
    return target if not target.exists() or stat.S_ISREG(target.stat().st_mode) else None


def is_descriptor(place: Path) -> bool:
    """Whether a place, or a link on the way to it, is a file that a process has open, such as /dev/stdout."""
    for _ in range(MOST_LINKS):
        if f"{place.parent.resolve()}/".startswith(DESCRIPTORS):
            return True
        if not place.is_symlink():
            return False
        place = place.parent / place.readlink()
    return False


def reason(error: OSError) -> str:
    """The system's own words for a failure."""
    return (error.strerror or type(error).__name__).lower()
