"""Rule sets: presets, options given as text, fingerprints, and what is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import FileError, ResourceError, TrucError, UsageError, near
from solver.rules.catalogue import load, names
from solver.rules.model import RuleSet
from solver.rules.options import OPTIONS


def test_presets() -> None:
    assert names() == [
        "truc",
        "truc-lanes",
        "trut",
        "trut-brelan",
        "trut-gatine",
        "trut-mini",
        "trut-gatine-mini",
    ]
    assert all(load(name).name == name for name in names())
    assert load(" TRUC ") is load("truc")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "truc",
            {"betting": "ladder", "tokens": "points", "target": 12, "lead_after_tie": "previous_leader"},
        ),
        ("truc", {"remainder": "initiative", "alternate_raises": False, "all_tied": "none", "redeal": 0}),
        ("truc-lanes", {"alternate_raises": True, "remainder": "initiative"}),
        ("trut", {"betting": "trut", "tokens": "exchange", "target": 7, "lead_after_tie": "rotter"}),
        ("trut", {"trut_window": "any_time", "fortial": True, "winner_keeps_petits": True, "brelan": False}),
        ("trut-brelan", {"brelan": True}),
        ("trut-gatine", {"tokens": "keep", "tenir": True, "chanter": "theorem", "tout_pate": 4}),
        ("trut-mini", {"ranks": ("7", "8", "A"), "copies": (4, 4, 4)}),
        ("trut-gatine-mini", {"ranks": ("8", "7", "A"), "copies": (4, 4, 4)}),
    ],
)
def test_preset_options(name: str, expected: dict[str, object]) -> None:
    options = load(name).options()
    assert {option: options[option] for option in expected} == expected


def test_every_field_is_a_described_option() -> None:
    assert {field.name for field in fields(RuleSet)} == {"name", *OPTIONS}
    for info in load("truc").describe():
        assert info.meaning
        assert info.allowed
        assert info.rule[0] in "KTUG"
        assert info.value == getattr(load("truc"), info.name)


@pytest.mark.parametrize("name", names())
def test_options_make_the_rule_set_again_even_after_json(name: str) -> None:
    rules = load(name)
    options: dict[str, Any] = json.loads(json.dumps(rules.options()))
    again = RuleSet(name=name, **options)
    assert again == rules
    assert again.fingerprint == rules.fingerprint


def test_fingerprints_tell_rules_apart_and_ignore_the_name() -> None:
    assert len({load(name).fingerprint for name in names()}) == len(names())
    assert replace(load("truc"), name="mine").fingerprint == load("truc").fingerprint
    assert load("trut", {"ranks": "3"}).fingerprint == load("trut-mini").fingerprint
    assert len(load("truc").fingerprint) == 16


def test_fingerprints_are_the_same_on_every_machine() -> None:
    """Solutions on disk are found by these: a change here makes them unreadable and must be deliberate."""
    assert load("truc").fingerprint == "fd93f98f64b89fdf"
    assert load("trut").fingerprint == "a2a0b4d907108a31"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"ranks": "3"}, {"ranks": ("7", "8", "A"), "copies": (4, 4, 4)}),
        ({"ranks": "3", "copies": "2"}, {"ranks": ("7", "8", "A"), "copies": (2, 2, 2)}),
        ({"ranks": "78A"}, {"ranks": ("7", "8", "A"), "copies": (4, 4, 4)}),
        ({"ranks": "a 8, 10", "copies": "4,4,2"}, {"ranks": ("A", "8", "T"), "copies": (4, 4, 2)}),
        ({"ranks": "7810"}, {"ranks": ("7", "8", "T"), "copies": (4, 4, 4)}),
        ({"ranks": "RDV10"}, {"ranks": ("K", "Q", "J", "T"), "copies": (4, 4, 4, 4)}),
        ({"ranks": "R D V 10"}, {"ranks": ("K", "Q", "J", "T"), "copies": (4, 4, 4, 4)}),
        ({"ranks": "7-8-a"}, {"ranks": ("7", "8", "A"), "copies": (4, 4, 4)}),
        ({"ranks": "7 8 R K"}, {"ranks": ("7", "8", "R", "K"), "copies": (4, 4, 4, 4)}),
        ({"copies": "3"}, {"copies": (3,) * 8}),
        ({"ladder": "1, 2,4"}, {"ladder": (1, 2, 4)}),
        ({"free-fold": "YES", "alternate_raises": "1"}, {"free_fold": True, "alternate_raises": True}),
        ({"counter_raise": "no"}, {"counter_raise": False}),
        (
            {"target": "5", "redeal": "1", "remainder": "Both"},
            {"target": 5, "redeal": 1, "remainder": "both"},
        ),
    ],
)
def test_options_given_as_text(texts: dict[str, str], expected: dict[str, object]) -> None:
    options = load("truc", texts).options()
    assert {name: options[name] for name in expected} == expected


def test_kept_ranks_keep_their_copies() -> None:
    uneven = load("truc", {"ranks": "78A", "copies": "1,2,4"})
    assert uneven.with_options({"ranks": "A7K"}).copies == (4, 1, 4)


@pytest.mark.parametrize(
    ("name", "texts", "message"),
    [
        (
            "truc",
            {"raks": "3"},
            r"There is no option 'raks'\. Did you mean 'ranks'\? The options are: ranks,",
        ),
        ("truc", {"name": "x"}, r"There is no option 'name'"),
        ("truc", {"ranks": "1"}, r"Option ranks .* cannot be '1'; allowed: 2 to 13 different labels"),
        ("truc", {"ranks": "7 7 8"}, r"Option ranks .* cannot be '7 7 8'"),
        ("truc", {"ranks": "110"}, r"The ranks '110' can be read in more than one way; write the labels apart"),
        ("truc", {"ranks": "É 7"}, r"allowed: labels of letters and digits, which 'É' is not"),
        ("truc", {"ranks": '" 7'}, r"allowed: labels of letters and digits, which '\"' is not"),
        ("truc", {"ranks": "* 7"}, r"allowed: labels of letters and digits, which '\*' is not"),
        ("truc", {"ranks": "٣ 7"}, r"allowed: labels of letters and digits, which '٣' is not"),
        ("truc", {"ranks": "SEE 7"}, r"allowed: labels that are no word of a history, which 'SEE' is"),
        ("truc", {"ranks": "1 11 111"}, r"which 1 1 111 and 1 11 11 do not"),
        ("truc", {"ranks": "12"}, r"cannot be '12'; allowed: at most the 8 ranks 7 8 A K Q J T 9"),
        ("truc", {"copies": "4,4"}, r"Option copies .* cannot be '4, 4'; allowed: 8 numbers, one a rank"),
        ("truc", {"copies": "9"}, r"Option copies .* allowed: 1 to 8"),
        ("truc", {"copies": "-1"}, r"Option copies .* cannot be '-1'"),
        ("truc", {"ranks": "2", "copies": "2"}, r"deck has 4 cards; allowed: at least 6"),
        ("truc", {"ladder": "1,2,2"}, r"Option ladder .* cannot be '1, 2, 2'; allowed: increasing"),
        ("truc", {"ladder": ""}, r"Option ladder .* cannot be ''"),
        ("truc", {"ladder": "0,1"}, r"Option ladder .* cannot be '0, 1'"),
        ("truc", {"target": "٣"}, r"Option target .* cannot be '٣'"),
        ("truc", {"target": "1_0"}, r"Option target .* cannot be '1_0'"),
        ("truc", {"target": "9" * 5000}, r"Option target .* cannot be '9+'"),
        ("truc", {"ranks": "9" * 5000}, r"Option ranks .* cannot be"),
        ("truc", {"target": "0"}, r"Option target .* cannot be '0'; allowed: 1 to 99"),
        ("truc", {"target": "1 2"}, r"Option target .* cannot be '1 2'"),
        ("truc", {"redeal": "2"}, r"Option redeal .* cannot be '2'; allowed: 0 or 1"),
        ("truc", {"redeal": "1", "ranks": "2"}, r"Option redeal .* allowed: 0 with a deck below 12 cards"),
        (
            "truc",
            {"remainder": "never"},
            r"Option remainder .* 'never'; allowed: initiative, answer, both, off",
        ),
        ("truc", {"free_fold": "perhaps"}, r"Option free_fold .* 'perhaps'; allowed: true, yes, 1, false"),
        (
            "truc",
            {"fortial": "yes"},
            r"Option fortial .* cannot be 'true'; allowed: its default false in games",
        ),
        (
            "truc",
            {"tokens": "keep"},
            r"Option tokens .* cannot be 'keep'; allowed: points with betting ladder",
        ),
        ("trut", {"tokens": "points"}, r"allowed: exchange or keep with betting trut"),
        ("trut", {"ladder": "1,2"}, r"Option ladder .* in games without ladder"),
        ("trut", {"tenir": "yes"}, r"Option tenir .* in games without keep"),
        ("trut-gatine", {"brelan": "yes"}, r"Option brelan .* in games without exchange"),
        ("trut-brelan", {"trut_window": "off"}, r"Option brelan .* false when trut_window is off"),
        ("trut-gatine", {"tout_pate": "5"}, r"Option tout_pate .* cannot be '5'; allowed: 0 to 4"),
        (
            "trut-gatine",
            {"chanter": "full", "ranks": "2"},
            r"Option chanter .* off or theorem with a deck below 12",
        ),
    ],
)
def test_what_is_refused(name: str, texts: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load(name, texts)


def test_unknown_rule_set() -> None:
    with pytest.raises(
        UsageError, match=r"There is no rule set 'turc'\. Did you mean 'truc'\? The rule sets are: truc,"
    ):
        load("turc")


@pytest.mark.parametrize(
    "wrong", [{"target": True}, {"free_fold": 1}, {"copies": (4.0,) * 8}, {"ranks": (7, 8, 9)}]
)
def test_values_of_the_wrong_type_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"cannot be"):
        replace(load("truc"), **wrong)


def test_exit_codes() -> None:
    assert [kind.exit_code for kind in (TrucError, UsageError, FileError, ResourceError)] == [1, 2, 3, 4]
    assert near("rasie", ["raise", "call"]) == " Did you mean 'raise'?"
    assert near("zzz", ["raise", "call"]) == ""


@given(st.sampled_from(names()), st.sampled_from(sorted(OPTIONS)), st.text(max_size=8))
def test_any_text_is_read_or_refused(name: str, option: str, text: str) -> None:
    with suppress(UsageError):
        assert load(name, {option: text}).fingerprint
