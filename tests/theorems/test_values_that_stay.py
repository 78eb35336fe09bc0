"""Options that make another tree and may not make another value."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.theorems.against_program import by_solver, check_left_out, check_same_value


@pytest.mark.parametrize(
    ("name", "score", "options"),
    [
        ("truc", "0-0", {"ranks": "3", "copies": "4,2,2", "ladder": "1,2,4", "remainder": "off"}),
        ("truc", "8-10", {"ranks": "2", "copies": "4,3"}),
        ("truc-lanes", "9-7", {"ranks": "2", "copies": "5,3", "ladder": "1,3", "remainder": "both"}),
    ],
    ids=str,
)
def test_T8_folding_without_a_bet_changes_no_value(name: str, score: str, options: dict[str, str]) -> None:
    check_same_value(name, score, options, {"free_fold": "true"})


@pytest.mark.parametrize(
    ("score", "options"),
    [
        ("0-0", {"ranks": "3", "copies": "8,2,2", "ladder": "1,2", "remainder": "off"}),
        ("10-9", {"ranks": "2", "copies": "6"}),
        ("11-10", {"ranks": "2", "copies": "7,6", "all_tied": "elder", "lead_after_tie": "rotter"}),
    ],
    ids=str,
)
def test_T9_a_redeal_changes_no_value(score: str, options: dict[str, str]) -> None:
    check_left_out("truc", score, options, {"redeal": "1"})


@pytest.mark.parametrize(
    ("score", "options"),
    [("0.2-0.2", {"copies": "2,2,8"}), ("1.2-6.2", {"copies": "8,2,2", "all_tied": "elder"})],
    ids=str,
)
def test_G5_singing_in_full_changes_no_value(score: str, options: dict[str, str]) -> None:
    check_left_out("trut-gatine", score, options | {"ranks": "3", "tout_pate": "0"}, {"chanter": "full"})


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("trut", {"ranks": "3", "copies": "4,3,2"}),
        ("trut", {"ranks": "2", "copies": "5,3", "all_tied": "elder", "lead_after_tie": "previous_leader"}),
        ("trut-brelan", {"ranks": "2", "copies": "4"}),
    ],
    ids=str,
)
def test_U4_both_kinds_of_windows_have_one_value(name: str, options: dict[str, str]) -> None:
    """No theorem of the book, but so on every deck tried: see docs/judging.md."""
    one, other = (by_solver(name, "0.0-0.0", options | {"trut_window": w}) for w in ("any_time", "own_turn"))
    assert abs(one.value - other.value) <= one.nash_conv + other.nash_conv


@pytest.mark.parametrize("check", [check_same_value, check_left_out])
def test_a_rule_that_matters_is_told_apart(check: Callable[[str, str, dict[str, str], dict[str, str]], None]) -> None:
    """The comparison would see a difference: alternate raises (T7) change this value by more than its error."""
    options = {"ranks": "3", "copies": "2,2,4", "ladder": "1,2,4", "remainder": "off"}
    with pytest.raises(AssertionError, match="does not hold"):
        check("truc", "0-0", options, {"alternate_raises": "true"})
