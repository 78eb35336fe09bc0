"""The strategy at one point as a table, a row a hand, with filters written as expressions."""

from __future__ import annotations

import re

import numpy as np
import polars

from solver.cards.notation import format_hand
from solver.errors import UsageError, near
from solver.query.advise import HARDLY_EVER
from solver.query.point import PointView, view
from solver.strategy.solution import Solution
from solver.tree.history import Point

TEXTS = ("hand", "best")
#: characters of the longest condition: the engine's parser has a stack of its own, which deep ones exhaust
LONGEST = 1000
#: what an expression may call: the engine has more, of which some read other tables and some fill the memory
CALLED = frozenset({
    "abs", "avg", "cast", "ceil", "coalesce", "count", "ends_with", "floor", "greatest", "if", "least", "left",
    "length", "lower", "max", "median", "min", "nullif", "right", "round", "sqrt", "starts_with", "stddev", "strpos",
    "substr", "sum", "upper",
})  # fmt: skip
BEFORE_BRACKETS = {"and", "between", "case", "else", "ilike", "in", "is", "like", "not", "or", "then", "when"}
OTHER_TABLES = frozenset(["from", "select", "table", "values", "with"])


def strategy_table(solution: Solution, point: Point) -> polars.DataFrame:
    """A row a hand, strongest ranks first.

    Columns: hand; one a word or card with its frequency, null where the hand has no such action; value; best,
    the action with the largest expected value; edge, what the second best loses against it; reach, how often
    the hand is held and the point reached; arrival, the same among the deals that allow it. Values are null
    where the other side never comes here.
    """
    seen = view(solution, point)
    best, edge = best_and_edge(seen)
    rules = solution.game.rules
    columns: dict[str, object] = {
        "hand": [format_hand(rules, tuple(hand)) for hand in seen.hands.tolist()],
        **{action: seen.frequency[:, k] for k, action in enumerate(seen.actions)},
        "value": seen.value,
        "best": best,
        "edge": edge,
        "reach": seen.reach,
        "arrival": np.minimum(seen.reach / seen.dealt, 1.0),
    }
    return polars.DataFrame(columns).fill_nan(None)


def best_and_edge(seen: PointView) -> tuple[list[str | None], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """The best action of every row and what the second best loses; None and NaN where nothing is known."""
    known = ~np.isnan(seen.ev)
    worth = np.where(known, seen.ev, -np.inf)
    order = np.sort(worth, axis=1)
    second = order[:, -2] if worth.shape[1] > 1 else np.full(len(worth), -np.inf)
    enough = known.sum(axis=1) > 1
    edge = np.full(len(worth), np.nan)
    edge[enough] = order[enough, -1] - second[enough]
    some = np.asarray(known.any(axis=1))
    names = [seen.actions[k] if some[row] else None for row, k in enumerate(worth.argmax(axis=1).tolist())]
    return names, edge


def actions_of(frame: polars.DataFrame) -> list[str]:
    """The action columns of a strategy table."""
    return frame.columns[1 : frame.columns.index("value")]


def reached(frame: polars.DataFrame) -> polars.DataFrame:
    """The rows that the strategies play this far in at least one of a thousand of their deals."""
    return frame.filter(polars.col("arrival") >= HARDLY_EVER)


def where(frame: polars.DataFrame, expression: str) -> polars.DataFrame:
    """The rows for which an SQL expression over the columns holds; UsageError when it is none.

    Cards are columns whose names need double quotes: "7" > 0.5. Only columns and the functions of ``CALLED`` can be
    named, so an expression reads no file and runs no code.
    """
    check_condition(expression)
    allowed = f"the columns are {', '.join(map(quoted, frame.columns))}"
    try:
        condition = polars.sql_expr(expression)
        if not condition.meta.root_names():
            raise UsageError(f"--where '{expression}' names no column; cards stand in double quotes, and {allowed}.")
        return frame.filter(condition)
    except polars.exceptions.ColumnNotFoundError as error:
        missing = str(error).split('"')[1] if '"' in str(error) else str(error)
        hint = near(missing, frame.columns)
        raise UsageError(f"--where '{expression}' names '{missing}', no column.{hint} T{allowed[1:]}.") from error
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, ValueError, TypeError) as error:
        what = " ".join(str(error).split("\n")[0].split()).rstrip(".")
        raise UsageError(
            f"--where '{expression}' is no condition ({what}); allowed is one like raise > 0.5 AND hand LIKE '7%', "
            f"where {allowed}."
        ) from error


def check_condition(expression: str) -> None:
    """UsageError for what the engine must not get: other tables, functions it may not call, and far too much."""
    if len(expression) > LONGEST:
        raise UsageError(f"--where has {len(expression):,} characters; a condition has at most {LONGEST:,}.")
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "''", expression).lower()
    for word in re.findall(r"[^\W\d]\w*", bare):
        if word in OTHER_TABLES:
            raise UsageError(f"--where '{expression}' is no condition: {word.upper()} asks for another table.")
    for word in re.findall(r"([^\W\d]\w*)\s*\(", bare):
        if word not in CALLED | BEFORE_BRACKETS:
            raise UsageError(
                f"--where '{expression}' is no condition: it calls {word.upper()}.{near(word, CALLED)} The functions "
                f"are {', '.join(sorted(CALLED)).upper()}."
            )


def quoted(column: str) -> str:
    """A column as an expression names it."""
    return f'"{column}"' if column[:1].isdigit() or not column.islower() else column


def ordered(frame: polars.DataFrame, column: str) -> polars.DataFrame:
    """Sorted by a column: numbers from the largest, texts from A; UsageError for one that is not there."""
    if column not in frame.columns:
        raise UsageError(
            f"--sort '{column}' is no column.{near(column, frame.columns)} The columns are: {', '.join(frame.columns)}."
        )
    return frame.sort(column, descending=column not in TEXTS, nulls_last=True, maintain_order=True)
