"""The page to walk a strategy: what it carries is what `query` says, and it is one file that needs nothing else."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.cards.hands import multisets
from solver.evaluate.best_response import Evaluation
from solver.query.advise import HARDLY_EVER, advice_of
from solver.query.point import view
from solver.report.colours import COLOURS
from solver.report.explorer import check_page, write_page
from solver.report.explorer.figures import CLOSE, NOTHING, RARE, ZERO, Figures, figures_of
from solver.report.explorer.page import SCRIPTS, page_of, read
from solver.report.explorer.skeleton import asked, played_for, skeleton
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.rules.words import WORDS
from solver.strategy.quantise import quantise
from solver.strategy.solution import Solution, game_for
from solver.tree.history import Point, play_card, silence, take
from solver.tree.model import DECISION, REVEAL, SHOW
from solver.tree.reading import edges_of
from solver.tree.utility import match_utility

GAMES: list[tuple[str, str, dict[str, str]]] = [
    ("truc", "0-0", {"ranks": "3", "ladder": "1,2,4"}),
    ("truc", "10-7", {"ranks": "3", "copies": "3,2,2", "counter_raise": "true", "remainder": "both"}),
    ("truc", "0-0", {"ranks": "2", "ladder": "1,2", "free_fold": "true"}),
    ("trut", "0.0-0.0", {"ranks": "3"}),
    ("trut", "0.0-0.0", {"ranks": "3", "trut_window": "own_turn"}),
    ("trut", "6.2-3.0", {"ranks": "3"}),
    ("trut", "6.2-6.2", {"ranks": "3"}),
    ("trut-brelan", "0.0-0.0", {"ranks": "3"}),
    ("trut-gatine", "0.2-1.0", {"ranks": "3", "tout_pate": "0"}),
    ("trut-gatine", "0.0-0.0", {"ranks": "4", "labels": "true"}),
]
NAMES = [f"{name} {score} {options}" for name, score, options in GAMES]


class Row(NamedTuple):
    """A row as the page reads it; actions: (frequency in thousandths, close, loss in steps or None)."""

    hand: tuple[int, ...]
    rare: bool
    reach: float
    arrival: float
    best: float
    value: float
    actions: list[tuple[int, bool, int | None] | None]


def unpacked(found: Figures, node: int, ranks: int) -> dict[int, list[Row]]:
    """The rows of a node by place, read as figures.js reads them; none where no hand can be."""
    if node not in found.nodes:
        return {}
    content = zlib.decompress(found.nodes[node])
    (points,) = struct.unpack_from("<I", content)
    places = struct.unpack_from(f"<{points}I", content, 4)
    counts = struct.unpack_from(f"<{points}H", content, 4 + 4 * points)
    rows, head = sum(counts), 4 + 6 * points
    columns = (len(content) - head) // (2 * rows)
    assert head + 2 * rows * columns == len(content)
    whole = np.frombuffer(content, np.uint8, offset=head).reshape(columns, 2, rows).astype(int)
    codes = whole[:, 0] + 256 * whole[:, 1]
    hands = multisets(3, ranks).cards.tolist()
    read_rows = [read_row(code, hands, found.step) for code in codes.T.tolist()]
    ends = np.cumsum(counts).tolist()
    return {place: read_rows[end - count : end] for place, count, end in zip(places, counts, ends, strict=True)}


def read_row(code: list[int], hands: list[list[int]], step: float) -> Row:
    hand, reach, arrival, best, spent = code[:5]
    pairs = list(zip(code[5::2], code[6::2], strict=True))
    actions = [
        None if often == NOTHING else (often & (CLOSE - 1), bool(often & CLOSE), None if loss == NOTHING else loss)
        for often, loss in pairs
    ]
    known = best != NOTHING
    top = (best - ZERO) * step if known else float("nan")
    often, share = (10 ** (part / 4000 - 16) if part else 0.0 for part in (reach, arrival))
    value = top - spent * step if known else float("nan")
    return Row(tuple(hands[hand % RARE]), bool(hand & RARE), often, share, top, value, actions)


def points_of(solution: Solution, seed: int, most: int) -> Iterator[Point]:
    """Decision points met on random walks."""
    game, rng = solution.game, np.random.default_rng(seed)
    tree = game.tree
    for _ in range(most):
        point: Point | None = Point(0)
        while point is not None and not point.over:
            if tree.kind[point.node] == DECISION:
                yield point
            point = random_step(solution, point, rng)


def random_step(solution: Solution, point: Point, rng: np.random.Generator) -> Point | None:
    game, tree = solution.game, solution.game.tree
    cards = [play_card(game, point, rank) for rank in range(len(game.rules.ranks))]
    found = [after for after in cards if after is not None]
    if tree.kind[point.node] == DECISION:
        found += [take(game, point, edge) for edge in edges_of(tree, point.node) if edge.word not in ("", "silent")]
        quiet = silence(game, point)
        found += [] if quiet is None else [quiet]
    return found[int(rng.integers(len(found)))] if found else None


def place_of(solution: Solution, point: Point) -> int:
    return point.board if point.lead < 0 else point.board * len(solution.game.rules.ranks) + point.lead


def compare(solution: Solution, found: Figures, point: Point) -> None:
    """Every row of a point is what `query` says, to the rounding told on the page."""
    ranks, step = solution.game.rules.ranks, found.step
    seen = view(solution, point)
    rows = unpacked(found, point.node, len(ranks)).get(place_of(solution, point), [])
    assert [row.hand for row in rows] == [tuple(hand) for hand in seen.hands.tolist()]
    for k, row in enumerate(rows):
        said = advice_of(solution, seen, k)
        choices = {one.action: one for one in said.actions}
        cards = [one.action for one in said.actions if one.action in ranks]
        every = node_words(solution, point.node)
        assert set(choices) == {*cards, *(w for w, a in zip(every, row.actions, strict=False) if a is not None)}
        here = row.actions[len(every) :]
        assert [action is not None for action in here[: len(cards)]] == [True] * len(cards)
        assert all(action is None for action in here[len(cards) :])
        told = [(choices[word], action) for word, action in zip(every, row.actions, strict=False) if action is not None]
        told += [(choices[card], action) for card, action in zip(cards, here, strict=False) if action is not None]
        for one, (often, close, loss) in told:
            assert often / 1000 == pytest.approx(one.frequency, abs=0.000501)
            assert close == one.indifferent
            if loss is None:
                assert np.isnan(one.ev)
            else:
                assert loss * step == pytest.approx(one.loss, abs=0.501 * step)
                assert row.best - loss * step == pytest.approx(one.ev, abs=1.01 * step)
        assert row.rare == (said.arrival < HARDLY_EVER)
        if sum(one.frequency for one in said.actions) > 0.99999:  # made-up strategies also say what they may not
            assert row.value == pytest.approx(said.value, abs=1.01 * step, nan_ok=True)
        assert row.reach == pytest.approx(said.reach, rel=5e-4, abs=1e-15)
        assert row.arrival == pytest.approx(said.arrival, rel=5e-4, abs=1e-15)


def node_words(solution: Solution, node: int) -> list[str]:
    tree = solution.game.tree
    edges = range(tree.edges[node], tree.edges[node + 1])
    return [WORDS[tree.word[edge]] for edge in edges if tree.word[edge] >= 0]


@pytest.mark.parametrize(("name", "score", "options"), GAMES, ids=NAMES)
def test_every_figure_is_what_query_says(made_up: Any, name: str, score: str, options: dict[str, str]) -> None:
    solution = made_up(name, score, **options)
    found = figures_of(solution)
    assert found.left_out == 0
    met = {(point.node, point.board, point.lead): point for point in points_of(solution, seed=1, most=25)}
    for point in list(met.values())[:40]:
        compare(solution, found, point)


def test_the_dealer_is_told_his_own_chance_of_the_match() -> None:
    rules = catalogue.load("truc", {"ranks": "3", "ladder": "1,2"})
    score = parse_score(rules, "7-9")
    utility = match_utility(rules, score, lambda after: 0.3 + 0.02 * after.elder[0])
    game = game_for(rules, score, utility, "match")
    average = np.random.default_rng(3).random(game.tree.n_slots, np.float32) ** 2
    solution = Solution(game, quantise(game.tree, average), Evaluation(0.4, (0.41, -0.39)))
    found = figures_of(solution)
    assert found.step == pytest.approx(1e-4)
    for point in points_of(solution, seed=2, most=8):
        compare(solution, found, point)
    assert "chance of winning the match" in page_of(solution, found)


def test_rare_points_of_the_third_trick_are_left_out(small: Solution) -> None:
    whole, some = figures_of(small), figures_of(small, 1e-3)
    assert whole.left_out == 0
    assert some.left_out > 0
    assert some.points + some.left_out == whole.points
    assert 0 < some.missed < 1
    tree = small.game.tree
    ranks = len(small.game.rules.ranks)
    for node, space in enumerate(tree.space.tolist()):
        if node in whole.nodes and len(small.game.spaces[space].tricks) < 2:
            assert unpacked(some, node, ranks).keys() == unpacked(whole, node, ranks).keys()
    for node in some.nodes:
        for place, rows in unpacked(some, node, ranks).items():
            shown = len(small.game.spaces[tree.space[node]].tricks) == 2
            assert not shown or sum(row.reach for row in rows) >= 0.999e-3, place
    text = page_of(small, some)
    assert f"{some.left_out:,} of {whole.points:,} points are left out" in text


def test_stakes_follow_the_bets(made_up: Any) -> None:
    def after(solution: Solution, *words: str) -> tuple[Any, Any]:
        node, tree = 0, solution.game.tree
        for word in words:
            edges = range(tree.edges[node], tree.edges[node + 1])
            node = next(int(tree.child[edge]) for edge in edges if WORDS[tree.word[edge]] == word)
        return played_for(solution.game, node), asked(solution.game, node)

    truc = made_up("truc", "0-0", ranks="2", remainder="both", counter_raise="true", ladder="1,2,4")
    assert after(truc) == (1, None)
    assert after(truc, "raise") == (1, 2)
    assert after(truc, "raise", "raise") == (2, 4)
    assert after(truc, "raise", "rest") == (2, "match")
    assert after(truc, "rest") == (1, "match")
    assert after(truc, "raise", "call") == (2, None)
    trut = made_up("trut", "0.0-0.0", ranks="2")
    assert after(trut) == ("petit", None)
    assert after(trut, "trut") == ("petit", "long")
    assert after(trut, "trut", "see") == ("long", None)
    assert after(made_up("trut", "6.2-6.2", ranks="2")) == ("match", None)
    assert after(made_up("trut-gatine", "0.2-1.0", ranks="2", tout_pate="0")) == ("long", None)


def test_ends_name_the_winner(small: Solution) -> None:
    """A fold gives the hand to the other side, whatever the cards."""
    tree = small.game.tree
    nodes = skeleton(small.game)["nodes"]
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        for edge in range(tree.edges[node], tree.edges[node + 1]):
            if tree.word[edge] >= 0 and WORDS[tree.word[edge]] == "fold":
                assert nodes[int(tree.child[edge])][7] == [1 - int(tree.player[node])] * 3
    shown = [one for one in nodes if one[0] == 3 and len(set(one[7])) > 1]
    assert shown
    assert all(one[7][0] == one[2] and one[7][2] == 1 - one[2] for one in shown)
    assert not [one for one in nodes if tree.kind[0] == REVEAL or (one[0] not in (2, 3)) != (len(one) == 7)]
    assert (tree.kind == SHOW).any()


def test_one_file_that_loads_nothing(small: Solution, tmp_path: Path) -> None:
    place = tmp_path / "new" / "page.html"
    done = write_page(small, place)
    text = place.read_text("utf-8")
    assert done.size == place.stat().st_size < 1_000_000
    assert "default-src 'none'" in text
    assert not re.findall(r"(?i)https?:|\bsrc=|@import|url\(|\bfetch\(|XMLHttp|import\(", text)
    assert text.count("</script>") == 3
    again = tmp_path / "again.html"
    write_page(small, again)
    assert again.read_bytes() == place.read_bytes()
    assert page_of(small, figures_of(small), "fr").startswith('<!doctype html>\n<html lang="fr"')


def test_it_says_what_was_solved_and_how_well(small: Solution) -> None:
    text = page_of(small, figures_of(small))
    data = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[0])
    facts = data["texts"]["en"]["facts"]
    assert facts == (
        "Rules: truc (ranks=7 8 A; ladder=1 2); score 0-0 (elder-dealer); unit: points; exploitability 0.00125 points."
    )
    assert "exploitabilité 0,00125 point" in data["texts"]["fr"]["facts"]
    assert data["texts"]["fr"]["cards"] == ["7", "8", "A"]
    assert data["colours"].items() >= COLOURS.items()
    assert any("+0.1988" not in note and "−0.2013 and −0.1988" in note for note in data["texts"]["en"]["notes"])


def test_both_languages_say_the_same_things() -> None:
    phrases = json.loads(read("texts.json"))
    assert phrases["en"].keys() == phrases["fr"].keys()
    for group in phrases["en"]:
        english, french = phrases["en"][group], phrases["fr"][group]
        assert english.keys() == french.keys()
        for key, text in english.items():
            assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", french[key])), key
    used = set(re.findall(r'phrase\(\s*"([^"]+)"', "".join(map(read, SCRIPTS))))
    used |= set(re.findall(r'data-(?:text|label)="([^"]+)"', read("page.html")))
    assert {key for key in used if not key.endswith(" ")} <= phrases["en"]["page"].keys()


@pytest.mark.parametrize("name", ["page.png", "page", "page.html.gz"])
def test_a_page_is_named_as_one(name: str) -> None:
    with pytest.raises(Exception, match=r"must end in \.html"):
        check_page(Path(name))
