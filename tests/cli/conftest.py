"""Ways to run the command line in a test."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from cli import exits
from cli.app import main


class Ran(NamedTuple):
    """A finished run: exit code and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]
TINY = ("--set", "ranks=2", "--set", "ladder=1,2")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process: `run("rules", "--json")`."""

    def call(*words: str) -> Ran:
        capsys.readouterr()
        code = main(list(words))
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return call


@pytest.fixture
def run_apart(tmp_path: Path) -> Run:
    """Run the command line in a process of its own, in an empty folder, with extra environment variables."""

    def call(*words: str, **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "cli", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Small solutions, a match, and records, by name."""
    here = tmp_path_factory.mktemp("places")
    trut = ("--set", "ranks=2", "--set", "copies=5")
    orders = [
        ["solve", "truc", *TINY, "--target", "0.02", "--out", str(here / "truc")],
        ["solve", "truc", *TINY, "--score", "10-11", "--target", "0.02", "--out", str(here / "other")],
        ["solve", "trut", *trut, "--target", "0.02", "--out", str(here / "trut")],
        ["solve", "trut", *trut, "--score", "6.2-0.0", "--target", "0.02", "--out", str(here / "fortial")],
        ["match", "truc", *TINY, "--set", "target=2", "--target", "0.2", "--out", str(here / "match")],
    ]
    for words in orders:
        assert main([*words, "--quiet"]) == exits.DONE, words
    (here / "empty").write_text("truc-solve record 1\n")
    assert main(["export", str(here / "truc"), "--out", str(here / "profile.csv"), "--quiet"]) == exits.DONE
    names = ("truc", "other", "trut", "fortial", "match", "empty")
    more = {"record": played(here), "results": here / "results", "profile": here / "profile.csv"}
    return {**{name: here / name for name in names}, **more}


def played(here: Path) -> Path:
    """A record of two hands, the person's being the first allowed action always."""
    record, kept = here / "record", sys.stdin
    words = ["play", "truc", *TINY, "--hands", "2", "--seed", "5", "--record", str(record), "--quiet"]
    sys.stdin = io.StringIO("7\n8\ncall\n" * 40)
    try:
        assert main([*words, "--results", str(here / "results")]) == exits.DONE
    finally:
        sys.stdin = kept
    return record
