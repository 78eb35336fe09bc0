"""Bad input of issue lists and of life: one sentence that names the value and what is allowed, nothing lost."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli import exits
from solver.solving import running
from solver.strategy import store
from solver.strategy.parquet import write_parquet
from tests.conftest import SMALL


def one_sentence(text: str) -> bool:
    """Whether this is one line that begins like an error and ends like a sentence."""
    return text.startswith("error: ") and text.count("\n") == 1 and text.rstrip()[-1] in ".?!)"


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["solve", "trucc"], ["'trucc'", "Did you mean 'truc'?"]),
        (["solve", "truc", "--set", "rank=3"], ["'rank'", "Did you mean 'ranks'?"]),
        (["solve", "truc", "--set", "remainder=bth"], ["'bth'", "both"]),
        (["solve", "truc", "--score", "12-3"], ["'12-3'", "already won", "0 to 11"]),
        (["solve", "truc", "--score", "7:10"], ["'7:10'", "7-10"]),
        (["solve", "trut", "--score", "7.0-0.0"], ["'7.0-0.0'", "0 to 6"]),
        (["solve", "truc", "--target", "-1"], ["'-1'", "--target", "above 0"]),
        (["solve", "truc", "--target", "little"], ["'little'", "above 0"]),
        (["solve", "truc", "--target", "nan"], ["'nan'", "above 0"]),
        (["solve", "truc", "--max-iterations", "0"], ["'0'", "at least 1"]),
        (["solve", "truc", "--max-time", "0"], ["'0'", "above 0"]),
        (["solve", "truc", "--threads", "0"], ["'0'", "at least 1"]),
        (["solve", "truc", "--unit", "pints"], ["pints", "points"]),
        (["solve", "truc", "--algorithm", "cfr*"], ["'cfr*'", "cfr+"]),
        (["estimate", "truc", "--algorithm", "dfcr"], ["'dfcr'", "Did you mean 'dcfr'?"]),
        (["query", "truc", "--hand", "7 8 A K"], ["has 4 cards", "a hand has 3"]),
        (["query", "truc", "--hand", "7 7 7 7 7"], ["5 times 7"]),
        (["query", "truc", "--set", "ranks=3", "--hand", "7 8 9"], ["'9' at position 5", "7 8 A"]),
    ],
)
def test_bad_words(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], parts: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert done.code == exits.USAGE, done.err
    assert done.out == ""
    assert one_sentence(done.err), done.err
    for part in parts:
        assert part in done.err
    assert list(tmp_path.rglob("*.parquet")) == []


def solve(run: Any, folder: Path, *words: str) -> Any:
    return run("solve", "truc", *SMALL, "--target", "0.05", "--out", str(folder), "--quiet", *words)


@pytest.mark.parametrize("place", ["file/solution", "file", "/proc/solution", "/dev/null/solution"])
def test_a_folder_that_cannot_be_written_is_found_before_solving(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr("solver.solving.door.game_at", lambda *words: pytest.fail("it was solved"))
    done = solve(run, tmp_path / place)
    assert done.code == exits.FILE
    assert one_sentence(done.err), done.err
    assert place in done.err
    assert "--out" in done.err
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(run: Any, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = solve(run, tmp_path / "s")
    tmp_path.chmod(0o700)
    assert done.code == exits.FILE
    assert "permission denied" in done.err


def test_a_folder_of_other_things_is_never_replaced(run: Any, tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "novel.txt").write_text("chapter one")
    for words in ((), ("--force",)):
        done = solve(run, tmp_path / "s", *words)
        assert done.code == exits.USAGE
        assert "'novel.txt'" in done.err
    assert (tmp_path / "s" / "novel.txt").read_text() == "chapter one"


def test_a_solution_of_another_game_is_replaced_only_by_force(run: Any, tmp_path: Path) -> None:
    solve(run, tmp_path / "s", "--score", "3-4")
    done = solve(run, tmp_path / "s")
    assert done.code == exits.USAGE
    assert "truc at 3-4" in done.err
    assert "--force" in done.err
    assert store.read_run(tmp_path / "s")["score"] == "3-4"
    assert solve(run, tmp_path / "s", "--force").code == exits.DONE
    assert store.read_run(tmp_path / "s")["score"] == "0-0"


@pytest.fixture
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, one of the test's own."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    return place


def no_space(*words: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_fills_up_loses_no_result(
    run: Any, tmp_path: Path, own_temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve(run, tmp_path / "s")
    before = {path.name: path.read_bytes() for path in (tmp_path / "s").iterdir()}
    def full(frame: Any, file: Any) -> None:
        if own_temporary_folder not in Path(file.name).parents:
            no_space()
        write_parquet(frame, file)

    monkeypatch.setattr(store, "write_parquet", full)
    done = solve(run, tmp_path / "s", "--target", "0.01")
    assert done.code == exits.RESOURCE
    assert one_sentence(done.err), done.err
    assert "no space left on device" in done.err
    kept = next(own_temporary_folder.glob("*/s"))
    assert f"'{kept}'" in done.err
    monkeypatch.undo()
    assert store.load(kept).claim.exploitability <= 0.01
    assert {path.name: path.read_bytes() for path in (tmp_path / "s").iterdir()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s", "temporary"]


def test_a_disk_full_everywhere_keeps_the_checkpoint(
    run: Any, tmp_path: Path, own_temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "write_parquet", no_space)
    done = solve(run, tmp_path / "s", "--max-iterations", "5", "--target", "1e-9")
    assert done.code == exits.RESOURCE
    assert "nor to the folder for temporary files" in done.err
    assert f"checkpoint {tmp_path / 's'}.checkpoint.npz is kept" in done.err
    assert list(own_temporary_folder.iterdir()) == []
    assert (tmp_path / "s.checkpoint.npz").exists()
    monkeypatch.undo()
    assert solve(run, tmp_path / "s", "--resume").code == exits.DONE


def test_a_checkpoint_that_cannot_be_written_does_not_stop_the_run(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(running, "write_checkpoint", no_space)
    done = solve(run, tmp_path / "s")
    assert done.code == exits.DONE
    assert "could not be written (no space left on device)" in done.err


def test_too_small_a_disk_is_found_before_solving(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("solver.solving.places.shutil.disk_usage", lambda place: usage._replace(free=1000))
    done = solve(run, tmp_path / "s")
    assert done.code == exits.RESOURCE
    assert "has 1000 bytes free, the result takes about" in done.err
    assert not (tmp_path / "s").exists()


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 96 kB, where this may be made."""
    place = tmp_path / "tiny"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_really_full(run: Any, tiny_disk: Path, own_temporary_folder: Path) -> None:
    (tiny_disk / "ballast").write_bytes(bytes(76_000))
    done = solve(run, tiny_disk / "s", "--force")
    assert done.code == exits.RESOURCE
    kept = next(own_temporary_folder.glob("*/s"))
    assert str(kept) in done.err
    assert store.load(kept).facts["reached_target"]
    assert [path.name for path in tiny_disk.iterdir()] == ["ballast"]
