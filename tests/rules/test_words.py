"""The table of words: numbers that are stored, and roles that leave nothing out."""

from __future__ import annotations

import ast
from pathlib import Path

import solver
from solver import jit
from solver.rules.words import AGREES, GIVES_UP, PROPOSALS, SILENT, WORD, WORDS

PACKAGE = Path(solver.__file__).resolve().parent


def test_numbers_of_words_are_those_of_stored_solutions() -> None:
    assert list(WORD.items()) == [
        ("silent", 0), ("raise", 1), ("rest", 2), ("call", 3), ("fold", 4), ("trut", 5), ("see", 6), ("hold", 7),
        ("pass", 8), ("sing", 9), ("refuse", 10), ("brelan", 11), ("tierce", 12), ("pair", 13), ("redeal", 14),
        ("accept", 15),
    ]  # fmt: skip


def test_every_word_asks_agrees_gives_up_or_is_silence() -> None:
    assert sorted([*PROPOSALS, *AGREES, *GIVES_UP, SILENT]) == sorted(WORDS)


def test_an_edit_of_a_number_that_kernels_import_makes_them_stale() -> None:
    """The cache of compiled kernels is named after these files: one left out would keep the old number alive."""
    for kernels in PACKAGE.glob("*/*kernels.py"):
        nodes = ast.parse(kernels.read_text("utf-8")).body  # what only the types name stands deeper
        imported = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        ours = [name for name in imported if name.startswith("solver.")]
        files = {PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".py") for name in ours}
        assert files <= set(jit.kernel_sources()), kernels.name
