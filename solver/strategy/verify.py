"""Judging a solution folder anew: does what it claims hold?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from solver.cards.deals import deal_weights
from solver.cfr.solve import reached
from solver.evaluate.best_response import Evaluation, evaluate
from solver.evaluate.certificate import error_bound
from solver.evaluate.exact import ExactEvaluation, exact_evaluation
from solver.evaluate.local import LocalExploitability, local_exploitability
from solver.rules.model import RuleSet
from solver.strategy.frames import own_responses
from solver.strategy.solution import Solution

#: below this many slots exact values take a few seconds
EXACT_SLOTS = 1_000_000
#: roundings between a judged value and how it is told (own chances, sums, decimal text)
TELLING = 1e-15


@dataclass(frozen=True, slots=True)
class Verdict:
    """The values of the stored strategies, found again, and what of the claim does not hold.

    judged       in double precision; exact: without rounding, None where that was not asked for
    local        what is gained by a best response from any point on
    error_bound  how far each value of the judge can be off; nash_conv by twice as much
    faults       a sentence for each claim that does not hold
    """

    judged: Evaluation
    local: LocalExploitability
    exact: ExactEvaluation | None
    error_bound: float
    faults: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every claim holds."""
        return not self.faults

    def told(self, unit: str) -> dict[str, Any]:
        """The values as they are told: the exact ones where they are known, each side's own payoff."""
        value, responses = self.judged.value, self.judged.best_response
        if self.exact is not None:
            value = float(self.exact.value)
            responses = (float(self.exact.best_response[0]), float(self.exact.best_response[1]))
        nash_conv = responses[0] + responses[1] if self.exact is None else float(self.exact.nash_conv)
        return {
            "value": value,
            "best_response": list(own_responses(responses, unit)),
            "nash_conv": nash_conv,
            "exploitability": nash_conv / 2.0,
            "local_exploitability": {
                "largest": self.local.largest,
                "mean": self.local.mean,
                "by_mistakes": [{"mean": mean, "largest": largest} for mean, largest in self.local.by_mistakes],
            },
            "game_value": [-responses[1] - self.error_bound, responses[0] + self.error_bound],
        }


def verify(solution: Solution, claimed: dict[str, Any], exact: bool | None = None) -> Verdict:
    """Judge the stored strategies again and compare with the claims of run.json.

    exact   also without rounding; None: where it takes no more than a few seconds
    """
    tree, worth = solution.game.tree, solution.game.worth
    judged, bound = evaluate(tree, worth, solution.behaviour), error_bound(tree, worth)
    without = None
    if exact or (exact is None and len(solution.stored) <= EXACT_SLOTS):
        without = exact_evaluation(tree, worth, solution.stored, ways_to_deal(solution.game.rules))
    verdict = Verdict(judged, local_exploitability(tree, worth, solution.behaviour), without, bound)
    faults = [*judge_faults(judged, without, bound), *claim_faults(verdict, claimed, solution.game.unit)]
    return replace(verdict, faults=faults)


def ways_to_deal(rules: RuleSet) -> int:
    """Ways to deal both hands: every weight of the tree is a multiple of one by it."""
    return int(deal_weights(rules).sum())


def judge_faults(judged: Evaluation, exact: ExactEvaluation | None, bound: float) -> list[str]:
    """The judge against the exact values: a difference beyond the bound is a fault of this program."""
    if exact is None:
        return []
    pairs = zip(
        ("value", "best response of the elder", "best response of the dealer"),
        (judged.value, *judged.best_response),
        (exact.value, *exact.best_response),
        strict=True,
    )
    return [
        f"The {name} is {float(true)!r} exactly and {found!r} in double precision, more than {bound:.1e} apart."
        for name, found, true in pairs
        if abs(found - true) > bound
    ]


def claim_faults(verdict: Verdict, claimed: dict[str, Any], unit: str) -> list[str]:
    """What run.json claims and the values do not bear out."""
    true, width = verdict.told(unit), 2.0 * verdict.error_bound + TELLING
    pairs = [
        ("value", claimed["value"], true["value"], width),
        ("best response of the elder", claimed["best_response"][0], true["best_response"][0], width),
        ("best response of the dealer", claimed["best_response"][1], true["best_response"][1], width),
        ("nash_conv", claimed["nash_conv"], true["nash_conv"], 2.0 * width),
        ("exploitability", claimed["exploitability"], true["exploitability"], width),
    ]
    faults = [
        f"The claimed {name} is {told!r}, the stored strategies give {found!r}."
        for name, told, found, most in pairs
        if not abs(float(told) - found) <= most
    ]
    target, least = claimed.get("target"), true["exploitability"] - width
    if claimed.get("reached_target") and target is not None and not reached(least, float(target)):
        faults.append(f"The target {target:g} is claimed to be reached; exploitability is {true['exploitability']:g}.")
    return faults
