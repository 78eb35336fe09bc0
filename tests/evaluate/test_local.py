"""Local exploitability against plain recursion over the explicit game, and against planted faults."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest

from solver.cards.notation import Token
from solver.evaluate import local
from solver.evaluate.local import FLOOR, LocalPass, gains_at, local_exploitability
from solver.tree.history import Point, walk
from solver.tree.reading import Node, node_at
from tests.evaluate.explicit import Doubles, cards_held, lane, reader, state
from tests.evaluate.test_best_response import both, judged_twice
from tests.evaluate.trembling import Local
from tests.reference.extensive import InfoSet

HANDS = [
    ("truc", "0-0", "ranks=3 copies=3,2,2 ladder=1,2 remainder=off"),
    ("truc", "9-10", "ranks=2 copies=4 remainder=both counter_raise=true"),
    ("trut-brelan", "0.0-0.0", "ranks=2 copies=4,3 trut_window=own_turn"),
    ("trut", "6.2-1.0", "ranks=3 copies=3,2,2"),
]


@dataclass(slots=True)
class Noted(LocalPass):
    """A walk that keeps the gains of every node."""

    noted: dict[int, Doubles] = field(default_factory=dict)

    def visit(self, node: Node, gain: Doubles, own: Doubles, mass: Doubles) -> None:
        LocalPass.visit(self, node, gain, own, mass)
        self.noted[node.number] = local.shared(gain, mass[0])


@cache
def slow(hand: tuple[str, str, str], merged: bool) -> tuple[Local, Local]:
    """The gains of both seats by plain recursion."""
    _, played, _ = judged_twice(hand, merged, 1)
    explicit = both(*hand, merged)[1]
    return Local(explicit, 0, played, FLOOR), Local(explicit, 1, played, FLOOR)


def place_of(hand: tuple[str, str, str], merged: bool, key: InfoSet) -> tuple[Point, int]:
    """Point and lane of an information set."""
    game = both(*hand, merged)[0]
    point = walk(game, [Token(seat, word, place) for place, (seat, word) in enumerate(key.history)])
    return point, lane(game, point.node, point.board, state(game, point, key, cards_held(game, key)))


def walked(hand: tuple[str, str, str], merged: bool, side: int) -> dict[int, Doubles]:
    """The judge's gains of one side, by node."""
    game, values = both(*hand, merged)[0], judged_twice(hand, merged, 1)[0]
    noting = Noted(game.tree, game.worth, reader(game.tree, values), side, True)
    noting.run()
    return noting.noted


def largest_difference(hand: tuple[str, str, str], merged: bool) -> float:
    """Of all gains, between the judge and plain recursion."""
    worst, count = 0.0, 0
    for side, plain in enumerate(slow(hand, merged)):
        found = walked(hand, merged, side)
        for key, gain in plain.gain.items():
            point, number = place_of(hand, merged, key)
            worst, count = max(worst, abs(float(found[point.node][number]) - gain)), count + 1
    assert count > 50
    return worst


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_every_gain_is_that_of_plain_recursion(hand: tuple[str, str, str], merged: bool) -> None:
    assert largest_difference(hand, merged) < 1e-9


@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_largest_and_mean_are_those_of_plain_recursion(hand: tuple[str, str, str]) -> None:
    """On the tree that lays the third trick card by card: the other pools the follower's cards in classes."""
    game, values = both(*hand, False)[0], judged_twice(hand, False, 1)[0]
    found = local_exploitability(game.tree, game.worth, reader(game.tree, values))
    weight, total = np.zeros(3), np.zeros(3)
    states: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for plain in slow(hand, False):
        for key, gain in plain.gain.items():
            usual = plain.usual(key)
            if usual <= 2:
                weight[usual] += plain.ways[key][usual]
                total[usual] += plain.ways[key][usual] * gain
            point, _ = place_of(hand, False, key)
            here = sum(chance * FLOOR**m for m, chance in plain.ways[key].items())
            states[point.node, point.board][0] += here * gain
            states[point.node, point.board][1] += here
    assert found.mean == pytest.approx(total.sum() / weight.sum(), rel=1e-9)
    for m in range(3):
        assert found.by_mistakes[m][0] == pytest.approx(total[m] / weight[m] if weight[m] else 0.0, rel=1e-9)
    assert found.largest == pytest.approx(max(part / whole for part, whole in states.values()), rel=1e-9)
    part, whole = states[found.where[:2]]
    assert part / whole == pytest.approx(found.largest, rel=1e-9)


@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_the_gains_of_one_point_are_those_of_the_whole_walk(hand: tuple[str, str, str]) -> None:
    game, values = both(*hand, True)[0], judged_twice(hand, True, 1)[0]
    keys = [key for plain in slow(hand, True) for key in plain.gain]
    every = [walked(hand, True, side) for side in (0, 1)]
    points = {point.node: point for point, _ in (place_of(hand, True, key) for key in keys)}
    for point in list(points.values())[::3]:
        side = node_at(game.tree, point.node).player
        path = [number for number, _, _ in point.path]
        gains, public = gains_at(game.tree, game.worth, reader(game.tree, values), path, side)
        np.testing.assert_allclose(gains, every[side][point.node], atol=1e-12)
        assert public.min() >= -1e-12
        assert public.max() <= gains.max() + 1e-12


def forgets_the_floor(self: LocalPass, edge: object, above: Doubles, sigma: Doubles) -> Doubles:
    """A judge who does not let anybody tremble."""
    return above * sigma


def best_at_the_root_only(best: Doubles, played: Doubles) -> Doubles:
    """A judge who counts a loss at half."""
    return (best - played) / 2.0


@pytest.mark.parametrize(
    ("place", "fault"), [((LocalPass, "trembled"), forgets_the_floor), ((local, "difference"), best_at_the_root_only)]
)
def test_a_fault_in_the_judge_is_found(
    monkeypatch: pytest.MonkeyPatch, place: tuple[object, str], fault: object
) -> None:
    monkeypatch.setattr(*place, fault)
    assert largest_difference(HANDS[0], True) > 1e-3
