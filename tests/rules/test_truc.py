"""T1 to T12 of the rule book."""



from __future__ import annotations

import pytest

from solver.errors import UsageError
from solver.rules.referee import DEALER, ELDER, Referee, Result, next_score, payoff
from solver.rules.score import Amount, Prize, Score, award, need, parse_score, start_score
from tests.rules.played import every_position, position, result, rule_set

TRUC = rule_set("truc")
LANES = rule_set("truc-lanes")
HANDS = "7 8 A / K Q J"
CARDS = ("7", "8", "A")


def points(elder: int, dealer: int) -> Score:
    return Score((elder, 0), (dealer, 0))


def test_T1_twelve_points_win() -> None:
    assert TRUC.target == 12
    assert award(TRUC, points(11, 0), ELDER, 1) == ELDER
    assert award(TRUC, points(10, 0), ELDER, 1) == points(0, 11)
    with pytest.raises(UsageError, match="already won at target 12"):
        Referee(TRUC, points(12, 3))


def test_T1_option_target() -> None:
    assert award(rule_set("truc", target="5"), points(4, 0), ELDER, 1) == ELDER


def test_T2_stake_one_and_at_most_six_bets_one_before_each_card() -> None:
    start = position(TRUC, HANDS)
    assert start.stake == 1
    assert start.legal == (*CARDS, "raise", "rest")
    most = position(TRUC, "7 9 8 / K 7 9", "raise call 7 raise call K raise call 9 raise call 7 raise call 9")
    assert most.legal == ("8", "raise")
    last = most.play("raise").play("call")
    assert last.legal == ("8",)
    assert last.stake == 12
    assert sum(word == "raise" for _, word in last.history) == 6


def test_T3_a_raise_goes_to_the_next_rung() -> None:
    now, stakes = position(TRUC, "7 9 8 / K 7 9"), []
    for card in "7K97":
        now = now.play("raise").play("call")
        stakes.append(now.stake)
        now = now.play(card)
    assert stakes == [2, 4, 6, 8]


def test_T3_option_ladder() -> None:
    rules = rule_set("truc", ladder="2,5")
    assert position(rules, HANDS).stake == 2
    assert position(rules, HANDS, "raise call").stake == 5
    assert "raise" not in position(rules, HANDS, "raise call 7").legal


@pytest.mark.parametrize(
    "history", ["rest call 7 K 8 Q", "7 rest call K 8 Q", "raise call 7 rest call K 8 Q"]
)
def test_T3_a_called_rest_is_for_the_match(history: str) -> None:
    end = result(TRUC, HANDS, history, "3-5")
    assert (end.winner, end.amount) == (ELDER, Prize.MATCH)
    assert next_score(TRUC, parse_score(TRUC, "3-5"), end) == ELDER


@pytest.mark.parametrize(
    ("option", "in_turn", "in_answer"),
    [("initiative", True, False), ("answer", False, True), ("both", True, True), ("off", False, False)],
)
def test_T3_option_remainder(option: str, in_turn: bool, in_answer: bool) -> None:
    rules = rule_set("truc", remainder=option)
    assert ("rest" in position(rules, HANDS).legal) == in_turn
    assert ("rest" in position(rules, HANDS, "raise").legal) == in_answer


@pytest.mark.parametrize(
    ("history", "winner", "stake"),
    [
        ("raise fold", ELDER, 1),
        ("rest fold", ELDER, 1),
        ("7 raise fold", DEALER, 1),
        ("raise call 7 raise fold", DEALER, 2),
        ("raise call 7 rest fold", DEALER, 2),
    ],
)
def test_T4_a_fold_pays_the_bettor_the_stake_before_the_bet(history: str, winner: int, stake: int) -> None:
    assert result(TRUC, HANDS, history) == Result(winner, stake)


def test_T4_call_and_then_the_bettor_must_play() -> None:
    assert position(TRUC, HANDS, "raise").legal == ("fold", "call")
    called = position(TRUC, HANDS, "raise call")
    assert (called.to_act, called.legal, called.stake) == (ELDER, CARDS, 2)
    assert position(TRUC, HANDS, "rest").legal == ("fold", "call")
    with pytest.raises(UsageError, match=r"'raise' is not legal here.*Allowed: fold, call"):
        position(TRUC, HANDS, "raise raise")


def test_T4_option_counter_raise() -> None:
    rules = rule_set("truc", counter_raise="true")
    countered = position(rules, HANDS, "raise raise")
    assert (countered.to_act, countered.stake) == (ELDER, 2)
    assert countered.legal == ("fold", "call", "raise")
    assert result(rules, HANDS, "raise raise fold") == Result(DEALER, 2)
    called = position(rules, HANDS, "raise raise call")
    assert (called.to_act, called.legal, called.stake) == (ELDER, CARDS, 4)
    assert position(rules, HANDS, "raise raise raise raise raise raise").legal == ("fold", "call")


def test_T5_rest_in_answer_accepts_the_raise() -> None:
    rules = rule_set("truc", remainder="both")
    assert position(rules, HANDS, "raise").legal == ("fold", "call", "rest")
    rested = position(rules, HANDS, "raise rest")
    assert (rested.to_act, rested.legal, rested.stake) == (ELDER, ("fold", "call"), 2)
    assert result(rules, HANDS, "raise rest fold") == Result(DEALER, 2)
    called = position(rules, HANDS, "raise rest call")
    assert (called.to_act, called.legal) == (ELDER, CARDS)
    assert result(rules, HANDS, "raise rest call 7 K 8 Q").amount == Prize.MATCH


def test_T5_a_rest_is_answered_only_by_fold_or_call() -> None:
    rules = rule_set("truc", remainder="both", counter_raise="true")
    assert position(rules, HANDS, "rest").legal == ("fold", "call")


@pytest.mark.parametrize(
    ("score", "history", "bets"),
    [
        ("0-0", "", {"raise", "rest"}),
        ("11-11", "", set()),  # stake 1 is all that both need
        ("11-10", "", {"raise"}),  # need 2: the next rung already is the match
        ("10-11", "7", {"raise"}),
        ("9-11", "", {"raise", "rest"}),  # need 3: rung 2 is not the match, a rest is
        ("9-11", "raise call 7", {"raise"}),  # stake 2, next rung 4 is the match
        ("8-8", "raise call 7", {"raise"}),
        ("8-8", "raise call 7 raise call K", set()),  # stake 4 = need
        ("0-11", "", {"raise", "rest"}),  # the needier side counts
        ("0-0", "rest call 7", set()),
        ("7-8", "raise call 7 raise call K", {"raise"}),  # stake 4, need 5, next rung 6
    ],
)
def test_T6_no_bet_beyond_what_both_need(score: str, history: str, bets: set[str]) -> None:
    now = position(TRUC, "7 8 A / K Q 9", history, score)
    assert {word for word in now.legal if word in ("raise", "rest")} == bets


def test_T6_where_the_ladder_ends_a_rest_is_still_offered() -> None:
    short = rule_set("truc", ladder="1,2")
    assert position(short, HANDS, "raise call 7").legal == ("K", "Q", "J", "rest")


def test_T6_in_an_answer_the_raise_counts_as_accepted() -> None:
    rules = rule_set("truc", remainder="both", counter_raise="true")
    assert position(rules, HANDS, "raise", "9-9").legal == ("fold", "call", "raise")
    assert position(rules, HANDS, "raise", "10-10").legal == ("fold", "call")
    assert position(rules, HANDS, "raise", "7-7").legal == ("fold", "call", "raise", "rest")


def test_T7_default_allows_raising_twice_running() -> None:
    assert position(TRUC, HANDS, "raise call 7 K").legal == ("8", "A", "raise", "rest")


def test_T7_option_alternate_raises_binds_raise_and_rest() -> None:
    assert position(LANES, HANDS, "raise call 7 K").legal == ("8", "A")
    assert position(LANES, HANDS, "raise call 7").legal == ("K", "Q", "J", "raise", "rest")
    answered = position(LANES, HANDS, "raise call 7 raise call K")
    assert (answered.to_act, answered.legal) == (ELDER, ("8", "A", "raise", "rest"))


def test_T7_a_counter_raise_hands_the_turn_to_bet_over() -> None:
    rules = rule_set("truc-lanes", counter_raise="true")
    assert position(rules, HANDS, "raise raise").legal == ("fold", "call", "raise")
    assert position(rules, HANDS, "raise raise call 7").legal == ("K", "Q", "J")
    assert "raise" in position(rules, HANDS, "raise raise call 7 K").legal


def test_T8_folding_without_a_bet_is_left_out_by_default() -> None:
    assert "fold" not in position(TRUC, HANDS).legal


@pytest.mark.parametrize(
    ("history", "winner", "amount", "stake"),
    [
        ("fold", DEALER, 1, 1),
        ("7 fold", ELDER, 1, 1),
        ("raise call 7 fold", ELDER, 2, 2),
        ("rest call 7 fold", ELDER, Prize.MATCH, 12),
    ],
)
def test_T8_option_free_fold(history: str, winner: int, amount: Amount, stake: int) -> None:
    rules = rule_set("truc", free_fold="true")
    assert result(rules, HANDS, history) == Result(winner, amount)
    assert position(rules, HANDS, history).stake == stake


def test_T8_a_called_bettor_must_play_even_with_free_fold() -> None:
    assert position(rule_set("truc", free_fold="true"), HANDS, "raise call").legal == CARDS


NEW_CARDS = ("9 9 9 / 7 7 T",)


def test_T9_option_redeal() -> None:
    rules = rule_set("truc", redeal="1")
    assert position(rules, HANDS, later=NEW_CARDS).legal == (*CARDS, "raise", "rest", "redeal")
    asked = position(rules, HANDS, "redeal", later=NEW_CARDS)
    assert (asked.to_act, asked.legal) == (DEALER, ("accept", "refuse"))
    refused = position(rules, HANDS, "redeal refuse", later=NEW_CARDS)
    assert (refused.to_act, refused.legal) == (ELDER, (*CARDS, "raise", "rest"))
    accepted = position(rules, HANDS, "redeal accept", later=NEW_CARDS)
    assert (accepted.to_act, accepted.legal, accepted.stake) == (ELDER, ("9", "raise", "rest"), 1)
    assert accepted.play("9").legal == ("7", "T", "raise", "rest")


def test_T9_only_before_the_lead() -> None:
    rules = rule_set("truc", redeal="1")
    for history in ("7", "7 K", "raise call"):
        assert "redeal" not in position(rules, HANDS, history, later=NEW_CARDS).legal


def test_T9_the_new_cards_come_from_the_same_stub() -> None:
    with pytest.raises(UsageError, match="5 cards of rank 9; allowed: 4"):
        position(rule_set("truc", redeal="1"), "9 9 8 / K Q J", later=("9 9 9 / 7 7 T",))
    with pytest.raises(UsageError, match="0 further deals were given for this hand; allowed: 1"):
        position(rule_set("truc", redeal="1"), HANDS)
    with pytest.raises(UsageError, match="1 further deals were given for this hand; allowed: 0"):
        position(TRUC, HANDS, later=NEW_CARDS)


def test_T10_the_winner_scores_the_stake() -> None:
    assert award(TRUC, points(3, 5), ELDER, 4) == points(5, 7)
    assert award(TRUC, points(3, 5), DEALER, 6) == points(11, 3)
    assert award(TRUC, points(3, 5), DEALER, 8) == DEALER
    assert award(TRUC, points(11, 11), ELDER, 12) == ELDER
    assert award(TRUC, points(3, 5), ELDER, Prize.MATCH) == ELDER


def test_T10_three_spoiled_tricks_score_nothing() -> None:
    drawn = result(TRUC, "7 8 A / 7 8 A", "raise call 7 7 8 8 A A", "3-5")
    assert next_score(TRUC, points(3, 5), drawn) == points(5, 3)
    rest = result(TRUC, "7 8 A / 7 8 A", "rest call 7 7 8 8 A A", "3-5")
    assert (rest.winner, rest.amount) == (None, Prize.MATCH)
    assert next_score(TRUC, points(3, 5), rest) == points(5, 3)


def test_T10_a_hand_cannot_pay_in_the_tokens_of_trut() -> None:
    with pytest.raises(UsageError, match="cannot pay 'petit'"):
        award(TRUC, points(0, 0), ELDER, Prize.PETIT)


def test_T11_seats_are_exchanged_after_every_hand() -> None:
    for elder in range(11):
        for dealer in range(11):
            assert award(TRUC, points(elder, dealer), ELDER, 1) == points(dealer, elder + 1)
            assert award(TRUC, points(elder, dealer), DEALER, 1) == points(dealer + 1, elder)
            assert award(TRUC, points(elder, dealer), None, 1) == points(dealer, elder)


@pytest.mark.parametrize(
    ("score", "ended", "elder_gains"),
    [
        ("0-0", Result(ELDER, 4), 4.0),
        ("0-0", Result(DEALER, 4), -4.0),
        ("10-0", Result(ELDER, 4), 2.0),
        ("10-0", Result(DEALER, 4), -4.0),
        ("3-10", Result(DEALER, 4), -2.0),
        ("3-10", Result(ELDER, Prize.MATCH), 9.0),
        ("3-10", Result(DEALER, Prize.MATCH), -2.0),
        ("3-10", Result(None, 4), 0.0),
    ],
)
def test_T12_points_are_cut_to_the_winners_need(score: str, ended: Result, elder_gains: float) -> None:
    assert payoff(TRUC, parse_score(TRUC, score), ended) == elder_gains


def test_T12_other_units_need_an_equity_table() -> None:
    with pytest.raises(UsageError, match="cannot be paid in the unit 'match'; allowed: points"):
        payoff(TRUC, start_score(TRUC), Result(ELDER, 1), unit="match")


@pytest.mark.parametrize("score", ["0-0", "9-10", "11-11"])
def test_T12_no_hand_pays_more_than_the_need(score: str) -> None:
    rules = rule_set("truc", ladder="1,2,12")
    at = parse_score(rules, score)
    needs = need(rules, at)
    for end in every_position(position(rules, "7 7 7 / 7 8 8", score=score)):
        if end.result:
            assert -needs[DEALER] <= payoff(rules, at, end.result) <= needs[ELDER]
