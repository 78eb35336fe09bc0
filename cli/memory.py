"""How much memory this process takes."""

from __future__ import annotations

import sys
from pathlib import Path

KIBI, MEBI, GIBI = 2**10, 2**20, 2**30


def resident_bytes() -> int:
    """Bytes of memory that this process holds now; its peak or 0 where the system tells no more."""
    return _status("VmRSS:") or peak_bytes()


def peak_bytes() -> int:
    """The most bytes of memory that this process has held; 0 where the system does not tell."""
    peak = _status("VmHWM:")
    if peak:
        return peak
    try:
        import resource
    except ImportError:
        return 0
    told = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return told if sys.platform == "darwin" else told * 1024


def _status(key: str) -> int:
    """A line of /proc/self/status, in bytes; 0 where there is none."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(key)), 0)


def sized(count: int) -> str:
    """A number of bytes as people say it: 900 bytes, 12 kB, 420 MB, 3.1 GB."""
    for size, unit in ((GIBI, "GB"), (MEBI, "MB"), (KIBI, "kB")):
        if count >= size:
            return f"{count / size:.{0 if unit == 'MB' and count >= 5 * MEBI else 1}f} {unit}"
    return f"{count} bytes"
