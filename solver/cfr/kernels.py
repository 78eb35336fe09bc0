"""Compiled sweeps of counterfactual regret minimisation over one piece of the public tree.

A piece is a list of nodes in depth-first order and a range of root boards. ``descend`` turns regrets into
strategies and carries the reach of both sides down; ``ascend`` carries counterfactual values of the updating side
up and moves its regrets. Strategies stay frozen during a sweep: both passes use what ``descend`` computed.

Hazards: loops run over slices from index 0 so that they vectorise; constants are typed, a Python float would
promote the arithmetic to float64; every sum has a fixed order, so results do not depend on the number of threads.
"""

from __future__ import annotations

import numpy as np

from solver.jit import kernel

DECISION, CHANCE, REVEAL, LEAF, SHOW = range(5)
ZERO = np.float32(0.0)
ONE = np.float32(1.0)
TINY = np.float32(1e-30)


@kernel
def board_range(tree, space, low, high):  # type: ignore[no-untyped-def]
    """Boards of ``space`` that belong to root boards [low, high); all of them above the cut."""
    if tree.root[space] < 0 or low < 0:
        return 0, tree.boards[space]
    cut = tree.cut[space]
    return tree.cut_value[cut + low], tree.cut_value[cut + high]


@kernel
def positive_part_sum(regret, total):  # type: ignore[no-untyped-def]
    """total += max(regret, 0)."""
    for i in range(total.shape[0]):
        x = regret[i]
        total[i] += x if x > ZERO else ZERO


@kernel
def positive_part_scatter(regret, lane_map, base, total, count):  # type: ignore[no-untyped-def]
    """The same through a lane map; also counts the actions of every parent lane."""
    for i in range(regret.shape[0]):
        x = regret[i]
        lane = lane_map[i] - base
        total[lane] += x if x > ZERO else ZERO
        count[lane] += ONE


@kernel
def masked_part_sum(regret, mask, total, count):  # type: ignore[no-untyped-def]
    """The same for an action that only the states in ``mask`` may choose."""
    states = mask.shape[0]
    for i in range(total.shape[0]):
        if mask[i % states]:
            x = regret[i]
            total[i] += x if x > ZERO else ZERO
            count[i] += ONE


@kernel
def invert(total, count):  # type: ignore[no-untyped-def]
    """Per lane: factor of the positive regret (in ``total``) and probability without any (in ``count``)."""
    for i in range(total.shape[0]):
        t = total[i]
        uniform = ONE / count[i]
        total[i] = ONE / t if t > ZERO else ZERO
        count[i] = ZERO if t > ZERO else uniform


@kernel
def choose(regret, factor, uniform, reach, sigma, child_reach):  # type: ignore[no-untyped-def]
    """Regret matching: sigma and the reach of the child, lanes alike."""
    for i in range(sigma.shape[0]):
        x = regret[i]
        s = (x if x > ZERO else ZERO) * factor[i] + uniform[i]
        sigma[i] = s
        child_reach[i] = reach[i] * s


@kernel
def choose_mapped(regret, lane_map, base, factor, uniform, reach, sigma, child_reach):  # type: ignore[no-untyped-def]
    """Regret matching through a lane map."""
    for i in range(sigma.shape[0]):
        lane = lane_map[i] - base
        x = regret[i]
        s = (x if x > ZERO else ZERO) * factor[lane] + uniform[lane]
        sigma[i] = s
        child_reach[i] = reach[lane] * s


@kernel
def accumulate(average, reach, decay, weight):  # type: ignore[no-untyped-def]
    """average = average · decay + weight · reach."""
    for i in range(average.shape[0]):
        average[i] = average[i] * decay + weight * reach[i]


@kernel
def move_regret(regret, value, base, positive, negative, clip):  # type: ignore[no-untyped-def]
    """regret = regret discounted by its sign + (value of the action - value of the strategy), clipped at zero or not."""
    if clip:
        for i in range(regret.shape[0]):
            x = regret[i] * positive + (value[i] - base[i])
            regret[i] = x if x > ZERO else ZERO
    else:
        for i in range(regret.shape[0]):
            x = regret[i]
            x = x * (positive if x > ZERO else negative) + (value[i] - base[i])
            # halved for ever, an unvisited negative regret would end in slow subnormal numbers
            regret[i] = x if (x > TINY or x < -TINY) else ZERO


@kernel
def predict(regret, value, base, discount, trust, basis):  # type: ignore[no-untyped-def]
    """basis = max(regret · discount + trust · (value - base), 0): what the next strategy is made from."""
    for i in range(regret.shape[0]):
        x = regret[i] * discount + trust * (value[i] - base[i])
        basis[i] = x if x > ZERO else ZERO


@kernel
def add_product(sigma, value, total):  # type: ignore[no-untyped-def]
    """total += sigma · value."""
    for i in range(total.shape[0]):
        total[i] += sigma[i] * value[i]


@kernel
def add(value, total):  # type: ignore[no-untyped-def]
    """total += value."""
    for i in range(total.shape[0]):
        total[i] += value[i]


@kernel
def multiply(matrix, vector, scale, out):  # type: ignore[no-untyped-def]
    """out = scale · sum_j matrix[j, :] · vector[j], rows added one after the other."""
    n = out.shape[0]
    out[:] = ZERO
    for j in range(vector.shape[0]):
        v = vector[j] * scale
        if v != ZERO:
            row = matrix[j * n : j * n + n]
            for i in range(n):
                out[i] += row[i] * v


@kernel
def show_leader(payoff, follower, n, out):  # type: ignore[no-untyped-def]
    """Leader's value of showing the last cards: sum over classes of payoff · follower's mass, all boards."""
    for b in range(out.shape[0] // n):
        lead = out[b * n : b * n + n]
        mass = follower[b * 3 * n : (b + 1) * 3 * n]
        for x in range(n):
            lead[x] = payoff[0] * mass[x] + payoff[1] * mass[n + x] + payoff[2] * mass[2 * n + x]


@kernel
def show_follower(payoff, leader, n, out):  # type: ignore[no-untyped-def]
    """Follower's value of (class, lead): payoff of the class times the leader's reach, all boards."""
    for b in range(leader.shape[0] // n):
        reach = leader[b * n : b * n + n]
        for c in range(3):
            row = out[(3 * b + c) * n : (3 * b + c + 1) * n]
            for x in range(n):
                row[x] = payoff[c] * reach[x]


@kernel
def show_tie_table(table, sign, leader_side, reach, n, out):  # type: ignore[no-untyped-def]
    """Add sign · table (payoff of a spoiled last trick, a board and lead) on the tie class."""
    for b in range(table.shape[0] // n):
        for x in range(n):
            if leader_side:
                out[b * n + x] += sign * np.float32(table[b * n + x]) * reach[(3 * b + 1) * n + x]
            else:
                out[(3 * b + 1) * n + x] += sign * np.float32(table[b * n + x]) * reach[b * n + x]
