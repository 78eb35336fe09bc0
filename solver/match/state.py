"""One group of scores: its hands solved for the match, and the bounds that best responses over the whole match give.

Everything comes from the values of later scores, so the result depends on nothing but them and the tolerances.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.cfr.solve import Limits, Run
from solver.evaluate.best_response import Pass, evaluate
from solver.match.tables import StateValue
from solver.rules.model import RuleSet
from solver.rules.score import Score, format_score
from solver.strategy import store
from solver.strategy.checkpoint import identity, read_checkpoint, write_checkpoint
from solver.strategy.solution import Solution, Task, finish, game_for, new_run, solve_run
from solver.tree.build import HandGame
from solver.tree.utility import Equity, match_utility

COARSE_ITERATIONS = 30
CHECKPOINT_SECONDS = 60.0
#: rounds of the fixed point of drawn hands; each leaves about a hundredth of the error of the one before
DRAW_ROUNDS = 4
#: first guess above (below) the value; a guess that is not confirmed is doubled
FIRST_GAP = 0.01

Values = dict[Score, StateValue]


@dataclass(frozen=True, slots=True)
class GroupTask:
    """What one worker gets.

    known       values of the later scores
    tolerance   exploitability to solve each score to, in chance of winning the match
    folder      where the states' folders go, None: nothing is written
    """

    rules: RuleSet
    group: tuple[Score, ...]
    known: Values
    tolerance: dict[Score, float]
    folder: Path | None = None
    algorithm: str = "dcfr"


def solve_group(task: GroupTask) -> Values:
    """Solve the scores of a group, store their strategies, and return their values and bounds."""
    values = {score: found.value for score, found in task.known.items()}
    first, last = task.group[0], task.group[-1]
    values.update(dict.fromkeys(task.group, 0.5))
    coarse = solve_score(task, first, values, Limits(0.0, COARSE_ITERATIONS), keep=False)
    values[first] = coarse.claim.value
    solutions = {}
    for score in dict.fromkeys((last, first)):
        limits = Limits(task.tolerance[score], 100_000)
        solutions[score] = solve_score(task, score, values, limits, keep=True)
        values[score] = solutions[score].claim.value
    settled = settle_values(task, solutions, values)
    bounds = settle_bounds(task, solutions, settled)
    store_states(task, solutions, settled)
    return bounds


def state_folder(folder: Path, rules: RuleSet, score: Score) -> Path:
    """Folder of one score's solution inside a match folder."""
    return folder / "states" / format_score(rules, score)


def solve_score(task: GroupTask, score: Score, values: dict[Score, float], limits: Limits, keep: bool) -> Solution:
    """Solve one hand for the chances in ``values``; ``keep``: write checkpoints on the way and go on from them."""
    game = game_with(task.rules, score, values.__getitem__)
    run, compiled = new_run(game, Task(task.algorithm, 1, limits))
    watch: Callable[[Run], None] = lambda run: None  # noqa: E731
    place = None
    if keep and task.folder is not None:
        place = task.folder / f"checkpoint-{format_score(task.rules, score)}.npz"
        made_of = identity(game, task.algorithm)
        if place.is_file():
            read_checkpoint(place, run, made_of)
        watch = checkpointer(place, made_of)
    solve_run(game, run, watch)
    facts: dict[str, object] = {
        "algorithm": task.algorithm, "iterations": run.iteration, "seconds": run.seconds, "checking_seconds": run.checking,
        "compile_seconds": compiled, "threads": 1, "reason": run.reason, "reached_target": run.reason == "target reached",
    }  # fmt: skip
    return finish(game, run, facts)


def checkpointer(place: Path, made_of: dict[str, Any]) -> Callable[[Run], None]:
    """Writes a checkpoint every ``CHECKPOINT_SECONDS`` of a run."""
    last = time.monotonic()

    def watch(run: Run) -> None:
        nonlocal last
        if not run.reason and time.monotonic() - last > CHECKPOINT_SECONDS:
            write_checkpoint(place, run, made_of)
            last = time.monotonic()

    return watch


def game_with(rules: RuleSet, score: Score, equity: Equity, same: Equity | None = None) -> HandGame:
    """The hand at a score played for the match with these chances of the next hands' elders."""
    return game_for(rules, score, match_utility(rules, score, equity, same), "match")


def chance(task: GroupTask, solution: Solution, equity: Equity, side: int | None, same: Equity | None = None) -> float:
    """Elder's chance at a solved score when the next hands have the chances ``equity``.

    side   None: both play the solution; 0: the elder answers it best; 1: the dealer does
    same   the elder's chance where the same hand is dealt again
    """
    tree = game_with(task.rules, solution.game.score, equity, same).tree
    found = float(Pass(tree, solution.behaviour, side or 0, best=side is not None).root().sum())
    return -found if side == 1 else found


def settle_values(task: GroupTask, solutions: dict[Score, Solution], values: dict[Score, float]) -> dict[Score, float]:
    """Chances of the group under the stored strategies: drawn hands are linear, so two points give the fixed point."""
    line: dict[Score, tuple[float, float]] = {}
    for score, solution in solutions.items():
        low, high = (chance(task, solution, replaced(values, task.group, x), None) for x in (0.0, 1.0))
        line[score] = low, high - low
    found = dict(values)
    for _ in range(60):
        for score in task.group:
            constant, slope = line[score]
            found[score] = constant + slope * found[drawn_to(task.rules, score)]
    return found


def drawn_to(rules: RuleSet, score: Score) -> Score:
    """Score after a drawn hand, with the seats of that next hand."""
    reached: list[Score] = []

    def note(after: Score) -> float:
        reached.append(after)
        return 0.0

    match_utility(rules, score, note)(None, "long" if rules.tokens != "points" else 1)
    return reached[0] if reached[0] in (score, score.swapped()) else score.swapped()


def replaced(values: dict[Score, float], group: tuple[Score, ...], x: float) -> Equity:
    """The chances with every score of the group at ``x``."""
    return {**values, **dict.fromkeys(group, x)}.__getitem__


def settle_bounds(task: GroupTask, solutions: dict[Score, Solution], values: dict[Score, float]) -> Values:
    """Chances when one side answers best at every score from here on.

    Drawn hands make this a fixed point of a monotone contraction. A guess above it that one round does not raise is an
    upper bound, and every further round brings it closer; so the result bounds the match whatever is left of the error.
    """
    gap = FIRST_GAP
    while True:
        uppers = {score: found.upper for score, found in task.known.items()}
        lowers = {score: found.lower for score, found in task.known.items()}
        uppers.update({score: min(1.0, values[score] + gap) for score in task.group})
        lowers.update({score: max(0.0, values[score] - gap) for score in task.group})
        confirmed = True
        for turn in range(DRAW_ROUNDS):
            low, high = dict(lowers).__getitem__, dict(uppers).__getitem__
            raised = {score: chance(task, solutions[score], low, 0, high) for score in task.group}
            lowered = {score: chance(task, solutions[score], high, 1, low) for score in task.group}
            if turn == 0:
                confirmed = all(raised[s] <= uppers[s] and lowered[s] >= lowers[s] for s in task.group)
            uppers.update(raised)
            lowers.update(lowered)
        if confirmed or gap >= 1.0:
            return {score: StateValue(values[score], lowers[score], uppers[score]) for score in task.group}
        gap *= 4.0


def store_states(task: GroupTask, solutions: dict[Score, Solution], values: dict[Score, float]) -> None:
    """Write every state's folder with the payoffs that the final equity table gives."""
    if task.folder is None:
        return
    for score, solution in solutions.items():
        solution.game = game_with(task.rules, score, values.__getitem__)
        solution.claim = evaluate(solution.game.tree, solution.behaviour)
        store.save(solution, state_folder(task.folder, task.rules, score))
        (task.folder / f"checkpoint-{format_score(task.rules, score)}.npz").unlink(missing_ok=True)
