"""Eight neighbouring numbers at a time, each of these one vector instruction once it stands inside a kernel.

Hazard: the compiler finds that out by itself only with the pass that ``solver.jit`` turns on.
"""

from __future__ import annotations

import numpy as np

from solver.jit import inlined

U = np.uint64
ZERO, ONE = np.float32(0.0), np.float32(1.0)


@inlined
def eight(array, k):  # type: ignore[no-untyped-def]
    """Eight neighbours, for one vector instruction each time they are used together."""
    return (
        array[k], array[k + U(1)], array[k + U(2)], array[k + U(3)],
        array[k + U(4)], array[k + U(5)], array[k + U(6)], array[k + U(7)],
    )  # fmt: skip


@inlined
def spread(x):  # type: ignore[no-untyped-def]
    """Eight times the same."""
    return x, x, x, x, x, x, x, x


@inlined
def times(x, y):  # type: ignore[no-untyped-def]
    """Eight products."""
    return (
        x[0] * y[0], x[1] * y[1], x[2] * y[2], x[3] * y[3],
        x[4] * y[4], x[5] * y[5], x[6] * y[6], x[7] * y[7],
    )  # fmt: skip


@inlined
def plus(x, y):  # type: ignore[no-untyped-def]
    """Eight sums."""
    return (
        x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3],
        x[4] + y[4], x[5] + y[5], x[6] + y[6], x[7] + y[7],
    )  # fmt: skip


@inlined
def put(array, k, x):  # type: ignore[no-untyped-def]
    """Write eight neighbours."""
    array[k], array[k + U(1)], array[k + U(2)], array[k + U(3)] = x[0], x[1], x[2], x[3]
    array[k + U(4)], array[k + U(5)], array[k + U(6)], array[k + U(7)] = x[4], x[5], x[6], x[7]
