"""The best responder judged by trying every pure strategy, and the peeking one shown to be too good."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tests.reference import brute, poker, tricks
from tests.reference.extensive import Deal, Decision, Game, InfoSet, Number, Terminal, infosets, uniform


def drawn(game: Game, seed: int) -> dict[InfoSet, dict[str, Number]]:
    """A random exact profile; about one action in four is never played."""
    random = Random(seed)
    profile: dict[InfoSet, dict[str, Number]] = {}
    for key, actions in infosets(game).items():
        parts = [random.choice((0, 1, 2, 5)) for _ in actions]
        if not any(parts):
            parts[random.randrange(len(parts))] = 1
        profile[key] = {a: Fraction(part, sum(parts)) for a, part in zip(actions, parts, strict=True)}
    return profile


def all_pure(game: Game, seat: int, profile: dict[InfoSet, dict[str, Number]]) -> Number:
    """The best of all pure strategies of `seat`, by trying each of them."""
    own = {key: actions for key, actions in infosets(game).items() if key.seat == seat}
    sign = 1 if seat == 0 else -1
    best: Number = Fraction(-(10**9))
    for picks in product(*own.values()):
        pure = {
            key: {action: Fraction(action == pick) for action in own[key]}
            for key, pick in zip(own, picks, strict=True)
        }
        best = max(best, sign * brute.expected_value(game, {**profile, **pure}))
    return best


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(6))
def test_best_response_is_the_best_of_all_pure_strategies_of_kuhn(seat: int, seed: int) -> None:
    game = poker.kuhn()
    profile = drawn(game, seed)
    assert brute.best_response(game, seat, profile).value == all_pure(game, seat, profile)


def matching_pennies() -> Game:
    """One set of seat 1 that pools both of seat 0's hands; seat 0 has no choice."""

    def tree(hand: int) -> Decision:
        key = InfoSet(1, "nothing seen", ())
        return Decision(key, ("0", "1"), tuple(Terminal(-1 if guess == hand else 1) for guess in (0, 1)))

    return Game("guess", (Deal(3, (0, None), tree(0)), Deal(1, (1, None), tree(1))))


def test_peeking_best_response_wins_every_guess_and_the_honest_one_three_in_four() -> None:
    game = matching_pennies()
    assert brute.best_response(game, 1, uniform(game)).value == Fraction(1, 2)
    assert brute.peeking_best_response(game, 1, uniform(game)) == 1


@pytest.mark.parametrize(
    "game", [poker.kuhn(), poker.leduc(), tricks.no_bets((4, 4, 4))], ids=lambda g: g.name
)
@pytest.mark.parametrize("seat", [0, 1])
def test_peeking_is_strictly_better_and_the_honest_choice_earns_what_it_claims(game: Game, seat: int) -> None:
    profile = drawn(game, 3)
    honest = brute.best_response(game, seat, profile)
    assert isinstance(honest.value, Fraction)
    assert brute.peeking_best_response(game, seat, profile) > honest.value
    pure = {
        key: {action: Fraction(action == honest.choice[key]) for action in actions}
        for key, actions in infosets(game).items()
        if key in honest.choice
    }
    sign = 1 if seat == 0 else -1
    assert sign * brute.expected_value(game, {**profile, **pure}) == honest.value


@pytest.mark.parametrize("copies", [(4, 4, 4), (3, 1, 4), (2, 2, 2)])
def test_without_bets_two_uniform_players_are_even(copies: tuple[int, ...]) -> None:
    """Laying three cards in random order is the same for both seats, whoever leads."""
    game = tricks.no_bets(copies)
    assert brute.expected_value(game, uniform(game)) == 0
