"""How fast this machine sweeps: seconds an iteration, nanoseconds a slot, part of the memory's bandwidth.

A slot is one action of one information set. Bytes are those that must move whatever the caches do: in the sweep of
its own side a slot's regret, average and strategy are read and written, in the other sweep its strategy is read: 28
bytes an iteration.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.solving.bench_kernels import triad
from solver.strategy.run import Task, new_run
from solver.strategy.solution import game_at

TRIAD_FLOATS = 16_000_000
SLOT_BYTES = 28

#: rule set, score, changed options
GAMES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("truc", "0-0", {}),
    ("truc-lanes", "0-0", {}),
    ("truc", "9-9", {}),
    ("trut", "0.0-0.0", {}),
    ("trut-gatine", "0.0-0.0", {}),
    ("truc", "0-0", {"ranks": "3"}),
)


@dataclass(frozen=True, slots=True)
class Timing:
    """One game on this machine; ``seconds`` is the median iteration, both sides updated once."""

    rules: str
    score: str
    options: str
    algorithm: str
    threads: int
    slots: int
    compile_seconds: float
    iterations: int
    seconds: float
    fastest: float
    bandwidth: float

    @property
    def row(self) -> dict[str, object]:
        """The figures as printed."""
        rate = SLOT_BYTES * self.slots / self.seconds
        return {
            "rules": self.rules,
            "score": self.score,
            "options": self.options,
            "algorithm": self.algorithm,
            "threads": self.threads,
            "slots": self.slots,
            "iterations_per_second": 1.0 / self.seconds,
            "seconds_per_iteration": self.seconds,
            "fastest_iteration": self.fastest,
            "ns_per_slot": self.seconds / self.slots * 1e9,
            "bytes_per_slot": SLOT_BYTES,
            "gigabytes_per_second": rate / 1e9,
            "triad_gigabytes_per_second": self.bandwidth / 1e9,
            "percent_of_bandwidth": 100.0 * rate / self.bandwidth,
            "compile_seconds": self.compile_seconds,
        }


def bandwidth(threads: int, floats: int = TRIAD_FLOATS) -> float:
    """Bytes a second of a triad over float32 arrays on this many threads: best of five."""
    parts = [np.zeros((3, floats // threads), np.float32) for _ in range(threads)]
    triad(parts[0][0], parts[0][1], parts[0][2], np.float32(2.0))
    best = 0.0
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(5):
            started = time.perf_counter()
            list(pool.map(lambda part: triad(part[0], part[1], part[2], np.float32(2.0)), parts))
            best = max(best, 12.0 * (floats // threads) * threads / (time.perf_counter() - started))
    return best


def time_game(game: tuple[str, str, dict[str, str]], algorithm: str, threads: int, seconds: float) -> Timing:
    """Sweep one game for about ``seconds`` after a warm-up; the bandwidth is filled in by the caller."""
    name, score, options = game
    rules = catalogue.load(name, options)
    started = time.perf_counter()
    hand = game_at(rules, parse_score(rules, score), "points")
    sweeper = new_run(hand, Task(algorithm, threads)).sweeper
    compiled = time.perf_counter() - started
    for _ in range(3):
        sweeper.step()
    times: list[float] = []
    ends = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < ends:
        began = time.perf_counter()
        sweeper.step()
        times.append(time.perf_counter() - began)
    told = " ".join(f"{option}={value}" for option, value in options.items())
    median = float(np.median(times))
    return Timing(
        name, score, told, algorithm, threads, hand.tree.n_slots, compiled, len(times), median, min(times), 1.0
    )
