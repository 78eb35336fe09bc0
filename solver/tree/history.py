"""Walking the public tree by what was said and played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.cards.notation import Token
from solver.errors import UsageError
from solver.rules.kinds import hand_kind
from solver.tree.build import HandGame
from solver.tree.machine import WORD, WORDS
from solver.tree.model import CHANCE, DECISION, REVEAL, SHOW

NOT_SUNG = (
    "The hand after both have sung is not stored: a single refusal restores the ordinary hand, so singing cannot "
    "change its value between two players (G5); --set chanter=full models it on three ranks."
)
SAME = {"see": ("see", "call"), "call": ("call", "see")}


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


def edge_of_word(game: HandGame, node: int, word: str) -> int:
    """Edge of a node with this word, or -1."""
    for edge in range(game.tree.edges[node], game.tree.edges[node + 1]):
        if game.tree.word[edge] >= 0 and WORDS[game.tree.word[edge]] in SAME.get(word, (word,)):
            return edge
    return -1


def take(game: HandGame, point: Point, edge: int, board: int | None = None, lead: int | None = None) -> Point:
    """The point after an edge."""
    step = (edge, point.board, point.lead)
    after = Point(
        int(game.tree.child[edge]),
        point.board if board is None else board,
        point.lead if lead is None else lead,
        (*point.path, step),
        bool(game.tree.word[edge] == WORD["fold"]),
    )
    if game.tree.kind[after.node] == CHANCE:  # new cards are dealt and nobody speaks (T9)
        return take(game, after, int(game.tree.edges[after.node]))
    return after


def play_card(game: HandGame, point: Point, rank: int) -> Point | None:
    """The point after laying a card here without a word, or None where no card can be laid."""
    tree = game.tree
    node = point.node
    if tree.kind[node] == REVEAL:
        return take(game, point, int(tree.edges[node]), lead=rank)
    if tree.kind[node] == SHOW:
        return Point(node, point.board, point.lead, point.path, over=True)
    for edge in range(tree.edges[node], tree.edges[node + 1]):
        if tree.link[edge] >= 0 and tree.word[edge] < 0:
            space = game.spaces[tree.space[tree.child[edge]]]
            found = np.flatnonzero((space.parent_board == point.board) & (space.card == rank))
            if len(found):
                return take(game, point, edge, board=int(found[0]))
    return None


def silence(game: HandGame, point: Point) -> Point | None:
    """The point after saying nothing, or None where that is no choice of its own; cards are kept unseen (G5)."""
    if game.tree.kind[point.node] != DECISION:
        return None
    if game.spaces[game.tree.space[point.node]].sizes is not None:
        return take(game, point, int(game.tree.edges[point.node]))
    edge = edge_of_word(game, point.node, "silent")
    return None if edge < 0 else take(game, point, edge)


def apply(game: HandGame, point: Point, token: Token) -> Point | None:
    """The point after one token, silences before it included; None when it does not fit."""
    ranks = game.rules.ranks
    while point is not None and not point.over:
        tree, node = game.tree, point.node
        decides = tree.kind[node] == DECISION
        if token.word in ranks:
            after = play_card(game, point, ranks.index(token.word))
            if after is not None:
                return after
        elif decides and token.seat in (None, int(tree.player[node])):
            edge = edge_of_word(game, node, token.word)
            if edge >= 0:
                return take(game, point, edge)
        quiet = silence(game, point)
        if quiet is None:
            return None
        point = quiet
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
            allowed = ", ".join(choices(game, point)) or "nothing: the hand is over"
            raise UsageError(
                f"The history breaks the rules at position {token.position}: '{token.word}' cannot come here; "
                f"allowed is {allowed}."
            )
        point = after
    return point


def singing_left_out(game: HandGame) -> bool:
    """Whether this is a hand with chanter whose singing is not in the tree (G5)."""
    return hand_kind(game.rules, game.score).name == "chanter" and game.rules.chanter == "theorem"


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
    found: list[str] = []
    at: Point | None = point
    while at is not None and not at.over:
        tree, node = game.tree, at.node
        words = tree.word[tree.edges[node] : tree.edges[node + 1]].tolist()
        found.extend(WORDS[word] for word in words if word >= 0 and word != WORD["silent"])
        if play_card(game, at, 0) is not None or tree.kind[node] in (REVEAL, SHOW):
            found.extend(game.rules.ranks)
            break
        at = silence(game, at)
    return list(dict.fromkeys(found))
