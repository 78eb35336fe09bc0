"""Games whose answer is known from elsewhere or is arithmetic, solved by the kernels that solve Truc."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cfr.average import average_behaviour
from solver.tree.model import tree_size
from tests.games.hand_made import HandMade, bluff, kuhn, leduc
from tests.games.solving import solved
from tests.reference import poker
from tests.reference.extensive import Game, size

LEDUC = -0.085606424078


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "sapcfr+"])
def test_kuhn(algorithm: str) -> None:
    found, _ = solved(kuhn(), 1e-4, algorithm)
    assert found.value == pytest.approx(-1 / 18, abs=1e-4)
    assert -found.best_response[1] - 1e-12 <= -1 / 18 <= found.best_response[0] + 1e-12


def test_leduc() -> None:
    found, _ = solved(leduc(), 1e-4)
    assert found.value == pytest.approx(LEDUC, abs=1e-5)
    assert -found.best_response[1] - 1e-12 <= LEDUC <= found.best_response[0] + 1e-12


@pytest.mark.parametrize(("made", "game"), [(kuhn(), poker.kuhn()), (leduc(), poker.leduc())], ids=["kuhn", "leduc"])
def test_the_arrays_have_the_sizes_of_the_explicit_games(made: HandMade, game: Game) -> None:
    counted, explicit = tree_size(made.tree), size(game)
    assert (counted.infosets, counted.sequences) == (sum(explicit.infosets), sum(explicit.sequences) - 2)


@pytest.mark.parametrize("forced", [False, True])
def test_a_bluff_is_arithmetic(forced: bool) -> None:
    found, sweeper = solved(bluff(forced), 1e-5)
    assert found.value == pytest.approx(0.5, abs=1e-5)
    check, bet = average_behaviour(sweeper.tree, sweeper.average, 0)
    fold, call = average_behaviour(sweeper.tree, sweeper.average, 2)
    np.testing.assert_allclose(bet, [1.0, 0.5], atol=2e-4)
    np.testing.assert_allclose([check[1], fold[0], call[0]], 0.5, atol=2e-4)
    assert not forced or check[0] == 0.0
