"""Kernels that work on eight numbers at a time, against numpy: decks below, of, and above eight ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.cfr.kernels import add_blocks, carry, carry_mapped, carry_own, carry_own_mapped, gather_blocks, leave_out
from solver.cfr.weight_kernels import multiply, reveal_down, reveal_up, show_follower, show_leader, show_ties

Singles = NDArray[np.float32]
BOARDS, FIRST = 3, 2
SIZES = (3, 8, 11)


def some(*shape: int) -> Singles:
    return np.random.default_rng(sum(shape)).uniform(0.1, 1.0, shape).astype(np.float32)


def classes(n: int) -> NDArray[np.int64]:
    """Class of the follower's card (column) against the lead (row)."""
    ranks = np.arange(n)
    return np.asarray(np.sign(ranks[:, None] - ranks) + 1, np.int64)


def close(found: Singles, wanted: NDArray[np.floating]) -> bool:
    return bool(np.allclose(found, wanted.reshape(-1), rtol=2e-6))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("m", [1, 4, 7])
def test_a_product_with_a_vector(n: int, m: int) -> None:
    matrix, vector = some(m, n), some(m)
    work = np.concatenate([vector, np.zeros(n, np.float32)])
    multiply(matrix.reshape(-1), 0, work, 0, np.float32(-2.0), m, n, m)
    assert close(work[m:], -2.0 * (vector @ matrix))


@pytest.mark.parametrize("n", SIZES)
def test_a_reveal_sums_over_the_cards_of_a_class_and_back(n: int) -> None:
    weights, kinds = some(FIRST + BOARDS, n, n), classes(n)
    leads = np.stack([np.where(kinds == kind, weights, np.float32(0.0)) for kind in (0, 2)], axis=2)
    cards = np.ascontiguousarray(leads.transpose(0, 3, 2, 1))
    tied = np.ascontiguousarray(np.diagonal(weights, axis1=1, axis2=2))
    one_hot = np.stack([kinds == kind for kind in range(3)]).astype(np.float64)
    shown = weights[FIRST:].astype(np.float64)

    reach, below = some(BOARDS, n), some(BOARDS, 3, n)
    work = np.concatenate([reach.reshape(-1), np.zeros(3 * BOARDS * n, np.float32)])
    reveal_down(cards.reshape(-1), tied.reshape(-1), FIRST, work, 0, BOARDS * n, n, BOARDS)
    assert close(work[BOARDS * n :], np.einsum("blc,klc,bc->bkl", shown, one_hot, reach))

    work = np.concatenate([below.reshape(-1), np.zeros(BOARDS * n, np.float32)])
    reveal_up(leads.reshape(-1), tied.reshape(-1), FIRST, work, 0, 3 * BOARDS * n, n, BOARDS)
    assert close(work[3 * BOARDS * n :], np.einsum("blc,klc,bkl->bc", shown, one_hot, below))


@pytest.mark.parametrize("n", SIZES)
def test_a_show_pays_each_class(n: int) -> None:
    payoff = np.array([-1.0, 0.5, 2.0], np.float32)
    lose, tie, win = payoff
    mass, reach, share = some(BOARDS, 3, n), some(BOARDS, n), some(BOARDS, n).astype(np.float64)
    prize, before = (-0.75, -2.5), np.zeros(5)  # of one sign, so that no sum is a small difference
    table, shares = -2.5 + 1.75 * share, np.concatenate([before, share.reshape(-1)])

    work = np.concatenate([mass.reshape(-1), np.zeros(BOARDS * n, np.float32)])
    show_leader(lose, tie, win, work, 0, 3 * BOARDS * n, n, BOARDS)
    wanted = np.einsum("k,bkl->bl", payoff, mass)
    assert close(work[3 * BOARDS * n :], wanted)
    show_ties(shares, len(before), prize, np.float32(-1.0), True, work, 0, 3 * BOARDS * n, n, BOARDS)
    assert close(work[3 * BOARDS * n :], wanted - table * mass[:, 1])

    work = np.concatenate([reach.reshape(-1), np.zeros(3 * BOARDS * n, np.float32)])
    show_follower(lose, tie, win, work, 0, BOARDS * n, n, BOARDS)
    wanted = np.einsum("k,bl->bkl", payoff, reach)
    assert close(work[BOARDS * n :], wanted)
    show_ties(shares, len(before), prize, np.float32(1.0), False, work, 0, BOARDS * n, n, BOARDS)
    wanted[:, 1] += table * reach
    assert close(work[BOARDS * n :], wanted)


@pytest.mark.parametrize("floor", [0.0, 0.25])
def test_floors_hold_below_and_stay_out_of_the_average(floor: float) -> None:
    """Five lanes of a child, from the lanes of its parent straight or through a map; the third may not come there."""
    n, least, decay = 5, np.float32(floor), np.float32(0.5)
    strategy = np.array([0.0, 0.1, 0.0, 0.4, 1.0], np.float32)
    reach, before = some(n), some(n + 1)[:n]
    places, base = (np.array([3, 0, 4, 1, 2]) + 7).astype(np.int32), 7
    may = np.array([True, True, False, True, True])
    for parents, linked in ((np.arange(n), False), (places - base, True)):
        played = reach[parents] * strategy
        for owner in (False, True):
            work, average = np.concatenate([reach, np.zeros(n, np.float32)]), before.copy()
            way = (places, 0, base) if linked else ()
            if owner:
                carrier: Any = carry_own_mapped if linked else carry_own
                carrier(strategy, 0, least, average, decay, work, 0, *way, n, n)
                assert close(average, before * decay + played)
            else:
                carrier = carry_mapped if linked else carry
                carrier(strategy, 0, least, work, 0, *way, n, n)
            assert close(work[n:], np.maximum(played, reach[parents] * floor))
            leave_out(may, 0, n, work, n, n)
            assert work[n + 2] == 0.0
            assert close(work[n:], np.where(may, np.maximum(played, reach[parents] * floor), 0.0))


def test_a_reach_that_floors_made_ends_before_numbers_are_subnormal() -> None:
    work = np.array([1e-28, 1e-20, 0.0, 0.0], np.float32)
    carry(np.zeros(2, np.float32), 0, np.float32(1e-4), work, 0, 2, 2)
    assert work[2] == 0.0
    assert work[3] == np.float32(1e-20) * np.float32(1e-4)


@pytest.mark.parametrize("states", SIZES)
def test_whole_boards_are_moved(states: int) -> None:
    """Four boards of the piece above, which begins at board 5; five below it, two of the same parent."""
    parents, base = np.array([5, 7, 7, 8, 6]), 5 * states
    lane_map = (parents[:, None] * states + np.arange(states)).astype(np.int32)
    above, below = some(4, states), some(5, states)
    work = np.concatenate([above.reshape(-1), np.zeros(5 * states, np.float32)])
    gather_blocks(work, 0, lane_map.reshape(-1), 0, base, 4 * states, states, 5)
    assert close(work[4 * states :], above[parents - 5])

    work = np.concatenate([above.reshape(-1), below.reshape(-1)])
    add_blocks(work, 4 * states, lane_map.reshape(-1), 0, base, 0, states, 5)
    wanted = above.astype(np.float64)
    np.add.at(wanted, parents - 5, below)
    assert close(work[: 4 * states], wanted)
