"""Charts, drawn with matplotlib, which nothing outside this package imports.

``draw`` makes a figure of a point, ``draw_runs`` and ``draw_match`` of runs and of a match; ``save`` writes
it as png, svg or pdf. Hands stand in the order of ``report.strength``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from solver.cards.notation import parse_history
from solver.query.advise import point_after
from solver.query.point import view
from solver.report.charts.convergence import draw_convergence
from solver.report.charts.equity import draw_equity
from solver.report.charts.hands import draw_frequency, draw_strategy
from solver.report.charts.page import save
from solver.report.charts.thresholds import draw_thresholds
from solver.report.equity_grid import read_grid
from solver.report.kinds import Lang, check_kind
from solver.report.mixes import default_history, mix_of, require
from solver.report.scene import Scene
from solver.report.wording import Wording
from solver.rules.words import AGREES, GIVES_UP, PROPOSALS, RAISES, TRUTS
from solver.strategy.solution import Solution

__all__ = ["draw", "draw_match", "draw_runs", "save"]

SHOWN: dict[str, tuple[str, ...]] = {
    "raise": RAISES,
    "trut": TRUTS,
    "fold": GIVES_UP,
    "thresholds": PROPOSALS + AGREES,
}


def draw(kind: str, solution: Solution, history: str = "", lang: Lang = "en") -> Figure:
    """A chart of one point: strategy, raise, trut, fold or thresholds.

    An empty history is the opening; for folds it is the answer to the first bet of the hand.
    Raises UsageError for an unknown kind, a history that breaks the rules, or a point without such a choice.
    """
    rules = solution.game.rules
    text = history if history.strip() else default_history(solution.game, check_kind(kind))
    mix = mix_of(view(solution, point_after(solution.game, text)), rules)
    tokens = parse_history(rules, text)
    scene = Scene(solution, tokens, mix, Wording(lang))
    if kind == "strategy":
        return draw_strategy(scene)
    columns = require(solution.game, scene.mix, SHOWN[kind], tokens)
    if kind == "thresholds":
        return draw_thresholds(scene, columns)
    return draw_frequency(scene, kind, columns)


def draw_runs(solutions: Sequence[Solution], lang: Lang = "en") -> Figure:
    """Exploitability of one or more runs; UsageError when their units differ or nothing was measured."""
    return draw_convergence(solutions, Wording(lang))


def draw_match(place: Path, lang: Lang = "en") -> Figure:
    """Chances at every score, from an equity table or a folder that holds one; FileError when it is none."""
    return draw_equity(read_grid(place), Wording(lang))
