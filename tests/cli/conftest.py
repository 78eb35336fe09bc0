"""Ways to run the command line in a test."""

from __future__ import annotations

import os
import subprocess
import sys
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
