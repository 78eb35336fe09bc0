"""The rule book is covered: every numbered rule has a test with its number in its name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

RULES = [
    f"{letter}{number}"
    for letter, last in (("K", 8), ("T", 12), ("U", 10), ("G", 7))
    for number in range(1, last + 1)
]


def rule_numbers(source: str) -> set[str]:
    """The rule numbers in the names of the test functions of a module, e.g. K5 in test_K5_who_leads."""
    names = [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_")
    ]
    return {part for name in names for part in name.split("_") if re.fullmatch(r"[KTUG]\d+", part)}


@pytest.fixture(scope="module")
def tested() -> set[str]:
    files = Path(__file__).parents[1].rglob("test_*.py")
    return {number for file in files for number in rule_numbers(file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("rule", RULES)
def test_rule_has_a_test(rule: str, tested: set[str]) -> None:
    assert rule in tested, f"no test function names rule {rule}"


def test_only_names_of_test_functions_count() -> None:
    source = "# test_K1_x\ndef test_K2_x(): 'test_K3_x'\ndef K4_x(): ...\nclass test_K5: ..."
    assert rule_numbers(source) == {"K2"}
