"""`solve`: one hand, from a rule set to a solution folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import (
    EquityOption,
    JsonOption,
    MaxIterationsOption,
    MaxTimeOption,
    QuietOption,
    ResultsOption,
    ResumeOption,
    RulesArgument,
    ScoreOption,
    SetOption,
    ThreadsOption,
    ToleranceOption,
    Unit,
    UnitOption,
)
from cli.output import emit

if TYPE_CHECKING:
    from cli.runs import Order

AlgorithmOption = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        rich_help_panel="How to run",
        help="The update rule: cfr, cfr+, cfr+q, linear, dcfr, pcfr+, sapcfr+, pdcfr+ or dpcfr+. "
        "By default the one that reaches a given exploitability first on the full games.",
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        rich_help_panel="How to run",
        help="The solution folder; by default RULES-SCORE-UNIT in the results folder.",
    ),
]
ForceOption = Annotated[
    bool,
    typer.Option(
        "--force",
        metavar="",
        rich_help_panel="How to run",
        help="Go on with too little memory or disk, and replace a solution of another game.",
    ),
]
SUMMARY = (
    "rules",
    "score",
    "unit",
    "value",
    "best_response",
    "exploitability",
    "iterations",
    "seconds",
    "path",
)


def solve(
    rules: RulesArgument,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: UnitOption = "points",
    equity: EquityOption = None,
    algorithm: AlgorithmOption = None,
    target: ToleranceOption = None,
    max_iterations: MaxIterationsOption = None,
    max_time: MaxTimeOption = None,
    threads: ThreadsOption = None,
    out: FolderOption = None,
    results: ResultsOption = None,
    resume: ResumeOption = False,
    force: ForceOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Solve one hand and write a solution folder.

    The value is the elder's. Exploitability is half of what both sides together would gain by a best
    response. The run ends at the target, at a limit, or by Ctrl-C, which keeps a checkpoint beside the
    folder; only the target gives exit code 0. With --resume, --max-iterations counts from the start of
    the run, --max-time from now.

    Example:
      truc-solve solve truc
      truc-solve solve trut --score 5.2-6.0 --target 0.001
      truc-solve solve truc --set ranks=3 --max-time 10 --out small
    """
    from dataclasses import replace

    from cli.runs import carry_out
    from solver.cfr.solve import Limits

    order = order_of(rules, settings, score, unit, (out, results))
    limits = Limits(target or order.limits.target, max_iterations, max_time)
    order = replace(
        order,
        limits=limits,
        equity=equity,
        algorithm=algorithm or order.algorithm,
        threads=threads or order.threads,
        resume=resume,
        force=force,
        quiet=quiet,
    )
    outcome = carry_out(order)
    emit(outcome.summary(), json=json, columns=None if json else SUMMARY, title=order.title)
    return outcome.exit_code


def order_of(
    rules: str,
    settings: list[str] | None,
    score: str | None,
    unit: Unit,
    places: tuple[Path | None, Path | None],
) -> Order:
    """The game named by the options, to be solved to the default target; places: --out and --results."""
    from cli.options import results_folder, rule_set
    from cli.runs import Order, default_folder
    from solver.cfr.solve import Limits
    from solver.rules.score import parse_score, start_score
    from solver.strategy.solution import DEFAULT_TARGETS, usable_threads

    chosen = rule_set(rules, settings)
    at = start_score(chosen) if score is None else parse_score(chosen, score)
    out, results = places
    folder = out or default_folder(results_folder(results), chosen, at, unit)
    return Order(chosen, at, unit, folder, Limits(DEFAULT_TARGETS[unit]), threads=usable_threads())
