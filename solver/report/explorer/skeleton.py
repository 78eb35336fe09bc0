"""The public tree as the page walks it: who acts, what can be said, which boards follow, how a hand ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.cards.hands import multisets
from solver.report.colours import COLOURS, PALE_GREY
from solver.report.mixes import CARD_PLACES
from solver.report.strength import strongest_first
from solver.rules.kinds import hand_kind
from solver.rules.options import HAND_SIZE
from solver.rules.score import Amount, Prize
from solver.rules.words import PROPOSALS, SEEN, WORDS
from solver.strategy.solution import Solution
from solver.tree.build import HandGame
from solver.tree.history import singing_left_out
from solver.tree.model import DECISION, LEAF, REVEAL, SHOW
from solver.tree.reading import edge_with, edges_of, node_at, outcomes_of

KINDS = {DECISION: "decision", REVEAL: "reveal", LEAF: "leaf", SHOW: "show"}


def skeleton(game: HandGame) -> dict[str, Any]:
    """The tree in lists, for JSON.

    ranks, copies   of the deck, strongest first; order: the number of every hand, strongest first
    kinds, words    what the numbers in nodes and edges stand for; bets: those of the words that are bets
    nodes           a list a node: kind, player, leader, space, first edge, stake, asked, and at the end of a hand the
                    winners and the elder's payoffs by the class of the last card (0 follower loses, 1 ties, 2 wins)
    edges           a list an edge: child, word or -1, whether it leads to other boards
    spaces          winners of the tricks played, and of every board the board it comes from and the card laid last
    windows         whether both sides may say the same words before a card, so that a history must name the seat
    """
    rules, tree = game.rules, game.tree
    hands = multisets(HAND_SIZE, len(rules.ranks)).cards
    return {
        "ranks": list(rules.ranks),
        "copies": list(rules.copies),
        "order": strongest_first(rules, hands).tolist(),
        "kinds": list(KINDS.values()),
        "words": list(WORDS),
        "bets": list(PROPOSALS),
        "nodes": nodes_of(game),
        "edges": [
            [child, word, int(link >= 0)]
            for child, word, link in zip(tree.child.tolist(), tree.word.tolist(), tree.link.tolist(), strict=True)
        ],
        "spaces": [space_of(game, number) for number in range(len(game.spaces))],
        "windows": rules.both_speak,
        "refusals": singing_left_out(game),
    }


def nodes_of(game: HandGame) -> list[list[Any]]:
    """What is known of every node."""
    kinds = list(KINDS)
    made: list[list[Any]] = []
    for number in range(len(game.tree.kind)):
        node = node_at(game.tree, number)
        line: list[Any] = [kinds.index(node.kind), node.player, node.leader, node.space, node.edges.start]
        line += [played_for(game, number), asked(game, number)]
        if node.kind in (LEAF, SHOW):
            ends = outcomes_of(game.tree, number)
            redealt = [node.ties >= 0 and (node.kind == LEAF or c == 1) for c in range(3)]  # new cards (G6)
            winners = [game.outcomes[end].winner for end in ends]
            pays = [round(float(game.worth[end]), 6) for end in ends]
            nobody = [winner is None or again for winner, again in zip(winners, redealt, strict=True)]
            line.append([2 if none else winner for winner, none in zip(winners, nobody, strict=True)])
            line.append([None if again else pay for pay, again in zip(pays, redealt, strict=True)])
        made.append(line)
    return made


def played_for(game: HandGame, node: int) -> Amount:
    """What the hand is played for at a node; with both sides at the fortial its winner wins the match (U7)."""
    if hand_kind(game.rules, game.score).dealt_again:
        return Prize.MATCH
    passed = edge_with(game.tree, node, "pass")
    return game.amount_at(edges_of(game.tree, node)[1].child if passed else node)


def asked(game: HandGame, node: int) -> Amount | None:
    """What the hand would be played for if the bet that waits at a node were called; None: no bet waits."""
    called = edge_with(game.tree, node, *SEEN)
    return None if called is None else game.amount_at(called.child)


def space_of(game: HandGame, number: int) -> dict[str, Any]:
    """Boards of a space."""
    space = game.spaces[number]
    return {
        "tricks": list(space.tricks),
        "parent": space.parent,
        "from": space.parent_board.tolist(),
        "card": space.card.tolist(),
    }


def colours() -> dict[str, str]:
    """Colours of words and of the places of cards in a hand."""
    return {word: COLOURS.get(word, PALE_GREY) for word in (*WORDS, *CARD_PLACES)}


def wanted_words(solution: Solution) -> list[str]:
    """The words that can be said in this hand."""
    return [WORDS[number] for number in np.unique(solution.game.tree.word).tolist() if number >= 0]
