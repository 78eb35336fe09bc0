"""The scores of a match: all of them, in an order in which everything is known in time, and what they lead to."""

from __future__ import annotations

import pytest

from solver.match.plan import BUDGET, SHRINK, STRETCH, allowance, make_plan
from solver.match.scores import all_scores, dependencies, groups, next_scores, visits
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import start_score

PRESETS = ["truc", "truc-lanes", "trut", "trut-gatine"]
SMALL = {
    "truc": {"ranks": "3", "target": "4"},
    "trut-mini": {"target": "2"},
    "trut-gatine-mini": {"target": "2"},
}


@pytest.fixture(params=PRESETS)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return catalogue.load(request.param)


def test_every_score_is_in_one_group(rules: RuleSet) -> None:
    listed = [score for group in groups(rules) for score in group]
    assert len(listed) == len(set(listed)) == (144 if rules.tokens == "points" else 441)
    assert set(listed) == set(all_scores(rules))


def test_T11_U10_a_group_is_a_score_and_the_same_with_the_seats_exchanged(rules: RuleSet) -> None:
    for group in groups(rules):
        assert {score.swapped() for score in group} == set(group)


def test_everything_comes_after_what_it_depends_on(rules: RuleSet) -> None:
    seen: set[object] = set()
    for group in groups(rules):
        assert set(dependencies(rules, group)) <= seen
        assert group not in dependencies(rules, group)
        seen.add(group)


def test_guessed_chances_are_chances(rules: RuleSet) -> None:
    scores = set(all_scores(rules))
    for score in scores:
        found = next_scores(rules, score)
        assert all(chance > 0 for chance, _ in found)
        assert sum(chance for chance, _ in found) < 1 + 1e-12
        assert {then for _, then in found} <= scores
    share = visits(rules)
    assert share[start_score(rules)] == 1.0
    assert all(0 < one <= 1 for one in share.values())


@pytest.mark.parametrize("preset", SMALL)
def test_the_plan_adds_up_to_the_target(preset: str) -> None:
    rules = catalogue.load(preset, SMALL[preset])
    for target in (0.01, 0.0005):
        plan = make_plan(rules, target)
        assert plan.gap[start_score(rules)] == pytest.approx(2 * BUDGET * target, rel=0.05)
        assert all(effort > 0 for effort in plan.effort.values())
    looser, finer = make_plan(rules, 0.01), make_plan(rules, 0.0005)
    assert sum(finer.effort.values()) > sum(looser.effort.values())


def test_what_later_scores_left_over_goes_to_the_one_before() -> None:
    assert allowance(1e-4, 1e-3, 8e-4) == pytest.approx(1e-4)
    assert allowance(1e-4, 1e-3, 7e-4) > 1e-4
    assert allowance(1e-4, 1e-3, 9e-4) < 1e-4
    assert allowance(1e-4, 1e-3, 0.0) == pytest.approx(1e-4 * STRETCH)
    assert allowance(1e-4, 1e-3, 2e-3) == pytest.approx(1e-4 / SHRINK)
