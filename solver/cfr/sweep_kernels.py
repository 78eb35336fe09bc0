"""A sweep over one piece of the public tree, made of the lane kernels.

``side`` is the updating side throughout, ``foe`` the other. ``first`` and ``count`` give, for each space, the first
board of the piece and how many there are. t, m, p are PublicTree, Matrices, Places; ``worth`` is float64 [outcomes],
to the elder.

Hazard: a call that gets the tree copies the heads of all its arrays, 1.4 kB. So one kernel does a whole sequence of
nodes, its parts are inlined, and the lane kernels get arrays and places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.cfr.eight_kernels import ONE, ZERO

from solver.cfr.kernels import (  # isort: skip
    add, add_blocks, add_mapped, add_pair, add_product, add_product_mapped, carry, carry_mapped, carry_own,
    carry_own_mapped, fill, gather, gather_blocks, leave_out,
)  # fmt: skip
from solver.cfr.regret_kernels import (  # isort: skip
    invert, match, match_mapped, match_masked, move, move_mapped, move_masked, settle_pair, settle_triple,
)  # fmt: skip
from solver.cfr.weight_kernels import multiply, reveal_down, reveal_up, show_follower, show_leader, show_ties
from solver.jit import borrower, inlined, kernel
from solver.tree.model import CHANCE, DECISION, LEAF, REVEAL, SHOW, PublicTree

if TYPE_CHECKING:
    from solver.cfr.layout import Matrices, Places

Singles = NDArray[np.float32]
Wholes = NDArray[np.int64]


@inlined
def extent(t, space, side, first, count):
    """Lanes of the piece in a space: how many, and the first."""
    states = t.states[space, side]
    return count[space] * states, first[space] * states


@inlined
def pass_reach(t, m, p, node, edge, who, first, count, work):
    """Reach of a side that does not decide, through the lane map of an edge."""
    child, link = t.child[edge], t.link[edge]
    above, below = p.reach[node, who], p.reach[child, who]
    n, start = extent(t, t.space[child], who, first, count)
    lanes, base = t.link_lanes[link, who] + start, extent(t, t.space[node], who, first, count)[1]
    if m.moves_boards[link, who]:
        states = t.states[t.space[child], who]
        gather_blocks(work, above, t.lane_map, lanes, base, below, states, count[t.space[child]])
    else:
        gather(work, above, t.lane_map, lanes, base, below, n)


@inlined
def decide(t, m, p, node, first, count, side, strategy, average, weights, work):
    """Enter a decision: reach of both sides below it, and the average strategy of the updating side."""
    decay, floor = weights[0], weights[1]
    player = t.player[node]
    reach, base = p.reach[node, player], extent(t, t.space[node], player, first, count)[1]
    for edge in range(t.edges[node], t.edges[node + 1]):
        child = t.child[edge]
        below, (n, start) = p.reach[child, player], extent(t, t.space[child], player, first, count)
        slot = t.slot[edge] + start
        if t.link[edge] >= 0:
            lanes = t.link_lanes[t.link[edge], player] + start
            if player == side:
                place = t.lane_map, lanes, base
                carry_own_mapped(strategy, slot, floor, average, decay, work, reach, *place, below, n)
            else:
                carry_mapped(strategy, slot, floor, work, reach, t.lane_map, lanes, base, below, n)
            pass_reach(t, m, p, node, edge, 1 - player, first, count, work)
        elif player == side:
            carry_own(strategy, slot, floor, average, decay, work, reach, below, n)
        else:
            carry(strategy, slot, floor, work, reach, below, n)
        if t.mask[edge] >= 0:
            leave_out(t.mask_value, t.mask[edge], t.states[t.space[child], player], work, below, n)


@inlined
def gather_values(t, m, p, node, first, count, side, work):
    """Leave a node where ``side`` does not decide: the sum of the values below."""
    space, e0, e1, value = t.space[node], t.edges[node], t.edges[node + 1], p.value[node, side]
    n, base = extent(t, space, side, first, count)
    if e1 - e0 > 1 and t.link[e0] < 0 and t.link[e0 + 1] < 0:
        add_pair(work, p.value[t.child[e0], side], p.value[t.child[e0 + 1], side], value, n)
        e0 += 2
    else:
        fill(work, value, ZERO, n)
    for edge in range(e0, e1):
        below, lower = t.space[t.child[edge]], p.value[t.child[edge], side]
        if t.link[edge] < 0:
            add(work, lower, value, n)
            continue
        k, start = extent(t, below, side, first, count)
        lanes = t.link_lanes[t.link[edge], side] + start
        if m.moves_boards[t.link[edge], side]:
            add_blocks(work, lower, t.lane_map, lanes, base, value, t.states[below, side], count[below])
        else:
            add_mapped(work, lower, t.lane_map, lanes, base, value, k)


@inlined
def settle(t, p, node, first, count, strategy, regret, rule, work, total, even):
    """Leave a node of the updating side: its value, its regrets moved, its next strategy."""
    side, e0, e1 = t.player[node], t.edges[node], t.edges[node + 1]
    n, base = extent(t, t.space[node], side, first, count)
    value, plain = p.value[node, side], 2 <= e1 - e0 <= 3
    for edge in range(e0, e1):
        plain = plain and t.link[edge] < 0 and t.mask[edge] < 0
    if not plain:
        average_values(t, p, node, first, count, strategy, work)
        settle_mixed(t, p, node, first, count, strategy, regret, rule, work, total, even)
        return
    s, v = (t.slot[e0] + base, t.slot[e0 + 1] + base), (p.value[t.child[e0], side], p.value[t.child[e0 + 1], side])
    if e1 - e0 == 2:
        settle_pair(regret, strategy, s, work, v, value, rule, n)
    else:
        s3, v3 = (s[0], s[1], t.slot[e0 + 2] + base), (v[0], v[1], p.value[t.child[e0 + 2], side])
        settle_triple(regret, strategy, s3, work, v3, value, rule, n)


@inlined
def average_values(t, p, node, first, count, strategy, work):
    """Value of a node of the updating side: values below it, weighted by its strategy."""
    side, value = t.player[node], p.value[node, t.player[node]]
    n, base = extent(t, t.space[node], side, first, count)
    fill(work, value, ZERO, n)
    for edge in range(t.edges[node], t.edges[node + 1]):
        lower, (k, start) = p.value[t.child[edge], side], extent(t, t.space[t.child[edge]], side, first, count)
        slot = t.slot[edge] + start
        if t.link[edge] >= 0:
            lanes = t.link_lanes[t.link[edge], side] + start
            add_product_mapped(strategy, slot, work, lower, t.lane_map, lanes, base, value, k)
        else:
            add_product(strategy, slot, work, lower, value, k)


@inlined
def settle_mixed(t, p, node, first, count, strategy, regret, rule, work, total, even):
    """Regrets and next strategy of a node whose lanes have different actions, or other lanes below."""
    side, space = t.player[node], t.space[node]
    states, value, shared = t.states[space, side], p.value[node, side], ZERO
    n, base = extent(t, space, side, first, count)
    fill(total, 0, ZERO, n)
    fill(even, 0, ZERO, n)
    for edge in range(t.edges[node], t.edges[node + 1]):
        lower, (k, start) = p.value[t.child[edge], side], extent(t, t.space[t.child[edge]], side, first, count)
        slot, mask = t.slot[edge] + start, t.mask[edge]
        if t.link[edge] >= 0:
            lanes = t.link_lanes[t.link[edge], side] + start
            move_mapped(regret, strategy, slot, work, lower, value, t.lane_map, lanes, base, rule, total, even, k)
        elif mask >= 0:
            move_masked(regret, strategy, slot, work, lower, value, t.mask_value, mask, states, rule, total, even, k)
        else:
            move(regret, strategy, slot, work, lower, value, rule, total, k)
            shared += ONE
    invert(total, even, shared, n)
    for edge in range(t.edges[node], t.edges[node + 1]):
        k, start = extent(t, t.space[t.child[edge]], side, first, count)
        slot, mask = t.slot[edge] + start, t.mask[edge]
        if t.link[edge] >= 0:
            match_mapped(strategy, slot, t.lane_map, t.link_lanes[t.link[edge], side] + start, base, total, even, k)
        elif mask >= 0:
            match_masked(strategy, slot, t.mask_value, mask, states, total, even, k)
        else:
            match(strategy, slot, total, even, k)


@inlined
def tied(t, worth, place):
    """Elder's payoff after three spoiled tricks where new cards follow (G6)."""
    win, lose = worth[t.tie_ends[0]], worth[t.tie_ends[1]]
    return lose + (win - lose) * t.tie_share[place]


@inlined
def pay(t, m, p, worth, node, first, count, side, work):
    """Value of a LEAF: its payoff times the weights of both hands times the reach of the other side."""
    space, foe, sign = t.space[node], 1 - side, 1.0 if side == 0 else -1.0
    states, foe_states = t.states[space, side], t.states[space, foe]
    rows = m.dealer_rows if side == 0 else m.elder_rows
    for b in range(count[space]):
        won = worth[t.outcome[node, 0]]
        if t.ties[node] >= 0:
            won = tied(t, worth, t.ties[node] + first[space] + b)
        start = t.board_matrix[t.matrix[node] + first[space] + b]
        reach, out = p.reach[node, foe] + b * foe_states, p.value[node, side] + b * states
        multiply(rows, start, work, reach, np.float32(sign * won), out, states, foe_states)


@inlined
def show(t, p, worth, node, first, count, side, work):
    """Value of a SHOW: the payoff of each class; a spoiled last trick may have one for each board and lead."""
    ranks, boards, to_leader = t.compare.shape[0], count[t.space[node]], side == t.leader[node]
    sign = np.float32(1.0 if side == 0 else -1.0)
    ends, reach, value = t.outcome[node], p.reach[node, 1 - side], p.value[node, side]
    lose, tie, win = sign * np.float32(worth[ends[0]]), ZERO, sign * np.float32(worth[ends[2]])
    if t.ties[node] < 0:
        tie = sign * np.float32(worth[ends[1]])
    if to_leader:
        show_leader(lose, tie, win, work, reach, value, ranks, boards)
    else:
        show_follower(lose, tie, win, work, reach, value, ranks, boards)
    if t.ties[node] >= 0:
        start, prize = t.ties[node] + first[t.space[node]] * ranks, (worth[t.tie_ends[0]], worth[t.tie_ends[1]])
        show_ties(t.tie_share, start, prize, sign, to_leader, work, reach, value, ranks, boards)


@borrower
def sweep(
    t: PublicTree, m: Matrices, p: Places, worth: NDArray[np.float64], events: Wholes, first: Wholes, count: Wholes,
    side: int, strategy: Singles, average: Singles, weights: Singles, regret: Singles, rule: Singles,
    work: Singles, total: Singles, even: Singles,
) -> None:  # fmt: skip
    """Enter and leave nodes in the order of ``events``: entered on the way down, left (~node) on the way up.

    Entering carries the reach of both sides below the node and adds that of ``side`` to its average strategy. Leaving
    makes the counterfactual value of ``side`` from those below; at its own nodes it moves the regrets and makes the
    next strategy, which is not looked at again in this sweep.

    strategy, average, regret   float32 [slots]
    weights                     float32 [2]: factor of the old average, least part of a reach that every action gets
    rule                        float32 [5], see ``schedules``
    work                        float32; the reach of the first node is there already
    total, even                 float32 scratch of one node's lanes
    """
    for event in events:
        node = event if event >= 0 else ~event
        kind, ranks = t.kind[node], t.compare.shape[0]
        if kind == REVEAL:
            board, boards = m.reveal_board[t.space[node]] + first[t.space[node]], count[t.space[node]]
            child, follower = t.child[t.edges[node]], 1 - t.leader[node]
            if event >= 0:
                above, below = p.reach[node, follower], p.reach[child, follower]
                reveal_down(m.reveal_cards, m.reveal_tied, board, work, above, below, ranks, boards)
            elif side == follower:
                above, below = p.value[node, side], p.value[child, side]
                reveal_up(m.reveal_leads, m.reveal_tied, board, work, below, above, ranks, boards)
        elif event >= 0:
            if kind == DECISION:
                decide(t, m, p, node, first, count, side, strategy, average, weights, work)
            elif kind == CHANCE:
                for who in range(2):
                    pass_reach(t, m, p, node, t.edges[node], who, first, count, work)
        elif kind == LEAF:
            pay(t, m, p, worth, node, first, count, side, work)
        elif kind == SHOW:
            show(t, p, worth, node, first, count, side, work)
        elif kind == DECISION and t.player[node] == side:
            settle(t, p, node, first, count, strategy, regret, rule, work, total, even)
        else:
            gather_values(t, m, p, node, first, count, side, work)


@kernel
def depth_first(end: NDArray[np.int32], root: int, last: int) -> Wholes:
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
def run_tasks(
    t: PublicTree, m: Matrices, p: Places, worth: NDArray[np.float64], top: Places, tasks: NDArray[np.int32],
    side: int, strategy: Singles, average: Singles, weights: Singles, regret: Singles, rule: Singles,
    top_work: Singles, work: Singles, total: Singles, even: Singles,
) -> None:  # fmt: skip
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
        sweep(t, m, p, worth, events, first, count, side, strategy, average, weights, regret, rule, work, total, even)
        states = t.states[t.space[root], side]
        above, below, n = top.value[root, side] + low * states, p.value[root, side], (high - low) * states
        top_work[above : above + n] = work[below : below + n]
