"""Compiled regret matching: regrets after a sweep, and the next strategy from them.

The regrets of an action and its probabilities have one place, ``s``, in two arrays. ``rule`` is float32 [5], its
columns are named below: factors of positive and of negative regrets, the least a regret may be, factors of the regret
and of its gain in the basis, which the next strategy is proportional to (``schedules``).

Hazard: a sum of subnormal numbers counts as none; its inverse overflows, and infinity times zero is no number.
"""

from __future__ import annotations

import numpy as np

from solver.cfr.eight_kernels import ONE, ZERO, U
from solver.jit import borrower, inlined

TINY = np.float32(1e-30)
POSITIVE, NEGATIVE, LEAST, DISCOUNT, TRUST = range(5)


@inlined
def in_registers(rule):  # type: ignore[no-untyped-def]
    """The rule as numbers of their own, which a loop need not load again."""
    return rule[POSITIVE], rule[NEGATIVE], rule[LEAST], rule[DISCOUNT], rule[TRUST]


@borrower
def moved(x, gain, rule):  # type: ignore[no-untyped-def]
    """A regret after its gain, value of the action - value of the strategy."""
    x = x * (rule[POSITIVE] if x > ZERO else rule[NEGATIVE]) + gain
    x = x if x > rule[LEAST] else rule[LEAST]
    # halved for ever, an unvisited negative regret would end in slow subnormal numbers
    return x if abs(x) > TINY else ZERO


@borrower
def basis(x, gain, rule):  # type: ignore[no-untyped-def]
    """What the next strategy is proportional to: positive part of the regret, or of what it is predicted to be."""
    y = x * rule[DISCOUNT] + rule[TRUST] * gain
    return y if y > ZERO else ZERO


@borrower
def settle_pair(regret, strategy, s, work, v, value, rule, n):  # type: ignore[no-untyped-def]
    """A whole node of two plain actions: value of the node, regrets moved, next strategy.

    s, v   places of the actions' slots, and of the values below them
    """
    (s0, s1), (v0, v1), half = s, v, np.float32(0.5)
    rule = in_registers(rule)
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
    rule = in_registers(rule)
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
    rule = in_registers(rule)
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
    rule = in_registers(rule)
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
    rule = in_registers(rule)
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
