"""Records of hands: what is written is read again, and what is wrong is named with line and column."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.coach.reading import parse_records, read_records
from solver.coach.record import HEADER, changed_options, format_record, format_records, player_name
from solver.errors import FileError, TrucError, UsageError
from solver.rules.catalogue import load
from tests.coach.sitting import GAMES, Game, match_of, played_at_random

PLAIN = f"""{HEADER}
# a hand at the kitchen table

hand 1
rules: truc
set: ranks=3
score: 0-0
elder: Anna / 7 8 A
dealer: Bert / 7 7 ?
history: 8 7 raise call 7 7
result: dealer 2 points
"""


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.sampled_from(GAMES), st.integers(0, 10**9), st.integers(1, 30)), max_size=3),
    st.sampled_from(["elder", "dealer"]),
    st.text(alphabet="abcXYZ é,:'#-", min_size=1, max_size=12).filter(lambda name: name.strip(" ") == name),
)
def test_what_is_written_is_read_again(hands: list[tuple[Game, int, int]], seat: str, name: str) -> None:
    records = []
    for game, seed, most in hands:
        match = match_of(game, seed)
        match.human = int(seat == "dealer")
        records.append(played_at_random(match, random.Random(seed), most).record(name, f"{name}2"))
    text = format_records(records)
    assert parse_records(text) == records
    assert format_records(parse_records(text)) == text


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_changed_options_make_the_rules_again(game: Game) -> None:
    rules = load(game[0], game[1])
    assert load(rules.name, changed_options(rules)) == rules
    assert changed_options(load(game[0])) == {}


def test_names_are_compared_in_one_normal_form_and_shown_as_signs() -> None:
    """Letters and accents apart or together are one name; what would reach the terminal as a command is written out."""
    apart = PLAIN.replace("Anna", "Rene\u0301e").replace("Bert", "\x1b[31mBert\u202e")
    record = parse_records(apart)[0]
    assert record.players == ("Ren\xe9e", "\\x1b[31mBert\\u202e")
    assert parse_records(format_records([record])) == [record]
    with pytest.raises(UsageError, match="both players are called 'Ren\xe9e'"):
        parse_records(PLAIN.replace("Anna", "Rene\u0301e").replace("Bert", "Ren\xe9e"))
    assert player_name(" Zo\xeb\xa0M. ") == "Zo\xeb M."


def test_an_unfinished_hand_keeps_the_unseen_cards_unseen() -> None:
    match = match_of(GAMES[0])
    hand = match.deal()
    hand.play(hand.position.legal[0])
    record = hand.record("you", "solution")
    assert record.hands[1] == (None, None, None)
    assert record.result is None
    hand.play(hand.position.legal[0])
    assert len([card for card in hand.record("you", "solution").hands[1] if card is None]) == 2
    assert "? ?\n" in format_record(hand.record("you", "solution"))
    assert "result: unfinished" in format_record(record)


def test_a_record_written_by_hand_needs_little() -> None:
    text = f"{HEADER}\nhand 7\nrules: trut\nscore: 0-0\nelder: a / R D V\ndealer: b / ? ? ?\nhistory: d:trut fold\n"
    (record,) = parse_records(text)
    assert (record.number, record.history) == (7, ((1, "trut"), (0, "fold")))
    assert record.result is not None
    assert record.result.winner == 1
    assert parse_records(f"{HEADER}\n") == []


def test_cards_nobody_saw_are_filled_in_to_fit() -> None:
    text = PLAIN.replace("7 8 A", "? ? ?").replace("7 7 ?", "? ? ?")
    (record,) = parse_records(text)
    assert record.hands == ((None,) * 3, (None,) * 3)
    brelan = f"{HEADER}\nhand 1\nrules: trut-brelan\nscore: 0-0\nelder: a / ? ? ?\ndealer: b / K Q J\n"
    (said,) = parse_records(f"{brelan}history: brelan see 9 K\n")
    assert said.history[0] == (0, "brelan")


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "part"),
    [
        ("rules: truc", "rules: truk", 5, 8, "Did you mean"),
        ("rules: truc", "rule: truc", 5, 1, "'rule' is no key of a record. Did you mean 'rules'?"),
        ("set: ranks=3", "set: rnks=3", 6, 6, "rnks"),
        ("set: ranks=3", "set: ranks", 6, 6, "option=value"),
        ("set: ranks=3", "set: ranks=3\nset: ranks=4", 7, 6, "twice"),
        ("score: 0-0", "score: 12-0", 7, 8, "already won"),
        ("score: 0-0", "score: 0-0\nscore: 0-0", 8, 1, "twice"),
        ("Anna / 7 8 A", "Anna 7 8 A", 8, 8, "name / cards"),
        ("Anna / 7 8 A", "Anna / 7 8 K", 8, 15, "'K' at position 5"),
        ("Anna / 7 8 A", "Anna / 7 8", 8, 15, "2 cards"),
        ("Anna / 7 8 A", "Anna / 7 ?", 8, 15, "2 cards"),
        ("Anna / 7 8 A", "Anna / 7 x ?", 8, 15, "'x'"),
        ("Anna / 7 8 A", "Bert / 7 8 A", 9, 9, "both players"),
        ("Anna / 7 8 A", "Anna / 7 7 7", 8, 8, "6 cards of rank 7"),
        ("8 7 raise", "8 7 rase", 10, 14, "rase"),
        ("8 7 raise", "8 7 fold", 10, 14, "'fold' is not legal here"),
        ("call 7 7", "call 7 7 8", 10, 29, "nothing, the hand is over"),
        ("8 7 raise", "e:8 d:7 e:raise", 10, 18, "the other has to act"),
        ("8 7 raise call 7 7", "8 7 raise call 9 7", 10, 25, "'9'"),
        ("dealer 2 points", "dealer 1 points", 11, 9, "by the rules it is 'dealer 2 points'"),
        ("dealer 2 points", "unfinished", 11, 9, "dealer 2 points"),
        ("result: dealer 2 points", "more: 7 8 A", 11, 7, "cards / cards"),
        ("result: dealer 2 points", "more: 7 8 A / 8 8 A", 10, 28, "none can have come to be held"),
        ("hand 1", "hand one", 4, 1, "before the first hand"),
        ("score: 0-0\n", "", 4, 1, "no line 'score:'"),
    ],
)
def test_errors_name_line_and_column(old: str, new: str, line: int, column: int, part: str) -> None:
    assert parse_records(PLAIN)
    with pytest.raises(UsageError) as caught:
        parse_records(PLAIN.replace(old, new), "evening.txt")
    assert str(caught.value).startswith(f"evening.txt, line {line}, column {column}: "), caught.value
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "hand 1\n", "truc-solve record 2\n"])
def test_a_file_that_is_no_record(text: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(FileError, match=r"line 1, column 1: a record begins with the line 'truc-solve record 1'"):
        read_records(tmp_path / "a")


def test_a_file_for_other_rules_missing_or_no_text(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_text(PLAIN.replace("score:", "fingerprint: 0123\nscore:"))
    with pytest.raises(FileError, match="line 7, column 14: the fingerprint '0123' is not that of these rules"):
        read_records(place)
    place.write_bytes(b"\xff\xfe")
    for bad in (place, tmp_path / "b", tmp_path):
        with pytest.raises(TrucError) as caught:
            read_records(bad)
        assert caught.value.exit_code == 3
