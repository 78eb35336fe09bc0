"""State of a running solver: regrets, averages and the sweeps that change them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from solver.cfr.average import average_behaviour
from solver.cfr.layout import cut_tree, solver_matrices
from solver.cfr.schedules import Schedule
from solver.cfr.sweep_kernels import run_tasks, sweep
from solver.tree.model import PublicTree, lanes
from solver.tree.reading import decisions, edges_of, node_at, slots, slots_below

Singles = NDArray[np.float32]


class Sweeper:
    """Regrets and averages of one tree under one schedule.

    worth             float64 [outcomes]: what every end of the hand is worth to the elder; may change between steps
    regret, average   float32 [slots]
    strategy          float32 [slots]: what the next sweep plays
    iteration         sweeps of both sides done so far
    """

    def __init__(self, tree: PublicTree, worth: NDArray[np.float64], schedule: Schedule, threads: int = 1) -> None:
        self.tree, self.worth, self.schedule, self.iteration = tree, worth, schedule, 0
        self.matrices = solver_matrices(tree)
        self.pieces, self.top_places, self.places = cut_tree(tree)
        self.regret = np.zeros(tree.n_slots, np.float32)
        self.average = np.zeros(tree.n_slots, np.float32)
        self.strategy = uniform(tree)
        self.top_work = np.zeros(self.pieces.work[0], np.float32)
        self.shares = split_tasks(self.pieces.task, threads, tree)
        self.work = [np.zeros(self.pieces.work[1], np.float32) for _ in self.shares]
        widest = max(lanes(tree, node, side) for node in range(len(tree.kind)) for side in (0, 1))
        self.factor = [np.zeros(widest, np.float32) for _ in range(2 * max(1, len(self.shares)))]
        self.pool = ThreadPoolExecutor(len(self.shares)) if len(self.shares) > 1 else None

    def close(self) -> None:
        """Let the threads go; the state can still be read."""
        if self.pool is not None:
            self.pool.shutdown()
            self.pool = None

    def warm_up(self) -> None:
        """Compile the kernels for these arrays without touching the state."""
        rule, one = self.schedule.rule(1), np.float32(1.0)
        nothing = np.zeros(0, np.int64)
        self.run_events(nothing, nothing, nothing, 0, rule, one)
        self.run_share(np.zeros((0, 4), np.int32), self.top_work, self.factor[:2], 0, rule, one)

    def step(self) -> None:
        """One iteration: both sides updated once, the elder first."""
        self.iteration += 1
        rule, decay = self.schedule.rule(self.iteration), self.schedule.decay(self.iteration)
        for side in (0, 1):
            self.sweep(side, rule, decay)

    def sweep(self, side: int, rule: Singles, decay: np.float32) -> None:
        """Update one side against the other's current strategy: down the top, every piece, up the top."""
        tree, top = self.tree, self.pieces.top
        first, count = np.zeros(len(tree.boards), np.int64), tree.boards.astype(np.int64)
        for who in (0, 1):
            start = self.top_places.reach[0, who]
            self.top_work[start : start + lanes(tree, 0, who)] = 1.0
        self.run_events(top, first, count, side, rule, decay)

        def run(share: int) -> None:
            self.run_share(self.shares[share], self.work[share], self.factor[2 * share :], side, rule, decay)

        if self.pool is None:
            for share in range(len(self.shares)):
                run(share)
        else:
            list(self.pool.map(run, range(len(self.shares))))
        self.run_events(~top[::-1], first, count, side, rule, decay)

    def run_events(
        self, events: NDArray[np.int64], first: NDArray[np.int64], count: NDArray[np.int64],
        side: int, rule: Singles, decay: np.float32,
    ) -> None:  # fmt: skip
        """Enter or leave nodes above the cut."""
        sweep(
            self.tree, self.matrices, self.top_places, self.worth, events, first, count, side, self.strategy,
            self.average, decay, self.regret, rule, self.top_work, *self.factor[:2],
        )  # fmt: skip

    def run_share(
        self, tasks: NDArray[np.int32], work: Singles, scratch: list[Singles],
        side: int, rule: Singles, decay: np.float32,
    ) -> None:  # fmt: skip
        """Do the pieces of one thread."""
        run_tasks(
            self.tree, self.matrices, self.places, self.worth, self.top_places, tasks, side, self.strategy,
            self.average, decay, self.regret, rule, self.top_work, work, *scratch[:2],
        )  # fmt: skip


def uniform(tree: PublicTree) -> Singles:
    """The strategy before the first iteration, float32 [slots]: every legal action alike."""
    nothing, strategy = np.zeros(tree.n_slots, np.float32), np.empty(tree.n_slots, np.float32)
    for node in decisions(tree):
        parts = average_behaviour(tree, nothing, node.number)
        for edge, part in zip(edges_of(tree, node.number), parts, strict=True):
            strategy[slots(tree, edge)] = part
    return strategy


def split_tasks(tasks: NDArray[np.int32], threads: int, tree: PublicTree) -> list[NDArray[np.int32]]:
    """Tasks for each thread: the largest first, each to the least loaded thread (results do not depend on it)."""
    if not len(tasks):
        return []
    cost, below = [], slots_below(tree)
    for root, end, low, high in tasks.tolist():
        part = (high - low) / node_at(tree, root).boards
        cost.append(64.0 * (end - root) + part * float(below[root]))
    shares: list[list[int]] = [[] for _ in range(min(threads, len(tasks)))]
    load = [0.0] * len(shares)
    for task in sorted(range(len(tasks)), key=lambda k: -cost[k]):
        lightest = load.index(min(load))
        shares[lightest].append(task)
        load[lightest] += cost[task]
    return [tasks[sorted(share)] for share in shares]
