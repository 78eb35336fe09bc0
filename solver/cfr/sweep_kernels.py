"""A sweep over one piece of the public tree, made of the lane kernels.

``side`` is the updating side throughout. ``first`` and ``count`` give, for each space, the first board of the piece
and how many there are.

Hazard: a call that gets the tree counts every one of its arrays in and out, a microsecond. So one kernel does a whole
sequence of nodes, long as it is, and the lane kernels get arrays and places.
"""

from __future__ import annotations

import numpy as np

from solver.cfr.kernels import (
    accumulate,
    add,
    add_blocks,
    add_mapped,
    add_pair,
    add_product,
    add_product_mapped,
    carry,
    carry_mapped,
    carry_own,
    fill,
    gather,
    gather_blocks,
    invert,
    match,
    match_mapped,
    match_masked,
    move,
    move_mapped,
    move_masked,
    multiply,
    reveal_down,
    reveal_up,
    settle_pair,
    settle_triple,
    show_follower,
    show_leader,
    show_tie_table,
)
from solver.jit import borrower, kernel

DECISION, CHANCE, REVEAL, LEAF, SHOW = range(5)
ZERO = np.float32(0.0)
ONE = np.float32(1.0)


@borrower
def plain(t, node):  # type: ignore[no-untyped-def]
    """Whether all lanes of a node have the same actions, and the same lanes below."""
    for edge in range(t.edges[node], t.edges[node + 1]):  # noqa: SIM110  (numba has no all())
        if t.link[edge] >= 0 or t.mask[edge] >= 0:
            return False
    return True


@borrower
def settle(t, p, node, first, count, strategy, regret, rule, work, total, even):  # type: ignore[no-untyped-def]
    """Leave a node of the updating side: its value, its regrets moved, its next strategy."""
    side, space, e0, e1 = t.player[node], t.space[node], t.edges[node], t.edges[node + 1]
    states, value = t.states[space, side], p.value[node, side]
    n, base = count[space] * states, first[space] * states
    if plain(t, node) and 2 <= e1 - e0 <= 3:
        s, v = (t.slot[e0] + base, t.slot[e0 + 1] + base), (p.value[t.child[e0], side], p.value[t.child[e0 + 1], side])
        if e1 - e0 == 2:
            settle_pair(regret, strategy, s, work, v, value, rule, n)
        else:
            s3, v3 = (s[0], s[1], t.slot[e0 + 2] + base), (v[0], v[1], p.value[t.child[e0 + 2], side])
            settle_triple(regret, strategy, s3, work, v3, value, rule, n)
        return
    fill(work, value, ZERO, n)
    for edge in range(e0, e1):
        below, lower = t.space[t.child[edge]], p.value[t.child[edge], side]
        k, k0 = count[below] * t.states[below, side], first[below] * t.states[below, side]
        slot = t.slot[edge] + k0
        if t.link[edge] >= 0:
            lanes = t.link_lanes[t.link[edge], side] + k0
            add_product_mapped(strategy, slot, work, lower, t.lane_map, lanes, base, value, k)
        else:
            add_product(strategy, slot, work, lower, value, k)
    fill(total, 0, ZERO, n)
    fill(even, 0, ZERO, n)
    shared = ZERO
    for edge in range(e0, e1):
        below, lower = t.space[t.child[edge]], p.value[t.child[edge], side]
        k, k0 = count[below] * t.states[below, side], first[below] * t.states[below, side]
        slot, mask = t.slot[edge] + k0, t.mask[edge]
        if t.link[edge] >= 0:
            lanes = t.link_lanes[t.link[edge], side] + k0
            move_mapped(regret, strategy, slot, work, lower, value, t.lane_map, lanes, base, rule, total, even, k)
        elif mask >= 0:
            move_masked(regret, strategy, slot, work, lower, value, t.mask_value, mask, states, rule, total, even, k)
        else:
            move(regret, strategy, slot, work, lower, value, rule, total, k)
            shared += ONE
    invert(total, even, shared, n)
    for edge in range(e0, e1):
        below = t.space[t.child[edge]]
        k, k0 = count[below] * t.states[below, side], first[below] * t.states[below, side]
        slot, mask = t.slot[edge] + k0, t.mask[edge]
        if t.link[edge] >= 0:
            match_mapped(strategy, slot, t.lane_map, t.link_lanes[t.link[edge], side] + k0, base, total, even, k)
        elif mask >= 0:
            match_masked(strategy, slot, t.mask_value, mask, states, total, even, k)
        else:
            match(strategy, slot, total, even, k)


@borrower
def sweep(t, m, p, events, first, count, side, strategy, average, decay, regret, rule, work, total, even):  # type: ignore[no-untyped-def]
    """Enter and leave nodes in the order of ``events``: entered on the way down, left (~node) on the way up.

    Entering carries the reach of both sides below the node and adds that of ``side`` to its average strategy. Leaving
    makes the counterfactual value of ``side`` from those below; at its own nodes it moves the regrets and makes the
    next strategy. That is not looked at again in this sweep: a strategy is read before it is written.

    t, m, p                     PublicTree, Matrices, Places
    strategy, average, regret   float32 [slots]
    rule                        float32 [5], see ``schedules``
    work                        float32; the reach of the first node is there already
    total, even                 float32 scratch of one node's lanes
    """
    ranks, foe = t.compare.shape[0], 1 - side
    sign = 1.0 if side == 0 else -1.0
    for event in events:
        node = event if event >= 0 else ~event
        kind, space, e0, e1 = t.kind[node], t.space[node], t.edges[node], t.edges[node + 1]
        if event >= 0:
            if kind == DECISION:
                player, other = t.player[node], 1 - t.player[node]
                reach, base = p.reach[node, player], first[space] * t.states[space, player]
                for edge in range(e0, e1):
                    child = t.child[edge]
                    below, lower = t.space[child], p.reach[child, player]
                    k, k0 = count[below] * t.states[below, player], first[below] * t.states[below, player]
                    slot = t.slot[edge] + k0
                    if t.link[edge] >= 0:
                        lanes = t.link_lanes[t.link[edge], player] + k0
                        carry_mapped(strategy, slot, work, reach, t.lane_map, lanes, base, lower, k)
                        if player == side:
                            accumulate(average, slot, decay, work, lower, k)
                        o, o0 = count[below] * t.states[below, other], first[below] * t.states[below, other]
                        lanes, o_base = (
                            t.link_lanes[t.link[edge], other] + o0,
                            first[space] * t.states[space, other],
                        )
                        start, states = p.reach[node, other], t.states[below, other]
                        if m.moves_boards[t.link[edge], other]:
                            gather_blocks(
                                work, start, t.lane_map, lanes, o_base, p.reach[child, other], states, count[below]
                            )
                        else:
                            gather(work, start, t.lane_map, lanes, o_base, p.reach[child, other], o)
                    elif player == side:
                        carry_own(strategy, slot, average, decay, work, reach, lower, k)
                    else:
                        carry(strategy, slot, work, reach, lower, k)
            elif kind == CHANCE:
                below = t.space[t.child[e0]]
                for who in range(2):
                    k, k0 = count[below] * t.states[below, who], first[below] * t.states[below, who]
                    lanes, base = t.link_lanes[t.link[e0], who] + k0, first[space] * t.states[space, who]
                    gather(work, p.reach[node, who], t.lane_map, lanes, base, p.reach[t.child[e0], who], k)
            elif kind == REVEAL:
                above, below = p.reach[node, 1 - t.leader[node]], p.reach[t.child[e0], 1 - t.leader[node]]
                board, boards = m.reveal_board[space] + first[space], count[space]
                reveal_down(m.reveal_cards, m.reveal_tied, board, work, above, below, ranks, boards)
        else:
            n, base = count[space] * t.states[space, side], first[space] * t.states[space, side]
            value = p.value[node, side]
            if kind == DECISION and t.player[node] == side:
                settle(t, p, node, first, count, strategy, regret, rule, work, total, even)
            elif kind == DECISION or kind == CHANCE:  # noqa: SIM109  (a tuple is not compiled to two comparisons)
                start = e0
                if e1 - e0 > 1 and t.link[e0] < 0 and t.link[e0 + 1] < 0:
                    a, b = p.value[t.child[e0], side], p.value[t.child[e0 + 1], side]
                    add_pair(work, a, b, value, n)
                    start = e0 + 2
                else:
                    fill(work, value, ZERO, n)
                for edge in range(start, e1):
                    child = t.child[edge]
                    below, lower = t.space[child], p.value[child, side]
                    if t.link[edge] >= 0:
                        k, k0 = count[below] * t.states[below, side], first[below] * t.states[below, side]
                        lanes = t.link_lanes[t.link[edge], side] + k0
                        if m.moves_boards[t.link[edge], side]:
                            states = t.states[below, side]
                            add_blocks(work, lower, t.lane_map, lanes, base, value, states, count[below])
                        else:
                            add_mapped(work, lower, t.lane_map, lanes, base, value, k)
                    else:
                        add(work, lower, value, n)
            elif kind == LEAF:
                states, foe_states = t.states[space, side], t.states[space, foe]
                pool = m.dealer_rows if side == 0 else m.elder_rows
                for b in range(count[space]):
                    won = (
                        t.payoff[node, 0]
                        if t.table[node] < 0
                        else t.table_value[t.table[node] + first[space] + b]
                    )
                    start = t.board_matrix[t.matrix[node] + first[space] + b]
                    reach, out = p.reach[node, foe] + b * foe_states, value + b * states
                    multiply(pool, start, work, reach, np.float32(sign * won), out, states, foe_states)
            elif kind == SHOW:
                reach, boards, to_leader = p.reach[node, foe], count[space], side == t.leader[node]
                lose, tie = np.float32(sign * t.payoff[node, 0]), np.float32(sign * t.payoff[node, 1])
                win = np.float32(sign * t.payoff[node, 2])
                if to_leader:
                    show_leader(lose, tie, win, work, reach, value, ranks, boards)
                else:
                    show_follower(lose, tie, win, work, reach, value, ranks, boards)
                if t.table[node] >= 0:
                    start = t.table[node] + first[space] * ranks
                    show_tie_table(
                        t.table_value, start, np.float32(sign), to_leader, work, reach, value, ranks, boards
                    )
            elif side != t.leader[node]:
                board, boards, below = m.reveal_board[space] + first[space], count[space], p.value[t.child[e0], side]
                reveal_up(m.reveal_leads, m.reveal_tied, board, work, below, value, ranks, boards)


@kernel
def depth_first(end, root, last):  # type: ignore[no-untyped-def]
    """Events of a whole subtree: every node entered, and left as soon as all below it is done."""
    events, path = np.empty(2 * (last - root), np.int64), np.empty(last - root, np.int64)
    depth, n, node = 0, 0, root
    while node < last or depth > 0:
        if depth > 0 and end[path[depth - 1]] <= node:
            depth -= 1
            events[n] = ~path[depth]
        else:
            events[n] = path[depth] = node
            depth, node = depth + 1, node + 1
        n += 1
    return events


@kernel
def run_tasks(t, m, p, top, tasks, side, strategy, average, decay, regret, rule, top_work, work, total, even):  # type: ignore[no-untyped-def]
    """Each of ``tasks`` (rows of ``Pieces.task``): reach in from the top, depth first, value back to the top.

    Going up as soon as a subtree is done lets its vectors' memory serve the next one: the work stays in the cache.

    p, top   Places of the vectors in ``work`` and in ``top_work``
    """
    spaces = len(t.boards)
    first, count = np.zeros(spaces, np.int64), np.zeros(spaces, np.int64)
    for k in range(len(tasks)):
        root, end, low, high = tasks[k, 0], tasks[k, 1], tasks[k, 2], tasks[k, 3]
        for space in range(spaces):
            if t.root[space] == t.space[root]:
                first[space] = t.cut_value[t.cut[space] + low]
                count[space] = t.cut_value[t.cut[space] + high] - first[space]
        for who in range(2):
            states = t.states[t.space[root], who]
            above, below, n = top.reach[root, who] + low * states, p.reach[root, who], (high - low) * states
            work[below : below + n] = top_work[above : above + n]
        events = depth_first(t.end, root, end)
        sweep(t, m, p, events, first, count, side, strategy, average, decay, regret, rule, work, total, even)
        states = t.states[t.space[root], side]
        above, below, n = top.value[root, side] + low * states, p.value[root, side], (high - low) * states
        top_work[above : above + n] = work[below : below + n]
