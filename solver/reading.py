"""Files read as they stood at one moment, and JSON read with nothing odd in it."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from solver.errors import FileError
from solver.files import leftovers
from solver.places import reason

#: how often a folder is read again that is being replaced, and the seconds between
TRIES, PAUSE = 200, 0.005
#: digits of the longest whole number that means something
LONGEST = 18


def read_bytes(path: Path, again: str = "restore the file") -> bytes:
    """The content of a file; FileError when it is missing (``again``: what to do then) or may not be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error, again) from error


def unreadable(path: Path, error: OSError, again: str = "restore the file") -> FileError:
    """The sentence for a file that the system does not give."""
    if isinstance(error, FileNotFoundError):
        return FileError(f"'{path}' is missing; {again}.")
    if isinstance(error, PermissionError):
        return FileError(f"'{path}' may not be read ({reason(error)}).")
    return FileError(f"'{path}' cannot be read ({reason(error)}).")


def read_folder(folder: Path, wanted: Iterable[str]) -> dict[str, bytes]:
    """The files of these names that are in a folder, all of the same folder even while it is being replaced.

    FileError when one may not be read; FileNotFoundError when there is no such folder.
    """
    wanted = tuple(wanted)
    for left in reversed(range(TRIES)):
        try:
            handle = os.open(folder, os.O_RDONLY) if os.open in os.supports_dir_fd else None
        except FileNotFoundError:
            if not left or not leftovers(Path(os.path.realpath(folder))):
                raise
            time.sleep(PAUSE)
            continue
        except OSError as error:
            raise unreadable(folder, error) from error
        try:
            found = {name: content for name in wanted if (content := read_in(folder, handle, name)) is not None}
            if len(found) == len(wanted) or handle is None or same_folder(folder, handle):
                return found
        finally:
            if handle is not None:
                os.close(handle)
    raise FileError(f"'{folder}' is being replaced again and again; read it later.")


def read_in(folder: Path, handle: int | None, name: str) -> bytes | None:
    """A file of an open folder, None when it has none."""
    try:
        with open(name if handle is not None else folder / name, "rb", opener=within(handle)) as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(folder / name, error) from error


def within(handle: int | None) -> Callable[[str, int], int] | None:
    """Opens files of a folder that is open, wherever that has been renamed to."""
    return None if handle is None else lambda name, flags: os.open(name, flags, dir_fd=handle)


def same_folder(folder: Path, handle: int) -> bool:
    """Whether a folder still is the one that was opened."""
    try:
        return os.path.samestat(folder.stat(), os.fstat(handle))
    except OSError:
        return False


def parse_json(content: bytes) -> dict[str, Any]:
    """The object of a JSON text in UTF-8, a byte-order mark before it or not.

    ValueError for anything else, and for what no file of ours holds: numbers that are not finite or far too long, texts
    that are no text, nesting without end.
    """
    try:
        value = json.loads(content.decode("utf-8-sig"), parse_constant=finite, parse_float=finite, parse_int=whole)
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value


def finite(text: str) -> float:
    """A number that JSON may hold."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no finite number")
    return value


def whole(text: str) -> int:
    """A whole number of a size that means something."""
    if len(text) > LONGEST:
        raise ValueError(f"a number has {len(text)} digits")
    return int(text)
