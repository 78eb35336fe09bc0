"""Local gains by plain recursion over the explicit game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from tests.reference.extensive import Chance, Decision, Game, InfoSet, Node, Number, Profile, Terminal

Members = dict[InfoSet, list[tuple[float, Decision]]]


class Local:
    """Gains of one seat at each of its information sets, against the other seat that trembles.

    gain   by information set
    ways   by information set and number of mistakes on the way: chances with each of these certain
    """

    def __init__(self, game: Game, seat: int, profile: Profile, floor: float) -> None:
        self.seat, self.profile, self.floor = seat, profile, floor
        self.members: Members = defaultdict(list)
        self.ways: dict[InfoSet, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        self.choice: dict[InfoSet, int] = {}
        for deal in game.deals:
            self.gather(deal.root, deal.weight / game.total, deal.weight / game.total, 0)
        self.gain = {key: self.gain_at(key) for key in self.members}

    def trembled(self, key: InfoSet, action: str) -> float:
        """Frequency of a trembling player."""
        return max(float(self.profile[key][action]), self.floor)

    def gather(self, node: Node, reach: float, way: float, mistakes: int) -> None:
        """List every node of the seat with the chance that deal and other seat lead there."""
        if isinstance(node, Chance):
            total = sum(share for share, _ in node.branches)
            for share, child in node.branches:
                part = float(share / total)
                self.gather(child, reach * part, way * part, mistakes)
        elif isinstance(node, Decision):
            own = node.infoset.seat == self.seat
            if own:
                self.members[node.infoset].append((reach, node))
                self.ways[node.infoset][mistakes] += way
            for action, child in zip(node.actions, node.children, strict=True):
                often = float(self.profile[node.infoset][action])
                rare = often < self.floor
                below = reach if own else reach * self.trembled(node.infoset, action)
                self.gather(child, below, way if rare else way * often, mistakes + rare)

    def gain_at(self, key: InfoSet) -> float:
        """Best response from an information set on against what is played there, among those who come there."""
        total = sum(reach for reach, _ in self.members[key])
        more = [reach * (self.value(node, True) - self.value(node, False)) for reach, node in self.members[key]]
        return sum(more) / total

    def usual(self, key: InfoSet) -> int:
        """The number of mistakes that accounts for most of an information set's trembling reach."""
        ways = self.ways[key]
        return max(ways, key=lambda mistakes: ways[mistakes] * self.floor**mistakes)

    def best(self, key: InfoSet) -> int:
        """Place of the best action of an information set."""
        if key not in self.choice:
            nodes = self.members[key]
            worth = [
                sum(reach * self.value(node.children[k], True) for reach, node in nodes)
                for k in range(len(nodes[0][1].actions))
            ]
            self.choice[key] = worth.index(max(worth))
        return self.choice[key]

    def value(self, node: Node, best: bool) -> float:
        """Payoff to the seat, who answers best or plays the profile, against the trembling other."""
        if isinstance(node, Terminal):
            return float(node.payoff) * (1 if self.seat == 0 else -1)
        if isinstance(node, Chance):
            total = sum(share for share, _ in node.branches)
            return sum(float(share / total) * self.value(child, best) for share, child in node.branches)
        children = zip(node.actions, node.children, strict=True)
        if node.infoset.seat != self.seat:
            return sum(self.trembled(node.infoset, action) * self.value(child, best) for action, child in children)
        if best:
            return self.value(node.children[self.best(node.infoset)], True)
        row: Mapping[str, Number] = self.profile[node.infoset]
        return sum(float(row[action]) * self.value(child, False) for action, child in children)
