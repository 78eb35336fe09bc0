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
    from cli.runs import Order

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
    Column("infosets", "information sets", ",d"),
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

    Information sets and sequences (one an action of each) are exact. Memory is the peak of the whole
    process while `solve` runs. 100 to 400 iterations reach the default target on most games.

    Example:
      truc-solve estimate truc
      truc-solve estimate trut --set ranks=5 --no-probe
    """
    from dataclasses import replace

    from cli.commands.solve import order_of

    order = order_of(rules, settings, score, unit, (None, None))
    order = replace(order, equity=equity, algorithm=algorithm or order.algorithm, threads=threads or order.threads)
    found = sizes(order, probing=not no_probe)
    whole = json or format == "json"
    emit(found, json=json, format=format, out=out, columns=None if whole else shown(found))


def shown(found: dict[str, Any]) -> list[Column]:
    """The lines for people; what is not known is left out."""
    return [column for column in SHOWN if found.get(column.key) is not None]


def sizes(order: Order, probing: bool) -> dict[str, Any]:
    """Every figure of an order; seconds_per_iteration is None without a probe or with too little memory."""
    from cli.commands.doctor import available_memory
    from cli.memory import resident_bytes, sized
    from solver.cfr.schedules import schedule
    from solver.query.estimate import extra_memory, probe
    from solver.rules.score import format_score
    from solver.strategy.solution import game_at
    from solver.strategy.warm_up import compile_kernels
    from solver.tree.model import tree_size

    schedule(order.algorithm)  # an unknown one is refused before anything is built
    compile_kernels()
    game = game_at(order.rules, order.score, order.unit, order.equity)
    tree = game.tree
    size, needed, free = tree_size(tree), extra_memory(tree, order.threads), available_memory()
    held = resident_bytes()
    enough = free is None or needed <= free
    if not enough:
        warn("the memory to be had is less than the game needs; `solve` will refuse it.")
    return {
        "rules": order.rules.name,
        "fingerprint": order.rules.fingerprint,
        "score": format_score(order.rules, order.score),
        "unit": order.unit,
        "algorithm": order.algorithm,
        "infosets": size.infosets,
        "sequences": size.sequences,
        "nodes": size.nodes,
        "boards": size.boards,
        "memory_bytes": held + needed,
        "memory": sized(held + needed),
        "available_bytes": None if free is None else held + free,
        "available": None if free is None else sized(held + free),
        "seconds_per_iteration": probe(game, order.algorithm, order.threads) if probing and enough else None,
        "threads": order.threads,
    }
