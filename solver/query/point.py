"""One point of the tree under a solution: who acts, with what, how often it is reached, what every action is worth.

Values are conditional: the acting side's expected payoff in the unit of the solution, given its own hand and that the
point is reached, both sides then playing the solution.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import HAND_SIZE, merge, multisets, state_numbers
from solver.errors import UsageError
from solver.evaluate.best_response import Pass
from solver.strategy.solution import Solution
from solver.tree.history import Point
from solver.tree.machine import WORDS
from solver.tree.model import DECISION, REVEAL, lanes

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PointView:
    """Rows are the hands the acting side may still have here, strongest ranks first.

    seat       0 elder, 1 dealer
    hands      int8 [rows, 3]: whole hand, laid cards included
    actions    what may be done: words, and card labels
    frequency  float64 [rows, actions]; NaN where a hand has no such action
    ev         float64 [rows, actions]; NaN likewise, and where the other side never comes here
    value      float64 [rows]: the expected value of what the solution does
    reach      float64 [rows]: how often the hand is held and the point is reached
    dealt      float64 [rows]: the chance of the hand and what is seen of the other's cards, whatever is said
    """

    seat: int
    hands: NDArray[np.int8]
    actions: list[str]
    frequency: Doubles
    ev: Doubles
    value: Doubles
    reach: Doubles
    dealt: Doubles


class Abridged(Solution):
    """A solution of which only some points are kept, as they were seen when all of it was there."""

    def view(self, point: Point) -> PointView:
        """What was kept of a decision point."""
        raise NotImplementedError


@dataclass(slots=True)
class Spot:
    """Reach of both sides at a point, float64 [states], on its board, before any reveal."""

    node: int
    board: int
    space_node: int
    reach: tuple[Doubles, Doubles]


def trace(solution: Solution, point: Point) -> Spot:
    """Follow a path from the root with the reach of both sides."""
    tree = solution.game.tree
    node, board, space_node = 0, 0, 0
    reach = [np.ones(int(tree.states[tree.space[0], side])) for side in (0, 1)]
    for edge, _, lead in point.path:
        child, kind = int(tree.child[edge]), tree.kind[node]
        next_board = board_after(edge, board, point)
        if kind == DECISION:
            reach = step_reach(solution, node, edge, (board, next_board), reach, lead)
        node, board = child, next_board
        if tree.leader[node] < 0 or tree.kind[node] == REVEAL:
            space_node = node
    return Spot(node, board, space_node, (reach[0], reach[1]))


def board_after(edge: int, board: int, point: Point) -> int:
    """Board below an edge: that of the next step of the path, or of the point itself."""
    for taken, (step, _, _) in enumerate(point.path):
        if step == edge:
            return point.path[taken + 1][1] if taken + 1 < len(point.path) else point.board
    return board


def step_reach(
    solution: Solution, node: int, edge: int, boards: tuple[int, int], reach: list[Doubles], lead: int
) -> list[Doubles]:
    """Reach of both sides one decision on, on the board of the path."""
    tree = solution.game.tree
    child, player = int(tree.child[edge]), int(tree.player[node])
    sigma = solution.behaviour(node)[edge - int(tree.edges[node])]
    after = list(reach)
    for side in (0, 1):
        states = int(tree.states[tree.space[child], side])
        block = slice(boards[1] * states, (boards[1] + 1) * states)
        if tree.leader[node] >= 0:
            after[side] = (
                reach[side] * below_reveal(solution, node, side, sigma[block], lead)
                if side == player
                else reach[side]
            )
            continue
        moved = reach[side]
        if tree.link[edge] >= 0:
            start = tree.link_lanes[tree.link[edge], side]
            parents = tree.lane_map[start + block.start : start + block.stop]
            moved = reach[side][parents - boards[0] * int(tree.states[tree.space[node], side])]
        after[side] = moved * sigma[block] if side == player else moved
    return after


def below_reveal(solution: Solution, node: int, side: int, sigma: Doubles, lead: int) -> Doubles:
    """Strategy by last card below a reveal: the leader holds the lead, the follower's card decides the class."""
    tree, n = solution.game.tree, len(solution.game.tree.compare)
    if side == tree.leader[node]:
        return np.where(np.arange(n) == lead, sigma, 1.0)
    return np.asarray(sigma.reshape(-1, n)[tree.compare[lead], lead])


def view(solution: Solution, point: Point) -> PointView:
    """Everything about a decision point; UsageError when the hand is over there."""
    if isinstance(solution, Abridged):
        return solution.view(point)
    found = view_in_payoffs(solution, point)
    zero = solution.own_zero(found.seat)
    return replace(found, ev=found.ev + zero, value=found.value + zero) if zero else found


def view_in_payoffs(solution: Solution, point: Point) -> PointView:
    """The same with values as the tree pays them."""
    tree = solution.game.tree
    if point.over or tree.kind[point.node] != DECISION:
        raise UsageError("Nothing is left to decide after this history: the hand is over.")
    space = solution.game.spaces[tree.space[point.node]]
    if space.memory > 1 or space.sizes is not None:
        raise UsageError("After new cards were dealt a hand also remembers the old ones; such points are not shown.")
    spot = trace(solution, point)
    seat = int(tree.player[spot.node])
    other = 1 - seat
    weights = board_weights(solution, spot, seat)
    if point.lead >= 0:
        return view_below_reveal(solution, point, spot, weights)
    vector = np.zeros(lanes(tree, spot.node, other))
    size = len(spot.reach[other])
    vector[spot.board * size : (spot.board + 1) * size] = spot.reach[other]
    mass = weights @ spot.reach[other]
    actions, frequency, values = action_table(solution, spot, seat, vector)
    with np.errstate(invalid="ignore", divide="ignore"):
        ev = np.where(mass[:, None] > 0, values / mass[:, None], np.nan)
    hands, reach = whole_hands(solution, spot, seat), spot.reach[seat] * mass
    dealt = weights.sum(axis=1) * spoken_truly(solution, point, seat, hands)
    whole = PointView(seat, hands, actions, frequency, ev, np.zeros(len(hands)), reach, dealt)
    return keep_possible(whole, solution.game.rules.ranks)


def board_weights(solution: Solution, spot: Spot, seat: int) -> Doubles:
    """Weights of the board before any reveal, float64 [states of seat, states of the other]."""
    tree, node = solution.game.tree, spot.space_node
    n0, n1 = tree.states[tree.space[node]].tolist()
    place = int(tree.board_matrix[tree.matrix[node] + spot.board])
    block = tree.weights[place : place + n0 * n1].reshape(n0, n1)
    return block if seat == 0 else block.T


def whole_hands(solution: Solution, spot: Spot, seat: int) -> NDArray[np.int8]:
    """Three cards of every state of a side: laid ones and those still held."""
    game = solution.game
    space = game.spaces[game.tree.space[spot.space_node]]
    n_ranks, held = len(game.rules.ranks), space.held[seat]
    full = merge(HAND_SIZE - held, held, n_ranks)[space.played[spot.board, seat]]
    return np.asarray(multisets(HAND_SIZE, n_ranks).cards[full])


def action_table(
    solution: Solution, spot: Spot, seat: int, vector: Doubles
) -> tuple[list[str], Doubles, Doubles]:
    """Labels, frequencies and counterfactual values of every action of every state; NaN where it does not exist."""
    tree, node, board = solution.game.tree, spot.node, spot.board
    states = int(tree.states[tree.space[node], seat])
    actions: list[str] = []
    columns: list[tuple[Doubles, Doubles]] = []
    walker = Pass(tree, solution.behaviour, seat, best=False)
    for place, edge in enumerate(range(tree.edges[node], tree.edges[node + 1])):
        child, sigma = int(tree.child[edge]), solution.behaviour(node)[place]
        reach = vector
        if tree.link[edge] >= 0:
            reach = vector[walker.lane_map(edge, 1 - seat)]
        below = walker.walk(child, reach)
        if tree.link[edge] < 0:
            block = slice(board * states, (board + 1) * states)
            legal = allowed(solution, node, edge, seat)
            actions.append(WORDS[tree.word[edge]])
            columns.append((np.where(legal, sigma[block], np.nan), np.where(legal, below[block], np.nan)))
            continue
        for rank, lane, parent in card_lanes(solution, edge, seat, board, states):
            frequency, value = np.full(states, np.nan), np.full(states, np.nan)
            frequency[parent], value[parent] = sigma[lane], below[lane]
            actions.append(solution.game.rules.ranks[rank])
            columns.append((frequency, value))
    return (
        actions,
        np.stack([column[0] for column in columns], 1),
        np.stack([column[1] for column in columns], 1),
    )


def card_lanes(
    solution: Solution, edge: int, seat: int, board: int, states: int
) -> list[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """For every card that leads across an edge from this board: rank, child lanes, states they come from."""
    tree = solution.game.tree
    child = int(tree.child[edge])
    space = solution.game.spaces[tree.space[child]]
    size = int(tree.states[tree.space[child], seat])
    found = []
    for next_board in np.flatnonzero(space.parent_board == board).tolist():
        lane = np.arange(next_board * size, (next_board + 1) * size)
        start = tree.link_lanes[tree.link[edge], seat]
        found.append((int(space.card[next_board]), lane, tree.lane_map[start + lane] - board * states))
    return found


def allowed(solution: Solution, node: int, edge: int, seat: int) -> NDArray[np.bool_]:
    """Which states may take an edge."""
    tree = solution.game.tree
    states = int(tree.states[tree.space[node], seat])
    if tree.mask[edge] < 0:
        return np.ones(states, np.bool_)
    return tree.mask_value[tree.mask[edge] : tree.mask[edge] + states]


def view_below_reveal(solution: Solution, point: Point, spot: Spot, weights: Doubles) -> PointView:
    """The same once the last lead is on the table: the leader has one state, the follower one a card."""
    tree, n = solution.game.tree, len(solution.game.tree.compare)
    seat = int(tree.player[spot.node])
    other, lead = 1 - seat, point.lead
    follows = seat != tree.leader[spot.node]
    vector = np.zeros(lanes(tree, spot.node, other))
    if follows:
        vector[spot.board * n + lead] = spot.reach[other][lead]
        mass = weights[:, lead] * spot.reach[other][lead]
        scale = np.full(n, spot.reach[other][lead])
        lane = tree.compare[lead] * n + lead
    else:
        for c in range(3):
            vector[(3 * spot.board + c) * n + lead] = (weights[lead] * spot.reach[other])[
                tree.compare[lead] == c
            ].sum()
        mass = np.where(np.arange(n) == lead, weights @ spot.reach[other], 0.0)
        scale, lane = mass, np.arange(n)
    actions, frequency, values = action_table(solution, spot, seat, vector)
    with np.errstate(invalid="ignore", divide="ignore"):
        ev = np.where(scale[:, None] > 0, values[lane] / scale[:, None], np.nan)
    dealt = weights[:, lead] if follows else np.where(np.arange(n) == lead, weights.sum(axis=1), 0.0)
    hands, reach = whole_hands(solution, spot, seat), spot.reach[seat] * mass
    dealt = dealt * spoken_truly(solution, point, seat, hands)
    whole = PointView(seat, hands, actions, frequency[lane], ev, np.zeros(n), reach, dealt)
    return keep_possible(whole, solution.game.rules.ranks)


def spoken_truly(solution: Solution, point: Point, seat: int, hands: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which whole hands may have said all that their owner said on the path: labels are truthful (U8, G7)."""
    tree, n_ranks = solution.game.tree, len(solution.game.rules.ranks)
    numbers = state_numbers(HAND_SIZE, n_ranks)
    rows = np.array([numbers[tuple(sorted(hand))] for hand in hands.tolist()], np.int64)
    true = np.ones(len(hands), np.bool_)
    node = 0
    for edge, _, _ in point.path:
        if tree.mask[edge] >= 0 and tree.player[node] == seat:
            true &= tree.mask_value[tree.mask[edge] + rows]
        node = int(tree.child[edge])
    return true


def keep_possible(whole: PointView, ranks: tuple[str, ...]) -> PointView:
    """Drop the hands that cannot be held here, and the actions that nobody has; words first, then cards by rank."""
    actions, frequency = whole.actions, whole.frequency
    rows = np.flatnonzero(whole.dealt > 0)
    shown = np.flatnonzero(~np.isnan(frequency[rows]).all(axis=0)).tolist()
    place = {label: k for k, label in enumerate(ranks)}
    columns = np.array(sorted(shown, key=lambda k: (actions[k] in place, place.get(actions[k], k))), np.int64)
    part, worth = frequency[np.ix_(rows, columns)], whole.ev[np.ix_(rows, columns)]
    with np.errstate(invalid="ignore"):
        mean = np.nansum(np.where(part > 0, part * worth, 0.0), axis=1)
    value = np.where(np.isnan(worth).all(axis=1), np.nan, mean)
    names = [actions[k] for k in columns.tolist()]
    return PointView(
        whole.seat, whole.hands[rows], names, part, worth, value, whole.reach[rows], whole.dealt[rows]
    )
