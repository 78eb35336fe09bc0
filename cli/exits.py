"""Exit codes, and the one sentence that goes with each failure."""

from __future__ import annotations

import errno
from typing import NamedTuple

import typer

from solver.errors import TrucError, near
from solver.memory import ran_out
from solver.places import FULL

DONE = 0
CHECK_FAILED = 1
TARGET_NOT_REACHED = 1
USAGE = 2
FILE = 3
RESOURCE = 4
INTERRUPTED = 130

_NO_MEMORY = "There is not enough memory; `truc-solve estimate` says how much a game needs."
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


class Failure(NamedTuple):
    """How a run ends: the exit code, and the sentence for stderr ("" says nothing)."""

    code: int
    sentence: str


class HaltError(Exception):
    """Carries what the option parser would otherwise swallow (Ctrl-C, a broken pipe) out of a command."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


def failure(error: BaseException) -> Failure:
    """The exit code and sentence for whatever ended a run.

    A broken pipe is not a failure: the reader has what it wanted.
    """
    if isinstance(error, HaltError):
        return failure(error.cause)
    if isinstance(error, TrucError):
        return Failure(error.exit_code, str(error))
    if isinstance(error, typer.TyperException):
        return Failure(USAGE, _usage_sentence(error))
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return Failure(INTERRUPTED, "Interrupted.")
    if ran_out(error):
        return Failure(RESOURCE, _NO_MEMORY)
    if isinstance(error, BrokenPipeError):
        return Failure(DONE, "")
    if isinstance(error, OSError) and error.errno is not None:
        return _file_failure(error)
    told = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".: ")
    return Failure(
        CHECK_FAILED,
        f"This is a fault of truc-solve, please report it ({told}); TRUC_SOLVE_DEBUG=1 shows where.",
    )


def _file_failure(error: OSError) -> Failure:
    """An error of the file system, told with the file's name where the system gives it."""
    name = f"{error.filename}" if error.filename is not None else "a file"
    if error.errno in FULL:
        return Failure(RESOURCE, f"The disk is full: {name} could not be written.")
    if error.errno in _FORBIDDEN:
        return Failure(FILE, f"{name} may not be read or written ({_reason(error)}); choose another place.")
    if isinstance(error, FileNotFoundError):
        return Failure(FILE, f"{name} does not exist.")
    return Failure(FILE, f"{name} cannot be used ({_reason(error)}).")


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _usage_sentence(error: typer.TyperException) -> str:
    """What the option parser complains of, as one sentence that names the value and what is allowed.

    The parser's own classes are private, so they are told apart by what they carry.
    """
    option = getattr(error, "option_name", None)
    known = getattr(error, "possibilities", None)
    where = getattr(getattr(error, "ctx", None), "command_path", "truc-solve")
    if isinstance(option, str) and known is not None:
        return f"{where} has no option {option!r}.{near(option, list(known))}"
    parameter = getattr(error, "param", None)
    if parameter is not None and not getattr(error, "message", ""):
        return f"{where} needs {parameter.get_error_hint()}; `{where} --help` shows an example."
    if parameter is not None:
        return f"{_given(error)} is not allowed for {parameter.get_error_hint()}: {_allowed(error.message)}"
    return f"{where}: {_line(error.format_message())}"


def _allowed(message: str) -> str:
    """The parser's complaint without what the sentence says already."""
    message = message.removeprefix("Value error, ")
    _, found, choices = message.partition("is not one of ")
    return _line(f"allowed are {choices}" if found else message)


def _given(error: BaseException) -> str:
    """The rejected text, which the parser's message often leaves out."""
    details = getattr(error.__cause__, "errors", None)
    found = details() if callable(details) else []
    return repr(found[0]["input"]) if found else "the value"


def _line(text: str) -> str:
    """The text on one line, ending like a sentence."""
    line = " ".join(text.split())
    return line if line.endswith((".", "?", "!", ")")) else f"{line}."
