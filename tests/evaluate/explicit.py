"""From the information sets of the explicit game, which the referee wrote out, to the slots of the public tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import state_numbers
from solver.cards.notation import Token
from solver.cfr.average import average_behaviour
from solver.tree.build import HandGame
from solver.tree.history import Point, walk, word_edge
from solver.tree.model import DECISION, REVEAL, PublicTree, lanes
from tests.reference.extensive import Game, InfoSet, Number, infosets

Slots = Mapping[InfoSet, Mapping[str, int]]
Doubles = NDArray[np.float64]


def all_slots(game: HandGame, explicit: Game) -> dict[InfoSet, dict[str, int]]:
    """Slot of every action of every information set; sets that are merged share theirs."""
    return {key: slots(game, key, actions) for key, actions in infosets(explicit).items()}


def slots(game: HandGame, key: InfoSet, actions: tuple[str, ...]) -> dict[str, int]:
    tree = game.tree
    point = walk(game, [Token(seat, word, place) for place, (seat, word) in enumerate(key.history)])
    assert tree.kind[point.node] == DECISION
    assert tree.player[point.node] == key.seat
    held = cards_held(game, key)
    found = {}
    for action in actions:
        if action in game.rules.ranks:
            found[action] = card_slot(game, point, key, held, game.rules.ranks.index(action))
        else:
            edge = word_edge(game, point.node, action)
            assert edge is not None
            place = lane(game, point.node, point.board, state(game, point, key, held))
            found[action] = int(tree.slot[edge.number]) + place
    return found


def cards_held(game: HandGame, key: InfoSet) -> list[int]:
    """What is left of the hand that was dealt."""
    assert isinstance(key.private, tuple)
    (dealt,) = key.private
    held = list(dealt)
    for seat, word in key.history:
        if seat == key.seat and word in game.rules.ranks:
            held.remove(game.rules.ranks.index(word))
    return held


def state(game: HandGame, point: Point, key: InfoSet, held: list[int]) -> int:
    """Number of the state; below a REVEAL the follower's is (class, lead)."""
    tree, n = game.tree, len(game.rules.ranks)
    leader = int(tree.leader[point.node])
    if leader >= 0 and tree.kind[point.node] != REVEAL:
        return point.lead if leader == key.seat else int(tree.compare[point.lead, held[0]]) * n + point.lead
    return int(state_numbers(len(held), n)[tuple(sorted(held))])


def lane(game: HandGame, node: int, board: int, number: int) -> int:
    tree = game.tree
    return board * int(tree.states[tree.space[node], tree.player[node]]) + number


def card_slot(game: HandGame, point: Point, key: InfoSet, held: list[int], rank: int) -> int:
    """Laying a card: the lane of the hand that is left; or saying nothing, where only the last card is left."""
    tree = game.tree
    for edge in range(tree.edges[point.node], tree.edges[point.node + 1]):
        child = int(tree.child[edge])
        if tree.link[edge] < 0 or tree.word[edge] >= 0:
            continue
        space = game.spaces[tree.space[child]]
        boards = np.flatnonzero((space.parent_board == point.board) & (space.card == rank))
        if len(boards):
            left = list(held)
            left.remove(rank)
            below = Point(child, int(boards[0]))
            size = int(tree.states[tree.space[child], key.seat])
            return int(tree.slot[edge]) + int(boards[0]) * size + state(game, below, key, left)
    silent = word_edge(game, point.node, "silent")
    assert silent is not None
    return int(tree.slot[silent.number]) + lane(game, point.node, point.board, state(game, point, key, held))


def profile(places: Slots, values: Doubles) -> dict[InfoSet, dict[str, Number]]:
    """What an array over the slots says at every information set."""
    return {key: {action: float(values[slot]) for action, slot in row.items()} for key, row in places.items()}


def flat_behaviour(tree: PublicTree, mass: NDArray[np.float32]) -> Doubles:
    """Probabilities of all slots in proportion to a mass; uniform where there is none."""
    values = np.zeros(tree.n_slots)
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        edges = range(tree.edges[node], tree.edges[node + 1])
        for edge, part in zip(edges, average_behaviour(tree, mass, node), strict=True):
            values[tree.slot[edge] : tree.slot[edge] + len(part)] = part
    return values


def reader(tree: PublicTree, values: Doubles) -> Callable[[int], list[Doubles]]:
    """The behaviour that `evaluate` asks for, from an array over the slots."""

    def behaviour(node: int) -> list[Doubles]:
        player = int(tree.player[node])
        return [
            values[tree.slot[edge] : tree.slot[edge] + lanes(tree, int(tree.child[edge]), player)]
            for edge in range(tree.edges[node], tree.edges[node + 1])
        ]

    return behaviour


def random_mass(tree: PublicTree, seed: int) -> NDArray[np.float32]:
    """A mass for every slot, two in five without any, none where a hand may not say the word."""
    numbers = np.random.default_rng(seed)
    mass = (numbers.random(tree.n_slots) * (numbers.random(tree.n_slots) < 0.6)).astype(np.float32)
    for edge in np.flatnonzero(tree.mask >= 0).tolist():
        node = int(np.searchsorted(tree.edges, edge, "right")) - 1
        states = int(tree.states[tree.space[node], tree.player[node]])
        may = tree.mask_value[tree.mask[edge] : tree.mask[edge] + states]
        boards = int(tree.boards[tree.space[node]])
        mass[tree.slot[edge] : tree.slot[edge] + boards * states] *= np.tile(may, boards)
    return mass
