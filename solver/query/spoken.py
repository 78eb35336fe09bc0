"""What was said and laid before a decision, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.cards.notation import Token
from solver.query.decisions import CARD, Decision
from solver.strategy.solution import Solution
from solver.tree.history import walk
from solver.tree.machine import WORD, WORDS
from solver.tree.model import DECISION, REVEAL


def history_of(solution: Solution, decision: Decision, row: int) -> str:
    """The history of a row as `query` reads it; silences are written at the end only."""
    game = solution.game
    tree, ranks = game.tree, game.rules.ranks
    board, words, ended = int(decision.rows.board[row]), list[str](), False
    node = decision.node
    for edge in reversed(decision.path):
        space = game.spaces[tree.space[node]]
        node = int(np.searchsorted(tree.edges, edge, side="right")) - 1
        word = int(tree.word[edge])
        if word == WORD["silent"]:
            words += [] if ended else ["silent"]
            continue
        ended = True
        if tree.kind[node] == REVEAL:
            words.append(ranks[decision.rows.lead[row]])
        elif word >= 0:
            words.append(spoken(solution, node, word))
        elif tree.kind[node] == DECISION:
            words.append(ranks[space.card[board]])
            board = int(space.parent_board[board])
    return " ".join(reversed(words))


def told_history(solution: Solution, tokens: Sequence[Token]) -> str:
    """A history that was given, as it can be given again: a word that both might have said names its seat."""
    game, told = solution.game, list[str]()
    for number, token in enumerate(tokens, 1):
        path = walk(game, tokens[:number]).path if token.word not in (*game.rules.ranks, "silent") else ()
        edge = next((edge for edge, _, _ in reversed(path) if game.tree.word[edge] > WORD["silent"]), -1)
        node = int(np.searchsorted(game.tree.edges, edge, side="right")) - 1
        told.append(token.word if edge < 0 else spoken(solution, node, int(game.tree.word[edge])))
    return " ".join(told)


def words_before(solution: Solution, decision: Decision) -> list[str]:
    """What was said before a decision, every card written ``*``, silence left out; a trut names its seat."""
    tree, words = solution.game.tree, list[str]()
    for edge in decision.path:
        node = int(np.searchsorted(tree.edges, edge, side="right")) - 1
        word = int(tree.word[edge])
        if tree.kind[node] == REVEAL or (word < 0 and tree.kind[node] == DECISION):
            words.append(CARD)
        elif word >= 0 and word != WORD["silent"]:
            words.append(spoken(solution, node, word))
    return words


def spoken(solution: Solution, node: int, word: int) -> str:
    """A word of a history, with the seat where both may say it."""
    tree = solution.game.tree
    rules = solution.game.rules
    windows = rules.betting == "trut" and rules.trut_window == "any_time"
    either = windows and tree.word[tree.edges[node]] == WORD["silent"]
    return f"{'ed'[tree.player[node]]}:{WORDS[word]}" if either else WORDS[word]
