"""Tout pâté (G6): what three spoiled tricks are worth when three new cards each follow from the same stub.

All six cards are then public, so the redeal is a hand of its own on a smaller deck: cards only, for the same long. Its
value is found, not guessed: every deck that can be left is solved from the last redeal back. Ranks that are used up
drop out, and only the order of what is left counts, which leaves 168 decks after the full one of 32 cards. After the
last redeal the whole deck is shuffled again with the same dealer: a fixed point, and a contraction by the chance of
five spoiled hands running.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import platformdirs

from solver.cards.deals import deal_weights
from solver.cfr.solve import INTERRUPT, Limits
from solver.files import write_bytes
from solver.reading import parse_json
from solver.rules.model import RuleSet
from solver.rules.score import Amount, Score
from solver.strategy.run import Task, new_run, solve_run
from solver.strategy.shipped import REDEALS, book_root
from solver.tree.build import TieShare, build_game

CARDS_A_DEAL = 6
#: exploitability, in chance of winning the long, to which the full deck, the first redeal, … are solved; each counts
#: about a hundredth of the one before it
TOLERANCES = (1e-5, 1e-5, 1e-4, 1e-3, 1e-3)

Deck = tuple[int, ...]


class Redeals:
    """Chance of the elder to win a hand of cards only, by the deck it is dealt from.

    known   value of every deck met so far, by (copies of the ranks left, redeals still possible)
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = replace(
            rules, name=rules.name, tenir=False, chanter="off", tout_pate=0, fortial=False, labels=False, brelan=False,
            trut_window="off",
        )  # fmt: skip
        self.levels = min(rules.tout_pate, (rules.deck_size - CARDS_A_DEAL) // CARDS_A_DEAL)
        self.known: dict[tuple[Deck, int], float] = {}
        self.reshuffled = 0.5

    def settle(self) -> None:
        """Find the value of the full deck that a reshuffle after the last redeal leads back to."""
        same = max(same_hand_chance(self.rules), 1e-3)
        while True:
            self.known.clear()
            found = self.chance(self.rules.copies, self.levels)
            change, self.reshuffled = abs(found - self.reshuffled), found
            if change * same ** (self.levels + 1) < 1e-9:
                return

    def chance(self, copies: Deck, left: int) -> float:
        """Elder's chance on a deck with ``copies`` of each rank and ``left`` redeals after it."""
        deck = tuple(n for n in copies if n)
        if len(deck) == 1:  # every trick will be rotten, until the stub is used up
            return self.reshuffled
        if (deck, left) not in self.known:
            self.known[deck, left] = self.solve_deck(deck, left)
        return self.known[deck, left]

    def after_tie(self, copies: Deck, left: int) -> TieShare:
        """Value of the redeal after both sides held the same hand."""

        def value(hand: tuple[int, ...]) -> float:
            rest = tuple(n - 2 * hand.count(rank) for rank, n in enumerate(copies))
            if left == 0 or min(rest) < 0:
                return self.reshuffled
            return self.chance(rest, left - 1)

        return value

    def solve_deck(self, deck: Deck, left: int) -> float:
        """Solve the cards-only hand of one deck; the middle of its bounds."""
        rules = replace(self.rules, ranks=self.rules.ranks[: len(deck)], copies=deck)
        game = build_game(
            rules, Score((0, 0), (0, 0)), win_or_lose, "points", tie_share=self.after_tie(deck, left)
        )
        task = Task(limits=Limits(TOLERANCES[self.levels - left], 4000), off_path=False)
        run = solve_run(new_run(game, task), storing=False)
        if run.reason == INTERRUPT:
            raise KeyboardInterrupt
        last = run.measures[-1]
        return (last.best_response[0] - last.best_response[1]) / 2.0


def win_or_lose(winner: int | None, amount: Amount) -> float:
    """1 when the elder wins; a drawn hand is replaced by the redeal's value."""
    return 1.0 if winner == 0 else 0.0


def same_hand_chance(rules: RuleSet) -> float:
    """Chance that both sides are dealt the same ranks: an upper bound on three spoiled tricks."""
    weights = deal_weights(rules)
    return float(np.trace(weights) / weights.sum())


def redeal_values(rules: RuleSet) -> Redeals:
    """The table of a rule set: from the book, or the user's cache folder when it was made before."""
    redeals = Redeals(rules)
    path = cache_file(redeals)
    if not any(read_table(redeals, place) for place in (book_root() / REDEALS / path.name, path)):
        redeals.settle()
        keep(redeals, path)
    return redeals


def read_table(redeals: Redeals, path: Path) -> bool:
    """Take a table from a file, if there is a whole one."""
    try:
        content = parse_json(path.read_bytes())
        reshuffled = float(content["reshuffled"])
        known = {(tuple(deck), left): float(value) for deck, left, value in content["known"]}
    except (OSError, ValueError, KeyError, TypeError):
        return False
    redeals.reshuffled, redeals.known = reshuffled, known
    return True


def cache_file(redeals: Redeals) -> Path:
    """Where the table of these rules is kept; the options that matter are in its name."""
    home = os.environ.get("TRUC_SOLVE_CACHE") or platformdirs.user_cache_dir("truc-solve")
    rules = replace(redeals.rules, target=7)
    return Path(home) / "redeals" / f"{rules.fingerprint}-{redeals.levels}.json"


def keep(redeals: Redeals, path: Path) -> None:
    """Write the table for the next run; a folder that cannot be written is no error."""
    known = [[list(deck), left, value] for (deck, left), value in redeals.known.items()]
    with suppress(OSError):
        write_bytes(path, json.dumps({"reshuffled": redeals.reshuffled, "known": known}).encode())


def tie_share(rules: RuleSet) -> TieShare:
    """Elder's chance of the long after three spoiled tricks, by the hand both held."""
    redeals = redeal_values(rules)
    return redeals.after_tie(rules.copies, redeals.levels)
