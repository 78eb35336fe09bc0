"""`compare`: where and how much two solutions differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.options import (
    FormatOption,
    JsonOption,
    OutOption,
    QuietOption,
    ResultsOption,
    ScoreOption,
    SetOption,
    UnitOption,
    whole_number,
)
from cli.output import emit, note
from cli.rows import Column

if TYPE_CHECKING:
    from solver.query.compare import Comparison

LEAST_SHOWN = 0.005
_B, _ROWS = "The second game", "Which rows"
_MEANING = "a solution folder; or a rule set by name, then the nearest solution in the results folder."
FirstArgument = Annotated[str, typer.Argument(metavar="A", show_default=False, help=f"The first: {_MEANING}")]
SecondArgument = Annotated[str, typer.Argument(metavar="B", show_default=False, help=f"The second: {_MEANING}")]
OtherSetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--other-set",
        metavar="OPTION=VALUE",
        rich_help_panel=_B,
        help="Change an option of the second rule set; by default what --set says holds for both.",
    ),
]
OtherScoreOption = Annotated[
    str | None,
    typer.Option(
        "--other-score",
        metavar="ELDER-DEALER",
        rich_help_panel=_B,
        help="Score of the second game; by default that of --score.",
    ),
]
RowsOption = Annotated[
    int,
    typer.Option(
        "--rows",
        metavar="N",
        parser=whole_number("--rows", 1),
        rich_help_panel=_ROWS,
        help="Show the N hands that differ most.",
    ),
]
SortOption = Annotated[
    Literal["difference", "loss"],
    typer.Option(
        "--sort",
        metavar="COL",
        rich_help_panel=_ROWS,
        help="What differs most: difference of frequencies, or loss by playing as the other does, both times reach.",
    ),
]
RATES = ("frequency", "folded", "bluff")
RATE_COLUMNS: list[Column | str] = [
    *("seat", "trick", "word"),
    *(Column(f"{name}_{letter}", f"{name} {letter}", ".1%") for name in RATES for letter in "ab"),
]
LOSSES = (Column("b_loses_in_a", "b loses in a", "+.4f"), Column("a_loses_in_b", "a loses in b", "+.4f"))
SUMMARY_COLUMNS: list[Column | str] = ["seat", "trick", "hands", Column("difference", "", ".1%"), *LOSSES]
ROW_COLUMNS: list[Column | str] = [
    *("history", "seat", "hand"),
    *(Column("a", "a", ".0%"), Column("b", "b", ".0%"), Column("difference", "", ".0%"), *LOSSES),
    *(Column("reach_a", "reach a", ".1e"), Column("reach_b", "reach b", ".1e")),
]


def compare(
    a: FirstArgument,
    b: SecondArgument,
    rows: RowsOption = 20,
    sort: SortOption = "difference",
    settings: SetOption = None,
    score: ScoreOption = None,
    other_settings: OtherSetOption = None,
    other_score: OtherScoreOption = None,
    unit: UnitOption = "points",
    results: ResultsOption = None,
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare two solutions, two rule sets or two scores: values, rates, hands, and one against the other.

    Values are the elder's, with the bounds that both best responses put on the true one. Rates are as in `stats`.
    Single hands are compared at histories that both games have, where both solutions come at least once in a
    million hands: difference is the share played otherwise; "b loses in a" is what b's frequencies give away there
    in a's game (no number where a has no such action). Where the games are the same, a plays against b in both
    seats. csv, parquet and --out give the rows of single hands only.

    Example:
      truc-solve compare truc truc-lanes --score 0-0
      truc-solve compare results/one results/other --json
      truc-solve compare trut trut --other-set trut_window=own_turn --sort loss --rows 40
    """
    from cli.targets import Target, open_target
    from solver.query.compare import compare as compared

    first = open_target(Target(a, settings, score, unit, results, quiet))
    own_settings, own_score = other_settings or settings, other_score or score
    second = open_target(Target(b, own_settings, own_score, unit, results, quiet))
    if max(one.game.tree.n_slots for one in (first, second)) > 1_000_000:
        note("Comparing; this takes about half a minute.", quiet=quiet)
    found = compared(first, second, rows, sort)
    if json or format in ("json", "csv", "parquet") or out is not None:
        as_rows = format in ("csv", "parquet") or (format is None and out is not None and out.suffix != ".json")
        data: Any = found.rows if as_rows and not json else found
        emit(data, json=json, format=format, out=out)
        return
    report(found, format or "table")


def report(found: Comparison, format: Any) -> None:
    """The comparison for people, part by part."""
    shown = ("rules", "score", "unit", "value", "lower", "upper", "exploitability")
    values = [{"": letter, **{key: one[key] for key in shown}} for letter, one in found.values.items()]
    forms = [Column(key, "", "+.5f") if key in ("value", "lower", "upper") else Column(key) for key in ("", *shown)]
    emit(values, format=format, columns=forms, title="Values of the elder")
    for sentence in found.notes:
        emit({"": sentence}, format=format)
    if found.head_to_head is not None:
        emit(found.head_to_head, format=format, title="Head to head: the elder's value")
    emit(found.rates, format=format, columns=RATE_COLUMNS, title="How often, and how bets are answered")
    emit(found.summary, format=format, columns=SUMMARY_COLUMNS, title="Hands at common histories; losses a hand dealt")
    rows = [{**row, **shown_mixes(row)} for row in found.rows]
    emit(rows, format=format, columns=ROW_COLUMNS, title="Where they differ most")


def shown_mixes(row: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Both mixes of a row without the actions that neither takes in half a percent of the cases."""
    seen = {action for mix in (row["a"], row["b"]) for action, share in mix.items() if share >= LEAST_SHOWN}
    return {letter: {action: share for action, share in row[letter].items() if action in seen} for letter in "ab"}
