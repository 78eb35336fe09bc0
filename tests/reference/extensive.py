"""Two-player zero-sum games as explicit trees, small enough to hold in memory.

A game is a list of deals (weight, what each player holds, the tree of that deal). Weights are exact integers
and need not sum to one. Later chance nodes carry weights of their own, normalised where they stand. A
decision knows its information set: seat, everything its player has privately seen, the public history.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

Number = int | float | Fraction
History = tuple[tuple[int, str], ...]


class InfoSet(NamedTuple):
    """What the player to act knows: seat, own private observations, public history of (seat, token)."""

    seat: int
    private: Hashable
    history: History


Profile = Mapping[InfoSet, Mapping[str, Number]]


@dataclass(frozen=True, slots=True, eq=False)
class Terminal:
    """The end of a hand; `payoff` is seat 0's, seat 1 gets its negative."""

    payoff: Number


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """Later chance: (weight, node) pairs, weights normalised over this node."""

    branches: tuple[tuple[Number, Node], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A choice of `infoset.seat`; `children[i]` follows `actions[i]`."""

    infoset: InfoSet
    actions: tuple[str, ...]
    children: tuple[Node, ...]


Node = Terminal | Chance | Decision


@dataclass(frozen=True, slots=True)
class Deal:
    """One outcome of the opening deal, with its integer weight."""

    weight: int
    private: tuple[Hashable, Hashable]
    root: Node


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game; probabilities of deals are weight / total."""

    name: str
    deals: tuple[Deal, ...]

    @property
    def total(self) -> int:
        """The sum of all deal weights."""
        return sum(deal.weight for deal in self.deals)


class Size(NamedTuple):
    """Counts of one game, per seat where a pair; sequences include the empty one."""

    deals: int
    nodes: int
    terminals: int
    infosets: tuple[int, int]
    sequences: tuple[int, int]


def nodes(game: Game) -> Iterator[Node]:
    """Every node of every deal, parents first; shared leaves are seen once for each parent."""
    stack: list[Node] = [deal.root for deal in reversed(game.deals)]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Chance):
            stack.extend(child for _, child in reversed(node.branches))
        elif isinstance(node, Decision):
            stack.extend(reversed(node.children))


def infosets(game: Game) -> dict[InfoSet, tuple[str, ...]]:
    """Every information set with its actions.

    Raises:
        ValueError: two nodes of one information set offer different actions.
    """
    found: dict[InfoSet, tuple[str, ...]] = {}
    for node in nodes(game):
        if isinstance(node, Decision) and found.setdefault(node.infoset, node.actions) != node.actions:
            raise ValueError(f"{node.infoset} offers {node.actions} here and {found[node.infoset]} elsewhere")
    return found


def uniform(game: Game) -> dict[InfoSet, dict[str, Number]]:
    """The profile that plays every action of every information set equally often, as Fractions."""
    return {key: dict.fromkeys(actions, Fraction(1, len(actions))) for key, actions in infosets(game).items()}


def size(game: Game) -> Size:
    """Count nodes, information sets and sequences of a game."""
    count = leaves = 0
    for node in nodes(game):
        count += 1
        leaves += isinstance(node, Terminal)
    sets = [0, 0]
    sequences = [1, 1]
    for key, actions in infosets(game).items():
        sets[key.seat] += 1
        sequences[key.seat] += len(actions)
    return Size(len(game.deals), count, leaves, (sets[0], sets[1]), (sequences[0], sequences[1]))


def choose(
    infoset: InfoSet, actions: tuple[str, ...], follow: Callable[[str], Node], skip_forced: bool = True
) -> Node:
    """A decision with its children built by `follow`; a single action is no decision and is passed."""
    if skip_forced and len(actions) == 1:
        return follow(actions[0])
    return Decision(infoset, actions, tuple(follow(action) for action in actions))


def exact(profile: Profile, limit: int = 10**6) -> dict[InfoSet, dict[str, Number]]:
    """The profile with each frequency replaced by a near Fraction; the largest mends the sum."""
    rounded: dict[InfoSet, dict[str, Number]] = {}
    for key, row in profile.items():
        near: dict[str, Number] = {
            action: Fraction(frequency).limit_denominator(limit) for action, frequency in row.items()
        }
        largest = max(near, key=lambda action: near[action])
        near[largest] = 1 - sum((near[action] for action in near if action != largest), Fraction(0))
        rounded[key] = near
    return rounded
