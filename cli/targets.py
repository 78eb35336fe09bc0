"""TARGET: a solution folder, or a game whose solution is looked up, or else solved first.

Imports the solver, so commands import it inside their bodies.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from cli.options import Unit, results_folder
from cli.output import note
from cli.runs import question_of, solved_in_passing
from solver.book.reading import BookSolution, open_book
from solver.errors import FileError, UsageError, near
from solver.match.record import MATCH
from solver.query.locate import Found, check_folder, nearest, state_of_match
from solver.rules import catalogue
from solver.rules.score import format_score
from solver.solving.order import Question
from solver.strategy import store
from solver.strategy.solution import Solution


@dataclass(frozen=True, slots=True)
class Target:
    """TARGET as the user gave it, with the options that go with it."""

    text: str
    settings: list[str] | None = None
    score: str | None = None
    unit: Unit | None = "points"
    results: Path | None = None
    quiet: bool = False


def open_target(target: Target, enough: Callable[[BookSolution], bool] | None = None) -> Solution:
    """The solution that a TARGET means; says on stderr which one that is if it had to be looked for.

    ``enough`` tells whether a page of the book answers what is asked; None: only a whole solution does.
    """
    folder = folder_of(target)
    if folder is not None:
        folder = state_of_match(folder, target.score)
        check_folder(folder, target.score, target.unit or "points")
        return store.load(folder)
    results = results_folder(target.results)
    wanted = question_of(target.text, target.settings, target.score, target.unit or "points")
    found = nearest(results, wanted)
    there = found is not None and not found.distance and target.unit in (None, found.unit)
    page = None if there or target.unit == "points" else open_book(wanted.rules, wanted.score)
    if page is not None and enough is not None and enough(page):
        tell_book(page, target.quiet)
        return page
    if found is not None:
        tell(found, wanted, target.quiet)
        return store.load(found.folder)
    asked = wanted if page is None else replace(wanted, unit="match")
    note(f"There is no solution of {asked.title} in the unit {asked.unit} yet; solving it first.", quiet=target.quiet)
    return solved_in_passing(asked, results, target.quiet)


def tell_book(page: BookSolution, quiet: bool) -> None:
    """That the book answers, and how good it is."""
    score = format_score(page.game.rules, page.game.score)
    note(
        f"From the book of {page.game.rules.name} at {score}: chances of winning the match, whose nash_conv is "
        f"{page.whole:.2g}; --unit points solves the hand alone.",
        quiet=quiet,
    )


def folder_of(target: Target) -> Path | None:
    """The folder that TARGET names, None for a rule set; a rule set goes before a folder of the same name."""
    text = target.text.strip()
    if text.lower() in catalogue.names():
        return None
    place = Path(target.text)
    if place.is_dir():
        if target.settings:
            raise UsageError(f"--set changes a rule set by name, and '{target.text}' is a solution folder.")
        return place
    if place.exists():
        raise FileError(f"'{target.text}' is a file; TARGET is a solution folder or a rule set.")
    if os.sep in text or "/" in text or place.suffix:
        raise FileError(f"There is no folder '{target.text}'; TARGET is a solution folder or a rule set.")
    names = catalogue.names()
    raise UsageError(
        f"'{target.text}' is neither a folder nor a rule set.{near(text, names)} The rule sets are: {', '.join(names)}."
    )


def another(text: str, first: Target) -> Target:
    """A second TARGET beside a first one, whose options hold for it too where it is a rule set by name."""
    if text.strip().lower() in catalogue.names():
        return replace(first, text=text)
    return replace(first, text=text, settings=None, score=None)


def match_of(text: str, score: str | None) -> Path | None:
    """The match folder that TARGET names when no score of it is asked for."""
    place = Path(text)
    named = text.strip().lower() in catalogue.names()
    return place if score is None and not named and (place / MATCH).is_file() else None


def tell(found: Found, wanted: Question, quiet: bool) -> None:
    """Which solution is used, and in what it differs from the wanted one."""
    differs = []
    if found.distance:
        differs.append(f"it is of another score, {found.score} and not {format_score(wanted.rules, wanted.score)}")
    if found.unit != wanted.unit:
        differs.append(f"it is in the unit {found.unit}, not {wanted.unit}")
    text = f"Using {found.folder}"
    note(f"{text}: {' and '.join(differs)}." if differs else f"{text}.", quiet=quiet)
