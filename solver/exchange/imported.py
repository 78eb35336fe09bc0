"""A solution folder from a behaviour profile that another program made.

What the folder claims is the judge's word on the frequencies as they are stored, whatever the other program said.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from solver.cards.notation import format_hand, parse_history
from solver.cfr.solve import Measure
from solver.errors import TrucError, UsageError
from solver.evaluate.best_response import Evaluation
from solver.exchange.fit import Findings, Fit
from solver.exchange.names import Names
from solver.exchange.profile import Profile, read_profile
from solver.query.advise import point_after
from solver.query.locate import IMPORTED
from solver.query.point import view
from solver.rules.score import SEAT_NAMES
from solver.strategy.run import judge_rounded
from solver.strategy.solution import Solution
from solver.tree.build import HandGame
from solver.tree.history import seat_at
from solver.tree.model import DECISION, tree_size
from solver.tree.reading import node_at

#: how far the frequencies of an information set may sum from one
TOLERANCE = 1e-3
Fill = Literal["uniform", "refuse"]


@dataclass(frozen=True, slots=True)
class Leniency:
    """What is forgiven a profile.

    fill       what an information set without any row gets: the same frequency for every action, or the file is refused
    tolerance  how far frequencies may sum from one; they are divided by their sum
    """

    fill: Fill = "uniform"
    tolerance: float = TOLERANCE


def import_profile(game: HandGame, path: Path, leniency: Leniency | None = None) -> tuple[Solution, Findings]:
    """The solution that a csv or parquet file of rows describes, judged; and what was seen of the file.

    An information set with some of its rows has frequency 0 for the others; one with a single action needs none.
    FileError when the file cannot be read; UsageError names the first line whose history, seat, hand, action or
    frequency is not of this game, that repeats another, or whose frequencies do not sum to one.
    """
    given = leniency or Leniency()
    profile = read_profile(path, Names(game))
    blank = Solution(game, np.zeros(game.tree.n_slots, np.uint32), Evaluation(0.0, (0.0, 0.0)))
    findings = Findings()
    for side in (0, 1):
        Fit(blank, side, profile, given.tolerance, findings).fill()
    check(blank, profile, findings, given)
    claim = judge_rounded(game.tree, game.worth, blank.stored)
    facts: dict[str, object] = {
        "algorithm": IMPORTED,
        "source": os.fsencode(path.name).decode("utf-8", "backslashreplace"),
        "source_digest": profile.source.digest,
        "source_rows": len(profile),
        "infosets": tree_size(game.tree).infosets,
        "infosets_dealt": findings.infosets,
        "filled": findings.missing,
        "rescaled": findings.rescaled,
        "largest_rescaling": findings.largest,
        "iterations": 0,
        "seconds": 0.0,
    }
    measures = [Measure(0, 0.0, claim.value, claim.best_response)]
    return Solution(game, blank.stored, claim, measures, facts), findings


def check(filled: Solution, profile: Profile, findings: Findings, given: Leniency) -> None:
    """UsageError for the first thing that is wrong with a profile."""
    take_last_cards(filled, profile, given.tolerance)
    if not profile.used.all():
        raise UsageError(unused(filled, profile))
    if findings.odd:
        raise UsageError(f"{findings.odd}, more than {given.tolerance:g} from 1; correct them or set --tolerance.")
    if given.fill == "refuse" and findings.gap:
        raise UsageError(gap(profile, findings))


def take_last_cards(filled: Solution, profile: Profile, tolerance: float) -> None:
    """Rows for a last card, which follows by itself, count as used where their frequency is 1."""
    rows, names, game = np.flatnonzero(~profile.used), profile.names, filled.game
    point_of, card = np.divmod(profile.key[rows], len(names.labels))
    point_of, hand = np.divmod(point_of, len(names.hands))
    sure = np.abs(profile.frequency[rows] - 1.0) <= tolerance
    histories = list(profile.histories)
    for number in np.unique(point_of).tolist():
        try:
            point = point_after(game, histories[number // 2])
        except TrucError:
            continue
        if point.over or node_at(game.tree, point.node).kind == DECISION or seat_at(game, point) != number % 2:
            continue
        seen = view(filled, point)
        held = [names.hand(format_hand(game.rules, tuple(one))) for one in seen.hands.tolist()]
        laid = [names.labels.index(seen.actions[k]) for k in np.nanargmax(seen.frequency, axis=1).tolist()]
        lays = dict(zip(held, laid, strict=True))
        here = np.array([lays.get(one, -1) for one in hand.tolist()])
        profile.used[rows[sure & (point_of == number) & (here == card)]] = True


def gap(profile: Profile, findings: Findings) -> str:
    """The sentence for what a profile leaves out."""
    return (
        f"'{profile.source.path.name}' has no row for {findings.gap}, one of {findings.missing:,} information sets of "
        f"{findings.infosets:,} without rows; --fill uniform gives all their actions the same frequency."
    )


def unused(filled: Solution, profile: Profile) -> str:
    """The sentence for the first line that no decision of the game asked for."""
    rows = np.flatnonzero(~profile.used)
    row = int(rows[np.argmin(profile.line[rows])])
    names, key = profile.names, int(profile.key[row])
    key, action = divmod(key, len(names.labels))
    key, hand = divmod(key, len(names.hands))
    number, seat = divmod(key, 2)
    history = list(profile.histories)[number]
    why = reason(filled, (history, SEAT_NAMES[seat], names.hands[hand], names.labels[action]))
    return f"{profile.place(int(profile.line[row]))}: {why}"


def reason(filled: Solution, row: tuple[str, str, str, str]) -> str:
    """Why a row is not of this game."""
    history, seat, hand, action = row
    game = filled.game
    try:
        parse_history(game.rules, history)
        seen = view(filled, point_after(game, history))
    except TrucError as error:
        return str(error)
    if SEAT_NAMES[seen.seat] != seat:
        return f"after '{history}' it is the {SEAT_NAMES[seen.seat]} who decides, not the {seat}."
    names = Names(game)
    held = {names.hand(format_hand(game.rules, tuple(one))): k for k, one in enumerate(seen.hands.tolist())}
    number = names.hand(hand)
    if number not in held:
        return f"the {seat} cannot hold {hand} after '{history}'."
    allowed = [
        one for one, share in zip(seen.actions, seen.frequency[held[number]], strict=True) if not np.isnan(share)
    ]
    if action in allowed:
        return f"the last card {action} follows by itself after '{history}', so its frequency is 1."
    return f"'{action}' cannot be done with {hand} after '{history}'; allowed is {', '.join(allowed)}."
