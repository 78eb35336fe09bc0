"""Two solutions as wholes: what each is worth, whether their games are the same, and one playing against the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.evaluate.best_response import Pass
from solver.rules.outcome import UNIT_NAMES
from solver.rules.score import format_score
from solver.rules.words import SILENT
from solver.strategy.solution import Solution
from solver.tree.build import HandGame
from solver.tree.reading import decisions, payoff_arrays, player_of

Doubles = NDArray[np.float64]
TREE_ARRAYS = (
    "kind", "player", "leader", "space", "edges", "child", "link", "word", "mask", "boards", "states", "ties",
)  # fmt: skip
#: changes of a rate smaller than this, times a hand, are not put into words
LEAST_CHANGE = 1e-3


def same_cards(a: Solution, b: Solution) -> bool:
    """Whether both games lay the same cards in the same order, so that their points can be the same."""
    if a.game.rules.ranks != b.game.rules.ranks or a.game.rules.copies != b.game.rules.copies:
        return False
    if len(a.game.spaces) != len(b.game.spaces):
        return False
    spaces = zip(a.game.spaces, b.game.spaces, strict=True)
    return all(
        (one.held, one.tricks, one.actor, one.winner) == (other.held, other.tricks, other.actor, other.winner)
        and np.array_equal(one.card, other.card)
        for one, other in spaces
    )


def same_hand(a: HandGame, b: HandGame) -> bool:
    """Whether two hands offer the same choices and pay the same."""
    if any(not np.array_equal(getattr(a.tree, name), getattr(b.tree, name)) for name in TREE_ARRAYS):
        return False
    return all(map(np.array_equal, payoff_arrays(a.tree, a.worth), payoff_arrays(b.tree, b.worth)))


def told(solution: Solution) -> dict[str, Any]:
    """What a solution is worth; value, and the bounds of the true one, are the elder's."""
    game, claim = solution.game, solution.claim
    return {
        "rules": game.rules.name,
        "fingerprint": game.rules.fingerprint,
        "score": format_score(game.rules, game.score),
        "unit": game.unit,
        "value": claim.value,
        "lower": -claim.best_response[1],
        "upper": claim.best_response[0],
        "exploitability": claim.exploitability,
        "path": solution.path,
    }


def head_to_head(a: Solution, b: Solution) -> dict[str, float] | None:
    """The elder's values when a meets b, and what a gains over b, both seats averaged; None for different trees."""
    tree, worth = a.game.tree, a.game.worth
    if not same_hand(a.game, b.game):
        return None

    def mixed(elder: Solution, dealer: Solution) -> Callable[[int], list[Doubles]]:
        return lambda node: (dealer if player_of(tree, node) else elder).behaviour(node)

    a_elder = float(Pass(tree, worth, mixed(a, b), 0, best=False).root().sum())
    b_elder = float(Pass(tree, worth, mixed(b, a), 0, best=False).root().sum())
    return {"a_elder_b_dealer": a_elder, "b_elder_a_dealer": b_elder, "a_gains": (a_elder - b_elder) / 2.0}


def notes(a: Solution, b: Solution, against: dict[str, float] | None) -> list[str]:
    """What the numbers say, in sentences."""
    found = [option_note(a, b)] if option_note(a, b) else []
    if a.game.unit != b.game.unit:
        found.append(f"Values are in different units, {a.game.unit} and {b.game.unit}, and are not compared.")
    else:
        found.append(value_note(a, b))
    if against is None:
        found.append("The games differ, so neither can play the other's strategy: there is no head to head.")
    if not same_cards(a, b):
        found.append("Cards or tricks differ, so no point is the same in both: only rates are compared.")
    elif not same_words(a, b):
        found.append("Not everything can be said in both: only hands at histories that both have are compared.")
    return found


def value_note(a: Solution, b: Solution) -> str:
    """Whether the values differ by more than the solutions may be off."""
    one, other = told(a), told(b)
    gap = other["value"] - one["value"]
    unit = "points a hand" if a.game.unit == "points" else UNIT_NAMES["match"]
    text = f"The elder gets {one['value']:+.4f} in a and {other['value']:+.4f} in b, {gap:+.4f} {unit}"
    apart = one["upper"] < other["lower"] or other["upper"] < one["lower"]
    if apart:
        return f"{text}: more than both solutions may be off."
    return f"{text}: no more than these solutions may be off, so the true values may be equal."


def same_words(a: Solution, b: Solution) -> bool:
    """Whether the two trees have the same decisions."""
    one, other = a.game.tree, b.game.tree
    return np.array_equal(one.word, other.word) and len(list(decisions(one))) == len(list(decisions(other)))


def option_note(a: Solution, b: Solution) -> str:
    """Which options and scores b has instead of a's, "" if none."""
    one, other = a.game.rules.options(), b.game.rules.options()
    pairs = [(name, one[name], other[name]) for name in one if one[name] != other[name]]
    if told(a)["score"] != told(b)["score"]:
        pairs.append(("score", told(a)["score"], told(b)["score"]))
    listed = ", ".join(f"{name} {shown(new)} instead of {shown(old)}" for name, old, new in pairs)
    return f"In b {listed}." if listed else ""


def shown(value: object) -> str:
    """The value of an option as --set reads it."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


def changes(rates: list[dict[str, Any]], limit: int = 3) -> list[str]:
    """The words said more or less often, in sentences: the largest changes, by how often they may be said."""
    known = [row for row in rates if row["frequency_a"] is not None and row["frequency_b"] is not None]

    def size(row: dict[str, Any]) -> float:
        often = (row["offered_a"] + row["offered_b"]) / 2.0
        return float(often * abs(row["frequency_a"] - row["frequency_b"]))

    worth_saying = [row for row in known if row["word"] not in (SILENT, "fold") and size(row) > LEAST_CHANGE]
    return [
        f"In trick {row['trick']} the {row['seat']}'s {row['word']} goes from {row['frequency_a']:.1%} in a "
        f"to {row['frequency_b']:.1%} in b."
        for row in sorted(worth_saying, key=size, reverse=True)[:limit]
    ]
