"""What only the referee plays, new cards (T9) and singing in full (G5): refused by the tree, which plays the rest.

Once the asking is over the hand goes on by the ordinary rules with the cards then held, so from there on the referee is
compared with the tree of the ordinary rules. That neither changes a value is in tests/theorems.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import UsageError
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.openings import Keeping
from solver.rules.referee import Position, Referee
from solver.rules.score import Score, parse_score
from solver.strategy.solution import game_at
from solver.tree.build import build_game
from solver.tree.utility import points_utility
from tests.tree.side_by_side import Pair, play_both
from tests.tree.test_referee_moves import LADDER, SEEDS, SHARED, Hand, built, dealt

NEW_CARDS = r"^redeal=1 .* cannot change the value .*\(T9\).* take redeal=0\.$"
SINGING = r"^chanter=full .* cannot change its value \(G5\).* take chanter=theorem\.$"
REFUSED = [
    ("truc", "0-0", {"ranks": "3", "redeal": "1"}, NEW_CARDS),
    ("truc-lanes", "11-10", {"redeal": "1"}, NEW_CARDS),
    ("trut-gatine", "0.2-0.2", {"ranks": "3", "copies": "6", "tout_pate": "0", "chanter": "full"}, SINGING),
    ("trut-gatine", "0.0-0.0", {"chanter": "full"}, SINGING),
]


@pytest.mark.parametrize(("name", "score", "options", "sentence"), REFUSED, ids=str)
def test_T9_G5_what_the_tree_leaves_out_is_refused(
    name: str, score: str, options: dict[str, str], sentence: str
) -> None:
    rules = catalogue.load(name, options)
    at = parse_score(rules, score)
    with pytest.raises(UsageError, match=sentence):
        build_game(rules, at, points_utility(rules, at), "points")
    with pytest.raises(UsageError, match=sentence):
        game_at(rules, at, "points")


def play_on(start: Position, hands: Pair, hand: Hand, random: Random, merged: bool = True) -> Position:
    """The rest of the hand by the referee and by the tree of the ordinary rules."""
    assert start.to_act is not None
    game = built(hand.rules, hand.score, hand.unit, merged)
    return play_both(game, start, hands, random.choice, hand.expected)


@settings(max_examples=6, deadline=None)
@given(
    st.sampled_from([("3", "4"), ("3", "8,2,2"), ("2", "5,7")]),
    st.fixed_dictionaries({}, optional=LADDER),
    st.sampled_from([Score((0, 0), (0, 0)), Score((1, 0), (2, 0))]),
    SEEDS,
)
def test_T9_after_a_redeal_is_agreed_or_refused_the_plain_hand_is_played(
    deck: tuple[str, str], options: dict[str, str], score: Score, random: Random
) -> None:
    options = options | {"ranks": deck[0], "copies": deck[1], "ladder": "1,2"}
    plain = Hand(catalogue.load("truc", options), score, "points")
    asking = catalogue.load("truc", options | {"redeal": "1"})
    for _ in range(20):
        for answer in ("accept", "refuse"):
            deals = dealt(asking, random)
            asked = Referee(asking, score).start(deals[0], deals[1:])
            assert set(asked.legal) == {*Referee(plain.rules, score).start(deals[0]).legal, "redeal"}
            play_on(asked.play("redeal").play(answer), deals[answer == "accept"], plain, random)


def sung(start: Position, random: Random) -> tuple[Position, Pair]:
    """Both have sung, and each has kept three of his six cards."""
    at, kept = start.play("sing").play("sing"), []
    while isinstance(at, Keeping):
        word = random.choice(at.legal)
        kept.append(tuple(at.rules.ranks.index(rank) for rank in word.removeprefix("keep:").split("+")))
        at = at.play(word)
    return at, (kept[0], kept[1])


@settings(max_examples=6, deadline=None)
@given(
    st.sampled_from([("2", "6"), ("2", "5,7"), ("2", "8,4"), ("3", "2,8,2")]),
    st.fixed_dictionaries({}, optional=SHARED),
    st.booleans(),
    SEEDS,
)
def test_G5_after_the_singing_the_plain_hand_is_played(
    deck: tuple[str, str], options: dict[str, str], merged: bool, random: Random
) -> None:
    options = options | {"ranks": deck[0], "copies": deck[1], "tout_pate": "0"}
    plain, singing = (catalogue.load("trut-gatine", options | {"chanter": word}) for word in ("theorem", "full"))
    for score in (parse_score(plain, text) for text in ("3.2-6.2", "0.2-0.2")):
        hand = Hand(plain, score, "match")
        for _ in range(12):
            deals = dealt(singing, random)
            start = Referee(singing, score).start(deals[0], deals[1:])
            assert start.legal == start.play("sing").legal == ("sing", "refuse")
            play_on(start.play("refuse"), deals[0], hand, random, merged)
            play_on(start.play("sing").play("refuse"), deals[0], hand, random, merged)
            play_on(*sung(start, random), hand, random, merged)


@pytest.mark.parametrize("score", ["1.2-0.1", "0.1-1.2", "0.0-0.0"])
def test_G5_nobody_sings_where_one_side_lacks_a_petit(score: str) -> None:
    plain, singing = (rules_of(word) for word in ("theorem", "full"))
    random, hand = Random(score), Hand(plain, parse_score(plain, score), "match")
    for _ in range(25):
        deals = dealt(singing, random)
        start = Referee(singing, hand.score).start(deals[0])
        assert "sing" not in start.legal
        play_on(start, deals[0], hand, random)


def rules_of(chanter: str) -> RuleSet:
    return catalogue.load("trut-gatine", {"ranks": "3", "copies": "4", "tout_pate": "0", "chanter": chanter})
