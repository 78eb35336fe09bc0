"""run.json: what a solution is of, how it was made, what is claimed of it; the rules that match.json names as well."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from solver.errors import FileError, UsageError
from solver.evaluate.best_response import Evaluation
from solver.reading import parse_json
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import format_score
from solver.strategy.frames import judged_responses, own_responses
from solver.strategy.parquet import FILES, RUN
from solver.strategy.quantise import Counts
from solver.strategy.solution import Solution
from solver.tree.build import HandGame
from solver.tree.reading import payoff_arrays

FORMAT = 1
DERIVED = frozenset(
    {"format", "rules", "options", "fingerprint", "rules_digest", "score", "unit", "value", "best_response"}
    | {"nash_conv", "exploitability", "slots", "digest", "payoffs", "versions", FILES}
)
NUMBER = (int, float)
#: what the keys of run.json hold that are read again
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("rules", "fingerprint", "rules_digest", "score", "unit", "digest", "payoffs"), (str,)),
    **dict.fromkeys(("algorithm", "reason"), (str,)),
    **dict.fromkeys(("value", "nash_conv", "exploitability", "seconds", "target"), NUMBER),
    **dict.fromkeys(("slots", "iterations"), (int,)),
    **dict.fromkeys(("options", "versions", FILES), (dict,)),
    "reached_target": (bool,),
}
UNITS = ("points", "match")
#: characters of a value that a sentence quotes
SHOWN = 60


def digest(stored: Counts) -> str:
    """SHA-256 of the stored frequencies, little-endian."""
    return hashlib.sha256(np.ascontiguousarray(stored, "<u4").data).hexdigest()


def versions() -> dict[str, str]:
    """Versions of what the numbers depend on."""
    found = {}
    for package in ("truc-solve", "numpy", "numba", "polars"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def describe(solution: Solution) -> dict[str, Any]:
    """The content of run.json."""
    game, claim = solution.game, solution.claim
    return {
        "format": FORMAT,
        "rules": game.rules.name,
        "options": game.rules.options(),
        "fingerprint": game.rules.fingerprint,
        "rules_digest": rules_digest(game.rules),
        "score": format_score(game.rules, game.score),
        "unit": game.unit,
        **solution.facts,
        "value": claim.value,
        "best_response": list(own_responses(claim.best_response, game.unit)),
        "nash_conv": claim.nash_conv,
        "exploitability": claim.exploitability,
        "slots": len(solution.stored),
        "digest": digest(solution.stored),
        "payoffs": payoff_digest(game),
        "versions": versions(),
    }


def payoff_digest(game: HandGame) -> str:
    """SHA-256 of the tree's payoffs: what the hand was played for."""
    hashed = hashlib.sha256()
    for payoffs in payoff_arrays(game.tree, game.worth):
        hashed.update(payoffs.astype("<f8").tobytes())
    return hashed.hexdigest()


def rules_digest(rules: RuleSet) -> str:
    """The fingerprint of a rule set that covers its name: first 16 hexadecimal digits of a SHA-256."""
    return hashlib.sha256(f"{rules.name} {rules.fingerprint}".encode()).hexdigest()[:16]


def run_in(content: Mapping[str, bytes], folder: Path) -> dict[str, Any]:
    """run.json among the files of a folder, every key that is there of the right kind."""
    path = folder / RUN
    try:
        run = parse_json(content[RUN])
        newer = run["format"] > FORMAT
        if not newer:
            check_kinds(run, KINDS)
            if run.get("unit", UNITS[0]) not in UNITS:
                raise ValueError(f"its unit is {shortened(run['unit'])}")
            if "best_response" in run:
                [float(one) for one in pair(run["best_response"])]
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path, error) from error
    if newer:
        raise FileError(f"'{path}' has format {run['format']}; this version reads up to {FORMAT}: update truc-solve.")
    return run


def check_kinds(described: Mapping[str, Any], kinds: Mapping[str, tuple[type, ...]]) -> None:
    """ValueError names the first key that holds something of another kind."""
    for key, kind in kinds.items():
        value = described.get(key)
        if key in described and (not isinstance(value, kind) or (isinstance(value, bool) and bool not in kind)):
            raise ValueError(f"its {key} is {shortened(value)}")


def pair(value: object) -> tuple[float, float]:
    """Two numbers."""
    if not isinstance(value, list) or [type(one) in NUMBER for one in value] != [True, True]:
        raise ValueError(f"its best_response is {shortened(value)}")
    return value[0], value[1]


def shortened(value: object) -> str:
    """A value as a sentence quotes it."""
    text = repr(value)
    return text if len(text) < SHOWN else f"{text[:SHOWN]}…"


def as_given(value: object) -> str:
    """An option's value as it would be given."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def damaged(path: Path, error: Exception, again: str = "solve again or restore the file") -> FileError:
    """The sentence for a file whose content is not what was written; ``again``: what to do."""
    what = f"it lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split()).rstrip(".")
    return FileError(f"'{path}' is damaged ({what}); {again}.")


def rules_of(described: Mapping[str, Any], path: Path) -> RuleSet:
    """The rules that run.json or match.json names; FileError when they are none, or not those it was written with.

    Files of older versions have no digest that covers the name; there the name of a rule set goes with its betting.
    """
    try:
        rules = RuleSet(name=described["rules"], **described["options"])
        fingerprint = described["fingerprint"]
    except (KeyError, TypeError, ValueError, AttributeError, UsageError) as error:
        raise damaged(path, error) from error
    if rules.fingerprint != fingerprint:
        raise FileError(
            f"'{path}' names options whose fingerprint is {rules.fingerprint}, not {fingerprint}: it was made under "
            "other rules."
        )
    digest = described.get("rules_digest")
    preset = catalogue.load(rules.name) if rules.name in catalogue.names() else rules
    if rules.betting != preset.betting if digest is None else digest != rules_digest(rules):
        raise FileError(f"'{path}' names the rules '{rules.name}' over options that were solved under another name.")
    return rules


def claim_of(run: dict[str, Any]) -> Evaluation:
    """What run.json claims, as the judge would say it."""
    elder, dealer = (float(one) for one in run["best_response"])
    return Evaluation(float(run["value"]), judged_responses((elder, dealer), run["unit"]))


def facts_of(run: Mapping[str, Any]) -> dict[str, object]:
    """What run.json tells of the run itself: all that ``describe`` does not work out anew."""
    return {key: value for key, value in run.items() if key not in DERIVED}
