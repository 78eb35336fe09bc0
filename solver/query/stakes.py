"""What a bet puts at risk and what it gains when it is folded to, in the unit of the payoffs."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.tree.machine import WORD, WORDS
from solver.tree.model import LEAF, N_CLASSES, SHOW, PublicTree


@dataclass(slots=True)
class Stakes:
    """Payoffs of one side along the shortest ways through the tree."""

    tree: PublicTree
    side: int
    quiet: dict[int, float] = field(default_factory=dict)

    def most_folds(self, node: int, answer: int) -> float:
        """Share of folds at which a bet with a lost hand neither wins nor loses: risk / (risk + gain).

        Gain is the payoff after a fold less that of giving up here (not betting and losing the hand; after a bet,
        folding to it); risk is that of giving up less that of being called and losing. NaN where nothing is at stake.
        """
        lost = self.after_fold(node) if self.edge_of(node, "fold") >= 0 else self.lost(node)
        worse = self.lost(int(self.tree.child[self.edge_of(answer, "call", "see")]))
        risk, gain = lost - worse, self.after_fold(answer) - lost
        return risk / (risk + gain) if risk + gain > 0 else float("nan")

    def after_fold(self, node: int) -> float:
        """The side's payoff when the player of this node folds."""
        return self.signed(float(self.tree.payoff[self.tree.child[self.edge_of(node, "fold")], 0]))

    def signed(self, payoff: float) -> float:
        """The side's payoff, from the elder's."""
        return payoff if self.side == 0 else -payoff

    def edge_of(self, node: int, *words: str) -> int:
        """The first edge of a node with one of the words, or -1."""
        for edge in range(self.tree.edges[node], self.tree.edges[node + 1]):
            if self.tree.word[edge] >= 0 and WORDS[self.tree.word[edge]] in words:
                return edge
        return -1

    def lost(self, node: int) -> float:
        """The side's least payoff below a node when nothing more is said."""
        tree = self.tree
        if node not in self.quiet:
            if tree.kind[node] in (LEAF, SHOW):
                payoffs = tree.payoff[node, : 1 if tree.kind[node] == LEAF else N_CLASSES]
                self.quiet[node] = min(self.signed(float(payoff)) for payoff in payoffs)
            else:
                edges = range(tree.edges[node], tree.edges[node + 1])
                silent = [edge for edge in edges if tree.word[edge] in (-1, WORD["silent"])]
                self.quiet[node] = min(self.lost(int(tree.child[edge])) for edge in silent)
        return self.quiet[node]
