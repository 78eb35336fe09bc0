"""Time and memory as people say them."""

from __future__ import annotations

MEBI, GIBI = 2**20, 2**30


def sized(count: int) -> str:
    """A number of bytes: 420 MB, 3.1 GB."""
    return f"{count / MEBI:.0f} MB" if count < GIBI else f"{count / GIBI:.1f} GB"


def duration(seconds: float) -> str:
    """A span of time: 0.4 s, 12 s, 3 min 05 s, 2 h 10 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
