"""Counterfactual regret minimisation over dictionaries, straight from the papers, for tiny games only.

One iteration t = 1, 2, ... sweeps seat 0, then seat 1 (who already meets seat 0's new strategy). A sweep of a
seat first walks the whole tree with every strategy frozen, collecting at each information set I of that seat
r(I, a) = sum over nodes of (reach of chance and opponent) * (value of a - value of the strategy), and the own
reach; only then are the tables updated:

    average  S <- S * ((t - 1) / t) ** gamma + own reach * strategy
    regret   R <- rule(R, r, t)
    next strategy  proportional to the positive part of R; uniform where there is none

In the first iterations many regrets are exactly 0 in arithmetic and plus or minus a rounding error in
floating point, which would then decide the whole strategy of a set. So regrets up to `NOISE` count as none.
A solver that does not do this may differ there, most visibly on small decks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .extensive import Chance, Decision, Game, InfoSet, Node, Number, Terminal, infosets

Rule = Callable[[float, float, int], float]
Table = dict[InfoSet, dict[str, float]]

NOISE = 1e-12


def plain(regret: float, gain: float, t: int) -> float:
    """CFR: Zinkevich et al. 2007."""
    return regret + gain


def plus(regret: float, gain: float, t: int) -> float:
    """CFR+: Tammelin 2014."""
    return max(regret + gain, 0.0)


def linear(regret: float, gain: float, t: int) -> float:
    """Linear CFR: Brown & Sandholm 2019."""
    return regret * (t - 1) / t + gain


def discounted(regret: float, gain: float, t: int, alpha: float = 1.5, beta: float = 0.0) -> float:
    """DCFR(alpha, beta): Brown & Sandholm 2019, the discount of iteration t taken at t - 1."""
    power: float = float(t - 1) ** (alpha if regret > 0 else beta)
    return regret * power / (power + 1) + gain


@dataclass
class CFR:
    """The tables of one run. `strategy` is the current one, `average_profile()` the one that converges."""

    game: Game
    rule: Rule = plus
    gamma: float = 1.0
    t: int = 0
    regret: Table = field(init=False)
    average: Table = field(init=False)
    strategy: Table = field(init=False)

    def __post_init__(self) -> None:
        actions = infosets(self.game)
        self.regret = {key: dict.fromkeys(choices, 0.0) for key, choices in actions.items()}
        self.average = {key: dict.fromkeys(choices, 0.0) for key, choices in actions.items()}
        self.strategy = {key: dict.fromkeys(choices, 1.0 / len(choices)) for key, choices in actions.items()}

    def run(self, iterations: int) -> CFR:
        """Go on for a number of iterations."""
        for _ in range(iterations):
            self.t += 1
            for seat in (0, 1):
                self.sweep(seat)
        return self

    def sweep(self, seat: int) -> None:
        """Walk with frozen strategies, then update this seat's tables."""
        gains: Table = {key: dict.fromkeys(row, 0.0) for key, row in self.regret.items() if key.seat == seat}
        own: dict[InfoSet, float] = {}
        total = self.game.total
        for deal in self.game.deals:
            self._walk(deal.root, seat, 1.0, deal.weight / total, gains, own)
        for key, gain in gains.items():
            for action, now in self.strategy[key].items():
                kept = self.average[key][action] * ((self.t - 1) / self.t) ** self.gamma
                self.average[key][action] = kept + own[key] * now
                self.regret[key][action] = self.rule(self.regret[key][action], gain[action], self.t)
            self.strategy[key] = _match(self.regret[key])

    def average_profile(self) -> dict[InfoSet, dict[str, Number]]:
        """The average strategy; uniform where its player has never come."""
        return {key: dict(_match(row, 0.0)) for key, row in self.average.items()}

    def _walk(
        self, node: Node, seat: int, mine: float, others: float, gains: Table, own: dict[InfoSet, float]
    ) -> float:
        """The value of a node to `seat` under the current strategies."""
        if isinstance(node, Terminal):
            return float(node.payoff if seat == 0 else -node.payoff)
        if isinstance(node, Chance):
            total = sum(share for share, _ in node.branches)
            value = 0.0
            for share, child in node.branches:
                chance = float(share / total)
                value += chance * self._walk(child, seat, mine, others * chance, gains, own)
            return value
        strategy = self.strategy[node.infoset]
        if node.infoset.seat != seat:
            return sum(
                strategy[action] * self._walk(child, seat, mine, others * strategy[action], gains, own)
                for action, child in zip(node.actions, node.children, strict=True)
            )
        return self._own(node, seat, mine, others, gains, own)

    def _own(
        self, node: Decision, seat: int, mine: float, others: float, gains: Table, own: dict[InfoSet, float]
    ) -> float:
        strategy = self.strategy[node.infoset]
        own[node.infoset] = mine
        worth = {
            action: self._walk(child, seat, mine * strategy[action], others, gains, own)
            for action, child in zip(node.actions, node.children, strict=True)
        }
        value = sum(strategy[action] * worth[action] for action in node.actions)
        for action in node.actions:
            gains[node.infoset][action] += others * (worth[action] - value)
        return value


def _match(row: dict[str, float], noise: float = NOISE) -> dict[str, float]:
    positive = {action: entry if entry > noise else 0.0 for action, entry in row.items()}
    total = sum(positive.values())
    if total == 0:
        return dict.fromkeys(row, 1.0 / len(row))
    return {action: entry / total for action, entry in positive.items()}
