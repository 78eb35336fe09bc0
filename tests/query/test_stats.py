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
from solver.cards.notation import parse_history
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
Hands = tuple[tuple[int, ...], tuple[int, ...]]
State = tuple[Position, Hands, float]
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
    return solve_game(game, Task("cfr+", 1, Limits(1e-9, 6), off_path=False))


@pytest.fixture(scope="module", params=GAMES, ids=list(GAMES))
def rough(request: pytest.FixtureRequest) -> Solution:
    return roughly_solved(*GAMES[request.param])


@dataclass
class Bettor:
    """What happened to one hand's bet at one history, in chance."""

    made: float = 0.0
    folds: float = 0.0
    calls: float = 0.0
    answers: list[State] = field(default_factory=list)
    after_fold: float = 0.0


@dataclass
class Counted:
    """All deals played out by the referee with the frequencies that `table` prints."""

    solution: Solution
    offered: dict[Key, float] = field(default_factory=lambda: defaultdict(float))
    chosen: dict[Key, float] = field(default_factory=lambda: defaultdict(float))
    bets: dict[tuple[Key, str, tuple[int, ...]], Bettor] = field(default_factory=lambda: defaultdict(Bettor))
    tables: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)

    def arrivals(self, deal: Hands, seat: int, history: str) -> list[tuple[Position, float]]:
        """Where a deal stands after a history, with the other side's chance to bring it there; nowhere if it cannot."""
        at, reach = self.referee.start(deal), 1.0
        words = [(token.seat, token.word) for token in parse_history(self.solution.game.rules, history)]
        while words or at.to_act != seat:
            fits = bool(words) and words[0][1] in at.legal and words[0][0] in (None, at.to_act)
            word = words.pop(0)[1] if fits else "silent"
            if word not in at.legal:
                return []
            reach *= 1.0 if at.to_act == seat else self.share(at, deal[1 - seat], word)
            at = at.play(word)
        return [(at, reach)] if reach else []

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
                self.bet((seat, trick, word), after, hands, reach * share)
        for word in {*spoken, *(["silent"] if len(spoken) < len(at.legal) else [])} if spoken else ():
            self.offered[seat, trick, word] += reach
        return total

    def bet(
        self, key: Key, after: Position, hands: tuple[tuple[int, ...], tuple[int, ...]], reach: float
    ) -> None:
        """A bet and its answers, without counting the rest of the hand again."""
        seat = key[0]
        sign = 1.0 - 2.0 * seat
        folds = self.share(after, hands[1 - seat], "fold")
        folded = after.play("fold").result
        assert folded is not None
        end = payoff(self.solution.game.rules, self.solution.game.score, folded)
        one = self.bets[key, told(after), hands[seat]]
        one.answers += [
            (after.play(token), hands, reach * self.share(after, hands[1 - seat], token))
            for token in after.legal if token != "fold"
        ]  # fmt: skip
        one.made += reach
        one.folds += reach * folds
        one.calls += reach * (1.0 - folds)
        one.after_fold = sign * end

    def best(self, states: list[State], seat: int) -> float:
        """What a side gets that goes on as well as it can, knowing its hand and what is public; times the chances.

        states   the same to the side: positions with all hands of the other, and how likely each is
        """
        rules, score = self.solution.game.rules, self.solution.game.score
        sign, total = 1.0 - 2.0 * seat, 0.0
        groups: dict[str, list[State]] = defaultdict(list)
        for at, hands, reach in states:
            if at.result is not None:
                total += sign * reach * payoff(rules, score, at.result)
                continue
            for token in at.legal:
                own = at.to_act == seat
                share = 1.0 if own else self.share(at, hands[1 - seat], token)
                groups[token].append((at.play(token), hands, reach * share))
        values = [self.best(group, seat) for group in groups.values()]
        mine = any(at.to_act == seat for at, _, _ in states)
        return total + (max(values) if mine else sum(values))

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
        called = [counted.best(one.answers, key[0]) / one.calls for one in known]
        bluffs = sum(one.made for one, worth in zip(known, called, strict=True) if worth < one.after_fold - 1e-12)
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


def test_values_of_actions_are_those_of_the_best_continuation(rough: Solution) -> None:
    """Every action of some hands at some points, also where the solution never comes, against deals played out."""
    counted, found, random = Counted(rough), list[Decision](), np.random.default_rng(3)
    every_decision(rough, found.append)
    hands = [tuple(hand) for hand in multisets(3, len(rough.game.rules.ranks)).cards.tolist()]
    weights, compared = deal_weights(rough.game.rules), 0
    for decision in [found[k] for k in random.integers(0, len(found), 30).tolist()]:
        row, rows = int(random.integers(0, len(decision.rows.lane))), decision.rows
        history = Histories(rough.game).text(decision.path, rows.board[row], rows.lead[row])
        own, seat = hands[rows.hand[row]], decision.seat
        states = [
            (at, deal, float(weights[hands.index(deal[0]), hands.index(deal[1])]) * reach)
            for other in hands
            for deal in [(own, other) if seat == 0 else (other, own)]
            if weights[hands.index(deal[0]), hands.index(deal[1])]
            for at, reach in counted.arrivals(deal, seat, history)
        ]
        mass = sum(reach for _, _, reach in states)
        for k, action in enumerate(decision.actions):
            if np.isnan(decision.frequency[k, row]) or not mass > 1e-9 * weights.sum():
                continue
            after = [(at.play(said(at, action)), deal, reach) for at, deal, reach in states]
            worth = counted.best(after, seat) / mass
            assert worth == pytest.approx(decision.ev[k, row], abs=1e-9), (history, own, action)
            compared += 1
    assert compared > 20


def said(at: Position, action: str) -> str:
    """An action in the referee's words: where the last card may be bet on, saying nothing is laying it."""
    return action if action in at.legal else next(word for word in at.legal if word in at.rules.ranks)


def test_opening_values_agree_with_the_claim(rough: Solution) -> None:
    found: list[Decision] = []
    every_decision(rough, found.append)
    opening = next(one for one in found if not one.path)
    assert (opening.rows.reach * opening.best).sum() == pytest.approx(rough.claim.best_response[opening.seat])


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
