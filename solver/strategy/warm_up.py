"""Compiling apart from solving: every kernel runs once on the smallest game."""

from __future__ import annotations

import time

from solver.cfr.schedules import schedule
from solver.cfr.sweeper import Sweeper
from solver.rules import catalogue
from solver.rules.score import start_score
from solver.tree.build import build_game
from solver.tree.utility import points_utility

SMALLEST = {"ranks": "2", "copies": "3", "ladder": "1,2", "remainder": "off"}


def compile_kernels() -> float:
    """Compile the kernels of the tree and of the sweeps, or load them from the cache; returns the seconds."""
    started = time.perf_counter()
    rules = catalogue.load("truc", SMALLEST)
    score = start_score(rules)
    tree = build_game(rules, score, points_utility(rules, score), "points").tree
    Sweeper(tree, schedule("dcfr")).warm_up()
    return time.perf_counter() - started
