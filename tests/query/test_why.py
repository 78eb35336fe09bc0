"""Reasons of a decision, against deals played out by the referee."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from cli.app import main
from solver.cards.deals import deal_weights
from solver.cards.hands import multisets
from solver.cards.notation import format_hand, parse_hand
from solver.cfr.solve import Limits
from solver.query.advise import advise, point_after, row_of
from solver.query.point import decision_of, view_of
from solver.query.stats import hand_class
from solver.query.table import actions_of, strategy_table
from solver.query.why import why
from solver.report.reasons import BAR_WIDTH, range_rows, range_title, sentences
from solver.rules import catalogue
from solver.rules.referee import Position, Referee
from solver.rules.score import parse_score
from solver.strategy import store
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game
from solver.tree.history import Point

Hands = tuple[tuple[int, ...], tuple[int, ...]]


def solved(name: str, options: dict[str, str], score: str = "0-0", sweeps: int = 6) -> Solution:
    rules = catalogue.load(name, options)
    game = game_at(rules, parse_score(rules, score), "points")
    return solve_game(game, Task("cfr+", 1, Limits(1e-9, sweeps)))


@pytest.fixture(scope="module")
def truc() -> Solution:
    return solved("truc", {"ranks": "2", "ladder": "1,2", "remainder": "off"})


@pytest.fixture(scope="module")
def trut() -> Solution:
    return solved("trut", {"ranks": "2"}, "0.0-0.0")


class Played:
    """Chances by playing every deal from a history on, with the frequencies of `table`."""

    def __init__(self, solution: Solution) -> None:
        self.solution, self.rules = solution, solution.game.rules
        self.tables: dict[str, dict[str, dict[str, float]]] = {}

    def share(self, at: Position, hands: Hands, token: str) -> float:
        if len(at.legal) == 1:
            return 1.0
        assert at.to_act is not None
        history = " ".join(f"{'ed'[seat]}:{word}" for seat, word in at.history)
        if history not in self.tables:
            table = strategy_table(self.solution, point_after(self.solution.game, history))
            names = actions_of(table)
            self.tables[history] = {row["hand"]: {a: row[a] for a in names} for row in table.iter_rows(named=True)}
        row = self.tables[history][format_hand(self.rules, hands[at.to_act])]
        return row[token] if row.get(token) is not None else row["silent"]

    def wins(self, at: Position, hands: Hands, seat: int) -> float:
        if at.result is not None:
            return float(at.result.winner == seat)
        chances = [(self.share(at, hands, token), token) for token in at.legal]
        return sum(chance * self.wins(at.play(token), hands, seat) for chance, token in chances if chance)

    def deals(self, own: str, seat: int, said: tuple[str, ...]) -> list[tuple[float, Hands, Position]]:
        """Every deal with this hand, how likely the other side brings it to the history, and the position there."""
        hands = [tuple(hand) for hand in multisets(3, len(self.rules.ranks)).cards.tolist()]
        weights, mine, found = deal_weights(self.rules), parse_hand(self.rules, own), []
        for i, j in product(range(len(hands)), repeat=2):
            deal = (hands[i], hands[j])
            if deal[seat] != mine or not weights[i, j]:
                continue
            at, reach = Referee(self.rules, self.solution.game.score).start(deal), float(weights[i, j])
            for token in said:
                if token not in at.legal:
                    reach = 0.0
                    break
                reach *= 1.0 if at.to_act == seat else self.share(at, deal, token)
                at = at.play(token)
            if reach:
                found.append((reach, deal, at))
        return found


CASES = [
    ("truc", "7 8 8", ()),
    ("truc", "7 8 8", ("8", "raise")),
    ("truc", "7 7 8", ("8", "8")),
    ("truc", "7 8 8", ("7", "7", "raise", "call", "8")),
    ("truc", "7 7 8", ("7", "8")),
    ("trut", "7 8 8", ("silent", "trut")),
    ("trut", "7 8 8", ("silent", "silent", "8", "silent")),
    ("truc", "7 8 8", ("7",)),
    ("trut", "7 7 8", ("silent", "silent", "7")),
    ("trut", "8 8 8", ("silent", "silent", "7")),
]


@pytest.mark.parametrize(("game", "hand", "said"), CASES)
def test_chances_are_those_of_all_deals_played_out(
    game: str, hand: str, said: tuple[str, ...], truc: Solution, trut: Solution
) -> None:
    solution = truc if game == "truc" else trut
    played = Played(solution)
    found = why(solution, hand, " ".join(said))
    seat = ("elder", "dealer").index(found.advice.to_act)
    deals = played.deals(hand, seat, said)
    total = sum(reach for reach, _, _ in deals)
    for action, wins in found.wins.items():
        chance = sum(r * played.wins(at.play(action), deal, seat) for r, deal, at in deals) / total
        assert wins == pytest.approx(chance, abs=1e-9)
    for bet in found.called:
        folds = [(r * played.share(at.play(bet.word), deal, "fold"), r) for r, deal, at in deals]
        assert bet.folds == pytest.approx(sum(f for f, _ in folds) / total)
        calls = [
            ((r - f) * played.wins(at.play(bet.word).play(call_of(at.play(bet.word))), deal, seat), r - f)
            for (r, deal, at), (f, _) in zip(deals, folds, strict=True)
        ]
        assert bet.wins == pytest.approx(sum(w for w, _ in calls) / sum(r for _, r in calls))
    shares: dict[str, float] = {}
    for reach, deal, _ in deals:
        name = hand_class(solution.game.rules, deal[1 - seat])
        shares[name] = shares.get(name, 0.0) + reach / total
    assert {one.hand_class: one.share for one in found.held if one.share} == pytest.approx(shares)


def call_of(at: Position) -> str:
    return "see" if "see" in at.legal else "call"


def test_without_bets_the_value_is_winning_less_losing() -> None:
    solution = solved("truc", {"ranks": "3", "ladder": "1", "remainder": "off", "all_tied": "elder"})
    decision = decision_of(solution, Point(0), best=False)
    for hand in ("7 8 A", "7 7 A", "A A A", "8 8 A"):
        seen = view_of(solution, decision)
        row = row_of(solution.game, Point(0), seen, parse_hand(solution.game.rules, hand))
        as_solved = dict(zip(seen.actions, seen.ev[row].tolist(), strict=True))
        for one in advise(solution, hand).actions:
            wins = why(solution, hand).wins[one.action]
            assert wins is not None
            assert as_solved[one.action] == pytest.approx(2 * wins - 1)
            assert one.ev >= as_solved[one.action] - 1e-12, "the best continuation is no worse than the solution's"


def test_words(small_folder: Path) -> None:
    solution = store.load(small_folder)
    rules = solution.game.rules
    answer = why(solution, "7 A A", "7 raise")
    assert answer.fold_costs is not None
    assert any(line.startswith("After call the hand is won") for line in sentences(answer, rules, "points"))
    bet = why(solution, "8 A A", "8 8 A raise")
    assert (bet.bet, bet.other) == ("raise", "dealer")
    assert range_title(bet, rules) == "What the dealer says raise with here, if you hold this hand"
    assert "relance" in range_title(bet, rules, "fr")
    for lang in ("en", "fr"):
        for one in (answer, bet, why(solution, "7 8 A")):
            assert all(line[0].isupper() and line[-1] in "." for line in sentences(one, rules, "points", lang))
    assert bet.fold_costs == 0.0
    assert sentences(bet, rules, "points")[0].startswith("Folding is right: call would lose ")
    rows = range_rows(why(solution, "7 8 A"))
    assert sum(row["share"] for row in rows) == pytest.approx(1.0)
    assert max(len(row["bar"]) for row in rows) == BAR_WIDTH


def test_query_why(small_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["query", str(small_folder), "--hand", "7 8 A", "--why"]
    assert main(words) == 0
    text = capsys.readouterr().out
    for part in ("the hand is won", "the dealer folds", "What the dealer holds here", "####"):
        assert part in text
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["why"]
    assert {"sentences", "wins", "called", "fold_costs", "range"} <= told.keys()
    assert told["fold_costs"] is None
    assert main([*words, "--lang", "fr"]) == 0
    assert "abandonne" in capsys.readouterr().out
    assert main([*words, "--format", "csv"]) == 2
    assert "--why is for reading" in capsys.readouterr().err


def test_shares_below_the_last_lead_are_of_one_hand_for_the_follower(small_folder: Path) -> None:
    solution = store.load(small_folder)
    found = why(solution, "7 8 A", "7 8 A 8 A")
    assert [(one.hand_class, one.share, one.dealt) for one in found.held] == [("88x", 1.0, 1.0)]  # 8 8 A lies there
