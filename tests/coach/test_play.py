"""A match without a terminal: deals, choices, counting."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from solver.cards.notation import parse_hand
from solver.coach.play import LiveHand, Match, draw
from solver.coach.reading import parse_records
from solver.coach.record import format_records
from solver.coach.stored import advice_at, best_choice, solve_deck
from solver.errors import UsageError
from solver.query.advise import Advice, Choice
from solver.rules.catalogue import load
from solver.rules.referee import Referee
from solver.rules.score import parse_score
from tests.coach.sitting import GAMES, Game, match_of, played_at_random


def advice(**frequency: float) -> Advice:
    return Advice(
        "7 8 A", "", "elder", 1.0, 1.0, 0.0, [Choice(one, f, 0.0, 0.0, False) for one, f in frequency.items()]
    )


def test_the_opponent_draws_with_the_stored_frequencies() -> None:
    luck = random.Random(1)
    drawn = Counter(draw(advice(fold=0.25, call=0.75, rest=0.0), ("fold", "call", "rest"), luck) for _ in range(4000))
    assert drawn["call"] / 4000 == pytest.approx(0.75, abs=0.03)
    assert drawn["rest"] == 0


@pytest.mark.parametrize(("name", "option"), [("truc", "redeal=1"), ("trut-gatine", "chanter=full")])
def test_what_only_the_referee_plays_is_refused(name: str, option: str) -> None:
    options = dict([option.split("=")])
    with pytest.raises(UsageError, match=f"{option} is played by the referee only"):
        match_of((name, options, "0-0" if name == "truc" else "0.0-0.0"))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_same_seed_deals_the_same(game: Game) -> None:
    deals = [match_of(game, seed).deal().deals for seed in (4, 4, 5, 6)]
    assert deals[0] == deals[1]
    assert len(set(deals)) > 1


def test_K3_the_deal_alternates_and_scores_follow_the_players() -> None:
    match = match_of(("truc", {"ranks": "3"}, "3-1"))
    assert match.standing() == ((3, 0), (1, 0))
    hand = played_at_random(match, random.Random(2))
    match.settle(hand)
    result = hand.position.result
    assert result is not None
    assert isinstance(result.amount, int)
    gained = 0 if result.winner is None else result.amount
    mine, theirs = (3 + gained, 1) if result.winner == 0 else (3, 1 + gained)
    assert (match.human, match.number) == (1, 2)
    assert match.standing() == ((mine, 0), (theirs, 0))


@pytest.mark.parametrize(("plan", "seat"), [("elder", 0), ("dealer", 1)])
def test_a_seat_that_stays(plan: str, seat: int) -> None:
    rules = load("truc", {"ranks": "3"})
    match = Match(rules, parse_score(rules, "1-2"), 1, plan)  # type: ignore[arg-type]
    before = match.standing()
    for _ in range(3):
        hand = match.deal()
        assert hand.human == seat
        played = played_at_random(match, random.Random(3))
        match.settle(played)
        if match.winner is not None:
            break
        assert sum(side[0] for side in match.standing()) >= sum(side[0] for side in before)
        before = match.standing()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_matches_come_to_an_end(game: Game) -> None:
    match, luck = match_of(game), random.Random(7)
    while match.winner is None:
        match.settle(played_at_random(match, luck))
        assert match.number < 500


def test_G6_new_cards_after_three_rotten_tricks_are_played_by_a_solution_of_their_own() -> None:
    rules = load("trut-gatine", {"ranks": "3", "copies": "6"})
    deals = tuple((parse_hand(rules, a), parse_hand(rules, b)) for a, b in (("878", "878"), ("8 7 A", "7 7 A")))
    start = Referee(rules, parse_score(rules, "0.2-0.0")).start(deals[0], deals[1:])
    hand = LiveHand(1, 0, deals, start, random.Random(1))
    for token in ["hold", "8", "8", "7", "7", "8", "8"]:
        hand.play(token)
    assert hand.dealt_again() == 1
    assert hand.whole_hand() == hand.cards() == (0, 1, 2)
    solved = solve_deck(rules, (2, 4, 6), 1)
    assert solved is not None
    told = advice_at(solved, hand.position)
    assert told is not None
    assert {one.action for one in told.actions} == {"8", "7", "A"}
    assert all(0.0 <= one.ev <= 1.0 for one in told.actions)
    unfinished = hand.record("you", "solution")
    assert unfinished.more == (((0, 1, 2), (None, None, None)),)
    while hand.position.to_act is not None:
        more = advice_at(solved, hand.position)
        hand.play(hand.position.legal[0] if more is None else best_choice(more).action)
    text = format_records([unfinished, hand.record("you", "solution")])
    assert "more: 8 7 A / 7 7 A" in text
    assert format_records(parse_records(text)) == text


def test_G6_one_rank_left_needs_no_solution() -> None:
    assert solve_deck(load("trut-gatine", {"ranks": "2", "copies": "8"}), (0, 6), 0) is None
