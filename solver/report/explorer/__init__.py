"""One HTML file to walk the public tree of a solution by clicking: no server, no network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from solver.errors import UsageError
from solver.files import write_bytes
from solver.places import check_file
from solver.report.explorer.figures import figures_of
from solver.report.explorer.page import page_of
from solver.report.kinds import Lang
from solver.strategy.solution import Solution

SUFFIXES = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class Written:
    """What a page holds: bytes of the file, points with figures, points without."""

    size: int
    points: int
    left_out: int


def check_page(place: Path) -> Path:
    """The file to write, if it is named as a page and can be written; UsageError or FileError otherwise."""
    if place.suffix.lower() not in SUFFIXES:
        raise UsageError(f"'{place}' is not named as a page; it must end in {' or '.join(SUFFIXES)}.")
    if place.is_dir():
        raise UsageError(f"'{place}' is a folder; name a file in it that ends in .html.")
    return check_file(place)


def write_page(solution: Solution, place: Path, lang: Lang = "en", least: float | None = None) -> Written:
    """Write the page whole or not at all.

    lang    the language it opens in; readers can switch
    least   points of the third trick that are reached less often carry no figures; None: 0 for small games, 1e-9 for
            those of more than a million numbers
    """
    figures = figures_of(solution, least)
    content = page_of(solution, figures, lang).encode("utf-8")
    write_bytes(check_page(place), content)
    return Written(len(content), figures.points, figures.left_out)
