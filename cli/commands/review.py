"""`review`: what the decisions of recorded hands lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.commands.play import LooseOption
from cli.options import FormatOption, JsonOption, OutOption, QuietOption, ResultsOption
from cli.output import emit, note, warn
from cli.rows import Column

if TYPE_CHECKING:
    from solver.coach.record import HandRecord
    from solver.coach.review import Decision

RecordArgument = Annotated[
    Path, typer.Argument(metavar="FILE", show_default=False, help="A record of hands, as `play --record` writes it.")
]
ForOption = Annotated[
    str | None,
    typer.Option(
        "--for", metavar="PLAYER", rich_help_panel="What to read", help="Only this player's decisions, by his name."
    ),
]
COLUMNS = (
    Column("hand"),
    Column("score"),
    Column("player"),
    Column("cards"),
    Column("history"),
    Column("action"),
    Column("value", "", "+.4f"),
    Column("best"),
    Column("best_value", "", "+.4f"),
    Column("loss", "", ".4f"),
    Column("mark", " "),
)
TOTALS = (
    Column("player"),
    Column("unit"),
    Column("hands"),
    Column("decisions"),
    Column("judged"),
    Column("mistakes"),
    Column("loss", "", ".4f"),
    Column("loss_a_hand", "", ".4f"),
)


def review(
    file: RecordArgument,
    player: ForOption = None,
    target: LooseOption = None,
    results: ResultsOption = None,
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Judge recorded hands: what every decision was worth, and how much better the best one was.

    Each hand is looked up in the solution of its score, as in `play`. Values are those of the side that acts, if
    it goes on as well as it can against the other's strategy; loss is in points, or in chance of the match where
    a match was solved. What the solution hardly ever or never reaches is marked and counts for nothing.

    Example:
      truc-solve play truc --set ranks=3 --record evening.txt
      truc-solve review evening.txt
      truc-solve review evening.txt --for you --json
    """
    from solver.coach.reading import read_records
    from solver.coach.record import player_name
    from solver.coach.review import summaries, worst

    records, player = read_records(file, warn), None if player is None else player_name(player)
    check_player(records, player)
    rows = [row for row in decisions(records, results, target, quiet) if player in (None, row.player)]
    totals = summaries(rows)
    if json or format == "json":
        emit({"rows": rows, "players": totals}, json=json, format=format, out=out)
        return
    people = format in (None, "table", "markdown")
    emit(rows, format=format, out=out, columns=COLUMNS if people else None)
    if people and out is None and rows:
        emit(totals, format=format, columns=TOTALS, title="Players")
        if mistakes := worst(rows):
            emit(mistakes, format=format, columns=COLUMNS, title="What lost most")
    tell_left_out(records, rows, quiet)


def check_player(records: list[HandRecord], player: str | None) -> None:
    """UsageError for a player who is not in the record."""
    from solver.errors import UsageError, near

    names = list(dict.fromkeys(name for record in records for name in record.players))
    if player is not None and player not in names:
        told = ", ".join(names) or "none"
        raise UsageError(f"Nobody in the record is called '{player}'.{near(player, names)} The players are: {told}.")


def decisions(records: list[HandRecord], results: Path | None, target: float | None, quiet: bool) -> list[Decision]:
    """Every decision of every hand, in order."""
    from cli.options import results_folder
    from cli.score_solutions import LOOSE_TARGET, ScoreSolutions
    from solver.coach.review import review_hand

    place = results_folder(results)
    sources: dict[Any, ScoreSolutions] = {}
    rows = []
    for record in records:
        rules = record.rules
        source = sources.setdefault(rules.fingerprint, ScoreSolutions(rules, place, target or LOOSE_TARGET, quiet))
        rows += review_hand(record, source)
    return rows


def tell_left_out(records: list[HandRecord], rows: list[Decision], quiet: bool) -> None:
    """Say how many decisions could not be judged."""
    left = sum(not row.judged for row in rows)
    if left:
        note(f"{left} of {len(rows)} decisions are marked and not judged.", quiet=quiet)
    if not records:
        note("The record holds no hands.", quiet=quiet)
