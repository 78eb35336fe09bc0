"""The columns of a solution folder: stored frequencies and judged points, in as few bytes as they need.

Rows of the strategy stand in slot order: ``node`` and ``edge`` (counted from the node's first) of the public
tree, ``lane`` of the acting side in the child, ``frequency`` in 1/65536.

Best responses are told in each side's own payoff. In the unit "match" the tree pays the elder his chance of
winning and the dealer its negative; what is told is the dealer's own chance, one more than the judge's value.
"""

from __future__ import annotations

import numpy as np
import polars
from numpy.typing import NDArray

from solver.cfr.solve import Measure
from solver.strategy.quantise import Counts
from solver.tree.model import PublicTree, slot_counts
from solver.tree.reading import edge_places

STRATEGY_COLUMNS = ("node", "edge", "lane", "frequency")


def smallest(largest: int) -> type[np.unsignedinteger]:
    """The narrowest unsigned type that holds the numbers 0 to ``largest``."""
    kinds: tuple[type[np.unsignedinteger], ...] = (np.uint8, np.uint16, np.uint32)
    return next((kind for kind in kinds if largest <= np.iinfo(kind).max), np.uint64)


def strategy_frame(tree: PublicTree, stored: Counts) -> polars.DataFrame:
    """The rows of strategy.parquet; beside ``stored`` it takes about 7 bytes a slot in the full game."""
    counts = slot_counts(tree)
    node_of, edge_of = edge_places(tree)
    return polars.DataFrame(
        {
            "node": np.repeat(node_of.astype(smallest(len(tree.kind))), counts),
            "edge": np.repeat(edge_of.astype(smallest(int(edge_of.max()) + 1)), counts),
            "lane": lane_column(counts),
            "frequency": stored,
        }
    )


def lane_column(counts: NDArray[np.int64]) -> NDArray[np.unsignedinteger]:
    """0, 1, 2 … anew for every edge."""
    lane = np.empty(int(counts.sum()), smallest(int(counts.max(initial=0))))
    start = 0
    for count in counts.tolist():
        lane[start : start + count] = np.arange(count, dtype=lane.dtype)
        start += count
    return lane


def own_responses(best_response: tuple[float, float], unit: str) -> tuple[float, float]:
    """Best-response values as they are told: points each, or each side's own chance of winning the match."""
    elder, dealer = best_response
    return (elder, dealer) if unit == "points" else (elder, 1.0 + dealer)


def judged_responses(told: tuple[float, float], unit: str) -> tuple[float, float]:
    """The inverse of ``own_responses``."""
    elder, dealer = told
    return (elder, dealer) if unit == "points" else (elder, dealer - 1.0)


def convergence_frame(measures: list[Measure], unit: str) -> polars.DataFrame:
    """The rows of convergence.parquet."""
    told = [own_responses(m.best_response, unit) for m in measures]
    return polars.DataFrame(
        {
            "iteration": [m.iteration for m in measures],
            "seconds": [m.seconds for m in measures],
            "value": [m.value for m in measures],
            "best_response_elder": [elder for elder, _ in told],
            "best_response_dealer": [dealer for _, dealer in told],
            "nash_conv": [m.nash_conv for m in measures],
        },
        schema_overrides={"iteration": polars.Int64, "seconds": polars.Float64},
    )


def measures_of(frame: polars.DataFrame, unit: str) -> list[Measure]:
    """The judged points that ``convergence_frame`` wrote."""
    columns = ("iteration", "seconds", "value", "best_response_elder", "best_response_dealer")
    return [
        Measure(iteration, seconds, value, judged_responses((elder, dealer), unit))
        for iteration, seconds, value, elder, dealer in frame.select(columns).iter_rows()
    ]
