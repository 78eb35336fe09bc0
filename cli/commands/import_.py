"""`import`: a behaviour profile from another program into a solution folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.options import (
    EquityOption,
    JsonOption,
    QuietOption,
    ScoreOption,
    SetOption,
    UnitOption,
    share,
)
from cli.output import emit, note

if TYPE_CHECKING:
    from solver.exchange.fit import Findings
    from solver.strategy.solution import Solution

_FILE = "The file"
FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", show_default=False, help="A csv or parquet file: history, seat, hand, action, frequency."
    ),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="RULES",
        rich_help_panel="The game",
        show_default=False,
        help="The rule set it is for; `truc-solve rules` lists them.",
    ),
]
FolderOption = Annotated[
    Path,
    typer.Option(
        "--out", metavar="DIR", rich_help_panel=_FILE, show_default=False, help="The solution folder to write."
    ),
]
FillOption = Annotated[
    Literal["uniform", "refuse"],
    typer.Option(
        "--fill",
        metavar="HOW",
        rich_help_panel=_FILE,
        help="What a hand at a point gets that has no rows: uniform, every action as often; or refuse the file.",
    ),
]
SumOption = Annotated[
    str | None,
    typer.Option(
        "--tolerance",
        metavar="X",
        rich_help_panel=_FILE,
        show_default=False,
        help="How far the frequencies of a hand at a point may sum from 1, by default 0.001; they are divided by it.",
    ),
]
ForceOption = Annotated[
    bool, typer.Option("--force", metavar="", rich_help_panel=_FILE, help="Replace any solution that --out holds.")
]
SHOWN = (
    *("rules", "score", "unit", "infosets_dealt", "filled", "rescaled"),
    *("value", "best_response", "exploitability", "path"),
)


def import_profile(
    file: FileArgument,
    rules: RulesOption,
    out: FolderOption,
    fill: FillOption = "uniform",
    tolerance: SumOption = None,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: UnitOption = "points",
    equity: EquityOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Read a behaviour profile of both sides from elsewhere, judge it, and write a solution folder.

    The file has a row for each action of a hand at a point, in the columns history, seat, hand, action and frequency
    that `export` writes; more columns are ignored. Histories may also be in the form of an efg file, with every seat
    and silence: "e.K d.raise". Actions left out have frequency 0 where the hand has other rows there. What the
    folder claims is the judge's word: `verify`, `query`, `table`, `compare` and `export` read it as any other.

    Example:
      truc-solve import profile.csv --rules truc --out imported
      truc-solve import profile.parquet --rules trut --set ranks=3 --fill refuse --out imported
    """
    from functools import partial

    from cli.progress import Progress
    from cli.runs import Shown, question_of
    from solver.exchange.imported import TOLERANCE, Leniency
    from solver.exchange.imported import import_profile as imported
    from solver.solving.order import Keep
    from solver.solving.places import check_place
    from solver.solving.saving import patient_interrupts
    from solver.strategy.solution import game_at
    from solver.strategy.store import copy_equity, save

    given = Leniency(fill, TOLERANCE if tolerance is None else share("--tolerance", tolerance, one=False))
    question = question_of(rules, settings, score, unit, equity)
    check_place(question, Keep(out, replace=force))
    check_replaced(out, force)
    with Progress(quiet=quiet) as progress:
        progress.stage("building the tree")
        game = game_at(question.rules, question.score, unit, equity)
        progress.stage("reading and judging the rows")
        solution, findings = imported(game, file, given)
        if unit == "match" and equity is not None:
            solution.extra_files = partial(copy_equity, equity)
        with patient_interrupts(Shown(progress)):
            save(solution, out, force)
    tell(findings, quiet)
    emit(summary(solution), json=json, columns=None if json else SHOWN)


def check_replaced(folder: Path, force: bool) -> None:
    """UsageError when the folder holds a solution that was worked out, unless forced."""
    from solver.errors import UsageError
    from solver.query.locate import IMPORTED
    from solver.strategy.store import RUN, read_run

    if not force and (folder / RUN).is_file() and read_run(folder).get("algorithm") != IMPORTED:
        raise UsageError(f"'{folder}' holds a solution that was not imported; name another folder, or --force.")


def tell(findings: Findings, quiet: bool) -> None:
    """What was forgiven."""
    if findings.missing:
        note(
            f"{findings.missing:,} of {findings.infosets:,} information sets have no row, the first is "
            f"{findings.gap}; there every action has the same frequency.",
            quiet=quiet,
        )
    if findings.rescaled:
        note(
            f"The frequencies of {findings.rescaled:,} information sets did not sum to 1, by {findings.largest:.2g} "
            "at most; they were divided by their sum.",
            quiet=quiet,
        )


def summary(solution: Solution) -> dict[str, Any]:
    """What the folder's run.json says, and where it lies."""
    from solver.strategy.description import describe

    return {**describe(solution), "path": solution.path}
