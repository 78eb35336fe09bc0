"""One program on one exported game, in a process of its own:

    python -m benchmarks.programs PROGRAM GAME TARGET

prints a JSON object: version, iterations, exploitability in points by the program's own measure, and processor
seconds of solving without imports, loading, compiling and measuring; "whole" has these in it. A program is measured
after 1, 2, 3, 4, 6, 8, 12 … iterations and stops at the first measure that reaches the target. Processor seconds are
taken because other work on the machine stretches them much less than the time on the clock.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.games import GAMES, Game


class Reached(NamedTuple):
    """Where a program stopped."""

    version: str
    iterations: int
    exploitability: float
    seconds: float


def checkpoints() -> Iterator[int]:
    """1, 2, 3, 4, 6, 8, 12, 16 …"""
    yield from (1, 2, 3)
    step = 4
    while True:
        yield step
        yield step * 3 // 2
        step *= 2


def iterate(step: Callable[[], None], measure: Callable[[], float], target: float) -> tuple[int, float, float]:
    """Iterate until a measure is at most the target: iterations, the measure, seconds of the steps alone."""
    done, seconds = 0, 0.0
    for until in checkpoints():
        started = time.process_time()
        for _ in range(until - done):
            step()
        seconds += time.process_time() - started
        done, found = until, measure()
        if found <= target:
            break
    return done, found, seconds


def truc_solve(game: Game, path: Path, target: float) -> Reached:
    """This project by its default update rule on one thread; it sees the rules, not the file."""
    from solver.cfr.solve import Limits
    from solver.strategy.run import Task, judge_of, new_run
    from solver.strategy.solution import game_at

    run = new_run(game_at(game.rule_set(), game.at(), "points"), Task(limits=Limits(target)))
    judged = judge_of(run)

    def measure() -> float:
        _, (elder, dealer) = judged()
        return (elder + dealer) / 2.0

    return Reached(version("truc-solve"), *iterate(run.sweeper.step, measure, target))


def openspiel(game: Game, path: Path, target: float) -> Reached:
    """OpenSpiel's CFR+ in C++ on the efg file."""
    import pyspiel

    loaded = pyspiel.load_game(f"efg_game(filename={path})")
    solver = pyspiel.CFRPlusSolver(loaded)
    found = iterate(
        solver.evaluate_and_update_policy,
        lambda: float(pyspiel.exploitability(loaded, solver.average_policy())),
        target,
    )
    return Reached(version("open-spiel"), *found)


def liteefg(game: Game, path: Path, target: float) -> Reached:
    """LiteEFG's CFR+ with linear averages, on the game as OpenSpiel reads it from the efg file."""
    import LiteEFG
    import pyspiel
    from LiteEFG.baselines.CFRplus import graph

    text = path.with_suffix(".liteefg")
    text.write_text("\n".join(liteefg_lines(pyspiel.load_game(f"efg_game(filename={path})"))) + "\n", "utf-8")
    environment, update = LiteEFG.FileEnv(str(text), traverse_type="Enumerate"), graph()
    environment.GetGraph(update)

    def step() -> None:
        update.UpdateGraph(environment)
        environment.UpdateStrategy(update.Strategy(), update_best=False)

    def measure() -> float:
        return float(sum(environment.Exploitability(update.Strategy(), "linear-avg-iterate"))) / 2.0

    return Reached(version("LiteEFG"), *iterate(step, measure, target))


def liteefg_lines(loaded: Any) -> Iterator[str]:
    """The lines of a game file for LiteEFG: nodes by number, then the members of every information set."""
    yield f"# Opt {{\n#     openspiel,\n#     players: {loaded.num_players()},\n# }}"
    members: dict[tuple[int, str], list[str]] = {}
    waiting = [(loaded.new_initial_state(), "n0")]
    count = 0
    while waiting:
        state, name = waiting.pop()
        if state.is_terminal():
            yield f"node {name} leaf payoffs " + " ".join(f"{k + 1}={x:.17g}" for k, x in enumerate(state.returns()))
            continue
        actions = state.legal_actions()
        names = [f"n{count + k + 1}" for k in range(len(actions))]
        count += len(actions)
        waiting.extend((state.child(action), below) for action, below in zip(actions, names, strict=True))
        if state.is_chance_node():
            chances = " ".join(
                f"{below}={p:.17g}" for below, (_, p) in zip(names, state.chance_outcomes(), strict=True)
            )
            yield f"node {name} chance actions {chances}"
        else:
            player = state.current_player()
            members.setdefault((player, state.information_state_string()), []).append(name)
            yield f"node {name} player {player + 1} actions {' '.join(names)}"
    for number, ((player, _), nodes) in enumerate(members.items()):
        yield f"infoset pl{player + 1}_{number}__ nodes {' '.join(nodes)}"


def gambit(game: Game, path: Path, target: float) -> Reached:
    """Gambit's linear program in floating point: one solution, exact but for rounding."""
    import pygambit

    loaded = pygambit.read_efg(str(path))
    started = time.process_time()
    pygambit.nash.lp_solve(loaded, rational=False)
    return Reached(version("pygambit"), 1, 0.0, time.process_time() - started)


PROGRAMS = {"truc-solve": truc_solve, "OpenSpiel": openspiel, "LiteEFG": liteefg, "Gambit": gambit}


def main(program: str, name: str, target: str) -> None:
    """Run one program and print what it reached."""
    from solver.exchange.efg import write_efg

    game = GAMES[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        nodes = write_efg(game.rule_set(), game.at(), path)
        started = time.process_time()
        try:
            reached = PROGRAMS[program](game, path, float(target))
        except ImportError as error:
            print(json.dumps({"missing": str(error)}))
            return
    print(json.dumps({**reached._asdict(), "nodes": nodes, "whole": time.process_time() - started}))


if __name__ == "__main__":
    main(*sys.argv[1:])
