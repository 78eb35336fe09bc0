"""`solve`: one hand, from a rule set to a solution folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    UnitOption,
)
from cli.output import emit

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
    the run, --max-time from now, building the tree included.

    Example:
      truc-solve solve truc
      truc-solve solve trut --score 5.2-6.0 --target 0.001
      truc-solve solve truc --set ranks=3 --max-time 10 --out small
    """
    from cli.options import results_folder
    from cli.runs import exit_code, question_of, shown, summary
    from solver.cfr.solve import Limits
    from solver.solving.door import solve as solved
    from solver.solving.machine import usable_threads
    from solver.solving.order import Keep
    from solver.solving.places import default_folder
    from solver.strategy.run import DEFAULT_ALGORITHM, DEFAULT_TARGETS, Task

    question = question_of(rules, settings, score, unit, equity)
    limits = Limits(target or DEFAULT_TARGETS[unit], max_iterations, max_time)
    task = Task(algorithm or DEFAULT_ALGORITHM, threads or usable_threads(), limits, force)
    keep = Keep(out or default_folder(results_folder(results), question), resume, force)
    with shown(question, quiet) as observer:
        solution = solved(question, task, keep, observer)
    emit(summary(solution), json=json, columns=None if json else SUMMARY, title=question.title)
    return exit_code(solution)
