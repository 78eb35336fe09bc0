"""The sequence-form linear program of von Stengel 1996, solved by HiGHS.

A sequence is the list of a player's own choices on the way to a node. With realisation weights x, y over
sequences the payoff is x'Ay, and max over x of min over y is one linear program of the size of the game. Each
player's program is built and solved by itself; by duality the two values must agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack

from .extensive import Chance, Game, InfoSet, Node, Number, Terminal


@dataclass
class Sequences:
    """One player's sequences (0 is the empty one) and information sets (rows; row 0 fixes the empty one)."""

    number: dict[tuple[InfoSet, str], int] = field(default_factory=dict)
    parent: dict[InfoSet, int] = field(default_factory=dict)
    actions: dict[InfoSet, tuple[str, ...]] = field(default_factory=dict)

    def enter(self, infoset: InfoSet, actions: tuple[str, ...], last: int) -> list[int]:
        """The sequence numbers of an information set's actions, reached by own sequence `last`.

        Raises:
            ValueError: the player has forgotten a choice of his own, or the actions differ.
        """
        if infoset not in self.parent:
            self.parent[infoset] = last
            self.actions[infoset] = actions
            for action in actions:
                self.number[infoset, action] = len(self.number) + 1
        if self.parent[infoset] != last or self.actions[infoset] != actions:
            raise ValueError(f"imperfect recall or unequal actions at {infoset}")
        return [self.number[infoset, action] for action in actions]

    @property
    def count(self) -> int:
        """How many sequences, the empty one included."""
        return len(self.number) + 1

    def constraints(self) -> csr_array:
        """E of E x = (1, 0, 0, ...): the weights leaving an information set sum to the weight entering it."""
        rows, columns, entries = [0], [0], [1.0]
        for row, (infoset, parent) in enumerate(self.parent.items(), start=1):
            numbers = [self.number[infoset, action] for action in self.actions[infoset]]
            rows += [row] * (len(numbers) + 1)
            columns += [parent, *numbers]
            entries += [-1.0] + [1.0] * len(numbers)
        return csr_array(coo_array((entries, (rows, columns)), shape=(len(self.parent) + 1, self.count)))

    def behaviour(self, realisation: np.ndarray) -> dict[InfoSet, dict[str, Number]]:
        """Realisation weights to frequencies; where the player never comes (weight below 1e-12), uniform."""
        strategy: dict[InfoSet, dict[str, Number]] = {}
        for infoset, actions in self.actions.items():
            weights = [max(float(realisation[self.number[infoset, action]]), 0.0) for action in actions]
            total = sum(weights)
            share = [w / total for w in weights] if total > 1e-12 else [1.0 / len(actions)] * len(actions)
            strategy[infoset] = dict(zip(actions, share, strict=True))
        return strategy


@dataclass(frozen=True)
class Solution:
    """An optimal pair.

    Attributes:
        values: seat 0's value by seat 0's program and by seat 1's program.
        profile: optimal behaviour of both seats.
        sequences, infosets: sizes for seats 0 and 1.
        nonzeros: entries of the payoff matrix.
        seconds: time to build, and to solve each program.
    """

    values: tuple[float, float]
    profile: dict[InfoSet, dict[str, Number]]
    sequences: tuple[int, int]
    infosets: tuple[int, int]
    nonzeros: int
    seconds: tuple[float, float, float]

    @property
    def value(self) -> float:
        """Seat 0's value, the mean of the two programs."""
        return sum(self.values) / 2


def solve(game: Game, method: str = "highs-ds") -> Solution:
    """Solve both players' programs of a game.

    Raises:
        RuntimeError: HiGHS does not report an optimum.
    """
    start = perf_counter()
    sequences, payoff = payoff_matrix(game)
    scale = float(abs(payoff).max()) if payoff.nnz else 1.0
    payoff = payoff / scale
    own, other = (side.constraints() for side in sequences)
    built = perf_counter()
    value0, plan0 = _maximise(payoff, own, other, method)
    half = perf_counter()
    value1, plan1 = _maximise(csr_array(-payoff.T), other, own, method)
    done = perf_counter()
    unit = scale / game.total
    return Solution(
        values=(value0 * unit, -value1 * unit),
        profile=sequences[0].behaviour(plan0) | sequences[1].behaviour(plan1),
        sequences=(sequences[0].count, sequences[1].count),
        infosets=(len(sequences[0].parent), len(sequences[1].parent)),
        nonzeros=payoff.nnz,
        seconds=(built - start, half - built, done - half),
    )


def payoff_matrix(game: Game) -> tuple[tuple[Sequences, Sequences], csr_array]:
    """A[s0, s1] = sum of deal weight * later chance * payoff to seat 0 over the leaves s0 and s1 lead to."""
    sequences = (Sequences(), Sequences())
    sums: dict[tuple[int, int], Number] = {}

    def walk(node: Node, weight: Number, last: tuple[int, int]) -> None:
        if isinstance(node, Terminal):
            if node.payoff:
                sums[last] = sums.get(last, 0) + weight * node.payoff
        elif isinstance(node, Chance):
            total = sum(share for share, _ in node.branches)
            for share, child in node.branches:
                walk(child, weight * share / total, last)
        else:
            seat = node.infoset.seat
            numbers = sequences[seat].enter(node.infoset, node.actions, last[seat])
            for number, child in zip(numbers, node.children, strict=True):
                walk(child, weight, (number, last[1]) if seat == 0 else (last[0], number))

    for deal in game.deals:
        walk(deal.root, deal.weight, (0, 0))
    keys = [key for key, entry in sums.items() if entry]
    entries = [float(sums[key]) for key in keys]
    where = ([key[0] for key in keys], [key[1] for key in keys])
    shape = (sequences[0].count, sequences[1].count)
    return sequences, csr_array(coo_array((entries, where), shape=shape))


def _maximise(payoff: csr_array, own: csr_array, other: csr_array, method: str) -> tuple[float, np.ndarray]:
    """max q[0] with own x = e, x >= 0, other' q <= payoff' x: x secures q[0] against every answer."""
    plans, rows = payoff.shape[0], other.shape[0]
    objective = np.zeros(plans + rows)
    objective[plans] = -1.0
    answers = csr_array(hstack([-payoff.T, other.T]))
    flow = csr_array(hstack([own, csr_array((own.shape[0], rows))]))
    start = np.zeros(own.shape[0])
    start[0] = 1.0
    bounds = [(0.0, None)] * plans + [(None, None)] * rows
    tolerances = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(
        objective,
        A_ub=answers,
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=flow,
        b_eq=start,
        bounds=bounds,
        method=method,
        options=tolerances,
    )
    if found.status != 0:
        raise RuntimeError(f"HiGHS found no optimum: {found.message}")
    return -float(found.fun), found.x[:plans]
