"""What a hand may truthfully be called when it is truted (U8, G7)."""

from __future__ import annotations

from solver.rules.model import RuleSet
from solver.rules.tricks import Hand

NATURAL_ORDER = ["7", "8", "9", "T", "J", "Q", "K", "A"]


def labels_of(rules: RuleSet, hand: Hand) -> tuple[str, ...]:
    """The announcements open to a full hand of three cards: brelan (U8), tierce, brelan or pair (G7).

    A pair ("deux petits un grand") is exactly two equal ranks and another; a tierce does not turn the corner
    from A to 7, and needs ranks of the natural order 7 8 9 T J Q K A.
    """
    different = len(set(hand))
    if different == 1:
        return ("brelan",) if rules.brelan or rules.labels else ()
    if not rules.labels:
        return ()
    if different == 2:
        return ("pair",)
    return ("tierce",) if _consecutive(rules, hand) else ()


def _consecutive(rules: RuleSet, hand: Hand) -> bool:
    names = [rules.ranks[card] for card in hand]
    if not all(name in NATURAL_ORDER for name in names):
        return False
    places = sorted(NATURAL_ORDER.index(name) for name in names)
    return places == list(range(places[0], places[0] + len(places)))
