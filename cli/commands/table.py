"""`table`: the strategy at a point, a row a hand."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.query import headline
from cli.options import (
    AskedUnitOption,
    FormatOption,
    HistoryOption,
    JsonOption,
    OutOption,
    QuietOption,
    ResultsOption,
    ScoreOption,
    SetOption,
    TargetArgument,
)
from cli.output import emit, note
from cli.rows import Column

_ROWS = "Which rows"
WhereOption = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="EXPR",
        rich_help_panel=_ROWS,
        help="Only rows for which an SQL condition over the columns holds: \"raise > 0.5 AND hand LIKE '7%'\". "
        'Cards are named in double quotes: "7".',
    ),
]
SortOption = Annotated[
    str | None,
    typer.Option(
        "--sort",
        metavar="COL",
        rich_help_panel=_ROWS,
        help="Sort by a column, numbers from the largest; by default strongest ranks first.",
    ),
]
AllOption = Annotated[
    bool,
    typer.Option("--all", metavar="", rich_help_panel=_ROWS, help="Also the hands that are hardly ever reached."),
]


def table(
    target: TargetArgument,
    history: HistoryOption = "",
    where: WhereOption = None,
    sort: SortOption = None,
    all: AllOption = False,  # noqa: A002
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: AskedUnitOption = None,
    results: ResultsOption = None,
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Print the strategy at one point, a row a hand of the side that acts.

    A column an action with its frequency; then the value, the best action, its edge over the second best,
    and the reach: how often the hand is held and the point reached. Hands that the solution plays this far
    in less than one of a thousand of their deals are left out unless --all.

    Example:
      truc-solve table truc
      truc-solve table truc --history "K raise" --where "call > 0.5" --sort edge
      truc-solve table trut --format csv --all
    """
    from cli.targets import Target, open_target
    from solver.query.advise import point_after
    from solver.query.table import actions_of, ordered, reached, strategy_table
    from solver.query.table import where as filtered

    asked = Target(target, settings, score, unit, results, quiet)
    solution = open_target(asked, None if all else lambda page: page.knows(point_after(page.game, history)))
    whole = strategy_table(solution, point_after(solution.game, history))
    shown = whole if where is None else filtered(whole, where)
    shown = shown if sort is None else ordered(shown, sort)
    frame = shown if all else reached(shown)
    hidden = shown.height - frame.height
    if hidden:
        note(f"{hidden} hands hardly ever reached are left out; --all shows them.", quiet=quiet)
    columns = [
        Column("hand"),
        *(Column(action, "", ".1%") for action in actions_of(whole)),
        *(Column("value", "", "+.4f"), Column("best"), Column("edge", "", ".4f"), Column("reach", "", ".2e")),
    ]
    title = f"{headline(solution)}; {history.strip() or 'the hand begins'}"
    people = format in (None, "table", "markdown") and not json
    emit(frame, json=json, format=format, out=out, title=title, columns=columns if people else None)
