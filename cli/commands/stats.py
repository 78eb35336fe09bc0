"""`stats`: how often everything is said, and how well bets are answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.commands.query import headline
from cli.options import (
    AskedUnitOption,
    FormatOption,
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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.strategy.solution import Solution

_ROWS = "Which rows"
ByOption = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="COLS",
        rich_help_panel=_ROWS,
        show_default=False,
        help="Columns to group by, with commas between: seat, trick, word, class, history, score; the word is always "
        "among them. By default seat,trick,word.",
    ),
]
FIGURES = (
    Column("offered", "", ".4f"),
    Column("chosen", "", ".4f"),
    Column("frequency", "", ".1%"),
    Column("value", "", "+.3f"),
    Column("loss", "", ".3f"),
    Column("folded", "", ".1%"),
    Column("defence", "", ".1%"),
    Column("minimum_defence", "minimum defence", ".1%"),
    Column("bluff", "", ".1%"),
    Column("mark", " "),
)
STATES, RUN_FILE = "states", "run.json"


def stats(
    target: TargetArgument,
    by: ByOption = None,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: AskedUnitOption = None,
    results: ResultsOption = None,
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Count how often everything is said under a solution, by whom and when, and how bets are answered.

    Offered and chosen are expected numbers of times a hand, frequency is their ratio; "silent" is a card laid
    without a word. Value is the mean to those who say it, loss what saying it always would lose each time.

    Of bets: folded is the share answered by a fold, defence the rest. Minimum defence is the defence at which a
    hand sure to lose gains nothing by betting: gain / (risk + gain) in the payoffs of the unit, where gain is
    what a fold pays more than giving up (losing the hand at its present stake), and risk what being called and
    losing costs more. From stake 1 to 2 it is 2/3. Most bluffs may still win when called, so less is enough.

    Bluff is the share of bets by hands that would rather not be seen: the bettor's value after being called is
    below his value after the fold. Bets that are never called are left out of it.

    Hand classes: brelan, three equal; 77x, two sevens and a card; 7x, three different cards, the seven the
    best; suite, three in natural order, where the rules name it. In a history * is any card. A match folder is
    counted score by score.

    Example:
      truc-solve stats truc
      truc-solve stats truc --by seat,class --format csv
      truc-solve stats trut --score 5.2-6.0 --by history --json
    """
    from solver.query.stats import KEYS, checked_keys

    keys = checked_keys(by)
    folders = states_of(target)
    if folders:
        keys = tuple(key for key in KEYS if key in keys or key == "score")
    rows, title = whole_match(target, settings, (score, unit), keys, quiet)
    for solution in () if rows else opened(folders, (target, settings, score, unit, results, quiet), keys):
        rows += counted(solution, keys, quiet)
        title = f"{len(folders)} scores of {solution.game.rules.name}" if folders else headline(solution)
    if json or format == "json":
        emit(rows, json=json, format=format, out=out)
        return
    shown = [{**row, "mark": ", ".join(row["marks"])} for row in rows]
    emit(shown, format=format, out=out, title=title, columns=[*(Column(key) for key in keys), *FIGURES])


def whole_match(
    target: str, settings: list[str] | None, game: tuple[str | None, str | None], keys: Sequence[str], quiet: bool
) -> tuple[list[dict[str, Any]], str]:
    """Rows of every score and a title, from the book, when the score is asked for and none is named."""
    from cli.options import rule_set
    from solver.book.reading import COUNTED, counted_everywhere
    from solver.report.wording import rules_text
    from solver.rules import catalogue

    if "score" not in keys or game[0] or game[1] == "points" or target.strip().lower() not in catalogue.names():
        return [], ""
    rules = rule_set(target, settings)
    rows = counted_everywhere(rules, keys) if set(keys) <= set(COUNTED) else []
    if rows:
        note(f"From the book of {rules.name}, every score of the match; --score asks for one.", quiet=quiet)
    return rows, f"every score of {rules_text(rules)}, unit chance of the match"


def states_of(target: str) -> list[Path]:
    """The solution folders of a match folder, by score; none when the target is anything else."""
    return sorted(path.parent for path in Path(target, STATES).glob(f"*/{RUN_FILE}"))


def opened(folders: Sequence[Path], asked: tuple[Any, ...], keys: Sequence[str]) -> Any:
    """The solutions to count: all of a match folder, or the one that TARGET means."""
    from cli.targets import Target, open_target
    from solver.book.reading import COUNTED
    from solver.errors import UsageError
    from solver.strategy import store

    if not folders:
        yield open_target(Target(*asked), lambda page: set(keys) <= set(COUNTED))
        return
    if asked[1] or asked[2]:
        raise UsageError(f"'{asked[0]}' is a match folder, counted at every score; leave out --set and --score.")
    yield from map(store.load, folders)


def counted(solution: Solution, keys: Sequence[str], quiet: bool) -> list[dict[str, Any]]:
    """The rows of one solution, with a note before the long ones."""
    from solver.book.reading import BookSolution, page_counts
    from solver.query.stats import statistics
    from solver.rules.score import format_score

    if isinstance(solution, BookSolution):
        return page_counts(solution, keys)
    rules, score = solution.game.rules, solution.game.score
    if solution.game.tree.n_slots > 1_000_000:
        note(f"Counting {rules.name} at {format_score(rules, score)}; this takes some seconds.", quiet=quiet)
    return statistics(solution, keys)
