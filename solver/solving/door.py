"""The one door to a solved hand: the command line, matches, play and Python all come through it.

Place, memory and disk are looked at before anything is solved, limits hold from the building of the tree on, and what
was solved is kept whatever happens.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import numpy as np

from solver.cfr.schedules import schedule
from solver.cfr.solve import TARGET, Run
from solver.errors import ResourceError
from solver.solving.deadline import within
from solver.solving.estimate import extra_memory
from solver.solving.figures import duration
from solver.solving.machine import check_memory, peak_bytes
from solver.solving.order import Keep, Observer, Question
from solver.solving.places import check_disk, check_place
from solver.solving.running import Checkpoint, drive
from solver.solving.saving import patient_interrupts, reason, save_somewhere
from solver.solving.warm_up import compile_kernels
from solver.strategy.checkpoint import checkpoint_path
from solver.strategy.run import Task, new_run, run_facts
from solver.strategy.shipped import shipped
from solver.strategy.solution import Solution, finish, game_at
from solver.strategy.store import copy_equity
from solver.tree.build import MOST_NODES, HandGame, too_large
from solver.tree.counting import count_tree

UNIT_NAMES = {"points": "points", "match": "of the match"}
#: a tree is given this much time whatever the limit: what ends before anything was solved is worth less than a second
LEAST_BUILDING = 1.0


def solve(question: Question, task: Task, keep: Keep | None = None, observer: Observer | None = None) -> Solution:
    """Solve a hand to one of the limits of a task, and keep the result and its checkpoint, None: nowhere.

    The facts of the solution tell ``reason`` and ``reached_target``, its path where it lies, None where it was not
    kept: an interrupted run replaces no better solution. Iterations are counted from the start of a run, seconds from
    now, also when it is resumed. Ctrl-C ends a run as a limit does, a second one raises KeyboardInterrupt and keeps
    the checkpoint.

    UsageError, FileError and ResourceError for what is found before any solving; TrucError when the time is over before
    the hand is built; ResourceError or FileError when the result could not be written to its folder, with the place
    where it lies instead.
    """
    seen = observer or Observer()
    schedule(task.algorithm)  # an unknown one is refused before anything is done
    check_size(question)
    if keep is not None:
        check_place(question, keep)
    seen.stage("compiling kernels (once)")
    compiling = compile_kernels()
    seen.stage("building the tree")
    game, task = built(question, task)
    check_memory(question.title, extra_memory(game.tree, task.threads), task.forced)
    if keep is not None:
        check_disk(keep.folder, game.tree.n_slots, task.forced)
    seen.note(plan(question, task, keep))
    run = new_run(game, task)
    run.compiling += compiling
    checkpoint = None if keep is None else checkpoint_of(game, run, keep, seen)
    with patient_interrupts(seen):
        try:
            drive(run, checkpoint, seen.update)
        except KeyboardInterrupt:
            tell_checkpoint(checkpoint, seen)
            raise
        seen.stage("rounding and judging the result")
        solution = rounded_off(question, game, run, task.threads)
        tell_end(run, solution, seen)
        if keep is not None and checkpoint is not None:
            seen.stage("saving")
            save_somewhere(solution, keep, checkpoint.path, seen)
            leave(checkpoint, solution, seen)
    return solution


def built(question: Question, task: Task) -> tuple[HandGame, Task]:
    """The hand, and the task with the time that is left for it."""
    limits, started = task.limits, time.monotonic()
    if limits.seconds is None:
        return game_at(question.rules, question.score, question.unit, question.equity), task
    late = (
        f"The time limit of {duration(limits.seconds)} was over before the tree of {question.title} was built, so "
        "there is no result; give it more with --max-time, or take fewer ranks (--set ranks=4)."
    )
    with within(max(limits.seconds, LEAST_BUILDING), late):
        game = game_at(question.rules, question.score, question.unit, question.equity)
    left = max(limits.seconds - (time.monotonic() - started), 0.0)
    return game, replace(task, limits=replace(limits, seconds=left))


def check_size(question: Question) -> None:
    """ResourceError with its counts when the tree of a hand is too large to be built."""
    size = count_tree(question.rules, question.score)
    if size.nodes > MOST_NODES:
        raise ResourceError(too_large(f"{size.nodes:,} nodes, {size.sequences:,} actions of information sets"))


def plan(question: Question, task: Task, keep: Keep | None) -> str:
    """What is about to be done, with the unit of the target."""
    threads = f"{task.threads} thread" + "s" * (task.threads > 1)
    goal = f"exploitability {task.limits.target:g} {UNIT_NAMES[question.unit]}"
    where = "" if keep is None else f", into {keep.folder}"
    return f"Solving {question.title} to {goal} by {task.algorithm} on {threads}{where}."


def checkpoint_of(game: HandGame, run: Run, keep: Keep, observer: Observer) -> Checkpoint:
    """The checkpoint beside the folder, the run set to where it stands if that is asked for."""
    path = checkpoint_path(keep.folder)

    def failed(error: OSError) -> None:
        observer.warn(f"the checkpoint '{path}' could not be written ({reason(error)}).")

    checkpoint = Checkpoint(path, game, run, failed)
    if keep.resume:
        checkpoint.resume()
        observer.note(f"Resumed at iteration {run.iteration} from {path}.")
    elif path.exists():
        observer.note(f"'{path}' of an earlier run is not used; --resume goes on from it.")
    return checkpoint


def rounded_off(question: Question, game: HandGame, run: Run, threads: int) -> Solution:
    """The judged result of a run, with what must lie beside it; the arrays of the run are given back."""
    nothing, facts = np.zeros(0, np.float32), run_facts(run, threads) | {"memory_bytes": peak_bytes()}
    run.sweeper.regret = run.sweeper.strategy = nothing
    solution = finish(game, run, facts)
    run.sweeper.average = nothing
    equity = question.equity or shipped(question.rules)
    if question.unit == "match" and equity is not None:
        solution.extra_files = partial(copy_equity, equity)
    return solution


def tell_end(run: Run, solution: Solution, observer: Observer) -> None:
    """Why the run stopped, and how good the result is."""
    gap, target = solution.claim.exploitability, run.limits.target
    observer.note(
        f"Stopped: {solution.facts['reason']}, after {run.iteration} iterations in "
        f"{duration(run.seconds + run.checking)}; "
        f"exploitability {gap:.3g} {UNIT_NAMES[solution.game.unit]}, target {target:g}."
    )
    if run.reason == TARGET and not solution.facts["reached_target"]:
        observer.warn("rounding to 16 bits took the exploitability above the target: it is finer than files hold.")


def leave(checkpoint: Checkpoint, solution: Solution, observer: Observer) -> None:
    """Remove the run's own checkpoint once nothing is left to go on for; else say where it lies."""
    if TARGET not in (solution.facts["reason"], checkpoint.run.reason):
        tell_checkpoint(checkpoint, observer)
    elif checkpoint.own:
        checkpoint.path.unlink(missing_ok=True)


def tell_checkpoint(checkpoint: Checkpoint | None, observer: Observer) -> None:
    """Say where the run can go on from."""
    if checkpoint is not None and checkpoint.path.exists():
        observer.note(f"The checkpoint {checkpoint.path} is kept; --resume goes on from it.")
