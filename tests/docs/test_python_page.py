"""docs/python.md is a session: its Python blocks run one after the other, and print what stands below them.

`python tests/docs/test_python_page.py` writes anew what they print.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)


class Step(NamedTuple):
    """A block of code, what the page says that it prints (None: nothing is said), and the line it begins in."""

    code: str
    printed: str | None
    line: int


def steps(text: str) -> Iterator[Step]:
    for found in BLOCK.finditer(text):
        yield Step(found[1], found[2], text[: found.start()].count("\n") + 2)


def run(step: Step, names: dict[str, Any]) -> str:
    """Run a block among the names that earlier ones left; what it printed."""
    out = io.StringIO()
    code = compile("\n" * (step.line - 1) + step.code, str(PAGE), "exec")
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return out.getvalue()


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """A folder of its own, and the command of this environment on the path."""
    before, path = Path.cwd(), os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), path])
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ["PATH"] = path


@pytest.mark.slow
def test_the_page_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    with inside(tmp_path):
        for step in steps(PAGE.read_text("utf-8")):
            printed = run(step, names)
            assert printed == (step.printed or ""), f"the block at line {step.line} prints something else"


def test_every_block_is_run() -> None:
    text = PAGE.read_text("utf-8")
    assert len(list(steps(text))) == text.count("```python\n") > 10
    assert sum(step.printed is not None for step in steps(text)) == text.count("```text\n")


def test_the_page_names_the_whole_interface() -> None:
    import solver

    table = PAGE.read_text("utf-8").partition("## All names")[2]
    functions = re.findall(r"`(\w+)\(", table)
    classes = re.findall(r"`([A-Z]\w+)`", table)
    assert {*functions, *classes} == set(solver.__all__)


def written(text: str) -> str:
    """The page with what its blocks print now."""
    names: dict[str, Any] = {"__name__": "page"}

    def anew(found: re.Match[str]) -> str:
        printed = run(Step(found[1], found[2], 1), names)
        return f"```python\n{found[1]}```\n" + (f"\n```text\n{printed}```\n" if found[2] is not None else "")

    return BLOCK.sub(anew, text)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as place, inside(Path(place)):
        page = written(PAGE.read_text("utf-8"))
    PAGE.write_text(page, "utf-8")
