"""Every reduced game solved again, and the theorems of the rule book as equal values of different trees."""

import pytest

from tests.reference import brute, games
from tests.reference.extensive import size
from tests.reference.games import Reduced
from tests.reference.refereed import refereed
from tests.reference.sequence_form import solve

ALL = [pytest.param(g, id=g.name, marks=[pytest.mark.slow] if g.slow else []) for g in games.REDUCED]


@pytest.mark.parametrize("reduced", ALL)
def test_the_program_gives_the_listed_value_and_size(reduced: Reduced) -> None:
    """Both programs agree, and the pair they give cannot be gained upon by honest best responses."""
    solution = games.solution(reduced)
    counted = size(games.tree(reduced))
    assert solution.values == pytest.approx((reduced.value,) * 2, abs=2e-12)
    assert solution.infosets == counted.infosets == reduced.infosets
    assert solution.sequences == counted.sequences == reduced.sequences
    for seat, sign in ((0, 1), (1, -1)):
        response = brute.best_response(games.tree(reduced), seat, solution.profile)
        assert float(response.value) == pytest.approx(sign * reduced.value, abs=1e-10)


def test_the_games_reach_every_option_of_a_hand() -> None:
    used = {option for game in games.REDUCED for option in game.settings}
    assert used >= {"copies", "lead_after_tie", "all_tied", "ladder", "alternate_raises", "counter_raise"}
    assert used >= {"free_fold", "redeal", "trut_window", "fortial", "labels", "chanter", "tout_pate"}
    rules = [game.rules for game in games.REDUCED]
    assert {r.remainder for r in rules} == {"initiative", "answer", "both", "off"}
    assert {r.trut_window for r in rules} == {"any_time", "own_turn", "off"}
    assert {r.chanter for r in rules} == {"off", "theorem", "full"}


def value_with(name: str, **options: str) -> float:
    """The value of a listed game with some options changed."""
    game = games.named(name)
    rules = game.rules.with_options(options)
    return solve(refereed(rules, game.at)).value


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("truc free fold", {"free_fold": "no"}),  # T8
        ("truc redeal", {"redeal": "0"}),  # T9
        ("gatine chanter full", {"chanter": "theorem"}),  # G5
        ("truc counter", {"counter_raise": "no"}),  # T4, seen on every deck tried, not proved in the book
        ("trut own turn", {"trut_window": "any_time"}),  # U4, likewise
        ("trut brelan", {"brelan": "no"}),  # U8, likewise
        ("gatine labels", {"labels": "no"}),  # G7, likewise
    ],
    ids=str,
)
def test_options_that_change_the_tree_but_not_the_value(name: str, plain: dict[str, str]) -> None:
    assert value_with(name, **plain) == pytest.approx(games.named(name).value, abs=2e-12)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("truc alternate", {"alternate_raises": "no"}),
        ("truc rest 9-7", {"remainder": "off"}),
        ("truc rest in answer 9-7", {"remainder": "off"}),
        ("truc rotter leads", {"lead_after_tie": "previous_leader"}),
        ("truc elder takes ties", {"all_tied": "none"}),
        ("trut previous leader", {"lead_after_tie": "rotter"}),
        ("gatine dealer holds, tout pate", {"tout_pate": "0"}),
    ],
    ids=str,
)
def test_options_that_change_the_value(name: str, plain: dict[str, str]) -> None:
    assert abs(value_with(name, **plain) - games.named(name).value) > 1e-4
