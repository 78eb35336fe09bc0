"""Which of several solutions answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solver.errors import FileError
from solver.query.locate import check_folder, nearest
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.solving.order import Question

RULES = catalogue.load("truc")


def folder(place: Path, score: str, unit: str = "points", exploitability: float = 0.005, **other: object) -> Path:
    """A folder with nothing but a run.json."""
    place.mkdir(parents=True)
    run = {
        "format": 1,
        "rules": "truc",
        "options": RULES.options(),
        "fingerprint": RULES.fingerprint,
        "score": score,
        "unit": unit,
        "exploitability": exploitability,
        **other,
    }
    (place / "run.json").write_text(json.dumps(run))
    return place


def wanted(score: str = "0-0", unit: str = "points") -> Question:
    return Question(RULES, parse_score(RULES, score), unit)


def test_the_score_itself_then_the_nearest(tmp_path: Path) -> None:
    far, near = folder(tmp_path / "far", "0-0"), folder(tmp_path / "near", "8-9")
    assert nearest(tmp_path, wanted("8-10")).folder == near  # type: ignore[union-attr]
    assert nearest(tmp_path, wanted("1-0")).folder == far  # type: ignore[union-attr]
    found = nearest(tmp_path, wanted("8-9"))
    assert found is not None
    assert found.distance == 0


def test_unit_before_score_and_the_better_of_two(tmp_path: Path) -> None:
    points = folder(tmp_path / "a", "5-5")
    match = folder(tmp_path / "runs" / "b", "0-0", "match")
    better = folder(tmp_path / "runs" / "c", "5-5", exploitability=0.001)
    assert nearest(tmp_path, wanted("0-0")).folder == better != points  # type: ignore[union-attr]
    assert nearest(tmp_path, wanted("0-0", "match")).folder == match  # type: ignore[union-attr]


def test_other_rules_damage_and_hidden_folders_are_passed_over(tmp_path: Path) -> None:
    folder(tmp_path / "other", "0-0", fingerprint="0" * 16)
    folder(tmp_path / ".unfinished", "0-0")
    folder(tmp_path / "odd", "nonsense")
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "run.json").write_text("{")
    assert nearest(tmp_path, wanted()) is None
    assert nearest(tmp_path / "nowhere", wanted()) is None


def test_a_folder_of_another_score_or_unit_is_refused(tmp_path: Path) -> None:
    place = folder(tmp_path / "a", "5-5")
    check_folder(place, None, "points")
    check_folder(place, "5-5", "points")
    with pytest.raises(FileError, match="solved at 5-5, not at 7-10"):
        check_folder(place, "7-10", "points")
    with pytest.raises(FileError, match="unit points, not match"):
        check_folder(place, None, "match")


@pytest.mark.parametrize(
    ("name", "ordinary", "special", "other_side"),
    [("trut", "0.0-0.0", "6.2-3.0", "3.0-6.2"), ("trut-gatine", "1.1-1.1", "1.2-1.1", "1.1-1.2")],
)
def test_U7_G4_a_special_hand_is_not_answered_from_an_ordinary_one(
    tmp_path: Path, name: str, ordinary: str, special: str, other_side: str
) -> None:
    rules = catalogue.load(name)
    of_rules: dict[str, Any] = {"fingerprint": rules.fingerprint}
    folder(tmp_path / "ordinary", ordinary, **of_rules)
    assert nearest(tmp_path, Question(rules, parse_score(rules, special), "points")) is None
    folder(tmp_path / "other", other_side, **of_rules)
    assert nearest(tmp_path, Question(rules, parse_score(rules, special), "points")) is None
    own = folder(tmp_path / "own", special, **of_rules)
    assert nearest(tmp_path, Question(rules, parse_score(rules, special), "points")).folder == own  # type: ignore[union-attr]
