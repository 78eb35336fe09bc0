"""What the decisions of recorded hands lost against the best ones, by the solution of each hand's score.

A decision is *judged* only where the solution's figures are to be trusted: where its strategies come in at least one of
a thousand of the deals that allow the hand there. Elsewhere nobody trained them; such rows are marked and count for
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from solver.coach.play import Solutions
from solver.coach.record import HandRecord, cards_text, history_text
from solver.coach.replay import Seen, Step, hand_of, redeals
from solver.coach.stored import advice_at, best_choice, solution_at
from solver.query.advise import INDIFFERENT, RARE, Advice, indifference
from solver.rules.score import SEAT_NAMES, format_score
from solver.rules.words import SILENT
from solver.strategy.solution import Solution

UNREACHED = "never reached"
NOT_STORED = "not stored"
LONG_CHANCE = "long"
WORST = 5
#: an action that the solution itself takes less often than this may be a mistake
SELDOM = 0.05


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; values in ``unit`` to the side that acts, None where they are not known.

    hand       number of the hand in the record
    cards      the whole hand; history: what was said and played before it, silences left out
    value      of what was done; best: the best action; loss: by how much the one falls short of the other
    frequency  how often the solution does the same
    reach      how often the hand is held and the point reached when both play the solution
    bound      the most that a decision drawn from the solution can lose here: nash_conv / (reach · frequency)
    judged     whether the loss counts; mistake: it does, is more than the solution may be off, and the solution
               hardly ever does the same
    mark       why it does not count, or that other actions are as good
    unit       points, match (chance of the match), or long (chance of winning it, after tout pâté)
    """

    hand: int
    score: str
    player: str
    seat: str
    cards: str
    history: str
    action: str
    unit: str
    value: float | None = None
    best: str | None = None
    best_value: float | None = None
    loss: float | None = None
    frequency: float | None = None
    reach: float | None = None
    bound: float | None = None
    judged: bool = False
    mistake: bool = False
    mark: str = NOT_STORED


@dataclass(frozen=True, slots=True)
class Summary:
    """All decisions of one player whose losses are in the same unit.

    hands  those in which he had anything to decide; loss: of all judged decisions together
    """

    player: str
    unit: str
    hands: int
    decisions: int
    judged: int
    mistakes: int
    loss: float
    loss_a_hand: float


def review_hand(record: HandRecord, solutions: Solutions) -> list[Decision]:
    """The decisions of a hand by players whose cards are known; UsageError if the rules do not allow the hand."""
    rows = []
    deals = (record.hands, *record.more)
    for step in record.replay().steps:
        seat = step.before.to_act
        assert seat is not None, "somebody acted"
        if len(step.before.legal) > 1 and None not in held(deals, step)[seat]:
            rows.append(decision(record, step, solutions(record.score)))
    return rows


def held(deals: Sequence[tuple[Seen, Seen]], step: Step) -> tuple[Seen, Seen]:
    """Both hands as the record knows them at a step."""
    return deals[min(redeals(step.before), len(deals) - 1)]


def decision(record: HandRecord, step: Step, solution: Solution) -> Decision:
    """One decision, judged where the solution can."""
    before, rules, seat = step.before, record.rules, step.before.to_act
    assert seat is not None, "somebody acted"
    said = tuple((who, word) for who, word in before.history if word != SILENT)
    row = Decision(
        hand=record.number,
        score=format_score(rules, record.score),
        player=record.players[seat],
        seat=SEAT_NAMES[seat],
        cards=cards_text(rules, hand_of(before.table, seat)),
        history=history_text(rules, said),
        action=step.token,
        unit=LONG_CHANCE if redeals(before) else solution.game.unit,
    )
    source, advice = solution_at(solution, before), advice_at(solution, before)
    return row if source is None or advice is None else judged(row, source, advice)


def judged(row: Decision, source: Solution, advice: Advice) -> Decision:
    """The row with what the solution says of it."""
    chosen, best = next(one for one in advice.actions if one.action == row.action), best_choice(advice)
    row = replace(row, best=best.action, frequency=chosen.frequency, reach=advice.reach, mark=UNREACHED)
    if math.isnan(chosen.ev) or math.isnan(best.ev):
        return row
    often = advice.reach * chosen.frequency
    bound = source.claim.nash_conv / often if often > 0.0 else None
    row = replace(row, value=chosen.ev, best_value=best.ev, loss=chosen.loss, bound=bound)
    if RARE in advice.marks:
        return replace(row, mark=RARE)
    wrong = chosen.loss > indifference(source) and chosen.frequency < SELDOM
    return replace(row, judged=True, mistake=wrong, mark=INDIFFERENT if chosen.indifferent else "")


def summaries(rows: Sequence[Decision]) -> list[Summary]:
    """A summary a player and unit, in the order in which they come."""
    groups = dict.fromkeys((row.player, row.unit) for row in rows)
    return [summary([row for row in rows if (row.player, row.unit) == group]) for group in groups]


def summary(rows: Sequence[Decision]) -> Summary:
    """The rows of one player in one unit together; those that are not judged count as no loss."""
    counted = [row for row in rows if row.judged]
    hands, loss = len({row.hand for row in rows}), sum(row.loss or 0.0 for row in counted)
    return Summary(
        player=rows[0].player,
        unit=rows[0].unit,
        hands=hands,
        decisions=len(rows),
        judged=len(counted),
        mistakes=sum(row.mistake for row in counted),
        loss=loss,
        loss_a_hand=loss / hands,
    )


def worst(rows: Sequence[Decision], most: int = WORST) -> list[Decision]:
    """The mistakes that lost most, the worst first."""
    mistakes = [row for row in rows if row.mistake]
    return sorted(mistakes, key=lambda row: -(row.loss or 0.0))[:most]
