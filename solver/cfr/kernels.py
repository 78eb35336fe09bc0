"""Compiled arithmetic on lanes: the vectors of one node, a piece of them at a time.

A vector is an array and the place of its first lane. Hazards: slices would cost more than the arithmetic, so places
are passed; unsigned indices spare the test for negative ones, without which nothing vectorises; constants are typed,
a Python float would promote the arithmetic to float64; every sum has a fixed order, so results do not depend on the
number of threads.
"""

from __future__ import annotations

import numpy as np

from solver.cfr.eight_kernels import ZERO, U, eight, plus, put
from solver.jit import borrower, inlined

#: floors alone bring no less than this: what hangs on less would be slow subnormal numbers
LEAST = np.float32(1e-30)


@borrower
def fill(out, place, x, n):
    """out = x."""
    for i in range(n):
        out[U(place + i)] = x


@inlined
def trembling(x, reach, floor):
    """Reach below an action: ``x`` by the strategy, at least ``floor`` times the reach above."""
    least = reach * floor
    least = least if least > LEAST else ZERO
    return x if x > least else least


@borrower
def carry(strategy, s, floor, work, reach, below, n):
    """Reach below = reach · strategy, or · floor where that is more."""
    for i in range(n):
        x = work[U(reach + i)]
        work[U(below + i)] = trembling(x * strategy[U(s + i)], x, floor)


@borrower
def carry_own(strategy, s, floor, average, decay, work, reach, below, n):
    """The same; the strategy also enters the average, without the floor: average · decay + reach · strategy."""
    for i in range(n):
        x = work[U(reach + i)]
        y = x * strategy[U(s + i)]
        work[U(below + i)] = trembling(y, x, floor)
        average[U(s + i)] = average[U(s + i)] * decay + y


@borrower
def carry_mapped(strategy, s, floor, work, reach, lane_map, k, base, below, n):
    """``carry`` through a lane map."""
    for i in range(n):
        x = work[U(reach + lane_map[U(k + i)] - base)]
        work[U(below + i)] = trembling(x * strategy[U(s + i)], x, floor)


@borrower
def carry_own_mapped(strategy, s, floor, average, decay, work, reach, lane_map, k, base, below, n):
    """``carry_own`` through a lane map."""
    for i in range(n):
        x = work[U(reach + lane_map[U(k + i)] - base)]
        y = x * strategy[U(s + i)]
        work[U(below + i)] = trembling(y, x, floor)
        average[U(s + i)] = average[U(s + i)] * decay + y


@borrower
def leave_out(mask, k, states, work, below, n):
    """States outside ``mask`` do not come below, whatever the floor."""
    for i in range(n):
        if not mask[U(k + i % states)]:
            work[U(below + i)] = ZERO


@borrower
def gather(work, above, lane_map, k, base, below, n):
    """Every lane below takes its parent lane."""
    for i in range(n):
        work[U(below + i)] = work[U(above + lane_map[U(k + i)] - base)]


@borrower
def gather_blocks(work, above, lane_map, k, base, below, states, boards):
    """The same through a map that moves whole boards."""
    whole = states - states % 8
    for b in range(boards):
        at, start = below + b * states, above + lane_map[U(k + b * states)] - base
        for i in range(0, whole, 8):
            put(work, U(at + i), eight(work, U(start + i)))
        for i in range(whole, states):
            work[U(at + i)] = work[U(start + i)]


@borrower
def add(work, below, value, n):
    """value += below."""
    for i in range(n):
        work[U(value + i)] += work[U(below + i)]


@borrower
def add_pair(work, a, b, value, n):
    """value = a + b."""
    for i in range(n):
        work[U(value + i)] = work[U(a + i)] + work[U(b + i)]


@borrower
def add_mapped(work, below, lane_map, k, base, value, n):
    """value[parent lane] += below."""
    for i in range(n):
        work[U(value + lane_map[U(k + i)] - base)] += work[U(below + i)]


@borrower
def add_blocks(work, below, lane_map, k, base, value, states, boards):
    """The same through a map that moves whole boards."""
    whole = states - states % 8
    for b in range(boards):
        at, start = below + b * states, value + lane_map[U(k + b * states)] - base
        for i in range(0, whole, 8):
            put(work, U(start + i), plus(eight(work, U(start + i)), eight(work, U(at + i))))
        for i in range(whole, states):
            work[U(start + i)] += work[U(at + i)]


@borrower
def add_product(strategy, s, work, below, value, n):
    """value += strategy · below."""
    for i in range(n):
        work[U(value + i)] += strategy[U(s + i)] * work[U(below + i)]


@borrower
def add_product_mapped(strategy, s, work, below, lane_map, k, base, value, n):
    """value[parent lane] += strategy · below."""
    for i in range(n):
        work[U(value + lane_map[U(k + i)] - base)] += strategy[U(s + i)] * work[U(below + i)]
