"""Files and folders that are written: whole or not at all, through what cannot be replaced, nothing left behind."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from solver import files
from solver.errors import FileError
from solver.files import add, alone_in, new_folder, room, sweep, write_bytes, written
from solver.places import check_file, check_folder
from solver.reading import read_bytes, read_folder
from tests.files.conftest import names_in

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name == "nt", reason="devices, links and locks of another system")
HELD = """
import sys, time
from pathlib import Path
from solver.files import new_folder, written
with {call}(Path(sys.argv[1])) as made:
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture(params=[True, False], ids=["exchanged", "renamed"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Both ways of replacing a folder; not every system has the first."""
    if not request.param:
        monkeypatch.setattr(files, "exchanged", lambda one, other: False)
    return bool(request.param)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of writing the folder `place`."""
    yield from writing(tmp_path / "place", "new_folder")


def writing(place: Path, call: str) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-c", HELD.format(call=call), str(place)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == "held\n"
        yield one
        one.kill()


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "new" / "file"
    write_bytes(place, b"old")
    place.chmod(0o640)

    def half() -> None:
        with written(place) as file:
            file.write(b"half")
            file.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert place.read_bytes() == b"old"
    write_bytes(place, b"new")
    assert place.read_bytes() == b"new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    assert names_in(place.parent) == ["file"]


def test_what_is_renamed_was_synced_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(handle: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("solver.files.os.fsync", refused)
    with pytest.raises(OSError, match="output error") as caught:
        write_bytes(tmp_path / "file", b"new")
    assert caught.value.filename == str(tmp_path / "file")
    with pytest.raises(OSError, match="output error"), new_folder(tmp_path / "folder") as beside:
        (beside / "run.json").write_text("{}")
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_device_stays_one(devices: Path, tmp_path: Path) -> None:
    write_bytes(devices / "null", b"away")
    assert stat.S_ISCHR((devices / "null").stat().st_mode)
    with pytest.raises(OSError, match="space") as caught:
        write_bytes(devices / "full", b"away")
    assert caught.value.filename == str(devices / "full")
    assert stat.S_ISCHR((devices / "full").stat().st_mode)
    (tmp_path / "link").symlink_to(devices / "null")
    write_bytes(check_file(tmp_path / "link"), b"away")
    assert (tmp_path / "link").is_symlink()


@posix
def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_bytes(check_file(pipe), b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
@pytest.mark.parametrize("place", ["/dev/fd/1", "/proc/self/fd/1", "stdout", "link"])
def test_what_a_process_has_open_is_added_to(place: str, tmp_path: Path) -> None:
    if not Path(place).parent.exists():
        pytest.skip("no such name on this system")
    (tmp_path / "stdout").symlink_to("/dev/fd/1")
    (tmp_path / "link").symlink_to("stdout")
    code = f"import os; from pathlib import Path; from solver.files import write_bytes; os.chdir({str(tmp_path)!r})\n"
    code += f"print('before', flush=True); write_bytes(Path({place!r}), b'data\\n')"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True, cwd=ROOT)
    assert (tmp_path / "out").read_text() == "before\ndata\n"


@posix
def test_links_are_followed(tmp_path: Path) -> None:
    target, link, folder = tmp_path / "target", tmp_path / "link", tmp_path / "folder"
    link.symlink_to("target")
    write_bytes(check_file(link), b"made")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"made")
    (tmp_path / "real").mkdir()
    folder.symlink_to("real")
    check_folder(folder)
    with new_folder(folder) as beside:
        (beside / "a").write_text("a")
    assert (folder.is_symlink(), (tmp_path / "real" / "a").read_text()) == (True, "a")
    assert names_in(tmp_path) == ["folder", "link", "real", "target"]


@posix
def test_what_cannot_be_written_is_refused_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "nowhere").symlink_to(tmp_path / "no" / "such" / "folder")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for check in (check_file, check_folder):
        for name, part in (("nowhere", "folder does not exist"), ("loop", "back to itself"), ("file/a", "a file")):
            with pytest.raises(FileError, match=part):
                check(tmp_path / name)
    with pytest.raises(FileError, match="is a folder"):
        check_file(tmp_path)
    with pytest.raises(FileError, match="is a file"):
        check_folder(tmp_path / "file")
    (tmp_path / "d" / "e").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "d" / "e")
    for here in (".", "..", "../../d", "../e", "../../d/e/../../d"):
        with pytest.raises(FileError, match="the folder you are in"):
            check_folder(Path(here))
    assert check_folder(Path("../f")) == (tmp_path / "d" / "f").resolve()


def told_another_user(work: Callable[[Path], str]) -> str:
    """What some work says that is done by a user who is not root, in a folder of his own."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o777)
        end, begin = os.pipe()
        child = os.fork()
        if child == 0:
            if os.getuid() == 0:
                os.setuid(65534)
            os.write(begin, work(place).encode())
            os._exit(0)
        os.close(begin)
        os.waitpid(child, 0)
        with os.fdopen(end) as said:
            return said.read()


def refusals(*calls: Callable[[], object]) -> str:
    """The sentences of what is refused, a line each."""
    sentences = []
    for call in calls:
        try:
            call()
        except FileError as error:
            sentences.append(str(error))
    return "\n".join(sentences)


@posix
def test_what_another_user_may_not_replace_or_read() -> None:
    def work(place: Path) -> str:
        (place / "locked").mkdir(mode=0o555)
        (place / "open").mkdir()
        (place / "open" / "secret").write_text("secret")
        (place / "open" / "secret").chmod(0o000)
        new = place / "locked" / "new"
        before = sorted(place.rglob("*"))
        told = refusals(
            lambda: check_folder(place / "locked"),
            lambda: check_folder(new),
            lambda: check_file(new),
            lambda: read_folder(place / "open", ["secret"]),
            lambda: read_bytes(place / "open" / "secret"),
        )
        return told if sorted(place.rglob("*")) == before else "something was left"

    lines = told_another_user(work).splitlines()
    parts = ["that is there does not allow it", *["locked' does not allow it"] * 2, *["secret' may not be read"] * 2]
    assert [part for part, line in zip(parts, lines, strict=True) if part not in line] == []


def test_a_folder_is_whole_or_as_it_was(tmp_path: Path, way: bool) -> None:
    place = tmp_path / "place"
    for content in ("first", "second"):
        with new_folder(place) as beside:
            (beside / "a").write_text(content)
        assert (place / "a").read_text() == content
    def refuse() -> None:
        raise FileError("not now")

    with pytest.raises(FileError, match="not now"), new_folder(place, refuse) as beside:
        (beside / "a").write_text("third")
    assert (place / "a").read_text() == "second"
    assert names_in(tmp_path) == ["place"]


def test_a_reader_gets_the_old_folder_or_the_new_one(tmp_path: Path, way: bool) -> None:
    place, ends = tmp_path / "place", threading.Event()
    names = ("a", "b", "c")

    def write(number: int) -> None:
        with new_folder(place) as beside:
            for name in names:
                (beside / name).write_text(str(number))

    def go_on() -> None:
        number = 1
        while not ends.is_set():
            write(number := number + 1)

    write(1)
    writer = threading.Thread(target=go_on)
    writer.start()
    try:
        seen = [read_folder(place, names)]
        deadline = time.monotonic() + 60
        while len({one["a"] for one in seen}) <= 10 and time.monotonic() < deadline:
            seen += [read_folder(place, names) for _ in range(100)]
    finally:
        ends.set()
        writer.join()
    assert all(one.keys() == {*names} and len({*one.values()}) == 1 for one in seen)
    assert len({one["a"] for one in seen}) > 10


@posix
def test_leftovers_of_killed_runs_are_swept_and_others_stay(held: subprocess.Popen[str], tmp_path: Path) -> None:
    place, mine = tmp_path / "place", tmp_path / ".place.notes"
    mine.write_text("mine")
    (left,) = (path for path in tmp_path.iterdir() if path != mine)
    sweep(place)
    assert left.exists()
    held.kill()
    held.wait()
    with new_folder(place):
        pass
    assert sorted(tmp_path.iterdir()) == [mine, place]


@posix
def test_a_file_left_by_a_killed_run_is_swept(tmp_path: Path) -> None:
    place = tmp_path / ("long name " * 20)
    for process in writing(place, "written"):
        assert len(list(tmp_path.iterdir())) == 1
        process.kill()
        process.wait()
        write_bytes(place, b"new")
    assert list(tmp_path.iterdir()) == [place]


def test_a_folder_moved_away_when_a_run_was_killed_is_put_back(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (place / "a").write_text("a")
    place.rename(files.hidden(place, "old-"))
    sweep(place)
    assert (place / "a").read_text() == "a"
    with room(place) as beside:
        assert beside.parent == tmp_path
    assert names_in(tmp_path) == ["place"]


@posix
def test_one_process_at_a_time_works_in_a_folder(held: subprocess.Popen[str], tmp_path: Path) -> None:
    (left,) = tmp_path.iterdir()
    with alone_in(left) as alone:
        assert not alone
    with alone_in(tmp_path) as alone:
        assert alone


def test_what_is_added_is_added_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "record"
    add(place, lambda before: before + b"one\n")
    add(place, lambda before: before + b"two\n")
    before = place.read_bytes()
    assert before == b"one\none\ntwo\n"
    monkeypatch.setattr("solver.files.os.fsync", lambda handle: 1 / 0)
    for name in ("record", "new"):
        with pytest.raises(ZeroDivisionError):
            add(tmp_path / name, lambda content: b"three\n")
    assert place.read_bytes() == before
    assert names_in(tmp_path) == ["record"]
