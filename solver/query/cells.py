"""Who may hold what at a decision: the hands of a side, where they stand in the tree's vectors, how likely they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import merge
from solver.query.decisions import Doubles, Longs, Rows, Way
from solver.rules.options import HAND_SIZE
from solver.tree.build import HandGame
from solver.tree.model import N_CLASSES, REVEAL
from solver.tree.reading import Node, board_weights, classes


def follows(node: Node, side: int) -> bool:
    """Whether a side is the follower below a reveal, so that its cells are not the tree's lanes."""
    return node.leader >= 0 and node.leader != side and node.kind != REVEAL


def cell_lanes(game: HandGame, node: Node) -> Longs:
    """The tree's lane of every cell of a follower below a reveal."""
    outcome = classes(game.tree)
    n = len(outcome)
    board, lead, card = np.indices((node.boards, n, n))
    return np.asarray((board * N_CLASSES + outcome[lead, card]) * n + lead).reshape(-1)


def whole_hands(game: HandGame, node: Node, side: int) -> NDArray[np.int32]:
    """Numbers of the whole hands of a side, int32 [boards, what it still holds]."""
    space = game.spaces[node.space]
    held = space.held[side]
    return merge(HAND_SIZE - held, held, len(game.rules.ranks))[space.played[:, side]]


def rows_at(game: HandGame, node: Node, side: int, way: Way, known: tuple[Doubles, Doubles]) -> Rows:
    """The hands that a side may have at a node.

    known   weights of every board where no lead is shown yet, [boards, own states, the other's], and the reach of the
            other side against every lane
    """
    own, others = (whole_hands(game, node, one) for one in (side, 1 - side))
    honest, heard = way.honest[side], way.honest[1 - side]
    weights, mass = known
    if way.cards is None:
        may = weights if heard is None else weights * heard[others][:, None, :]
        dealt, scale, hand = may.sum(axis=2).reshape(-1), mass, own.reshape(-1)
        board, held = (axis.reshape(-1) for axis in np.indices(own.shape))
        lead = np.full(len(dealt), -1)
        lane, reach = np.arange(len(dealt)), way.own * mass
    else:
        cards, behind = way.cards, follows(node, side)
        if heard is not None:
            cards = cards * (heard[others][:, :, None] if behind else heard[others][:, None, :])
        board, lead, held = (axis.reshape(-1) for axis in np.indices(cards.shape if behind else (*cards.shape[:2], 1)))
        if behind:
            lane, dealt, scale = cell_lanes(game, node), cards.reshape(-1), way.other[board * cards.shape[1] + lead]
            hand, reach = own[board, held], way.own * dealt * scale
        else:
            lane, held, dealt, scale = np.arange(len(board)), lead, cards.sum(axis=2).reshape(-1), mass
            hand, reach = own.reshape(-1), way.own * scale
    keep = (dealt > 0) if honest is None else (dealt > 0) & honest[hand]
    cell = np.arange(len(lane))
    return Rows(lane, cell, hand.astype(np.int64), held, board, lead, scale, reach, dealt).only(np.flatnonzero(keep))


def other_hands(
    game: HandGame, node: Node, side: int, way: Way, at: tuple[int, int, int]
) -> tuple[Longs, Doubles, Doubles]:
    """What the other side may hold when a side holds one of its hands: whole hands, as dealt, and by now.

    at   board, lead (-1: none is shown), and what the side holds: its state, or its last card

    Returns the numbers of the hands int64 [n] and float64 [n] twice: chances by the cards, and times the other's reach;
    neither sums to one.
    """
    board, lead, held = at
    hands, heard = whole_hands(game, node, 1 - side)[board].astype(np.int64), way.honest[1 - side]
    may = np.ones(len(hands)) if heard is None else heard[hands].astype(np.float64)
    if way.cards is None:
        weights = board_weights(game.tree, node.number)[board]
        dealt = (weights[held] if side == 0 else weights[:, held]) * may
        return hands, dealt, dealt * way.other.reshape(node.boards, -1)[board]
    if follows(node, side):
        dealt = np.where(np.arange(len(hands)) == lead, way.cards[board, :, held], 0.0) * may
        return hands, dealt, dealt * way.other.reshape(node.boards, -1)[board]
    dealt = way.cards[board, lead] * may
    by_card, shown = way.hidden
    before, now = (mass.reshape(node.boards, N_CLASSES, -1)[board, :, lead] for mass in (shown, way.other))
    stayed = np.divide(now, before, out=np.zeros(N_CLASSES), where=before > 0)[classes(game.tree)[lead]]
    return hands, dealt, dealt * by_card.reshape(node.boards, -1)[board] * stayed
