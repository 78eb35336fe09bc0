"""How exploitability falls: against iterations and against seconds, one line a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from solver.cfr.solve import Measure
from solver.errors import UsageError
from solver.report.charts.page import A4_LONG, MARGIN, Frame, new_page, styled
from solver.report.colours import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from solver.report.scene import exploitability_text, game_facts, solution_text
from solver.report.wording import Wording, rules_text
from solver.rules.score import format_score
from solver.strategy.solution import Solution

LINES = [(colour, dash) for dash in ("-", "--", ":") for colour in (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK)]
MARKS = "osD^vP*X"
HEIGHT = 4.2
SHORT_AXIS, FEW_BETWEEN = 30.0, ("2", "5")  # an axis of less than one and a half powers of ten names 2 and 5 too
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def draw_convergence(solutions: Sequence[Solution], say: Wording) -> Figure:
    """Two log-log panels; UsageError when the units differ or a run has no measured point above zero."""
    unit = common_unit(solutions)
    names = run_names(solutions, say)
    for solution, name in zip(solutions, names, strict=True):
        if not measured(solution):
            raise UsageError(f"The run '{name}' has no measured exploitability above zero to draw.")
    legend = [(LINES[k % len(LINES)][0], name) for k, name in enumerate(names)] if len(names) > 1 else []
    caption = run_captions(solutions, names, say)
    page = new_page(A4_LONG, HEIGHT + 0.55, Frame(convergence_title(solutions, say), caption))
    width = (A4_LONG - 2 * MARGIN - 0.8) / 2 - 0.35
    with styled():
        left = page.panel(MARGIN + 0.75, page.bottom + 0.55, width, HEIGHT - 0.1)
        right = page.panel(page.width - MARGIN - width, page.bottom + 0.55, width, HEIGHT - 0.1)
        for k, (solution, name) in enumerate(zip(solutions, names, strict=True)):
            draw_run((left, right), solution, name, k)
        finish_axes(left, say.text("iterations"), say)
        finish_axes(right, say.text("seconds"), say)
        left.set_ylabel(say.text(f"axis {unit}"))
        right.set_ylim(left.get_ylim())
        if legend:
            left.legend(loc="lower left", frameon=True, framealpha=0.9, edgecolor="none")
    return page.figure


def common_unit(solutions: Sequence[Solution]) -> str:
    """The unit of all runs."""
    units = {solution.game.unit for solution in solutions}
    if len(units) > 1:
        raise UsageError(f"Runs in the units {' and '.join(sorted(units))} cannot share an axis; draw them apart.")
    return units.pop()


def measured(solution: Solution) -> list[Measure]:
    """Judged points that a logarithmic axis can show."""
    return [one for one in solution.measures if one.exploitability > 0 and one.iteration > 0]


def run_names(solutions: Sequence[Solution], say: Wording) -> list[str]:
    """What tells the runs apart: rules, score, algorithm; the folder's name too where that is not enough."""
    facts = [
        (
            rules_text(s.game.rules),
            format_score(s.game.rules, s.game.score),
            str(s.facts.get("algorithm", "")),
        )
        for s in solutions
    ]
    differing = [k for k in range(3) if len({fact[k] for fact in facts}) > 1]
    names = [", ".join(fact[k] for k in differing or (2,) if fact[k]) for fact in facts]
    alike = [k for k, name in enumerate(names) if names.count(name) > 1]
    for k, told in zip(alike, places_apart([solutions[k].path for k in alike]), strict=True):
        names[k] = ", ".join(filter(None, (names[k], told or str(k + 1))))
    return names


def places_apart(places: Sequence[Path | None]) -> list[str]:
    """As much of the end of each path as no other has, "" for none and for a folder that is there twice."""
    parts = [() if place is None else place.absolute().parts for place in places]
    found = []
    for own in parts:
        ends = (own[-k:] for k in range(1, len(own) + 1))
        short = next((end for end in ends if sum(other[-len(end) :] == end for other in parts) == 1), ())
        found.append("/".join(short))
    return found


def run_captions(solutions: Sequence[Solution], names: Sequence[str], say: Wording) -> list[str]:
    """What was solved and how well: a sentence a run, after one of what all of them share if they are of one game."""
    games = {(s.game.rules.fingerprint, format_score(s.game.rules, s.game.score)) for s in solutions}
    pairs = list(zip(solutions, names, strict=True))
    if len(games) > 1 or len(pairs) == 1:
        return [solution_text(one, say, *run_facts(one, name, say)) for one, name in pairs]
    each = [[exploitability_text(one, say), *run_facts(one, name, say)] for one, name in pairs]
    told = [say.named(name, say.sentence(facts)) for name, facts in zip(names, each, strict=True)]
    return [say.sentence(game_facts(solutions[0], say)), *told]


def run_facts(solution: Solution, name: str, say: Wording) -> list[str]:
    """How a run went: algorithm, iterations and time."""
    last, algorithm = solution.measures[-1], str(solution.facts.get("algorithm", ""))
    told = say.text("run", iterations=str(last.iteration), seconds=say.number(last.seconds))
    return [told] if not algorithm or algorithm in name.split(", ") else [algorithm, told]


def convergence_title(solutions: Sequence[Solution], say: Wording) -> str:
    """The title, with game and score if all runs share them."""
    games = {f"{s.game.rules.name} {format_score(s.game.rules, s.game.score)}" for s in solutions}
    title = say.text("convergence")
    return say.named(title, games.pop()) if len(games) == 1 else title


def draw_run(panels: tuple[Axes, Axes], solution: Solution, name: str, number: int) -> None:
    """One run in both panels."""
    points = measured(solution)
    colour, dash = LINES[number % len(LINES)]
    heights = [one.exploitability for one in points]
    across: tuple[list[float], list[float]] = (
        [float(one.iteration) for one in points],
        [max(one.seconds, 1e-3) for one in points],
    )
    for axes, places in zip(panels, across, strict=True):
        axes.plot(
            places, heights, color=colour, linestyle=dash, marker=MARKS[number % len(MARKS)], markersize=3.5,
            linewidth=1.4, label=name,
        )  # fmt: skip


def finish_axes(axes: Axes, label: str, say: Wording) -> None:
    """Logarithmic both ways, numbers written out."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(label)
    written = FuncFormatter(lambda value, _: plain_number(value, say))
    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        between = FEW_BETWEEN if high < low * SHORT_AXIS else ()
        axis.set_major_formatter(written)
        axis.set_minor_formatter(FuncFormatter(lambda value, _, shown=between: between_powers(value, shown, say)))
    axes.grid(True, which="major", color=GREY, linewidth=0.4, alpha=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def between_powers(value: float, shown: Sequence[str], say: Wording) -> str:
    """A tick between two powers of ten, if its first digit is one of those shown."""
    return plain_number(value, say) if f"{value:.0e}"[0] in shown else ""


def plain_number(value: float, say: Wording) -> str:
    """A tick: 0.001, 10, 1000 written out, beyond that a power of ten."""
    if 0.99e-4 < value < 1e5:
        return say.decimal(f"{value:.4f}".rstrip("0") if value < 1 else f"{value:g}")
    mantissa, _, exponent = f"{value:.0e}".partition("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPT)}"
    return power if mantissa == "1" else f"{mantissa}·{power}"
