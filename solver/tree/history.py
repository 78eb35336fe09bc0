"""Histories: the public tree walked by what was said and played, and what was said and played on a way, in words.

A history is written without silences but at its end, where they tell which of two decisions of the same player is
meant, and a word names its seat where both sides may say it. What is written leads back to where it was written.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from solver.cards.notation import Token
from solver.errors import UsageError
from solver.rules.score import SEAT_NAMES, both_sing
from solver.rules.words import ANY_CARD, SILENT, SYNONYMS, seated
from solver.tree.build import HandGame
from solver.tree.model import DECISION, REVEAL, SHOW
from solver.tree.reading import Edge, edge_at, edge_with, edges_of, node_at

NOT_SUNG = (
    "The hand after both have sung is not stored: a single refusal restores the ordinary hand, so singing cannot "
    "change its value between two players (G5)."
)
Longs = NDArray[np.int64]
#: texts of this many ways are kept while histories are written: a walk has fewer nodes above it
KEPT = 64


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the tree with all public knowledge.

    node    node of the tree; board: index of the cards laid
    lead    rank of the last trick's lead once it is shown, or -1
    path    edges walked from the root, each with the board and lead before it
    over    nothing is left to do: a bet was folded to, or the last card has been laid below a reveal
    """

    node: int
    board: int = 0
    lead: int = -1
    path: tuple[tuple[int, int, int], ...] = ()
    over: bool = False


def word_edge(game: HandGame, node: int, word: str) -> Edge | None:
    """Edge of a node with this word or one that means the same."""
    return edge_with(game.tree, node, word, SYNONYMS.get(word, word))


def take(game: HandGame, point: Point, edge: Edge, board: int | None = None, lead: int | None = None) -> Point:
    """The point after an edge."""
    return Point(
        edge.child,
        point.board if board is None else board,
        point.lead if lead is None else lead,
        (*point.path, (edge.number, point.board, point.lead)),
        edge.word == "fold",
    )


def seat_at(game: HandGame, point: Point) -> int:
    """Who decides at a point, or lays his last card there."""
    node = node_at(game.tree, point.node)
    return node.player if node.kind == DECISION else node.leader if node.kind == REVEAL else 1 - node.leader


def play_card(game: HandGame, point: Point, rank: int) -> Point | None:
    """The point after laying a card here without a word, or None where no card can be laid."""
    node = node_at(game.tree, point.node)
    if node.kind == SHOW:
        return Point(point.node, point.board, point.lead, point.path, over=True)
    for edge in edges_of(game.tree, point.node):
        if node.kind == REVEAL:
            return take(game, point, edge, lead=rank)
        if edge.linked:
            space = game.spaces[node_at(game.tree, edge.child).space]
            boards = np.flatnonzero((space.parent_board == point.board) & (space.card == rank))
            if len(boards):
                return take(game, point, edge, board=int(boards[0]))
    return None


def silence(game: HandGame, point: Point) -> Point | None:
    """The point after saying nothing, or None where that is no choice of its own."""
    edge = edge_with(game.tree, point.node, SILENT)
    return None if edge is None else take(game, point, edge)


def apply(game: HandGame, point: Point, token: Token) -> Point | None:
    """The point after one token, silences before it included; None when it does not fit."""
    at: Point | None = point
    while at is not None and not at.over:
        if token.word in game.rules.ranks:
            after = play_card(game, at, game.rules.ranks.index(token.word))
            if after is not None:
                return after if token.seat in (None, seat_at(game, at)) else None
        elif token.seat in (None, seat_at(game, at)):
            edge = word_edge(game, at.node, token.word)
            if edge is not None:
                return take(game, at, edge)
        at = silence(game, at)
    return None


def walk(game: HandGame, tokens: Sequence[Token]) -> Point:
    """The point after a history; UsageError names the first token that breaks the rules, its place and what fits."""
    point = Point(0)
    laid = [0] * len(game.rules.ranks)
    for token in tokens:
        if token.word in game.rules.ranks:
            laid[game.rules.ranks.index(token.word)] += 1
            check_copies(game, laid, token)
        if token.word == "refuse" and point == Point(0) and singing_left_out(game):
            continue
        after = apply(game, point, token)
        if after is None:
            if token.word == "sing" and point == Point(0) and singing_left_out(game):
                raise UsageError(NOT_SUNG)
            raise UsageError(f"The history breaks the rules at position {token.position}: {misfit(game, point, token)}")
        point = after
    return point


def misfit(game: HandGame, point: Point, token: Token) -> str:
    """Why a token does not fit at a point, and what would."""
    allowed = ", ".join(choices(game, point)) or "nothing: the hand is over"
    other = None if token.seat is None else apply(game, point, replace(token, seat=1 - token.seat))
    if other is None or token.seat is None:
        return f"'{token.word}' cannot come here; allowed is {allowed}."
    given, right = (seated(seat, token.word) for seat in (token.seat, 1 - token.seat))
    may, may_not = SEAT_NAMES[1 - token.seat], SEAT_NAMES[token.seat]
    return f"'{given}' cannot come here: the {may} may do this, the {may_not} may not; allowed is {right}."


def singing_left_out(game: HandGame) -> bool:
    """Whether this is a hand with chanter whose singing is not in the tree (G5)."""
    return game.rules.chanter == "theorem" and both_sing(game.rules, game.score)


def check_copies(game: HandGame, laid: Sequence[int], token: Token) -> None:
    """UsageError when more cards of a rank were laid than the deck has."""
    rank = game.rules.ranks.index(token.word)
    if laid[rank] > game.rules.copies[rank]:
        raise UsageError(
            f"The history breaks the rules at position {token.position}: this is the {laid[rank]}th '{token.word}', "
            f"the deck has {game.rules.copies[rank]}."
        )


def choices(game: HandGame, point: Point) -> list[str]:
    """Everything that can be said or laid at a point, silences looked through."""
    words: list[str] = []
    at: Point | None = point
    while at is not None and not at.over:
        words.extend(edge.word for edge in edges_of(game.tree, at.node) if edge.word not in ("", SILENT))
        if play_card(game, at, 0) is not None:
            words.extend(game.rules.ranks)
            break
        at = silence(game, at)
    return list(dict.fromkeys(words))


def spoken(game: HandGame, edge: Edge) -> str:
    """The word of an edge, with its seat where both sides may say it."""
    node = node_at(game.tree, edge.source)
    return seated(node.player, edge.word) if names_seat(game, node.number) else edge.word


def names_seat(game: HandGame, node: int) -> bool:
    """Whether both sides may say the same at a node, each in his own window (U4)."""
    return game.rules.both_speak and edge_with(game.tree, node, SILENT) is not None


def words_of(game: HandGame, path: Sequence[int]) -> list[str]:
    """What was said along a way, every card written ``*``, silence left out."""
    edges = [edge_at(game.tree, number) for number in path]
    return [spoken(game, edge) if edge.word else ANY_CARD for edge in edges if edge.word != SILENT]


def text_of(game: HandGame, point: Point) -> str:
    """The history of a point, as it can be given again."""
    histories = Histories(game)
    return histories.text([number for number, _, _ in point.path], point.board, point.lead)


def cards_laid(game: HandGame, point: Point) -> tuple[list[int], list[int]]:
    """Ranks of the cards that elder and dealer have laid on the way to a point."""
    laid: tuple[list[int], list[int]] = ([], [])
    board = point.board
    for number, _, _ in reversed(point.path):
        edge = edge_at(game.tree, number)
        if edge.linked:
            space = game.spaces[node_at(game.tree, edge.child).space]
            laid[node_at(game.tree, edge.source).player].insert(0, int(space.card[board]))
            board = int(space.parent_board[board])
    if point.lead >= 0:
        laid[node_at(game.tree, point.node).leader].append(point.lead)
    return laid


@dataclass(slots=True)
class Histories:
    """Writes the histories of all boards that a way leads to.

    kept   ways written last, with the texts of their boards and the silences at the end
    """

    game: HandGame
    kept: OrderedDict[tuple[int, ...], tuple[list[str], int]] = field(default_factory=OrderedDict)

    def text(self, path: Sequence[int], board: int, lead: int = -1) -> str:
        """The history that led to a board, and to a lead where one is shown."""
        return self.texts(path)[int(self.places(board, lead))]

    def places(self, board: Longs | int, lead: Longs | int) -> Longs:
        """Where boards and leads stand in ``texts``."""
        return np.where(np.asarray(lead) >= 0, np.asarray(board) * len(self.game.rules.ranks) + lead, board)

    def texts(self, path: Sequence[int]) -> list[str]:
        """The histories of a way, one a board; below a reveal one a board and lead."""
        texts, silences = self.written(tuple(path))
        if not silences:
            return texts
        end = [SILENT] * silences
        return [" ".join(filter(None, [text, *end])) for text in texts]

    def written(self, path: tuple[int, ...]) -> tuple[list[str], int]:
        """The same with the silences at the end counted."""
        if path not in self.kept:
            self.kept[path] = self.extended(*self.written(path[:-1]), path[-1]) if path else ([""], 0)
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(path)
        return self.kept[path]

    def extended(self, texts: list[str], silences: int, number: int) -> tuple[list[str], int]:
        """The histories one edge on."""
        edge, ranks = edge_at(self.game.tree, number), self.game.rules.ranks
        if edge.word == SILENT:
            return texts, silences + 1
        if edge.word:
            return [f"{text} {spoken(self.game, edge)}".strip() for text in texts], 0
        if not edge.linked:
            return [f"{text} {rank}".strip() for text in texts for rank in ranks], 0
        space = self.game.spaces[node_at(self.game.tree, edge.child).space]
        pairs = zip(space.parent_board.tolist(), space.card.tolist(), strict=True)
        return [f"{texts[board]} {ranks[card]}".strip() for board, card in pairs], 0
