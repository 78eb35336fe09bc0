"""The kernel that measures memory: a triad over arrays that no cache holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel


@kernel
def triad(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], scale: np.float32) -> None:
    """a = b + scale · c: two reads and a write an element (STREAM, McCalpin 1995)."""
    for i in range(a.shape[0]):
        a[i] = b[i] + scale * c[i]
