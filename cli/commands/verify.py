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
    "error_bound",
    "exact",
    "game_value",
    "ok",
)


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

    The judge shares no code with the solver. Each of its values is off by at most error_bound, nash_conv by
    twice that; "exact" says that the values were found in whole numbers. The value of the game itself lies
    within game_value, whatever the solver did. Exits 1 if a claim does not hold.

    Example:
      truc-solve verify truc
      truc-solve verify results/truc-0-0-points --exact --json
    """
    from cli.targets import Target, open_target
    from solver.strategy.store import claims
    from solver.strategy.verify import verify as judged

    solution = open_target(Target(target, settings, score, unit, results, quiet))
    verdict = judged(solution, claims(solution), exact)
    told = summary(solution, verdict)
    emit(told, json=json, columns=None if json else SHOWN)
    for fault in verdict.faults:
        warn(fault)
    return DONE if verdict.ok else CHECK_FAILED


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
