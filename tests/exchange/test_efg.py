"""Extensive-form files: complete, consistent, and safe to read for other programs."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from solver.errors import UsageError
from solver.exchange.efg import check_exportable, write_efg
from solver.rules import catalogue
from solver.rules.score import parse_score

GAMES = [
    ("truc", "10-10", {"ranks": "2", "ladder": "1,2"}),
    ("truc-lanes", "9-8", {"ranks": "2", "copies": "3", "ladder": "1,2,4"}),
    ("trut-mini", "0.0-0.0", {"ranks": "2", "copies": "3"}),
    ("trut-mini", "6.2-0.0", {}),
    ("trut-gatine-mini", "0.2-0.0", {"tout_pate": "0"}),
]


@pytest.mark.parametrize(("name", "score", "options"), GAMES)
def test_a_file_is_a_complete_game(tmp_path: Path, name: str, score: str, options: dict[str, str]) -> None:
    rules = catalogue.load(name, options)
    path = tmp_path / "game.efg"
    nodes = write_efg(rules, parse_score(rules, score), path)
    lines = path.read_text("ascii").splitlines()
    assert lines[0].startswith("EFG 2 R ")
    body = [line for line in lines if line[:2] in ("c ", "p ", "t ")]
    assert len(body) == nodes
    chances = re.findall(r'" (\d+/\d+|\d+)', body[0].partition("{")[2])
    assert sum(map(Fraction, chances)) == 1
    children = {"c": len(chances)}
    seen: dict[tuple[str, str], str] = {}
    edges = children["c"]
    for line in body[1:]:
        if line.startswith("p "):
            player, number, label, actions = re.fullmatch(r'p "" (\d) (\d+) ("[^"]*") \{ (.*) \} 0', line).groups()  # type: ignore[union-attr]
            assert seen.setdefault((player, number), label + actions) == label + actions
            edges += actions.count('"') // 2
        else:
            elder, dealer = re.fullmatch(r't "" \d+ "" \{ (\S+) (\S+) \}', line).groups()  # type: ignore[union-attr]
            assert Fraction(elder) == -Fraction(dealer)
    assert edges == nodes - 1
    assert "," not in "".join(body)


def test_hands_with_new_cards_and_the_full_deck_are_refused() -> None:
    gatine = catalogue.load("trut-gatine-mini")
    with pytest.raises(UsageError, match="without new cards"):
        check_exportable(gatine, parse_score(gatine, "0.2-0.0"))
    truc = catalogue.load("truc")
    with pytest.raises(UsageError, match="smaller deck"):
        check_exportable(truc, parse_score(truc, "0-0"))
