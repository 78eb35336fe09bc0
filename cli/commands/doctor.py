"""`doctor`: what is installed here and whether it works, with advice."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from cli.exits import CHECK_FAILED, DONE
from cli.options import FormatOption, JsonOption, OutOption, results_folder
from cli.output import emit, note
from cli.rows import Column
from cli.streams import is_unicode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGES = ("typer", "rich", "numpy", "numba", "llvmlite", "polars", "matplotlib", "platformdirs")
FULL_GAME_BYTES = 600 * 2**20


class Check(NamedTuple):
    """One finding; advice is "" when there is nothing to do."""

    name: str
    ok: bool
    detail: str
    advice: str = ""


def doctor(json: JsonOption = False, format: FormatOption = None, out: OutOption = None) -> int:
    """Say what is installed, whether the kernels compile and are kept, threads and memory, with advice.

    Exits 1 if something does not work.

    Example:
      truc-solve doctor
    """
    checks = list(findings())
    rows = [{"name": one.name, "ok": one.ok, "detail": one.detail} for one in checks]
    if json or format == "json":
        emit({"checks": rows}, json=json, format=format, out=out)
    else:
        emit(rows, format=format, out=out, columns=[Column("name", "check"), "ok", "detail"])
    for one in checks:
        if one.advice:
            note(f"{one.name}: {one.advice}", quiet=json)
    return DONE if all(one.ok for one in checks) else CHECK_FAILED


def findings() -> Iterator[Check]:
    """Every check in order; one that breaks is reported and does not stop the others."""
    checks: tuple[tuple[str, Callable[[], Check]], ...] = (
        ("python", _python),
        *((name, lambda name=name: _package(name)) for name in PACKAGES),
        ("kernels", _kernels),
        ("kernel cache", _kernel_cache),
        ("threads", _threads),
        ("memory", _memory),
        ("terminal", _terminal),
        ("results folder", _results),
    )
    for name, check in checks:
        try:
            yield check()
        except Exception as error:
            advice = "reinstall truc-solve in a fresh environment."
            yield Check(name, False, f"{type(error).__name__}: {error}", advice)


def _python() -> Check:
    ok = (3, 11) <= sys.version_info[:2] < (3, 15)
    advice = "" if ok else "use Python 3.11 to 3.14."
    detail = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return Check("python", ok, detail, advice)


def _package(name: str) -> Check:
    """Version of one package against the lower bound that this program declares."""
    from importlib.metadata import PackageNotFoundError, requires, version

    try:
        installed = version(name)
    except PackageNotFoundError:
        return Check(name, False, "not installed", f"install it with `pip install {name}`.")
    declared = [one.split(";")[0].strip() for one in requires("truc-solve") or () if "extra ==" not in one]
    least = next((one.removeprefix(f"{name}>=") for one in declared if one.startswith(f"{name}>=")), "0")
    ok = _numbers(installed) >= _numbers(least)
    advice = "" if ok else f"version {least} or later is needed: pip install -U {name}."
    return Check(name, ok, installed, advice)


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(int(part) for part in parts[:3] if part.isdigit())


def _kernels() -> Check:
    """Compile a kernel of one line through the solver's own decorator and run it."""
    import time

    import numpy as np

    from solver.jit import kernel

    def doubled(values: NDArray[np.float64]) -> None:
        for i in range(values.size):
            values[i] *= 2.0

    numbers = np.ones(3)
    started = time.perf_counter()
    kernel(doubled)(numbers)
    seconds = time.perf_counter() - started
    ok = numbers.tolist() == [2.0, 2.0, 2.0]
    advice = "" if ok else "numba gives wrong results here; reinstall numba and llvmlite."
    return Check("kernels", ok, f"a trial kernel compiled and ran in {seconds:.1f} s", advice)


def _kernel_cache() -> Check:
    from solver.jit import cache_folder

    folder = cache_folder()
    if folder is None:
        advice = "set TRUC_SOLVE_CACHE to a folder that can be written; until then every run compiles again."
        return Check("kernel cache", False, "no folder can be written", advice)
    kept = sum(1 for _ in folder.rglob("*.nbc"))
    return Check("kernel cache", True, f"{folder}, {kept} compiled")


def _threads() -> Check:
    from solver.solving.machine import usable_threads

    usable = usable_threads()
    advice = "" if usable > 1 else "with one core, solving takes about twice the time the documentation says."
    return Check("threads", True, f"{usable} usable of {os.cpu_count()} cores", advice)


def _memory() -> Check:
    from solver.solving.machine import available_memory

    free = available_memory()
    if free is None:
        return Check("memory", True, "this system does not say how much is free")
    ok = free >= FULL_GAME_BYTES
    advice = (
        ""
        if ok
        else "the full games need 600 MB: close other programs, or try a reduced deck (--set ranks=4)."
    )
    return Check("memory", ok, f"{free / 2**30:.1f} GiB free", advice)


def _terminal() -> Check:
    kind = "a terminal" if sys.stdout.isatty() else "not a terminal"
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    unicode = is_unicode(sys.stdout)
    advice = "" if unicode else "tables are drawn in ASCII; PYTHONUTF8=1 or a UTF-8 locale gives lines."
    return Check("terminal", True, f"stdout is {kind}, encoding {encoding}", advice)


def _results() -> Check:
    import tempfile

    folder = results_folder().absolute()
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            return Check("results folder", True, str(folder))
    except OSError as error:
        advice = "go to a folder you may write to, or name one with --results or TRUC_SOLVE_RESULTS."
        return Check("results folder", False, f"{folder}: {error.strerror}", advice)
