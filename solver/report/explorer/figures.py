"""The figures of every decision, packed small: what each hand does at each point, and what every action is worth.

Numbers are rounded to what the page shows and written as unsigned 16-bit codes, column by column, all low bytes of a
column before its high bytes; zlib then packs a node. The page unpacks a node when a reader first comes to it.

    head     uint32 number of points; for each its place (uint32), ascending, and its number of rows (uint16)
    columns  hand (number of the whole hand, RARE added where the hand hardly ever comes here), reach, arrival, best,
             spent; then for each action, words first and then the cards a hand still holds, strongest first:
             frequency (in thousandths, CLOSE added for one that is as good as the best) and loss

reach and arrival are logarithms (``log_code``); best is the value of the best action and spent what the mix of the
solution loses against it; loss what an action loses. Values are in steps, NOTHING where there is no such number.
The place of a point is its board; below a reveal, board times ranks plus the rank of the lead.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.query.advise import HARDLY_EVER, indifference
from solver.query.decisions import Decision
from solver.query.visitor import every_decision
from solver.strategy.solution import Solution
from solver.tree.reading import largest_payoff

Doubles = NDArray[np.float64]
Codes = NDArray[np.uint16]
Longs = NDArray[np.int64]

NOTHING = 0xFFFF
ZERO = 0x8000  # the code of a value of 0
RARE = 0x1000
CLOSE = 0x400
CARDS = 3
DECADES, PER_DECADE = 16, 4000
LARGEST = 30_000  # steps from 0 to the largest payoff
#: the third trick keeps points down to this reach, once the strategy has more than ``WHOLE`` numbers
LEAST_REACH, WHOLE = 1e-9, 1_000_000


@dataclass(slots=True)
class Figures:
    """What the page carries.

    step       of values, in the unit of the solution; least: reach below which the third trick has no figures
    nodes      packed figures by node
    points     points with figures; left_out: points without; missed: how often a hand comes to one of these
    """

    step: float
    least: float
    nodes: dict[int, bytes] = field(default_factory=dict)
    points: int = 0
    left_out: int = 0
    missed: float = 0.0


def figures_of(solution: Solution, least: float | None = None) -> Figures:
    """All decisions, packed; ``least`` is the reach a point of the third trick must have, by default as said above."""
    tree = solution.game.tree
    if least is None:
        least = 0.0 if tree.n_slots <= WHOLE else LEAST_REACH
    found = Figures(step_of(solution), least)
    limit = indifference(solution)
    every_decision(solution, lambda decision: add(found, solution, decision, limit))
    return found


def step_of(solution: Solution) -> float:
    """The step of values: a thousandth of a point, a ten-thousandth of a match, or more for huge payoffs."""
    step = 1e-3 if solution.game.unit == "points" else 1e-4
    largest = largest_payoff(solution.game.tree, solution.game.worth)
    while largest / step > LARGEST:
        step *= 10.0
    return step


def add(found: Figures, solution: Solution, decision: Decision, limit: float) -> None:
    """Pack one decision; points of the third trick that are reached too rarely are left out."""
    rows = decision.rows
    n = len(solution.game.rules.ranks)
    place = np.where(rows.lead >= 0, rows.board * n + rows.lead, rows.board)
    reach = np.bincount(place, weights=rows.reach)
    seen = np.unique(place)
    few = (decision.trick == CARDS) & (reach[seen] < found.least)
    found.left_out += int(few.sum())
    found.missed += float(reach[seen][few].sum())
    found.points += int((~few).sum())
    if few.all():
        return
    chosen = np.zeros(len(reach), np.bool_)
    chosen[seen[~few]] = True
    row = np.flatnonzero(chosen[place])
    row = row[np.argsort(place[row], kind="stable")]
    counts = np.bincount(place[row], minlength=len(reach))[seen[~few]]
    head = [np.array([len(counts)], "<u4"), seen[~few].astype("<u4"), counts.astype("<u2")]
    columns = coded(solution, decision, row, found.step, limit)
    content = b"".join(part.tobytes() for part in head) + planes(columns)
    found.nodes[decision.node.number] = zlib.compress(content, 9)


def coded(solution: Solution, decision: Decision, row: Longs, step: float, limit: float) -> list[Codes]:
    """The columns of some of the rows."""
    rows = decision.rows.only(row)
    frequency, ev = by_place(solution, decision, row)
    ev = ev + solution.own_zero(decision.seat)
    worth = np.where(np.isnan(ev), -np.inf, ev)
    best = worth.max(axis=0)
    known = best > -np.inf
    with np.errstate(invalid="ignore"):
        loss = best - ev
        mean = np.where(frequency > 0, frequency * ev, 0.0).sum(axis=0)
        close = loss <= limit
    close &= close.sum(axis=0) > 1
    arrival = rows.arrival
    columns = [
        (rows.hand + RARE * (arrival < HARDLY_EVER)).astype(np.uint16),
        log_code(rows.reach),
        log_code(arrival),
        steps(np.where(known, best, np.nan), step, ZERO),
        steps(np.where(known, np.maximum(best - mean, 0.0), np.nan), step),
    ]
    for share, lost, near in zip(frequency, loss, close, strict=True):
        there = ~np.isnan(share)
        often = np.rint(np.where(there, share, 0.0) * 1000) + CLOSE * near
        columns += [np.where(there, often, NOTHING).astype(np.uint16), steps(lost, step)]
    return columns


def by_place(solution: Solution, decision: Decision, row: Longs) -> tuple[Doubles, Doubles]:
    """Frequency and value of every word, then of the strongest, middle and weakest card held, float64 [.., rows]."""
    labels = solution.game.rules.ranks
    cards = [k for k, name in enumerate(decision.actions) if name in labels]
    words = [k for k, name in enumerate(decision.actions) if name not in labels]
    frequency, ev = decision.frequency[:, row], decision.ev[:, row]
    if not cards:
        return frequency[words], ev[words]
    held = ~np.isnan(frequency[cards])
    order = np.argsort(~held, axis=0, kind="stable")[:CARDS]
    laid = [np.take_along_axis(table[cards], order, axis=0) for table in (frequency, ev)]
    return np.concatenate([frequency[words], laid[0]]), np.concatenate([ev[words], laid[1]])


def log_code(share: Doubles) -> Codes:
    """A share of one as a logarithm, within 0.03 % of it; 0 for what is below 1e-16."""
    with np.errstate(divide="ignore"):
        code = np.rint((np.log10(np.maximum(share, 0.0)) + DECADES) * PER_DECADE)
    return np.asarray(np.clip(code, 0, DECADES * PER_DECADE), np.uint16)


def steps(value: Doubles, step: float, zero: int = 0) -> Codes:
    """Values in steps, NOTHING for NaN."""
    known = np.isfinite(value)
    code = np.rint(np.where(known, value, 0.0) / step) + zero
    return np.where(known, code, NOTHING).astype(np.uint16)


def planes(columns: list[Codes]) -> bytes:
    """All columns, the low bytes of each before its high bytes."""
    return b"".join(part.astype(np.uint8).tobytes() for one in columns for part in (one & 0xFF, one >> 8))
