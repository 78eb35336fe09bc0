"""The judge against plain recursion over the explicit game, and against a best responder that peeks."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from solver.evaluate import best_response
from solver.evaluate.best_response import Evaluation, Pass, evaluate
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.tree.build import HandGame, build_game
from solver.tree.model import lanes
from solver.tree.reading import Node
from solver.tree.utility import points_utility
from tests.cfr.textbook import poker_slots
from tests.evaluate.explicit import Doubles, all_slots, flat_behaviour, profile, random_mass, reader
from tests.games.hand_made import HandMade, kuhn, leduc
from tests.reference import brute, poker
from tests.reference.extensive import Game, InfoSet, Number, infosets
from tests.reference.refereed import refereed

HANDS = [
    ("truc", "0-0", "ranks=3 copies=3,2,2 ladder=1,2 remainder=off"),
    ("truc", "9-10", "ranks=2 copies=4 remainder=both counter_raise=true"),
    ("truc", "0-0", "ranks=3 copies=3,2,2 ladder=1,2 remainder=off free_fold=true lead_after_tie=rotter"),
    ("truc-lanes", "7-9", "ranks=2 copies=3,4 all_tied=elder"),
    ("truc", "0-0", "ranks=2 copies=7,5 ladder=1,2 remainder=off all_tied=elder"),
    ("trut", "0.0-0.0", "ranks=3 copies=3,2,2"),
    ("trut-brelan", "0.0-0.0", "ranks=3 copies=3,3,2 trut_window=own_turn"),
    ("trut-gatine", "0.0-0.0", "ranks=879 copies=3,2,2 labels=true"),
    ("trut-gatine", "0.0-0.2", "ranks=3 copies=4,3,2 tout_pate=0"),
    ("trut", "6.2-1.0", "ranks=3 copies=4,3,2"),
]


@cache
def both(name: str, score: str, options: str, merged: bool) -> tuple[HandGame, Game]:
    """The public tree and the explicit game of one hand."""
    rules = catalogue.load(name, dict(option.split("=") for option in options.split()))
    at = parse_score(rules, score)
    return build_game(rules, at, points_utility(rules, at), "points", merged), refereed(rules, at)


@cache
def judged_twice(
    hand: tuple[str, str, str], merged: bool, seed: int | None
) -> tuple[Doubles, dict[InfoSet, dict[str, Number]], Evaluation]:
    """A strategy over the slots, the same over the information sets, and what the judge says of it."""
    game, explicit = both(*hand, merged)
    mass = np.zeros(game.tree.n_slots, np.float32) if seed is None else random_mass(game.tree, seed)
    values = flat_behaviour(game.tree, mass)
    found = evaluate(game.tree, game.worth, reader(game.tree, values))
    return values, profile(all_slots(game, explicit), values), found


def check_against_recursion(explicit: Game, played: dict[InfoSet, dict[str, Number]], found: Evaluation) -> None:
    assert found.value == pytest.approx(float(brute.expected_value(explicit, played)), abs=1e-12)
    for seat in (0, 1):
        response = brute.best_response(explicit, seat, played)
        assert found.best_response[seat] == pytest.approx(float(response.value), abs=1e-12)
    assert min(found.gains) > -1e-12


@pytest.mark.parametrize(("seed", "merged"), [(None, True), (1, True), (1, False)])
@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_value_and_best_responses_are_those_of_plain_recursion(
    hand: tuple[str, str, str], seed: int | None, merged: bool
) -> None:
    _, explicit = both(*hand, merged)
    _, played, found = judged_twice(hand, merged, seed)
    check_against_recursion(explicit, played, found)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("made", "explicit"), [(kuhn(), poker.kuhn()), (leduc(), poker.leduc())], ids=["kuhn", "leduc"]
)
def test_poker_is_judged_as_by_plain_recursion(made: HandMade, explicit: Game, seed: int) -> None:
    """Leduc has what no hand of cards has: a CHANCE node in the middle."""
    values = flat_behaviour(made.tree, random_mass(made.tree, seed))
    places = {key: poker_slots(made.tree, key, actions) for key, actions in infosets(explicit).items()}
    found = evaluate(made.tree, made.worth, reader(made.tree, values))
    check_against_recursion(explicit, profile(places, values), found)


def peeking(game: HandGame, values: Doubles, side: int) -> float:
    """A best responder with a fault: he knows which hand the other side was dealt, one walk for each of them."""
    tree, total, others = game.tree, 0.0, lanes(game.tree, 0, 1 - side)
    for hand in range(others):
        reach = np.zeros(others)
        reach[hand] = 1.0
        total += float(Pass(tree, game.worth, reader(tree, values), side, best=True).walk(0, reach).sum())
    return total


@pytest.mark.parametrize("hand", HANDS[:4] + HANDS[5:7], ids=str)
def test_a_peeking_best_responder_gets_strictly_more(hand: tuple[str, str, str]) -> None:
    """If the judge peeked, it would give the second number; the explicit game says what that is."""
    game, explicit = both(*hand, True)
    values, played, found = judged_twice(hand, True, 1)
    for seat in (0, 1):
        too_good = peeking(game, values, seat)
        assert too_good > found.best_response[seat] + 1e-3
        assert too_good == pytest.approx(float(brute.peeking_best_response(explicit, seat, played)), abs=1e-12)


class Careless(Pass):
    """A best responder who throws away something at every leaf."""

    def leaf(self, node: Node, reach: Doubles) -> Doubles:
        value = super().leaf(node, reach)
        return value - 1.0 if self.best else value


def test_a_best_response_below_the_strategy_it_answers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = both(*HANDS[0], True)
    values = flat_behaviour(game.tree, random_mass(game.tree, 5))
    monkeypatch.setattr(best_response, "Pass", Careless)
    with pytest.raises(FloatingPointError, match="worth less than the strategy it answers"):
        evaluate(game.tree, game.worth, reader(game.tree, values))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("slot", [0, -1])
def test_a_strategy_that_is_no_number_is_an_error(slot: int) -> None:
    game, _ = both(*HANDS[0], True)
    values = flat_behaviour(game.tree, random_mass(game.tree, 5))
    values[slot] = np.nan
    with pytest.raises(FloatingPointError):
        evaluate(game.tree, game.worth, reader(game.tree, values))


def test_the_words_of_an_evaluation() -> None:
    found = Evaluation(0.25, (0.5, 0.125))
    assert found.gains == (0.25, 0.375)
    assert found.nash_conv == 0.625
    assert found.exploitability == 0.3125
