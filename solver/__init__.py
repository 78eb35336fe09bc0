"""Equilibrium strategies for the French card games Truc and Trut.

The names below are the Python interface, described in ``solver.api``. They are loaded when they are first used, so
``import solver`` by itself is quick.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

# numba and polars end the program over a number of threads that is none; what they take by default is right.
for _name in ("NUMBA_NUM_THREADS", "POLARS_MAX_THREADS"):
    if not re.fullmatch("0*[1-9][0-9]{0,3}", os.environ.get(_name, "1")):
        del os.environ[_name]

from solver import forks  # noqa: E402, F401  (what is forked from now on is told)

if TYPE_CHECKING:
    from solver.api import (
        chart,
        compare,
        convergence,
        equity,
        estimate,
        explain,
        judge,
        load,
        rows,
        rule_set,
        rule_sets,
        save,
        solve,
        stats,
        summary,
        table,
    )
    from solver.errors import FileError, ResourceError, TrucError, UsageError
    from solver.query.advise import Advice, advise
    from solver.query.compare import Comparison
    from solver.rules.model import RuleSet
    from solver.strategy.solution import Solution
    from solver.strategy.verify import Verdict

__all__ = [
    "Advice",
    "Comparison",
    "FileError",
    "ResourceError",
    "RuleSet",
    "Solution",
    "TrucError",
    "UsageError",
    "Verdict",
    "advise",
    "chart",
    "compare",
    "convergence",
    "equity",
    "estimate",
    "explain",
    "judge",
    "load",
    "rows",
    "rule_set",
    "rule_sets",
    "save",
    "solve",
    "stats",
    "summary",
    "table",
]
_ELSEWHERE = {
    "FileError": "solver.errors",
    "ResourceError": "solver.errors",
    "TrucError": "solver.errors",
    "UsageError": "solver.errors",
    "Advice": "solver.query.advise",
    "advise": "solver.query.advise",
    "Comparison": "solver.query.compare",
    "RuleSet": "solver.rules.model",
    "Solution": "solver.strategy.solution",
    "Verdict": "solver.strategy.verify",
}


def __getattr__(name: str) -> Any:
    """A name of the interface, at its first use."""
    if name not in __all__:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    found = getattr(import_module(_ELSEWHERE.get(name, "solver.api")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
