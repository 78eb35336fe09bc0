"""State of a running solver: regrets, averages and the sweeps that change them."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from solver.cfr.average import average_behaviour
from solver.cfr.layout import cut_tree, solver_matrices
from solver.cfr.schedules import Schedule
from solver.cfr.sweep_kernels import Singles, run_tasks, sweep
from solver.tree.model import PublicTree, lanes
from solver.tree.reading import decisions, edges_of, node_at, slots, slots_below

#: measured on Truc and Trut, see docs/algorithm.md, "Off the path"
TREMBLES = 1.5
MOST_FLOOR = 0.01
#: iteration with which the average begins anew: the first ones play what is never right, and where a side hardly ever
#: comes they would be all that is averaged
FIRST_AVERAGED = 5


class Sweeper:
    """Regrets and averages of one tree under one schedule.

    worth             float64 [outcomes]: what every end of the hand is worth to the elder; may change between steps
    regret, average   float32 [slots]
    strategy          float32 [slots]: what the next sweep plays
    iteration         sweeps of both sides done so far
    trembles          floors are this over the iteration; 0: no action has a floor, see ``trembles``
    """

    def __init__(self, tree: PublicTree, worth: NDArray[np.float64], schedule: Schedule, threads: int = 1) -> None:
        self.tree, self.worth, self.schedule, self.iteration = tree, worth, schedule, 0
        self.trembles = 0.0
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
        rule, one = self.schedule.rule(1), np.ones(2, np.float32)
        nothing = np.zeros(0, np.int64)
        self.run_events(nothing, nothing, nothing, 0, rule, one)
        self.run_share(np.zeros((0, 4), np.int32), self.top_work, self.factor[:2], 0, rule, one)

    @property
    def floor(self) -> float:
        """Least part of a reach that every legal action gets in the sweeps of this iteration."""
        return min(MOST_FLOOR, self.trembles / max(1, self.iteration))

    def step(self) -> None:
        """One iteration: both sides updated once, the elder first."""
        self.iteration += 1
        rule = self.schedule.rule(self.iteration)
        anew = self.trembles > 0 and self.iteration == FIRST_AVERAGED
        decay = np.float32(0.0) if anew else self.schedule.decay(self.iteration)
        weights = np.array([decay, self.floor], np.float32)
        for side in (0, 1):
            self.sweep(side, rule, weights)

    def sweep(self, side: int, rule: Singles, weights: Singles) -> None:
        """Update one side against the other's current strategy: down the top, every piece, up the top."""
        tree, top = self.tree, self.pieces.top
        first, count = np.zeros(len(tree.boards), np.int64), tree.boards.astype(np.int64)
        for who in (0, 1):
            start = self.top_places.reach[0, who]
            self.top_work[start : start + lanes(tree, 0, who)] = 1.0
        self.run_events(top, first, count, side, rule, weights)

        def run(share: int) -> None:
            self.run_share(self.shares[share], self.work[share], self.factor[2 * share :], side, rule, weights)

        if self.pool is None:
            for share in range(len(self.shares)):
                run(share)
        else:
            list(self.pool.map(run, range(len(self.shares))))
        self.run_events(~top[::-1], first, count, side, rule, weights)

    def run_events(
        self, events: NDArray[np.int64], first: NDArray[np.int64], count: NDArray[np.int64],
        side: int, rule: Singles, weights: Singles,
    ) -> None:  # fmt: skip
        """Enter or leave nodes above the cut."""
        sweep(
            self.tree, self.matrices, self.top_places, self.worth, events, first, count, side, self.strategy,
            self.average, weights, self.regret, rule, self.top_work, *self.factor[:2],
        )  # fmt: skip

    def run_share(
        self, tasks: NDArray[np.int32], work: Singles, scratch: list[Singles],
        side: int, rule: Singles, weights: Singles,
    ) -> None:  # fmt: skip
        """Do the pieces of one thread."""
        run_tasks(
            self.tree, self.matrices, self.places, self.worth, self.top_places, tasks, side, self.strategy,
            self.average, weights, self.regret, rule, self.top_work, work, *scratch[:2],
        )  # fmt: skip


def trembles(target: float, spread: float) -> float:
    """How much a run that is to come to exploitability ``target`` trembles, for ``Sweeper.trembles``.

    Floors bend the strategies by about what is at stake times their mean over the iterations. The iterations that are
    needed grow with target^-1/2, so this keeps the price a small part of any target.

    spread   difference between the best and the worst end of a hand, in the unit of the target
    """
    return TREMBLES * math.sqrt(target / spread) if spread > 0 else 0.0


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
