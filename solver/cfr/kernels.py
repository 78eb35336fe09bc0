"""Compiled arithmetic on lanes: the vectors of one node, a piece of them at a time.

A vector is an array and the place of its first lane. Hazards: slices would cost more than the arithmetic, so places
are passed; unsigned indices spare the test for negative ones, without which nothing vectorises; constants are typed,
a Python float would promote the arithmetic to float64; every sum has a fixed order, so results do not depend on the
number of threads.
"""

from __future__ import annotations

import numpy as np

from solver.jit import borrower, inlined

ZERO = np.float32(0.0)
ONE = np.float32(1.0)
TINY = np.float32(1e-30)
U = np.uint64


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


@borrower
def moved(x, gain, rule):  # type: ignore[no-untyped-def]
    """A regret after its gain, value of the action - value of the strategy."""
    x = x * (rule[0] if x > ZERO else rule[1]) + gain
    x = x if x > rule[2] else rule[2]
    # halved for ever, an unvisited negative regret would end in slow subnormal numbers
    return x if abs(x) > TINY else ZERO


@borrower
def basis(x, gain, rule):  # type: ignore[no-untyped-def]
    """What the next strategy is proportional to: positive part of the regret, or of what it is predicted to be."""
    y = x * rule[3] + rule[4] * gain
    return y if y > ZERO else ZERO


@borrower
def settle_pair(regret, strategy, s, work, v, value, rule, n):  # type: ignore[no-untyped-def]
    """A whole node of two plain actions: value of the node, regrets moved, next strategy.

    s, v     places of the actions' slots, and of the values below them
    rule     float32 [5], see ``schedules``

    A sum of subnormal regrets counts as none: its inverse overflows, and infinity times zero is no number.
    """
    (s0, s1), (v0, v1), half = s, v, np.float32(0.5)
    rule = rule[0], rule[1], rule[2], rule[3], rule[4]
    for i in range(n):
        a, b = work[U(v0 + i)], work[U(v1 + i)]
        mean = strategy[U(s0 + i)] * a + strategy[U(s1 + i)] * b
        work[U(value + i)] = mean
        a, b = a - mean, b - mean
        x, y = moved(regret[U(s0 + i)], a, rule), moved(regret[U(s1 + i)], b, rule)
        regret[U(s0 + i)], regret[U(s1 + i)] = x, y
        x, y = basis(x, a, rule), basis(y, b, rule)
        total = x + y
        inverse = ONE / total
        strategy[U(s0 + i)] = x * inverse if total > TINY else half
        strategy[U(s1 + i)] = y * inverse if total > TINY else half


@borrower
def settle_triple(regret, strategy, s, work, v, value, rule, n):  # type: ignore[no-untyped-def]
    """The same for three plain actions."""
    (s0, s1, s2), (v0, v1, v2), third = s, v, ONE / np.float32(3.0)
    rule = rule[0], rule[1], rule[2], rule[3], rule[4]
    for i in range(n):
        a, b, c = work[U(v0 + i)], work[U(v1 + i)], work[U(v2 + i)]
        mean = strategy[U(s0 + i)] * a + strategy[U(s1 + i)] * b + strategy[U(s2 + i)] * c
        work[U(value + i)] = mean
        a, b, c = a - mean, b - mean, c - mean
        x, y = moved(regret[U(s0 + i)], a, rule), moved(regret[U(s1 + i)], b, rule)
        z = moved(regret[U(s2 + i)], c, rule)
        regret[U(s0 + i)], regret[U(s1 + i)], regret[U(s2 + i)] = x, y, z
        x, y, z = basis(x, a, rule), basis(y, b, rule), basis(z, c, rule)
        total = x + y + z
        inverse = ONE / total
        strategy[U(s0 + i)] = x * inverse if total > TINY else third
        strategy[U(s1 + i)] = y * inverse if total > TINY else third
        strategy[U(s2 + i)] = z * inverse if total > TINY else third


@borrower
def move(regret, strategy, s, work, below, mean, rule, total, n):  # type: ignore[no-untyped-def]
    """Regrets of one action moved; its basis into ``strategy`` and on top of ``total``."""
    rule = rule[0], rule[1], rule[2], rule[3], rule[4]
    for i in range(n):
        gain = work[U(below + i)] - work[U(mean + i)]
        x = moved(regret[U(s + i)], gain, rule)
        regret[U(s + i)] = x
        x = basis(x, gain, rule)
        strategy[U(s + i)] = x
        total[i] += x


@borrower
def move_mapped(regret, strategy, s, work, below, mean, lane_map, k, base, rule, total, count, n):  # type: ignore[no-untyped-def]
    """The same through a lane map; also counts the actions of every parent lane."""
    rule = rule[0], rule[1], rule[2], rule[3], rule[4]
    for i in range(n):
        lane = lane_map[U(k + i)] - base
        gain = work[U(below + i)] - work[U(mean + lane)]
        x = moved(regret[U(s + i)], gain, rule)
        regret[U(s + i)] = x
        x = basis(x, gain, rule)
        strategy[U(s + i)] = x
        total[U(lane)] += x
        count[U(lane)] += ONE


@borrower
def move_masked(regret, strategy, s, work, below, mean, mask, k, states, rule, total, count, n):  # type: ignore[no-untyped-def]
    """The same for an action that only the states in ``mask`` may choose."""
    rule = rule[0], rule[1], rule[2], rule[3], rule[4]
    for i in range(n):
        gain = work[U(below + i)] - work[U(mean + i)]
        x = moved(regret[U(s + i)], gain, rule)
        regret[U(s + i)] = x
        if mask[U(k + i % states)]:
            x = basis(x, gain, rule)
            strategy[U(s + i)] = x
            total[i] += x
            count[i] += ONE


@borrower
def invert(total, count, shared, n):  # type: ignore[no-untyped-def]
    """Per lane: factor of the basis (in ``total``) and probability without any (in ``count``).

    shared   actions that every lane has, on top of ``count``
    """
    for i in range(n):
        t = total[i]
        even = ONE / (count[i] + shared)
        inverse = ONE / t
        total[i] = inverse if t > TINY else ZERO
        count[i] = ZERO if t > TINY else even


@borrower
def match(strategy, s, factor, even, n):  # type: ignore[no-untyped-def]
    """Regret matching: the basis becomes a probability."""
    for i in range(n):
        strategy[U(s + i)] = strategy[U(s + i)] * factor[i] + even[i]


@borrower
def match_mapped(strategy, s, lane_map, k, base, factor, even, n):  # type: ignore[no-untyped-def]
    """The same through a lane map."""
    for i in range(n):
        lane = U(lane_map[U(k + i)] - base)
        strategy[U(s + i)] = strategy[U(s + i)] * factor[lane] + even[lane]


@borrower
def match_masked(strategy, s, mask, k, states, factor, even, n):  # type: ignore[no-untyped-def]
    """The same; states outside ``mask`` never choose the action."""
    for i in range(n):
        if mask[U(k + i % states)]:
            strategy[U(s + i)] = strategy[U(s + i)] * factor[i] + even[i]


@borrower
def multiply(matrix, start, work, vector, scale, out, n, m):  # type: ignore[no-untyped-def]
    """out[i] = scale · sum_j matrix[start + j·n + i] · vector[j] for i < n, j < m; even j and odd j apart."""
    whole = n - n % 8
    for base in range(0, whole, 8):
        k, even, odd = U(start + base), spread(ZERO), spread(ZERO)
        for j in range(0, m - 1, 2):
            even = plus(even, times(eight(matrix, k), spread(work[U(vector + j)])))
            odd = plus(odd, times(eight(matrix, k + U(n)), spread(work[U(vector + j + 1)])))
            k += U(2 * n)
        if m % 2:
            even = plus(even, times(eight(matrix, k), spread(work[U(vector + m - 1)])))
        put(work, U(out + base), times(plus(even, odd), spread(scale)))
    for i in range(whole, n):
        last = ZERO
        for j in range(m):
            last += matrix[U(start + j * n + i)] * work[U(vector + j)]
        work[U(out + i)] = last * scale


@borrower
def reveal_down(apart, tied, board, work, reach, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Follower's reach by (class, lead): reach of his cards times the weight of both cards, summed over each class.

    apart, tied   weights of a board, see ``layout.Matrices``; board: the first one
    """
    whole = ranks - ranks % 8
    for b in range(boards):
        start, same = 2 * (board + b) * ranks * ranks, (board + b) * ranks
        vector, at = reach + b * ranks, out + 3 * b * ranks
        for base in range(0, whole, 8):
            k, lose, win = U(start + base), spread(ZERO), spread(ZERO)
            for card in range(ranks):
                x = spread(work[U(vector + card)])
                lose = plus(lose, times(eight(apart, k), x))
                win = plus(win, times(eight(apart, k + U(ranks)), x))
                k += U(2 * ranks)
            put(work, U(at + base), lose)
            put(work, U(at + ranks + base), times(eight(tied, U(same + base)), eight(work, U(vector + base))))
            put(work, U(at + 2 * ranks + base), win)
        for lead in range(whole, ranks):
            for part in range(2):
                total, k = ZERO, start + part * ranks + lead
                for card in range(ranks):
                    total += apart[U(k + 2 * ranks * card)] * work[U(vector + card)]
                work[U(at + 2 * part * ranks + lead)] = total
            work[U(at + ranks + lead)] = tied[U(same + lead)] * work[U(vector + lead)]


@borrower
def reveal_up(apart, tied, board, work, below, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Follower's value of his cards from that of (class, lead), turned about: ``apart`` has leads for rows."""
    whole = ranks - ranks % 8
    for b in range(boards):
        start, same = 2 * (board + b) * ranks * ranks, (board + b) * ranks
        vector, at = below + 3 * b * ranks, out + b * ranks
        for base in range(0, whole, 8):
            k, lose, win = U(start + base), spread(ZERO), spread(ZERO)
            for lead in range(ranks):
                lose = plus(lose, times(eight(apart, k), spread(work[U(vector + lead)])))
                x = spread(work[U(vector + 2 * ranks + lead)])
                win = plus(win, times(eight(apart, k + U(ranks)), x))
                k += U(2 * ranks)
            tie = times(eight(tied, U(same + base)), eight(work, U(vector + ranks + base)))
            put(work, U(at + base), plus(plus(lose, tie), win))
        for card in range(whole, ranks):
            total, k = tied[U(same + card)] * work[U(vector + ranks + card)], start + card
            for lead in range(ranks):
                total += apart[U(k + 2 * ranks * lead)] * work[U(vector + lead)]
                total += apart[U(k + 2 * ranks * lead + ranks)] * work[U(vector + 2 * ranks + lead)]
            work[U(at + card)] = total


@borrower
def show_leader(lose, tie, win, work, mass, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Leader's value of showing the last cards: sum over classes of payoff · follower's mass."""
    whole = ranks - ranks % 8
    for b in range(boards):
        at, q = U(out + b * ranks), U(mass + 3 * b * ranks)
        for x in range(0, whole, 8):
            total = times(spread(lose), eight(work, q + U(x)))
            total = plus(total, times(spread(tie), eight(work, q + U(ranks + x))))
            put(work, at + U(x), plus(total, times(spread(win), eight(work, q + U(2 * ranks + x)))))
        for x in range(whole, ranks):
            total = lose * work[q + U(x)] + tie * work[q + U(ranks + x)]
            work[at + U(x)] = total + win * work[q + U(2 * ranks + x)]


@borrower
def show_follower(lose, tie, win, work, reach, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Follower's value of (class, lead): payoff of the class times the leader's reach."""
    whole = ranks - ranks % 8
    for b in range(boards):
        at, p = U(out + 3 * b * ranks), U(reach + b * ranks)
        for x in range(0, whole, 8):
            r = eight(work, p + U(x))
            put(work, at + U(x), times(spread(lose), r))
            put(work, at + U(ranks + x), times(spread(tie), r))
            put(work, at + U(2 * ranks + x), times(spread(win), r))
        for x in range(whole, ranks):
            r = work[p + U(x)]
            work[at + U(x)] = lose * r
            work[at + U(ranks + x)] = tie * r
            work[at + U(2 * ranks + x)] = win * r


@borrower
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
