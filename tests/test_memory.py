"""The least of all memory limits, in control groups of both versions, however they are nested."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver import memory
from solver.errors import ResourceError
from solver.memory import available_memory, check_limits, group_rooms, ran_out

MEBI = 2**20
PROC = {"proc/meminfo": "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n"}
V2 = {
    **PROC,
    "proc/self/cgroup": "0::/box/inner\n",
    "proc/self/mountinfo": "30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n",
    "sys/fs/cgroup/memory.max": "max\n",
    "sys/fs/cgroup/memory.current": "1\n",
}
V1 = {
    **PROC,
    "proc/self/cgroup": "5:cpu:/elsewhere\n4:memory:/box/inner\n",
    "proc/self/mountinfo": "30 25 0:26 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n"
    "31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
    "sys/fs/cgroup/memory/memory.usage_in_bytes": "1\n",
}


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "own_limits", lambda: iter(()))


def made(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def test_without_limits_it_is_what_the_machine_has(tmp_path: Path) -> None:
    assert available_memory(made(tmp_path, V2)) == 4096 * MEBI
    assert available_memory(made(tmp_path / "other", PROC)) == 4096 * MEBI


@pytest.mark.parametrize("folder", ["box", "box/inner"])
@pytest.mark.parametrize("limit", ["memory.max", "memory.high"])
def test_version_2_at_any_depth(folder: str, limit: str, tmp_path: Path) -> None:
    group = {f"sys/fs/cgroup/{folder}/{limit}": f"{1000 * MEBI}\n"}
    group |= {f"sys/fs/cgroup/{folder}/memory.current": f"{300 * MEBI}\n"}
    assert available_memory(made(tmp_path, {**V2, **group})) == 700 * MEBI


@pytest.mark.parametrize("folder", ["", "box", "box/inner"])
def test_version_1_at_any_depth(folder: str, tmp_path: Path) -> None:
    place = f"sys/fs/cgroup/memory/{folder}".rstrip("/")
    group = {f"{place}/memory.limit_in_bytes": f"{1000 * MEBI}\n"}
    group |= {f"{place}/memory.usage_in_bytes": f"{300 * MEBI}\n"}
    assert available_memory(made(tmp_path, {**V1, **group})) == 700 * MEBI


def test_a_container_sees_its_group_at_the_top(tmp_path: Path) -> None:
    """The mount shows only the container's own part of the hierarchy, while the path is that of the machine."""
    inside = {
        "proc/self/mountinfo": "30 25 0:26 /docker/x /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
        "proc/self/cgroup": "4:memory:/docker/x\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{500 * MEBI}\n",
    }
    assert available_memory(made(tmp_path, {**V1, **inside})) == 500 * MEBI - 1


def test_the_least_limit_counts(tmp_path: Path) -> None:
    groups = {"sys/fs/cgroup/box/memory.max": f"{900 * MEBI}\n"}
    groups |= {"sys/fs/cgroup/box/inner/memory.max": f"{800 * MEBI}\n"}
    groups |= {"sys/fs/cgroup/box/memory.current": f"{600 * MEBI}\n"}
    groups |= {"sys/fs/cgroup/box/inner/memory.current": f"{200 * MEBI}\n"}
    assert available_memory(made(tmp_path, {**V2, **groups})) == 300 * MEBI
    assert set(group_rooms(tmp_path)) == {600 * MEBI, 300 * MEBI}


@pytest.mark.parametrize(("version", "before"), [(2, ""), (1, "total_")])
def test_what_the_system_takes_back_is_free(version: int, before: str, tmp_path: Path) -> None:
    place = "sys/fs/cgroup/box" if version == 2 else "sys/fs/cgroup/memory/box"
    names = ("memory.max", "memory.current") if version == 2 else ("memory.limit_in_bytes", "memory.usage_in_bytes")
    group = {f"{place}/{name}": f"{size * MEBI}\n" for name, size in zip(names, (1000, 990), strict=True)}
    group[f"{place}/memory.stat"] = f"{before}inactive_file {600 * MEBI}\n{before}active_file {300 * MEBI}\nshmem 7\n"
    assert available_memory(made(tmp_path, {**(V2 if version == 2 else V1), **group})) == 910 * MEBI


def test_limits_of_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the libraries have yet to take is not free."""
    system = made(tmp_path, {**V2, "proc/self/status": f"VmSize: {700 * 1024} kB\nVmData: 1 kB\n"})
    monkeypatch.setattr(memory, "own_limits", lambda: iter([("ulimit -v", 3000 * MEBI, "VmSize:", 1000 * MEBI)]))
    assert available_memory(system) == 2000 * MEBI
    check_limits()
    monkeypatch.setattr(memory, "own_limits", lambda: iter([("ulimit -v", 3000 * MEBI, "VmSize:", 500 * MEBI)]))
    assert available_memory(system) == 2300 * MEBI
    monkeypatch.setattr(memory, "own_limits", lambda: iter([("ulimit -v", 900 * MEBI, "VmSize:", 1000 * MEBI)]))
    assert available_memory(system) == 0
    with pytest.raises(ResourceError, match=r"may take 900 MB of memory \(ulimit -v\), and needs 1000 MB"):
        check_limits()


def test_a_system_that_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf_names", {})
    assert available_memory(tmp_path) is None


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("can't start new thread"), OSError(12, "Cannot allocate memory")]
)
def test_ways_to_say_that_there_is_no_memory(error: Exception) -> None:
    assert ran_out(error)
    assert not ran_out(ValueError("no such card"))
