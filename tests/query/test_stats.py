"""Statistics against a count over all deals that the referee plays out, on a deck of two ranks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from solver.cards.deals import deal_weights
from solver.cards.hands import multisets
from solver.cfr.solve import Limits
from solver.errors import UsageError
from solver.query.advise import advise, point_after
from solver.query.decisions import Decision
from solver.query.point import view
from solver.query.stats import KEYS, checked_keys, classes, hand_class, statistics
from solver.query.table import actions_of, strategy_table
from solver.query.visitor import every_decision
from solver.rules import catalogue
from solver.rules.referee import Position, Referee, payoff
from solver.rules.score import SEAT_NAMES, parse_score
from solver.rules.words import BETS
from solver.strategy import store
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game
from solver.tree.history import Histories

Key = tuple[int, int, str]
GAMES = {
    "truc": ("truc", {"ranks": "2", "ladder": "1,2"}, "0-0"),
    "counter": ("truc", {"ranks": "2", "ladder": "1,2", "counter_raise": "true", "target": "3"}, "0-1"),
    "trut": ("trut", {"ranks": "2"}, "0.0-0.0"),
    "own turn": ("trut-gatine", {"ranks": "2", "trut_window": "own_turn", "tout_pate": "0"}, "0.0-1.1"),
}


def roughly_solved(name: str, options: dict[str, str], score: str) -> Solution:
    """A few sweeps only: mixed strategies everywhere, no equilibrium."""
    rules = catalogue.load(name, options)
    game = game_at(rules, parse_score(rules, score), "points")
    return solve_game(game, Task("cfr+", 1, Limits(1e-9, 6)))


@pytest.fixture(scope="module", params=GAMES, ids=list(GAMES))
def rough(request: pytest.FixtureRequest) -> Solution:
    return roughly_solved(*GAMES[request.param])


@dataclass
class Bettor:
    """What happened to one hand's bet at one history, in chance."""

    made: float = 0.0
    folds: float = 0.0
    calls: float = 0.0
    value: float = 0.0
    after_fold: float = 0.0


@dataclass
class Counted:
    """All deals played out by the referee with the frequencies that `table` prints."""

    solution: Solution
    offered: dict[Key, float] = field(default_factory=lambda: defaultdict(float))
    chosen: dict[Key, float] = field(default_factory=lambda: defaultdict(float))
    bets: dict[tuple[Key, str, tuple[int, ...]], Bettor] = field(default_factory=lambda: defaultdict(Bettor))
    tables: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)

    @cached_property
    def referee(self) -> Referee:
        return Referee(self.solution.game.rules, self.solution.game.score)

    def all_deals(self) -> None:
        rules = self.solution.game.rules
        hands = [tuple(hand) for hand in multisets(3, len(rules.ranks)).cards.tolist()]
        weights = deal_weights(rules)
        for i, j in product(range(len(hands)), repeat=2):
            if weights[i, j]:
                self.play(self.referee.start((hands[i], hands[j])), (hands[i], hands[j]), weights[i, j] / weights.sum())

    def play(self, at: Position, hands: tuple[tuple[int, ...], tuple[int, ...]], reach: float) -> float:
        """The elder's payoff; counts on the way."""
        rules = self.solution.game.rules
        if at.result is not None:
            return payoff(rules, self.solution.game.score, at.result)
        assert at.to_act is not None
        seat, trick = at.to_act, len(at.tricks) + 1
        spoken = [word for word in at.legal if word not in rules.ranks and word != "silent"]
        total = 0.0
        for token in at.legal:
            share = self.share(at, hands[seat], token)
            word = "silent" if token in rules.ranks else token
            if word != "silent" or spoken:
                self.chosen[seat, trick, word] += reach * share
            after = at.play(token)
            if share:
                part = self.play(after, hands, reach * share)
                total += share * part
            if share and word in BETS:
                self.bet((seat, trick, word), after, hands, reach * share, part)
        for word in {*spoken, *(["silent"] if len(spoken) < len(at.legal) else [])} if spoken else ():
            self.offered[seat, trick, word] += reach
        return total

    def bet(
        self, key: Key, after: Position, hands: tuple[tuple[int, ...], tuple[int, ...]], reach: float, value: float
    ) -> None:
        """A bet and its answers, without counting the rest of the hand again."""
        seat = key[0]
        sign = 1.0 - 2.0 * seat
        folds = self.share(after, hands[1 - seat], "fold")
        folded = after.play("fold").result
        assert folded is not None
        end = payoff(self.solution.game.rules, self.solution.game.score, folded)
        one = self.bets[key, told(after), hands[seat]]
        one.made += reach
        one.folds += reach * folds
        one.calls += reach * (1.0 - folds)
        one.value += sign * reach * (value - folds * end)
        one.after_fold = sign * end

    def share(self, at: Position, hand: tuple[int, ...], token: str) -> float:
        """How often a hand does this, as `table` has it."""
        if len(at.legal) == 1:
            return 1.0
        history = told(at)
        if history not in self.tables:
            table = strategy_table(self.solution, point_after(self.solution.game, history))
            shown = actions_of(table)
            self.tables[history] = {row["hand"]: {a: row[a] for a in shown} for row in table.iter_rows(named=True)}
        ranks = self.solution.game.rules.ranks
        row = self.tables[history][" ".join(ranks[card] for card in hand)]
        found = row[token] if token in row and row[token] is not None else row.get("silent")
        assert found is not None, (history, hand, token, row)
        return found


def told(at: Position) -> str:
    """The history with silences and seats."""
    return " ".join(f"{'ed'[seat]}:{word}" for seat, word in at.history)


def test_every_number_is_that_of_all_deals_played_out(rough: Solution) -> None:
    counted = Counted(rough)
    counted.all_deals()
    rows = {(SEAT_NAMES.index(row["seat"]), row["trick"], row["word"]): row for row in statistics(rough)}
    assert rows.keys() == {key for key, offered in counted.offered.items() if offered > 0}
    assert any(key[2] in BETS for key in rows)
    for key, row in rows.items():
        assert row["offered"] == pytest.approx(counted.offered[key], abs=1e-12)
        assert row["chosen"] == pytest.approx(counted.chosen[key], abs=1e-12)
        bets = [one for (of, _, _), one in counted.bets.items() if of == key]
        if not bets:
            continue
        made = sum(one.made for one in bets)
        assert row["folded"] == pytest.approx(sum(one.folds for one in bets) / made)
        assert row["defence"] == pytest.approx(sum(one.calls for one in bets) / made)
        known = [one for one in bets if one.calls > 1e-12]
        bluffs = sum(one.made for one in known if one.value / one.calls < one.after_fold - 1e-12)
        if known:
            assert row["bluff"] == pytest.approx(bluffs / sum(one.made for one in known), abs=1e-9)


def test_the_count_is_of_mixed_strategies(rough: Solution) -> None:
    rows = statistics(rough)
    assert any(0.05 < row["frequency"] < 0.95 for row in rows)
    assert any(row["bluff"] is not None and 0.0 < row["bluff"] < 1.0 for row in rows)


@pytest.mark.parametrize("name", ["truc", "counter"])
def test_minimum_defence_in_points(name: str) -> None:
    """Stake s, asked for S: giving up loses s, a fold wins s, a call loses S (T12): defend 2s of S + s."""
    rows = [row for row in statistics(roughly_solved(*GAMES[name]), KEYS) if row["history"] == ""]
    opening = next(row for row in rows if (row["seat"], row["trick"], row["word"]) == ("elder", 1, "raise"))
    assert opening["minimum_defence"] == pytest.approx(2 / 3)
    rest = next(row for row in rows if (row["seat"], row["trick"], row["word"]) == ("elder", 1, "rest"))
    lost = 12 if name == "truc" else 2  # at 0-1 to 3 the dealer wins 2 with the match
    assert rest["minimum_defence"] == pytest.approx(2 / (lost + 1))


def test_a_petit_against_a_long() -> None:
    rows = [row for row in statistics(roughly_solved(*GAMES["trut"])) if row["word"] == "trut"]
    assert [row["minimum_defence"] for row in rows] == pytest.approx([0.5] * len(rows))


def test_rows_add_up_whatever_they_are_grouped_by(rough: Solution) -> None:
    coarse, fine = statistics(rough, ("word",)), statistics(rough, KEYS)
    for row in coarse:
        parts = [one for one in fine if one["word"] == row["word"]]
        assert sum(one["offered"] for one in parts) == pytest.approx(row["offered"])
        assert sum(one["chosen"] for one in parts) == pytest.approx(row["chosen"])
    by_point: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for one in fine:
        by_point[tuple(one[key] for key in KEYS if key != "word")].append(one["chosen"])
        assert 0.0 <= one["frequency"] <= 1.0 + 1e-12
        assert one["loss"] >= 0.0


def test_decisions_are_what_query_says(rough: Solution, small_folder: Path) -> None:
    for solution in (rough, store.load(small_folder)):
        found: list[Decision] = []
        every_decision(solution, found.append)
        random = np.random.default_rng(1)
        for decision in [found[k] for k in random.integers(0, len(found), 25).tolist()]:
            row = int(random.integers(0, len(decision.rows.lane)))
            rows = decision.rows
            history = Histories(solution.game).text(decision.path, rows.board[row], rows.lead[row])
            point = point_after(solution.game, history)
            assert point.node == decision.node.number
            seen = view(solution, point)
            assert seen.seat == decision.seat
            n_ranks = len(solution.game.rules.ranks)
            cards = multisets(3, n_ranks).cards[decision.rows.hand[row]]
            place = int(np.flatnonzero((seen.hands == cards).all(axis=1))[0])
            assert seen.reach[place] == pytest.approx(decision.rows.reach[row], abs=1e-15)
            for k, action in enumerate(seen.actions):
                own = decision.actions.index(action)
                same = (decision.frequency[own, row], decision.ev[own, row])
                assert same == pytest.approx((seen.frequency[place, k], seen.ev[place, k]), nan_ok=True)


def test_opening_values_agree_with_the_claim(rough: Solution) -> None:
    found: list[Decision] = []
    every_decision(rough, found.append)
    opening = next(one for one in found if not one.path)
    value = (opening.rows.reach * np.nansum(opening.frequency * opening.ev, axis=0)).sum()
    assert value * (1 if opening.seat == 0 else -1) == pytest.approx(rough.claim.value)


def test_hand_classes() -> None:
    rules = catalogue.load("truc")
    assert hand_class(rules, (0, 0, 0)) == "brelan"
    assert hand_class(rules, (0, 3, 3)) == "KKx"
    assert hand_class(rules, (0, 0, 7)) == "77x"
    assert hand_class(rules, (1, 2, 7)) == "8x"
    kinds = classes(rules)
    assert kinds.names[:3] == ["brelan", "77x", "88x"]
    assert kinds.names[-1] == "Jx"  # J T 9
    assert "suite" in classes(catalogue.load("trut-gatine", {"labels": "true"})).names
    assert np.bincount(kinds.of)[kinds.names.index("brelan")] == 8


def test_words_of_by() -> None:
    assert checked_keys(None) == ("seat", "trick", "word")
    assert checked_keys("class, seat") == ("seat", "class", "word")
    with pytest.raises(UsageError, match="Did you mean 'trick'"):
        checked_keys("tricks")


def test_a_hand_that_bets_is_advised_the_same(rough: Solution) -> None:
    """The same frequencies reach people through `query`: one hand, by hand."""
    hand = " ".join([rough.game.rules.ranks[0]] * 3)
    advice = advise(rough, hand)
    rows = [row for row in statistics(rough, KEYS) if row["history"] == "" and row["class"] == "brelan"]
    assert {row["word"] for row in rows} <= {one.action for one in advice.actions} | {"silent"}
