"""Solving a hand from the command line: shared by `solve` and by the commands that have to solve first.

Imports the solver, so commands import it inside their bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.commands.doctor import available_memory
from cli.exits import DONE, INTERRUPTED, TARGET_NOT_REACHED
from cli.keeper import Keeper
from cli.memory import peak_bytes, resident_bytes, sized
from cli.options import Unit
from cli.output import note
from cli.places import check_disk, check_place
from cli.progress import Progress
from solver.cfr.schedules import schedule
from solver.cfr.solve import INTERRUPT, Limits
from solver.errors import ResourceError
from solver.query.estimate import extra_memory, redeal_bytes
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import Score, format_score
from solver.strategy.checkpoint import checkpoint_path, identity, read_checkpoint
from solver.strategy.frames import own_responses
from solver.strategy.shipped import shipped
from solver.strategy.solution import DEFAULT_ALGORITHM, Solution, Task, game_at, new_run, run_facts
from solver.strategy.warm_up import compile_kernels

UNIT_NAMES = {"points": "points", "match": "of the match"}


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be solved, how far, and where the result goes.

    limits   iterations count from the start of the run, seconds from now, also when it is resumed
    """

    rules: RuleSet
    score: Score
    unit: Unit
    folder: Path
    limits: Limits
    equity: Path | None = None
    algorithm: str = DEFAULT_ALGORITHM
    threads: int = 1
    resume: bool = False
    force: bool = False
    quiet: bool = False

    @property
    def plan(self) -> str:
        """What is about to be done, with the unit of the target."""
        threads = f"{self.threads} thread" + "s" * (self.threads > 1)
        goal = f"exploitability {self.limits.target:g} {UNIT_NAMES[self.unit]}"
        return f"Solving {self.title} to {goal} by {self.algorithm} on {threads}, into {self.folder}."

    @property
    def title(self) -> str:
        """What is solved, in words."""
        return f"{self.rules.name} at {format_score(self.rules, self.score)}"


@dataclass(slots=True)
class Outcome:
    """What came of an order: the solution, where it lies (None: not kept), and why the run stopped."""

    solution: Solution
    reason: str
    path: Path | None

    @property
    def exit_code(self) -> int:
        """0 when the target was reached, 130 after Ctrl-C, else 1."""
        if self.reason == INTERRUPT:
            return INTERRUPTED
        return DONE if self.solution.facts["reached_target"] else TARGET_NOT_REACHED

    def summary(self) -> dict[str, Any]:
        """The keys that `solve --json` promises, and some more."""
        game, claim = self.solution.game, self.solution.claim
        return {
            "rules": game.rules.name,
            "options": game.rules.options(),
            "fingerprint": game.rules.fingerprint,
            "score": format_score(game.rules, game.score),
            "unit": game.unit,
            **self.solution.facts,
            "value": claim.value,
            "best_response": list(own_responses(claim.best_response, game.unit)),
            "nash_conv": claim.nash_conv,
            "exploitability": claim.exploitability,
            "memory_bytes": peak_bytes() or self.solution.facts["memory_bytes"],
            "path": self.path,
        }


def default_folder(results: Path, rules: RuleSet, score: Score, unit: str) -> Path:
    """Where a solution goes: RULES-SCORE-UNIT, and part of the fingerprint when options were changed."""
    name = f"{rules.name}-{format_score(rules, score)}-{unit}"
    changed = rules.name not in catalogue.names() or catalogue.load(rules.name).fingerprint != rules.fingerprint
    return results / (f"{name}-{rules.fingerprint[:8]}" if changed else name)


def carry_out(order: Order) -> Outcome:
    """Solve, keep checkpoints on the way, save the folder.

    Raises what `check_place` and `check_memory` find before any solving, and ResourceError when the result
    could not be written to its folder (then it says where it lies instead).
    """
    schedule(order.algorithm)
    check_place(order)
    with Progress(unit=UNIT_NAMES[order.unit], quiet=order.quiet) as progress:
        progress.stage("compiling kernels (once)")
        check_memory(order, redeal_bytes(order.rules))
        compile_seconds = compile_kernels()
        progress.stage("building the tree")
        game = game_at(order.rules, order.score, order.unit, order.equity)
        check_memory(order, extra_memory(game.tree, order.threads))
        check_disk(order, game.tree.n_slots)
        note(order.plan, quiet=order.quiet)
        task = Task(order.algorithm, order.threads, order.limits)
        run, _ = new_run(game, task)
        keeper = Keeper(game, run, order.folder, identity(game, order.algorithm), progress, order.quiet)
        keeper.force = order.force
        if order.resume:
            read_checkpoint(checkpoint_path(order.folder), run, keeper.made_of)
        keeper.solve()
        facts = run_facts(run, task, compile_seconds) | {"memory_bytes": peak_bytes()}
        solution, path = keeper.finish(facts, (order.equity or shipped(order.rules)) if order.unit == "match" else None)
        return Outcome(solution, run.reason, path)


def check_memory(order: Order, needed: int) -> None:
    """ResourceError when the work takes more memory than there is, unless forced."""
    free = available_memory()
    if free is None or needed <= free or order.force:
        return
    raise ResourceError(
        f"Solving {order.title} needs about {sized(resident_bytes() + needed)} of memory, "
        f"{sized(resident_bytes() + free)} can be had; take fewer ranks (--set ranks=4), or --force to try."
    )
