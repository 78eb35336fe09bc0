"""A last card follows by itself: it can be asked for like a decision, with one thing to do."""

from __future__ import annotations

import pytest

from solver.cards.deals import deal_weights
from solver.cards.hands import multisets
from solver.cards.notation import parse_hand
from solver.cfr.solve import Limits
from solver.errors import UsageError
from solver.query.advise import advise, point_after
from solver.query.point import view
from solver.query.table import strategy_table
from solver.query.why import why
from solver.report.reasons import range_title, sentences
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game


def solved(name: str, score: str, **options: str) -> Solution:
    rules = catalogue.load(name, options)
    return solve_game(game_at(rules, parse_score(rules, score), "points"), Task(limits=Limits(1e-9, 20)))


@pytest.fixture(scope="module")
def truc() -> Solution:
    return solved("truc", "0-0", ranks="3", ladder="1,2")


def last_of(hand: tuple[int, ...]) -> int:
    """What is left of a hand that has laid a 7 and an 8."""
    rest = list(hand)
    rest.remove(0)
    rest.remove(1)
    return rest[0]


@pytest.mark.parametrize("hand", ["7 8 A", "7 7 8", "7 8 8"])
def test_the_third_trick_at_the_last_score(hand: str) -> None:
    """Nobody may bet at 11-11: the dealer's hands, weighed by how he answered, against the elder's last card."""
    solution = solved("truc", "11-11", ranks="3")
    rules, advice = solution.game.rules, advise(solution, hand, "7 7 8 8")
    cards, hands = parse_hand(rules, hand), multisets(3, 3).cards.tolist()
    last = last_of(cards)
    answers = [view(solution, point_after(solution.game, text)) for text in ("7", "7 7 8")]
    gain = total = 0.0
    for number, other in enumerate(hands):
        if not {0, 1} <= set(other):
            continue
        share = float(deal_weights(rules)[hands.index(list(cards)), number])
        for seen, card in zip(answers, "78", strict=True):
            row = (seen.hands == other).all(axis=1).argmax()
            share *= float(seen.frequency[row, seen.actions.index(card)])
        gain += share * ((last < last_of(tuple(other))) - (last > last_of(tuple(other))))
        total += share
    assert advice.to_act == "elder"
    assert [(one.action, one.frequency, one.loss) for one in advice.actions] == [("78A"[last], 1.0, 0.0)]
    assert advice.value == pytest.approx(gain / total, abs=1e-9)


def test_after_a_called_raise_the_leader_has_one_thing_to_do(truc: Solution) -> None:
    seen = view(truc, point_after(truc.game, "7 7 8 8 raise call"))
    assert seen.seat == 0
    assert seen.actions == ["7", "8", "A"]
    assert [row[~(row != row)].tolist() for row in seen.frequency] == [[1.0]] * 3
    table = strategy_table(truc, point_after(truc.game, "7 7 8 8 raise call"))
    assert table["best"].to_list() == ["7", "8", "A"]
    with pytest.raises(UsageError, match="the hand is over"):
        advise(truc, "7 8 A", "7 7 8 8 raise call A rest call A")
    with pytest.raises(UsageError, match="the hand is over"):
        advise(truc, "7 8 A", "7 7 8 8 raise fold")


def test_the_value_before_a_lead_is_the_mean_of_those_after_it() -> None:
    """Nothing is left to be bet: the elder's last card, then the dealer's, which are both sides of one sum."""
    solution = solved("truc", "0-0", ranks="3", ladder="1,2", remainder="off")
    before = view(solution, point_after(solution.game, "7 7 8 8 raise call"))
    assert before.seat == 0
    mean = float((before.value * before.reach).sum())
    after = 0.0
    for lead in "78A":
        seen = view(solution, point_after(solution.game, f"7 7 8 8 raise call {lead}"))
        assert seen.seat == 1
        assert [row[~(row != row)].tolist() for row in seen.frequency] == [[1.0]] * len(seen.hands)
        after -= float((seen.value * seen.reach).sum())
    assert mean == pytest.approx(after, abs=1e-12)
    assert abs(mean) > 1e-6


@pytest.mark.parametrize(
    ("score", "seat"), [("6.2-0.0", "elder"), ("0.0-6.2", "dealer")], ids=["elder", "dealer"]
)
def test_U7_why_says_who_truted_at_the_fortial(score: str, seat: str) -> None:
    """Nobody answers it: the elder then leads, and the chart is of the dealer's hands, whoever spoke."""
    solution = solved("trut", score, ranks="3")
    found = why(solution, "7 8 A", "trut")
    rules = solution.game.rules
    assert (found.bet, found.said, found.other) == ("", (seat, "trut"), "dealer")
    assert sentences(found, rules, "points")[0] == f"The {seat} has said trut; nobody has to answer."
    french = {"elder": "premier", "dealer": "donneur"}[seat]
    assert sentences(found, rules, "points", "fr")[0] == f"Le {french} a dit trut ; personne n'a à répondre."
    assert range_title(found, rules) == "What the dealer holds here, if you hold this hand"


def test_a_trut_that_waits_is_named_in_the_title() -> None:
    solution = solved("trut", "0.0-0.0", ranks="3")
    found = why(solution, "7 8 A", "e:trut")
    assert (found.bet, found.said) == ("trut", None)
    assert range_title(found, solution.game.rules).startswith("What the elder says trut with here")
