"""All programs on all games, one process a run, as a table on stdout:

    python -m benchmarks.run [--target 0.001] [--limit 300] [--python LiteEFG=/path/to/python] [GAME ...]

Programs that are not installed are told as such; --python names another interpreter for one of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.games import GAMES
from benchmarks.programs import PROGRAMS

ROOT = Path(__file__).resolve().parents[1]


def run_one(python: str, program: str, game: str, target: float, limit: float) -> dict[str, Any]:
    """What one process printed, or why it printed nothing."""
    words = [python, "-m", "benchmarks.programs", program, game, str(target)]
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            words, cwd=ROOT, env={**os.environ, **single}, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return {"missing": f"more than {limit:g} s"}
    if done.returncode:
        return {"missing": f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}"}
    return dict(json.loads(done.stdout.strip().splitlines()[-1]))


def row(game: str, program: str, found: dict[str, Any], first: float | None) -> str:
    """A line of the table."""
    if "missing" in found:
        return f"| {game} | {program} | | | | {found['missing']} | |"
    ratio = "" if not first else f"{found['seconds'] / first:.1f}"
    return (
        f"| {game} ({found['nodes']:,} nodes) | {program} {found['version']} | {found['iterations']} | "
        f"{found['exploitability']:.1e} | {found['seconds']:.3g} | {ratio} | {found['whole']:.3g} |"
    )


def conditions(target: float, limit: float) -> str:
    """What the table was measured under."""
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} cores{load}; target {target:g} points, "
        f"at most {limit:g} s on the clock a process, one thread; seconds are processor seconds."
    )


def main() -> None:
    """Print the table, line by line."""
    parser = argparse.ArgumentParser(description="This project and other programs on the same exported games.")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {'; '.join(GAMES)}")
    parser.add_argument("--target", type=float, default=0.001, help="exploitability in points (0.001)")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds a process may take (300)")
    parser.add_argument("--python", action="append", default=[], metavar="PROGRAM=PATH", help="an interpreter for one")
    given = parser.parse_args()
    unknown = [game for game in given.games if game not in GAMES]
    if unknown:
        parser.error(f"there is no game '{unknown[0]}'; the games are {'; '.join(GAMES)}")
    interpreters = dict(pair.split("=", 1) for pair in given.python)
    print(conditions(given.target, given.limit), end="\n\n")
    print("| game | program | iterations | exploitability | seconds | ratio | with loading |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for game in given.games or GAMES:
        first = None
        for program in PROGRAMS:
            python = interpreters.get(program, sys.executable)
            found = run_one(python, program, game, given.target, given.limit)
            first = found.get("seconds") if first is None and program == "truc-solve" else first
            print(row(game, program, found, first), flush=True)


if __name__ == "__main__":
    main()
