"""One group of scores: its hands solved for the match, judged and stored.

Everything comes from the values of later scores, so the result depends on nothing but them and the tolerances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from solver.cfr.average import average_behaviour
from solver.cfr.solve import FIRST_CHECK, INTERRUPT, Limits, Run
from solver.evaluate.best_response import Behaviour, Pass
from solver.match import bounds
from solver.match.bounds import Chances, game_with
from solver.match.plan import allowance, predicted_iterations
from solver.match.tables import StateValue, Values
from solver.rules.model import RuleSet
from solver.rules.score import Score, format_score
from solver.solving.running import Checkpoint, drive
from solver.strategy import store
from solver.strategy.run import Task, new_run, run_facts
from solver.strategy.solution import Solution, judged, rounded
from solver.tree.build import HandGame

#: sweeps before the value of a hand is first looked at, to tell what drawn hands are worth
OPENING_SWEEPS = 30
#: judging begins at this part of the predicted iterations, and all ends at that multiple of them
FIRST_JUDGED, LAST_ITERATION, LEAST_LAST = 0.75, 10, 3000


class StoppedError(Exception):
    """The run is to stop now; a checkpoint of what was being solved is kept."""


@dataclass(frozen=True, slots=True)
class GroupTask:
    """What one worker gets.

    known       values of the later scores
    tolerance   planned exploitability of each score's hand, in chance of winning the match
    gap         planned nash_conv of the match from each score on
    folder      where the states' folders go, None: nothing is written
    resumable   checkpoints are kept there on the way, and gone on from
    """

    rules: RuleSet
    group: tuple[Score, ...]
    known: Values
    tolerance: dict[Score, float]
    gap: dict[Score, float]
    folder: Path | None = None
    algorithm: str = "dcfr"
    resumable: bool = True


@dataclass(slots=True)
class Hand:
    """One hand being solved; the run plays for the worth of outcomes in ``game``."""

    game: HandGame
    run: Run


def never() -> bool:
    """Nobody asks for a stop."""
    return False


def solve_group(task: GroupTask, stopping: Callable[[], bool] = never) -> dict[Score, StateValue]:
    """Solve the scores of a group, store their strategies, and return their values and bounds.

    ``stopping`` is asked after every sweep. Raises StoppedError once it says so, FileError for a checkpoint that is
    damaged, UsageError for one of another run, OSError when the disk is full.
    """
    first, last = task.group[0], task.group[-1]
    values: Chances = {score: found.value for score, found in task.known.items()} | dict.fromkeys(task.group, 0.5)
    opened = open_hand(task, first, values, stopping)
    values[first] = value_of(opened.run)
    solved: dict[Score, Solution] = {}
    if last != first:
        solved[last] = complete(task, open_hand(task, last, values, stopping), stopping)
        values[last] = solved[last].claim.value
    opened.game = game_with(task.rules, first, values.__getitem__)
    opened.run.sweeper.worth = opened.game.worth
    solved[first] = complete(task, opened, stopping)
    return settle(task, solved)


def open_hand(task: GroupTask, score: Score, values: Chances, stopping: Callable[[], bool]) -> Hand:
    """A hand that is played for the chances in ``values``, swept so far that it shows roughly how it ends."""
    game = game_with(task.rules, score, values.__getitem__)
    run = new_run(game, Task(task.algorithm, 1, Limits(task.tolerance[score])))
    for _ in range(OPENING_SWEEPS):
        run.step()
        if stopping():
            raise StoppedError
    gaps = {score: found.gap for score, found in task.known.items()} | task.gap
    later = bounds.expected_gap(task.rules, score, behaviour_of(run), gaps)
    tolerance = allowance(task.tolerance[score], task.gap[score], later)
    predicted = predicted_iterations(task.rules, score, tolerance)
    most, first = max(LEAST_LAST, LAST_ITERATION * predicted), max(FIRST_CHECK, 1 + int(FIRST_JUDGED * predicted))
    run.limits = Limits(tolerance, int(most), first_check=first)
    return Hand(game, run)


def behaviour_of(run: Run) -> Behaviour:
    """The average strategies of a run."""
    return lambda node: average_behaviour(run.sweeper.tree, run.sweeper.average, node)


def value_of(run: Run) -> float:
    """Elder's chance under the average strategies of a run."""
    return float(Pass(run.sweeper.tree, run.sweeper.worth, behaviour_of(run), 0, best=False).root().sum())


def complete(task: GroupTask, hand: Hand, stopping: Callable[[], bool]) -> Solution:
    """Sweep a hand to its tolerance, from its checkpoint if there is one, and round the strategies."""
    run, checkpoint = hand.run, None
    if task.folder is not None and task.resumable:
        checkpoint = Checkpoint(checkpoint_file(task.folder, task.rules, hand.game.score), hand.game, run)
        if checkpoint.path.is_file():
            checkpoint.resume()

    def watch(run: Run) -> None:
        if not run.reason and stopping():
            run.reason = INTERRUPT

    drive(run, checkpoint, watch)
    if run.reason == INTERRUPT:
        raise StoppedError
    return rounded(hand.game, run, run_facts(run))


def checkpoint_file(folder: Path, rules: RuleSet, score: Score) -> Path:
    """Where the running state of a score is kept inside a match folder."""
    return folder / f"checkpoint-{format_score(rules, score)}.npz"


def state_folder(folder: Path, rules: RuleSet, score: Score) -> Path:
    """Folder of one score's solution inside a match folder."""
    return folder / "states" / format_score(rules, score)


def settle(task: GroupTask, solved: dict[Score, Solution]) -> dict[Score, StateValue]:
    """Values and bounds of the rounded strategies; the states' folders are written with them."""
    behaviours = {score: solution.behaviour for score, solution in solved.items()}
    group = bounds.Group(task.rules, task.group, behaviours, task.known)
    values = bounds.settle_values(group)
    found = bounds.settle_bounds(group, values)
    if task.folder is not None:
        for solution in solved.values():
            store_state(task.folder, solution, values)
    return found


def store_state(folder: Path, solution: Solution, values: Chances) -> None:
    """Write a state's folder, judged with the payoffs of the final equity table: it claims no more than that."""
    rules, score = solution.game.rules, solution.game.score
    game = game_with(rules, score, values.__getitem__)
    store.save(judged(replace(solution, game=game)), state_folder(folder, rules, score))
