"""The kernel that measures memory: a triad over arrays that no cache holds."""

from __future__ import annotations

from solver.jit import kernel


@kernel
def triad(a, b, c, scale):  # type: ignore[no-untyped-def]
    """a = b + scale · c: two reads and a write an element (STREAM, McCalpin 1995)."""
    for i in range(a.shape[0]):
        a[i] = b[i] + scale * c[i]
