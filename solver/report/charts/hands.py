"""Charts with a mark for every hand: the grid of mixes, and bars of one frequency."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from solver.report.charts.page import A4_LONG, A4_SHORT, MARGIN, RARE, Frame, new_page, styled, text_colour
from solver.report.colours import EMPTY, GREY, INK, colour_of
from solver.report.mixes import CARD_PLACES, overall
from solver.report.scene import Scene

ROWS, ROW_PITCH, BAR_THICKNESS = 30, 0.29, 0.74
LABEL_WIDTH, GRID_FOOT = 0.55, 0.3
BARS, BAR_HEIGHT, BAR_FOOT = 60, 1.9, 0.62
NOTICED = 0.005
CARD_ROOM, PERCENT_ROOM = 0.15, 0.29  # inches a bar needs to have its text inside


def draw_strategy(scene: Scene) -> Figure:
    """The hands in columns, strongest first, each a bar of everything it does."""
    mix, rules, say = scene.mix, scene.rules, scene.wording
    columns = min(max(ceil(len(mix) / ROWS), 1), 6)
    rows = ceil(len(mix) / columns)
    names = [say.text(part) if part in CARD_PLACES else say.word(rules, part) for part in mix.parts]
    legend = [(colour_of(part), name) for part, name in zip(mix.parts, names, strict=True)]
    words = [k for k, part in enumerate(mix.parts) if part not in CARD_PLACES]
    more = [overall(mix, words, say, rules)] if words else []
    page = new_page(
        A4_SHORT, rows * ROW_PITCH + GRID_FOOT, Frame(scene.title("strategy"), scene.caption(*more), legend)
    )
    pitch = (page.width - 2 * MARGIN) / columns
    with styled():
        for column in range(columns):
            shown = slice(column * rows, min((column + 1) * rows, len(mix)))
            used = (shown.stop - shown.start) * ROW_PITCH
            axes = page.panel(MARGIN + column * pitch + LABEL_WIDTH, page.top - used, pitch - LABEL_WIDTH - 0.12, used)
            draw_mixes(axes, scene, shown, pitch - LABEL_WIDTH - 0.12)
    return page.figure


def draw_mixes(axes: Axes, scene: Scene, shown: slice, width: float) -> None:
    """Horizontal bars, `width` inches long, of some of the hands, the first on top."""
    mix = scene.mix
    places = np.arange(shown.stop - shown.start)
    left = np.zeros(len(places))
    opacity = np.where(mix.rare[shown], RARE, 1.0)
    for k, part in enumerate(mix.parts):
        share = mix.share[shown, k]
        bars = axes.barh(places, share, BAR_THICKNESS, left, color=colour_of(part))
        for bar, alpha in zip(bars, opacity, strict=True):
            bar.set_alpha(alpha)
        for row, length in enumerate(share):
            text = written(scene, shown.start + row, k, float(length) * width)
            colour = "black" if mix.rare[shown][row] else text_colour(colour_of(part))
            middle = (left[row] + length / 2, places[row])
            axes.text(*middle, text, ha="center", va="center_baseline", size=7, color=colour)
        left += share
    labels = scene.hand_labels()[shown]
    axes.set_yticks(places, labels, size=8)
    fade_labels(axes, mix.rare[shown], upright=False)
    axes.set_ylim(len(places) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1], [scene.wording.percent(tick) for tick in (0, 0.5, 1)], size=6.5)
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)


def written(scene: Scene, row: int, part: int, room: float) -> str:
    """What stands in a piece of a bar: the card that is laid, or how often the word is said."""
    rank = int(scene.mix.cards[row, part])
    if rank >= 0:
        return scene.wording.card(scene.rules, rank) if room >= CARD_ROOM else ""
    return scene.wording.percent(scene.mix.share[row, part]) if room >= PERCENT_ROOM else ""


def draw_frequency(scene: Scene, kind: str, columns: Sequence[int]) -> Figure:
    """Upright bars: how often each hand chooses one of the columns, strongest first."""
    mix, rules, say = scene.mix, scene.rules, scene.wording
    panels = ceil(len(mix) / BARS)
    width = A4_LONG if len(mix) > BARS / 2 else A4_SHORT
    legend = [(colour_of(mix.parts[k]), say.word(rules, mix.parts[k])) for k in columns]
    caption = scene.caption(overall(mix, columns, say, rules))
    page = new_page(width, panels * (BAR_HEIGHT + BAR_FOOT), Frame(scene.title(kind), caption, legend))
    in_panel = ceil(len(mix) / panels)
    with styled():
        for number in range(panels):
            shown = slice(number * in_panel, min((number + 1) * in_panel, len(mix)))
            bottom = page.top - (number + 1) * (BAR_HEIGHT + BAR_FOOT) + BAR_FOOT
            axes = page.panel(MARGIN + 0.5, bottom, width - 2 * MARGIN - 0.5, BAR_HEIGHT)
            draw_bars(axes, scene, columns, shown)
            axes.set_xlim(-0.6, in_panel - 0.4)
            if number == 0 and mix.share[:, columns].max() < NOTICED:
                axes.text(in_panel / 2, 0.45, say.text("nobody"), ha="center", size=11, style="italic")
    return page.figure


def draw_bars(axes: Axes, scene: Scene, columns: Sequence[int], shown: slice) -> None:
    """Stacked upright bars of some of the hands; a light bar behind each shows the whole."""
    mix = scene.mix
    places = np.arange(shown.stop - shown.start)
    axes.bar(places, np.ones(len(places)), 0.8, color=EMPTY)
    bottom = np.zeros(len(places))
    for k in columns:
        share = mix.share[shown, k]
        bars = axes.bar(places, share, 0.8, bottom, color=colour_of(mix.parts[k]))
        for bar, rare in zip(bars, mix.rare[shown], strict=True):
            bar.set_alpha(RARE if rare else 1.0)
        bottom += share
    axes.set_xticks(places, scene.hand_labels()[shown], rotation=90, size=7.5)
    fade_labels(axes, mix.rare[shown])
    percent_axis(axes, scene)


def fade_labels(axes: Axes, rare: NDArray[np.bool_], upright: bool = True) -> None:
    """Grey names for hands that hardly come here."""
    labels = axes.get_xticklabels() if upright else axes.get_yticklabels()
    for label, faded in zip(labels, rare, strict=True):
        label.set_color(GREY if faded else INK)


def percent_axis(axes: Axes, scene: Scene) -> None:
    """A vertical axis from 0 to 100 % with light lines."""
    ticks = (0, 0.25, 0.5, 0.75, 1)
    axes.set_ylim(0, 1)
    axes.set_yticks(ticks, [scene.wording.percent(tick) for tick in ticks], size=7)
    axes.set_ylabel(scene.wording.text("frequency"))
    axes.yaxis.grid(True, color=GREY, linewidth=0.4, alpha=0.6)
    axes.set_axisbelow(False)
    axes.tick_params(axis="x", length=0, pad=3)
    axes.spines[["top", "right"]].set_visible(False)
