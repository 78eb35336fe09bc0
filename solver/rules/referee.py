"""The referee plays one hand by the rule book: plain, slow, obvious. All else is compared with it.

The rules are in the modules it opens the door to: `tricks` (K3 to K7), `ladder` (T2 to T9), `truts` (U2 to
U4, U8, G6), `openings` (U7, G4, G5), `kinds` (which hand a score calls for), `outcome` (T10 to T12, U9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.errors import UsageError
from solver.rules.kinds import HandKind, Kind, hand_kind, sings
from solver.rules.ladder import LadderPosition
from solver.rules.model import RuleSet
from solver.rules.openings import SideDecides, Singing
from solver.rules.options import CARDS_DEALT, HAND_SIZE
from solver.rules.outcome import Result, next_score, payoff
from solver.rules.position import Position, check_deal, check_stub
from solver.rules.score import DEALER, ELDER, SEATS, Score, check_score, other
from solver.rules.tricks import Deal, Table
from solver.rules.truts import TrutPosition

__all__ = [
    "DEALER",
    "ELDER",
    "SEATS",
    "Position",
    "Referee",
    "Result",
    "next_score",
    "other",
    "payoff",
    "stub_deals",
]


def stub_deals(rules: RuleSet) -> int:
    """G6: how often six new cards can be dealt from the stub before everything is shuffled again."""
    return min(rules.tout_pate, (rules.deck_size - CARDS_DEALT) // CARDS_DEALT)


@dataclass(frozen=True, slots=True)
class Referee:
    """Referee of the hand played under `rules` at `score`. Raises UsageError if the match is over there."""

    rules: RuleSet
    score: Score

    def __post_init__(self) -> None:
        check_score(self.rules, self.score)

    @property
    def kind(self) -> HandKind:
        """The kind of hand the score calls for."""
        return hand_kind(self.rules, self.score)

    def start(self, hands: Deal, redealt: Sequence[Deal] = ()) -> Position:
        """The first position, the elder's hand first in `hands`; a card is a rank index, 0 the strongest.

        `redealt` are the deals that may follow from the same stub, whether or not they come to be used:
        with `redeal = 1` exactly one (T9); with `chanter = full` at two petits each, first the three further
        cards each (G5); for a trut d'office of Gâtine up to `stub_deals` (G6), after which three rotten
        tricks end in a drawn Result that is played `again`. Raises UsageError for deals the deck cannot give.
        """
        hands = check_deal(self.rules, hands, HAND_SIZE)
        table = Table(rules=self.rules, hands=hands)
        kind = self.kind
        if kind.name is Kind.LADDER:
            return self._start_ladder(table, redealt)
        if sings(self.rules, self.score):
            return self._start_singing(table, redealt)
        _check_count(redealt, 0, stub_deals(self.rules) if kind.from_stub else 0)
        stub = check_stub(self.rules, hands, redealt)
        if kind.side is not None:
            return SideDecides(
                rules=self.rules,
                score=self.score,
                table=table,
                stub=stub,
                side=kind.side,
                yes=kind.yes,
            )
        return TrutPosition(
            rules=self.rules,
            score=self.score,
            table=table,
            office=kind.for_long,
            stub=stub,
            deal_again=kind.dealt_again or (kind.from_stub and self.rules.tout_pate > 0),
        )

    def _start_ladder(self, table: Table, redealt: Sequence[Deal]) -> LadderPosition:
        """T2: the stake is the first rung. T9: the elder may propose a redeal before the lead."""
        _check_count(redealt, self.rules.redeal, self.rules.redeal)
        new_deals = check_stub(self.rules, table.hands, redealt)
        return LadderPosition(
            rules=self.rules,
            score=self.score,
            table=table,
            accepted=self.rules.ladder[0],
            proposal="open" if new_deals else "closed",
            new_deal=new_deals[0] if new_deals else None,
        )

    def _start_singing(self, table: Table, redealt: Sequence[Deal]) -> Singing:
        """G5, played in full."""
        _check_count(redealt, 1, 1 + stub_deals(self.rules))
        (more,) = check_stub(self.rules, table.hands, redealt[:1])
        return Singing(rules=self.rules, score=self.score, table=table, more=more, stub=tuple(redealt[1:]))


def _check_count(redealt: Sequence[Deal], least: int, most: int) -> None:
    if not least <= len(redealt) <= most:
        allowed = str(least) if least == most else f"{least} to {most}"
        raise UsageError(f"{len(redealt)} further deals were given for this hand; allowed: {allowed}.")
