"""A disk that takes no more: one sentence, exit 4, and what was there before is whole.

The system refuses to let files grow beyond a limit, which fails in the middle of writing as a full disk does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars  # noqa: TID253
import pytest

from cli import exits
from solver.files import naming
from tests.conftest import SMALL

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")

ROOT = Path(__file__).parents[2]
LIMITED = """
import resource
from cli.app import run
resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))
run()
"""


def with_small_files(most: int, *words: str, place: Path) -> Any:
    """Run the command line in a process whose files cannot grow beyond `most` bytes."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED.format(most=most), *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(place)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    ("most", "words"),
    [
        (5000, ["export", "--out", "old.parquet"]),
        (9000, ["export", "--out", "old.csv"]),
        (9000, ["export", "--out", "old.json"]),
        (1000, ["table", "--out", "old.parquet"]),
        (1000, ["stats", "--by", "history", "--out", "old.parquet"]),
        (500, ["table", "--out", "old.csv"]),
        (500, ["query", "--hand", "7 8 A", "--json", "--out", "old.json"]),
        (2000, ["chart", "--kind", "strategy", "--out", "old.png"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_file_that_cannot_grow(most: int, words: list[str], small_folder: Path, tmp_path: Path) -> None:
    old = tmp_path / words[-1]
    old.write_text("old")
    done = with_small_files(most, words[0], str(small_folder), *words[1:], "--quiet", place=tmp_path)
    assert done.returncode == exits.RESOURCE, done.stderr
    assert done.stdout == ""
    assert done.stderr == f"error: The disk is full: {old.name} could not be written.\n"
    assert [path.name for path in tmp_path.iterdir()] == [old.name]
    assert old.read_text() == "old"


def test_a_solution_that_cannot_be_saved(tmp_path: Path) -> None:
    words = ("solve", "truc", *SMALL, "--target", "0.05", "--force", "--quiet", "--out", "s")
    done = with_small_files(5000, *words, place=tmp_path)
    assert done.returncode == exits.RESOURCE, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("error: The result could not be written to 's' (file too large), nor to the folder")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("kind", ["parquet", "csv", "json", "table"])
def test_stdout_that_finds_no_room(kind: str, unbuffered: str, small_folder: Path, tmp_path: Path) -> None:
    words = ("table", str(small_folder), "--format", kind, "--all")
    with (tmp_path / "there").open("wb") as there:
        done = subprocess.run(
            [sys.executable, "-c", LIMITED.format(most=500), *words],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
            stdout=there,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == exits.RESOURCE, done.stderr
    assert done.stderr.startswith("error: The disk is full")
    assert done.stderr.count("\n") == 1


def test_other_errors_of_polars_stay_what_they_are() -> None:
    with pytest.raises(polars.exceptions.ColumnNotFoundError), naming(Path("x")):
        polars.DataFrame({"a": [1]}).select("b")
    with pytest.raises(FileNotFoundError), naming(Path("x")):
        Path("/no/such/file").read_bytes()
