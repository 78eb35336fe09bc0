"""`verify`: does a solution hold what it claims?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.exits import CHECK_FAILED, DONE
from cli.options import (
    JsonOption,
    QuietOption,
    ResultsOption,
    ScoreOption,
    SetOption,
    TargetArgument,
    UnitOption,
)
from cli.output import emit, warn

if TYPE_CHECKING:
    from pathlib import Path

    from solver.match.verify import MatchVerdict
    from solver.strategy.solution import Solution
    from solver.strategy.verify import Verdict

ExactOption = Annotated[
    bool | None,
    typer.Option(
        "--exact/--no-exact",
        metavar="",
        show_default=False,
        rich_help_panel="How to run",
        help="Compute in whole numbers, without any rounding; by default below a million sequences. "
        "Half a minute for the full game of Truc.",
    ),
]
SHOWN = (
    "rules",
    "score",
    "unit",
    "value",
    "best_response",
    "exploitability",
    "local_mean",
    "local_largest",
    "error_bound",
    "exact",
    "game_value",
    "ok",
)
MATCH_SHOWN = ("rules", "states", "value", "best_response", "exploitability", "error_bound", "game_value", "ok")
MOST_FAULTS = 20


def verify(
    target: TargetArgument,
    exact: ExactOption = None,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: UnitOption = "points",
    results: ResultsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Work out the value and both best responses of a stored solution again, and compare with its claims.

    Local exploitability is what a best response gains from a point on, also where the strategies never
    come: local_mean over the points that at most two mistakes lead to, local_largest at the worst of all.
    The judge shares no code with the solver. Each of its values is off by at most error_bound, nash_conv by
    twice that; "exact" says that the values were found in whole numbers. The value of the game itself lies
    within game_value, whatever the solver did. Exits 1 if a claim does not hold. Of a match folder every
    score is judged, and the bounds of the whole match; with --score the hand of that score alone.

    Example:
      truc-solve verify truc
      truc-solve verify results/truc-0-0-points --exact --json
    """
    from cli.targets import Target, match_of, open_target
    from solver.strategy.store import claims
    from solver.strategy.verify import verify as judged

    whole = match_of(target, score)
    if whole is not None:
        return verify_whole(whole, json, quiet)
    solution = open_target(Target(target, settings, score, unit, results, quiet))
    verdict = judged(solution, claims(solution), exact)
    told = summary(solution, verdict)
    local = {f"local_{key}": told["local_exploitability"][key] for key in ("mean", "largest")}
    emit(told if json else told | local, json=json, columns=None if json else SHOWN)
    for fault in verdict.faults:
        warn(fault)
    return DONE if verdict.ok else CHECK_FAILED


def verify_whole(folder: Path, json: bool, quiet: bool) -> int:
    """Judge every score of a match."""
    from cli.progress import Progress
    from solver.match.verify import verify_match
    from solver.rules.outcome import UNIT_NAMES

    with Progress(unit=UNIT_NAMES["match"], quiet=quiet) as progress:
        progress.stage("reading the match")
        verdict = verify_match(folder, lambda done, states: progress.update(f"{done} of {states} states judged"))
    told = match_summary(folder, verdict)
    emit(told, json=json, columns=None if json else MATCH_SHOWN)
    for fault in verdict.faults[:MOST_FAULTS]:
        warn(fault)
    return DONE if verdict.ok else CHECK_FAILED


def match_summary(folder: Path, verdict: MatchVerdict) -> dict[str, Any]:
    """The promised keys, for a whole match."""
    from solver.rules.score import format_score

    return {
        "rules": verdict.rules.name,
        "fingerprint": verdict.rules.fingerprint,
        "unit": "match",
        "states": len(verdict.found),
        "missing": [format_score(verdict.rules, score) for score in verdict.missing],
        **verdict.told(),
        "error_bound": verdict.error_bound,
        "ok": verdict.ok,
        "faults": verdict.faults,
        "path": folder,
    }


def summary(solution: Solution, verdict: Verdict) -> dict[str, Any]:
    """The promised keys, the claims, and which solution they are of."""
    from solver.rules.score import format_score

    game, exact = solution.game, verdict.exact
    fractions = None
    if exact is not None:
        fractions = {"value": str(exact.value), "best_response": [str(one) for one in exact.best_response]}
    return {
        "rules": game.rules.name,
        "fingerprint": game.rules.fingerprint,
        "score": format_score(game.rules, game.score),
        "unit": game.unit,
        **verdict.told(game.unit),
        "error_bound": verdict.error_bound,
        "exact": exact is not None,
        "fractions": fractions,
        "ok": verdict.ok,
        "faults": verdict.faults,
        "path": solution.path,
    }
