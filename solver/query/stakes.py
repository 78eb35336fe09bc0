"""What a bet puts at risk and what it gains when it is folded to, in the unit of the payoffs."""

from __future__ import annotations

from dataclasses import dataclass

from solver.rules.words import SEEN
from solver.tree.build import HandGame
from solver.tree.reading import edge_with, outcomes_of


@dataclass(frozen=True, slots=True)
class Stakes:
    """Payoffs of one side where nothing more is said."""

    game: HandGame
    side: int

    def most_folds(self, node: int, answer: int) -> float:
        """Share of folds at which a bet with a lost hand neither wins nor loses: risk / (risk + gain).

        Gain is the payoff after a fold less that of giving up here (not betting and losing the hand; after a bet,
        folding to it); risk is that of giving up less that of being called and losing. NaN where nothing is at stake.
        """
        lost = self.after_fold(node) if edge_with(self.game.tree, node, "fold") else self.lost(node)
        called = edge_with(self.game.tree, answer, *SEEN)
        assert called is not None, "a bet can be called"
        risk, gain = lost - self.lost(called.child), self.after_fold(answer) - lost
        return risk / (risk + gain) if risk + gain > 0 else float("nan")

    def after_fold(self, node: int) -> float:
        """The side's payoff when the player of this node folds."""
        fold = edge_with(self.game.tree, node, "fold")
        assert fold is not None, "a bet can be folded to"
        return self.signed(float(self.game.worth[outcomes_of(self.game.tree, fold.child)[0]]))

    def lost(self, node: int) -> float:
        """The side's payoff when the other takes what is at stake at a node."""
        return self.signed(self.game.worth_of(1 - self.side, self.game.amount_at(node)))

    def signed(self, payoff: float) -> float:
        """The side's payoff, from the elder's."""
        return payoff if self.side == 0 else -payoff
