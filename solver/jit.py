"""The one kernel decorator: compiled, cached, free of the interpreter lock.

numba's own cache keys a compiled function by the file it stands in and does not notice an edit in another
kernel that it calls. The cache folder is therefore named after a hash of every kernel source of the package.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs

# Eight neighbouring sums of a small matrix product become one vector instruction only with this pass, which numba
# leaves out by default: the sweep over the full game takes less than half the time with it.
numba.config.SLP_VECTORIZE = 1  # type: ignore[attr-defined]


#: modules whose numbers are compiled into kernels
CONSTANTS = ("rules/words.py", "tree/model.py")


def kernel_sources() -> list[Path]:
    """Every file whose edit must make the compiled kernels stale, in a fixed order."""
    package = Path(__file__).resolve().parent
    return [Path(__file__).resolve(), *(package / name for name in CONSTANTS), *sorted(package.glob("*/*kernels.py"))]


@cache
def cache_folder() -> Path | None:
    """Folder of the compiled kernels, made if need be; None when nothing is writable (then no cache is kept)."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in kernel_sources():
        digest.update(source.read_bytes())
    chosen = os.environ.get("TRUC_SOLVE_CACHE")
    try:
        home = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("truc-solve"))
        folder = home / "kernels" / digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        warnings.warn(
            "compiled kernels cannot be kept on disk, so every run compiles them again; "
            "set TRUC_SOLVE_CACHE to a writable folder",
            stacklevel=2,
        )
        return None


def kernel(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Compile ``function`` with numba on first use; division by zero follows IEEE rules, the GIL is released."""
    folder = cache_folder()
    settings: Any = numba.config
    kept = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder) if folder else kept
    try:
        compiled: Callable[..., Any] = numba.njit(
            cache=folder is not None, nogil=True, error_model="numpy", **options
        )(function)
    finally:
        settings.CACHE_DIR = kept
    return compiled


def borrower(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that makes no array and keeps none: nobody counts how often its arrays are referred to.

    The counting took a sixth of a sweep. Hazard: ``np.empty`` and its like do not compile here.
    """
    return kernel(function, _nrt=False)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A borrower that becomes part of whatever calls it."""
    return kernel(function, _nrt=False, forceinline=True)
