"""`estimate`: how large a game is, before it is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import (
    EquityOption,
    FormatOption,
    JsonOption,
    OutOption,
    RulesArgument,
    ScoreOption,
    SetOption,
    ThreadsOption,
    UnitOption,
)
from cli.output import emit, warn
from cli.rows import Column

if TYPE_CHECKING:
    from solver.solving.order import Question
    from solver.strategy.run import Task

ProbeOption = Annotated[
    bool,
    typer.Option(
        "--no-probe",
        metavar="",
        rich_help_panel="How to run",
        help="Count only; do not run the solver for a second to time it.",
    ),
]
SHOWN = (
    Column("rules"),
    Column("score"),
    Column("infosets_dealt", "information sets", ",d"),
    Column("infosets", "as they are solved", ",d"),
    Column("sequences", "", ",d"),
    Column("nodes", "betting histories", ",d"),
    Column("boards", "with cards laid", ",d"),
    Column("memory", "memory at the peak"),
    Column("available", "memory to be had"),
    Column("seconds_per_iteration", "", ".4g"),
    Column("threads"),
)


def estimate(
    rules: RulesArgument,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: UnitOption = "points",
    equity: EquityOption = None,
    algorithm: Annotated[
        str | None,
        typer.Option("--algorithm", metavar="NAME", rich_help_panel="How to run", help="As in solve."),
    ] = None,
    threads: ThreadsOption = None,
    no_probe: ProbeOption = False,
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
) -> None:
    """Count a game and time an iteration, before solving it.

    Counts are exact. Information sets are those that some deal leads to; as they are solved, cards of a class count
    once and hands that would need more cards of a rank than there are count too, which are never held. Sequences: one
    an action of these. Memory is the peak of the whole process while `solve` runs. 100 to 400 iterations reach the
    default target on most games.

    Example:
      truc-solve estimate truc
      truc-solve estimate trut --set ranks=5 --no-probe
    """
    from cli.runs import question_of
    from solver.solving.machine import usable_threads
    from solver.strategy.run import DEFAULT_ALGORITHM, Task

    task = Task(algorithm or DEFAULT_ALGORITHM, threads or usable_threads())
    found = sizes(question_of(rules, settings, score, unit, equity), task, probing=not no_probe)
    whole = json or format == "json"
    emit(found, json=json, format=format, out=out, columns=None if whole else shown(found))


def shown(found: dict[str, Any]) -> list[Column]:
    """The lines for people; what is not known is left out."""
    return [column for column in SHOWN if found.get(column.key) is not None]


def sizes(question: Question, task: Task, probing: bool) -> dict[str, Any]:
    """Every figure of a hand, None what is not known: of a tree too large to be built there are counts alone."""
    from solver.cfr.schedules import schedule
    from solver.rules.score import format_score
    from solver.tree.build import MOST_NODES
    from solver.tree.counting import count_tree

    schedule(task.algorithm)  # an unknown one is refused before anything is built
    size = count_tree(question.rules, question.score)
    large = size.nodes > MOST_NODES
    if large:
        warn(f"the tree has more than {MOST_NODES:,} nodes, too many to build; `solve` will refuse it.")
    return {
        "rules": question.rules.name,
        "fingerprint": question.rules.fingerprint,
        "score": format_score(question.rules, question.score),
        "unit": question.unit,
        "algorithm": task.algorithm,
        "infosets": size.infosets,
        "infosets_dealt": None,
        "sequences": size.sequences,
        "nodes": size.nodes,
        "boards": size.boards,
        **dict.fromkeys(("memory_bytes", "memory", "available_bytes", "available", "seconds_per_iteration")),
        **({} if large else cost(question, task, probing)),
        "threads": task.threads,
    }


def cost(question: Question, task: Task, probing: bool) -> dict[str, Any]:
    """What needs the tree; seconds_per_iteration is None without a probe or with too little memory."""
    from solver.memory import available_memory
    from solver.query.sizes import dealt_infosets
    from solver.solving.estimate import extra_memory, probe
    from solver.solving.figures import sized
    from solver.solving.machine import resident_bytes
    from solver.solving.warm_up import compile_kernels
    from solver.strategy.solution import game_at

    compile_kernels()
    game = game_at(question.rules, question.score, question.unit, question.equity)
    needed, free, held = extra_memory(game.tree, task.threads), available_memory(), resident_bytes()
    enough = free is None or needed <= free
    if not enough:
        warn("the memory to be had is less than the game needs; `solve` will refuse it.")
    return {
        "infosets_dealt": dealt_infosets(game),
        "memory_bytes": held + needed,
        "memory": sized(held + needed),
        "available_bytes": None if free is None else held + free,
        "available": None if free is None else sized(held + free),
        "seconds_per_iteration": probe(game, task.algorithm, task.threads) if probing and enough else None,
    }
