"""Values and best responses by plain recursion; exact when the profile is made of Fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from .extensive import Chance, Decision, Game, InfoSet, Node, Number, Profile, Terminal

Members = dict[InfoSet, list[tuple[Number, Decision]]]


class Response(NamedTuple):
    """A best response: the responder's own value, and its choice at every information set it can reach."""

    value: Number
    choice: dict[InfoSet, str]


def expected_value(game: Game, profile: Profile) -> Number:
    """Seat 0's expected payoff when both play `profile`."""

    def value(node: Node) -> Number:
        if isinstance(node, Terminal):
            return node.payoff
        return sum((share * value(child) for share, child in _split(node, profile) if share), Fraction(0))

    return _mean(game, value)


def best_response(game: Game, seat: int, profile: Profile) -> Response:
    """The honest best response of `seat` to the other's part of `profile`: one action an information set.

    All nodes of an information set are weighed together with the chance and opponent probabilities that lead
    to them. Ties go to the first action. A set the opponent never lets happen takes the first action too.
    """
    members: Members = {}
    for deal in game.deals:
        _gather(deal.root, Fraction(deal.weight), seat, profile, members)
    choice: dict[InfoSet, str] = {}
    known: dict[Node, Number] = {}

    def decide(infoset: InfoSet) -> str:
        if infoset not in choice:
            nodes = members[infoset]
            actions = nodes[0][1].actions
            worth = [
                sum((reach * value(node.children[i]) for reach, node in nodes), Fraction(0))
                for i in range(len(actions))
            ]
            choice[infoset] = actions[worth.index(max(worth))]
        return choice[infoset]

    def value(node: Node) -> Number:
        if isinstance(node, Terminal):
            return _own(node, seat)
        if node not in known:
            if isinstance(node, Decision) and node.infoset.seat == seat:
                known[node] = value(node.children[node.actions.index(decide(node.infoset))])
            else:
                parts = (share * value(child) for share, child in _split(node, profile) if share)
                known[node] = sum(parts, Fraction(0))
        return known[node]

    return Response(_mean(game, value), choice)


def peeking_best_response(game: Game, seat: int, profile: Profile) -> Number:
    """What `seat` could get if it saw the other's hand: it chooses at each node by itself.

    This is the fault a best responder must not have; it is the honest one plus the worth of seeing the cards.
    """

    def value(node: Node) -> Number:
        if isinstance(node, Terminal):
            return _own(node, seat)
        if isinstance(node, Decision) and node.infoset.seat == seat:
            return max(value(child) for child in node.children)
        return sum((share * value(child) for share, child in _split(node, profile) if share), Fraction(0))

    return _mean(game, value)


def nash_conv(game: Game, profile: Profile) -> Number:
    """Sum of both best-response values: 0 exactly at equilibrium."""
    return best_response(game, 0, profile).value + best_response(game, 1, profile).value


def _own(node: Terminal, seat: int) -> Number:
    return node.payoff if seat == 0 else -node.payoff


def _mean(game: Game, value: Callable[[Node], Number]) -> Number:
    return sum((deal.weight * value(deal.root) for deal in game.deals), Fraction(0)) / game.total


def _split(node: Chance | Decision, profile: Profile) -> Iterator[tuple[Number, Node]]:
    """Each child with its probability."""
    if isinstance(node, Chance):
        total = sum(share for share, _ in node.branches)
        for share, child in node.branches:
            exact = isinstance(share, int | Fraction) and isinstance(total, int | Fraction)
            yield (Fraction(share) / total if exact else share / total), child
    else:
        frequency = profile[node.infoset]
        for action, child in zip(node.actions, node.children, strict=True):
            yield frequency[action], child


def _gather(node: Node, reach: Number, seat: int, profile: Profile, members: Members) -> None:
    """List, for each information set of `seat`, its nodes with the probability the others bring it there.

    Nodes with reach 0 are kept: the set must know its actions even where the opponent never goes.
    """
    if isinstance(node, Terminal):
        return
    if isinstance(node, Decision) and node.infoset.seat == seat:
        members.setdefault(node.infoset, []).append((reach, node))
        for child in node.children:
            _gather(child, reach, seat, profile, members)
    else:
        for share, child in _split(node, profile):
            _gather(child, reach * share, seat, profile, members)
