"""Hands and histories as text."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cards.notation import Token, format_card, format_hand, parse_hand, parse_history
from solver.errors import UsageError
from solver.rules.catalogue import load
from solver.rules.words import HISTORY_WORDS

TRUC = load("truc")
TRUT = load("trut")
MINI = load("trut-mini")
HANDS = st.lists(st.integers(0, 7), min_size=3, max_size=3).map(lambda hand: tuple(sorted(hand)))


@pytest.mark.parametrize(
    ("text", "hand"),
    [
        ("7 8 A", (0, 1, 2)),
        ("78A", (0, 1, 2)),
        ("a87", (0, 1, 2)),
        ("77T", (0, 0, 6)),
        ("7,7,10", (0, 0, 6)),
        ("7710", (0, 0, 6)),
        ("R D V", (3, 4, 5)),
        ("rdv", (3, 4, 5)),
        (" 9-9-9 ", (7, 7, 7)),
    ],
)
def test_hands_are_read(text: str, hand: tuple[int, ...]) -> None:
    assert parse_hand(TRUC, text) == hand


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7 8 A K", r"Hand '7 8 A K' has 4 cards, a hand has 3\."),
        ("7 8", r"has 2 cards"),
        ("", r"Hand '' has 0 cards"),
        ("7 7 7 7 7", r"has 5 cards, a hand has 3 and has 5 times 7, the deck only 4\."),
        ("7 8 Z", r"'Z' at position 5 of hand '7 8 Z' is not a card; allowed: 7 8 A K Q J T 9 \(or R for K"),
        ("72A", r"'2' at position 2 of hand '72A' is not in this deck"),
        ("7 1 A", r"'1' at position 3"),
    ],
)
def test_hands_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_hand(TRUC, text)


def test_a_reduced_deck_refuses_its_missing_cards() -> None:
    with pytest.raises(
        UsageError, match=r"'K' at position 5 of hand '7 8 K' is not in this deck; allowed: 7 8 A\."
    ):
        parse_hand(MINI, "7 8 K")
    with pytest.raises(UsageError, match=r"'10' at position 3 of hand '7 10 A' is not in this deck"):
        parse_hand(MINI, "7 10 A")
    with pytest.raises(UsageError, match=r"has 3 times 7, the deck only 2"):
        parse_hand(load("truc", {"copies": "2"}), "777")


def test_a_deck_may_have_labels_of_two_characters_and_french_ones() -> None:
    catalan = load("truc", {"ranks": "3 2 1 12 11 10 7 6 5 4"})
    assert parse_hand(catalan, "1 12 11") == (2, 3, 4)
    assert parse_hand(catalan, "3210") == (0, 1, 5)
    assert format_hand(catalan, (2, 3, 5), "fr") == "1 12 10"
    french = load("truc", {"ranks": "7 8 R K"})
    assert parse_hand(french, "R K 7") == (0, 2, 3)
    assert format_card(french, 3, "fr") == "K"


def test_a_hand_written_together_is_read_where_there_is_one_way_to() -> None:
    catalan = load("truc", {"ranks": "3 2 1 12 11 10 7 6 5 4"})
    assert parse_hand(catalan, "1111") == (2, 2, 4)
    assert parse_hand(catalan, "1 1 12") == (2, 2, 3)
    with pytest.raises(UsageError, match="has 2 cards, a hand has 3"):
        parse_hand(catalan, "12 11")
    with pytest.raises(UsageError, match=r"Hand '1112' can be read as 2 1 11 or 1 1 12; write the cards apart\."):
        parse_hand(catalan, "1112")
    assert parse_hand(load("truc", {"ranks": "1 0 T 7"}), "710") == (0, 1, 3)


def test_hands_are_written() -> None:
    assert format_hand(TRUC, (6, 3, 0)) == "7 K T"
    assert format_hand(TRUC, (6, 3, 0), "fr") == "7 R 10"


@given(HANDS, st.sampled_from(["en", "fr"]), st.sampled_from([" ", "", ","]), st.booleans())
def test_hands_are_read_as_they_are_written(
    hand: tuple[int, ...], lang: str, separator: str, lower: bool
) -> None:
    text = format_hand(TRUC, hand, "fr" if lang == "fr" else "en").replace(" ", separator)
    assert parse_hand(TRUC, text.lower() if lower else text) == hand


@given(st.text(max_size=12))
def test_any_text_is_a_hand_or_refused(text: str) -> None:
    with suppress(UsageError):
        assert len(parse_hand(TRUC, text)) == 3


def test_histories_are_read() -> None:
    assert parse_history(TRUC, " K raise CALL  d:9,e:A") == (
        Token(None, "K", 2),
        Token(None, "raise", 4),
        Token(None, "call", 10),
        Token(1, "9", 16),
        Token(0, "A", 20),
    )
    assert parse_history(TRUC, "") == ()


@pytest.mark.parametrize(("word", "in_truc", "in_trut"), [("call", "call", "see"), ("see", "call", "see")])
def test_call_and_see_are_the_same(word: str, in_truc: str, in_trut: str) -> None:
    assert parse_history(TRUC, word)[0].word == in_truc
    assert parse_history(TRUT, word)[0].word == in_trut


def test_other_names_of_cards_and_labels() -> None:
    words = [token.word for token in parse_history(TRUT, "R 10 v suite berlan keep:A78")]
    assert words == ["K", "T", "J", "tierce", "brelan", "keep:7+8+A"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("K rasie", r"'rasie' at position 3 of the history .* Did you mean 'raise'\?"),
        ("K x:9", r"'x:9' at position 3 of the history"),
        ("K d:", r"'d:' at position 3 of the history"),
        ("K 2", r"'2' at position 3 of the history is no card of this deck and no word\. .*Allowed: 7 8 A"),
    ],
)
def test_histories_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_history(TRUC, text)


@given(st.lists(st.tuples(st.sampled_from(["", "e:", "d:"]), st.sampled_from([*TRUC.ranks, *HISTORY_WORDS]))))
def test_histories_are_read_as_they_are_written(said: list[tuple[str, str]]) -> None:
    tokens = parse_history(TRUC, " ".join(seat + word for seat, word in said))
    assert [token.word for token in tokens] == [word.replace("see", "call") for _, word in said]
    assert [token.seat for token in tokens] == [{"": None, "e:": 0, "d:": 1}[seat] for seat, _ in said]
