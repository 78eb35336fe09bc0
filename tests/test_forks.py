"""Tables in a process that was forked: an error that says why, never an end that does not come."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")

FORKED = """
import os, sys
import solver
place, before = sys.argv[1:]
solution = solver.load(place) if before == "tables" else None
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for act in (
    lambda: solver.load(place),
    lambda: solver.table(solution or solver.load(place)),
    lambda: solver.save(solution or solver.load(place), place),
):
    try:
        act()
        print("done")
    except solver.UsageError as error:
        print(error)
sys.stdout.flush()
os._exit(0)
"""


@pytest.mark.parametrize(("before", "says"), [("tables", "This process was forked from one"), ("nothing", "done")])
def test_a_forked_process(before: str, says: str, small_folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKED, str(small_folder), before],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(says) for line in lines), lines
