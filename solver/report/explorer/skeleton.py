"""The public tree as the page walks it: who acts, what can be said, which boards follow, how a hand ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.cards.hands import HAND_SIZE, multisets
from solver.query.why import winning_tree
from solver.report.colours import COLOURS, PALE_GREY
from solver.report.mixes import BETS, CARD_PLACES
from solver.report.strength import strongest_first
from solver.rules.kinds import hand_kind
from solver.strategy.solution import Solution
from solver.tree.build import HandGame
from solver.tree.history import singing_left_out
from solver.tree.machine import WORD, WORDS
from solver.tree.model import CHANCE, DECISION, LEAF, REVEAL, SHOW

KINDS = {DECISION: "decision", CHANCE: "chance", REVEAL: "reveal", LEAF: "leaf", SHOW: "show"}
#: stakes that are no number of points
MATCH, PETIT, LONG = "match", "petit", "long"
Stake = int | str | None


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
        "bets": list(BETS),
        "nodes": nodes_of(game),
        "edges": [
            [child, word, int(link >= 0)]
            for child, word, link in zip(tree.child.tolist(), tree.word.tolist(), tree.link.tolist(), strict=True)
        ],
        "spaces": [space_of(game, number) for number in range(len(game.spaces))],
        "windows": rules.betting == "trut" and rules.trut_window == "any_time",
        "refusals": singing_left_out(game),
    }


def nodes_of(game: HandGame) -> list[list[Any]]:
    """What is known of every node."""
    tree, kinds = game.tree, list(KINDS)
    wins = [winning_tree(game, seat).payoff for seat in (0, 1)]
    found: list[list[Any]] = []
    for node, (stake, asked) in enumerate(stakes(game)):
        plain = [int(field[node]) for field in (tree.player, tree.leader, tree.space, tree.edges)]
        one: list[Any] = [kinds.index(int(tree.kind[node])), *plain, stake, asked]
        if tree.kind[node] in (LEAF, SHOW):
            winners = [0 if wins[0][node, c] > 0 else 1 if wins[1][node, c] < 0 else 2 for c in range(3)]
            redealt = tree.table[node] >= 0  # three spoiled tricks: new cards (G6)
            pays = [
                None if redealt and (tree.kind[node] == LEAF or c == 1) else round(float(tree.payoff[node, c]), 6)
                for c in range(3)
            ]
            one += [winners, pays]
        found.append(one)
    return found


def space_of(game: HandGame, number: int) -> dict[str, Any]:
    """Boards of a space; ``unseen`` where hands remember cards that were thrown away (T9, G5)."""
    space = game.spaces[number]
    return {
        "tricks": list(space.tricks),
        "parent": space.parent,
        "from": space.parent_board.tolist(),
        "card": space.card.tolist(),
        "unseen": space.memory > 1 or space.sizes is not None,
    }


def stakes(game: HandGame) -> list[tuple[Stake, Stake]]:
    """At every node what the hand is played for, and what it would be if the bet that waits were called.

    Points of the ladder, "petit", "long" or "match"; None: no bet waits.
    """
    tree, first = game.tree, first_stake(game)
    found: list[tuple[Stake, Stake]] = [(first, None)] * len(tree.kind)
    for node in range(len(tree.kind)):
        for edge in range(tree.edges[node], tree.edges[node + 1]):
            word = WORDS[tree.word[edge]] if tree.word[edge] >= 0 else ""
            found[tree.child[edge]] = after_word(game, found[node], word)
    return found


def first_stake(game: HandGame) -> Stake:
    """What a hand is played for before anything is said."""
    kind = hand_kind(game.rules, game.score)
    if kind.name == "ladder":
        return game.rules.ladder[0]
    return {"ordinary": PETIT, "both_fortial": MATCH}.get(kind.name, LONG)


def after_word(game: HandGame, before: tuple[Stake, Stake], word: str) -> tuple[Stake, Stake]:
    """Stake and asked stake after a word (T3 to T5, U2)."""
    stake, asked = before
    if word in ("raise", "rest"):
        held = stake if asked is None else asked  # a raise in answer takes the bet first (T5)
        rungs = [rung for rung in game.rules.ladder if isinstance(held, int) and rung > held]
        return held, (MATCH if word == "rest" else rungs[0])
    if word in BETS and WORD[word] >= WORD["trut"] and word not in ("sing", "redeal") and stake == PETIT:
        return stake, LONG
    return (stake if asked is None else asked, None) if word in ("call", "see") else before


def colours() -> dict[str, str]:
    """Colours of words and of the places of cards in a hand."""
    return {word: COLOURS.get(word, PALE_GREY) for word in (*WORDS, *CARD_PLACES)}


def wanted_words(solution: Solution) -> list[str]:
    """The words that can be said in this hand."""
    return [WORDS[number] for number in np.unique(solution.game.tree.word).tolist() if number >= 0]
