"""Compiled arithmetic on lanes: the vectors of one node, a piece of them at a time.

A vector is an array and the place of its first lane. Hazards: slices would cost more than the arithmetic, so places
are passed; unsigned indices spare the test for negative ones, without which nothing vectorises; constants are typed,
a Python float would promote the arithmetic to float64; every sum has a fixed order, so results do not depend on the
number of threads.
"""

from __future__ import annotations

from solver.cfr.eight_kernels import U, eight, plus, put
from solver.jit import borrower


@borrower
def fill(out, place, x, n):  # type: ignore[no-untyped-def]
    """out = x."""
    for i in range(n):
        out[U(place + i)] = x


@borrower
def carry(strategy, s, work, reach, below, n):  # type: ignore[no-untyped-def]
    """Reach below = reach · strategy."""
    for i in range(n):
        work[U(below + i)] = work[U(reach + i)] * strategy[U(s + i)]


@borrower
def carry_own(strategy, s, average, decay, work, reach, below, n):  # type: ignore[no-untyped-def]
    """The same; the reach also enters the average: average = average · decay + reach below."""
    for i in range(n):
        x = work[U(reach + i)] * strategy[U(s + i)]
        work[U(below + i)] = x
        average[U(s + i)] = average[U(s + i)] * decay + x


@borrower
def carry_mapped(strategy, s, work, reach, lane_map, k, base, below, n):  # type: ignore[no-untyped-def]
    """Reach below through a lane map."""
    for i in range(n):
        work[U(below + i)] = work[U(reach + lane_map[U(k + i)] - base)] * strategy[U(s + i)]


@borrower
def accumulate(average, a, decay, work, reach, n):  # type: ignore[no-untyped-def]
    """average = average · decay + reach."""
    for i in range(n):
        average[U(a + i)] = average[U(a + i)] * decay + work[U(reach + i)]


@borrower
def gather(work, above, lane_map, k, base, below, n):  # type: ignore[no-untyped-def]
    """Every lane below takes its parent lane."""
    for i in range(n):
        work[U(below + i)] = work[U(above + lane_map[U(k + i)] - base)]


@borrower
def gather_blocks(work, above, lane_map, k, base, below, states, boards):  # type: ignore[no-untyped-def]
    """The same through a map that moves whole boards."""
    whole = states - states % 8
    for b in range(boards):
        at, start = below + b * states, above + lane_map[U(k + b * states)] - base
        for i in range(0, whole, 8):
            put(work, U(at + i), eight(work, U(start + i)))
        for i in range(whole, states):
            work[U(at + i)] = work[U(start + i)]


@borrower
def add(work, below, value, n):  # type: ignore[no-untyped-def]
    """value += below."""
    for i in range(n):
        work[U(value + i)] += work[U(below + i)]


@borrower
def add_pair(work, a, b, value, n):  # type: ignore[no-untyped-def]
    """value = a + b."""
    for i in range(n):
        work[U(value + i)] = work[U(a + i)] + work[U(b + i)]


@borrower
def add_mapped(work, below, lane_map, k, base, value, n):  # type: ignore[no-untyped-def]
    """value[parent lane] += below."""
    for i in range(n):
        work[U(value + lane_map[U(k + i)] - base)] += work[U(below + i)]


@borrower
def add_blocks(work, below, lane_map, k, base, value, states, boards):  # type: ignore[no-untyped-def]
    """The same through a map that moves whole boards."""
    whole = states - states % 8
    for b in range(boards):
        at, start = below + b * states, value + lane_map[U(k + b * states)] - base
        for i in range(0, whole, 8):
            put(work, U(start + i), plus(eight(work, U(start + i)), eight(work, U(at + i))))
        for i in range(whole, states):
            work[U(start + i)] += work[U(at + i)]


@borrower
def add_product(strategy, s, work, below, value, n):  # type: ignore[no-untyped-def]
    """value += strategy · below."""
    for i in range(n):
        work[U(value + i)] += strategy[U(s + i)] * work[U(below + i)]


@borrower
def add_product_mapped(strategy, s, work, below, lane_map, k, base, value, n):  # type: ignore[no-untyped-def]
    """value[parent lane] += strategy · below."""
    for i in range(n):
        work[U(value + lane_map[U(k + i)] - base)] += strategy[U(s + i)] * work[U(below + i)]
