"""`bench`: how fast this machine solves."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import FormatOption, JsonOption, OutOption, QuietOption, ThreadsOption
from cli.output import emit, note
from cli.rows import Column

QuickOption = Annotated[
    bool,
    typer.Option("--quick", metavar="", rich_help_panel="How to run", help="Only the small games, a second each."),
]
AlgorithmOption = Annotated[
    str, typer.Option("--algorithm", metavar="NAME", rich_help_panel="How to run", help="The update rule to time.")
]
SHOWN = (
    Column("rules"),
    Column("score"),
    Column("options"),
    Column("slots", "", ",d"),
    Column("threads"),
    Column("iterations_per_second", "iterations/s", ".1f"),
    Column("seconds_per_iteration", "s/iteration", ".4f"),
    Column("ns_per_slot", "ns/slot", ".2f"),
    Column("bytes_per_slot", "bytes/slot"),
    Column("percent_of_bandwidth", "% bandwidth", ".0f"),
    Column("compile_seconds", "build, compile s", ".1f"),
)


def bench(
    threads: ThreadsOption = None,
    algorithm: AlgorithmOption = "dcfr",
    quick: QuickOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
) -> None:
    """Time the solver on fixed games: iterations a second, nanoseconds a slot, part of the memory bandwidth.

    An iteration updates both sides once. A slot is one action of one information set. The bandwidth is that of
    a triad over large arrays on the same threads, measured in the same run.

    Example:
      truc-solve bench
      truc-solve bench --quick --json
    """
    import os
    from dataclasses import replace

    from solver.cfr.schedules import schedule
    from solver.solving.bench import GAMES, bandwidth, time_game

    schedule(algorithm)
    used = threads or os.cpu_count() or 1
    memory = bandwidth(used)
    note(f"Memory moves {memory / 1e9:.1f} GB/s on {used} threads (triad).", quiet=quiet)
    games = [game for game in GAMES if not quick or game[1] == "9-9" or game[2]]
    rows = []
    for game in games:
        timing = replace(time_game(game, algorithm, used, 1.0 if quick else 5.0), bandwidth=memory)
        rows.append(timing.row)
        note(f"{timing.rules} {timing.score}: {timing.seconds:.4f} s an iteration.", quiet=quiet)
    emit(rows, json=json, format=format, out=out, title="Speed of the solver", columns=SHOWN)
