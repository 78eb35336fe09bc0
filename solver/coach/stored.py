"""What a stored solution says about a moment of a hand that the referee plays."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache

from solver.cards.notation import format_hand
from solver.cfr.solve import INTERRUPT, Limits
from solver.coach.replay import hand_of, on_the_table, redeals
from solver.query.advise import Advice, Choice, advise
from solver.rules.model import RuleSet
from solver.rules.options import MIN_RANKS
from solver.rules.referee import Position, stub_deals
from solver.rules.score import DEALER, Score
from solver.rules.words import SILENT, seated
from solver.strategy.redeals import Deck, Redeals, redeal_values, win_or_lose
from solver.strategy.run import Task
from solver.strategy.solution import Solution, solve_game
from solver.tree.build import build_game

#: exploitability, in chance of winning the long, of a hand after tout pâté, which is solved when it comes (G6)
REDEALT_TARGET = 1e-3


def solution_at(solution: Solution, position: Position) -> Solution | None:
    """The solution that tells what to do here: that of the hand, or of the hand of cards only after tout pâté (G6).

    None where the side that acts has no choice.
    """
    if len(position.legal) < 2:
        return None
    return redealt_solution(position) if redeals(position) else solution


def advice_at(solution: Solution, position: Position) -> Advice | None:
    """Advice for the side that has to act, None where there is none; after tout pâté values are chances of the long."""
    source = solution_at(solution, position)
    if source is None or position.to_act is None:
        return None
    here = on_the_table(position.table) if redeals(position) else len(position.history)
    history = position.history[len(position.history) - here :]
    labels = [position.rules.ranks[card] for card in hand_of(position.table, position.to_act)]
    hand = tuple(source.game.rules.ranks.index(label) for label in labels)
    text = " ".join(seated(seat, word) for seat, word in history)
    told = as_played(advise(source, format_hand(source.game.rules, hand), text), position)
    return shifted(told, 1.0) if redeals(position) and position.to_act == DEALER else told


def shifted(advice: Advice, by: float) -> Advice:
    """The advice with all values raised: the tree pays the dealer the elder's chance, negative; told is his own."""
    choices = [replace(one, ev=one.ev + by) for one in advice.actions]
    then = None if advice.then is None else shifted(advice.then, by)
    return replace(advice, value=advice.value + by, actions=choices, then=then)


def as_played(advice: Advice, position: Position) -> Advice:
    """The advice in the referee's words: where the last card may be bet on, saying nothing is laying it."""
    if SILENT in position.legal:
        return advice
    card = next((word for word in position.legal if word in position.rules.ranks), SILENT)
    choices = [replace(one, action=card) if one.action == SILENT else one for one in advice.actions]
    return replace(advice, actions=choices, then=None)


def best_choice(advice: Advice) -> Choice:
    """The action worth most; where nothing is known of worth, the one the solution takes most often."""
    known = [one for one in advice.actions if one.ev == one.ev]
    return max(known or advice.actions, key=lambda one: (one.ev if known else 0.0, one.frequency))


def redealt_solution(position: Position) -> Solution | None:
    """The hand of cards only that follows three rotten tricks, solved; None where every card is forced to rot."""
    rules, before = position.rules, len(position.history) - on_the_table(position.table)
    gone = Counter(word for _, word in position.history[:before] if word in rules.ranks)
    deck = tuple(copies - gone[label] for label, copies in zip(rules.ranks, rules.copies, strict=True))
    return solve_deck(rules, deck, stub_deals(rules) - redeals(position))


@lru_cache(maxsize=8)
def solve_deck(rules: RuleSet, deck: Deck, left: int) -> Solution | None:
    """The cards-only hand on a deck with so many of each rank, and redeals that may follow it."""
    labels = tuple(label for label, copies in zip(rules.ranks, deck, strict=True) if copies)
    if len(labels) < MIN_RANKS:
        return None
    copies = tuple(n for n in deck if n)
    plain = replace(Redeals(rules).rules, ranks=labels, copies=copies)
    after = redeal_values(rules).after_tie(copies, left)
    game = build_game(plain, Score((0, 0), (0, 0)), win_or_lose, "points", tie_share=after)
    solution = solve_game(game, Task(limits=Limits(REDEALT_TARGET, 4000)))
    if solution.facts["reason"] == INTERRUPT:
        raise KeyboardInterrupt
    return solution
