"""Compiling apart from solving: every kernel runs once on the smallest game.

A compiler takes 200 MB and keeps them. Where the compiled kernels can be kept on disk, a process of its own
compiles them the first time, and this one only loads them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from solver.cfr.schedules import schedule
from solver.cfr.sweeper import Sweeper
from solver.jit import MARK, cache_folder
from solver.rules import catalogue
from solver.rules.score import start_score
from solver.tree.build import build_game
from solver.tree.utility import points_utility

SMALLEST = {"ranks": "2", "copies": "3", "ladder": "1,2", "remainder": "off"}
ROOT = Path(__file__).resolve().parents[2]
CHILD = f"from {__name__} import use_kernels; use_kernels()"


def compile_kernels() -> float:
    """Compile the kernels of the tree and of the sweeps, or load them from the cache; returns the seconds."""
    started = time.perf_counter()
    folder = cache_folder()
    if folder is not None and not (folder / MARK).exists():
        compile_apart()
    use_kernels()
    return time.perf_counter() - started


def compile_apart() -> None:
    """Fill the cache from a process of its own; if that fails, this one compiles after all."""
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    try:
        subprocess.run(
            [sys.executable, "-c", CHILD],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except OSError:
        return


def use_kernels() -> None:
    """Run every kernel once, on a game of two ranks, and mark the cache as filled."""
    rules = catalogue.load("truc", SMALLEST)
    score = start_score(rules)
    game = build_game(rules, score, points_utility(rules, score), "points")
    Sweeper(game.tree, game.worth, schedule("dcfr")).warm_up()
    folder = cache_folder()
    if folder is not None:
        with suppress(OSError):
            (folder / MARK).touch()
