"""`equity`: the chance of winning the match at every score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import FormatOption, JsonOption, OutOption, QuietOption, ScoreOption, SetOption
from cli.output import emit, note
from cli.rows import Column

if TYPE_CHECKING:
    from solver.rules.model import RuleSet

MatchArgument = Annotated[
    str,
    typer.Argument(
        metavar="TARGET", show_default=False, help="A rule set whose match is in the book, or a match folder."
    ),
]
COLUMNS = (
    Column("score"),
    Column("elder_wins", "elder wins", ".4f"),
    Column("lower", "", ".4f"),
    Column("upper", "", ".4f"),
    Column("point_worth", "one more is worth", "+.4f"),
    Column("lead_worth", "leading is worth", "+.4f"),
)


def equity(
    target: MatchArgument,
    score: ScoreOption = None,
    settings: SetOption = None,
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Print what every score is worth: the chance that the elder of the next hand wins the match.

    The true chance lies between lower and upper. "One more is worth" is what another point or petit would add to
    the elder's chance, "leading is worth" what he has more than if he dealt, points of both sides as they are.

    Example:
      truc-solve equity truc
      truc-solve equity trut --score 5.2-6.0
      truc-solve equity trut-gatine --format csv --out gatine.csv
    """
    from solver.query.standings import standings
    from solver.report.wording import rules_text
    from solver.rules.score import parse_score
    from solver.strategy.equity import EQUITY

    folder, rules = match_place(target, settings, quiet)
    asked = None if score is None else parse_score(rules, score)
    rows = standings(rules, folder / EQUITY, asked)
    title = f"{rules_text(rules)}, chance of winning the match"
    emit(rows, json=json, format=format, out=out, title=title, columns=COLUMNS)


def match_place(target: str, settings: list[str] | None, quiet: bool) -> tuple[Path, RuleSet]:
    """The folder that TARGET means and its rules: a match folder, or the book's."""
    from cli.options import rule_set
    from solver.errors import FileError, UsageError
    from solver.match.record import recorded_rules
    from solver.rules import catalogue
    from solver.strategy.shipped import shipped

    if target.strip().lower() not in catalogue.names():
        if settings:
            raise UsageError(f"--set changes a rule set by name, and '{target}' is a match folder.")
        return Path(target), recorded_rules(Path(target))
    rules = rule_set(target, settings)
    folder = shipped(rules)
    if folder is None:
        raise FileError(
            f"The book has no match of these rules of {rules.name}: `truc-solve match {rules.name}` solves it, and "
            "its folder is then a TARGET."
        )
    note(f"From the book of {rules.name}.", quiet=quiet)
    return folder, rules
