"""matplotlib imported whatever MPLBACKEND names: charts go into files, and a backend that is not here ends the import.

Whoever shows figures in this process, such as a notebook, still gets the backend that is named.
"""

from __future__ import annotations

import os
from contextlib import suppress

NAMED = os.environ.pop("MPLBACKEND", None)

import matplotlib  # noqa: E402

if NAMED is not None:
    os.environ["MPLBACKEND"] = NAMED
    with suppress(ValueError):
        matplotlib.rcParams["backend"] = NAMED
