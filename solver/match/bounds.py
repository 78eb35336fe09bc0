"""The judge of a match: values and bounds of a score from its stored strategies and those of the later scores.

For any strategies of both sides, what a side's best response over the whole match gets bounds the value of the match
from above for that side. It is found by induction from the end: the hand's own best response where the next hands are
worth what best responses get there. No error of one score is added to another's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.evaluate.best_response import Behaviour, Pass
from solver.match.tables import StateValue, Values
from solver.rules.kinds import hand_kind, redealt
from solver.rules.model import RuleSet
from solver.rules.score import Amount, Prize, Score, award
from solver.strategy.redeals import same_hand_chance
from solver.strategy.solution import game_for
from solver.tree.build import HandGame
from solver.tree.utility import Equity, match_utility

#: a guess of a bound is set off by what drawn hands can still add to it, and by a little more
LEAST_MARGIN = 1e-9
#: further rounds bring a bound as near to the fixed point as this part of the gap
NEAR = 2e-3
#: rounds of the linear fixed point of drawn hands: each leaves at most a hundredth
DRAW_ROUNDS = 60

Behaviours = Mapping[Score, Behaviour]
Chances = dict[Score, float]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Group:
    """Scores tied together by drawn hands, the strategies played there, and the values of the later scores."""

    rules: RuleSet
    scores: Sequence[Score]
    behaviours: Behaviours
    known: Values


def worth_with(game: HandGame, equity: Equity, same: Equity | None = None) -> Doubles:
    """What the outcomes of a hand are worth with these chances of the next hands' elders, float64 [outcomes]."""
    utility = match_utility(game.rules, game.score, equity, same)
    if redealt(game.rules, game.score):  # never drawn (G6)
        return game.worth_by(lambda winner, amount: 0.0 if winner is None else utility(winner, amount))
    return game.worth_by(utility)


@lru_cache(maxsize=2)
def hand_of(rules: RuleSet, score: Score) -> HandGame:
    """The hand at a score, to be played for any worth of its outcomes."""
    return game_for(rules, score, lambda winner, amount: 0.0, "match")


def game_with(rules: RuleSet, score: Score, equity: Equity) -> HandGame:
    """The hand at a score played for the match with these chances of the next hands' elders."""
    game = hand_of(rules, score)
    return replace(game, worth=worth_with(game, equity))


def chance(group: Group, score: Score, side: int | None, equity: Chances, same: Chances | None = None) -> float:
    """Elder's chance at a score when the next hands have the chances ``equity``.

    side   None: both play their strategies; 0: the elder answers best; 1: the dealer does
    same   the elder's chance where the same hand is dealt again
    """
    again = None if same is None else same.__getitem__
    game = hand_of(group.rules, score)
    worth = worth_with(game, equity.__getitem__, again)
    value = float(Pass(game.tree, worth, group.behaviours[score], side or 0, best=side is not None).root().sum())
    return -value if side == 1 else value


def expected_gap(rules: RuleSet, score: Score, behaviour: Behaviour, gaps: Mapping[Score, float]) -> float:
    """nash_conv of the match that is to be expected after a hand, when both play these strategies in it."""
    again = hand_kind(rules, score).dealt_again

    def utility(winner: int | None, amount: Amount) -> float:
        after = score if winner is None and again else award(rules, score, winner, amount)
        return 0.0 if isinstance(after, int) else gaps.get(after, 0.0)

    game = hand_of(rules, score)
    return float(Pass(game.tree, game.worth_by(utility), behaviour, 0, best=False).root().sum())


def settle_values(group: Group) -> Chances:
    """Chances of the later scores and of the group under the strategies.

    A hand's chance is linear in that of the hand after a draw, so two points give the line, and a few rounds the fixed
    point of the lines.
    """
    found = {score: known.value for score, known in group.known.items()}
    line = {}
    for score in group.scores:
        low, high = (chance(group, score, None, found | dict.fromkeys(group.scores, x)) for x in (0.0, 1.0))
        line[score] = low, high - low
    found |= dict.fromkeys(group.scores, 0.5)
    for _ in range(DRAW_ROUNDS):
        for score in group.scores:
            constant, slope = line[score]
            found[score] = constant + slope * found[drawn_to(group.rules, score)]
    return found


def drawn_to(rules: RuleSet, score: Score) -> Score:
    """Score after a drawn hand, with the seats of that next hand (T11, U6); the same hand again at U7."""
    if hand_kind(rules, score).dealt_again:
        return score
    after = award(rules, score, None, 1 if rules.tokens == "points" else Prize.LONG)
    return after if after == score else score.swapped()


def settle_bounds(group: Group, values: Chances) -> dict[Score, StateValue]:
    """Chances when one side answers best at every score from here on.

    Drawn hands make this the fixed point of a monotone contraction. A guess that one round does not raise lies above
    the fixed point, and so does the outcome of that round, which is much nearer; so the bounds hold whatever is left
    of the error. One round from the values tells where to guess.
    """
    here, again = {score: values[score] for score in group.scores}, same_hand_chance(group.rules)
    lowers, uppers = best_round(group, here, here)
    margin = LEAST_MARGIN + again / (1.0 - again) * max(uppers[s] - lowers[s] for s in here)
    while True:
        below = {score: max(0.0, lowers[score] - margin) for score in here}
        above = {score: min(1.0, uppers[score] + margin) for score in here}
        lowers, uppers = best_round(group, below, above)
        if margin >= 1.0 or all(uppers[s] <= above[s] and lowers[s] >= below[s] for s in here):
            break
        margin *= 10.0
    left = again * max(above[s] - uppers[s] + lowers[s] - below[s] for s in here)
    while left > NEAR * max(uppers[s] - lowers[s] for s in here) + LEAST_MARGIN:
        lowers, uppers = best_round(group, lowers, uppers)
        left *= again
    return {score: StateValue(values[score], lowers[score], uppers[score]) for score in here}


def best_round(group: Group, lowers: Chances, uppers: Chances) -> tuple[Chances, Chances]:
    """Elder's chances when the dealer, and when the elder answers best, given those of the group after a draw."""
    low = {score: known.lower for score, known in group.known.items()} | lowers
    high = {score: known.upper for score, known in group.known.items()} | uppers
    return (
        {score: chance(group, score, 1, high, low) for score in group.scores},
        {score: chance(group, score, 0, low, high) for score in group.scores},
    )
