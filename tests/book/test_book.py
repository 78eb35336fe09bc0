"""The book against the solutions it was bound from, and what the commands make of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.app import main
from solver.book.binding import LOSS_GRAIN, WORTH_GRAIN, bind
from solver.book.reading import BookSolution, answers, open_book, page_counts
from solver.cards.notation import format_hand
from solver.errors import UsageError
from solver.match.run import local_workers, new_match, solve_match
from solver.match.state import state_folder
from solver.query.advise import HARDLY_EVER, point_after
from solver.query.point import view
from solver.query.stats import statistics
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.score import SEAT_NAMES, parse_score
from solver.strategy import store
from solver.strategy.solution import Solution

MATCHES = {
    "truc": ({"ranks": "3", "ladder": "1,2", "target": "2"}, ["0-0", "1-0", "1-1"]),
    "trut-mini": ({"target": "1"}, ["0.0-0.0", "0.2-0.1", "0.2-0.2"]),
    "trut-gatine-mini": ({"target": "1"}, ["0.0-0.0", "0.2-0.1", "0.2-0.2"]),
}


@pytest.fixture(scope="module", params=list(MATCHES))
def bound(request: Any, tmp_path_factory: Any) -> tuple[RuleSet, Path, Path]:
    """Rules, the folder of their match, and the book bound from it."""
    rules = catalogue.load(request.param, MATCHES[request.param][0])
    folder = tmp_path_factory.mktemp("match") / "match"
    with local_workers(1) as pool:
        run = solve_match(new_match(rules, 0.02, folder), pool)
    assert run.start is not None
    book = tmp_path_factory.mktemp("book")
    bind(folder, book)
    return rules, folder, book


@pytest.fixture
def here(bound: tuple[RuleSet, Path, Path], monkeypatch: pytest.MonkeyPatch) -> tuple[RuleSet, Path]:
    """Rules and match folder, with the book in its place."""
    rules, folder, book = bound
    monkeypatch.setattr("solver.strategy.shipped.book_root", lambda: book)
    return rules, folder


def pages(here: tuple[RuleSet, Path]) -> list[tuple[Solution, BookSolution]]:
    """A whole solution and the page of its score, for some scores."""
    rules, folder = here
    found = []
    for text in MATCHES[rules.name][1]:
        score = parse_score(rules, text)
        page = open_book(rules, score)
        assert page is not None
        found.append((store.load(state_folder(folder, rules, score)), page))
    return found


def test_a_page_shows_what_the_solution_shows(here: tuple[RuleSet, Path]) -> None:
    compared = 0
    for solution, page in pages(here):
        for history in page.openings["history"].unique(maintain_order=True).to_list():
            point = point_after(page.game, history)
            seen, kept = view(solution, point), view(page, point)
            often = np.flatnonzero(seen.reach / seen.dealt >= HARDLY_EVER)
            assert kept.seat == seen.seat
            assert kept.hands.tolist() == seen.hands[often].tolist()
            assert kept.dealt == pytest.approx(seen.dealt[often])
            assert kept.reach == pytest.approx(seen.reach[often], rel=1 / 16)
            columns = np.array([seen.actions.index(action) for action in kept.actions])
            assert (np.diff(columns) > 0).all()
            step = 1 / 128  # half a grain of its own, and what makes the sum one
            assert kept.frequency == pytest.approx(seen.frequency[np.ix_(often, columns)], abs=step, nan_ok=True)
            ev = seen.ev[np.ix_(often, columns)]
            loss = np.nanmax(ev, axis=1, keepdims=True) - ev
            slack = np.nan_to_num(WORTH_GRAIN + LOSS_GRAIN + loss / 16)
            assert (np.abs(kept.ev - ev)[~np.isnan(ev)] <= slack[~np.isnan(ev)]).all()
            compared += len(often)
    assert compared > 50


@pytest.mark.parametrize(
    ("name", "score"), [("truc", "0-11"), ("truc", "5-7"), ("trut", "6.2-6.1"), ("trut-gatine", "0.0-0.0")]
)
def test_the_shipped_book_holds_chances(name: str, score: str) -> None:
    """Frequencies sum to one, and what a hand is worth is their mean and a chance."""
    rules = catalogue.load(name)
    page = open_book(rules, parse_score(rules, score))
    assert page is not None
    for history in page.openings["history"].unique(maintain_order=True).to_list()[:4]:
        seen = view(page, point_after(page.game, history))
        assert np.nansum(seen.frequency, axis=1) == pytest.approx(1.0, abs=1e-12)
        assert ((seen.value >= 0.0) & (seen.value <= 1.0 + 1e-12)).all()
        assert np.nanmin(seen.ev) >= 0.0
        assert np.nanmax(seen.ev) <= 1.0


def test_counts_are_those_of_the_solution(here: tuple[RuleSet, Path]) -> None:
    for solution, page in pages(here):
        rows, wanted = page_counts(page, ("seat", "trick", "word")), statistics(solution)
        assert [(row["seat"], row["trick"], row["word"]) for row in rows] == [
            (row["seat"], row["trick"], row["word"]) for row in wanted
        ]
        for row, one in zip(rows, wanted, strict=True):
            for key in ("offered", "chosen", "frequency", "value", "folded", "minimum_defence", "bluff"):
                assert (row[key] is None) == (one[key] is None)
                assert one[key] is None or row[key] == pytest.approx(one[key], rel=2e-3, abs=2e-3)


def test_the_dealer_is_told_his_own_chance(here: tuple[RuleSet, Path]) -> None:
    """Both sides' mean values at the first decision of each add up to one."""
    for solution, page in pages(here):
        for row in page_counts(page, ("seat", "word")):
            assert row["value"] is None or -1e-3 <= row["value"] <= 1.001
        assert page.claim.value == solution.claim.value


def test_what_a_page_does_not_answer(here: tuple[RuleSet, Path]) -> None:
    _, page = pages(here)[0]
    hand = format_hand(page.game.rules, (0, 1, 2))
    assert answers(page, hand, "")
    label, other = page.game.rules.ranks[:2]
    assert not answers(page, hand, f"{label} {other}")
    with pytest.raises(UsageError, match="first decisions and first answers"):
        view(page, point_after(page.game, f"{label} {other}"))
    with pytest.raises(UsageError, match="nonsense"):
        answers(page, hand, "nonsense")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.mark.slow
def test_commands_answer_from_the_book(
    here: tuple[RuleSet, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, _ = here
    monkeypatch.chdir(tmp_path)
    settings = [word for key, value in MATCHES[rules.name][0].items() for word in ("--set", f"{key}={value}")]
    asked, hand = [rules.name, *settings], " ".join(rules.ranks[:3])
    code, out, err = run(capsys, "query", *asked, "--hand", hand, "--json")
    assert code == 0
    assert "From the book" in err
    told = json.loads(out)
    page = open_book(rules, parse_score(rules, MATCHES[rules.name][1][0]))
    assert page is not None
    seen = view(page, point_after(page.game, ""))
    assert told["to_act"] == SEAT_NAMES[seen.seat]
    assert told["unit"] == "match"
    row = [format_hand(rules, tuple(one)) for one in seen.hands.tolist()].index(hand)
    assert told["value"] == pytest.approx(seen.value[row])
    for words in (
        ["table", *asked],
        ["stats", *asked],
        ["stats", *asked, "--by", "score,seat"],
        ["chart", *asked, "--kind", "strategy", "--out", "a.png"],
        ["chart", *asked, "--kind", "equity", "--out", "b.png"],
    ):
        code, _, err = run(capsys, *words)
        assert code == 0
        assert "From the book" in err
    assert not (tmp_path / "results").exists()


@pytest.mark.slow
def test_deeper_questions_are_solved_for_the_match(
    here: tuple[RuleSet, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, _ = here
    monkeypatch.chdir(tmp_path)
    settings = [word for key, value in MATCHES[rules.name][0].items() for word in ("--set", f"{key}={value}")]
    hand, history = " ".join(rules.ranks[:3]), " ".join(rules.ranks[:2])
    code, out, err = run(capsys, "query", rules.name, *settings, "--hand", hand, "--history", history, "--json")
    assert code == 0
    assert "From the book" not in err
    assert "solving it first" in err
    assert json.loads(out)["unit"] == "match"
    code, out, err = run(capsys, "query", rules.name, *settings, "--hand", hand, "--history", history, "--json")
    assert json.loads(out)["unit"] == "match"
    assert "Using" in err


def test_standings_of_the_book(here: tuple[RuleSet, Path], capsys: pytest.CaptureFixture[str]) -> None:
    rules, folder = here
    settings = [word for key, value in MATCHES[rules.name][0].items() for word in ("--set", f"{key}={value}")]
    code, out, _ = run(capsys, "equity", rules.name, *settings, "--json")
    rows = {row["score"]: row for row in json.loads(out)}
    assert code == 0
    assert all(row["lower"] - 1e-12 <= row["elder_wins"] <= row["upper"] + 1e-12 for row in rows.values())
    for row in rows.values():
        elder, dealer = row["score"].split("-")
        other = rows[f"{dealer}-{elder}"]
        assert row["lead_worth"] == pytest.approx(row["elder_wins"] + other["elder_wins"] - 1.0)
    first, out = MATCHES[rules.name][1][0], run(capsys, "equity", str(folder), "--score", "0-0", "--json")[1]
    if rules.tokens == "points":
        assert json.loads(out) == [rows[first]]
