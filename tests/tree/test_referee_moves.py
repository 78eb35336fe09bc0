"""The fast tree equals the referee move by move: hypothesis picks rules, score, cards and every choice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.rules import catalogue
from solver.rules.kinds import Kind
from solver.rules.model import RuleSet
from solver.rules.referee import Position, Referee, Result, next_score, payoff
from solver.rules.score import Amount, Prize, Score, parse_score
from solver.tree.build import HandGame, build_game
from solver.tree.utility import match_utility, points_utility
from tests.tree.side_by_side import Pair, play_both

SEEDS = st.integers(0, 2**32).map(Random)
SWITCH = st.sampled_from(["true", "false"])
DECKS = st.sampled_from(
    [("3", "4"), ("2", "3"), ("2", "8,1"), ("3", "1,4,2"), ("3", "4,3,2"), ("4", "2"), ("4", "1,3,4,1"), ("5", "3")]
)
TIERCES = {"2": "87", "3": "879", "4": "879T", "5": "879TJ"}  # decks in which a tierce (G7) can be held
SHARED = {
    "all_tied": st.sampled_from(["none", "elder"]),
    "lead_after_tie": st.sampled_from(["previous_leader", "rotter"]),
}
LADDER = SHARED | {
    "ladder": st.sampled_from(["1", "1,3", "1,2,4", "1,2,4,6,8,10,12", "2,4,6,10,12", "1,5,40"]),
    "remainder": st.sampled_from(["initiative", "answer", "both", "off"]),
    "alternate_raises": SWITCH,
    "counter_raise": SWITCH,
    "free_fold": SWITCH,
    "target": st.sampled_from(["12", "24", "3"]),
}
WINDOWS = {"trut_window": st.sampled_from(["any_time", "own_turn"])}
EXCHANGE = SHARED | WINDOWS | {"fortial": SWITCH, "brelan": SWITCH, "winner_keeps_petits": SWITCH}
KEEP = (
    SHARED
    | WINDOWS
    | {
        "labels": SWITCH,
        "tenir": SWITCH,
        "chanter": st.sampled_from(["off", "theorem"]),
        "tout_pate": st.sampled_from("04"),
    }
)
PRESETS = {"truc": LADDER, "truc-lanes": LADDER, "trut": EXCHANGE, "trut-brelan": EXCHANGE, "trut-gatine": KEEP}


def spoiled_share(hand: tuple[int, ...]) -> float:
    """Any chance that differs from hand to hand, for three spoiled tricks that are dealt again (G6)."""
    return 0.01 + sum(rank * 0.1**place for place, rank in enumerate(hand, 2))


def chance_of(score: Score) -> float:
    """Any equity that differs from score to score."""
    return Random(str(score)).random()


def chance_of_same(score: Score) -> float:
    return Random(f"same {score}").random()


def points(rules: RuleSet, score: Score, result: Result) -> float:
    """T12, U9 written out again: what the tree pays and what the referee says of it come from one function."""
    if result.winner is None:
        return 0.0
    side = (score.elder, score.dealer)[result.winner]
    tokens = {Prize.PETIT: 1, Prize.LONG: 3, Prize.MATCH: rules.target - side[0]}
    won = tokens[result.amount] if isinstance(result.amount, Prize) else min(result.amount, rules.target - side[0])
    return float(won if result.winner == 0 else -won)


def again_from_the_stub(rules: RuleSet, score: Score) -> bool:
    kind = Referee(rules, score).kind.name
    return rules.tout_pate > 0 and rules.all_tied == "none" and kind in (Kind.TENIR, Kind.CHANTER)


@dataclass(frozen=True)
class Hand:
    """The hand of some rules at a score, paid in a unit."""

    rules: RuleSet
    score: Score
    unit: str

    @property
    def game(self) -> HandGame:
        return built(self.rules, self.score, self.unit, True)

    def expected(self, end: Position) -> float:
        """Elder's payoff from the referee's result and the functions above."""
        assert end.result is not None
        if end.result.again and again_from_the_stub(self.rules, self.score):
            win, lose = (self.worth(Result(side, end.result.amount)) for side in (0, 1))
            return lose + (win - lose) * spoiled_share(tuple(sorted(trick.lead for trick in end.tricks)))
        return self.worth(end.result)

    def worth(self, result: Result) -> float:
        """What a result is worth to the elder where nothing is dealt again from the stub."""
        if self.unit == "points":
            paid = points(self.rules, self.score, result)
            assert payoff(self.rules, self.score, result) == paid
            return paid
        after = next_score(self.rules, self.score, result)
        if result.again:
            assert after == self.score
            return chance_of_same(self.score)
        return 1.0 - chance_of(after) if isinstance(after, Score) else float(after == 0)


@lru_cache(maxsize=20)
def built(rules: RuleSet, score: Score, unit: str, merged: bool) -> HandGame:
    utility = points_utility(rules, score)
    if unit == "match":
        utility = match_utility(rules, score, chance_of, chance_of_same)
    ties = spoiled_share if again_from_the_stub(rules, score) else None
    return build_game(rules, score, utility, unit, merged, ties)


def scores(rules: RuleSet) -> st.SearchStrategy[Score]:
    """All scores, the special ones of Trut and those near the end more often."""
    main = st.one_of(st.integers(0, rules.target - 1), st.sampled_from([0, rules.target - 1, max(rules.target - 2, 0)]))
    petits = st.just(0) if rules.tokens == "points" else st.sampled_from([0, 1, 2, 2])
    side = st.tuples(main, petits)
    return st.builds(Score, side, side)


@st.composite
def reduced_hands(draw: st.DrawFn) -> Hand:
    name = draw(st.sampled_from(sorted(PRESETS)))
    ranks, copies = draw(DECKS)
    if name == "trut-gatine":
        ranks = TIERCES[ranks]
    options = draw(st.fixed_dictionaries({}, optional=PRESETS[name]))
    rules = catalogue.load(name, {"ranks": ranks, "copies": copies, **options})
    return Hand(rules, draw(scores(rules)), draw(st.sampled_from(["points", "match"])))


def dealt(rules: RuleSet, random: Random) -> list[Pair]:
    """One deal, and a second one from the stub where six cards are left."""
    cards = [rank for rank, copies in enumerate(rules.copies) for _ in range(copies)]
    random.shuffle(cards)
    threes = [tuple(sorted(cards[i : i + 3])) for i in range(0, len(cards) - 2, 3)]
    return list(zip(threes[::2], threes[1::2], strict=False))[:2]


def play_random_hand(hand: Hand, game: HandGame, random: Random) -> Position:
    hands = dealt(hand.rules, random)[0]
    return play_both(game, Referee(hand.rules, hand.score).start(hands), hands, random.choice, hand.expected)


@pytest.mark.parametrize("merged", [True, False], ids=["merged", "card by card"])
@settings(max_examples=25, deadline=None)
@given(reduced_hands(), SEEDS)
def test_hands_of_reduced_decks_play_alike(merged: bool, hand: Hand, random: Random) -> None:
    """With the third trick as one block, and laid card by card."""
    game = built(hand.rules, hand.score, hand.unit, merged)
    for _ in range(8):
        play_random_hand(hand, game, random)


FULL = [
    ("truc", {}, "0-0"),
    ("truc", {"remainder": "both", "counter_raise": "true", "free_fold": "true", "ladder": "1,3,7"}, "5-8"),
    ("truc-lanes", {}, "7-10"),
    ("trut", {}, "5.2-6.0"),
    ("trut", {"trut_window": "own_turn"}, "0.0-0.0"),
    ("trut", {}, "6.2-3.0"),
    ("trut", {}, "6.2-6.2"),
    ("trut-brelan", {}, "0.0-1.1"),
    ("trut-gatine", {"labels": "true"}, "1.1-0.0"),
    ("trut-gatine", {}, "0.1-0.2"),
    ("trut-gatine", {}, "3.2-0.2"),
    ("trut-mini", {}, "0.0-0.0"),
    ("trut-gatine-mini", {}, "0.0-0.0"),
]


@pytest.mark.parametrize(("name", "options", "score"), FULL, ids=str)
def test_presets_on_the_whole_deck_play_alike(name: str, options: dict[str, str], score: str) -> None:
    rules = catalogue.load(name, options)
    hand, random = Hand(rules, parse_score(rules, score), "points"), Random(f"{name} {score}")
    for _ in range(40):
        play_random_hand(hand, hand.game, random)


def test_every_preset_is_in_the_list() -> None:
    assert {name for name, _, _ in FULL} == set(catalogue.names())


WORDS = {
    "truc": ["raise", "rest", "call", "fold"],
    "trut-brelan": ["trut", "see", "silent", "brelan", "fold", "pass"],
    "trut-gatine": ["tierce", "pair", "brelan", "hold", "pass"],
}


@pytest.mark.parametrize("name", list(WORDS))
def test_random_hands_say_every_word_and_end_in_every_way(name: str) -> None:
    """The tests above would prove little if the drawn hands never came to a point."""
    random = Random(1)
    said: set[str] = set()
    ends: set[tuple[Amount, int | None, int]] = set()
    options = {"labels": "true", "ranks": "879"} if name == "trut-gatine" else {"ranks": "3"}
    rules = catalogue.load(name, options | {"copies": "4,3,3"})
    for text in {"ladder": ["0-0", "7-3", "3-7"], "trut": ["0.0-0.0", "6.2-1.1", "6.1-6.2"]}[rules.betting]:
        hand = Hand(rules, parse_score(rules, text), "match")
        for _ in range(60):
            end = play_random_hand(hand, hand.game, random)
            assert end.result is not None
            said.update(word for _, word in end.history)
            ends.add((end.result.amount, end.result.winner, len(end.tricks)))
    assert set(WORDS[name]) <= said
    assert {winner for _, winner, _ in ends} == {0, 1, None}
    assert {tricks for _, _, tricks in ends} == {0, 1, 2, 3}
    prizes = {amount for amount, _, _ in ends if isinstance(amount, Prize)}
    points = {amount for amount, _, _ in ends} - prizes
    assert prizes == ({Prize.MATCH} if rules.betting == "ladder" else {Prize.PETIT, Prize.LONG})
    assert bool(points) == (rules.betting == "ladder")
