"""What every hand does, sorted for drawing, and the sentences where a chart cannot be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cards.notation import parse_history
from solver.errors import UsageError
from solver.query.point import view
from solver.report.mixes import Mix, best_cut, default_history, mix_of, require
from solver.rules.words import GIVES_UP, PROPOSALS
from solver.strategy.solution import Solution
from solver.tree.history import walk
from tests.report.conftest import MadeUp


def mix(solution: Solution, history: str = "") -> Mix:
    """The mix after a history."""
    seen = view(solution, walk(solution.game, parse_history(solution.game.rules, history)))
    return mix_of(seen, solution.game.rules)


@pytest.mark.parametrize("history", ["", "7", "raise", "raise call", "8 A", "8 A A 7", "8 raise"])
def test_every_hand_is_there_and_does_something(small: Solution, history: str) -> None:
    rules = small.game.rules
    seen = view(small, walk(small.game, parse_history(rules, history)))
    found = mix(small, history)
    assert sorted(map(tuple, found.hands.tolist())) == sorted(map(tuple, seen.hands.tolist()))
    assert found.share.sum(axis=1) == pytest.approx(np.ones(len(found)), abs=1e-12)
    assert found.weight.sum() == pytest.approx(1.0)


def test_cards_by_their_place_in_the_hand(small: Solution) -> None:
    found = mix(small)
    assert found.parts == ("raise", "rest", "high", "middle", "low")
    cards = {tuple(hand): row[2:].tolist() for hand, row in zip(found.hands.tolist(), found.cards, strict=True)}
    assert cards[0, 1, 2] == [0, 1, 2]
    assert cards[0, 0, 2] == [0, -1, 2]
    assert cards[1, 1, 1] == [1, -1, -1]


def test_shares_are_those_of_the_view(small: Solution) -> None:
    seen = view(small, walk(small.game, ()))
    found = mix(small)
    for hand, share in zip(found.hands, found.share, strict=True):
        row = int(np.flatnonzero((seen.hands == hand).all(axis=1))[0])
        assert share[0] == seen.frequency[row, seen.actions.index("raise")]
        assert share[2] == seen.frequency[row, seen.actions.index(small.game.rules.ranks[hand[0]])]


def test_bets_stand_before_answers_and_silence(made_up: MadeUp) -> None:
    assert mix(made_up("trut-mini", "0.0-0.0")).parts == ("trut", "silent")
    answer = mix(made_up("truc", "0-0", ranks="3", ladder="1,2,3", counter_raise="true", remainder="both"), "raise")
    assert answer.parts == ("raise", "rest", "call", "fold")
    assert answer.answers


@pytest.mark.parametrize(
    ("name", "score", "kind", "history"),
    [
        ("truc", "0-0", "fold", "raise"),
        ("trut", "0.0-0.0", "fold", "trut"),
        ("trut", "6.2-0.0", "fold", ""),
        ("truc", "0-0", "raise", ""),
    ],
)
def test_history_when_none_is_given(made_up: MadeUp, name: str, score: str, kind: str, history: str) -> None:
    assert default_history(made_up(name, score, ranks="3").game, kind) == history


def test_the_point_that_cannot_be_shown_names_those_that_can(small: Solution) -> None:
    with pytest.raises(UsageError, match=r"after '7', only raise, rest, a card.*--history \"7 raise\""):
        require(small.game, mix(small, "7"), GIVES_UP, parse_history(small.game.rules, "7"))
    with pytest.raises(UsageError, match="no trut in truc at this score; its bets: raise, rest"):
        require(small.game, mix(small), ("trut",), ())


def test_a_game_without_bets_says_so(made_up: MadeUp) -> None:
    game = made_up("truc", "11-11", ranks="3")
    with pytest.raises(UsageError, match="There is no fold in truc at this score; its bets: none"):
        require(game.game, mix(game), GIVES_UP, ())


def test_best_cut() -> None:
    hands = np.zeros((4, 3), np.int8)
    share = np.array([[1.0], [1.0], [0.2], [0.0]])
    one = Mix(0, hands, ("raise",), share, np.full((4, 1), -1), np.full(4, 0.25), np.zeros(4, bool))
    cut, right = best_cut(one, share[:, 0])
    assert cut == 2
    assert right == pytest.approx(0.95)
    assert best_cut(one, np.zeros(4))[0] == 0
    assert one.columns(PROPOSALS) == [0]
