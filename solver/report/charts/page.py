"""The sheet of paper under every chart: margins, title, legend, caption, colours, and the file it ends in."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.typing import ColorType

from solver.files import write_bytes
from solver.report.colours import BLACK, GREY, INK
from solver.report.kinds import check_place

LIGHT = (0.2126, 0.7152, 0.0722)  # of red, green, blue
DARK_GROUND = 0.18  # below it white text stands out more than black
RARE = 0.35  # opacity of hands that hardly come here

STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.0,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "truc-solve",
    "pdf.fonttype": 42,
    "savefig.dpi": 150.0,
    "path.simplify": False,
}
UNTOUCHED = ("backend", "backend_fallback", "toolbar", "interactive")
METADATA: dict[str, dict[str, str | None]] = {
    ".png": {"Software": "truc-solve"},
    ".svg": {"Date": None, "Creator": "truc-solve"},
    ".pdf": {"CreationDate": None, "Creator": "truc-solve", "Producer": None},
}

A4_SHORT, A4_LONG = 8.27, 11.69
MARGIN, TITLE_HEIGHT, LEGEND_HEIGHT, LINE_HEIGHT = 0.4, 0.35, 0.25, 0.145
CAPTION_SIZE, CHARACTERS_PER_INCH = 7.5, 18.0


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of this project, whatever the reader's own settings of matplotlib are."""
    settled = {key: matplotlib.rcParamsDefault[key] for key in matplotlib.rcParamsDefault if key not in UNTOUCHED}
    with matplotlib.rc_context({**settled, **STYLE}):
        yield


@dataclass(slots=True)
class Page:
    """A figure with room for its panels; lengths in inches, ``top`` and ``bottom`` from the lower edge."""

    figure: Figure
    width: float
    height: float
    top: float
    bottom: float
    panels: list[Axes] = field(default_factory=list)

    def panel(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Axes at a place given in inches."""
        sides = (left / self.width, bottom / self.height, width / self.width, height / self.height)
        axes = self.figure.add_axes(sides)
        self.panels.append(axes)
        return axes


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the panels; ``legend`` pairs a colour with its name."""

    title: str
    caption: Sequence[str]
    legend: Sequence[tuple[str, str]] = ()


def new_page(width: float, body: float, frame: Frame) -> Page:
    """A page ``width`` inches wide with ``body`` inches of height for the panels."""
    lines = caption_lines(frame.caption, width)
    below = MARGIN + LINE_HEIGHT * len(lines)
    above = MARGIN + TITLE_HEIGHT + (LEGEND_HEIGHT if frame.legend else 0.0)
    height = body + below + above
    with styled():
        figure = Figure(figsize=(width, height), facecolor="white")
        at_left = MARGIN / width
        figure.text(at_left, 1 - MARGIN / height, frame.title, va="top", size=12, weight="bold")
        for number, line in enumerate(lines):
            place = (MARGIN * 0.6 + LINE_HEIGHT * (len(lines) - 1 - number)) / height
            figure.text(at_left, place, line, va="bottom", size=CAPTION_SIZE)
        if frame.legend:
            place = 1 - (MARGIN + TITLE_HEIGHT) / height
            figure.legend(
                handles=[Patch(facecolor=colour, label=name) for colour, name in frame.legend],
                loc="upper left", bbox_to_anchor=(at_left, place), ncols=len(frame.legend), frameon=False,
                borderpad=0, borderaxespad=0, handlelength=1.2, handleheight=0.9, columnspacing=1.6,
            )  # fmt: skip
    return Page(figure, width, height, height - above, below)


def caption_lines(sentences: Sequence[str], width: float) -> list[str]:
    """Sentences broken to the width of the page, each on lines of its own."""
    most = int((width - 2 * MARGIN) * CHARACTERS_PER_INCH)
    return [line for sentence in sentences for line in textwrap.wrap(sentence, most)]


def text_colour(background: ColorType) -> str:
    """Black or white, whichever stands out more against a colour (relative luminance as in WCAG 2)."""
    linear = [((part + 0.055) / 1.055) ** 2.4 if part > 0.04 else part / 12.92 for part in to_rgb(background)]
    light = sum(weight * part for weight, part in zip(LIGHT, linear, strict=True))
    return "white" if light < DARK_GROUND else BLACK


def save(figure: Figure, place: Path) -> Path:
    """Write a figure whole or not at all; the suffix says the format. The same figure gives the same bytes.

    UsageError for an unknown suffix; FileError or OSError (with the name) when the place cannot be written.
    """
    suffix = check_place(place).suffix.lower()
    content = io.BytesIO()
    with styled():
        figure.savefig(content, format=suffix[1:], metadata=METADATA[suffix])
    write_bytes(place, content.getvalue())
    return place
