"""How much memory can still be had: the least that the machine, its control groups and its limits leave."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from solver.errors import ResourceError

#: by the type of a control group's file system: files of its limits, file of what is used, and the lines of memory.stat
#: that count what the system takes back when it is needed
GROUPS = {
    "cgroup2": (("memory.max", "memory.high"), "memory.current", ("inactive_file", "active_file", "slab_reclaimable")),
    "cgroup": (("memory.limit_in_bytes",), "memory.usage_in_bytes", ("total_inactive_file", "total_active_file")),
}
#: limits of a process: how a shell sets them, the line of /proc/self/status with what they count, and the MB that the
#: libraries take before anything is solved, and more of it a core (measured; polars ends the process when it gets less)
LIMITS = {"RLIMIT_AS": ("ulimit -v", "VmSize:", 1664, 16), "RLIMIT_DATA": ("ulimit -d", "VmData:", 384, 8)}
MEBI = 2**20
#: what libraries say when they get no memory, without a kind of error of their own
REFUSALS = ("not enough memory", "cannot allocate memory", "out of memory", "can't start new thread")


def available_memory(system: Path = Path("/")) -> int | None:
    """Bytes that this process can still have; None where the system does not tell. ``system`` is the root folder."""
    rooms = [*machine_room(system), *group_rooms(system), *limit_rooms(system)]
    return max(min(rooms), 0) if rooms else None


def machine_room(system: Path) -> Iterator[int]:
    """What the machine has left, or all of it where it does not tell."""
    free = counted(system / "proc/meminfo", "MemAvailable:")
    if free is not None:
        yield free * 1024
    elif hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def group_rooms(system: Path) -> Iterator[int]:
    """What every control group that this process is in, directly or not, leaves of its limit."""
    for kind, folder in group_folders(system):
        limits, usage, reclaimable = GROUPS[kind]
        used = number(folder / usage)
        taken_back = sum(counted(folder / "memory.stat", line) or 0 for line in reclaimable)
        for limit in limits:
            most = number(folder / limit)
            if most is not None and used is not None:
                yield most - max(used - taken_back, 0)


def group_folders(system: Path) -> Iterator[tuple[str, Path]]:
    """Type and folder of every control group of this process that may limit memory, the innermost first."""
    paths = [line.split(":", 2)[1:] for line in lines(system / "proc/self/cgroup") if line.count(":") > 1]
    for line in lines(system / "proc/self/mountinfo"):
        before, _, after = line.partition(" - ")
        root, place = before.split()[3:5]
        kind, _, options = after.split()[:3]
        controller = {"cgroup2": "", "cgroup": "memory"}.get(kind)
        if controller is None or (controller and controller not in options.split(",")):
            continue
        top = system / place.lstrip("/")
        for path in (path for names, path in paths if controller in names.split(",")):
            inner = path.removeprefix(root).strip("/") if path.startswith(root) else ""
            folder = top / inner
            yield from ((kind, one) for one in (folder, *folder.parents) if one.is_relative_to(top))


def limit_rooms(system: Path) -> Iterator[int]:
    """What the limits of this process itself leave once the libraries have what they take."""
    for _, most, line, taken in own_limits():
        yield most - max(taken, 1024 * (counted(system / "proc/self/status", line) or 0))


def own_limits() -> Iterator[tuple[str, int, str, int]]:
    """The limits of this process: how to set it, bytes, the line of what it counts, bytes that the libraries take."""
    try:
        import resource
    except ImportError:
        return
    cores = os.cpu_count() or 1
    for name, (command, line, all_cores, a_core) in LIMITS.items():
        most, _ = resource.getrlimit(getattr(resource, name))
        if most != resource.RLIM_INFINITY:
            yield command, most, line, MEBI * (all_cores + a_core * cores)


def check_limits() -> None:
    """ResourceError where the libraries would end the process, or wait for ever, for want of memory they may take."""
    for command, most, _, taken in own_limits():
        if most < taken:
            raise ResourceError(
                f"This process may take {most // MEBI} MB of memory ({command}), and needs {taken // MEBI} MB before "
                "anything is solved; raise the limit."
            )


def ran_out(error: BaseException) -> bool:
    """Whether an error says that the system gave no memory."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in REFUSALS)


def lines(place: Path) -> list[str]:
    """The lines of a file of the system, none where it cannot be read."""
    try:
        return place.read_text().splitlines()
    except OSError:
        return []


def number(place: Path) -> int | None:
    """The number in a file of the system; None where there is none, such as in "max"."""
    content = "".join(lines(place)).strip()
    return int(content) if content.isdecimal() else None


def counted(place: Path, name: str) -> int | None:
    """The number on the line of a name, None where there is none."""
    found = (line.split() for line in lines(place))
    return next((int(words[1]) for words in found if words[:1] == [name]), None)
