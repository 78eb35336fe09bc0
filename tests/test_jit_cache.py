"""Compiled kernels on disk: what is damaged costs a compilation and a note, what cannot be kept costs a note."""

from __future__ import annotations

import errno
import hashlib
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cli import exits
from cli.app import main
from solver import jit

Spoil = Callable[[Path], object]


def doubled(values: NDArray[np.float64]) -> None:
    for k in range(values.size):
        values[k] *= 2.0


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache folder of the test's own, as a new process finds it."""
    monkeypatch.setenv("TRUC_SOLVE_CACHE", str(tmp_path / "cache"))
    as_new()
    yield
    as_new()


def as_new() -> None:
    for remembered in (jit.cache_folder, jit.tell_damaged, jit.tell_not_kept):
        remembered.cache_clear()


def used() -> tuple[list[str], Any]:
    """Use the kernel as a new process would: what is told, and the compiled function."""
    as_new()
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        for _ in range(2):
            function: Any = jit.kernel(doubled)
            numbers = np.ones(3)
            function(numbers)
            assert numbers.tolist() == [2.0, 2.0, 2.0]
    return [str(note.message) for note in notes], function


def only_file() -> Path:
    folder = jit.cache_folder()
    assert folder is not None
    (place,) = folder.glob(f"*{jit.SUFFIX}")
    assert [path for path in folder.iterdir() if path.name.startswith(".")] == []
    return place


def test_a_kernel_is_compiled_once() -> None:
    assert used()[0] == []
    made = only_file().stat().st_mtime_ns
    notes, function = used()
    assert notes == []
    assert sum(function.stats.cache_hits.values()) == 1
    assert only_file().stat().st_mtime_ns == made


def flipped(place: Path) -> None:
    content = bytearray(place.read_bytes())
    content[len(content) // 2] ^= 1
    place.write_bytes(content)


def folder_instead(place: Path) -> None:
    place.unlink()
    (place / "something").mkdir(parents=True)


def link_to_nothing(place: Path) -> None:
    place.unlink()
    place.symlink_to(place / "round")


def read_as_no_root(place: Path) -> bytes:
    """What a file holds, if its mode lets anybody read it."""
    if not place.stat().st_mode & 0o444:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
    with place.open("rb") as file:
        return file.read()


SPOILED: dict[str, Spoil] = {
    "cut": lambda place: place.write_bytes(place.read_bytes()[:-100]),
    "emptied": lambda place: place.write_bytes(b""),
    "random": lambda place: place.write_bytes(np.random.default_rng(1).bytes(20_000)),
    "one bit": flipped,
    "a folder": folder_instead,
    "a link": link_to_nothing,
    "no permission": lambda place: place.chmod(0),
    "other code": lambda place: place.write_bytes(hashlib.sha256(b"x").digest() + b"x"),
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_damaged_kernel_is_compiled_again(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_bytes", read_as_no_root)
    used()
    place = only_file()
    SPOILED[how](place)
    notes, _ = used()
    assert len(notes) == 1
    assert "thrown away and compiled again" in notes[0]
    assert str(place.parent) in notes[0]
    assert used()[0] == []
    assert jit.damaged(only_file().parent) == []


@pytest.mark.parametrize("how", [how for how in SPOILED if how not in ("no permission", "other code")])
def test_doctor_tells(how: str, capsys: pytest.CaptureFixture[str]) -> None:
    used()
    place = only_file()
    assert main(["doctor"]) == exits.DONE, capsys.readouterr()
    SPOILED[how](place)
    capsys.readouterr()
    assert main(["doctor"]) == exits.CHECK_FAILED
    said = capsys.readouterr()
    assert "1 of 2 compiled kernels are damaged" in " ".join(said.out.split())
    assert f"kernel cache: {place.name} is thrown away" in said.err


def test_a_disk_without_room_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*words: Any, **more: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    notes, _ = used()
    assert len(notes) == 1
    assert "cannot be kept on disk (no space left on device)" in notes[0]


def test_a_disk_that_fills_up_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def full(place: Path, content: bytes) -> int:
        write(place, content[:50])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    notes, _ = used()
    assert len(notes) == 1
    assert "cannot be kept on disk (no space left on device)" in notes[0]
    folder = jit.cache_folder()
    assert folder is not None
    assert list(folder.iterdir()) == []


def test_a_place_that_cannot_be_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("mine")
    monkeypatch.setenv("TRUC_SOLVE_CACHE", str(tmp_path / "file"))
    notes, _ = used()
    assert len(notes) == 1
    assert "not a directory" in notes[0]
