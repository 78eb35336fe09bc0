"""Reduced games as Gambit's extensive-form files (.efg), which OpenSpiel reads too.

The game is played out by the referee, deal by deal, so a file shares nothing with the public tree: what other programs
find on it is a judgement of the whole solver. An information set is the own hand and all that was said and laid;
a position with one thing to do is no node, so the files are about half as long as the game.
Labels hold letters, digits, spaces and a few signs both programs accept; numbers are written without commas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from io import TextIOWrapper
from itertools import combinations_with_replacement
from math import comb, prod
from pathlib import Path
from typing import TextIO

from solver.errors import UsageError
from solver.files import written
from solver.rules.kinds import redealt
from solver.rules.labels import labels_of
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.outcome import payoff
from solver.rules.position import Position
from solver.rules.referee import Referee
from solver.rules.score import Score, format_score

#: nodes from which other programs need minutes, and beyond which no file is written
LARGE, MOST = 50_000, 3_000_000

Deal = tuple[tuple[int, ...], tuple[int, ...]]
Numbers = dict[tuple[object, ...], int]


@dataclass(slots=True)
class Writer:
    """Numbers given out while a game is written."""

    rules: RuleSet
    file: TextIO
    infosets: tuple[Numbers, Numbers] = field(default_factory=lambda: ({}, {}))
    outcomes: dict[Fraction, int] = field(default_factory=dict)
    nodes: int = 0


def deals(rules: RuleSet) -> Iterator[tuple[Deal, int]]:
    """Both hands and the number of ways to deal them (K8)."""
    hands = list(combinations_with_replacement(range(len(rules.ranks)), HAND_SIZE))
    for elder in hands:
        for dealer in hands:
            ways = prod(
                comb(n, elder.count(rank)) * comb(max(n - elder.count(rank), 0), dealer.count(rank))
                for rank, n in enumerate(rules.copies)
            )
            if ways:
                yield (elder, dealer), ways


def count_nodes(rules: RuleSet, score: Score, most: int) -> int:
    """How many nodes a file would have; counting ends once there are more than ``most``.

    Deals whose cards stand in the same order, and whose hands may be announced alike, have as many nodes.
    """
    shapes: dict[object, list[Deal]] = {}
    for deal, _ in deals(rules):
        order = sorted({*deal[0], *deal[1]})
        alike = tuple((tuple(map(order.index, hand)), labels_of(rules, hand)) for hand in deal)
        shapes.setdefault(alike, []).append(deal)
    count, referee = 1, Referee(rules, score)
    for same in shapes.values():
        waiting: list[Position] = [referee.start(same[0])]
        while waiting and count <= most:
            position = choice_from(waiting.pop())
            count += len(same)
            waiting.extend(position.play(token) for token in position.legal if position.result is None)
    return count


def check_exportable(rules: RuleSet, score: Score) -> int:
    """How many nodes; UsageError for hands in which new cards are dealt, and for files too large to be read."""
    if rules.redeal or rules.chanter == "full" or redealt(rules, score):
        raise UsageError(
            "An efg file holds hands without new cards: set redeal=0, tout_pate=0 and chanter=theorem or off."
        )
    nodes = count_nodes(rules, score, MOST)
    if nodes > MOST:
        raise UsageError(
            f"An efg file of this hand would have more than {MOST:,} nodes, which other programs do not load; "
            "take a smaller deck or ladder, such as --set ranks=3 --set copies=2 --set ladder=1,2."
        )
    return nodes


def write_efg(
    rules: RuleSet, score: Score, path: Path, watch: Callable[[int], None] = lambda nodes: None
) -> int:
    """Write the hand at a score, in points, whole or not at all; returns the number of nodes.

    watch   called after every deal with the nodes so far
    UsageError where it cannot be written; OSError names the path.
    """
    check_exportable(rules, score)
    table = list(deals(rules))
    total = sum(ways for _, ways in table)
    referee = Referee(rules, score)
    with written(path) as opened:
        file = TextIOWrapper(opened, "ascii", write_through=True)
        writer = Writer(rules, file, nodes=1)
        file.write(f'EFG 2 R "{rules.name} {format_score(rules, score)}" {{ "elder" "dealer" }}\n""\n\n')
        chances = " ".join(f'"{deal_label(rules, deal)}" {Fraction(ways, total)}' for deal, ways in table)
        file.write(f'c "" 1 "deal" {{ {chances} }} 0\n')
        for deal, _ in table:
            write_hand(writer, deal, referee.start(deal))
            watch(writer.nodes)
        file.detach()
    return writer.nodes


def write_hand(writer: Writer, deal: Deal, start: Position) -> None:
    """All positions of one deal, depth first."""
    waiting = [start]
    while waiting:
        position = choice_from(waiting.pop())
        writer.nodes += 1
        if position.result is not None or position.to_act is None:
            write_end(writer, position)
            continue
        seat = position.to_act
        key = (deal[seat], position.history)
        number = writer.infosets[seat].setdefault(key, len(writer.infosets[seat]) + 1)
        name = infoset_label(writer.rules, deal[seat], position)
        actions = " ".join(f'"{token}"' for token in position.legal)
        writer.file.write(f'p "" {seat + 1} {number} "{name}" {{ {actions} }} 0\n')
        waiting.extend(position.play(token) for token in reversed(position.legal))


def choice_from(position: Position) -> Position:
    """The next position with a choice, or the end of the hand: a lone card is laid without asking."""
    while position.result is None and len(position.legal) == 1:
        position = position.play(position.legal[0])
    return position


def write_end(writer: Writer, position: Position) -> None:
    """The payoffs of a finished hand, the same outcome number for the same payoff."""
    assert position.result is not None
    value = Fraction(payoff(position.rules, position.score, position.result)).limit_denominator(10**9)
    number = writer.outcomes.setdefault(value, len(writer.outcomes) + 1)
    writer.file.write(f't "" {number} "" {{ {value} {-value} }}\n')


def hand_label(rules: RuleSet, hand: tuple[int, ...]) -> str:
    """A hand as letters."""
    return "".join(rules.ranks[card] for card in hand)


def deal_label(rules: RuleSet, deal: Deal) -> str:
    """Both hands of a deal."""
    return f"{hand_label(rules, deal[0])} {hand_label(rules, deal[1])}"


def infoset_label(rules: RuleSet, hand: tuple[int, ...], position: Position) -> str:
    """Own hand and history with seats, such as "78A e.K d.raise"."""
    said = " ".join(f"{'ed'[seat]}.{token}" for seat, token in position.history)
    return f"{hand_label(rules, hand)} {said}".strip()
