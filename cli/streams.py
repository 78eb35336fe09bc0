"""The streams of the process: what they cannot spell, and what they no longer take."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import TextIO

_PLAIN = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "⁻": "-", "×": "x", "·": "*", "…": "...", "≤": "<=", "≥": ">=", "±": "+-", "²": "^2"}
    | {"’": "'", "‘": "'", "«": '"', "»": '"', "“": '"', "”": '"', "œ": "oe", "Œ": "OE", "→": "->", "≈": "~"}
)
_SIZES = ("COLUMNS", "LINES", "TERMINAL_WIDTH")


#: spaces of French typography
_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


def prepare_streams() -> None:
    """Make every stream take all text, closed ones too, and leave only those settings of terminals that mean something.

    What an encoding lacks is spelled out; what a closed stream is told is dropped.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    codecs.register_error("truc-plain", _spelled_out)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="truc-plain")
    for name in _SIZES:
        if not re.fullmatch("0*[1-9][0-9]{0,4}", os.environ.get(name, "1")):
            del os.environ[name]
    if os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR") in ("0", "false"):
        os.environ.pop("FORCE_COLOR", None)


def buffer_stdout() -> None:
    """Give stdout the buffer that PYTHONUNBUFFERED takes from it: without one, what a full disk leaves is not told."""
    raw = getattr(sys.stdout, "buffer", None)
    if isinstance(raw, io.RawIOBase):
        whole = io.BufferedWriter(raw)
        sys.stdout = io.TextIOWrapper(whole, sys.stdout.encoding, sys.stdout.errors, line_buffering=True)


def _spelled_out(problem: UnicodeError) -> tuple[str, int]:
    """Error handler of the codecs: minus signs, accents and the like by their nearest ASCII, all else by its number."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lost = problem.object[problem.start : problem.end].translate(_PLAIN)
    bare = "".join(mark for mark in unicodedata.normalize("NFKD", lost) if not unicodedata.combining(mark))
    return bare.encode("ascii", "backslashreplace").decode(), problem.end


def escaped(text: str) -> str:
    """Text on one line as a terminal may get it: what cannot be printed is spelled out, bytes that are no text too."""
    return "".join(mark if mark.isprintable() or mark in _SPACES else _spelled(mark) for mark in text)


def _spelled(mark: str) -> str:
    """A character as an escape; a surrogate stands for a byte of a name that is not UTF-8."""
    code = ord(mark)
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else mark.encode("unicode_escape").decode()


def is_unicode(stream: TextIO) -> bool:
    """Whether the stream can print every character."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")


@contextlib.contextmanager
def while_read() -> Iterator[None]:
    """Print to stdout until nobody reads it any more; the rest is dropped, and the command goes on to its exit code."""
    try:
        yield
    except (BrokenPipeError, SystemExit):  # rich makes the second of the first
        abandon(sys.stdout)


def abandon(stream: TextIO) -> None:
    """Flush a stream; if it takes no more (a closed pipe, a full disk), drop the rest in silence."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
