"""K1 to K8 of the rule book."""



from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb, prod

import pytest

from solver.errors import UsageError
from solver.rules.referee import DEALER, ELDER, Referee
from solver.rules.score import Score, award
from solver.rules.tricks import Trick, next_leader, verdict
from tests.rules.played import every_position, position, result, rule_set

TRUC = rule_set("truc")
TRUT = rule_set("trut")
A, B, T = ELDER, DEALER, None


@pytest.mark.parametrize("name", ["truc", "truc-lanes", "trut", "trut-brelan", "trut-gatine"])
def test_K1_a_deck_is_32_cards_of_8_ranks(name: str) -> None:
    rules = rule_set(name)
    assert (len(rules.ranks), set(rules.copies), rules.deck_size) == (8, {4}, 32)


def test_K1_copies_may_differ_between_ranks() -> None:
    rules = rule_set("truc", ranks="7 8 A", copies="1,2,4")
    assert rules.deck_size == 7
    with pytest.raises(UsageError, match=r"2 cards of rank 7; allowed: 1"):
        Referee(rules, Score((0, 0), (0, 0))).start(((0, 1, 2), (0, 1, 2)))


def test_K2_order_of_the_ranks() -> None:
    assert " ".join(TRUC.ranks) == " ".join(TRUT.ranks) == "7 8 A K Q J T 9"
    assert " ".join(rule_set("trut-gatine").ranks) == "8 7 A K Q J T 9"


def test_K3_three_cards_each_and_the_elder_leads() -> None:
    start = position(TRUC, "7 8 A / K Q J")
    assert start.to_act == ELDER
    assert [len(hand) for hand in start.table.hands] == [3, 3]
    with pytest.raises(UsageError, match="3 rank numbers from 0 to 7"):
        Referee(TRUC, Score((0, 0), (0, 0))).start(((0, 1), (2, 3, 4)))


def test_K3_the_deal_alternates() -> None:
    assert award(TRUC, Score((3, 0), (5, 0)), None, 1) == Score((5, 0), (3, 0))


@pytest.mark.parametrize("rank", range(8))
def test_K4_the_higher_rank_wins_and_equal_ranks_spoil(rank: int) -> None:
    for leader in (ELDER, DEALER):
        for follow in range(8):
            expected = None if rank == follow else leader if rank < follow else 1 - leader
            assert Trick(leader, rank, follow).winner == expected


def test_K4_any_card_may_be_played() -> None:
    assert set(position(rule_set("truc", remainder="off"), "7 8 A / 9 Q 7", "7").legal) == {
        "9",
        "Q",
        "7",
        "raise",
    }


@pytest.mark.parametrize(
    ("name", "history", "leader"),
    [
        ("truc", "7 K", ELDER),
        ("truc", "K 7", DEALER),
        ("truc", "7 7", ELDER),
        ("truc", "7 7 8 8", ELDER),
        ("trut", "7 K", ELDER),
        ("trut", "K 7", DEALER),
        ("trut", "7 7", DEALER),
        ("trut", "7 7 8 8", ELDER),  # the dealer led the second trick, the elder rotted it
    ],
)
def test_K5_who_leads(name: str, history: str, leader: int) -> None:
    assert position(rule_set(name), "7 8 K / 7 8 K", history).table.turn == leader


def test_K5_option_lead_after_tie() -> None:
    spoiled = Trick(DEALER, 3, 3)
    assert next_leader(TRUC, spoiled) == DEALER
    assert next_leader(TRUT, spoiled) == ELDER
    assert next_leader(rule_set("trut", lead_after_tie="previous_leader"), spoiled) == DEALER
    assert next_leader(TRUT, Trick(DEALER, 0, 3)) == next_leader(TRUC, Trick(DEALER, 0, 3)) == DEALER


K6_TABLE = [
    ((A, A), A),
    ((A, B, A), A),
    ((A, B, B), B),
    ((A, B, T), A),
    ((A, T), A),
    ((T, A), A),
    ((T, T, A), A),
    ((T, T, T), None),
]


@pytest.mark.parametrize(("tricks", "winner"), K6_TABLE)
@pytest.mark.parametrize("sides_exchanged", [False, True])
def test_K6_the_table(tricks: tuple[int | None, ...], winner: int | None, sides_exchanged: bool) -> None:
    def side(seat: int | None) -> int | None:
        return seat if seat is None or not sides_exchanged else 1 - seat

    played = [side(seat) for seat in tricks]
    for count in range(len(played)):
        assert not verdict(TRUC, played[:count]).over
    assert verdict(TRUC, played).over
    assert verdict(TRUC, played).winner == side(winner)


def test_K6_option_all_tied() -> None:
    history = "7 7 8 8 A A"
    hands = "7 8 A / 7 8 A"
    drawn = result(TRUC, hands, history)
    assert drawn.winner is None
    elder = result(rule_set("truc", all_tied="elder"), hands, history)
    assert elder.winner == ELDER


def test_K6_the_hand_stops_where_the_table_says() -> None:
    rules = rule_set("truc", remainder="off", ladder="1")
    lengths: Counter[int] = Counter()
    for end in every_position(position(rules, "7 8 9 / 7 8 9")):
        if end.result:
            lengths[len(end.tricks)] += 1
            assert end.result.winner == verdict(rules, [trick.winner for trick in end.tricks]).winner
    assert set(lengths) == {2, 3}


def test_K7_cards_played_are_public_and_a_folder_shows_nothing_more() -> None:
    end = position(TRUC, "7 8 A / K Q J", "7 raise fold")
    assert end.history == ((ELDER, "7"), (DEALER, "raise"), (ELDER, "fold"))
    assert end.table.hands == ((1, 2), (3, 4, 5))


def test_K8_deal_weights_count_the_physical_deals() -> None:
    deals = pytest.importorskip("solver.cards.deals")
    rules = rule_set("truc", ranks="7 8 A", copies="4,2,3")
    deck = [(rank, copy) for rank, copies in enumerate(rules.copies) for copy in range(copies)]
    counted: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for elder in combinations(deck, 3):
        for dealer in combinations([card for card in deck if card not in elder], 3):
            counted[tuple(rank for rank, _ in elder), tuple(rank for rank, _ in dealer)] += 1
    hands = sorted({hand for pair in counted for hand in pair} | {(1, 1, 1)})
    weights = deals.deal_weights(rules)
    assert weights.shape == (len(hands), len(hands)) == (10, 10)
    for i, elder_hand in enumerate(hands):
        for j, dealer_hand in enumerate(hands):
            formula = prod(
                comb(n, elder_hand.count(r)) * comb(max(n - elder_hand.count(r), 0), dealer_hand.count(r))
                for r, n in enumerate(rules.copies)
            )
            assert weights[i, j] == counted[elder_hand, dealer_hand] == formula


def test_K8_the_full_deck_has_120_hands() -> None:
    deals = pytest.importorskip("solver.cards.deals")
    weights = deals.deal_weights(TRUC)
    assert weights.shape == (120, 120)
    assert weights.sum() == comb(32, 3) * comb(29, 3)
    assert (weights == weights.T).all()


def test_K5_and_K6_agree_with_a_second_reading_of_the_book() -> None:
    """Every order of play of two hands, judged from the table of K6 alone."""
    rules = rule_set("trut", trut_window="off", fortial="false")
    swap = {A: B, B: A, T: T}
    book = dict(K6_TABLE) | {tuple(swap[seat] for seat in key): swap[winner] for key, winner in K6_TABLE}
    for first in permutations((0, 3, 7)):
        for second in permutations((0, 3, 5)):
            played, leader, spoiled = [], ELDER, []
            for own, reply in zip(first, second, strict=True):
                best = None if own == reply else ELDER if own < reply else DEALER
                played.append((leader, own, reply) if leader == ELDER else (leader, reply, own))
                spoiled.append(best)
                leader = 1 - leader if best is None else best
                if tuple(spoiled) in book:
                    break
            history = " ".join(f"{rules.ranks[lead]} {rules.ranks[follow]}" for _, lead, follow in played)
            now = position(rules, "7 K 9 / 7 K J", history)
            assert now.result is not None
            assert now.result.winner == book[tuple(spoiled)]
            assert [trick.leader for trick in now.tricks] == [seat for seat, _, _ in played]
