"""The tables of the page of findings, and of results/README, are what the book says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from solver.report import findings
from solver.rules import catalogue
from solver.strategy.shipped import shipped

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "findings.md"
MOST_BYTES = 8_000_000


def shown() -> list[str]:
    """The parts that the page has."""
    return [part for part in findings.PARTS if f"<!-- {part} -->" in PAGE.read_text("utf-8")]


def test_the_page_has_its_parts() -> None:
    assert len(shown()) >= 6


@pytest.mark.parametrize("part", shown())
def test_tables_are_made_from_the_book(part: str) -> None:
    text = PAGE.read_text("utf-8")
    found = re.search(rf"<!-- {part} -->\n\n(.*?)\n\n<!-- end of {part} -->", text, re.S)
    assert found is not None
    assert found[1] == "\n".join(findings.PARTS[part]()).strip()


def test_a_changed_figure_is_made_anew() -> None:
    text = PAGE.read_text("utf-8")
    planted = text.replace("<!-- end of ahead -->", "| truc | 99 % |\n\n<!-- end of ahead -->")
    assert findings.refreshed(planted) == text


def test_the_book_is_small_and_its_bounds_are_told() -> None:
    files = [path for path in (ROOT / "results" / "book").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    readme = (ROOT / "results" / "README.md").read_text("utf-8")
    for rules in findings.games():
        folder = shipped(catalogue.load(rules.name))
        assert folder is not None
        made = json.loads((folder / "match.json").read_text("utf-8"))
        assert made["states_done"] == made["states"]
        assert f"{made['nash_conv']:.5f}" in readme
