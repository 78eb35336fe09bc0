"""Where and how much two solutions differ: values, rates, single hands, and one playing against the other.

Points of the two trees are the same when the same was said and laid on the way there; a hand there is compared where
both solutions reach it. What the behaviour of one loses at a point of the other is valued there: both sides play on as
the solution of that tree does.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import multisets
from solver.cards.notation import format_hand
from solver.query.decisions import Decision
from solver.query.meeting import changes, head_to_head, notes, same_cards, told
from solver.query.stats import DEFAULT_KEYS, Tally
from solver.query.visitor import every_decision
from solver.rules.options import HAND_SIZE
from solver.rules.score import SEAT_NAMES
from solver.strategy.solution import Solution
from solver.tree.history import Histories
from solver.tree.reading import edge_at, node_at

Doubles = NDArray[np.float64]
Key = tuple[int, tuple[tuple[str, int], ...]]
DIFFERENCE, LOSS = "difference", "loss"
#: hands reached less often in either solution are not compared
LEAST_REACH = 1e-6
RATES = ("offered", "frequency", "folded", "bluff")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two solutions side by side; a is the first, b the second.

    values        what each is worth and how well it is solved
    rates         a row a seat, trick and word: how often in a, in b
    summary       a row a seat and trick: hands compared, mean difference of their frequencies, what that loses a hand
    rows          the hands whose behaviour differs most
    head_to_head  a against b in both seats, None where the trees differ
    notes         sentences: what the numbers say, and what could not be compared
    """

    values: dict[str, dict[str, Any]]
    rates: list[dict[str, Any]]
    summary: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    head_to_head: dict[str, float] | None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pair:
    """The hands of one decision that both solutions reach, arrays [hands]; frequency [actions, hands].

    difference   half the sum of differences of frequencies: the share of hands that would be played otherwise
    loss_in_a    what b's frequencies lose at a's values, NaN where a has no such action; loss_in_b likewise
    """

    decision: Decision
    place: NDArray[np.int64]
    actions: list[str]
    frequency: tuple[Doubles, Doubles]
    reach: tuple[Doubles, Doubles]
    difference: Doubles
    loss_in_a: Doubles
    loss_in_b: Doubles

    def weight(self, order: str) -> Doubles:
        """How much a hand matters: reach times difference, or the larger of both losses a hand dealt."""
        if order == DIFFERENCE:
            return np.asarray((self.reach[0] + self.reach[1]) / 2.0 * self.difference)
        losses = (self.reach[0] * self.loss_in_a, self.reach[1] * self.loss_in_b)
        return np.asarray(np.fmax(*np.nan_to_num(losses, nan=-np.inf)))


def compare(a: Solution, b: Solution, limit: int = 20, order: str = DIFFERENCE) -> Comparison:
    """Compare two solutions; ``limit``: most rows of single hands, ``order``: by ``difference`` or ``loss``."""
    tallies = Tally(a, DEFAULT_KEYS), Tally(b, DEFAULT_KEYS)
    kept: dict[Key, Decision] = {}
    pairs: list[Pair] = []
    shared = same_cards(a, b)

    def first(decision: Decision) -> None:
        tallies[0].add(decision)
        if shared and len(decision.actions) > 1 and (part := reached(decision)) is not None:
            kept[key_of(a, decision)] = part

    def second(decision: Decision) -> None:
        tallies[1].add(decision)
        own = kept.get(key_of(b, decision)) if shared else None
        other = None if own is None else reached(decision)
        if own is not None and other is not None:
            pairs.append(paired(a, own, other))

    every_decision(a, first)
    every_decision(b, second)
    against = head_to_head(a, b)
    values = {"a": told(a), "b": told(b)}
    rates = side_by_side(*(tally.rows() for tally in tallies))
    said = [*notes(a, b, against), *changes(rates)]
    return Comparison(values, rates, summary(pairs), largest(a, pairs, limit, order), against, said)


def key_of(solution: Solution, decision: Decision) -> Key:
    """What was said and which tricks were won before a decision: the same in both trees at the same point."""
    tree = solution.game.tree
    edges = [edge_at(tree, number) for number in decision.path]
    steps = [(edge.word, node_at(tree, edge.child).space) for edge in edges]
    return decision.seat, tuple(steps)


def reached(decision: Decision) -> Decision | None:
    """The decision with only the hands that are reached, None where there are none."""
    keep = decision.rows.reach >= LEAST_REACH
    return decision.at(keep) if keep.any() else None


def paired(a: Solution, own: Decision, other: Decision) -> Pair:
    """The hands of two decisions at the same point."""
    hands, ranks = len(multisets(HAND_SIZE, len(a.game.rules.ranks))), len(a.game.rules.ranks)
    left, right = ((one.rows.board * (ranks + 1) + one.rows.lead + 1) * hands + one.rows.hand for one in (own, other))
    _, here, there = np.intersect1d(left, right, assume_unique=True, return_indices=True)
    actions = list(dict.fromkeys([*own.actions, *other.actions]))
    f_a, ev_a = (aligned(own, actions, table[:, here]) for table in (own.frequency, own.ev))
    f_b, ev_b = (aligned(other, actions, table[:, there]) for table in (other.frequency, other.ev))
    reach = own.rows.reach[here], other.rows.reach[there]
    difference = np.abs(np.nan_to_num(f_a) - np.nan_to_num(f_b)).sum(axis=0) / 2.0
    losses = mix_value(f_a, ev_a) - mix_value(f_b, ev_a), mix_value(f_b, ev_b) - mix_value(f_a, ev_b)
    return Pair(own, here, actions, (f_a, f_b), reach, difference, *losses)


def aligned(decision: Decision, actions: list[str], table: Doubles) -> Doubles:
    """Rows of a table for these actions, NaN for those the decision lacks."""
    missing = np.full(table.shape[1], np.nan)
    return np.array([table[decision.actions.index(one)] if one in decision.actions else missing for one in actions])


def mix_value(frequency: Doubles, ev: Doubles) -> Doubles:
    """Value of a mix at the values of a decision, NaN where it needs an action that is not there."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(np.nan_to_num(frequency) > 0, frequency * ev, 0.0).sum(axis=0))


def summary(pairs: list[Pair]) -> list[dict[str, Any]]:
    """A row a seat and trick; losses are per hand dealt, each in its own game, where they can be valued."""
    groups: dict[tuple[int, int], list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.decision.seat, pair.decision.trick].append(pair)
    found = []
    for (seat, trick), members in sorted(groups.items()):
        reach = sum(float(pair.reach[0].sum() + pair.reach[1].sum()) / 2.0 for pair in members)
        differing = sum(float(pair.weight(DIFFERENCE).sum()) for pair in members)
        loss_in_a = sum(float(np.nansum(pair.reach[0] * pair.loss_in_a)) for pair in members)
        loss_in_b = sum(float(np.nansum(pair.reach[1] * pair.loss_in_b)) for pair in members)
        count = sum(len(pair.place) for pair in members)
        mean = differing / reach if reach > 0 else None
        row = {"hands": count, "difference": mean, "b_loses_in_a": loss_in_a, "a_loses_in_b": loss_in_b}
        found.append({"seat": SEAT_NAMES[seat], "trick": trick, **row})
    return found


def largest(a: Solution, pairs: list[Pair], limit: int, order: str) -> list[dict[str, Any]]:
    """The hands that matter most, the largest first."""
    weights = [pair.weight(order) for pair in pairs]
    if not pairs:
        return []
    flat = np.concatenate(weights)
    owner = np.repeat(np.arange(len(pairs)), [len(one) for one in weights])
    first = np.cumsum([0, *map(len, weights)])
    best = np.argsort(-flat, kind="stable")[:limit]
    return [row_of(a, pairs[owner[k]], int(k - first[owner[k]])) for k in best.tolist() if flat[k] > 0]


def row_of(a: Solution, pair: Pair, k: int) -> dict[str, Any]:
    """One hand of one point."""
    rules, place, rows = a.game.rules, int(pair.place[k]), pair.decision.rows
    cards = multisets(HAND_SIZE, len(rules.ranks)).cards[rows.hand[place]]
    mixes = [
        {action: float(table[n, k]) for n, action in enumerate(pair.actions) if not np.isnan(table[n, k])}
        for table in pair.frequency
    ]
    return {
        "history": Histories(a.game).text(pair.decision.path, rows.board[place], rows.lead[place]),
        "seat": SEAT_NAMES[pair.decision.seat],
        "hand": format_hand(rules, tuple(cards.tolist())),
        "a": mixes[0],
        "b": mixes[1],
        "difference": float(pair.difference[k]),
        "b_loses_in_a": finite(pair.loss_in_a[k]),
        "a_loses_in_b": finite(pair.loss_in_b[k]),
        "reach_a": float(pair.reach[0][k]),
        "reach_b": float(pair.reach[1][k]),
    }


def finite(number: float) -> float | None:
    """The number, None for NaN."""
    return float(number) if number == number else None


def side_by_side(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Statistics of both in one row a seat, trick and word; None where a game has no such thing."""
    tables = [{tuple(row[key] for key in DEFAULT_KEYS): row for row in rows} for rows in (a, b)]
    found = []
    for key in sorted({**tables[0], **tables[1]}, key=lambda key: (SEAT_NAMES.index(key[0]), key[1])):
        row: dict[str, Any] = dict(zip(DEFAULT_KEYS, key, strict=True))
        for name in RATES:
            for letter, table in zip("ab", tables, strict=True):
                row[f"{name}_{letter}"] = table[key][name] if key in table else None
        found.append(row)
    return found
