"""What solving a game will cost, from exact counts of its tree and a short probe.

Memory is what the process will hold at its peak: what it holds with the tree built (measured by the caller),
and on top of that the larger of two moments, sweeping with the judge at work, or writing the result. Every
array of both is counted, not guessed; only what the writer of parquet files takes is a measured constant.
"""

from __future__ import annotations

import time

import numpy as np

from solver.cfr.layout import cut_tree
from solver.strategy.frames import smallest
from solver.strategy.run import Task, new_run
from solver.tree.build import HandGame
from solver.tree.model import LEAF, N_CLASSES, REVEAL, PublicTree, slot_counts, tree_size
from solver.tree.reading import classes, matrix_key, nodes_of_kind

SINGLE, DOUBLE = 4, 8
JUDGE_VECTORS = 4
WRITER_BYTES_A_SLOT, WRITER_BYTES = 6, 33 * 2**20
PROBE_SECONDS = 1.0


def extra_memory(tree: PublicTree, threads: int) -> int:
    """Bytes that solving takes at its peak on top of the tree."""
    size = tree_size(tree)
    solving = sweeper_bytes(tree, threads, size.sequences) + judge_bytes(tree)
    average_and_stored = 2 * SINGLE * size.sequences
    columns = smallest(size.nodes)().nbytes + 1 + smallest(int(slot_counts(tree).max(initial=0)))().nbytes
    writing = (SINGLE + columns + WRITER_BYTES_A_SLOT) * size.sequences + WRITER_BYTES
    return max(solving, average_and_stored + judge_bytes(tree), writing)


def sweeper_bytes(tree: PublicTree, threads: int, slots: int) -> int:
    """Regrets, averages, strategies, weights in single precision, and the vectors of the sweeps."""
    pieces, _, _ = cut_tree(tree)
    n = len(classes(tree))
    spaces = {node.space: node.boards for node in nodes_of_kind(tree, REVEAL)}
    reveals = (2 * 2 * n * n + n) * sum(spaces.values())
    vectors = pieces.work[0] + threads * (pieces.work[1] + 2 * widest(tree))
    return SINGLE * (3 * slots + 2 * len(tree.weights) + reveals + vectors)


def judge_bytes(tree: PublicTree) -> int:
    """Weights as the judge gathers them, by class before a reveal, and its vectors down the widest path."""
    entries = 0
    for kind, copies in ((LEAF, 1), (REVEAL, N_CLASSES)):
        matrices = {matrix_key(tree, node.number): node for node in nodes_of_kind(tree, kind)}
        entries += copies * sum(node.boards * node.states[0] * node.states[1] for node in matrices.values())
    return DOUBLE * (entries + 2 * JUDGE_VECTORS * widest(tree))


def widest(tree: PublicTree) -> int:
    """Longest vector of any node."""
    used = np.unique(tree.space)
    return int((tree.boards[used, None].astype(np.int64) * tree.states[used]).max())


def probe(game: HandGame, algorithm: str, threads: int, seconds: float = PROBE_SECONDS) -> float:
    """Seconds an iteration takes: the median of those that fit in about ``seconds``.

    The first iteration is left out: it waits for memory that is touched for the first time.
    """
    sweeper = new_run(game, Task(algorithm, threads)).sweeper
    sweeper.step()
    taken: list[float] = []
    started = time.perf_counter()
    while not taken or time.perf_counter() - started < seconds:
        before = time.perf_counter()
        sweeper.step()
        taken.append(time.perf_counter() - before)
    return float(np.median(taken))
