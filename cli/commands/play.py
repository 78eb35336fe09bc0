"""`play`: a match against the solution at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.commands.query import LangOption
from cli.exits import DONE, INTERRUPTED
from cli.options import (
    QuietOption,
    ResultsOption,
    RulesArgument,
    ScoreOption,
    SetOption,
    positive_number,
    whole_number,
)
from cli.output import note, text, warn

if TYPE_CHECKING:
    from cli.sitting import Sitting
    from solver.coach.record import HandRecord

_TABLE = "At the table"

SeatOption = Annotated[
    Literal["elder", "dealer", "alternate"],
    typer.Option(
        "--seat",
        metavar="SEAT",
        rich_help_panel=_TABLE,
        help="Your seat: elder or dealer in every hand, or alternate: elder first, then the deal passes on.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        parser=whole_number("--seed", 0),
        rich_help_panel=_TABLE,
        help="Makes the cards and the opponent's choices repeatable; by default drawn, and told.",
    ),
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record", metavar="FILE", rich_help_panel=_TABLE, help="Add a record of every hand to this file, for review."
    ),
]
HandsOption = Annotated[
    int | None,
    typer.Option(
        "--hands",
        metavar="N",
        parser=whole_number("--hands", 1),
        rich_help_panel=_TABLE,
        help="Stop after so many hands; by default when the match is over.",
    ),
]
LooseOption = Annotated[
    float | None,
    typer.Option(
        "--target",
        metavar="X",
        parser=positive_number("--target", "an exploitability above 0, in points,"),
        rich_help_panel="How to run",
        help="Solve scores that have no solution to this exploitability in points, by default 0.02.",
    ),
]


def play(
    rules: RulesArgument,
    settings: SetOption = None,
    score: ScoreOption = None,
    seat: SeatOption = "alternate",
    seed: SeedOption = None,
    hands: HandsOption = None,
    record: RecordOption = None,
    lang: LangOption = "en",
    target: LooseOption = None,
    results: ResultsOption = None,
    quiet: QuietOption = False,
) -> int:
    """Play a match against the solution.

    The opponent plays the stored strategy of the score at hand: that of a match solved in the results folder, or of
    the hand in points; a score that has none is solved first, loosely, and kept for the next time. At every
    prompt ? shows what the solution would do with your cards. Ctrl-C ends; what is recorded is kept.

    Example:
      truc-solve play truc --set target=6
      truc-solve play trut --seed 7 --record evening.txt
      truc-solve play truc --score 8-10 --seat dealer --hands 5 --lang fr
    """
    import secrets

    from cli.dialogue import Dialogue
    from cli.options import results_folder, rule_set
    from cli.score_solutions import LOOSE_TARGET, ScoreSolutions
    from cli.sitting import Sitting
    from solver.coach.play import Match
    from solver.rules.score import parse_score, start_score

    game = rule_set(rules, settings)
    start = start_score(game) if score is None else parse_score(game, score)
    match = Match(game, start, secrets.randbelow(10**6) if seed is None else seed, seat)
    pages = Pages(record)
    solutions = ScoreSolutions(game, results_folder(results), target or LOOSE_TARGET, quiet)
    return played(Sitting(match, Dialogue(game, lang), solutions, pages.add), pages, hands, quiet)


def played(sitting: Sitting, pages: Pages, hands: int | None, quiet: bool) -> int:
    """Play to the end of the match, of `hands`, or until the person ends it; the exit code."""
    try:
        sitting.play(hands)
    except (KeyboardInterrupt, EOFError):
        text("")
        note("Interrupted." + pages.told())
        return INTERRUPTED
    note(pages.told().strip(), quiet=quiet or not pages.told())
    return DONE


class Pages:
    """The file that hands are added to."""

    def __init__(self, place: Path | None) -> None:
        """Makes the file if there is none; UsageError or FileError for one that is no record or cannot be written."""
        from solver.coach.reading import without_torn
        from solver.coach.record import begun
        from solver.files import add
        from solver.places import plain_file

        self.place, self.written = place, 0
        if place is None:
            return
        if plain_file(place) is not None and place.exists() and place.stat().st_size:
            without_torn(place, warn)
        add(place, begun)

    def add(self, hand: HandRecord) -> None:
        """Add a hand, whole or not at all, numbered on from those that the file holds by then."""
        from solver.coach.record import numbered_on
        from solver.files import add

        if self.place is not None:
            add(self.place, lambda before: numbered_on(hand, before, self.written + 1))
            self.written += 1

    def told(self) -> str:
        """Where the record is, as the end of a note."""
        count = "1 hand is" if self.written == 1 else f"{self.written} hands are"
        return "" if self.place is None else f" {count} recorded in {self.place}."
