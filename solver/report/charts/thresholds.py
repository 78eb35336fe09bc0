"""Where hands start to bet and to call: a step line for each word over the hands by strength."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from solver.report.charts.hands import fade_labels, percent_axis
from solver.report.charts.page import A4_LONG, A4_SHORT, MARGIN, RARE, Frame, new_page, styled
from solver.report.colours import INK, colour_of
from solver.report.mixes import best_cut, overall
from solver.report.scene import Scene

PANEL_HEIGHT, GAP = 1.6, 0.35
CROWDED, LABELS_HEIGHT, TWO_ROWS_HEIGHT = 60, 0.75, 1.2


def draw_thresholds(scene: Scene, columns: Sequence[int]) -> Figure:
    """A panel a word, all over the same hands; the labels stand below the last."""
    mix, rules, say = scene.mix, scene.rules, scene.wording
    width = A4_LONG if len(mix) > CROWDED / 2 else A4_SHORT
    limited = any(0 < best_cut(mix, mix.share[:, column])[0] < len(mix) for column in columns)
    more = [overall(mix, columns, say, rules)] + [say.text("cut")] * limited
    caption = scene.caption(*more)
    below = TWO_ROWS_HEIGHT if len(mix) > CROWDED else LABELS_HEIGHT
    body = len(columns) * (PANEL_HEIGHT + GAP) + below
    page = new_page(width, body, Frame(scene.title("thresholds"), caption))
    with styled():
        for number, column in enumerate(columns):
            bottom = page.top - (number + 1) * (PANEL_HEIGHT + GAP)
            axes = page.panel(MARGIN + 0.5, bottom, width - 2 * MARGIN - 0.5, PANEL_HEIGHT)
            draw_steps(axes, scene, column)
            label_hands(axes, scene, written=number == len(columns) - 1)
    return page.figure


def draw_steps(axes: Axes, scene: Scene, column: int) -> None:
    """The frequency of one word as a step line, filled below, with the limit that fits best."""
    mix, say = scene.mix, scene.wording
    frequency, part = mix.share[:, column], mix.parts[column]
    edges = np.arange(len(mix) + 1) - 0.5
    for filled, opacity in ((~mix.rare, RARE), (mix.rare, RARE**2)):
        height = np.where(filled, frequency, 0.0)
        axes.stairs(height, edges, fill=True, color=colour_of(part), alpha=opacity, linewidth=0)
    axes.stairs(frequency, edges, color=colour_of(part), linewidth=1.6, baseline=None)
    title = say.word(scene.rules, part)
    cut, right = best_cut(mix, frequency)
    if 0 < cut < len(mix):
        axes.axvline(cut - 0.5, color=INK, linewidth=1.0, linestyle=(0, (4, 2)))
        title += ", " + say.text("limit", hand=scene.hand_labels()[cut - 1], share=say.percent(right))
    percent_axis(axes, scene)
    axes.set_title(title, loc="left", size=9, pad=5)


def label_hands(axes: Axes, scene: Scene, written: bool) -> None:
    """Hand labels upright, in two rows where there are many."""
    count = len(scene.mix)
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_xticks(np.arange(count), scene.hand_labels() if written else [""] * count, rotation=90, size=7)
    axes.tick_params(axis="x", length=2 if written else 0, width=0.4, pad=2)
    if not written:
        return
    fade_labels(axes, scene.mix.rare)
    axes.set_xlabel(scene.wording.text("hands"))
    if count > CROWDED:
        second_row = 6 + 4 * max(map(len, scene.hand_labels()))
        for tick in axes.xaxis.get_major_ticks()[1::2]:
            tick.set_pad(second_row)
            tick.tick1line.set_markersize(second_row - 2)
