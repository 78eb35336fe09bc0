"""Small trees that together have every kind of node, and how long their vectors are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.tree.build import HandGame, build_game
from solver.tree.model import PublicTree
from solver.tree.utility import points_utility
from tests.games.hand_made import leduc

Doubles = NDArray[np.float64]


class Read(NamedTuple):
    """A tree, what its outcomes are worth, and the hand of cards it belongs to, if any."""

    tree: PublicTree
    worth: Doubles
    game: HandGame | None


def share(hand: tuple[int, ...]) -> float:
    """Any chance that differs from hand to hand (G6)."""
    return 0.03 + sum(rank * 0.1**place for place, rank in enumerate(hand, 1))


def built(name: str, score: str, merged: bool = True, **options: str) -> Read:
    rules = catalogue.load(name, options)
    at = parse_score(rules, score)
    ties = share if rules.tout_pate else None
    game = build_game(rules, at, points_utility(rules, at), "points", merged, ties)
    return Read(game.tree, game.worth, game)


MAKERS: dict[str, Callable[[], Read]] = {
    "truc": lambda: built("truc", "10-7", ranks="2", copies="4,3", remainder="both"),
    "labels": lambda: built("trut-gatine", "0.0-0.0", ranks="879", copies="3,3,2", labels="true", tout_pate="0"),
    "new cards": lambda: built("trut-gatine", "0.0-0.2", ranks="3", copies="5"),
    "new cards, card by card": lambda: built("trut-gatine", "0.0-0.2", merged=False, ranks="3", copies="5"),
    "leduc": lambda: Read(*leduc(), None),
}


@cache
def made(name: str) -> Read:
    return MAKERS[name]()


@pytest.fixture(params=list(MAKERS))
def hand(request: pytest.FixtureRequest) -> Read:
    return made(str(request.param))


def size(tree: PublicTree, node: int, side: int) -> int:
    return int(tree.boards[tree.space[node]]) * int(tree.states[tree.space[node], side])
