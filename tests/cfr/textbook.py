"""Predictive CFR over dictionaries, beside the plain kinds of tests/reference/cfr.py; and poker sets as slots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from solver.tree.model import CHANCE, PublicTree
from tests.reference.cfr import CFR, Table, plus
from tests.reference.extensive import InfoSet


@dataclass
class Predictive(CFR):
    """Next strategy in proportion to max(R · discount(t) + trust · r, 0), R clipped.

    Farina, Kroer & Sandholm 2021; with discounts Xu et al. 2024; with trust 1/3 Meng et al. 2025.

    positive    factor of the old regrets at iteration t
    """

    trust: float = 1.0
    positive: Callable[[int], float] = lambda t: 1.0
    discount: Callable[[int], float] = lambda t: 1.0
    basis: Table = field(default_factory=dict)

    def sweep(self, seat: int) -> None:
        """The same walk; regrets and the basis of the next strategy are made from what it gathers."""
        before = {key: dict(row) for key, row in self.regret.items() if key.seat == seat}
        self.rule = lambda regret, gain, t: regret + gain  # leaves the bare gains in the table
        self.regret |= {key: dict.fromkeys(row, 0.0) for key, row in before.items()}
        super().sweep(seat)
        for key, row in before.items():
            gains = self.regret[key]
            self.regret[key] = {a: plus(row[a] * self.positive(self.t), gains[a], self.t) for a in row}
            self.basis[key] = {
                a: max(self.regret[key][a] * self.discount(self.t) + self.trust * gains[a], 0.0) for a in row
            }
            total = sum(self.basis[key].values())
            even = 1.0 / len(row)
            self.strategy[key] = {a: self.basis[key][a] / total if total > 0 else even for a in row}


def poker_slots(tree: PublicTree, key: InfoSet, actions: tuple[str, ...]) -> dict[str, int]:
    """Slots of a set of Kuhn or Leduc; edges stand in the order fold or check, call, bet or raise."""
    node, board = 0, 0
    for seat, word in key.history:
        if seat == 2:
            board = int(word)
            continue
        node = int(tree.child[edge_of(tree, node, word)])
        if tree.kind[node] == CHANCE:
            node = int(tree.child[tree.edges[node]])
    assert tree.player[node] == key.seat
    assert isinstance(key.private, int)
    lane = board * int(tree.states[tree.space[node], key.seat]) + key.private
    return {action: int(tree.slot[edge_of(tree, node, action)]) + lane for action in actions}


def edge_of(tree: PublicTree, node: int, word: str) -> int:
    first, last = int(tree.edges[node]), int(tree.edges[node + 1]) - 1
    return {"fold": first, "check": first, "call": first + 1, "bet": last, "raise": last}[word]
