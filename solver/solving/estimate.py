"""What solving a game will cost, from exact counts of its tree and a short probe.

Memory is what the process will hold at its peak: what it holds with the tree built (measured by the caller),
and on top of that the larger of two moments, sweeping with the judge at work, or writing the result. Every
array of both is counted, not guessed; only what the writer of parquet files takes is a measured constant.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from solver.cards.hands import HAND_SIZE, multisets
from solver.cfr.layout import cut_tree
from solver.cfr.schedules import schedule
from solver.cfr.sweeper import Sweeper
from solver.rules.model import RuleSet
from solver.strategy.frames import smallest
from solver.tree.model import DECISION, LEAF, N_CLASSES, REVEAL, PublicTree, TreeSize, lanes, tree_size

SINGLE, DOUBLE = 4, 8
JUDGE_VECTORS = 4
WRITER_BYTES_A_SLOT, WRITER_BYTES = 6, 33 * 2**20
PROBE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """Sizes of a game before it is solved; ``memory_bytes`` beyond what the process holds with the tree."""

    size: TreeSize
    memory_bytes: int
    seconds_per_iteration: float | None = None


def redeal_bytes(rules: RuleSet) -> int:
    """Bytes of the weights that a tree with a redeal (T9) holds, known before it is built; 0 without one.

    Both sides remember the hand they threw away, so the weights of a board are hands² times as many.
    """
    if not rules.redeal:
        return 0
    sizes = [len(multisets(size, len(rules.ranks))) for size in range(HAND_SIZE + 1)]
    laid = ((0, 0), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2))
    boards = sum(sizes[a] * sizes[b] * sizes[HAND_SIZE - a] * sizes[HAND_SIZE - b] for a, b in laid)
    return DOUBLE * sizes[HAND_SIZE] ** 2 * boards


def extra_memory(tree: PublicTree, threads: int) -> int:
    """Bytes that solving takes at its peak on top of the tree."""
    size = tree_size(tree)
    solving = sweeper_bytes(tree, threads, size.sequences) + judge_bytes(tree)
    average_and_stored = 2 * SINGLE * size.sequences
    columns = smallest(size.nodes)().nbytes + 1 + smallest(longest_edge(tree))().nbytes
    writing = (SINGLE + columns + WRITER_BYTES_A_SLOT) * size.sequences + WRITER_BYTES
    return max(solving, average_and_stored + judge_bytes(tree), writing)


def sweeper_bytes(tree: PublicTree, threads: int, slots: int) -> int:
    """Regrets, averages, strategies, weights in single precision, and the vectors of the sweeps."""
    pieces, _, _ = cut_tree(tree)
    n = len(tree.compare)
    spaces = np.unique(tree.space[tree.kind == REVEAL])
    reveals = (2 * 2 * n * n + n) * int(tree.boards[spaces].sum())
    vectors = pieces.work[0] + threads * (pieces.work[1] + 2 * widest(tree))
    return SINGLE * (3 * slots + 2 * len(tree.weights) + reveals + vectors)


def judge_bytes(tree: PublicTree) -> int:
    """Weights as the judge gathers them, by class before a reveal, and its vectors down the widest path."""
    gathered = 0
    for kind, copies in ((LEAF, 1), (REVEAL, N_CLASSES)):
        nodes = np.flatnonzero(tree.kind == kind).tolist()
        matrices = {(int(tree.matrix[node]), int(tree.space[node])) for node in nodes}
        entries = [int(tree.boards[space]) * int(tree.states[space].prod(dtype=np.int64)) for _, space in matrices]
        gathered += copies * sum(entries)
    return DOUBLE * (gathered + 2 * JUDGE_VECTORS * widest(tree))


def widest(tree: PublicTree) -> int:
    """Longest vector of any node."""
    return int((tree.boards[tree.space, None].astype(np.int64) * tree.states[tree.space]).max())


def longest_edge(tree: PublicTree) -> int:
    """Most slots of one edge."""
    nodes = np.flatnonzero(tree.kind == DECISION).tolist()
    return max(
        lanes(tree, int(child), int(tree.player[node]))
        for node in nodes
        for child in tree.child[tree.edges[node] : tree.edges[node + 1]]
    )


def probe(tree: PublicTree, algorithm: str, threads: int, seconds: float = PROBE_SECONDS) -> float:
    """Seconds an iteration takes: the median of those that fit in about ``seconds``.

    The first iteration is left out: it waits for memory that is touched for the first time.
    """
    sweeper = Sweeper(tree, schedule(algorithm), threads)
    sweeper.step()
    taken: list[float] = []
    started = time.perf_counter()
    while not taken or time.perf_counter() - started < seconds:
        before = time.perf_counter()
        sweeper.step()
        taken.append(time.perf_counter() - before)
    return float(np.median(taken))
