"""Boards: every way the cards can have been laid, grouped by how the tricks went, with lane maps and weights.

A space is a set of boards with the states of both sides. Spaces form a tree of their own; betting
sequences are laid over it in ``solver.tree.build``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.cards.deals import deal_weights
from solver.cards.hands import merge, multisets
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.score import DEALER, ELDER

Ints = NDArray[np.int32]
NOBODY = 2
LEADER_WINS, TIE, FOLLOWER_WINS = 0, 1, 2


@dataclass(slots=True)
class Space:
    """Boards with one history of trick winners.

    number      its place in the list of spaces
    held        cards each side still has
    actor       who plays next (-1 when the hand is over); leader: who led the trick in progress
    tricks      winner of each finished trick (NOBODY: spoiled)
    winner      of the hand, or -1 while it goes on
    played      int32 [boards, 2]  multiset of cards each side has laid
    lead        int32 [boards]     rank on the table, or -1
    parent_board, card  int32 [boards]  where each board comes from
    revealed    True below a REVEAL: the follower's states are (class, lead)
    links       (child space number, link number) of every group a card may lead to
    """

    number: int
    held: tuple[int, int]
    actor: int
    leader: int
    tricks: tuple[int, ...]
    winner: int
    played: Ints
    lead: Ints
    parent: int = -1
    parent_board: Ints = field(default_factory=lambda: np.zeros(1, np.int32))
    card: Ints = field(default_factory=lambda: np.full(1, -1, np.int32))
    revealed: bool = False
    root: int = -1
    cut: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    links: list[tuple[int, int]] = field(default_factory=list)

    @property
    def boards(self) -> int:
        """Number of boards."""
        return len(self.lead)


def trick_leader(rules: RuleSet, leader: int, outcome: int) -> int:
    """Who leads after a trick (K5)."""
    if outcome == TIE:
        return leader if rules.lead_after_tie == "previous_leader" else 1 - leader
    return leader if outcome == LEADER_WINS else 1 - leader


def hand_winner(tricks: tuple[int, ...]) -> int:
    """Winner of the hand after these tricks, NOBODY for three spoiled ones, -1 while it goes on (K6)."""
    won = [trick for trick in tricks if trick != NOBODY]
    if won and (won.count(won[0]) == 2 or len(won) < len(tricks)):
        return won[0]
    if len(tricks) == HAND_SIZE:
        return max(set(won), key=won.count) if won else NOBODY
    return -1


class BoardBuilder:
    """Enumerates all spaces of a rule set, breadth first.

    merged   the third trick is one block with the follower's cards in classes; False plays it card by card
    deals    int64 [hands, hands]: weights of two hands (K8)
    """

    def __init__(self, rules: RuleSet, merged: bool) -> None:
        self.rules, self.merged = rules, merged
        self.n_ranks = len(rules.ranks)
        self.spaces: list[Space] = []
        self.lane_maps: list[Ints] = []
        self.link_lanes: list[tuple[int, int]] = []
        self.lane_count = 0
        self.deals = deal_weights(rules)
        self.grow()

    def states(self, space: Space) -> tuple[int, int]:
        """Number of states of each side in a space."""
        sizes = [len(multisets(held, self.n_ranks)) for held in space.held]
        if space.revealed:
            sizes[1 - space.leader] = 3 * self.n_ranks
        return sizes[0], sizes[1]

    def grow(self) -> None:
        """Add the space before any card is laid and all that follow from it."""
        played, lead = np.zeros((1, 2), np.int32), np.full(1, -1, np.int32)
        self.spaces.append(Space(0, (HAND_SIZE, HAND_SIZE), ELDER, ELDER, (), -1, played, lead))
        for space in self.spaces:  # the list grows meanwhile
            if space.winner < 0 and not space.revealed:
                self.extend(space)

    def extend(self, space: Space) -> None:
        """Add the spaces that playing a card from ``space`` leads to."""
        if self.merged and space.held == (1, 1):
            self.add_reveal(space)
            return
        parent_board = np.repeat(np.arange(space.boards, dtype=np.int32), self.n_ranks)
        card = np.tile(np.arange(self.n_ranks, dtype=np.int32), space.boards)
        if space.actor == space.leader:
            self.add_group(space, (parent_board, card), card, space.tricks, (1 - space.actor, space.leader))
            return
        outcome = np.sign(space.lead[parent_board] - card) + 1
        over: dict[tuple[int, ...], Ints] = {}
        for result in (LEADER_WINS, TIE, FOLLOWER_WINS):
            chosen = np.flatnonzero(outcome == result).astype(np.int32)
            won_by = (space.leader, NOBODY, 1 - space.leader)[result]
            tricks = (*space.tricks, won_by)
            if hand_winner(tricks) >= 0:
                over[tricks] = chosen
                continue
            leader = trick_leader(self.rules, space.leader, result)
            nothing = np.full(len(chosen), -1, np.int32)
            self.add_group(space, (parent_board[chosen], card[chosen]), nothing, tricks, (leader, leader))
        self.add_finished(space, parent_board, card, over)

    def add_finished(
        self, space: Space, parent_board: Ints, card: Ints, over: dict[tuple[int, ...], Ints]
    ) -> None:
        """Groups that end the hand; those with the same winner share a space."""
        for winner in (ELDER, DEALER, NOBODY):
            groups = [chosen for tricks, chosen in over.items() if hand_winner(tricks) == winner]
            if groups:
                chosen = np.sort(np.concatenate(groups))
                tricks = next(tricks for tricks in over if hand_winner(tricks) == winner)
                nothing = np.full(len(chosen), -1, np.int32)
                self.add_group(space, (parent_board[chosen], card[chosen]), nothing, tricks, (-1, space.leader))

    def add_group(
        self, space: Space, boards: tuple[Ints, Ints], lead: Ints, tricks: tuple[int, ...], turn: tuple[int, int]
    ) -> None:
        """One child space and the link to it.

        boards   parent board and card of every board
        turn     who plays next, and who leads that trick
        """
        parent_board, card = boards
        actor, leader = turn
        player = space.actor
        held = list(space.held)
        held[player] -= 1
        played = space.played[parent_board].copy()
        laid = HAND_SIZE - space.held[player]
        played[:, player] = multisets(laid, self.n_ranks).add[played[:, player], card]
        child = Space(
            len(self.spaces), (held[0], held[1]), actor, leader, tricks, hand_winner(tricks),
            played, lead, space.number, parent_board, card,
        )  # fmt: skip
        self.cut_boards(space, child)
        space.links.append((child.number, self.add_link(space, child)))
        self.spaces.append(child)

    def cut_boards(self, space: Space, child: Space) -> None:
        """Where each root board's part of the boards begins: the pieces that threads work on."""
        if space.root < 0 and child.lead[0] < 0:
            child.root = child.number
            child.cut = np.arange(child.boards + 1, dtype=np.int32)
        elif space.root >= 0:
            child.root = space.root
            child.cut = np.searchsorted(child.parent_board, space.cut).astype(np.int32)

    def add_link(self, space: Space, child: Space) -> int:
        """Lane maps of both sides from ``child`` back to ``space``."""
        player = space.actor
        own = multisets(child.held[player], self.n_ranks).add[:, child.card].T
        own_states = len(multisets(space.held[player], self.n_ranks))
        other = np.arange(len(multisets(child.held[1 - player], self.n_ranks)))
        maps: list[Ints] = []
        for side in (0, 1):
            states = own if side == player else np.broadcast_to(other, (child.boards, len(other)))
            size = own_states if side == player else len(other)
            maps.append((child.parent_board[:, None] * size + states).reshape(-1).astype(np.int32))
        places = []
        for lane_map in maps:
            places.append(self.lane_count)
            self.lane_maps.append(lane_map)
            self.lane_count += len(lane_map)
        self.link_lanes.append((places[0], places[1]))
        return len(self.link_lanes) - 1

    def add_reveal(self, space: Space) -> None:
        """The space below a REVEAL: same boards, the follower's states are (class, lead)."""
        child = Space(
            len(self.spaces), space.held, 1 - space.actor, space.actor, space.tricks, -1,
            space.played, space.lead, space.number, np.arange(space.boards, dtype=np.int32),
            np.full(space.boards, -1, np.int32), True, space.root, space.cut,
        )  # fmt: skip
        space.links.append((child.number, -1))
        self.spaces.append(child)

    @cached_property
    def matrices(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
        """Weight matrices of all boards, shared where equal.

        Returns the first entry of each space, the weights, and their place for every board.
        """
        pool: dict[tuple[int, ...], int] = {}
        chunks: list[NDArray[np.float64]] = []
        first, filled = np.zeros(len(self.spaces), np.int64), 0
        places: list[int] = []
        for space in self.spaces:
            first[space.number] = len(places)
            for played in space.played:
                key = (*space.held, *played.tolist())
                if key not in pool:
                    chunk = self.board_weights(space, played)
                    pool[key], filled = filled, filled + len(chunk)
                    chunks.append(chunk)
                places.append(pool[key])
        return first, np.concatenate(chunks), np.array(places, np.int64)

    def board_weights(self, space: Space, played: Ints) -> NDArray[np.float64]:
        """Chance of every pair of states given what was played, flat, elder-major (K8)."""
        rows = merge(HAND_SIZE - space.held[0], space.held[0], self.n_ranks)[played[0]]
        columns = merge(HAND_SIZE - space.held[1], space.held[1], self.n_ranks)[played[1]]
        return np.asarray(1.0 / float(self.deals.sum()) * self.deals[np.ix_(rows, columns)]).reshape(-1)
