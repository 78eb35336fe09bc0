"""U8, G7: what the other side truthfully said counts in what a hand may be, wherever hands are shown or read."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from solver.cards.hands import state_numbers
from solver.cards.notation import parse_history
from solver.cfr.solve import Limits
from solver.exchange.efg import deals
from solver.exchange.imported import Leniency, import_profile
from solver.exchange.policy import efg_policy
from solver.query.decisions import Decision
from solver.query.point import view
from solver.query.sizes import dealt_infosets
from solver.query.visitor import every_decision
from solver.rules import catalogue
from solver.rules.labels import labels_of
from solver.rules.options import HAND_SIZE
from solver.rules.score import SEAT_NAMES, start_score
from solver.rules.words import LABEL_WORDS
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game
from solver.tree.history import Histories, cards_laid, walk
from solver.tree.reading import edge_at, edges_of, heard, node_at

GAMES = {
    "trut-brelan": {"ranks": "2"},
    "trut-gatine": {"ranks": "3", "copies": "3,2,2", "labels": "yes", "tout_pate": "0"},
}


def solved(name: str) -> Solution:
    rules = catalogue.load(name, GAMES[name])
    return solve_game(game_at(rules, start_score(rules), "points"), Task(limits=Limits(1e-9, 3)))


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_the_hands_of_deals_in_which_both_told_the_truth(name: str) -> None:
    """Every decision: the hands shown are those of some deal that the cards laid and the announcements allow."""
    solution, rows = solved(name), dict[str, set[tuple[str, str]]]()
    game, histories = solution.game, Histories(solution.game)

    def sink(decision: Decision) -> None:
        texts = histories.texts(decision.path)
        for place, hand in zip(
            histories.places(decision.rows.board, decision.rows.lead).tolist(), decision.rows.hand.tolist(), strict=True
        ):
            rows.setdefault(texts[place], set()).add((SEAT_NAMES[decision.seat], str(hand)))

    every_decision(solution, sink)
    dealt = [deal for deal, _ in deals(game.rules)]
    numbers = {hand: str(k) for hand, k in state_numbers(HAND_SIZE, len(game.rules.ranks)).items()}
    said_labels = 0
    for text, shown in rows.items():
        point = walk(game, parse_history(game.rules, text))
        told: tuple[list[str], list[str]] = ([], [])
        laid = cards_laid(game, point)
        for number, _, _ in point.path:
            edge = edge_at(game.tree, number)
            if edge.word in LABEL_WORDS:
                told[node_at(game.tree, edge.source).player].append(edge.word)
                said_labels += 1
        seat = node_at(game.tree, point.node).player
        may = {
            numbers[deal[seat]]
            for deal in dealt
            if all(
                set(told[side]) <= set(labels_of(game.rules, deal[side]))
                and all(deal[side].count(card) >= laid[side].count(card) for card in laid[side])
                for side in (0, 1)
            )
        }
        assert {hand for _, hand in shown} == may, text
    assert said_labels


def test_U8_a_brelan_of_the_dealer_leaves_the_elder_no_fifth_seven() -> None:
    """With two ranks: the dealer has three of a kind, so the elder has at most one of it."""
    solution = solved("trut-brelan")
    shown = view(solution, walk(solution.game, parse_history(solution.game.rules, "d:brelan see 7 7")))
    assert shown.seat == 1
    assert [tuple(hand) for hand in shown.hands.tolist()] == [(0, 0, 0)]
    shown = view(solution, walk(solution.game, parse_history(solution.game.rules, "d:brelan see 7 7 7")))
    assert shown.seat == 0
    assert [tuple(hand) for hand in shown.hands.tolist()] == [(0, 1, 1)]
    assert dealt_infosets(solution.game) == 614


@pytest.mark.parametrize("name", GAMES)
def test_a_complete_profile_of_the_explicit_game_is_read(name: str, tmp_path: Path) -> None:
    """What another program has on the efg file, each information set once, with nothing to fill."""
    solution = solved(name)
    lines = ["history,seat,hand,action,frequency"]
    for (seat, label), mix in efg_policy(solution).items():
        hand, _, said = label.partition(" ")
        lines += [f"{said},{seat},{hand},{word},{share}" for word, share in mix.items()]
    place = tmp_path / "profile.csv"
    place.write_text("\n".join(lines) + "\n", "utf-8")
    back, findings = import_profile(solution.game, place, Leniency("refuse"))
    assert findings.missing == 0
    assert back.claim.nash_conv == pytest.approx(solution.claim.nash_conv, abs=1e-12)


def test_hands_heard_on_a_way_are_those_of_both_sides() -> None:
    game = solved("trut-gatine").game
    for label in LABEL_WORDS:
        said = walk(game, parse_history(game.rules, f"e:{label}"))
        honest = heard(game.tree, edge_at(game.tree, said.path[-1][0]), (None, None))
        hands = sorted({tuple(sorted(hand)) for hand in product(range(3), repeat=3)})
        assert honest[1] is None
        assert honest[0] is not None
        assert [label in labels_of(game.rules, hand) for hand in hands] == honest[0].tolist()
        after = edges_of(game.tree, said.node)[0]
        assert heard(game.tree, after, honest)[0] is honest[0], "an answer tells nothing of the hand"
