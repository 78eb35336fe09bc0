"""A strategy of this project on the information sets of its efg file, as other programs need it to judge it.

    policy = efg_policy(solution)
    policy["elder", "78A e.K d.raise"]   # {"call": 0.25, "fold": 0.75}

An information set is named by its seat and its label in the file. OpenSpiel's name for it is the label behind the
third dash of its information state string.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars

from solver.errors import UsageError
from solver.exchange.efg import Deal, check_exportable, choice_from, deals, infoset_label
from solver.exchange.names import Names
from solver.exchange.rows import write_rows
from solver.rules.model import RuleSet
from solver.rules.position import Position
from solver.rules.referee import Referee
from solver.rules.score import SEAT_NAMES, Score
from solver.rules.words import SILENT
from solver.strategy.solution import Solution

Policy = dict[tuple[str, str], dict[str, float]]


def efg_policy(solution: Solution) -> Policy:
    """Frequencies of every action of every information set of the efg file, by seat and label.

    UsageError for games that efg files do not hold.
    """
    game = solution.game
    check_exportable(game.rules, game.score)
    names = Names(game)
    rows = row_frequencies(solution)
    policy: Policy = {}
    for deal, position in decisions(game.rules, game.score):
        seat = position.to_act
        assert seat is not None
        label = infoset_label(game.rules, deal[seat], position)
        if (SEAT_NAMES[seat], label) in policy:
            continue
        hand, _, said = label.partition(" ")
        here = rows.get((names.history(said), SEAT_NAMES[seat], names.hands[names.hand(hand)]))
        if here is None:
            raise UsageError(f"The strategy has no row for '{label}'.")
        policy[SEAT_NAMES[seat], label] = {token: here[token if token in here else SILENT] for token in position.legal}
    return policy


def row_frequencies(solution: Solution) -> dict[tuple[str, str, str], dict[str, float]]:
    """The rows of a strategy by history, seat and hand."""
    frames: list[polars.DataFrame] = []
    write_rows(solution, frames.append)
    rows: dict[tuple[str, str, str], dict[str, float]] = {}
    for frame in frames:
        for *where, action, frequency in frame.select("history", "seat", "hand", "action", "frequency").iter_rows():
            rows.setdefault((where[0], where[1], where[2]), {})[action] = frequency
    return rows


def decisions(rules: RuleSet, score: Score) -> Iterator[tuple[Deal, Position]]:
    """Every position with a choice, deal by deal, as the efg file has them."""
    referee = Referee(rules, score)
    for deal, _ in deals(rules):
        waiting = [referee.start(deal)]
        while waiting:
            position = choice_from(waiting.pop())
            if position.result is None and position.to_act is not None:
                yield deal, position
                waiting.extend(position.play(token) for token in position.legal)
