"""The Python interface: everything that ``import solver`` offers, a thin door over the packages below it.

    import solver

    rules = solver.rule_set("truc", ranks=3, ladder="1,2")
    solution = solver.solve(rules, target=0.001)
    print(solver.table(solution, "K raise"))

Whatever is wrong with what was given is a ``solver.TrucError`` that says so in a sentence: ``UsageError`` for rules,
hands, histories, scores and options, ``FileError`` for files, ``ResourceError`` for memory and disk. Values are in
the unit of the solution; the frames are those of polars, and the formats page tells their columns.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from solver.cfr.schedules import schedule
from solver.cfr.solve import Limits, Run
from solver.errors import FileError, UsageError
from solver.exchange.rows import write_rows
from solver.forks import check_fork, with_tables
from solver.places import check_folder
from solver.query.advise import point_after
from solver.query.compare import Comparison
from solver.query.compare import compare as compare_solutions
from solver.query.locate import check_folder as check_solution
from solver.query.locate import state_of_match
from solver.query.sizes import dealt_infosets
from solver.query.stats import checked_keys, statistics
from solver.query.table import strategy_table
from solver.query.why import why
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import Score, parse_score, start_score
from solver.solving import door
from solver.solving.estimate import extra_memory
from solver.solving.machine import usable_threads
from solver.solving.order import Keep, Observer, Question
from solver.strategy import store
from solver.strategy.description import describe
from solver.strategy.equity import equity_file
from solver.strategy.frames import convergence_frame
from solver.strategy.parquet import read_frame
from solver.strategy.run import DEFAULT_ALGORITHM, DEFAULT_TARGETS, Task
from solver.strategy.solution import Solution, game_at
from solver.strategy.verify import Verdict
from solver.strategy.verify import verify as verify_claims
from solver.tree.model import tree_size

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure

Lang = Literal["en", "fr"]
Watch = Callable[[int, float | None], None]


def rule_sets() -> list[str]:
    """The names of all rule sets."""
    return catalogue.names()


def rule_set(name: str, **options: object) -> RuleSet:
    """A rule set, with options changed: ``rule_set("truc", ranks=3, ladder="1,2", free_fold=True)``.

    Options and values are those of ``--set``; a tuple or list stands for values with commas between. UsageError
    names an unknown rule set or option, or a bad value, and what is allowed.
    """
    return catalogue.load(name, {option: written(value) for option, value in options.items()})


def written(value: object) -> str:
    """An option's value as text."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def estimate(
    rules: RuleSet | str, score: Score | str | None = None, algorithm: str = DEFAULT_ALGORITHM
) -> dict[str, int]:
    """Size of a hand before it is solved: exact counts, and the bytes that solving takes beyond this process."""
    chosen, at = game_of(rules, score)
    schedule(algorithm)  # an unknown one is refused before anything is built
    game = game_at(chosen, at, "points")
    tree, size = game.tree, tree_size(game.tree)
    counts = {"infosets": size.infosets, "infosets_dealt": dealt_infosets(game)}
    counts |= {"sequences": size.sequences, "nodes": size.nodes}
    return {**counts, "memory_bytes": extra_memory(tree, usable_threads())}


def solve(
    rules: RuleSet | str,
    score: Score | str | None = None,
    *,
    unit: str = "points",
    target: float | None = None,
    equity: Path | str | None = None,
    algorithm: str = DEFAULT_ALGORITHM,
    threads: int | None = None,
    max_iterations: int | None = None,
    max_seconds: float | None = None,
    out: Path | str | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Watch | None = None,
) -> Solution:
    """Solve one hand; errors are those of ``rule_set`` and ``save``, FileError for a bad equity table, ResourceError.

    rules        a rule set, or its name; score: as ``"7-10"``, by default the start of a match
    unit         "points", or "match": then ``equity`` is a table or a match folder, by default the book's
    target       exploitability to reach, in the unit; by default 0.005 points, 0.001 of the match
    max_seconds  counted from now, building included
    out          folder to save the solution to as well; a run that stops early leaves a checkpoint beside it
    resume       go on from that checkpoint
    force        go on with too little memory or disk, and replace a solution of another game
    progress     called after every iteration with its number and the last exploitability found, None before the first

    The result's ``facts`` tell ``reached_target``, and the ``reason`` for stopping. Ctrl-C stops a run as a limit does.
    """
    if out is not None or unit == "match":
        check_fork()
    at = game_of(rules, score)
    if unit not in DEFAULT_TARGETS:
        raise UsageError(f"There is no unit {unit!r}; the units are points and match.")
    goal = positive("target", DEFAULT_TARGETS[unit] if target is None else target)
    limits = Limits(goal, whole("max_iterations", max_iterations), positive("max_seconds", max_seconds))
    task = Task(algorithm, whole("threads", threads) or usable_threads(), limits, force)
    keep = None if out is None else Keep(Path(out), resume, force)
    return door.solve(Question(*at, unit, None if equity is None else Path(equity)), task, keep, Caller(progress))


def game_of(rules: RuleSet | str, score: Score | str | None) -> tuple[RuleSet, Score]:
    """Rules and score as they may be given."""
    chosen = rule_set(rules) if isinstance(rules, str) else rules
    if isinstance(score, Score):
        return chosen, score
    return chosen, start_score(chosen) if score is None else parse_score(chosen, score)


def positive(name: str, value: float | None) -> Any:
    """The number, if it is finite and above zero; None stays None."""
    if value is not None and not 0.0 < value < float("inf"):
        raise UsageError(f"{value!r} is not allowed for {name}: a number above 0 is.")
    return value


def whole(name: str, value: int | None) -> int | None:
    """The number, if it is whole and at least one; None stays None."""
    if value is not None and (not isinstance(value, int) or value < 1):
        raise UsageError(f"{value!r} is not allowed for {name}: a whole number of at least 1 is.")
    return value


class Caller(Observer):
    """The caller of ``solve``: his ``progress`` is called, what works less well than it should is a warning."""

    def __init__(self, progress: Watch | None) -> None:
        self.progress = progress

    def update(self, run: Run) -> None:
        """An iteration is done."""
        if self.progress is not None:
            self.progress(run.iteration, run.measures[-1].exploitability if run.measures else None)

    def warn(self, sentence: str) -> None:
        """Something works less well than it should."""
        warnings.warn(sentence, stacklevel=2)


@with_tables
def save(solution: Solution, path: Path | str) -> Path:
    """Write a solution folder, whole or not at all; returns it.

    A solution that is there already is replaced. UsageError when the folder holds anything else, FileError when it
    cannot be replaced, OSError (with the folder's name) when writing fails.
    """
    return store.save(solution, free_folder(Path(path)))


def free_folder(folder: Path) -> Path:
    """The folder, if it can be written and nothing but a solution would be lost by that."""
    check_folder(folder)
    store.check_replaced(folder)
    return folder


@with_tables
def load(path: Path | str, score: str | None = None) -> Solution:
    """Read a solution folder, or one score of a match folder (its start by default).

    FileError when it is missing, damaged, made by other rules, or of another score.
    """
    folder = state_of_match(Path(path), score)
    check_solution(folder, score, "points")
    return store.load(folder)


def summary(solution: Solution) -> dict[str, Any]:
    """What run.json tells: rules, score, unit, how it was solved, value, both best responses, exploitability."""
    return describe(solution)


@with_tables
def convergence(solution: Solution) -> polars.DataFrame:
    """The judged points of the run: iteration, seconds, value, best responses, nash_conv."""
    return convergence_frame(solution.measures, solution.game.unit)


def judge(solution: Solution, exact: bool | None = None) -> Verdict:
    """Judge a solution again by code that shares nothing with the solver, and compare with what it claims.

    exact   also in whole numbers, without rounding; None: where that takes no more than a few seconds. The verdict
            has ``ok``, ``faults`` (sentences) and ``error_bound``; ``verdict.told(solution.game.unit)`` the values.
    """
    return verify_claims(solution, store.claims(solution), exact)


def explain(solution: Solution, hand: str, history: str = "", lang: Lang = "en") -> list[str]:
    """Sentences that say why: what the best action gains, chances to win, what folding costs."""
    from solver.report.reasons import sentences

    return sentences(why(solution, hand, history), solution.game.rules, solution.game.unit, lang)


@with_tables
def table(solution: Solution, history: str = "") -> polars.DataFrame:
    """The strategy at one point, a row a hand, strongest ranks first: hand, a column an action, value, best, edge,
    reach, arrival. UsageError with the position of the first word of the history that cannot come there.
    """
    return strategy_table(solution, point_after(solution.game, history))


@with_tables
def stats(solution: Solution, by: str | Sequence[str] = ("seat", "trick", "word")) -> polars.DataFrame:
    """How often everything is said and how bets are answered, grouped by seat, trick, word, class, history, score."""
    import polars

    keys = checked_keys(by if isinstance(by, str) else ",".join(by))
    return polars.DataFrame(statistics(solution, keys), infer_schema_length=None)


@with_tables
def rows(solution: Solution, min_reach: float = 0.0) -> polars.DataFrame:
    """The whole strategy of both sides: history, seat, hand, action, frequency, reach, ev.

    The full game of Truc has 14.6 million rows; ``min_reach`` leaves out what is reached less often.
    """
    import polars

    found: list[polars.DataFrame] = []
    write_rows(solution, lambda frame: found.append(frame.filter(polars.col("reach") >= min_reach)))
    return polars.concat(found)


@with_tables
def compare(a: Solution, b: Solution, limit: int = 20, order: str = "difference") -> Comparison:
    """Two solutions side by side: values, rates, head to head, and the hands that differ most.

    order   what differs most: "difference" of frequencies, or "loss" by playing as the other does
    """
    if order not in ("difference", "loss"):
        raise UsageError(f"{order!r} is not allowed for order: difference and loss are.")
    return compare_solutions(a, b, limit, order)


def chart(solution: Solution, kind: str = "strategy", history: str = "", lang: Lang = "en") -> Figure:
    """A figure of matplotlib: strategy, raise, trut, fold, thresholds, or convergence."""
    from solver.report import charts

    return charts.draw_runs([solution], lang) if kind == "convergence" else charts.draw(kind, solution, history, lang)


@with_tables
def equity(path: Path | str) -> polars.DataFrame:
    """The chances of winning a match at every score, from a match folder or its equity.parquet.

    FileError when there is no such table.
    """
    place = equity_file(Path(path))
    if not place.is_file():
        raise FileError(f"There is no equity table at '{place}'; `truc-solve match` makes one.")
    frame = read_frame(place)
    if "elder_wins" not in frame.columns:
        raise FileError(f"'{place}' is no equity table: it lacks the column 'elder_wins'.")
    return frame
