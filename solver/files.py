"""Files and folders, written whole or not at all.

What is new is made beside its place under a hidden name, synced, and renamed. Devices, pipes and what a process has
open are written through; a link is followed, and what it leads to is replaced. What a killed run left beside a place is
swept when that place is written again: hidden files and folders are locked by whoever still works on them.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from solver.places import check_folder, is_descriptor, plain_file

try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None  # type: ignore[assignment]

#: part of every hidden name; how much of the place's name is in it, since a name has at most 255 bytes
MARK, STEM = "truc-solve", 40
#: seconds after which what cannot be locked is taken to be left by a run that has ended
OLD = 86_400.0


@contextmanager
def written(place: Path) -> Iterator[IO[bytes]]:
    """A file to fill, which becomes the place when the block ends well; OSError names the place."""
    with naming(place):
        target = plain_file(place)
        if target is None:
            with place.open("ab" if is_descriptor(place) else "wb") as device:
                yield device
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target)
        beside, file = new_file(target)
        try:
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if target.exists():
                    beside.chmod(stat.S_IMODE(target.stat().st_mode))
                if os.name == "nt":  # an open file cannot be renamed there
                    file.close()
                beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def write_bytes(place: Path, content: bytes) -> None:
    """Write a whole file; OSError names the place."""
    with written(place) as file:
        file.write(content)


def write_json(place: Path, content: object) -> None:
    """Write a value so that people can read it; OSError names the place."""
    write_bytes(place, f"{json.dumps(content, indent=2, ensure_ascii=False)}\n".encode())


def add(place: Path, more: Callable[[bytes], bytes]) -> None:
    """Add to the end of a file what ``more`` makes of its content, whole or not at all; one process at a time."""
    with naming(place):
        if plain_file(place) is None:
            with place.open("ab") as device:
                device.write(more(b""))
            return
        new = not place.exists()
        with place.open("a+b", buffering=0) as file:
            lock(file.fileno(), wait=True)
            file.seek(0)
            before = file.read()
            rest = more(before)
            try:
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            except BaseException:
                file.truncate(len(before))
                if new:
                    place.unlink(missing_ok=True)
                raise


@contextmanager
def new_folder(place: Path, look: Callable[[], object] = lambda: None) -> Iterator[Path]:
    """A folder to fill, which takes the place of what stands there when the block ends well; OSError names the place.

    look   called when all is written and nothing replaced yet; raises when the place is not to be replaced after all
    FileError when the place cannot be replaced.
    """
    target = check_folder(place)
    with naming(place), room(target) as beside:
        yield beside
        for path in beside.iterdir():
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        look()
        put(beside, target)


@contextmanager
def room(place: Path | None) -> Iterator[Path]:
    """A folder for the time of a block: hidden beside a place, or None: where temporary files go."""
    if place is None:
        with tempfile.TemporaryDirectory(prefix=f"{MARK}-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    sweep(place)
    beside, handle = locked_folder(place)
    try:
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        if handle is not None:
            os.close(handle)


def reserve(name: str) -> Path:
    """A place of this name in a new folder where temporary files go, for what its own place does not take.

    Folders that killed runs left there empty are removed.
    """
    for old in Path(tempfile.gettempdir()).glob(f"{MARK}-*"):
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > OLD:
                old.rmdir()
    return Path(tempfile.mkdtemp(prefix=f"{MARK}-")) / name


def put(new: Path, place: Path) -> None:
    """Have a folder take a place; what stood there is under the name of the new one afterwards."""
    if not place.exists():
        new.rename(place)
    elif not exchanged(new, place):
        aside = hidden(place, "old-")
        place.rename(aside)
        try:
            new.rename(place)
        except OSError:
            aside.rename(place)
            raise
        aside.rename(new)


def exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders in one step, so that one is there at every moment; False where the system cannot."""
    import ctypes

    here, exchange = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
    rename = getattr(ctypes.CDLL(None), "renameat2", None) if sys.platform == "linux" else None
    return rename is not None and rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0


def hidden(place: Path, kind: str = "") -> Path:
    """A new name beside a place."""
    return place.with_name(f"{start_of(place)}{kind}{secrets.token_hex(4)}")


def start_of(place: Path) -> str:
    """How the hidden names beside a place begin."""
    return f".{place.name[:STEM]}.{MARK}-"


def new_file(place: Path) -> tuple[Path, IO[bytes]]:
    """A new file beside a place, locked as long as it is open."""
    while True:
        beside = hidden(place)
        file = beside.open("x+b")
        lock(file.fileno())
        if beside.exists():  # nobody swept it before it was locked
            return beside, file
        file.close()


def locked_folder(place: Path) -> tuple[Path, int | None]:
    """A new folder beside a place, and the handle that keeps it locked; None where there are no locks."""
    while True:
        beside = hidden(place)
        beside.mkdir()
        handle = opened(beside)
        if handle is None or (lock(handle) is not False and beside.exists()):
            return beside, handle
        os.close(handle)


def opened(path: Path) -> int | None:
    """A handle to lock a file or folder by, None where there are no locks."""
    return None if fcntl is None else os.open(path, os.O_RDONLY)


def lock(handle: int | None, wait: bool = False) -> bool | None:
    """Lock what a handle has open until it is closed: False where another has it, None where it cannot be locked."""
    if fcntl is None or handle is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


@contextmanager
def alone_in(folder: Path) -> Iterator[bool]:
    """Whether no other process works in a folder; others hear False meanwhile. The lock goes with the process."""
    handle = opened(folder)
    try:
        yield lock(handle) is not False
    finally:
        if handle is not None:
            os.close(handle)


def leftovers(place: Path) -> list[Path]:
    """What was written beside a place and not put there, or not yet."""
    with suppress(OSError):
        return [path for path in place.parent.iterdir() if path.name.startswith(start_of(place))]
    return []


def sweep(place: Path) -> None:
    """Remove what killed runs left beside a place; a folder moved away from it is put back if there is none."""
    for path in leftovers(place):
        with suppress(OSError):
            if path.name.startswith(f"{start_of(place)}old-") and not place.exists():
                path.rename(place)
            else:
                remove_unused(path)


def remove_unused(path: Path) -> None:
    """Remove a file, or a folder with all that is in it, unless somebody works on it."""
    handle = opened(path)
    try:
        free = lock(handle)
        if free is False or (free is None and time.time() - path.stat().st_mtime < OLD):
            return
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    finally:
        if handle is not None:
            os.close(handle)


@contextmanager
def naming(place: Path) -> Iterator[None]:
    """An OSError of the block names the place; an error that tells one in words becomes it."""
    try:
        yield
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            error.filename, error.filename2 = str(place), None
            raise
        number = re.search(r"\(os error (\d+)\)", str(error))
        if number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1])), str(place)) from error
