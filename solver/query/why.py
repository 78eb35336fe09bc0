"""Why a hand does what it does: chances to win, what folding costs, what the other side holds by now.

Chances to win are of the hand, not of the match, both sides playing the solution; a hand won by nobody counts as not
won. A chance "if called" is among the deals and hands that call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import HAND_SIZE, state_numbers
from solver.cards.notation import parse_hand
from solver.query.advise import SEATS, Advice, advice_of, point_after, row_of
from solver.query.decisions import BETS
from solver.query.point import Spot, board_weights, trace, view, whole_hands
from solver.query.stats import classes
from solver.strategy.solution import Solution
from solver.tree.boards import LEADER_WINS, NOBODY, TIE, hand_winner
from solver.tree.build import HandGame
from solver.tree.history import Point, edge_of_word, take
from solver.tree.machine import WORD, WORDS
from solver.tree.model import LEAF, N_CLASSES, SHOW, PublicTree

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """A class of the other side's hands: how likely by now, and how likely by the cards alone that were laid."""

    hand_class: str
    share: float
    dealt: float


@dataclass(frozen=True, slots=True)
class Called:
    """A bet of one's own: how often it is folded to, and the chance to win the hand if not (None: never)."""

    word: str
    folds: float
    wins: float | None


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons of one decision.

    wins        chance to win the hand after each action, None where the other side never comes here
    called      own bets; fold_costs: what folding loses against the best action, None where nobody asks
    other       elder or dealer; bet: what the other side has just said, "" if nothing
    held        the other side's hands by class, strongest classes first
    """

    advice: Advice
    wins: dict[str, float | None]
    called: list[Called]
    fold_costs: float | None
    other: str
    bet: str
    held: list[Share]


def why(solution: Solution, hand: str, history: str = "") -> Why:
    """The reasons for what a hand does after a history; UsageError as for ``advise``."""
    game = solution.game
    cards, point = parse_hand(game.rules, hand), point_after(game, history)
    seen = view(solution, point)
    row = row_of(game, point, seen, cards)
    advice = advice_of(solution, seen, row)
    paid = replace(solution, game=replace(game, tree=winning_tree(game, seen.seat)))
    won = view(paid, point)
    wins = {one.action: chance(won.ev[row, won.actions.index(one.action)]) for one in advice.actions}
    spot = trace(solution, point)
    dealt = other_hands(solution, spot, point, seen.seat, cards)
    called = [bet_of(solution, point, one.action, dealt, wins) for one in advice.actions if one.action in BETS]
    folding = [one.loss for one in advice.actions if one.action == "fold"]
    costs = folding[0] if folding and folding[0] == folding[0] else None
    held = shares(solution, spot, 1 - seen.seat, dealt)
    return Why(advice, wins, called, costs, SEATS[1 - seen.seat], last_bet(game, point), held)


def chance(number: float) -> float | None:
    """A probability without rounding errors, None for NaN."""
    return min(max(float(number), 0.0), 1.0) if number == number else None


def last_bet(game: HandGame, point: Point) -> str:
    """The bet that waits for an answer at a point, "" if none does."""
    word = int(game.tree.word[point.path[-1][0]]) if point.path else -1
    return WORDS[word] if word >= 0 and WORDS[word] in BETS else ""


def other_hands(solution: Solution, spot: Spot, point: Point, seat: int, cards: tuple[int, ...]) -> Doubles:
    """How likely every state of the other side is by the cards alone, given one's own hand and what was laid."""
    own = np.flatnonzero((whole_hands(solution, spot, seat) == np.array(cards, np.int8)).all(axis=1))
    tree, weights = solution.game.tree, board_weights(solution, spot, seat)
    dealt = np.array(weights[int(own[0])], np.float64)
    if point.lead >= 0 and seat != tree.leader[spot.node]:
        dealt[np.arange(len(dealt)) != point.lead] = 0.0
    return dealt


def shares(solution: Solution, spot: Spot, other: int, dealt: Doubles) -> list[Share]:
    """The other side's hands by class; none where it never comes here."""
    rules = solution.game.rules
    kinds, numbers = classes(rules), state_numbers(HAND_SIZE, len(rules.ranks))
    hands = [numbers[tuple(hand)] for hand in whole_hands(solution, spot, other).tolist()]
    here = dealt * spot.reach[other]
    if not here.sum() > 0:
        return []
    of, size = kinds.of[hands], len(kinds.names)
    now, before = (np.bincount(of, weights=one / one.sum(), minlength=size) for one in (here, dealt))
    return [Share(name, float(now[k]), float(before[k])) for k, name in enumerate(kinds.names) if before[k] > 0]


def bet_of(solution: Solution, point: Point, word: str, dealt: Doubles, wins: dict[str, float | None]) -> Called:
    """What comes of one's own bet."""
    game = solution.game
    asked = take(game, point, edge_of_word(game, point.node, word))
    folded = take(game, asked, edge_of_word(game, asked.node, "fold"))
    other = int(game.tree.player[asked.node])
    masses = [float((dealt * trace(solution, one).reach[other]).sum()) for one in (asked, folded)]
    folds = masses[1] / masses[0] if masses[0] > 0 else 0.0
    overall = wins[word]
    if overall is None or folds > 1.0 - 1e-9:
        return Called(word, folds, None)
    return Called(word, folds, chance((overall - folds) / (1.0 - folds)))


def winning_tree(game: HandGame, seat: int) -> PublicTree:
    """The tree in which a hand won by ``seat`` pays him one, and anything else nothing."""
    tree = game.tree
    sign, payoff = (1.0 if seat == 0 else -1.0), np.zeros_like(tree.payoff)
    parent = np.zeros(len(tree.kind), np.int64)
    above = np.zeros(len(tree.kind), np.int64)
    parent[tree.child] = np.repeat(np.arange(len(tree.kind)), np.diff(tree.edges))
    above[tree.child] = tree.word
    given_up = np.isin(above, (WORD["fold"], WORD["pass"]))
    for node in np.flatnonzero((tree.kind == LEAF) | (tree.kind == SHOW)).tolist():
        giver = int(tree.player[parent[node]])
        winners = [1 - giver] * N_CLASSES if given_up[node] else winners_at(game, node)
        payoff[node] = [sign * (winner == seat) for winner in winners]
    return tree._replace(payoff=payoff, table=np.full_like(tree.table, -1))


def winners_at(game: HandGame, node: int) -> list[int]:
    """Who wins the hand at its end, for each class of the follower's last card (K6)."""
    space, leader = game.spaces[game.tree.space[node]], int(game.tree.leader[node])
    if game.tree.kind[node] == LEAF:
        found = [space.winner] * N_CLASSES
    else:
        last = [leader if c == LEADER_WINS else NOBODY if c == TIE else 1 - leader for c in range(N_CLASSES)]
        found = [hand_winner((*space.tricks, winner)) for winner in last]
    return [0 if winner == NOBODY and game.rules.all_tied == "elder" else winner for winner in found]
