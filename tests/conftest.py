"""Small solutions that many tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

SMALL = ("--set", "ranks=3", "--set", "ladder=1,2")


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Truc with three ranks and one raise at 0-0, solved to 0.001 points."""
    from cli.app import main

    folder = tmp_path_factory.mktemp("small") / "truc3"
    assert main(["solve", "truc", *SMALL, "--target", "0.001", "--quiet", "--out", str(folder)]) == 0
    return folder
