"""Compiled arithmetic on lanes: the vectors of one node, a piece of them at a time.

A vector is an array and the place of its first lane. Hazards: slices would cost more than the arithmetic (each one
is counted in and out), so places are passed; unsigned indices spare the test for negative ones, without which
nothing vectorises; constants are typed, a Python float would promote the arithmetic to float64; every sum has a
fixed order, so results do not depend on the number of threads.
"""

from __future__ import annotations

import numpy as np

from solver.jit import kernel

ZERO = np.float32(0.0)
ONE = np.float32(1.0)
TINY = np.float32(1e-30)
U = np.uint64


@kernel
def fill(out, place, x, n):  # type: ignore[no-untyped-def]
    """out = x."""
    for i in range(n):
        out[U(place + i)] = x


@kernel
def positive_part_sum(regret, r, total, n):  # type: ignore[no-untyped-def]
    """total += max(regret, 0)."""
    for i in range(n):
        x = regret[U(r + i)]
        total[i] += x if x > ZERO else ZERO


@kernel
def positive_part(regret, r, total, n):  # type: ignore[no-untyped-def]
    """total = max(regret, 0)."""
    for i in range(n):
        x = regret[U(r + i)]
        total[i] = x if x > ZERO else ZERO


@kernel
def positive_part_scatter(regret, r, lane_map, k, base, total, count, n):  # type: ignore[no-untyped-def]
    """The same through a lane map; also counts the actions of every parent lane."""
    for i in range(n):
        x = regret[U(r + i)]
        lane = U(lane_map[U(k + i)] - base)
        total[lane] += x if x > ZERO else ZERO
        count[lane] += ONE


@kernel
def masked_part_sum(regret, r, mask, k, states, total, count, n):  # type: ignore[no-untyped-def]
    """The same for an action that only the states in ``mask`` may choose."""
    for i in range(n):
        if mask[U(k + i % states)]:
            x = regret[U(r + i)]
            total[i] += x if x > ZERO else ZERO
            count[i] += ONE


@kernel
def invert(total, count, shared, n):  # type: ignore[no-untyped-def]
    """Per lane: factor of the positive regret (in ``total``) and probability without any (in ``count``).

    shared   actions that every lane has, on top of ``count``

    A sum of subnormal regrets counts as none: its inverse overflows, and infinity times zero is no number.
    """
    for i in range(n):
        t = total[i]
        even = ONE / (count[i] + shared)
        inverse = ONE / t
        total[i] = inverse if t > TINY else ZERO
        count[i] = ZERO if t > TINY else even


@kernel
def invert_plain(total, even, share, n):  # type: ignore[no-untyped-def]
    """The same where every lane has the same actions, each with probability ``share`` without any regret."""
    for i in range(n):
        t = total[i]
        inverse = ONE / t
        total[i] = inverse if t > TINY else ZERO
        even[i] = ZERO if t > TINY else share


@kernel
def carry(regret, r, factor, even, work, reach, below, n):  # type: ignore[no-untyped-def]
    """Regret matching of the side that is not updated: only the reach below."""
    for i in range(n):
        x = regret[U(r + i)]
        work[U(below + i)] = work[U(reach + i)] * ((x if x > ZERO else ZERO) * factor[i] + even[i])


@kernel
def choose(regret, r, factor, even, work, reach, sigma, below, n):  # type: ignore[no-untyped-def]
    """Regret matching: sigma, and the reach below, lanes alike."""
    for i in range(n):
        x = regret[U(r + i)]
        s = (x if x > ZERO else ZERO) * factor[i] + even[i]
        work[U(sigma + i)] = s
        work[U(below + i)] = work[U(reach + i)] * s


@kernel
def choose_mapped(regret, r, lane_map, k, base, factor, even, work, reach, sigma, below, n):  # type: ignore[no-untyped-def]
    """Regret matching through a lane map."""
    for i in range(n):
        lane = lane_map[U(k + i)] - base
        x = regret[U(r + i)]
        s = (x if x > ZERO else ZERO) * factor[U(lane)] + even[U(lane)]
        work[U(sigma + i)] = s
        work[U(below + i)] = work[U(reach + lane)] * s


@kernel
def clear_masked(mask, k, states, work, sigma, below, n):  # type: ignore[no-untyped-def]
    """States outside ``mask`` never choose the action."""
    for i in range(n):
        if not mask[U(k + i % states)]:
            work[U(sigma + i)] = ZERO
            work[U(below + i)] = ZERO


@kernel
def accumulate(average, a, decay, work, reach, n):  # type: ignore[no-untyped-def]
    """average = average · decay + reach."""
    for i in range(n):
        average[U(a + i)] = average[U(a + i)] * decay + work[U(reach + i)]


@kernel
def gather(work, above, lane_map, k, base, below, n):  # type: ignore[no-untyped-def]
    """Every lane below takes its parent lane."""
    for i in range(n):
        work[U(below + i)] = work[U(above + lane_map[U(k + i)] - base)]


@kernel
def add(work, below, value, n):  # type: ignore[no-untyped-def]
    """value += below."""
    for i in range(n):
        work[U(value + i)] += work[U(below + i)]


@kernel
def add_mapped(work, below, lane_map, k, base, value, n):  # type: ignore[no-untyped-def]
    """value[parent lane] += below."""
    for i in range(n):
        work[U(value + lane_map[U(k + i)] - base)] += work[U(below + i)]


@kernel
def add_product(work, sigma, below, value, n):  # type: ignore[no-untyped-def]
    """value += sigma · below."""
    for i in range(n):
        work[U(value + i)] += work[U(sigma + i)] * work[U(below + i)]


@kernel
def product(work, sigma, below, value, n):  # type: ignore[no-untyped-def]
    """value = sigma · below."""
    for i in range(n):
        work[U(value + i)] = work[U(sigma + i)] * work[U(below + i)]


@kernel
def add_product_mapped(work, sigma, below, lane_map, k, base, value, n):  # type: ignore[no-untyped-def]
    """value[parent lane] += sigma · below."""
    for i in range(n):
        work[U(value + lane_map[U(k + i)] - base)] += work[U(sigma + i)] * work[U(below + i)]


@kernel
def move_regret(regret, r, work, below, mean, positive, negative, n):  # type: ignore[no-untyped-def]
    """regret = regret discounted by its sign + (value of the action - value of the strategy)."""
    for i in range(n):
        x = regret[U(r + i)]
        x = x * (positive if x > ZERO else negative) + (work[U(below + i)] - work[U(mean + i)])
        # halved for ever, an unvisited negative regret would end in slow subnormal numbers
        regret[U(r + i)] = x if abs(x) > TINY else ZERO


@kernel
def move_clipped(regret, r, work, below, mean, positive, n):  # type: ignore[no-untyped-def]
    """The same, kept at zero or above."""
    for i in range(n):
        x = regret[U(r + i)] * positive + (work[U(below + i)] - work[U(mean + i)])
        regret[U(r + i)] = x if x > ZERO else ZERO


@kernel
def predict(regret, r, work, below, mean, discount, trust, basis, n):  # type: ignore[no-untyped-def]
    """basis = max(regret · discount + trust · (value - mean), 0): what the next strategy is made from."""
    for i in range(n):
        x = regret[U(r + i)] * discount + trust * (work[U(below + i)] - work[U(mean + i)])
        basis[U(r + i)] = x if x > ZERO else ZERO


@kernel
def multiply(matrix, start, work, vector, scale, out, n, m):  # type: ignore[no-untyped-def]
    """out[i] = scale · sum_j matrix[start + j·n + i] · vector[j] for i < n, j < m in order.

    Eight sums at a time stay in registers.
    """
    whole = n - n % 8
    for base in range(0, whole, 8):
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = ZERO
        k = U(start + base)
        for j in range(m):
            v = work[U(vector + j)]
            a0 += matrix[k] * v
            a1 += matrix[k + U(1)] * v
            a2 += matrix[k + U(2)] * v
            a3 += matrix[k + U(3)] * v
            a4 += matrix[k + U(4)] * v
            a5 += matrix[k + U(5)] * v
            a6 += matrix[k + U(6)] * v
            a7 += matrix[k + U(7)] * v
            k += U(n)
        o = U(out + base)
        work[o], work[o + U(1)], work[o + U(2)], work[o + U(3)] = (
            a0 * scale,
            a1 * scale,
            a2 * scale,
            a3 * scale,
        )
        work[o + U(4)], work[o + U(5)], work[o + U(6)], work[o + U(7)] = (
            a4 * scale,
            a5 * scale,
            a6 * scale,
            a7 * scale,
        )
    for i in range(whole, n):
        total = ZERO
        for j in range(m):
            total += matrix[U(start + j * n + i)] * work[U(vector + j)]
        work[U(out + i)] = total * scale


@kernel
def show_leader(lose, tie, win, work, mass, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Leader's value of showing the last cards: sum over classes of payoff · follower's mass."""
    for b in range(boards):
        at, q = out + b * ranks, mass + 3 * b * ranks
        for x in range(ranks):
            total = lose * work[U(q + x)] + tie * work[U(q + ranks + x)]
            work[U(at + x)] = total + win * work[U(q + 2 * ranks + x)]


@kernel
def show_follower(lose, tie, win, work, reach, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Follower's value of (class, lead): payoff of the class times the leader's reach."""
    for b in range(boards):
        at, p = out + 3 * b * ranks, reach + b * ranks
        for x in range(ranks):
            r = work[U(p + x)]
            work[U(at + x)] = lose * r
            work[U(at + ranks + x)] = tie * r
            work[U(at + 2 * ranks + x)] = win * r


@kernel
def show_tie_table(table, start, sign, to_leader, work, reach, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Add sign · table (payoff of a spoiled last trick, a board and lead) on the tie class."""
    for b in range(boards):
        for x in range(ranks):
            payoff = sign * np.float32(table[U(start + b * ranks + x)])
            wide, narrow = (3 * b + 1) * ranks + x, b * ranks + x
            if to_leader:
                work[U(out + narrow)] += payoff * work[U(reach + wide)]
            else:
                work[U(out + wide)] += payoff * work[U(reach + narrow)]
