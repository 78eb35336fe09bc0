"""Known values of Kuhn and Leduc poker, exact where possible, and what the program refuses."""

from fractions import Fraction

import pytest

from tests.reference import brute, poker
from tests.reference.extensive import Deal, Decision, Game, InfoSet, Terminal, exact, infosets, size
from tests.reference.sequence_form import solve


def test_kuhn_equilibrium_is_exact() -> None:
    game = poker.kuhn()
    profile = exact(solve(game).profile)
    assert brute.best_response(game, 0, profile).value == Fraction(-1, 18)
    assert brute.best_response(game, 1, profile).value == Fraction(1, 18)


def test_leduc_value_and_size() -> None:
    game = poker.leduc()
    solution = solve(game)
    assert solution.values == pytest.approx((-0.085606424078,) * 2, abs=5e-13)
    assert float(brute.nash_conv(game, solution.profile)) == pytest.approx(0, abs=1e-11)
    assert size(game).infosets == solution.infosets == (144, 144)
    assert size(game).sequences == solution.sequences == (337, 337)


def test_forgetting_is_refused() -> None:
    again = InfoSet(0, "same", ())
    deeper = Decision(again, ("l", "r"), (Terminal(1), Terminal(0)))
    game = Game("forgets", (Deal(1, ((), ()), Decision(again, ("l", "r"), (deeper, Terminal(0)))),))
    with pytest.raises(ValueError, match="imperfect recall"):
        solve(game)


def test_unequal_actions_in_one_set_are_refused() -> None:
    key = InfoSet(1, "pooled", ())
    one = Decision(key, ("l", "r"), (Terminal(1), Terminal(0)))
    two = Decision(key, ("l", "x"), (Terminal(1), Terminal(0)))
    with pytest.raises(ValueError, match="offers"):
        infosets(Game("uneven", (Deal(1, (0, 0), one), Deal(1, (1, 0), two))))
