"""What holds in every hand, whatever is played: hypothesis picks rules, score, cards and choices."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import UsageError
from solver.rules.catalogue import names
from solver.rules.model import RuleSet
from solver.rules.referee import Position, Referee, next_score, payoff, stub_deals
from solver.rules.score import Prize, Score, format_score, need, parse_score
from solver.rules.tricks import Deal
from tests.rules.played import position, rule_set

SWITCH = st.sampled_from(["true", "false"])
LADDER_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "remainder": st.sampled_from(["initiative", "answer", "both", "off"]),
        "alternate_raises": SWITCH,
        "counter_raise": SWITCH,
        "free_fold": SWITCH,
        "redeal": st.sampled_from(["0", "1"]),
        "ladder": st.sampled_from(["1", "1,3", "1,2,4,6,8,10,12", "2,4,6,10,12"]),
    },
)
TRUT_OPTIONS = st.fixed_dictionaries({}, optional={"trut_window": st.sampled_from(["any_time", "own_turn"])})
GATINE_OPTIONS = st.fixed_dictionaries(
    {}, optional={"labels": SWITCH, "tenir": SWITCH, "chanter": st.sampled_from(["off", "theorem", "full"])}
)
SHARED = st.fixed_dictionaries(
    {},
    optional={
        "ranks": st.sampled_from(["3", "5", "8"]),
        "all_tied": st.sampled_from(["none", "elder"]),
        "lead_after_tie": st.sampled_from(["previous_leader", "rotter"]),
    },
)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    name = draw(st.sampled_from([name for name in names() if "mini" not in name]))
    own = LADDER_OPTIONS if name.startswith("truc") else TRUT_OPTIONS
    options = draw(SHARED) | draw(own) | (draw(GATINE_OPTIONS) if name == "trut-gatine" else {})
    return rule_set(name, **options)


def scores(rules: RuleSet) -> st.SearchStrategy[Score]:
    petits = st.just(0) if rules.tokens == "points" else st.integers(0, 2)
    side = st.tuples(st.integers(0, rules.target - 1), petits)
    return st.builds(Score, side, side)


@st.composite
def hands_in_play(draw: st.DrawFn) -> Position:
    """The end of a hand in which every choice was drawn, each position on the way checked."""
    rules = draw(rule_sets())
    referee = Referee(rules, draw(scores(rules)))
    deck = draw(st.permutations([rank for rank, copies in enumerate(rules.copies) for _ in range(copies)]))
    deals: list[Deal] = [
        ((deck[i], deck[i + 1], deck[i + 2]), (deck[i + 3], deck[i + 4], deck[i + 5]))
        for i in range(0, len(deck) - 5, 6)
    ]
    kind = referee.kind.name
    later = rules.redeal if kind == "ladder" else stub_deals(rules) if kind in ("tenir", "chanter") else 0
    if kind == "chanter" and rules.chanter == "full":
        later = 1  # the cards that go back under the stub would make any further deal uncertain
    return play_out(referee.start(deals[0], deals[1 : 1 + later]), lambda legal: draw(st.sampled_from(legal)))


def play_out(start: Position, choose: Callable[[tuple[str, ...]], str]) -> Position:
    now = start
    for _ in range(200):
        if now.to_act is None:
            return now
        check_open(now)
        then = now.play(choose(now.legal))
        assert then.history[:-1] == now.history
        assert then.history[-1][0] == now.to_act
        assert then.stake >= now.stake
        now = then
    raise AssertionError("the hand does not end")


def check_open(now: Position) -> None:
    assert now.result is None
    assert now.legal
    assert len(set(now.legal)) == len(now.legal)
    with pytest.raises(UsageError, match=r"'nonsense' is not legal here"):
        now.play("nonsense")


def most_stake(rules: RuleSet, score: Score) -> int:
    """T6: nobody bets at or above what the needier side needs, so the last bet goes one rung over at most."""
    if rules.betting == "trut":
        return 3
    needed = max(need(rules, score))
    over = min((rung for rung in rules.ladder if rung >= needed), default=needed)
    return max(needed, over, rules.ladder[0])


@settings(max_examples=300, deadline=None)
@given(hands_in_play())
def test_every_hand_ends_as_the_book_allows(end: Position) -> None:
    assert end.result is not None
    assert (end.to_act, end.legal) == (None, ())
    with pytest.raises(UsageError, match="nothing, the hand is over"):
        end.play("fold")
    assert end.result.winner is None or not end.result.again
    paid = end.result.amount
    prizes = {Prize.PETIT: 1, Prize.LONG: 3, Prize.MATCH: max(need(end.rules, end.score))}
    assert end.stake == (prizes[paid] if isinstance(paid, Prize) else paid)
    assert end.stake <= most_stake(end.rules, end.score)
    words = [word for _, word in end.history]
    assert sum(word in ("trut", "brelan", "tierce", "pair") for word in words) <= 1
    assert sum(word == "redeal" for word in words) <= 1


@settings(max_examples=300, deadline=None)
@given(hands_in_play())
def test_every_result_pays_and_leads_to_a_score(end: Position) -> None:
    assert end.result is not None
    gain = payoff(end.rules, end.score, end.result)
    assert (gain > 0) == (end.result.winner == 0)
    assert (gain < 0) == (end.result.winner == 1)
    reached = next_score(end.rules, end.score, end.result)
    if end.result.again:
        assert reached == end.score
    elif isinstance(reached, Score):
        assert parse_score(end.rules, format_score(end.rules, reached)) == reached
    else:
        assert reached == end.result.winner


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_scores_are_read_as_they_are_written(data: st.DataObject) -> None:
    rules = data.draw(rule_sets())
    score = data.draw(scores(rules))
    assert parse_score(rules, format_score(rules, score)) == score


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_more_than_six_bets_without_counter_raises(data: st.DataObject) -> None:
    """T2: one bet per card to be played."""
    rules = rule_set("truc", target="99", ladder="1,2,3,4,5,6,7,8,9")
    start = position(rules, "7 8 A / 7 8 A")

    def eager(legal: tuple[str, ...]) -> str:
        bets = [word for word in legal if word in ("raise", "call")]
        return bets[0] if bets else data.draw(st.sampled_from(legal))

    end = play_out(start, eager)
    cards = sum(word in rules.ranks for _, word in end.history)
    assert sum(word == "raise" for _, word in end.history) == cards <= 6
