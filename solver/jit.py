"""The kernel decorators: compiled, kept on disk, free of the interpreter lock.

A compiled kernel depends on every kernel that it calls, so the folder they are kept in is named after a hash of every
kernel source of the package. numba's own cache is not used: one damaged file of it ends every later run.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

# Eight neighbouring sums of a small matrix product become one vector instruction only with this pass, which numba
# leaves out by default: the sweep over the full game takes less than half the time with it.
numba.config.SLP_VECTORIZE = 1  # type: ignore[attr-defined]

rebuilt: Callable[..., Any] = CompileResult._rebuild
written: Callable[[Any], bytes] = dumps

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

#: what all compiled kernels take on disk at most, and the file that stands there once all are kept
ROOM, MARK = 8 * 2**20, "compiled"
SUFFIX = ".nbc"
DIGEST_SIZE = hashlib.sha256().digest_size
#: modules whose numbers are compiled into kernels
CONSTANTS = ("rules/words.py", "tree/model.py")


def kernel_sources() -> list[Path]:
    """Every file whose edit must make the compiled kernels stale, in a fixed order."""
    package = Path(__file__).resolve().parent
    return [Path(__file__).resolve(), *(package / name for name in CONSTANTS), *sorted(package.glob("*/*kernels.py"))]


@cache
def cache_folder() -> Path | None:
    """Folder of the compiled kernels, made if need be; None when they cannot be kept, which is told once."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in kernel_sources():
        digest.update(source.read_bytes())
    chosen = os.environ.get("TRUC_SOLVE_CACHE")
    try:
        home = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("truc-solve"))
        folder = home / "kernels" / digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1 if (folder / MARK).exists() else ROOM))
        return folder
    except (OSError, RuntimeError) as error:
        tell_not_kept(getattr(error, "strerror", None) or str(error))
        return None


@cache
def tell_not_kept(why: str) -> None:
    """Warn once that every run compiles."""
    warnings.warn(
        f"compiled kernels cannot be kept on disk ({why.lower()}), so every run compiles them again; "
        f"set TRUC_SOLVE_CACHE to a folder that can be written and has {ROOM >> 20} MB free",
        stacklevel=2,
    )


@cache
def tell_damaged(folder: Path) -> None:
    """Warn once that kernels are compiled again."""
    warnings.warn(
        f"compiled kernels in '{folder}' are damaged or may not be read; they are thrown away and compiled again",
        stacklevel=2,
    )


def kept(place: Path) -> bytes:
    """What a file keeps; OSError or ValueError when it cannot be read or is not what was written."""
    content = place.read_bytes()
    code = content[DIGEST_SIZE:]
    if hashlib.sha256(code).digest() != content[:DIGEST_SIZE]:
        raise ValueError(f"'{place}' is damaged")
    return code


def damaged(folder: Path) -> list[Path]:
    """The files of a cache folder that will have to be compiled again, in order of their names."""
    return [place for place in sorted(folder.glob(f"*{SUFFIX}")) if not is_whole(place)]


def is_whole(place: Path) -> bool:
    """Whether a file is as it was written."""
    try:
        kept(place)
    except (OSError, ValueError):
        return False
    return True


class KernelCache:
    """What numba asks for the compiled forms of a kernel, a file each: SHA-256, then what numba makes of it.

    No file ends a run: one that cannot be used costs a compilation.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self.function, self.cache_path = function, folder

    def place(self, signature: Any, context: Any) -> Path:
        """The file of one form: a kernel for these types of arguments (field names included) on this processor."""
        types = [(str(one), getattr(one, "fields", ())) for one in getattr(signature, "args", signature)]
        key = f"{types} {context.codegen().magic_tuple()} {self.function.__code__.co_code.hex()}"
        name = f"{self.function.__module__}.{self.function.__name__}"
        return self.cache_path / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}{SUFFIX}"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled form, None where there is none to be used."""
        context.refresh()
        place = self.place(signature, context)
        try:
            return rebuilt(context, *pickle.loads(kept(place)))
        except FileNotFoundError:
            return None
        except Exception:
            with suppress(OSError):
                shutil.rmtree(place) if place.is_dir() else place.unlink()
            tell_damaged(self.cache_path)
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled form, if it holds no addresses of this process and the disk takes it."""
        if compiled.lifted or compiled.library.has_dynamic_globals:
            return
        code = written(compiled._reduce())
        place = self.place(signature, compiled.target_context)
        beside = place.with_name(f".{place.name}.{os.getpid()}")
        try:
            beside.write_bytes(hashlib.sha256(code).digest() + code)
            beside.replace(place)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            tell_not_kept(error.strerror or str(error))

    def flush(self) -> None:
        """numba calls this before it compiles all forms again, which are kept anew then."""


def kernel(function: Kernel, **options: Any) -> Kernel:
    """Compile ``function`` with numba on first use; division by zero follows IEEE rules, the GIL is released."""
    compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
    folder = cache_folder()
    if folder is not None:
        compiled._cache = KernelCache(function, folder)
    return cast(Kernel, compiled)


def borrower(function: Kernel) -> Kernel:
    """A kernel that makes no array and keeps none: nobody counts how often its arrays are referred to.

    The counting took a sixth of a sweep. Hazard: ``np.empty`` and its like do not compile here.
    """
    return kernel(function, _nrt=False)


def inlined(function: Kernel) -> Kernel:
    """A borrower that becomes part of whatever calls it."""
    return kernel(function, _nrt=False, forceinline=True)
