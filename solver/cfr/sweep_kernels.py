"""The two passes of a sweep over one piece of the public tree, made of the lane kernels.

``side`` is the updating side throughout; ``low`` < 0 means the nodes above the cut, with all their boards.
"""

from __future__ import annotations

import numpy as np

from solver.cfr.kernels import (
    accumulate,
    add,
    add_product,
    board_range,
    choose,
    choose_mapped,
    invert,
    masked_part_sum,
    move_regret,
    multiply,
    positive_part_scatter,
    positive_part_sum,
    predict,
    show_follower,
    show_leader,
    show_tie_table,
)
from solver.jit import kernel

DECISION, CHANCE, REVEAL, LEAF, SHOW = range(5)
ZERO = np.float32(0.0)


@kernel
def lane_range(tree, space, side, low, high):  # type: ignore[no-untyped-def]
    """First lane and number of lanes of a side's vector in this piece."""
    first, last = board_range(tree, space, low, high)
    states = tree.states[space, side]
    return first * states, (last - first) * states


@kernel
def link_map(tree, edge, side, first, n):  # type: ignore[no-untyped-def]
    """Parent lanes of the child lanes [first, first + n) across a linked edge."""
    start = tree.link_lanes[tree.link[edge], side] + first
    return tree.lane_map[start : start + n]


@kernel
def match_regrets(tree, node, low, high, basis, factor, uniform):  # type: ignore[no-untyped-def]
    """Per lane of the acting side: the factor of positive regrets and the probability where there are none."""
    player = tree.player[node]
    base, n = lane_range(tree, tree.space[node], player, low, high)
    factor[:n] = ZERO
    uniform[:n] = ZERO
    shared = ZERO
    for edge in range(tree.edges[node], tree.edges[node + 1]):
        first, m = lane_range(tree, tree.space[tree.child[edge]], player, low, high)
        regret = basis[tree.slot[edge] + first : tree.slot[edge] + first + m]
        if tree.link[edge] >= 0:
            positive_part_scatter(regret, link_map(tree, edge, player, first, m), base, factor[:n], uniform[:n])
        elif tree.mask[edge] >= 0:
            states = tree.states[tree.space[node], player]
            mask = tree.mask_value[tree.mask[edge] : tree.mask[edge] + states]
            masked_part_sum(regret, mask, factor[:n], uniform[:n])
        else:
            positive_part_sum(regret, factor[:n])
            shared += np.float32(1.0)
    uniform[:n] += shared
    invert(factor[:n], uniform[:n])


@kernel
def descend_decision(tree, places, node, low, high, side, basis, average, decay, weight, work, factor, uniform):  # type: ignore[no-untyped-def]  # noqa: E501
    """Strategies of one node, reach of its children, and the average strategy of the updating side."""
    player, other = tree.player[node], 1 - tree.player[node]
    base, n = lane_range(tree, tree.space[node], player, low, high)
    other_base, _ = lane_range(tree, tree.space[node], other, low, high)
    match_regrets(tree, node, low, high, basis, factor, uniform)
    reach = work[places.reach[node, player] : places.reach[node, player] + n]
    for edge in range(tree.edges[node], tree.edges[node + 1]):
        child = tree.child[edge]
        first, m = lane_range(tree, tree.space[child], player, low, high)
        slot = tree.slot[edge] + first
        regret = basis[slot : slot + m]
        sigma = work[places.sigma[edge] : places.sigma[edge] + m]
        child_reach = work[places.reach[child, player] : places.reach[child, player] + m]
        if tree.link[edge] >= 0:
            lane_map = link_map(tree, edge, player, first, m)
            choose_mapped(regret, lane_map, base, factor, uniform, reach, sigma, child_reach)
            other_first, k = lane_range(tree, tree.space[child], other, low, high)
            carry_down(tree, places, edge, node, other, other_first, k, other_base, work)
        else:
            choose(regret, factor, uniform, reach, sigma, child_reach)
            if tree.mask[edge] >= 0:
                states = tree.states[tree.space[node], player]
                for i in range(m):
                    if not tree.mask_value[tree.mask[edge] + i % states]:
                        sigma[i] = ZERO
                        child_reach[i] = ZERO
        if player == side:
            accumulate(average[slot : slot + m], child_reach, decay, weight)


@kernel
def carry_down(tree, places, edge, node, side, first, n, base, work):  # type: ignore[no-untyped-def]
    """Reach of a side that does not act across a linked edge."""
    lane_map = link_map(tree, edge, side, first, n)
    reach = work[places.reach[node, side] :]
    below = work[places.reach[tree.child[edge], side] : places.reach[tree.child[edge], side] + n]
    for i in range(n):
        below[i] = reach[lane_map[i] - base]


@kernel
def descend(tree, matrices, places, order, low, high, side, basis, average, decay, weight, work, factor, uniform):  # type: ignore[no-untyped-def]  # noqa: E501
    """Carry reach down through ``order``; the reach of its first node is there already."""
    ranks = tree.compare.shape[0]
    for node in order:
        kind, space = tree.kind[node], tree.space[node]
        if kind == DECISION:
            descend_decision(tree, places, node, low, high, side, basis, average, decay, weight, work, factor, uniform)
        elif kind == CHANCE:
            edge = tree.edges[node]
            for who in range(2):
                base, _ = lane_range(tree, space, who, low, high)
                first, n = lane_range(tree, tree.space[tree.child[edge]], who, low, high)
                carry_down(tree, places, edge, node, who, first, n, base, work)
        elif kind == REVEAL:
            follower = 1 - tree.leader[node]
            first, last = board_range(tree, space, low, high)
            size = 3 * ranks * ranks
            above = places.reach[node, follower]
            below = places.reach[tree.child[tree.edges[node]], follower]
            for b in range(last - first):
                start = matrices.reveal_first[space] + (first + b) * size
                multiply(
                    matrices.reveal_down[start : start + size],
                    work[above + b * ranks : above + (b + 1) * ranks],
                    np.float32(1.0),
                    work[below + b * 3 * ranks : below + (b + 1) * 3 * ranks],
                )


@kernel
def ascend_decision(tree, places, node, low, high, side, regret, basis, rule, work):  # type: ignore[no-untyped-def]
    """Value of one node from its children; moves the regrets if the updating side decides here.

    rule   float32 [6]: factor of positive and of negative regrets, clip, predict, discount and trust of the prediction
    """
    player = tree.player[node]
    base, n = lane_range(tree, tree.space[node], side, low, high)
    value = work[places.value[node, side] : places.value[node, side] + n]
    value[:] = ZERO
    for edge in range(tree.edges[node], tree.edges[node + 1]):
        child = tree.child[edge]
        first, m = lane_range(tree, tree.space[child], side, low, high)
        below = work[places.value[child, side] : places.value[child, side] + m]
        if player == side:
            sigma = work[places.sigma[edge] : places.sigma[edge] + m]
            if tree.link[edge] < 0:
                add_product(sigma, below, value)
            else:
                lane_map = link_map(tree, edge, side, first, m)
                for i in range(m):
                    value[lane_map[i] - base] += sigma[i] * below[i]
        elif tree.link[edge] < 0:
            add(below, value)
        else:
            lane_map = link_map(tree, edge, side, first, m)
            for i in range(m):
                value[lane_map[i] - base] += below[i]
    if player == side:
        update_node(tree, places, node, low, high, side, regret, basis, rule, work)


@kernel
def update_node(tree, places, node, low, high, side, regret, basis, rule, work):  # type: ignore[no-untyped-def]
    """Move the regrets of every action of one node."""
    base, n = lane_range(tree, tree.space[node], side, low, high)
    value = work[places.value[node, side] : places.value[node, side] + n]
    for edge in range(tree.edges[node], tree.edges[node + 1]):
        child = tree.child[edge]
        first, m = lane_range(tree, tree.space[child], side, low, high)
        below = work[places.value[child, side] : places.value[child, side] + m]
        own = value
        if tree.link[edge] >= 0:
            own = work[places.sigma[edge] : places.sigma[edge] + m]  # the strategy is not needed any more
            lane_map = link_map(tree, edge, side, first, m)
            for i in range(m):
                own[i] = value[lane_map[i] - base]
        slot = tree.slot[edge] + first
        moved = regret[slot : slot + m]
        move_regret(moved, below, own, rule[0], rule[1], rule[2] != ZERO)
        if rule[3] != ZERO:
            predict(moved, below, own, rule[4], rule[5], basis[slot : slot + m])


@kernel
def ascend_leaf(tree, matrices, places, node, low, high, side, work):  # type: ignore[no-untyped-def]
    """Value of a hand that is over above the reveal: payoff times weights times the other side's reach."""
    space, other = tree.space[node], 1 - side
    first, last = board_range(tree, space, low, high)
    n, m = tree.states[space, side], tree.states[space, other]
    pool = matrices.dealer_rows if side == 0 else matrices.elder_rows
    sign = 1.0 if side == 0 else -1.0
    for b in range(last - first):
        payoff = tree.payoff[node, 0]
        if tree.table[node] >= 0:
            payoff = tree.table_value[tree.table[node] + first + b]
        start = tree.board_matrix[tree.matrix[node] + first + b]
        above = places.reach[node, other] + b * m
        out = places.value[node, side] + b * n
        multiply(pool[start : start + n * m], work[above : above + m], np.float32(sign * payoff), work[out : out + n])


@kernel
def ascend_show(tree, places, node, low, high, side, work, payoff):  # type: ignore[no-untyped-def]
    """Value of the last cards shown, below a reveal; ``payoff`` is scratch for three numbers."""
    space, other, ranks = tree.space[node], 1 - side, tree.compare.shape[0]
    first, last = board_range(tree, space, low, high)
    sign = 1.0 if side == 0 else -1.0
    for c in range(3):
        payoff[c] = np.float32(sign * tree.payoff[node, c])
    reach = work[places.reach[node, other] : places.reach[node, other] + (last - first) * tree.states[space, other]]
    out = work[places.value[node, side] : places.value[node, side] + (last - first) * tree.states[space, side]]
    if side == tree.leader[node]:
        show_leader(payoff, reach, ranks, out)
    else:
        show_follower(payoff, reach, ranks, out)
    if tree.table[node] >= 0:
        start = tree.table[node] + first * ranks
        table = tree.table_value[start : start + (last - first) * ranks]
        show_tie_table(table, np.float32(sign), side == tree.leader[node], reach, ranks, out)


@kernel
def ascend(tree, matrices, places, order, low, high, side, regret, basis, rule, work, payoff):  # type: ignore[no-untyped-def]  # noqa: E501
    """Carry values up through ``order`` in reverse; moves the regrets of the updating side."""
    ranks = tree.compare.shape[0]
    for k in range(len(order) - 1, -1, -1):
        node = order[k]
        kind, space = tree.kind[node], tree.space[node]
        if kind == DECISION:
            ascend_decision(tree, places, node, low, high, side, regret, basis, rule, work)
        elif kind == LEAF:
            ascend_leaf(tree, matrices, places, node, low, high, side, work)
        elif kind == SHOW:
            ascend_show(tree, places, node, low, high, side, work, payoff)
        elif kind == CHANCE:
            edge = tree.edges[node]
            base, n = lane_range(tree, space, side, low, high)
            first, m = lane_range(tree, tree.space[tree.child[edge]], side, low, high)
            lane_map = link_map(tree, edge, side, first, m)
            value = work[places.value[node, side] : places.value[node, side] + n]
            below = work[places.value[tree.child[edge], side] :]
            value[:] = ZERO
            for i in range(m):
                value[lane_map[i] - base] += below[i]
        elif side != tree.leader[node]:
            first, last = board_range(tree, space, low, high)
            size = 3 * ranks * ranks
            below, out = places.value[tree.child[tree.edges[node]], side], places.value[node, side]
            for b in range(last - first):
                start = matrices.reveal_first[space] + (first + b) * size
                multiply(
                    matrices.reveal_up[start : start + size],
                    work[below + b * 3 * ranks : below + (b + 1) * 3 * ranks],
                    np.float32(1.0),
                    work[out + b * ranks : out + (b + 1) * ranks],
                )


@kernel
def run_tasks(tree, matrices, places, top_places, tasks, side, regret, basis, average, decay, weight, rule, top_work, work, factor, uniform):  # type: ignore[no-untyped-def]  # noqa: E501
    """Both passes over each of ``tasks`` (rows of ``Pieces.task``): reach in from the top, value back to it."""
    payoff = np.empty(3, np.float32)
    for t in range(len(tasks)):
        root, end, low, high = tasks[t, 0], tasks[t, 1], tasks[t, 2], tasks[t, 3]
        order = np.arange(root, end)
        for who in range(2):
            first, n = lane_range(tree, tree.space[root], who, low, high)
            above, below = top_places.reach[root, who] + first, places.reach[root, who]
            work[below : below + n] = top_work[above : above + n]
        descend(tree, matrices, places, order, low, high, side, basis, average, decay, weight, work, factor, uniform)
        ascend(tree, matrices, places, order, low, high, side, regret, basis, rule, work, payoff)
        first, n = lane_range(tree, tree.space[root], side, low, high)
        above, below = top_places.value[root, side] + first, places.value[root, side]
        top_work[above : above + n] = work[below : below + n]
