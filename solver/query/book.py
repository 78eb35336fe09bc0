"""Answers from the book: first decisions and counts of every score of a whole match, without its strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars

from solver.cards.notation import format_hand
from solver.errors import UsageError
from solver.evaluate.best_response import Evaluation
from solver.match.record import read_record
from solver.query.point import Abridged, PointView, Spot, board_weights, whole_hands
from solver.rules.model import RuleSet
from solver.rules.score import Score, format_score
from solver.strategy.equity import EQUITY
from solver.strategy.shipped import OPENINGS, SPOKEN, STATES, shipped
from solver.strategy.solution import game_at
from solver.strategy.store import read_frame
from solver.tree.build import HandGame
from solver.tree.history import Point
from solver.tree.machine import WORD, WORDS
from solver.tree.model import DECISION

#: what the counts of the book can be grouped by
COUNTED = ("score", "seat", "trick", "word")


@dataclass(slots=True)
class BookSolution(Abridged):
    """One score of the book.

    openings   rows of the score: history, hand, action, frequency, loss; best (expected value of the best action)
               and arrival on the first row of each hand
    whole      nash_conv of the whole match
    """

    openings: polars.DataFrame = field(default_factory=polars.DataFrame)
    whole: float = float("nan")

    def knows(self, point: Point, hand: str | None = None) -> bool:
        """Whether a decision point is in the book, with a hand if one is asked for."""
        decides = not point.over and self.game.tree.kind[point.node] == DECISION and point.lead < 0
        if not decides:
            return False
        rows = self.rows(point)
        return bool(rows.height and (hand is None or rows["hand"].eq(hand).any()))

    def rows(self, point: Point) -> polars.DataFrame:
        """The rows of a point, none when it is not in the book."""
        return self.openings.filter(polars.col("history") == told(self.game, point))

    def view(self, point: Point) -> PointView:
        """The view of a point as the book has it, hands that hardly ever come there left out."""
        if not self.knows(point):
            raise UsageError("The book that ships with truc-solve holds first decisions and first answers only.")
        game, rows = self.game, self.rows(point)
        seat = int(game.tree.player[point.node])
        spot = Spot(point.node, point.board, point.node, (np.zeros(0), np.zeros(0)))
        dealt, hands = board_weights(self, spot, seat).sum(axis=1), whole_hands(self, spot, seat)
        labels = [format_hand(game.rules, tuple(hand)) for hand in hands.tolist()]
        row, first = rows["hand"].rle_id().to_numpy(), rows.filter(polars.col("best").is_not_null())
        held = np.array([labels.index(label) for label in first["hand"].to_list()])
        actions = in_order(rows["action"].unique(maintain_order=True).to_list(), game.rules)
        column = np.array([actions.index(action) for action in rows["action"].to_list()])
        frequency, ev = np.full((2, len(held), len(actions)), np.nan)
        frequency[row, column] = rows["frequency"].to_numpy()
        ev[row, column] = first["best"].to_numpy()[row] - rows["loss"].to_numpy()
        value = np.nansum(frequency * ev, axis=1)
        reach = first["arrival"].to_numpy() * dealt[held]
        return PointView(seat, hands[held], actions, frequency, ev, value, reach, dealt[held])


def in_order(actions: Sequence[str], rules: RuleSet) -> list[str]:
    """Words as they came, then cards by rank."""
    cards = [label for label in rules.ranks if label in actions]
    return [action for action in actions if action not in cards] + cards


def told(game: HandGame, point: Point) -> str:
    """The history of a point without a reveal on its way, silences at its end included."""
    tree, words, silences = game.tree, list[str](), 0
    ends = [board for _, board, _ in point.path[1:]] + [point.board]
    for (edge, _, _), board in zip(point.path, ends, strict=True):
        node = int(np.searchsorted(tree.edges, edge, side="right")) - 1
        word = int(tree.word[edge])
        if word == WORD["silent"]:
            silences += 1
            continue
        if word >= 0:
            windows = tree.word[tree.edges[node]] == WORD["silent"] and game.rules.trut_window == "any_time"
            words.append(f"{'ed'[tree.player[node]]}:{WORDS[word]}" if windows else WORDS[word])
        elif tree.kind[node] == DECISION:
            words.append(game.rules.ranks[game.spaces[tree.space[tree.child[edge]]].card[board]])
        silences = 0
    return " ".join([*words, *["silent"] * silences])


def open_book(rules: RuleSet, score: Score) -> BookSolution | None:
    """The book's solution of a score in the unit match, None when the book has no match of these rules."""
    folder = shipped(rules)
    if folder is None:
        return None
    game, text = game_at(rules, score, "match", folder / EQUITY), format_score(rules, score)
    openings = of_score(folder / OPENINGS, text)
    claims = of_score(folder / STATES, text).row(0, named=True)
    claim = Evaluation(claims["value"], (claims["elder_best"], claims["dealer_best"]))
    facts = {"iterations": claims["iterations"], "seconds": claims["seconds"], "book": True}
    whole = float(read_record(folder)["nash_conv"])
    stored = np.zeros(0, np.uint32)
    return BookSolution(game, stored, claim, [], facts, folder, None, openings, whole)


def of_score(path: Path, score: str) -> polars.DataFrame:
    """The rows of one score in a table of the book."""
    return (
        read_frame(path)
        .filter(polars.col("score") == score)
        .with_columns(polars.col(polars.Categorical).cast(polars.String))
    )


def counts(rules: RuleSet, score: Score | None) -> polars.DataFrame | None:
    """The sums behind `stats` of one score of the book or of all, None when the book has no match of these rules."""
    folder = shipped(rules)
    if folder is None:
        return None
    whole = read_frame(folder / SPOKEN).with_columns(polars.col(polars.Categorical).cast(polars.String))
    return whole if score is None else whole.filter(polars.col("score") == format_score(rules, score))
