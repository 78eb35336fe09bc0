"""Judging a match folder anew: do the stored strategies give the bounds that its equity table claims?

Every row is checked by itself: with the later rows' bounds for what follows the hand, the stored strategies of this
score must not let a best response exceed the row's bound. From the end of the match on, that makes every row a bound of
the whole match. The judge shares no code with the solver, and what it can be off by is bounded and added up.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solver.cfr.solve import reached
from solver.errors import FileError
from solver.evaluate.certificate import error_bound
from solver.match import bounds
from solver.match.record import MATCH, read_record, recorded_rules
from solver.match.scores import Group, dependencies, groups
from solver.match.state import state_folder
from solver.match.tables import StateValue, Values, read_table
from solver.rules.model import RuleSet
from solver.rules.score import Score, format_score, start_score
from solver.strategy import store
from solver.strategy.equity import EQUITY
from solver.strategy.redeals import same_hand_chance
from solver.strategy.solution import Solution
from solver.strategy.verify import verify

#: rounding of the few sums between a judged value and a row of the table
TELLING = 1e-14
#: the value of a row may be off by this much, since the fixed point of drawn hands is found by rounds
SETTLED = 1e-9


@dataclass(frozen=True, slots=True)
class Judged:
    """What a group of scores holds, how far its bounds can be off, and what its states claim wrongly."""

    found: dict[Score, StateValue]
    error: float
    faults: list[str]


@dataclass(frozen=True, slots=True)
class MatchVerdict:
    """What a match folder holds, found again.

    found         value and bounds of every score, from the stored strategies and the rows of the scores that follow
    error_bound   how far each bound of the match can be off, the rounding of every score on the way added up
    faults        a sentence for each claim that does not hold; missing: scores that were not solved
    """

    rules: RuleSet
    found: dict[Score, StateValue]
    error_bound: float
    faults: list[str] = field(default_factory=list)
    missing: list[Score] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every claim holds."""
        return not self.faults

    @property
    def start(self) -> StateValue | None:
        """Value and bounds of the match, None when it was not finished."""
        return self.found.get(start_score(self.rules))

    def told(self) -> dict[str, Any]:
        """The values as they are told: each side's own chance, and between what the match's value lies."""
        start = self.start
        if start is None:
            return dict.fromkeys(("value", "best_response", "nash_conv", "exploitability", "game_value"))
        return {
            "value": start.value,
            "best_response": [start.upper, 1.0 - start.lower],
            "nash_conv": start.gap,
            "exploitability": start.gap / 2.0,
            "game_value": [start.lower - self.error_bound, start.upper + self.error_bound],
        }


def verify_match(folder: Path, watch: Callable[[int, int], None] = lambda done, states: None) -> MatchVerdict:
    """Judge every solved score of a match folder; ``watch`` is told how many of how many are judged.

    FileError when a file is missing, damaged or of other rules.
    """
    rules = recorded_rules(folder)
    rows = read_table(rules, folder / EQUITY)
    solved = [group for group in groups(rules) if all(score in rows for score in group)]
    judged: dict[Group, Judged] = {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:  # numpy lets go of the interpreter
        for group, result in zip(
            solved, pool.map(lambda group: judge_group(folder, rules, group, rows), solved), strict=True
        ):
            judged[group] = result
            watch(sum(map(len, judged)), len(rows))
    found = {score: value for one in judged.values() for score, value in one.found.items()}
    error = added_error(rules, {group: one.error for group, one in judged.items()})
    faults = [fault for score in found for fault in row_faults(rules, score, rows[score], found[score], error)]
    faults += [fault for one in judged.values() for fault in one.faults]
    missing = [score for group in groups(rules) for score in group if score not in found]
    verdict = MatchVerdict(rules, found, error, faults, missing)
    return MatchVerdict(rules, found, error, [*faults, *record_faults(folder, rows, verdict)], missing)


def judge_group(folder: Path, rules: RuleSet, scores: Group, rows: Values) -> Judged:
    """One round of value and bounds from the rows of what follows, drawn hands included, and what the states claim."""
    solutions = {score: store.load(state_folder(folder, rules, score)) for score in scores}
    for score, solution in solutions.items():
        if solution.game.rules.fingerprint != rules.fingerprint or solution.game.score != score:
            raise FileError(f"'{solution.path}' holds another hand than its name says.")
    behaviours = {score: solution.behaviour for score, solution in solutions.items()}
    known = {score: rows[score] for other in dependencies(rules, scores) for score in other}
    group = bounds.Group(rules, scores, behaviours, known)
    here = {score: rows[score] for score in scores}
    lowers, uppers = bounds.best_round(
        group, {score: row.lower for score, row in here.items()}, {score: row.upper for score, row in here.items()}
    )
    values = {score: row.value for score, row in (known | here).items()}
    value = {score: bounds.chance(group, score, None, values) for score in scores}
    error = max(error_bound(solution.game.tree, solution.game.worth) for solution in solutions.values()) + TELLING
    found = {score: StateValue(value[score], lowers[score], uppers[score]) for score in scores}
    return Judged(found, error, [fault for one in solutions.values() for fault in state_faults(one)])


def state_faults(solution: Solution) -> Iterator[str]:
    """What the folder of a state claims of its hand alone and its strategies do not bear out."""
    at = f"At {format_score(solution.game.rules, solution.game.score)}"
    for fault in verify(solution, store.claims(solution), exact=False).faults:
        yield f"{at}: {fault}"


def added_error(rules: RuleSet, errors: dict[Group, float]) -> float:
    """The largest sum of errors along a match: chances weigh what follows with at most one, drawn hands come back."""
    again = 1.0 / (1.0 - min(same_hand_chance(rules), 0.5))
    total: dict[Group, float] = {}
    for group in (group for group in groups(rules) if group in errors):
        later = max((total.get(other, 0.0) for other in dependencies(rules, group)), default=0.0)
        total[group] = (errors[group] + later) * again
    return max(total.values(), default=0.0)


def row_faults(rules: RuleSet, score: Score, row: StateValue, found: StateValue, error: float) -> Iterator[str]:
    """What of a row does not hold."""
    at = f"At {format_score(rules, score)}"
    if found.upper > row.upper + error:
        yield f"{at} the elder's best response wins {found.upper:.9f}, the table allows {row.upper:.9f}."
    if found.lower < row.lower - error:
        yield f"{at} the dealer's best response leaves the elder {found.lower:.9f}, the table claims {row.lower:.9f}."
    if abs(found.value - row.value) > SETTLED + error:
        yield f"{at} the strategies win {found.value:.9f} for the elder, the table claims {row.value:.9f}."
    if not row.lower - error <= row.value <= row.upper + error:
        yield f"{at} the value {row.value:.9f} is not between its bounds {row.lower:.9f} and {row.upper:.9f}."


def record_faults(folder: Path, rows: Values, verdict: MatchVerdict) -> Iterator[str]:
    """What match.json claims of the whole match and the table does not."""
    made = read_record(folder)
    start = rows.get(start_score(verdict.rules))
    if made.get("states_done") != len(verdict.found):
        yield f"{MATCH} claims {made.get('states_done')} solved states, there are {len(verdict.found)}."
    if start is None:
        return
    told = {"value": start.value, "nash_conv": start.gap, "exploitability": start.gap / 2.0}
    for key, value in told.items():
        claimed = made.get(key)
        if not isinstance(claimed, float) or abs(claimed - value) > TELLING:
            yield f"{MATCH} claims the {key} {claimed}, the equity table says {value}."
    if made.get("reached_target") is not reached(start.gap / 2.0, made["target"]):
        yield f"{MATCH} claims that the target was {'' if made.get('reached_target') else 'not '}reached."
