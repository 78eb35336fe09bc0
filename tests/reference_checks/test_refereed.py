"""The adapter from the referee: the bare trick game where nobody bets, chance where more cards are dealt."""

from collections import Counter, defaultdict
from collections.abc import Hashable
from fractions import Fraction
from math import comb, factorial, prod

import pytest

from solver.errors import UsageError
from solver.rules import catalogue
from solver.rules.score import parse_score, start_score
from tests.reference import deck, games, tricks
from tests.reference.extensive import Chance, Decision, Game, Node, Terminal, infosets, nodes
from tests.reference.refereed import refereed


def same(one: Node, other: Node, labels: tuple[str, ...]) -> bool:
    """Are two trees the same, the second one naming cards by rank index?"""
    if isinstance(one, Terminal) or isinstance(other, Terminal):
        return isinstance(one, Terminal) and isinstance(other, Terminal) and one.payoff == other.payoff
    assert isinstance(one, Decision)
    assert isinstance(other, Decision)
    named = [(seat, labels[int(token)]) for seat, token in other.infoset.history]
    return (
        one.infoset.seat == other.infoset.seat
        and list(one.infoset.history) == named
        and list(one.actions) == [labels[int(token)] for token in other.actions]
        and all(same(a, b, labels) for a, b in zip(one.children, other.children, strict=True))
    )


@pytest.mark.parametrize("lead", ["previous_leader", "rotter"])
@pytest.mark.parametrize("ties", ["none", "elder"])
@pytest.mark.parametrize("copies", ["4", "4,2,1"])
@pytest.mark.parametrize("silence", [{"ladder": "1", "remainder": "off"}, {"trut_window": "off"}], ids=str)
def test_k3_to_k6_without_bets_the_referee_plays_the_trick_game(
    lead: str, ties: str, copies: str, silence: dict[str, str]
) -> None:
    options = {"ranks": "3", "copies": copies, "lead_after_tie": lead, "all_tied": ties, **silence}
    rules = catalogue.load("truc" if "ladder" in silence else "trut", options)
    judged = refereed(rules, start_score(rules), skip_forced=False)
    bare = tricks.no_bets(rules.copies, lead == "rotter", ties == "elder", skip_forced=False)
    assert [deal.weight for deal in judged.deals] == [deal.weight for deal in bare.deals]
    assert all(same(a.root, b.root, rules.ranks) for a, b in zip(judged.deals, bare.deals, strict=True))


@pytest.mark.parametrize(
    "name", ["truc rest both 5-7", "trut brelan own turn", "gatine dealer holds, tout pate"]
)
def test_nobody_knows_more_than_his_cards_and_what_was_said(name: str) -> None:
    """The first sets pool every hand of the other; `infosets` checks that the actions agree in a set."""
    game = games.tree(games.named(name))
    pooled = Counter(node.infoset for node in nodes(game) if isinstance(node, Decision))
    dealt: Counter[tuple[int, Hashable]] = Counter(
        (seat, (deal.private[seat],)) for deal in game.deals for seat in (0, 1)
    )
    first = {key: count for key, count in pooled.items() if not key.history}
    assert first
    assert first == {key: dealt[key.seat, key.private] for key in first}
    assert set(pooled) == set(infosets(game))


def chances(game: Game) -> list[Chance]:
    return [node for node in nodes(game) if isinstance(node, Chance)]


def test_t9_redeal_is_chance_over_the_stub() -> None:
    found = chances(games.tree(games.named("truc redeal")))
    assert len(found) == 34
    assert {sum(weight for weight, _ in node.branches) for node in found} == {comb(6, 3)}


def told(node: Node, seat: int) -> Hashable:
    """What a player knows at his first decision."""
    while not (isinstance(node, Decision) and node.infoset.seat == seat):
        assert isinstance(node, Decision)
        node = node.children[0]
    return node.infoset.private


def test_t9_new_cards_are_those_of_four_hands_from_one_deck() -> None:
    """Each four hands are as likely as their physical cards; so new cards by themselves are a deal like the first."""
    rules = catalogue.load("truc", {"ranks": "3", "copies": "4,3,5", "ladder": "1", "remainder": "off", "redeal": "1"})
    game = refereed(rules, start_score(rules), skip_forced=False)
    alone: defaultdict[tuple[Hashable, Hashable], Fraction] = defaultdict(Fraction)
    for deal in game.deals:
        (chance,) = (node for node in nodes(Game("one", (deal,))) if isinstance(node, Chance))
        for share, below in chance.branches:
            four = [hand for seat in (0, 1) for hand in _pair(told(below, seat))]
            assert (four[0], four[2]) == deal.private
            assert deal.weight * share == ways(rules.copies, four)
            alone[four[1], four[3]] += Fraction(ways(rules.copies, four), comb(6, 3) * game.total)
    assert alone == {deal.private: Fraction(deal.weight, game.total) for deal in game.deals}


def _pair(private: Hashable) -> tuple[deck.Hand, deck.Hand]:
    assert isinstance(private, tuple)
    first, second = private
    return first, second


def ways(copies: tuple[int, ...], hands: list[deck.Hand]) -> int:
    """Ways to give each of these hands its cards, card by card rank for rank."""
    product = 1
    for rank, left in enumerate(copies):
        held = [hand.count(rank) for hand in hands]
        spare = left - sum(held)
        product *= factorial(left) // (prod(map(factorial, held)) * factorial(spare)) if spare >= 0 else 0
    return product


@pytest.mark.slow
def test_g6_the_second_redeal_comes_from_a_smaller_stub() -> None:
    rules = catalogue.load("trut-gatine", {"ranks": "2", "copies": "8", "tout_pate": "1"})
    once = chances(refereed(rules, parse_score(rules, "0.2-0.2")))
    assert {sum(weight for weight, _ in node.branches) for node in once} == {comb(10, 3) * comb(7, 3)}
    twice = Counter(
        sum(weight for weight, _ in node.branches)
        for node in chances(games.tree(games.named("gatine two redeals")))
    )
    assert set(twice) == {comb(12, 3) * comb(9, 3), comb(6, 3)}


def test_g5_kept_cards_are_private() -> None:
    game = games.tree(games.named("gatine chanter full"))
    kept = [key for key in infosets(game) if (key.seat, "keep") in key.history]
    assert kept
    assert all(isinstance(key.private, tuple) and "keep:" in str(key.private[-1]) for key in kept)
    heard = {token for key in infosets(game) for _, token in key.history}
    assert "keep" in heard
    assert not any(token.startswith("keep:") for token in heard)


def test_payoffs_are_exact() -> None:
    for node in nodes(games.tree(games.named("truc 9-8"))):
        assert not isinstance(node, Terminal) or isinstance(node.payoff, int | Fraction)


def test_singing_in_full_with_a_tout_pate_is_refused() -> None:
    rules = catalogue.load("trut-gatine", {"ranks": "3", "chanter": "full"})
    with pytest.raises(UsageError, match="tout_pate"):
        refereed(rules, parse_score(rules, "0.2-0.2"))
