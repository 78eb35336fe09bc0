"""One hand played twice at once: by the referee, and as a walk down the public tree.

The walk keeps for each side the number of its state and looks every lane up itself; `solver.tree.history`, which does
the same for texts, is compared with it on the way. Known differences of form: where the owner of the last card may
still bet, the tree's `silent` means that he lays it; laying it without a choice is a REVEAL or a SHOW, no decision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import comb

import pytest

from solver.cards.hands import state_numbers
from solver.cards.notation import Token
from solver.rules.ladder import LadderPosition
from solver.rules.outcome import TOKEN_POINTS
from solver.rules.referee import Position
from solver.rules.score import Amount, Prize
from solver.rules.tricks import Hand
from solver.rules.words import WORDS
from solver.tree.build import HandGame
from solver.tree.history import choices, walk
from solver.tree.machine import Outcome
from solver.tree.model import DECISION, LEAF, REVEAL, SHOW
from tests.reference import deck

Pair = tuple[Hand, Hand]
Payoff = Callable[[Position], float]


@dataclass
class TreeWalk:
    """Where a hand is in the tree.

    held    ranks each side holds
    shown   class of the follower's last card once it lies on the table, else None
    folded  a bet was folded to: the hand is over, below a REVEAL at a SHOW that pays every class alike
    """

    game: HandGame
    held: list[list[int]]
    node: int = 0
    board: int = 0
    lead: int = -1
    shown: int | None = None
    folded: bool = False
    laid: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))

    @property
    def kind(self) -> int:
        return int(self.game.tree.kind[self.node])

    @property
    def combined(self) -> bool:
        """Does the player about to lay a card bet or lay it in one decision?"""
        rules = self.game.rules
        return rules.betting == "ladder" or rules.trut_window == "own_turn"

    def edges(self) -> range:
        tree = self.game.tree
        return range(tree.edges[self.node], tree.edges[self.node + 1])

    def state(self, side: int) -> int:
        """Number of a side's state at the node; below a REVEAL the follower's is (class, lead)."""
        tree, n = self.game.tree, len(self.game.rules.ranks)
        leader = int(tree.leader[self.node])
        if leader >= 0 and self.kind != REVEAL:
            return self.lead if side == leader else int(tree.compare[self.lead, self.held[side][0]]) * n + self.lead
        return int(state_numbers(len(self.held[side]), n)[tuple(sorted(self.held[side]))])

    def lane(self, side: int) -> int:
        tree = self.game.tree
        return self.board * int(tree.states[tree.space[self.node], side]) + self.state(side)

    def seat(self) -> int:
        """Who acts next."""
        tree = self.game.tree
        if self.kind == DECISION:
            return int(tree.player[self.node])
        leader = int(tree.leader[self.node])
        return leader if self.kind == REVEAL else 1 - leader

    def legal(self) -> dict[str, int]:
        """Edge of everything the player to act may do with his cards; -1: his last card, laid without an edge."""
        tree, ranks = self.game.tree, self.game.rules.ranks
        own = self.held[self.seat()]
        if self.kind == SHOW:
            return {ranks[own[0]]: -1}
        found: dict[str, int] = {}
        for edge in self.edges():
            word = WORDS[tree.word[edge]] if tree.word[edge] >= 0 else ""
            if self.kind == REVEAL or (word == "silent" and self.combined):
                found[ranks[own[0]]] = edge
            elif not word:
                for rank in own:
                    if self.board_after(edge, rank) is not None:
                        assert found.get(ranks[rank], edge) == edge, "one card leads two ways"
                        found[ranks[rank]] = edge
            elif tree.mask[edge] < 0 or tree.mask_value[tree.mask[edge] + self.state(self.seat())]:
                assert word not in found, "one word leads two ways"
                found[word] = edge
        return found

    def board_after(self, edge: int, rank: int) -> int | None:
        """Number of the board after a card, found among the boards of the child's space."""
        space = self.game.spaces[self.game.tree.space[self.game.tree.child[edge]]]
        fits = [
            board for board in range(space.boards)
            if space.parent_board[board] == self.board and space.card[board] == rank
        ]  # fmt: skip
        assert len(fits) <= 1, "two boards for one card"
        return fits[0] if fits else None

    def play(self, token: str) -> None:
        """Follow a token that `legal` lists."""
        edge, tree = self.legal()[token], self.game.tree
        if token not in self.game.rules.ranks:
            self.follow(edge)
            self.folded = token == "fold"
            return
        rank, seat = self.game.rules.ranks.index(token), self.seat()
        if self.kind == DECISION and tree.word[edge] >= 0:
            self.follow(edge)
        if self.kind == REVEAL:
            self.lead = rank
            self.follow(int(tree.edges[self.node]))
        elif self.kind == SHOW:
            self.shown = int(tree.compare[self.lead, rank])
        else:
            self.lay(edge, seat, rank)
        self.laid[seat].append(rank)

    def lay(self, edge: int, seat: int, rank: int) -> None:
        """A card that leads to another board."""
        above = (self.lane(0), self.lane(1))
        board = self.board_after(edge, rank)
        assert board is not None
        self.held[seat].remove(rank)
        self.board = board
        self.follow(edge)
        self.check_link(edge, above)

    def follow(self, edge: int) -> None:
        self.node = int(self.game.tree.child[edge])

    def check_link(self, edge: int, above: tuple[int, int]) -> None:
        """The lane map leads both sides' lanes back to where they came from."""
        tree = self.game.tree
        for side in (0, 1):
            start = tree.link_lanes[tree.link[edge], side]
            assert tree.lane_map[start + self.lane(side)] == above[side], "a lane map forgets a hand"

    def outcome(self) -> int:
        """Number of the outcome: how the hand has ended."""
        ends: list[int] = self.game.tree.outcome[self.node].tolist()
        if self.shown is None:
            assert len(set(ends)) == 1, "an end of the hand depends on a card that was not laid"
        return ends[self.shown or 0]

    def payoff(self) -> float:
        """Elder's payoff: what the outcome is worth, or what new cards make of three spoiled tricks (G6)."""
        tree, worth = self.game.tree, self.game.worth
        place = int(tree.ties[self.node])
        if place < 0 or self.folded or self.shown not in (None, 1):
            return float(worth[self.outcome()])
        place += self.board if self.kind == LEAF else self.board * len(self.game.rules.ranks) + self.lead
        win, lose = (worth[self.game.outcomes.index(Outcome(side, Prize.LONG))] for side in (0, 1))
        return float(lose + (win - lose) * tree.tie_share[place])

    def weight(self) -> float:
        """Weight of both states on this board, where the node has one."""
        tree = self.game.tree
        space = tree.space[self.node]
        place = tree.board_matrix[tree.matrix[self.node] + self.board]
        return float(tree.weights[place + self.state(0) * tree.states[space, 1] + self.state(1)])


def play_both(
    game: HandGame, start: Position, hands: Pair, choose: Callable[[tuple[str, ...]], str], expected: Payoff
) -> Position:
    """Play a hand to its end, comparing at every step; returns the referee's last position.

    start     the referee's position when the tree begins
    hands     what both sides hold
    expected  elder's payoff, worked out from the referee's result
    """
    now, at = start, TreeWalk(game, [list(hands[0]), list(hands[1])])
    chance = deal_chance(game, hands)
    said: list[Token] = []
    while now.to_act is not None:
        legal = at.legal()
        assert at.seat() == now.to_act, f"after {now.history} the referee asks {now.to_act}, the tree {at.seat()}"
        assert set(legal) == set(now.legal), f"after {now.history}"
        assert game.amount_at(at.node) == amount_of(now), f"stake after {now.history}"
        if at.kind == REVEAL or game.tree.leader[at.node] < 0:
            assert at.weight() == pytest.approx(chance, rel=1e-12), f"weight after {now.history}"
        check_texts(game, at, said, now)
        token = choose(now.legal)
        said.append(Token(now.to_act, token, len(said)))
        now = now.play(token)
        at.play(token)
    assert at.kind == LEAF or at.folded or at.shown is not None, f"after {now.history} the hand is over"
    check_end(game, at, now, expected)
    point = walk(game, said)
    assert (point.node, point.board) == (at.node, at.board)
    assert point.over or at.kind == LEAF
    assert not choices(game, point)
    return now


def amount_of(now: Position) -> Amount:
    """What the referee says that the hand is played for."""
    if isinstance(now, LadderPosition):
        return Prize.MATCH if now.at_rest else now.accepted
    return Prize.LONG if now.stake == TOKEN_POINTS[Prize.LONG] else Prize.PETIT


def check_end(game: HandGame, at: TreeWalk, now: Position, expected: Payoff) -> None:
    """The tree ends the hand with the referee's winner and amount, and pays what they are worth."""
    assert now.result is not None
    winner, amount = game.outcomes[at.outcome()]
    assert winner == now.result.winner, f"winner after {now.history}"
    assert amount == now.result.amount, f"amount after {now.history}"
    assert game.amount_at(at.node) == amount == amount_of(now), f"stake after {now.history}"
    assert at.payoff() == pytest.approx(expected(now), abs=1e-12), f"payoff after {now.history}"


def check_texts(game: HandGame, at: TreeWalk, said: list[Token], now: Position) -> None:
    """`history.walk` stands at the same point, with or without the silences, and offers what is legal."""
    point = walk(game, said)
    assert (point.node, point.board, point.lead) == (at.node, at.board, at.lead), f"after {now.history}"
    assert set(now.legal) - {"silent"} <= set(choices(game, point)), f"after {now.history}"
    if said and said[-1].word != "silent":
        quiet = walk(game, [token for token in said if token.word != "silent"])
        assert (quiet.node, quiet.board, quiet.lead) == (at.node, at.board, at.lead), f"after {now.history}"


def deal_chance(game: HandGame, hands: Pair) -> float:
    """Chance of this deal (K8)."""
    copies = game.rules.copies
    cards = sum(copies)
    return deck.weight(copies, *hands) / (comb(cards, 3) * comb(cards - 3, 3))
