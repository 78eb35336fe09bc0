"""Strategies off the path against linear programmes of the perturbed game.

Floors under the reaches of a run make a perturbed game of the hand: every action comes at least so often. Where only
mistakes lead, what both may hold there is what the floors bring there, and from there on the hand is a game of its own,
with one value, which a linear programme tells. As the floors shrink the strategies of a run come to those values; a
side that is not trained off the path does not.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from solver.cfr import sweeper
from solver.cfr.schedules import schedule
from solver.cfr.sweep_kernels import Singles
from solver.cfr.sweeper import Sweeper
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.solution import game_at
from solver.tree.build import HandGame
from tests.evaluate.explicit import all_slots, flat_behaviour, profile
from tests.reference.brute import expected_value
from tests.reference.extensive import Chance, Deal, Decision, Game, History, Node, Profile
from tests.reference.refereed import refereed
from tests.reference.sequence_form import solve

DECKS = [
    ("truc", "0-0", "ranks=3 copies=3,2,2 ladder=1,2 remainder=off"),
    ("truc", "9-10", "ranks=2 copies=4 remainder=both counter_raise=true"),
    ("trut", "0.0-0.0", "ranks=3 copies=3,2,2"),
]


@cache
def both(name: str, score: str, options: str) -> tuple[HandGame, Game]:
    rules = catalogue.load(name, dict(option.split("=") for option in options.split()))
    at = parse_score(rules, score)
    return game_at(rules, at, "points"), refereed(rules, at)


def from_mistakes_on(explicit: Game, played: Profile, floor: float) -> list[tuple[float, Game]]:
    """The games that begin where mistakes alone lead, each with its weight: how often one, certain, leads there.

    A mistake is an action below the floor. Deals weigh what trembling by the floor makes of them.
    """
    starts: dict[History, list[Deal]] = defaultdict(list)
    ways: dict[History, dict[int, float]] = defaultdict(lambda: defaultdict(float))

    def gather(node: Node, deal: Deal, reach: float, way: tuple[float, int]) -> None:
        if isinstance(node, Chance):
            raise NotImplementedError("the decks of this test have no later chance")
        if isinstance(node, Decision):
            chance = deal.weight / explicit.total
            starts[node.infoset.history].append(Deal(chance * reach, deal.private, node))  # type: ignore[arg-type]
            ways[node.infoset.history][way[1]] += chance * way[0]
            for action, child in zip(node.actions, node.children, strict=True):
                often = float(played[node.infoset][action])
                rare = often < floor
                after = way[0] * (1.0 if rare else often), way[1] + rare
                gather(child, deal, reach * max(often, floor), after)

    for deal in explicit.deals:
        gather(deal.root, deal, 1.0, (1.0, 0))
    found = []
    for history, deals in starts.items():
        if max(ways[history], key=lambda m, w=ways[history]: w[m] * floor**m) == 1:  # type: ignore[misc]
            here = sum(deal.weight for deal in deals)
            parts = tuple(Deal(deal.weight / here, deal.private, deal.root) for deal in deals)  # type: ignore[arg-type]
            found.append((ways[history][1], Game(str(history), parts)))
    return found


def distance(deck: tuple[str, str, str], run: Sweeper, floor: float) -> float:
    """How far a run's values are from the programmes' where one mistake leads, weighted by how often it leads there.

    Every second of these places is looked at.
    """
    game, explicit = both(*deck)
    played = profile(all_slots(game, explicit), flat_behaviour(game.tree, run.average))
    apart, weights = [], []
    for weight, rest in from_mistakes_on(explicit, played, floor)[::2]:
        apart.append(abs(solve(rest).value - float(expected_value(rest, played))))
        weights.append(weight)
    assert len(weights) > 50
    return float(np.average(apart, weights=weights))


class OneSided(Sweeper):
    """A fault in the training: no floors while the elder is trained."""

    untrained = 0

    def sweep(self, side: int, rule: Singles, weights: Singles) -> None:
        super().sweep(side, rule, weights * np.array([1.0, side != self.untrained], np.float32))


class OtherSided(OneSided):
    """The same while the dealer is."""

    untrained = 1


def trained(deck: tuple[str, str, str], kind: type[Sweeper], floor: float, sweeps: int) -> Sweeper:
    """A run with the same floor in every sweep: then the perturbed game is one."""
    game = both(*deck)[0]
    run = kind(game.tree, game.worth, schedule("dcfr"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeper, "MOST_FLOOR", floor)
        run.trembles = 1e9 * floor
        for _ in range(sweeps):
            run.step()
    return run


@pytest.mark.parametrize(("floor", "sweeps"), [(1e-2, 2000), (1e-3, 8000)])
@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_values_behind_a_mistake_are_those_of_the_programmes(
    deck: tuple[str, str, str], floor: float, sweeps: int
) -> None:
    assert distance(deck, trained(deck, Sweeper, floor, sweeps), floor) < 0.01


@pytest.mark.parametrize("kind", [OneSided, OtherSided])
@pytest.mark.parametrize("deck", DECKS[1:2], ids=str)
def test_a_side_that_is_not_trained_off_the_path_is_found(deck: tuple[str, str, str], kind: type[Sweeper]) -> None:
    assert distance(deck, trained(deck, kind, 1e-3, 2000), 1e-3) > 0.04


@pytest.mark.parametrize("deck", DECKS[:1], ids=str)
def test_without_floors_values_behind_a_mistake_are_off(deck: tuple[str, str, str]) -> None:
    assert distance(deck, trained(deck, Sweeper, 0.0, 2000), 1e-3) > 0.04
