"""`chart`: a picture of a point, of runs, or of a match."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.options import (
    AskedUnitOption,
    HistoryOption,
    QuietOption,
    ResultsOption,
    ScoreOption,
    SetOption,
    TargetArgument,
)
from cli.output import note

if TYPE_CHECKING:
    from solver.book.reading import BookSolution

KindOption = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="KIND",
        show_default=False,
        rich_help_panel="The picture",
        help="strategy (what every hand does), raise or trut (how often it bets), fold, thresholds (from "
        "which hand on one bets or calls), convergence (exploitability of runs), equity (match heat map).",
    ),
]
PictureOption = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="FILE",
        show_default=False,
        rich_help_panel="The picture",
        help="The file to write; its name ends in .png, .svg or .pdf.",
    ),
]
LangOption = Annotated[
    Literal["en", "fr"],
    typer.Option("--lang", metavar="LANG", rich_help_panel="The picture", help="Language of the labels: en or fr."),
]
WithOption = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="TARGET",
        rich_help_panel="The picture",
        help="Another run in the same convergence chart, a folder or a rule set (with the same --set and --score); "
        "may be given several times.",
    ),
]


def chart(
    target: TargetArgument,
    kind: KindOption,
    out: PictureOption,
    history: HistoryOption = "",
    lang: LangOption = "en",
    others: WithOption = None,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: AskedUnitOption = None,
    results: ResultsOption = None,
    quiet: QuietOption = False,
) -> None:
    """Draw a chart and write it as png, svg or pdf.

    Hands stand from the strongest to the weakest. The caption says what was solved and how well. Folds are
    shown in answer to the first bet of the hand unless --history says otherwise. For equity, TARGET is an
    equity table, a folder that holds one, or a rule set whose match is in the book.

    Example:
      truc-solve chart truc --kind strategy --out opening.png
      truc-solve chart truc --kind fold --history "K raise" --lang fr --out fold.pdf
      truc-solve chart trut --kind equity --out match.svg
      truc-solve chart one-run --kind convergence --with other-run --with third-run --out runs.svg
    """
    from solver.errors import UsageError
    from solver.report.kinds import AT_A_POINT, check_kind, check_place

    check_kind(kind)
    check_place(out)
    if others and kind != "convergence":
        raise UsageError(f"--with adds runs to the kind convergence; a chart of the kind {kind} has one TARGET.")
    if history.strip() and kind not in AT_A_POINT:
        raise UsageError(f"--history '{history}' does not go with the kind {kind}, which shows no point of a hand.")
    from solver.report import charts

    if kind == "equity":
        figure = charts.draw_match(equity_place(target, settings, quiet), lang)
    else:
        from cli.targets import Target, another, open_target

        wanted = [Target(target, settings, score, unit, results, quiet)]
        wanted += [another(one, wanted[0]) for one in others or ()]
        enough = (lambda page: drawn_from(page, kind, history)) if kind in AT_A_POINT else None
        solutions = [open_target(one, enough) for one in wanted]
        if kind == "convergence":
            figure = charts.draw_runs(solutions, lang)
        else:
            figure = charts.draw(kind, solutions[0], history, lang)
    charts.save(figure, out)
    note(f"Wrote {out}", quiet=quiet)


def drawn_from(page: BookSolution, kind: str, history: str) -> bool:
    """Whether a page of the book has the point that a chart shows."""
    from solver.query.advise import point_after
    from solver.report.mixes import default_history

    return page.knows(point_after(page.game, history if history.strip() else default_history(page.game, kind)))


def equity_place(target: str, settings: list[str] | None, quiet: bool) -> Path:
    """The equity table that TARGET names: a file, a folder, or that of the book for a rule set."""
    from cli.commands.equity import match_place
    from solver.rules import catalogue

    return match_place(target, settings, quiet)[0] if target.strip().lower() in catalogue.names() else Path(target)
