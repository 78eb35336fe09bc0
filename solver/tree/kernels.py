"""Compiled enumeration: every betting sequence laid over the spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.rules.words import WORD
from solver.tree.model import ANSWERS, NODE_KINDS

if TYPE_CHECKING:
    from solver.tree.machine import BettingArrays

Wholes = NDArray[np.int64]
# Hazard: a plain number in a call is a type of its own, and the called kernel compiled anew for each; these are int64.
ZERO, NONE = np.int64(0), np.int64(-1)
DECISION, CHANCE, REVEAL, LEAF, SHOW = np.array(NODE_KINDS)
IDLE, ANSWER, FOLDED, WON = np.arange(4)
FOLD, CALL, COUNTER = np.array(ANSWERS)
SILENT, FOLD_WORD = np.array([WORD["silent"], WORD["fold"]])

# columns of ``plan``: who plays, who leads the trick, winner (-1 going on), place of the last card, windows before
# the card, how many of them allow bets that tell something of the hand, winner if the last trick is spoiled
ACTOR, LEADER, WINNER, LAST, WINDOWS, TELL, SPOILED = range(7)
PLAIN, BEFORE_REVEAL, BELOW_REVEAL = range(3)


class Expansion(NamedTuple):
    """What ``expand`` fills: nodes int32 [n, 6] (kind, player, leader, space, first edge, stake), edges
    int32 [e, 4] (child, link, word, mask), outcome int32 [n, 3]."""

    nodes: NDArray[np.int32]
    edges: NDArray[np.int32]
    outcome: NDArray[np.int32]


@kernel
def push(stack, top, what, space, state, step, edge, extra):
    """Put one node that waits to be made on the stack; returns the new top."""
    stack[top, 0], stack[top, 1], stack[top, 2] = what, space, state
    stack[top, 3], stack[top, 4], stack[top, 5] = step, edge, extra
    return top + 1


@kernel
def reverse(stack, low, high):
    """Turn the order of stack[low:high] round, so that the first child is made first."""
    for k in range((high - low) // 2):
        for column in range(stack.shape[1]):
            kept = stack[low + k, column]
            stack[low + k, column] = stack[high - 1 - k, column]
            stack[high - 1 - k, column] = kept


@kernel
def add_edge(out, n, link, word, mask):
    """Write edge ``n`` (its child is known later); returns the number of edges."""
    if n < len(out.edges):
        out.edges[n, 1], out.edges[n, 2], out.edges[n, 3] = link, word, mask
    return n + 1


@kernel
def end(out, node, lose, tie, win):
    """Write the outcomes of node ``node``."""
    if node < len(out.outcome):
        out.outcome[node, 0], out.outcome[node, 1], out.outcome[node, 2] = lose, tie, win


@kernel
def grown(stack, most):
    """The stack, in a larger array if it has no room for ``most`` entries."""
    if most <= len(stack):
        return stack
    larger = np.empty((2 * most, stack.shape[1]), np.int64)
    larger[: len(stack)] = stack
    return larger


@kernel
def may_say(bets, state, seat, k, told):
    """Whether bet k exists in this state; a bet that tells something of the hand only where ``told``."""
    return bets.bet[state, seat, k, 1] >= 0 and (told or bets.bet[state, seat, k, 2] < 0)


@kernel
def next_window(bets, plan, space, state, step):
    """First window from ``step`` in which something can be said, or the number of windows.

    The first window of a card is its owner's, the second the other's, if he speaks at all and still holds a card.
    """
    windows = plan[space, WINDOWS]
    while step < windows:
        seat = plan[space, ACTOR] if step == 0 else 1 - plan[space, ACTOR]
        if bets.may_fold[state] and step == 0:
            return step
        for k in range(bets.bet.shape[2]):
            if may_say(bets, state, seat, k, plan[space, TELL] > step):
                return step
        step += 1
    return windows


@kernel
def expand_answer(bets, out, stack, top, n_edges, space, state, step):
    """Edges of the answer to a bet; returns (top of the stack, edges)."""
    for k in range(bets.answer.shape[1]):
        how, target = bets.answer[state, k, 1], bets.answer[state, k, 2]
        if how == FOLD:
            top = push(stack, top, FOLDED, space, state, step, n_edges, NONE)
        elif how == CALL:
            top = push(stack, top, IDLE, space, target, step + 1, n_edges, NONE)
        elif how == COUNTER:
            top = push(stack, top, ANSWER, space, target, step, n_edges, NONE)
        if how >= 0:
            n_edges = add_edge(out, n_edges, NONE, bets.answer[state, k, 0], NONE)
    return top, n_edges


@kernel
def expand_cards(links, out, stack, top, n_edges, space, state):
    """One edge for every group of cards; returns (top of the stack, edges)."""
    for k in range(links.shape[1]):
        if links[space, k, 0] >= 0:
            top = push(stack, top, IDLE, links[space, k, 0], state, ZERO, n_edges, NONE)
            n_edges = add_edge(out, n_edges, links[space, k, 1], NONE, NONE)
    return top, n_edges


@kernel
def expand_window(bets, plan, out, stack, top, n_edges, space, state, step, seat):
    """Edges of the bets ``seat`` may make; returns (top of the stack, edges)."""
    for k in range(bets.bet.shape[2]):
        if may_say(bets, state, seat, k, plan[space, TELL] > step):
            top = push(stack, top, ANSWER, space, bets.bet[state, seat, k, 1], step, n_edges, NONE)
            n_edges = add_edge(out, n_edges, NONE, bets.bet[state, seat, k, 0], bets.bet[state, seat, k, 2])
    if bets.may_fold[state] and step == 0:
        top = push(stack, top, WON, space, state, step, n_edges, 1 - seat)
        n_edges = add_edge(out, n_edges, NONE, FOLD_WORD, NONE)
    return top, n_edges


@kernel
def expand_idle(bets, plan, links, out, stack, top, n_edges, node, space, state, step):
    """The node where nothing waits for an answer; returns (kind, player, top of the stack, edges)."""
    actor, last = plan[space, ACTOR], plan[space, LAST]
    if plan[space, WINNER] >= 0:
        won = bets.ends[state, plan[space, WINNER]]
        end(out, node, won, won, won)
        return LEAF, 0, top, n_edges
    step = next_window(bets, plan, space, state, step)
    speaks = step < plan[space, WINDOWS]
    cards = last == PLAIN and (not speaks or bets.combined)
    if speaks or cards:
        seat = 1 - actor if speaks and step == 1 else actor
        if cards:
            top, n_edges = expand_cards(links, out, stack, top, n_edges, space, state)
        else:
            top = push(stack, top, IDLE, space, state, step + 1, n_edges, NONE)
            n_edges = add_edge(out, n_edges, NONE, SILENT, NONE)
        if speaks:
            top, n_edges = expand_window(bets, plan, out, stack, top, n_edges, space, state, step, seat)
        return DECISION, seat, top, n_edges
    leader = plan[space, LEADER]
    if last == BEFORE_REVEAL:
        top = push(stack, top, IDLE, links[space, 0, 0], state, ZERO, n_edges, NONE)
        return REVEAL, leader, top, add_edge(out, n_edges, NONE, NONE, NONE)
    ends = bets.ends[state]
    end(out, node, ends[leader], ends[plan[space, SPOILED]], ends[1 - leader])
    return SHOW, 0, top, n_edges


@kernel
def expand(
    bets: BettingArrays, plan: Wholes, links: Wholes, first: Wholes, out: Expansion, most: np.int64
) -> tuple[int, int]:
    """Lay every betting sequence over the spaces, depth first; returns (nodes, edges), at once beyond ``most`` nodes.

    bets    ``BettingArrays``
    plan    int64 [spaces, 7]: the columns named above
    links   int64 [spaces, k, 2]: child space and link of each group of cards, -1 padded
    first   int64 [4]: what the root is, its space, state and window
    out     ``Expansion``; empty arrays only count
    """
    stack = np.empty((256, 6), np.int64)
    widest = bets.bet.shape[2] + bets.answer.shape[1] + links.shape[1] + 2
    top = push(stack, ZERO, first[0], first[1], first[2], first[3], NONE, NONE)
    n_nodes, n_edges = ZERO, ZERO
    while top > 0 and n_nodes <= most:
        top -= 1
        what, space, state = stack[top, 0], stack[top, 1], stack[top, 2]
        step, parent_edge, extra = stack[top, 3], stack[top, 4], stack[top, 5]
        node, first_edge, base = n_nodes, n_edges, top
        n_nodes += 1
        kind, player = LEAF, 0
        stake = bets.fold[state] if what in (FOLDED, ANSWER) else bets.ends[state, 0]
        stack = grown(stack, top + widest)
        if what == FOLDED:
            end(out, node, stake, stake, stake)
        elif what == WON:
            end(out, node, bets.ends[state, extra], bets.ends[state, extra], bets.ends[state, extra])
        elif what == ANSWER:
            kind, player = DECISION, bets.answerer[state]
            top, n_edges = expand_answer(bets, out, stack, top, n_edges, space, state, step)
        else:
            kind, player, top, n_edges = expand_idle(
                bets, plan, links, out, stack, top, n_edges, node, space, state, step
            )
        reverse(stack, base, top)
        if node < len(out.nodes):
            below = plan[space, LAST] == BELOW_REVEAL
            out.nodes[node, 0] = SHOW if kind == LEAF and below else kind
            out.nodes[node, 1] = player
            out.nodes[node, 2] = plan[space, LEADER] if below or kind == REVEAL else -1
            out.nodes[node, 3], out.nodes[node, 4], out.nodes[node, 5] = space, first_edge, stake
            if parent_edge >= 0:
                out.edges[parent_edge, 0] = node
    return n_nodes, n_edges  # type: ignore[return-value]  # plain numbers to the caller
