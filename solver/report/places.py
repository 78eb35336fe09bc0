"""Where a picture or page is written: looked at before anything is solved, and written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from solver.errors import FileError


def check_folder_of(place: Path) -> Path:
    """The place, if a file can be written there; FileError when its folder is a file or does not allow it."""
    folder = place.absolute().parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        raise FileError(f"'{place}' cannot be written: '{folder}' is a file, not a folder.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FileError(f"'{place}' cannot be written: the folder '{folder}' does not allow it.")
    return place


def replace_file(place: Path, content: bytes) -> None:
    """Write beside the place and rename; OSError names the place."""
    try:
        write_beside(place.resolve(), content)
    except OSError as error:
        error.filename, error.filename2 = str(place), None
        raise


def write_beside(place: Path, content: bytes) -> None:
    """A temporary file that becomes the place when it is whole."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o666 & ~mask)
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
