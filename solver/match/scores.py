"""The scores of a match, what a hand can do to them, and the order in which they are solved.

Scores only go forward but for a drawn hand, which exchanges the seats at the same score: (e, d) and (d, e) are solved
together as one group (T11, U6).
"""

from __future__ import annotations

from functools import lru_cache

from solver.rules.kinds import Kind, hand_kind
from solver.rules.model import RuleSet
from solver.rules.score import PETITS_LIMIT, Amount, Prize, Score, award, need, start_score

Outcome = tuple[float, int, Amount]
Group = tuple[Score, ...]

#: guess of how a hand of tokens ends, only used to share out the work: chance of a petit, of a refusal
PETIT_SHARE, PASS_SHARE = 0.65, 0.4


def all_scores(rules: RuleSet) -> list[Score]:
    """Every score at which a hand can be played."""
    petits = range(1 if rules.tokens == "points" else PETITS_LIMIT + 1)
    sides = [(main, petit) for main in range(rules.target) for petit in petits]
    return [Score(elder, dealer) for elder in sides for dealer in sides]


def stakes(rules: RuleSet, score: Score) -> list[int]:
    """Rungs of the ladder that can be at stake at a score (T6)."""
    most = max(need(rules, score))
    return [rung for k, rung in enumerate(rules.ladder) if k == 0 or rules.ladder[k - 1] < most]


def outcomes(rules: RuleSet, score: Score) -> list[Outcome]:
    """What a hand can pay: (guessed chance, winner, amount); drawn hands left out."""
    kind = hand_kind(rules, score)
    if kind.name is Kind.LADDER:
        rungs = stakes(rules, score)
        weights = [0.5**k for k in range(len(rungs))]
        found: list[Outcome] = [
            (w / sum(weights), seat, s) for w, s in zip(weights, rungs, strict=True) for seat in (0, 1)
        ]
        return found if rules.remainder == "off" else [*found, (1e-3, 0, Prize.MATCH), (1e-3, 1, Prize.MATCH)]
    if kind.name is Kind.ORDINARY:
        shares: list[tuple[float, Amount]] = [(PETIT_SHARE, Prize.PETIT), (1.0 - PETIT_SHARE, Prize.LONG)]
        return [(share, seat, amount) for share, amount in shares for seat in (0, 1)]
    if kind.side is not None:
        return [(PASS_SHARE, 1 - kind.side, Prize.PETIT), *((1.0 - PASS_SHARE, seat, Prize.LONG) for seat in (0, 1))]
    return [(1.0, 0, Prize.LONG), (1.0, 1, Prize.LONG)]


def next_scores(rules: RuleSet, score: Score) -> list[tuple[float, Score]]:
    """Scores a hand that is not drawn can lead to, with guessed chances that sum to one with those of the end."""
    found = outcomes(rules, score)
    total = sum(share for share, _, _ in found)
    after = [(share / total, award(rules, score, winner, amount)) for share, winner, amount in found]
    return [(share, then) for share, then in after if isinstance(then, Score)]


def group_of(score: Score) -> Group:
    """The scores tied together by drawn hands, the one with fewer for the elder first."""
    return tuple(sorted({score, score.swapped()}, key=lambda one: (one.elder, one.dealer)))


def groups(rules: RuleSet) -> list[Group]:
    """All groups, each after everything it depends on: depth first over what hands lead to, without recursion."""
    done: dict[Group, bool] = {}
    ordered: list[Group] = []
    for first in map(group_of, all_scores(rules)):
        stack = [first]
        while stack:
            group = stack[-1]
            waiting = [other for other in dependencies(rules, group) if not done.get(other)]
            if waiting and not done.get(group):
                if any(other in stack for other in waiting):
                    raise ValueError(f"scores {group} and {waiting} depend on each other")
                stack.extend(waiting)
                continue
            if not done.get(group):
                done[group] = True
                ordered.append(group)
            stack.pop()
    return ordered


@lru_cache(maxsize=2000)
def dependencies(rules: RuleSet, group: Group) -> tuple[Group, ...]:
    """Groups that hands played in ``group`` lead to."""
    return tuple(dict.fromkeys(group_of(then) for score in group for _, then in next_scores(rules, score)))


def visits(rules: RuleSet) -> dict[Score, float]:
    """Guess of how many hands of a match are played at each score, from 0-0."""
    found = dict.fromkeys(all_scores(rules), 0.0)
    found[start_score(rules)] = 1.0
    for group in reversed(groups(rules)):
        for score in group:
            for share, then in next_scores(rules, score):
                found[then] += found[score] * share
    return found
