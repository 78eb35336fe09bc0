"""`export`: a whole strategy as a file of plain rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import QuietOption, ResultsOption, ScoreOption, SetOption, TargetArgument, UnitOption, share
from cli.output import note, warn

FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        rich_help_panel="The file",
        show_default=False,
        help="parquet, csv, json or efg; by default what the ending of --out says.",
    ),
]
FileOption = Annotated[
    Path,
    typer.Option("--out", metavar="FILE", rich_help_panel="The file", show_default=False, help="The file to write."),
]
ReachOption = Annotated[
    str | None,
    typer.Option(
        "--min-reach",
        metavar="X",
        rich_help_panel="The file",
        help="Only rows whose hand is held and whose point is reached at least this often, from 0 to 1.",
    ),
]


def export(
    target: TargetArgument,
    out: FileOption,
    format: FormatOption = None,
    min_reach: ReachOption = None,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: UnitOption = "points",
    results: ResultsOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write the whole strategy of both sides as plain rows: history, seat, hand, action, frequency, reach, ev.

    A row an action of a hand at a point. Reach is how often the hand is held and the point reached; ev is
    what the action is worth to its side, empty where the other side never comes there. A history ends in
    "silent" where its player has spoken already, and names the seat of a trut. The full game of Truc has
    14.6 million rows: 80 MB as parquet, 1.4 GB as csv, 2.4 GB as json.

    The format efg writes the game itself in points, not a strategy, for Gambit and OpenSpiel; TARGET is then
    a rule set with a small deck.

    Example:
      truc-solve export truc --out truc.parquet
      truc-solve export truc --format csv --min-reach 0.0001 --out often.csv
      truc-solve export truc --set ranks=2 --set ladder=1,2 --format efg --out small.efg
    """
    from cli.progress import Progress
    from cli.targets import Target, open_target
    from solver.exchange.exports import export_rows
    from solver.places import check_file

    kind = chosen(format, out)
    least = 0.0 if min_reach is None else share("--min-reach", min_reach)
    check_file(out)
    if kind == "efg":
        export_game(target, settings, score, out, quiet)
        return
    solution = open_target(Target(target, settings, score, unit, results, quiet))
    with Progress(quiet=quiet) as progress:
        rows = export_rows(solution, out, kind, least, lambda count: progress.update(f"{count:,} rows"))
    note(f"Wrote {rows:,} rows to {out}", quiet=quiet)


def export_game(name: str, settings: list[str] | None, score: str | None, out: Path, quiet: bool) -> None:
    """Write the game itself, for Gambit and OpenSpiel."""
    from cli.options import rule_set
    from cli.progress import Progress
    from solver.errors import UsageError
    from solver.exchange.efg import LARGE, check_exportable, write_efg
    from solver.rules.score import parse_score, start_score

    if Path(name).is_dir():
        raise UsageError(f"The format efg writes the game itself; '{name}' is a folder, name a rule set instead.")
    rules = rule_set(name, settings)
    at = start_score(rules) if score is None else parse_score(rules, score)
    count = check_exportable(rules, at)
    if count > LARGE:
        warn(f"The file will have {count:,} nodes; Gambit and OpenSpiel need long for that.")
    with Progress(quiet=quiet) as progress:
        nodes = write_efg(rules, at, out, lambda done: progress.update(f"{done:,} of {count:,} nodes"))
    note(f"Wrote a game of {nodes:,} nodes in points to {out}", quiet=quiet)


def chosen(format: str | None, out: Path) -> str:
    """The format asked for; UsageError that names what there is."""
    from solver.errors import UsageError, near
    from solver.exchange.exports import FORMATS

    allowed = f"the formats are {', '.join(FORMATS)} and efg"
    kind = (format or out.suffix.removeprefix(".")).lower()
    if kind == "efg":
        return kind
    if kind not in FORMATS and format is None:
        raise UsageError(f"The format of '{out}' is not clear from its name; {allowed}, name one with --format.")
    if kind not in FORMATS:
        raise UsageError(f"There is no format '{format}'.{near(kind, FORMATS)} Here {allowed}.")
    return kind


