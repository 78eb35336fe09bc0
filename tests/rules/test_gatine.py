"""G1 to G7 of the rule book."""



from __future__ import annotations

import pytest

from solver.errors import UsageError
from solver.rules.kinds import HandKind, Kind, hand_kind
from solver.rules.labels import labels_of
from solver.rules.referee import DEALER, ELDER, Result, next_score, stub_deals
from solver.rules.score import Prize, Score, award, format_score, parse_score
from tests.rules.played import deal, every_position, position, result, rule_set

GATINE = rule_set("trut-gatine")
FULL = rule_set("trut-gatine", chanter="full")
HANDS = "8 7 A / K Q J"
SAME = "8 7 A / 8 7 A"
ROTTEN = "8 8 7 7 A A"


def after(score: str, winner: int | None, amount: Prize, **options: str) -> str:
    """The score after a hand, seats as they were in the hand; or who won the match."""
    rules = rule_set("trut-gatine", **options)
    reached = award(rules, parse_score(rules, score), winner, amount)
    return format_score(rules, reached.swapped()) if isinstance(reached, Score) else f"won by {reached}"


def test_G1_ranks_leads_and_target() -> None:
    assert (GATINE.ranks[:2], GATINE.lead_after_tie, GATINE.target) == (("8", "7"), "rotter", 7)
    assert position(GATINE, SAME, "8 8").to_act == DEALER
    assert result(GATINE, HANDS, "8 K 7 Q").winner == ELDER
    assert after("4.0-0.0", ELDER, Prize.LONG, target="5") == f"won by {ELDER}"


@pytest.mark.parametrize(
    ("score", "winner", "amount", "reached"),
    [
        ("1.1-3.0", ELDER, Prize.PETIT, "1.2-3.0"),
        ("1.2-3.0", ELDER, Prize.PETIT, "1.2-3.0"),  # never a third petit, never exchanged
        ("1.1-3.1", ELDER, Prize.LONG, "2.0-3.1"),  # the winner loses his own petits
        ("1.1-3.2", ELDER, Prize.LONG, "2.0-3.2"),  # the other side keeps its own
        ("6.1-3.2", ELDER, Prize.LONG, "won by 0"),
        ("1.1-3.2", None, Prize.LONG, "1.1-3.2"),
    ],
)
def test_G2_petits_are_kept(score: str, winner: int | None, amount: Prize, reached: str) -> None:
    assert after(score, winner, amount) == reached


@pytest.mark.parametrize("score", ["0.0-0.0", "6.1-6.1", "0.1-6.0"])
def test_G3_below_two_petits_the_hand_is_ordinary(score: str) -> None:
    assert position(GATINE, HANDS, score=score).legal == ("trut", "silent")
    assert result(GATINE, HANDS, "trut fold", score) == Result(ELDER, Prize.PETIT)
    assert result(GATINE, HANDS, "trut see 8 K 7 Q", score) == Result(ELDER, Prize.LONG)
    drawn = result(GATINE, SAME, f"trut see {ROTTEN}", score)
    assert (drawn.winner, drawn.again) == (None, False)  # no tout pâté: not a trut d'office


@pytest.mark.parametrize(("score", "side"), [("0.2-5.1", ELDER), ("5.1-0.2", DEALER)])
def test_G4_tenir(score: str, side: int) -> None:
    start = position(GATINE, HANDS, score=score)
    assert (start.to_act, start.legal) == (side, ("hold", "pass"))
    assert result(GATINE, HANDS, "pass", score) == Result(1 - side, Prize.PETIT)
    held = start.play("hold")
    assert (held.to_act, held.legal, held.stake) == (ELDER, ("8", "7", "A"), 3)
    for now in every_position(held):
        assert now.result or not {"trut", "silent", "fold"} & set(now.legal)
    assert result(GATINE, HANDS, "hold 8 K 7 Q", score) == Result(ELDER, Prize.LONG)


def test_G4_what_a_held_hand_pays() -> None:
    assert after("0.2-5.1", ELDER, Prize.LONG) == "1.0-5.1"
    assert after("0.2-5.1", DEALER, Prize.LONG) == "0.2-6.0"
    assert after("0.2-5.1", DEALER, Prize.PETIT) == "0.2-5.2"


def test_G4_option_tenir_off_leaves_an_ordinary_hand() -> None:
    off = rule_set("trut-gatine", tenir="false")
    assert hand_kind(off, parse_score(off, "0.2-0.0")) == HandKind(Kind.ORDINARY)


MORE = ("9 9 9 / T T T",)


def test_G5_theorem_leaves_out_the_asking() -> None:
    start = position(GATINE, HANDS, score="0.2-3.2")
    assert (start.to_act, start.legal, start.stake) == (ELDER, ("8", "7", "A"), 3)


@pytest.mark.parametrize("history", ["refuse", "sing refuse"])
def test_G5_the_first_refusal_ends_the_asking(history: str) -> None:
    start = position(FULL, HANDS, score="0.2-3.2", later=MORE)
    assert (start.to_act, start.legal) == (ELDER, ("sing", "refuse"))
    assert (start.play("sing").to_act, start.play("sing").legal) == (DEALER, ("sing", "refuse"))
    refused = position(FULL, HANDS, history, "0.2-3.2", MORE)
    assert (refused.to_act, refused.legal, refused.stake) == (ELDER, ("8", "7", "A"), 3)


def test_G5_all_sing_and_each_keeps_three_of_six_unseen() -> None:
    sung = position(FULL, HANDS, "sing sing", "0.2-3.2", MORE)
    assert sung.to_act == ELDER
    assert len(sung.legal) == len(set(sung.legal)) == 8  # 1 + 3 + 3 + 1 with three equal nines
    assert "keep:8+7+9" in sung.legal
    kept = sung.play("keep:8+7+9")
    assert kept.to_act == DEALER
    playing = kept.play("keep:K+T+T")
    assert (playing.to_act, playing.legal, playing.stake) == (ELDER, ("8", "7", "9"), 3)
    assert playing.history[-2:] == ((ELDER, "keep"), (DEALER, "keep"))


def test_G5_afterwards_both_sides_lose_both_petits() -> None:
    assert after("1.2-3.2", ELDER, Prize.LONG) == "2.0-3.0"
    assert after("1.2-3.2", DEALER, Prize.LONG) == "1.0-4.0"


def test_G5_even_a_hand_nobody_wins_costs_the_petits() -> None:
    rules = rule_set("trut-gatine", tout_pate="0")
    end = result(rules, SAME, ROTTEN, "1.2-3.2")
    assert (end.winner, end.again) == (None, False)
    assert next_score(rules, parse_score(rules, "1.2-3.2"), end) == parse_score(rules, "3.0-1.0")


def test_G5_option_chanter_off_leaves_an_ordinary_hand() -> None:
    off = rule_set("trut-gatine", chanter="off")
    assert position(off, HANDS, score="0.2-3.2").legal == ("trut", "silent")
    assert after("1.2-3.2", ELDER, Prize.LONG, chanter="off") == "2.0-3.2"


def test_G5_the_further_cards_must_be_given() -> None:
    with pytest.raises(UsageError, match="0 further deals were given for this hand; allowed: 1 to 5"):
        position(FULL, HANDS, score="0.2-3.2")


NEXT = ("K Q J / K Q J", "T 9 9 / 9 K K")


def test_G6_tout_pate_deals_again_for_the_same_long() -> None:
    again = position(GATINE, SAME, f"hold {ROTTEN}", "0.2-0.0", NEXT)
    assert (again.to_act, again.legal, again.stake, again.tricks) == (ELDER, ("K", "Q", "J"), 3, ())
    twice = f"hold {ROTTEN} K K Q Q J J"
    assert position(GATINE, SAME, twice, "0.2-0.0", NEXT).legal == ("T", "9")
    assert result(GATINE, SAME, f"{twice} T K K 9", "0.2-0.0", NEXT) == Result(DEALER, Prize.LONG)
    assert result(GATINE, SAME, f"hold {ROTTEN} K Q Q J", "0.2-0.0", NEXT) == Result(ELDER, Prize.LONG)


def test_G6_only_a_trut_d_office_is_dealt_again() -> None:
    with pytest.raises(UsageError, match="2 further deals were given for this hand; allowed: 0"):
        position(GATINE, SAME, score="0.1-0.1", later=NEXT)
    assert position(GATINE, SAME, ROTTEN, "0.2-0.2", NEXT).legal == ("K", "Q", "J")


def test_G6_when_the_stub_is_used_up_the_same_dealer_shuffles() -> None:
    end = result(GATINE, SAME, f"hold {ROTTEN}", "0.2-0.0")
    assert end == Result(None, Prize.LONG, again=True)
    at = parse_score(GATINE, "0.2-0.0")
    assert next_score(GATINE, at, end) == at


def test_G6_the_stub_gives_four_redeals_and_less_from_a_small_deck() -> None:
    assert stub_deals(GATINE) == 4
    assert stub_deals(rule_set("trut-gatine-mini")) == 1
    assert stub_deals(rule_set("trut-gatine", tout_pate="0")) == 0
    with pytest.raises(UsageError, match="5 cards of rank K; allowed: 4"):
        position(GATINE, SAME, score="0.2-0.0", later=("K K K / K Q J", "K Q J / 9 9 9"))


@pytest.mark.parametrize(
    ("hand", "label"),
    [
        ("7 8 9", ("tierce",)),
        ("9 T J", ("tierce",)),
        ("K Q A", ("tierce",)),
        ("A 7 8", ()),  # the order does not turn the corner
        ("8 7 A", ()),
        ("7 9 T", ()),
        ("K K K", ("brelan",)),
        ("K K 9", ("pair",)),
    ],
)
def test_G7_labels(hand: str, label: tuple[str, ...]) -> None:
    rules = rule_set("trut-gatine", labels="true")
    (elder, _) = deal(rules, f"{hand} / 9 9 8")
    assert labels_of(rules, elder) == label
    assert labels_of(GATINE, elder) == ()
    assert position(rules, f"{hand} / 9 9 8").legal == ("trut", *label, "silent")


def test_G7_a_label_is_a_trut_of_the_first_window() -> None:
    rules = rule_set("trut-gatine", labels="true")
    assert position(rules, "7 8 9 / K K Q", "suite").legal == ("fold", "see")
    assert result(rules, "7 8 9 / K K Q", "d:pair fold") == Result(DEALER, Prize.PETIT)
    for now in every_position(position(rules, "7 8 9 / K K Q", "9")):
        assert not {"pair", "tierce"} & set(now.legal)


def test_G7_no_fortial() -> None:
    assert hand_kind(GATINE, parse_score(GATINE, "6.2-0.0")) == HandKind(Kind.TENIR, ELDER)
    with pytest.raises(UsageError, match="Option fortial"):
        rule_set("trut-gatine", fortial="true")
