"""`explore`: one page to walk the tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.options import QuietOption, ResultsOption, ScoreOption, SetOption, TargetArgument, UnitOption, share
from cli.output import note

_PAGE = "The page"
FileOption = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="FILE",
        show_default=False,
        rich_help_panel=_PAGE,
        help="The file to write; its name ends in .html.",
    ),
]
LangOption = Annotated[
    Literal["en", "fr"],
    typer.Option(
        "--lang",
        metavar="LANG",
        rich_help_panel=_PAGE,
        help="Language the page opens in: en or fr.",
    ),
]
ReachOption = Annotated[
    str | None,
    typer.Option(
        "--min-reach",
        metavar="X",
        rich_help_panel=_PAGE,
        help="Third-trick points reached in a smaller share of the deals carry no figures; by default 0 for small "
        "games, 1e-9 for large ones. 0 keeps all.",
    ),
]


def explore(
    target: TargetArgument,
    out: FileOption,
    lang: LangOption = "en",
    min_reach: ReachOption = None,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: UnitOption = "points",
    results: ResultsOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write one HTML file to walk the strategy by clicking on cards and bets.

    At every point: who acts, what every hand does and how often, what it is worth, marks for indifferent
    actions and for hands hardly ever reached; what either side may hold. The file needs no server and loads
    nothing. Its address names the history, so a line can be linked to.

    Example:
      truc-solve explore truc --out truc.html
      truc-solve explore trut --score 5.2-6.0 --lang fr --out trut.html
      truc-solve explore small-match/states/2-3 --out state.html
    """
    from solver.report.explorer import check_page

    least = None if min_reach is None else share("--min-reach", min_reach)
    check_page(out)
    from cli.targets import Target, open_target
    from solver.report.explorer import write_page

    solution = open_target(Target(target, settings, score, unit, results, quiet))
    done = write_page(solution, out, lang, least)
    note(f"Wrote {out}: {done.size / 1e6:.1f} MB, {done.points:,} points with figures.", quiet=quiet)
    if done.left_out:
        note(f"{done.left_out:,} points of the third trick carry none; --min-reach 0 keeps all.", quiet=quiet)
