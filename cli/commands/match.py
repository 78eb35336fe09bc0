"""`match`: every score of a match, from a rule set to an equity table and the strategies of all states."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import (
    JsonOption,
    MaxTimeOption,
    QuietOption,
    ResultsOption,
    ResumeOption,
    RulesArgument,
    SetOption,
    ThreadsOption,
    ToleranceOption,
)
from cli.output import emit

FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        rich_help_panel="How to run",
        help="The match folder; by default RULES-match in the results folder.",
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        rich_help_panel="How to run",
        help="Send the states to the workers of the Dask scheduler at this address, such as "
        "tcp://127.0.0.1:8786; needs truc-solve[cluster]. A minute without a worker ends the run.",
    ),
]
ForceOption = Annotated[
    bool,
    typer.Option("--force", metavar="", rich_help_panel="How to run", help="Go on with too little memory or disk."),
]
SUMMARY = (
    "rules",
    "states_done",
    "states",
    "value",
    "best_response",
    "nash_conv",
    "exploitability",
    "target",
    "seconds",
    "path",
)


def match(
    rules: RulesArgument,
    settings: SetOption = None,
    target: ToleranceOption = None,
    max_time: MaxTimeOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    out: FolderOption = None,
    results: ResultsOption = None,
    resume: ResumeOption = False,
    force: ForceOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Solve every score of a match and write the equity table and the strategies.

    The value is the chance of winning of the elder of the first hand. The best responses are each side's
    chance when it answers best at every score; what they gain together is the nash_conv, and half of it
    the exploitability, which --target bounds. Scores are solved from the end, each as far as the bound of
    the whole match needs it. A run that is stopped, or killed, keeps what it has finished, and --resume goes on.

    Example:
      truc-solve match truc --set target=4 --set ranks=3 --target 0.005
      truc-solve match trut --target 0.0005 --max-time 600 --out results/trut-match
      truc-solve match trut --resume --out results/trut-match
    """
    from cli.matches import DEFAULT_TARGET, MatchOrder, carry_out_match, exit_code, match_folder, summary
    from cli.options import results_folder, rule_set

    chosen = rule_set(rules, settings)
    folder = out or match_folder(results_folder(results), chosen)
    order = MatchOrder(chosen, target or DEFAULT_TARGET, folder, max_time, threads, cluster, resume, force, quiet)
    run = carry_out_match(order)
    told = summary(run)
    shown = SUMMARY if run.start is not None else ("rules", "states_done", "states", "reason", "seconds", "path")
    emit(told, json=json, columns=None if json else shown, title=f"match of {chosen.name}")
    return exit_code(run)
