"""What this machine gives: cores, and memory that this process takes or can still have."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from solver.errors import ResourceError
from solver.solving.figures import sized


def usable_threads() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def resident_bytes() -> int:
    """Bytes of memory that this process holds now; its peak or 0 where the system tells no more."""
    return listed_bytes("/proc/self/status", "VmRSS:") or peak_bytes()


def peak_bytes() -> int:
    """The most bytes of memory that this process has held; 0 where the system does not tell."""
    peak = listed_bytes("/proc/self/status", "VmHWM:")
    if peak:
        return peak
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def available_memory() -> int | None:
    """Bytes that can be had now, the limit of a container included; None where the system does not tell."""
    free = listed_bytes("/proc/meminfo", "MemAvailable:")
    if free is None and "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ()):
        free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit, used = (cgroup_bytes(name) for name in ("memory.max", "memory.current"))
    if limit is not None and used is not None:
        room = max(limit - used, 0)
        free = room if free is None else min(free, room)
    return free


def check_memory(title: str, needed: int, forced: bool) -> None:
    """ResourceError when solving ``title`` takes more bytes beyond this process than there are, unless forced."""
    free = available_memory()
    if free is None or needed <= free or forced:
        return
    raise ResourceError(
        f"Solving {title} needs about {sized(resident_bytes() + needed)} of memory, "
        f"{sized(resident_bytes() + free)} can be had; take fewer ranks (--set ranks=4), or --force to try."
    )


def listed_bytes(file: str, key: str) -> int | None:
    """A line of a file of the system that counts kB, in bytes; None where there is none."""
    try:
        lines = Path(file).read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(key)), None)


def cgroup_bytes(name: str) -> int | None:
    """A figure of the container, None where there is none."""
    try:
        return int(Path("/sys/fs/cgroup", name).read_text())
    except (OSError, ValueError):
        return None
