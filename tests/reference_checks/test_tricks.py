"""The bare trick game against the table of K6, and its exact value on small decks."""

from fractions import Fraction

import pytest

from tests.reference import brute, tricks
from tests.reference.extensive import exact
from tests.reference.sequence_form import solve

A, B, T = 0, 1, None


@pytest.mark.parametrize(
    ("won", "winner"),
    [
        ((A, A), A),
        ((A, B, A), A),
        ((A, B, B), B),
        ((A, B, T), A),
        ((A, T), A),
        ((T, A), A),
        ((T, T, A), A),
        ((T, T, T), "nobody"),
        ((A,), None),
        ((T,), None),
        ((A, B), None),
        ((T, T), None),
    ],
)
def test_k6_winner_and_where_the_hand_stops(won: tuple[int | None, ...], winner: int | str | None) -> None:
    assert tricks.hand_winner(won) == winner
    swapped = tuple(None if seat is None else 1 - seat for seat in won)
    assert tricks.hand_winner(swapped) == (1 - winner if isinstance(winner, int) else winner)


@pytest.mark.parametrize(
    ("copies", "rotter_leads", "elder_takes_ties", "value"),
    [
        ((4, 4, 4), False, False, Fraction(-48, 385)),
        ((4, 4, 4), True, False, Fraction(-48, 385)),
        ((4, 4, 4), True, True, Fraction(-39, 385)),
        ((4, 3, 2), False, False, Fraction(-3, 35)),
    ],
)
def test_no_bets_equilibrium_is_exact(
    copies: tuple[int, ...], rotter_leads: bool, elder_takes_ties: bool, value: Fraction
) -> None:
    """The program's answer, rounded to Fractions, is an equilibrium to the last digit: both gains are 0."""
    game = tricks.no_bets(copies, rotter_leads, elder_takes_ties)
    profile = exact(solve(game).profile, 2000)
    assert brute.best_response(game, 0, profile).value == value
    assert brute.best_response(game, 1, profile).value == -value


@pytest.mark.slow
def test_no_bets_full_deck() -> None:
    game = tricks.no_bets((4,) * 8)
    solution = solve(game)
    assert solution.values == pytest.approx((-0.1211368010311,) * 2, abs=1e-12)
    assert float(brute.nash_conv(game, solution.profile)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("copies", [(4, 4, 4), (4, 3, 2)])
def test_forced_cards_change_nothing(copies: tuple[int, ...]) -> None:
    short, long = (solve(tricks.no_bets(copies, skip_forced=skip)) for skip in (True, False))
    assert short.value == pytest.approx(long.value, abs=1e-12)
    assert short.infosets < long.infosets
