"""The command line run in this process, and a folder to be in."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from cli.app import main


class Ran(NamedTuple):
    """A finished run: exit code and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str | Path) -> Ran:
        capsys.readouterr()
        code = main(list(map(str, words)))
        return Ran(code, *capsys.readouterr())

    return call


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own, to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def devices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with null and full: for root, who could replace those of the system, nodes of the test's own."""
    if os.getuid():
        return Path("/dev")
    place = tmp_path_factory.mktemp("dev")
    for name, minor in (("null", 3), ("full", 7)):
        try:
            os.mknod(place / name, stat.S_IFCHR | 0o666, os.makedev(1, minor))
            (place / name).open("wb").close()
        except OSError:
            pytest.skip("no devices can be made here")
    return place


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())
