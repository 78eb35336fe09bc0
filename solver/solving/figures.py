"""Time and memory as people say them."""

from __future__ import annotations

KIBI, MEBI, GIBI = 2**10, 2**20, 2**30


def sized(count: int) -> str:
    """A number of bytes: 900 bytes, 12.5 kB, 420 MB, 3.1 GB."""
    for size, unit in ((GIBI, "GB"), (MEBI, "MB"), (KIBI, "kB")):
        if count >= size:
            return f"{count / size:.{0 if unit == 'MB' and count >= 5 * MEBI else 1}f} {unit}"
    return f"{count} bytes"


def duration(seconds: float) -> str:
    """A span of time: 0.4 s, 12 s, 3 min 05 s, 2 h 10 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
