"""How many information sets a hand has, those alone that some deal leads to."""

from __future__ import annotations

import numpy as np

from solver.query.cells import follows, rows_at
from solver.query.decisions import Way
from solver.tree.build import HandGame
from solver.tree.model import DECISION, REVEAL
from solver.tree.reading import Honest, Node, board_weights, edges_of, heard, lead_rows, matrix_key, node_at

Key = tuple[object, ...]


def dealt_infosets(game: HandGame) -> int:
    """Information sets with a choice that some deal leads to, what was said being true: those that rows can name.

    The solver keeps more, lanes that would need more cards of a rank than there are; and below the reveal of a last
    lead it keeps fewer, for the follower's cards of a class are one.
    """
    counted: dict[Key, int] = {}
    waiting: list[tuple[int, int | None, Honest]] = [(0, None, (None, None))]
    total = 0
    while waiting:
        number, reveal, honest = waiting.pop()
        node = node_at(game.tree, number)
        if node.kind == DECISION:
            said = tuple(None if may is None else may.tobytes() for may in honest)
            weights = matrix_key(game.tree, number if reveal is None else reveal)
            key = (node.space, node.leader, node.player, weights, said)
            if key not in counted:
                counted[key] = holdable(game, node, reveal, honest)
            total += counted[key]
        below = number if node.kind == REVEAL else reveal
        waiting += [(edge.child, below, heard(game.tree, edge, honest)) for edge in edges_of(game.tree, number)]
    return total


def holdable(game: HandGame, node: Node, reveal: int | None, honest: Honest) -> int:
    """How many hands there are at a decision on all boards; ``reveal``: the node that showed the last lead."""
    side, other = node.player, np.ones(node.lanes(1 - node.player))
    cards = None if reveal is None else lead_rows(game.tree, reveal)
    weights = np.zeros(0)
    if cards is None:
        weights = board_weights(game.tree, node.number)
        weights = weights if side == 0 else weights.transpose(0, 2, 1)
    own = np.ones(cards.size if cards is not None and follows(node, side) else node.lanes(side))
    return len(rows_at(game, node, side, Way(own, other, honest, cards), (weights, np.ones(len(own)))).lane)
