"""One decision of a strategy, as all that reads strategies gets it: who acts, with what, and what each hand does.

Rows of a decision are (what was laid, own hand). Below the reveal of the last lead the tree knows a follower by the
class of his card; here he has his card again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.tree.reading import Node

Doubles = NDArray[np.float64]
Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Way:
    """What is carried down to a node.

    own      reach of the side, [cells]; other: of the other side, [lanes of the other]
    honest   which whole hands of the elder and of the dealer may have said what they said; None: all
    cards    below a reveal, weights of the last two cards [boards, lead, follower's card]
    hidden   below a reveal, reach of the other side when it was shown: by its cards, and by its lanes below
    """

    own: Doubles
    other: Doubles
    honest: tuple[Flags | None, Flags | None] = (None, None)
    cards: Doubles | None = None
    hidden: tuple[Doubles, Doubles] = (np.zeros(0), np.zeros(0))


@dataclass(frozen=True, slots=True)
class Bet:
    """What comes of a bet.

    folded      float64 [rows]: how often the answer is a fold, NaN where the other side never comes here
    called      float64 [rows]: the bettor's value when it is not, NaN where that never happens
    fold_value  the bettor's payoff after a fold
    most_folds  share of folds that pays for a bet with a lost hand: risk / (risk + gain)
    """

    folded: Doubles
    called: Doubles
    fold_value: float
    most_folds: float


@dataclass(frozen=True, slots=True)
class Rows:
    """Who holds what where, arrays [rows]; only hands that can be held and may have said what was said (U8, G7).

    lane   of the acting side at the node; cell: the same, but below a reveal a follower's board, lead and card
    hand   number of the whole hand; held: of the cards still held (where a lead is shown, the last card)
    board, lead   what was laid; lead -1: none is shown
    scale  factor of counterfactual values; reach: hand held and point reached; dealt: whatever is said
    """

    lane: Longs
    cell: Longs
    hand: Longs
    held: Longs
    board: Longs
    lead: Longs
    scale: Doubles
    reach: Doubles
    dealt: Doubles

    def only(self, keep: Longs) -> Rows:
        """Some of the rows."""
        return Rows(*(getattr(self, name)[keep] for name in self.__slots__))

    @property
    def arrival(self) -> Doubles:
        """Reach among the deals that allow the hand here."""
        return np.asarray(np.minimum(self.reach / self.dealt, 1.0))


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a side.

    path       edges walked from the root; way: what was carried down it
    actions    words, then card labels by rank; frequency, ev float64 [actions, rows], NaN where a hand has no such
               action; ev also where the other side never comes here
    bets       what comes of every bet among the actions that can be answered
    """

    node: Node
    seat: int
    trick: int
    path: tuple[int, ...]
    way: Way
    rows: Rows
    actions: list[str]
    frequency: Doubles
    ev: Doubles
    bets: dict[str, Bet]

    @property
    def best(self) -> Doubles:
        """Value of the best action, float64 [rows]; NaN where the other side never comes here."""
        return np.asarray(np.fmax.reduce(self.ev, axis=0))

    def at(self, keep: Flags) -> Decision:
        """Some of the rows, and the actions that one of them has."""
        some = np.flatnonzero(keep)
        legal = np.flatnonzero(~np.isnan(self.frequency[:, some]).all(axis=1))
        bets = {word: replace(bet, folded=bet.folded[some], called=bet.called[some]) for word, bet in self.bets.items()}
        table, actions = np.ix_(legal, some), [self.actions[k] for k in legal.tolist()]
        kept = self.rows.only(some), actions, self.frequency[table], self.ev[table], bets
        return Decision(self.node, self.seat, self.trick, self.path, self.way, *kept)
