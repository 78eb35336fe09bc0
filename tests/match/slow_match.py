"""Matches by linear programs, one hand after the other: slow, obvious, and nothing of solver.match in it.

The value of a score is that of its hand when every end of the hand is worth what the match is worth from there on. A
score that comes back to itself after drawn hands is the fixed point of that.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from solver.rules import catalogue
from solver.rules.kinds import hand_kind
from solver.rules.model import RuleSet
from solver.rules.referee import Result, next_score
from solver.rules.score import Prize, Score, format_score, parse_score
from tests.reference.extensive import Game, Number, Terminal, nodes
from tests.reference.refereed import refereed
from tests.reference.sequence_form import solve

VALUES = Path(__file__).with_name("values.csv")
#: a step of the secants after which the next one is as good as the programs themselves
ACCURATE = 1e-6


class NotYetError(Exception):
    """The value of a score is asked for before it is known."""

    def __init__(self, score: Score) -> None:
        super().__init__(str(score))
        self.score = score


@dataclass(frozen=True)
class Reduced:
    """A match on a small deck. What tests call it, the rule set, its options."""

    name: str
    preset: str
    options: dict[str, str]

    @property
    def rules(self) -> RuleSet:
        return catalogue.load(self.preset, self.options)


REDUCED = (
    Reduced("truc to 2", "truc", {"ranks": "3", "ladder": "1,2", "target": "2"}),
    Reduced("truc to 3", "truc", {"ranks": "3", "ladder": "1,2", "target": "3"}),
    Reduced("lanes to 4", "truc-lanes", {"ranks": "3", "copies": "4,2,2", "ladder": "1,2,4", "target": "4"}),
    Reduced("trut to 2", "trut-mini", {"target": "2"}),
    Reduced("gatine to 2", "trut-gatine-mini", {"target": "2"}),
)


@dataclass
class SlowMatch:
    """Values of scores, each the elder's chance to win the match."""

    rules: RuleSet
    known: dict[Score, float] = field(default_factory=dict)
    redealt: float | None = None

    def worth(self, score: Score, result: Result) -> Number:
        """Elder's chance after an end of the hand: next hand he is the dealer, unless the same hand is dealt again."""
        if result.again and hand_kind(self.rules, score).name in ("tenir", "chanter"):
            return self.for_the_long(score)
        after = next_score(self.rules, score, result)
        if isinstance(after, int):
            return 1 if after == 0 else 0
        if after not in self.known:
            raise NotYetError(after)
        return self.known[after] if result.again else 1 - self.known[after]

    def for_the_long(self, score: Score) -> float:
        """G6: the reshuffled hand is played for the same long, by cards alone."""
        chance = self.cards_only()
        won, lost = (self.worth(score, Result(seat, Prize.LONG)) for seat in (0, 1))
        return float(lost + (won - lost) * chance)

    def cards_only(self) -> float:
        """Elder's chance to win the long of a hand without bets that is dealt again when nobody wins it."""
        if self.redealt is None:
            both = Score((0, 2), (0, 2))
            self.redealt = fixed_point(
                lambda x: value(refereed(self.rules, both, lambda r: x if r.again else 1 - int(r.winner or 0)))
            )
        return self.redealt

    def hand(self, score: Score) -> float:
        """The value of one hand, by a linear program."""
        return value(refereed(self.rules, score, lambda result: self.worth(score, result)))

    def solve(self, score: Score) -> float:
        """The value of a score, after all that it needs."""
        waiting = [score]
        while waiting:
            try:
                self.settle(waiting[-1])
                waiting.pop()
            except NotYetError as error:
                waiting.append(error.score)
        return self.known[score]

    def settle(self, score: Score) -> None:
        """The fixed point of a score and the one with the seats exchanged."""
        if score in self.known:
            return
        twins = (score, score.swapped())
        try:
            for one in twins:
                self.known[one] = 0.5

            def turn(x: float) -> float:
                self.known[score] = x
                self.known[twins[1]] = x if twins[1] == score else self.hand(twins[1])
                return self.hand(score)

            self.known[score] = fixed_point(turn)
            if twins[1] != score:
                self.known[twins[1]] = self.hand(twins[1])
        except NotYetError:
            for one in twins:
                self.known.pop(one, None)
            raise


def value(game: Game) -> float:
    """Value of a game; one that has a single end needs no program."""
    ends = {node.payoff for node in nodes(game) if isinstance(node, Terminal)}
    return float(ends.pop()) if len(ends) == 1 else solve(game).value


def fixed_point(function, start: float = 0.5) -> float:  # type: ignore[no-untyped-def]
    """x = function(x) of a function that is nearly a line, by secants."""
    x0, x1 = start, function(start)
    y0 = x1
    while abs(x1 - x0) > ACCURATE:
        y1 = function(x1)
        slope = (y1 - y0) / (x1 - x0)
        x0, y0, x1 = x1, y1, x1 + (y1 - x1) / (1 - slope)
    return float(x1)


def stored(reduced: Reduced) -> dict[Score, float]:
    """The values in values.csv."""
    with VALUES.open(encoding="ascii", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["match"] == reduced.name]
    return {parse_score(reduced.rules, row["score"]): float(row["value"]) for row in rows}


def every_score(rules: RuleSet) -> Iterable[Score]:
    """Every score of a match."""
    petits = range(1 if rules.tokens == "points" else 3)
    sides = [(main, petit) for main in range(rules.target) for petit in petits]
    return [Score(elder, dealer) for elder in sides for dealer in sides]


def write() -> None:
    """Work out what values.csv does not have yet."""
    known = VALUES.read_text("ascii").splitlines()[1:] if VALUES.is_file() else []
    with VALUES.open("w", encoding="ascii", newline="") as file:
        file.write("\n".join(["match,score,value", *known, ""]))
        for reduced in REDUCED:
            match = SlowMatch(reduced.rules)
            for score in every_score(reduced.rules):
                text = format_score(reduced.rules, score)
                if not any(row.startswith(f"{reduced.name},{text},") for row in known):
                    file.write(f"{reduced.name},{text},{match.solve(score):.10f}\n")
                    file.flush()


if __name__ == "__main__":
    write()
