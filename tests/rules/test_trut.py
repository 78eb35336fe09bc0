"""U1 to U10 of the rule book."""



from __future__ import annotations

import pytest

from solver.errors import UsageError
from solver.rules.kinds import HandKind, Kind, hand_kind
from solver.rules.referee import DEALER, ELDER, Result, next_score, payoff
from solver.rules.score import Prize, Score, award, format_score, need, parse_score
from tests.rules.played import every_position, position, result, rule_set, score_of

TRUT = rule_set("trut")
HANDS = "7 8 A / K Q J"
WINDOW = ("trut", "silent")


def after(score: str, winner: int | None, amount: Prize, **options: str) -> str:
    """The score after a hand, seats as they were in the hand; or who won the match."""
    rules = rule_set("trut", **options)
    reached = award(rules, parse_score(rules, score), winner, amount)
    return format_score(rules, reached.swapped()) if isinstance(reached, Score) else f"won by {reached}"


def test_U1_seven_longs_win() -> None:
    assert TRUT.target == 7
    assert after("6.0-0.0", ELDER, Prize.LONG) == f"won by {ELDER}"
    assert after("0.0-6.2", DEALER, Prize.PETIT) == f"won by {DEALER}"
    assert after("3.0-0.0", ELDER, Prize.LONG, target="4") == f"won by {ELDER}"
    assert need(TRUT, parse_score(TRUT, "5.2-3.1")) == (2, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7.0-1.1", "elder has 7 longs and has already won at target 7; allowed: 0 to 6"),
        ("1.0-1.3", "dealer has 1 longs and 3 petits; allowed: 0 to 6 longs and 0 to 2 petits"),
        ("1.0", "is not a score; allowed: elder-dealer, for example 5.2-6.0"),
    ],
)
def test_U1_scores_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_score(TRUT, text)


def test_U2_a_quiet_hand_is_a_petit() -> None:
    assert result(TRUT, HANDS, "7 K 8 Q") == Result(ELDER, Prize.PETIT)


def test_U2_a_folded_trut_is_a_petit_for_the_truter() -> None:
    assert result(TRUT, HANDS, "trut fold") == Result(ELDER, Prize.PETIT)
    assert result(TRUT, HANDS, "7 d:trut fold") == Result(DEALER, Prize.PETIT)


def test_U2_a_seen_trut_is_a_long_for_either_side() -> None:
    assert result(TRUT, HANDS, "trut see 7 K 8 Q") == Result(ELDER, Prize.LONG)
    assert result(TRUT, HANDS, "d:trut see 7 K 8 Q") == Result(ELDER, Prize.LONG)
    assert result(TRUT, HANDS, "d:trut call 7 K 8 Q") == Result(ELDER, Prize.LONG)


def test_U3_one_trut_a_hand_and_only_cards_after_it() -> None:
    assert position(TRUT, HANDS, "trut").legal == ("fold", "see")
    for now in every_position(position(TRUT, HANDS, "7 trut see")):
        assert now.result or set(now.legal) <= {"7", "8", "A", "K", "Q", "J"}


def test_U4_windows_before_each_card() -> None:
    now = position(TRUT, "7 9 A / K 8 J")
    spoken: list[int | str | None] = []
    for card in ("7", "K", "9", "8", "J", "A"):
        while now.legal == WINDOW:
            spoken.append(now.to_act)
            now = now.play("silent")
        spoken.append(card)
        now = now.play(card)
    assert spoken == [0, 1, "7", 1, 0, "K", 0, 1, "9", 1, 0, "8", 1, 0, "J", 0, "A"]
    assert now.result == Result(ELDER, Prize.PETIT)


def test_U4_nobody_truts_without_a_card() -> None:
    last = position(TRUT, "7 9 A / K 8 J", "7 K 9 8 J")
    assert (last.to_act, last.legal) == (ELDER, WINDOW)
    assert last.play("silent").legal == ("A",)


def test_U4_after_a_trut_the_card_is_the_turns_not_the_truters() -> None:
    seen = position(TRUT, HANDS, "d:trut see")
    assert (seen.to_act, seen.legal) == (ELDER, ("7", "8", "A"))


def test_U4_option_trut_window() -> None:
    own = rule_set("trut", trut_window="own_turn")
    assert position(own, HANDS).legal == ("7", "8", "A", "trut")
    assert position(own, HANDS, "7").legal == ("K", "Q", "J", "trut")
    assert position(own, HANDS, "trut see").legal == ("7", "8", "A")
    assert position(rule_set("trut", trut_window="off"), HANDS).legal == ("7", "8", "A")


@pytest.mark.parametrize(
    ("score", "winner", "amount", "reached"),
    [
        ("0.0-0.0", ELDER, Prize.PETIT, "0.1-0.0"),
        ("2.1-3.2", DEALER, Prize.PETIT, "2.0-4.0"),
        ("2.2-3.1", ELDER, Prize.PETIT, "3.0-3.0"),
        ("2.2-3.1", DEALER, Prize.PETIT, "2.2-3.2"),
        ("2.2-3.1", ELDER, Prize.LONG, "3.2-3.0"),
        ("2.2-3.1", DEALER, Prize.LONG, "2.0-4.1"),
    ],
)
def test_U5_petits_and_longs(score: str, winner: int, amount: Prize, reached: str) -> None:
    assert after(score, winner, amount) == reached


def test_U5_option_winner_keeps_petits() -> None:
    assert after("2.2-3.1", ELDER, Prize.LONG, winner_keeps_petits="no") == "3.0-3.0"


@pytest.mark.parametrize("history", ["7 7 8 8 A A", "trut see 7 7 8 8 A A"])
def test_U6_three_rotten_tricks_give_nothing(history: str) -> None:
    end = result(TRUT, "7 8 A / 7 8 A", history)
    assert (end.winner, end.again) == (None, False)
    score = parse_score(TRUT, "2.1-3.2")
    assert next_score(TRUT, score, end) == score.swapped()


@pytest.mark.parametrize(
    ("score", "kind"),
    [
        ("6.2-0.0", HandKind(Kind.FORTIAL, ELDER)),
        ("6.1-6.2", HandKind(Kind.FORTIAL, DEALER)),
        ("6.2-6.2", HandKind(Kind.BOTH_FORTIAL)),
        ("5.2-6.1", HandKind(Kind.ORDINARY)),
        ("0.0-0.0", HandKind(Kind.ORDINARY)),
    ],
)
def test_U7_who_is_at_the_fortial(score: str, kind: HandKind) -> None:
    assert hand_kind(TRUT, parse_score(TRUT, score)) == kind
    assert hand_kind(rule_set("trut", fortial="false"), parse_score(TRUT, score)) == HandKind(Kind.ORDINARY)


@pytest.mark.parametrize(("score", "side"), [("6.2-4.1", ELDER), ("4.1-6.2", DEALER)])
def test_U7_fortial_side_truts_or_passes(score: str, side: int) -> None:
    start = position(TRUT, HANDS, score=score)
    assert (start.to_act, start.legal) == (side, ("trut", "pass"))
    assert result(TRUT, HANDS, "pass", score) == Result(1 - side, Prize.PETIT)
    truted = start.play("trut")
    assert (truted.to_act, truted.legal, truted.stake) == (ELDER, ("7", "8", "A"), 3)
    for now in every_position(truted):
        assert now.result or not {"trut", "silent", "fold"} & set(now.legal)


def test_U7_what_a_fortial_hand_pays() -> None:
    at = parse_score(TRUT, "6.2-4.1")
    won = result(TRUT, HANDS, "trut 7 K 8 Q", "6.2-4.1")
    assert next_score(TRUT, at, won) == ELDER
    lost = result(TRUT, "K Q J / 7 8 A", "trut K 7 8 Q", "6.2-4.1")
    assert next_score(TRUT, at, lost) == parse_score(TRUT, "5.1-6.0")
    passed = result(TRUT, HANDS, "pass", "6.2-4.1")
    assert next_score(TRUT, at, passed) == parse_score(TRUT, "4.2-6.2")
    drawn = result(TRUT, "7 8 A / 7 8 A", "trut 7 7 8 8 A A", "6.2-4.1")
    assert (drawn.winner, drawn.again) == (None, False)
    assert next_score(TRUT, at, drawn) == parse_score(TRUT, "4.1-6.2")


def test_U7_both_at_the_fortial_play_for_the_match() -> None:
    start = position(TRUT, HANDS, score="6.2-6.2")
    assert (start.to_act, start.legal) == (ELDER, ("7", "8", "A"))
    at = parse_score(TRUT, "6.2-6.2")
    assert next_score(TRUT, at, result(TRUT, HANDS, "7 K 8 Q", "6.2-6.2")) == ELDER
    drawn = result(TRUT, "7 8 A / 7 8 A", "7 7 8 8 A A", "6.2-6.2")
    assert drawn.again
    assert next_score(TRUT, at, drawn) == at


def test_U8_brelan_only_with_three_of_a_kind_in_the_first_window() -> None:
    rules = rule_set("trut-brelan")
    start = position(rules, "9 9 9 / K K K")
    assert start.legal == ("trut", "brelan", "silent")
    assert start.play("silent").legal == ("trut", "brelan", "silent")
    for now in every_position(position(rules, "9 9 9 / K K K", "9")):
        assert "brelan" not in now.legal
    assert position(rules, "9 9 8 / K K K").legal == WINDOW
    assert position(TRUT, "9 9 9 / K K K").legal == WINDOW


def test_U8_brelan_is_a_trut() -> None:
    rules = rule_set("trut-brelan")
    assert position(rules, "9 9 9 / K Q J", "brelan").legal == ("fold", "see")
    assert result(rules, "9 9 9 / K Q J", "brelan fold") == Result(ELDER, Prize.PETIT)
    assert result(rules, "9 9 9 / K Q J", "brelan see 9 K Q 9") == Result(DEALER, Prize.LONG)


def test_U8_in_own_turn_the_first_turn_is_the_window() -> None:
    rules = rule_set("trut-brelan", trut_window="own_turn")
    assert position(rules, "9 9 9 / K K K").legal == ("9", "trut", "brelan")
    assert position(rules, "9 9 9 / K K K", "9").legal == ("K", "trut", "brelan")
    assert position(rules, "9 9 9 / K K K", "9 K").legal == ("K", "trut")


@pytest.mark.parametrize("winner", [ELDER, DEALER])
def test_U9_a_petit_is_one_point_and_a_long_three(winner: int) -> None:
    sign = 1 if winner == ELDER else -1
    score = score_of(TRUT, "")
    assert payoff(TRUT, score, result(TRUT, HANDS, "trut fold")) == 1
    assert payoff(TRUT, score, Result(winner, Prize.PETIT)) == sign
    assert payoff(TRUT, score, Result(winner, Prize.LONG)) == 3 * sign
    assert payoff(TRUT, score, Result(None, Prize.LONG)) == 0


def test_U10_there_are_441_scores_and_no_other_is_reached() -> None:
    sides = [(longs, petits) for longs in range(7) for petits in range(3)]
    scores = {Score(elder, dealer) for elder in sides for dealer in sides}
    assert len(scores) == 21 * 21
    for score in scores:
        assert parse_score(TRUT, format_score(TRUT, score)) == score
        for winner in (ELDER, DEALER, None):
            for amount in (Prize.PETIT, Prize.LONG):
                reached = award(TRUT, score, winner, amount)
                assert reached == winner if isinstance(reached, int) else reached in scores
