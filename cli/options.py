"""The options that several commands share, each written once, and what turns their text into values.

A command writes `def solve(rules: RulesArgument, settings: SetOption = None, ...)`. Numbers are checked here,
so that the message names the value and what is allowed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.output import Format

if TYPE_CHECKING:
    from solver.rules.model import RuleSet

Unit = Literal["points", "match"]

RESULTS_VARIABLE = "TRUC_SOLVE_RESULTS"
TARGET_TEXT = "an exploitability above 0, in points or (unit match) as a chance of the match,"
_READING, _RUN, _GAME, _PRINT = "What to read", "How to run", "The game", "How to print"


def _error(message: str) -> Exception:
    from solver.errors import UsageError

    return UsageError(message)


def whole_number(name: str, least: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least` up; its UsageError names the option `name`."""

    def read(text: str | int) -> int:
        from solver.rules.numbers import read_whole

        number = read_whole(str(text))  # a default comes as the number it is
        if number is None or number < least:
            raise _error(f"{text!r} is not allowed for {name}: a whole number of at least {least} is.")
        return number

    return read


def positive_number(name: str, what: str) -> Callable[[str], float]:
    """A reader of finite numbers above zero; its UsageError names the option and says `what` is meant."""

    def read(text: str) -> float:
        from solver.rules.numbers import read_number

        number = read_number(str(text))
        if number is None or not 0.0 < number < float("inf"):
            raise _error(f"{text!r} is not allowed for {name}: {what} is.")
        return number

    return read


def share(name: str, text: str, one: bool = True) -> float:
    """A number from 0 to 1, 1 itself only if `one`; UsageError names the option."""
    from solver.rules.numbers import read_number

    number = read_number(text)
    if number is None or not 0.0 <= number <= 1.0 or (number == 1.0 and not one):
        raise _error(f"'{text}' is not allowed for {name}: a number from 0 to {'1' if one else 'below 1'} is.")
    return number


RulesArgument = Annotated[
    str,
    typer.Argument(
        metavar="RULES", show_default=False, help="A rule set by name; `truc-solve rules` lists them."
    ),
]
TargetArgument = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        show_default=False,
        help="A solution folder; or a rule set by name, then the nearest solution in the results folder, "
        "else the book, else it is solved first.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="OPTION=VALUE",
        rich_help_panel=_GAME,
        help="Change an option of the rule set, such as ranks=3; may be given several times.",
    ),
]
ScoreOption = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="ELDER-DEALER",
        rich_help_panel=_GAME,
        help="Score before the hand, 0-0 by default: points in Truc (7-10), longs.petits in Trut (5.2-6.0). "
        "The elder is the non-dealer, who leads.",
    ),
]
UnitOption = Annotated[
    Unit,
    typer.Option(
        "--unit",
        metavar="UNIT",
        rich_help_panel=_GAME,
        help="What a hand is played for: points (its own), or match (the chance of winning the match).",
    ),
]
AskedUnitOption = Annotated[
    Unit | None,
    typer.Option(
        "--unit",
        metavar="UNIT",
        rich_help_panel=_GAME,
        show_default=False,
        help="What a hand is played for: points (its own), or match (the chance of winning the match).",
    ),
]
EquityOption = Annotated[
    Path | None,
    typer.Option(
        "--equity",
        metavar="FILE",
        rich_help_panel=_GAME,
        help="Equity table for --unit match; `truc-solve match` makes it.",
    ),
]
HandOption = Annotated[
    str,
    typer.Option(
        "--hand",
        metavar="CARDS",
        show_default=False,
        rich_help_panel=_READING,
        help='Three cards in any order: "7 8 A", 78A, 77T; French letters too.',
    ),
]
HistoryOption = Annotated[
    str,
    typer.Option(
        "--history",
        metavar="TEXT",
        rich_help_panel=_READING,
        help='What was said and played so far, in order: "K raise call 9 A". Empty is the start.',
    ),
]
ResultsOption = Annotated[
    Path | None,
    typer.Option(
        "--results",
        metavar="DIR",
        envvar=RESULTS_VARIABLE,
        show_envvar=True,
        rich_help_panel=_READING,
        help="The results folder, by default results/ under the current folder.",
    ),
]
ToleranceOption = Annotated[
    float | None,
    typer.Option(
        "--target",
        metavar="X",
        parser=positive_number("--target", TARGET_TEXT),
        rich_help_panel=_RUN,
        help="Stop at this exploitability, in the unit of the run; by default 0.005 points, "
        "or 0.001 in the unit match.",
    ),
]
MaxIterationsOption = Annotated[
    int | None,
    typer.Option(
        "--max-iterations",
        metavar="N",
        parser=whole_number("--max-iterations", 1),
        rich_help_panel=_RUN,
        help="Stop after this many iterations.",
    ),
]
MaxTimeOption = Annotated[
    float | None,
    typer.Option(
        "--max-time",
        metavar="SECONDS",
        parser=positive_number("--max-time", "a number of seconds above 0"),
        rich_help_panel=_RUN,
        help="Stop after this many seconds.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        parser=whole_number("--threads", 1),
        rich_help_panel=_RUN,
        help="Threads to use, by default one a core. The result does not depend on it.",
    ),
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume", metavar="", rich_help_panel=_RUN, help="Go on from the checkpoint of an interrupted run."
    ),
]
QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", metavar="", rich_help_panel=_PRINT, help="No progress and no notes on stderr."
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", metavar="", rich_help_panel=_PRINT, help="One JSON value on stdout, nothing else."
    ),
]
FormatOption = Annotated[
    Format | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        rich_help_panel=_PRINT,
        show_default=False,
        help="table, csv, json, markdown or parquet; by default a table, or what the ending of --out says.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", rich_help_panel=_PRINT, help="Write to this file instead of stdout."
    ),
]


def rule_settings(given: Sequence[str] | None) -> dict[str, str]:
    """The words of `--set` as a mapping; UsageError for one without `=` or an option given twice."""
    settings: dict[str, str] = {}
    for word in given or ():
        option, equals, value = word.partition("=")
        option = option.strip()
        if not equals or not option:
            raise _error(f"--set {word!r} is not of the form option=value, such as --set ranks=3.")
        if option in settings:
            raise _error(f"--set gives {option!r} twice, {settings[option]!r} and {value.strip()!r}.")
        settings[option] = value.strip()
    return settings


def rule_set(name: str, given: Sequence[str] | None = None) -> RuleSet:
    """The rule set of RULES and `--set`; UsageError with near matches for an unknown name or option."""
    from solver.rules import catalogue

    return catalogue.load(name, rule_settings(given))


def results_folder(given: Path | None = None) -> Path:
    """The results folder: `--results`, else TRUC_SOLVE_RESULTS, else results/ under the current folder."""
    if given is not None:
        return given
    return Path(os.environ.get(RESULTS_VARIABLE) or "results")
