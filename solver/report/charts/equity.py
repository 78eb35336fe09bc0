"""The match heat map: who wins from which score."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from solver.report.charts.page import A4_SHORT, MARGIN, Frame, new_page, styled, text_colour
from solver.report.colours import BLUE, EMPTY, VERMILION
from solver.report.equity_grid import EquityGrid
from solver.report.wording import Wording

COLOURS = LinearSegmentedColormap.from_list("chance", [VERMILION, "#FFFFFF", BLUE])
LABELS = 0.55


def draw_equity(grid: EquityGrid, say: Wording) -> Figure:
    """A square: rows the elder's score, columns the dealer's, the elder's chance in percent in each cell."""
    size = len(grid.sides)
    side = A4_SHORT - 2 * MARGIN - LABELS
    error = say.decimal(f"{100 * grid.error:.2g}")
    exact = say.text("no bounds") if np.isnan(grid.error) else say.text("bounds", number=error)
    solved = [say.named(say.text("rules"), grid.rules_line(say)), say.text("match")]
    if not np.isnan(grid.exploitability):
        number = say.number(max(grid.exploitability, 0.0))
        solved.append(f"{say.text('exploitability')} {say.text('of match', number=number)}")
    caption = [
        say.sentence(solved),
        say.sentence([say.text("percent"), exact]),
    ]
    page = new_page(A4_SHORT, side + LABELS, Frame(say.named(say.text("equity"), grid.name), caption))
    with styled():
        axes = page.panel(MARGIN + LABELS, page.bottom, side, side)
        shown = np.ma.masked_invalid(grid.elder_wins)
        colours = COLOURS.with_extremes(bad=EMPTY)
        axes.pcolormesh(shown, cmap=colours, vmin=0.0, vmax=1.0, edgecolors="white", linewidth=0.8)
        written = min(10.0, side * 72.0 / size / 3.6)
        for row in range(size):
            for column in range(size):
                write_cell(axes, (row, column), grid.elder_wins[row, column], written, say)
        middle = np.arange(size) + 0.5
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_ticks(middle, grid.sides, size=min(9.0, written + 1.0))
        axes.invert_yaxis()
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set_xlabel(say.text("axis dealer"))
        axes.set_ylabel(say.text("axis elder"))
        axes.tick_params(length=0, pad=3)
        axes.spines[:].set_visible(False)
    return page.figure


def write_cell(axes: Axes, cell: tuple[int, int], chance: float, size: float, say: Wording) -> None:
    """The chance in percent, in a colour that is read on the cell's."""
    text = "–" if np.isnan(chance) else say.decimal(f"{100 * chance:.1f}")
    colour = text_colour(EMPTY if np.isnan(chance) else COLOURS(chance))
    axes.text(cell[1] + 0.5, cell[0] + 0.5, text, ha="center", va="center", size=size, color=colour)
