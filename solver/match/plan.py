"""How far each score is solved, so that the bound of the whole match meets its target with the least work.

Everything here is a guess made before anything is solved, from a match whose hands are decided by chance alone; it
shares out the work and tells how long it takes, and enters no result. How well the guess was met so far is seen in the
bounds of the later scores: what they left over or used up goes to the scores before them (``allowance``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from solver.match.bounds import hand_of
from solver.match.scores import (
    all_scores,
    groups,
    next_scores,
    outcomes,
    visits,
)
from solver.rules.kinds import Kind, hand_kind
from solver.rules.model import RuleSet
from solver.rules.score import Amount, Score, award, need

#: part of the target that is planned for; the rest is for what the guess of how hands end misses
BUDGET = 0.9
#: exploitability of a score, at most; at least, as a part of what the hand decides (32-bit averages go no lower)
LOOSEST, TIGHTEST = 0.02, 4e-6
#: an allowance stays within these factors of the plan
SHRINK, STRETCH = 5.0, 2.5
#: measured: exploitability is about this · spread / iterations², for hands with tokens, for each rung of a ladder
#: below what either side needs, for a ladder where one side needs a single point, for hands without bets
TOKEN_HARDNESS, RUNG_HARDNESS, LAST_POINT, NO_BETS = 45.0, 30.0, 8.0, 0.15
#: judging, rounding and writing cost about as much as this many sweeps; the rest of a state as much as so many slots
OTHER_SWEEPS, OTHER_SLOTS = 90.0, 2e7


#: slots of trees met so far, by rules and what shapes the tree
SLOTS: dict[tuple[RuleSet, object], float] = {}


@dataclass(frozen=True, slots=True)
class Plan:
    """Guesses for every score, in chance of winning the match.

    tolerance   exploitability that the hand is to be solved to
    gap         nash_conv of the match from this score on that this adds up to
    effort      work, in slots swept
    """

    tolerance: dict[Score, float]
    gap: dict[Score, float]
    effort: dict[Score, float]


def make_plan(rules: RuleSet, target: float) -> Plan:
    """The plan for a match whose exploitability is to be at most ``target``.

    A hand's exploitability falls as the square of its iterations, so the least work for the sum of all, weighted by how
    often a score is met, has tolerances that grow as (work / visits) to the power 2/3.
    """
    share, spread = visits(rules), spreads(rules)
    work = {
        score: (hand_slots(rules, score) + OTHER_SLOTS / 100.0) * (hardness(rules, score) * spread[score]) ** 0.5
        for score in share
    }
    weight = {score: (work[score] / max(share[score], 1e-4)) ** (2.0 / 3.0) for score in share}
    scale = BUDGET * target / sum(share[score] * weight[score] for score in share)
    tolerance = {score: min(LOOSEST, max(TIGHTEST * spread[score], scale * weight[score])) for score in share}
    gap: dict[Score, float] = {}
    for group in groups(rules):
        for score in group:
            later = sum(chance * gap[then] for chance, then in next_scores(rules, score))
            gap[score] = 2.0 * tolerance[score] + later
    effort = {
        score: (predicted_iterations(rules, score, tolerance[score]) + OTHER_SWEEPS) * hand_slots(rules, score)
        + OTHER_SLOTS
        for score in share
    }
    return Plan(tolerance, gap, effort)


def allowance(planned: float, gap: float, later: float) -> float:
    """Exploitability to solve a hand to, so that with what the later scores bring along the planned gap is met.

    later   expected nash_conv of the match after the hand
    """
    return min(max((gap - later) / 2.0, planned / SHRINK), planned * STRETCH)


def hand_slots(rules: RuleSet, score: Score) -> float:
    """Slots of the hand's tree: what one sweep costs. Scores with the same bets share the tree's shape."""
    kind = hand_kind(rules, score)
    shape = max(need(rules, score)) if kind.name is Kind.LADDER else kind
    if (rules, shape) not in SLOTS:
        SLOTS[rules, shape] = float(hand_of(rules, score).tree.n_slots)
    return SLOTS[rules, shape]


def hardness(rules: RuleSet, score: Score) -> float:
    """Exploitability times the square of the iterations, as a part of what the hand decides."""
    kind = hand_kind(rules, score).name
    if kind is Kind.LADDER:
        if max(need(rules, score)) <= rules.ladder[0]:
            return NO_BETS
        rungs = sum(rung < min(need(rules, score)) for rung in rules.ladder)
        return RUNG_HARDNESS * rungs or LAST_POINT
    return TOKEN_HARDNESS if kind is Kind.ORDINARY and rules.trut_window != "off" else NO_BETS


def predicted_iterations(rules: RuleSet, score: Score, tolerance: float) -> float:
    """Iterations after which a hand meets a tolerance."""
    return float((hardness(rules, score) * spreads(rules)[score] / tolerance) ** 0.5)


@lru_cache(maxsize=8)
def spreads(rules: RuleSet) -> dict[Score, float]:
    """Standard deviation of what a hand leads to, in chance of winning the match, when hands are decided by chance."""
    value: dict[Score, float] = {}
    spread: dict[Score, float] = {}
    for group in groups(rules):
        for score in group:
            found = [(chance, worth(rules, score, end, value)) for chance, *end in outcomes(rules, score)]
            total = sum(chance for chance, _ in found)
            mean = sum(chance * one for chance, one in found) / total
            value[score] = mean
            spread[score] = (sum(chance * (one - mean) ** 2 for chance, one in found) / total) ** 0.5
    assert len(spread) == len(all_scores(rules))
    return spread


def worth(rules: RuleSet, score: Score, end: list[Amount], value: Mapping[Score, float]) -> float:
    """Elder's chance after an end of the hand, by the values guessed so far."""
    winner, amount = end
    after = award(rules, score, int(winner), amount)
    return float(after == 0) if isinstance(after, int) else 1.0 - value[after]
