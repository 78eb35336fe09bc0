"""How often everything is said, weighted by reach, and how well bets are answered.

Hand classes: ``brelan``, three equal cards; ``suite``, three in natural order, where the rules give that a name (G7);
``77x``, two sevens and another card; ``7x``, three different cards of which the seven is the best. Every hand is in
exactly one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cards.deals import deal_weights
from solver.cards.hands import multisets
from solver.errors import UsageError, near
from solver.query.advise import HARDLY_EVER, INDIFFERENT, RARE, indifference
from solver.query.decisions import Decision
from solver.query.visitor import every_decision
from solver.rules.labels import labels_of
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.score import SEAT_NAMES, format_score
from solver.rules.words import SILENT, WORDS
from solver.strategy.solution import Solution
from solver.tree.history import words_of

Doubles = NDArray[np.float64]

KEYS = ("score", "seat", "trick", "history", "class", "word")
DEFAULT_KEYS = ("seat", "trick", "word")
#: sums of a group; from ANSWERED on only of bets: KNOWN are called sometimes, PRICED have something at stake
OFFERED, CHOSEN, VALUE, LOSS, ANSWERED, FOLDED, KNOWN, BLUFFS, PRICED, MOST_FOLDS = range(10)
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Classes:
    """Names of the hand classes of a deck, the likeliest winners first; of: int64 [hands], place of each hand's."""

    names: list[str]
    of: NDArray[np.int64]


def hand_class(rules: RuleSet, hand: tuple[int, ...]) -> str:
    """The class of a hand, given as ascending ranks."""
    different = sorted(set(hand))
    if len(different) == 1:
        return "brelan"
    if len(different) == 2:
        return rules.ranks[hand[1]] * 2 + "x"
    return "suite" if labels_of(rules, hand) else rules.ranks[hand[0]] + "x"


def classes(rules: RuleSet) -> Classes:
    """All classes that can be dealt: brelan, suite, then pairs, then best cards, strongest ranks first."""
    hands = [tuple(hand) for hand in multisets(HAND_SIZE, len(rules.ranks)).cards.tolist()]
    named = [hand_class(rules, hand) for hand in hands]
    dealt = deal_weights(rules).sum(axis=1) > 0
    order = ["brelan", "suite", *(rank * 2 + "x" for rank in rules.ranks), *(rank + "x" for rank in rules.ranks)]
    names = [name for name in order if any(name == one and ok for one, ok in zip(named, dealt, strict=True))]
    return Classes(names, np.array([names.index(one) if one in names else 0 for one in named], np.int64))


def checked_keys(wanted: str | None) -> tuple[str, ...]:
    """The columns of ``--by``, in the order of KEYS, the word always among them; UsageError for others."""
    if wanted is None:
        return DEFAULT_KEYS
    names = [name.strip() for name in wanted.replace(";", ",").split(",") if name.strip()]
    for name in names:
        if name not in KEYS:
            raise UsageError(f"--by '{name}' is no column.{near(name, KEYS)} The columns are: {', '.join(KEYS)}.")
    return tuple(key for key in KEYS if key in names or key == "word")


@dataclass(slots=True)
class Tally:
    """Sums of all groups, by the values of the keys."""

    solution: Solution
    keys: Sequence[str]
    groups: dict[tuple[Any, ...], Doubles] = field(default_factory=dict)
    kinds: Classes = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = classes(self.solution.game.rules)

    def add(self, decision: Decision) -> None:
        """Count one decision; where there is nothing to say there is nothing to count."""
        ranks = self.solution.game.rules.ranks
        spoken = [k for k, action in enumerate(decision.actions) if action not in ranks and action != SILENT]
        if not spoken:
            return
        quiet = [k for k in range(len(decision.actions)) if k not in spoken]
        choices = {decision.actions[k]: [k] for k in spoken} | ({SILENT: quiet} if quiet else {})
        for word, places in choices.items():
            self.add_word(decision, word, places, decision.best)

    def add_word(self, decision: Decision, word: str, places: list[int], best: Doubles) -> None:
        """Count one word of a decision: its actions are the word, or every card laid in silence."""
        frequency, ev = decision.frequency[places], decision.ev[places]
        legal = ~np.isnan(frequency).all(axis=0)
        chosen = np.nansum(frequency, axis=0)
        offered = np.where(legal, decision.rows.reach, 0.0)
        worth = np.nansum(frequency * (ev + self.solution.own_zero(decision.seat)), axis=0)
        sums = [offered, offered * chosen, offered * worth]
        sums.append(offered * np.nan_to_num(best - np.fmax.reduce(ev, axis=0)))
        if word in decision.bets:
            sums += self.of_bet(decision, word, offered * chosen)
        of = self.kinds.of[decision.rows.hand]
        found = np.zeros((len(self.kinds.names), MOST_FOLDS + 1))
        for k, one in enumerate(sums):
            found[:, k] = np.bincount(of, weights=one, minlength=len(found))
        self.keep(decision, word, found)

    def of_bet(self, decision: Decision, word: str, made: Doubles) -> list[Doubles]:
        """What is counted of a bet."""
        bet = decision.bets[word]
        answered, known = made * ~np.isnan(bet.folded), made * ~np.isnan(bet.called)
        bluffs = np.nan_to_num(bet.called, nan=np.inf) < bet.fold_value - TINY
        priced = answered if bet.most_folds == bet.most_folds else np.zeros_like(answered)
        folded = answered * np.nan_to_num(bet.folded)
        return [answered, folded, known, made * bluffs, priced, priced * np.nan_to_num(bet.most_folds)]

    def keep(self, decision: Decision, word: str, found: Doubles) -> None:
        """Add sums a class to their groups."""
        game = self.solution.game
        own: dict[str, Any] = {"seat": SEAT_NAMES[decision.seat], "trick": decision.trick, "word": word}
        if "history" in self.keys:
            own["history"] = " ".join(words_of(game, decision.path))
        if "score" in self.keys:
            own["score"] = format_score(game.rules, game.score)
        by_class = "class" in self.keys
        parts = zip(self.kinds.names, found, strict=True) if by_class else [("", found.sum(axis=0))]
        for name, part in parts:
            if part[OFFERED] > 0:
                key = tuple({**own, "class": name}[column] for column in self.keys)
                self.groups[key] = self.groups.get(key, np.zeros(len(part))) + part

    def rows(self) -> list[dict[str, Any]]:
        """A row a group, as ``statistics`` says."""
        keys, limit = self.keys, indifference(self.solution)
        rows = [{**dict(zip(keys, key, strict=True)), **figures(sums, limit)} for key, sums in self.groups.items()]
        return sorted(rows, key=order_of(self.kinds, keys))


def statistics(solution: Solution, keys: Sequence[str] = DEFAULT_KEYS) -> list[dict[str, Any]]:
    """A row a group, weighted by reach: how often a word is said where it may be.

    offered, chosen        expected number of times in a hand that the word may be said, and is
    frequency              chosen / offered
    value                  mean value of saying it to those who do, in the unit of the solution
    loss                   what saying it always would lose against the best, a time it is offered
    folded, defence        of bets: share answered by a fold, and otherwise
    minimum_defence        share of answers other than a fold that keeps bets with lost hands from paying:
                           gain / (risk + gain), see ``stakes.Stakes.most_folds``; mean over the bets made
    bluff                  share of bets by hands that would rather not be seen: the bettor's value when he is
                           called is below that of the fold; bets that are never called are left out
    marks                  indifferent: the loss is within what the solution may be off; hardly ever reached
    """
    tally = Tally(solution, keys)
    every_decision(solution, tally.add)
    return tally.rows()


def figures(sums: Doubles, limit: float) -> dict[str, Any]:
    """The columns of a group."""
    folded = ratio(sums[FOLDED], sums[ANSWERED])
    most = ratio(sums[MOST_FOLDS], sums[PRICED])
    loss = max(ratio(sums[LOSS], sums[OFFERED]) or 0.0, 0.0)
    marks = [INDIFFERENT] * (loss <= limit) + [RARE] * bool(sums[OFFERED] < HARDLY_EVER)
    return {
        "offered": float(sums[OFFERED]),
        "chosen": float(sums[CHOSEN]),
        "frequency": ratio(sums[CHOSEN], sums[OFFERED]),
        "value": ratio(sums[VALUE], sums[CHOSEN]),
        "loss": loss,
        "folded": folded,
        "defence": None if folded is None else 1.0 - folded,
        "minimum_defence": None if most is None else 1.0 - most,
        "bluff": ratio(sums[BLUFFS], sums[KNOWN]),
        "marks": marks,
    }


def ratio(part: float, whole: float) -> float | None:
    """A quotient, None where there is nothing to divide by."""
    return float(part / whole) if whole > 0 else None


def order_of(kinds: Classes, keys: Sequence[str]) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    """Elder before dealer, strong classes and short histories first, words as the rules name them."""
    places: dict[str, Callable[[Any], Any]] = {
        "seat": SEAT_NAMES.index,
        "class": kinds.names.index,
        "word": WORDS.index,
        "history": lambda text: (len(text.split()), text),
    }
    return lambda row: tuple(places[key](row[key]) if key in places else row[key] for key in keys)
