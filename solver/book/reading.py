"""Answers from the book: first decisions and counts of every score of a whole match, without its strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray

from solver.cards.hands import multisets
from solver.cards.notation import format_hand, parse_hand
from solver.errors import UsageError
from solver.evaluate.best_response import Evaluation
from solver.match.record import read_record
from solver.query.advise import LEAST_LOSS, indifference, point_after
from solver.query.cells import whole_hands
from solver.query.point import Abridged, PointView
from solver.query.stats import classes, figures, order_of
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.score import Score, format_score
from solver.strategy.equity import EQUITY
from solver.strategy.parquet import read_frame
from solver.strategy.shipped import OPENINGS, SPOKEN, STATES, SUMS, shipped
from solver.strategy.solution import game_at
from solver.tree.history import Point, silence, text_of
from solver.tree.model import DECISION
from solver.tree.reading import board_weights, node_at

#: what the counts of the book can be grouped by
COUNTED = ("score", "seat", "trick", "word")


@dataclass(slots=True)
class BookSolution(Abridged):
    """One score of the book.

    openings   rows of the score: history, hand, action, frequency, loss; best (expected value of the best action)
               and arrival on the first row of each hand
    folder     of the book's match; whole: nash_conv of that
    """

    openings: polars.DataFrame = field(default_factory=polars.DataFrame)
    folder: Path = Path()
    whole: float = float("nan")

    def knows(self, point: Point, hand: str | None = None) -> bool:
        """Whether a decision point is in the book, with a hand if one is asked for."""
        decides = not point.over and node_at(self.game.tree, point.node).kind == DECISION and point.lead < 0
        if not decides:
            return False
        rows = self.rows(point)
        return bool(rows.height and (hand is None or rows["hand"].eq(hand).any()))

    def rows(self, point: Point) -> polars.DataFrame:
        """The rows of a point, none when it is not in the book."""
        return self.openings.filter(polars.col("history") == text_of(self.game, point))

    def dealt(self, point: Point) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """Whole hands of every state of the acting side at a point, and their chances by the cards."""
        node = node_at(self.game.tree, point.node)
        weights = board_weights(self.game.tree, node.number)[point.board].sum(axis=1 - node.player)
        cards = multisets(HAND_SIZE, len(self.game.rules.ranks)).cards
        return weights, cards[whole_hands(self.game, node, node.player)[point.board]]

    def holdable(self, point: Point) -> set[str]:
        """The hands that the acting side can hold at a point by the cards."""
        dealt, hands = self.dealt(point)
        return {format_hand(self.game.rules, tuple(hand)) for hand in hands[dealt > 0].tolist()}

    def view(self, point: Point) -> PointView:
        """The view of a point as the book has it, hands that hardly ever come there left out."""
        if not self.knows(point):
            raise UsageError("The book that ships with truc-solve holds first decisions and first answers only.")
        game, rows = self.game, self.rows(point)
        seat = node_at(game.tree, point.node).player
        dealt, hands = self.dealt(point)
        labels = [format_hand(game.rules, tuple(hand)) for hand in hands.tolist()]
        row, first = rows["hand"].rle_id().to_numpy(), rows.filter(polars.col("best").is_not_null())
        held = np.array([labels.index(label) for label in first["hand"].to_list()])
        actions = in_order(rows["action"].unique(maintain_order=True).to_list(), game.rules)
        column = np.array([actions.index(action) for action in rows["action"].to_list()])
        frequency, ev = np.full((2, len(held), len(actions)), np.nan)
        frequency[row, column] = rows["frequency"].to_numpy()
        frequency /= np.nansum(frequency, axis=1, keepdims=True)  # rounded when they were bound
        ev[row, column] = np.clip(first["best"].to_numpy()[row] - rows["loss"].to_numpy(), 0.0, 1.0)
        value = np.nansum(frequency * ev, axis=1)
        reach = first["arrival"].to_numpy() * dealt[held]
        return PointView(seat, hands[held], actions, frequency, ev, value, reach, dealt[held])


def answers(page: BookSolution, hand: str, history: str) -> bool:
    """Whether a page says all there is to say of a hand after a history, what it does next in silence included.

    Also true for a hand that cannot be held there. UsageError when hand or history cannot be.
    """
    game = page.game
    cards, point = parse_hand(game.rules, hand), point_after(game, history)
    node = node_at(game.tree, point.node)
    if point.over or point.lead >= 0 or node.kind != DECISION:
        return False
    seat, label = node.player, format_hand(game.rules, tuple(cards))
    if label not in page.holdable(point):
        return page.knows(point)
    after: Point | None = point
    while after is not None and (node := node_at(game.tree, after.node)).kind == DECISION:
        if node.player == seat and not page.knows(after, label):
            return False
        after = silence(game, after)
    return True


def in_order(actions: Sequence[str], rules: RuleSet) -> list[str]:
    """Words as they came, then cards by rank."""
    cards = [label for label in rules.ranks if label in actions]
    return [action for action in actions if action not in cards] + cards


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
    return BookSolution(game, stored, claim, [], facts, folder, None, openings, folder, whole)


def of_score(path: Path, score: str) -> polars.DataFrame:
    """The rows of one score in a table of the book."""
    return as_texts(read_frame(path).filter(polars.col("score") == score))


def as_texts(frame: polars.DataFrame) -> polars.DataFrame:
    """Categories as texts."""
    return frame.with_columns(polars.col(polars.Categorical).cast(polars.String))


def page_counts(page: BookSolution, keys: Sequence[str]) -> list[dict[str, Any]]:
    """Rows as ``stats.statistics`` has them, of the score of a page."""
    score = format_score(page.game.rules, page.game.score)
    return grouped(page.game.rules, of_score(page.folder / SPOKEN, score), keys, indifference(page))


def counted_everywhere(rules: RuleSet, keys: Sequence[str]) -> list[dict[str, Any]]:
    """The same of every score of a match in the book; none when the book does not have it."""
    folder = shipped(rules)
    if folder is None:
        return []
    claims = read_frame(folder / STATES)
    limit = float((claims["elder_best"] + claims["dealer_best"]).max() or 0.0)  # type: ignore[arg-type]
    return grouped(rules, as_texts(read_frame(folder / SPOKEN)), keys, max(limit, LEAST_LOSS))


def grouped(rules: RuleSet, frame: polars.DataFrame, keys: Sequence[str], limit: float) -> list[dict[str, Any]]:
    """Sums by keys, as rows; ``limit``: see ``advise.indifference``."""
    sums = frame.group_by(*keys, maintain_order=True).agg(polars.col(*SUMS).cast(polars.Float64).sum())
    rows = [
        {key: row[key] for key in keys} | figures(np.array([row[name] for name in SUMS]), limit)
        for row in sums.iter_rows(named=True)
    ]
    return sorted(rows, key=order_of(classes(rules), keys))
