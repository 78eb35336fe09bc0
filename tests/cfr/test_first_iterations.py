"""The first iterations of the kernels against the definitions, worked out over dictionaries in float64.

Kuhn and Leduc have no exact ties in these iterations. On most decks of Truc some regrets are exactly zero in arithmetic
and plus or minus a rounding error in single precision, which then decides a whole strategy; the two decks here are free
of that for two iterations.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from solver.cfr.schedules import SCHEDULES, schedule
from solver.cfr.sweeper import Sweeper
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.tree.build import HandGame, build_game
from solver.tree.model import slot_counts
from solver.tree.utility import points_utility
from tests.cfr.textbook import Predictive, poker_slots
from tests.evaluate.explicit import Slots, all_slots, flat_behaviour
from tests.games.hand_made import HandMade, kuhn, leduc
from tests.reference import cfr, poker
from tests.reference.extensive import Game, infosets
from tests.reference.refereed import refereed


def textbook(game: Game, name: str) -> cfr.CFR:
    """The same rule as a schedule, written out again."""
    gamma = {"cfr": 0.0, "cfr+": 1.0, "linear": 1.0, "pdcfr+": 5.0, "dpcfr+": 3.0}.get(name, 2.0)
    if name in ("cfr", "linear", "dcfr"):
        rule = {"cfr": cfr.plain, "linear": cfr.linear, "dcfr": cfr.discounted}[name]
        return cfr.CFR(game, rule, gamma)
    if name in ("cfr+", "cfr+q"):
        return cfr.CFR(game, cfr.plus, gamma)
    power = {"pdcfr+": 2.3, "dpcfr+": 1.5}.get(name)
    run = Predictive(game, gamma=gamma, trust={"sapcfr+": 1 / 3, "dpcfr+": 0.2}.get(name, 1.0))
    if power is not None:
        run.positive = lambda t: (t - 1) ** power / ((t - 1) ** power + 1)
        run.discount = lambda t: t**power / (t**power + 1)
    return run


def differences(sweeper: Sweeper, run: cfr.CFR, places: Slots) -> tuple[float, float]:
    """Largest difference of regrets and of averages."""
    keys = [(key, action, slot) for key, row in places.items() for action, slot in row.items()]
    slots = [slot for _, _, slot in keys]
    regret = np.array([run.regret[key][action] for key, action, _ in keys])
    average = np.array([run.average[key][action] for key, action, _ in keys])
    return (
        float(np.abs(sweeper.regret[slots] - regret).max()),
        float(np.abs(sweeper.average[slots] - average).max()),
    )


@pytest.mark.parametrize("name", list(SCHEDULES))
@pytest.mark.parametrize(
    ("made", "game", "iterations"), [(kuhn(), poker.kuhn(), 2), (leduc(), poker.leduc(), 4)], ids=["kuhn", "leduc"]
)
def test_poker_tables_are_those_of_the_definition(made: HandMade, game: Game, iterations: int, name: str) -> None:
    sweeper, run = Sweeper(made.tree, made.worth, schedule(name)), textbook(game, name)
    places = {key: poker_slots(made.tree, key, actions) for key, actions in infosets(game).items()}
    for iteration in range(1, iterations + 1):
        sweeper.step()
        run.run(1)
        assert max(differences(sweeper, run, places)) < 1e-5, f"iteration {iteration}"


DECIDED = ["ranks=2 copies=4,3 ladder=1,2 remainder=off", "ranks=2 copies=3,5 ladder=1,2 remainder=off"]


@cache
def truc(options: str, merged: bool) -> tuple[HandGame, Game, Slots]:
    rules = catalogue.load("truc", dict(option.split("=") for option in options.split()))
    score = parse_score(rules, "0-0")
    built = build_game(rules, score, points_utility(rules, score), "points", merged)
    game = refereed(rules, score)
    return built, game, all_slots(built, game)


@pytest.mark.parametrize("name", ["cfr", "cfr+"])
@pytest.mark.parametrize("options", DECIDED)
def test_two_iterations_of_truc_are_those_of_the_definition(options: str, name: str) -> None:
    hand, game, places = truc(options, False)
    sweeper, run = Sweeper(hand.tree, hand.worth, schedule(name)), textbook(game, name)
    for iteration in (1, 2):
        sweeper.step()
        run.run(1)
        assert max(differences(sweeper, run, places)) < 1e-6, f"iteration {iteration}"


@pytest.mark.parametrize("options", DECIDED)
def test_a_merged_third_trick_gives_the_same_tables_above_and_the_same_strategies_below(options: str) -> None:
    """Below a REVEAL a class pools cards, so its regrets are on another scale."""
    hand, game, places = truc(options, True)
    tree = hand.tree
    below = np.flatnonzero(np.repeat(tree.leader >= 0, np.diff(tree.edges)) & (tree.slot >= 0))
    size = slot_counts(tree)
    slots_below = {slot for edge in below for slot in range(tree.slot[edge], tree.slot[edge] + size[edge])}
    sweeper, run = Sweeper(tree, hand.worth, schedule("cfr+")), textbook(game, "cfr+")
    above = {key: row for key, row in places.items() if not slots_below & set(row.values())}
    assert 0 < len(above) < len(places)
    for _ in (1, 2):
        sweeper.step()
        run.run(1)
        assert max(differences(sweeper, run, above)) < 1e-6
    chosen = flat_behaviour(tree, np.maximum(sweeper.regret, 0.0))
    decided = [
        abs(chosen[slot] - run.strategy[key][action])
        for key, row in places.items() if key not in above and max(run.regret[key].values()) > 1e-4
        for action, slot in row.items()
    ]  # fmt: skip
    assert len(decided) > 10
    assert max(decided) < 1e-3
