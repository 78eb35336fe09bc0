"""What the solved matches tell a player: a page of plain words and tables, every figure read from the book.

Run as ``python -m solver.report.findings PAGE``; ``make findings`` does, and draws the charts beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from solver.book.reading import BookSolution, counted_everywhere, open_book, page_counts
from solver.cards.hands import multisets
from solver.query.advise import point_after
from solver.query.point import PointView, view
from solver.query.standings import standings
from solver.query.stats import classes
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.score import SEAT_NAMES, format_score, parse_score, start_score
from solver.rules.words import RAISES, SEEN, SILENT
from solver.strategy.equity import EQUITY
from solver.strategy.shipped import shipped

Row = dict[str, Any]
#: what is shown, history, words
Spot = tuple[str, str, Sequence[str]]
TOLD = ("truc", "truc-lanes", "trut", "trut-gatine")
#: scores of a game of points and of one of tokens at which a point and the lead are shown
SCORES = {
    "points": ("0-0", "3-3", "6-6", "8-8", "10-10", "11-11", "11-6", "6-11", "11-0", "0-11"),
    "tokens": ("0.0-0.0", "0.2-0.2", "3.0-3.0", "3.2-3.2", "6.0-6.0", "6.2-6.2", "6.2-3.0", "3.0-6.2"),
}
TOLD_BETS = (*RAISES, "trut")
REST_SCORES = ("0-0", "6-6", "6-0", "0-6", "10-10", "11-11", "11-0", "0-11")


def games() -> list[RuleSet]:
    """The rule sets whose matches are in the book."""
    return [rules for rules in map(catalogue.load, TOLD) if shipped(rules) is not None]


def rows_of(rules: RuleSet) -> dict[str, Row]:
    """The standings of a match, by score."""
    folder = shipped(rules)
    assert folder is not None
    return {row["score"]: row for row in standings(rules, folder / EQUITY)}


def percent(chance: float | None, digits: int = 1) -> str:
    """A chance for people."""
    return "–" if chance is None or chance != chance else f"{100 * chance:.{digits}f} %"


def bounded(row: Row) -> str:
    """A chance with the most it may be off."""
    error = max(row["elder_wins"] - row["lower"], row["upper"] - row["elder_wins"])
    return f"{percent(row['elder_wins'], 2)} ± {100 * error:.2f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table, the first column left, the others right."""
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def ahead() -> Iterator[str]:
    """Who wins more often when a match begins."""
    rows = []
    for rules in games():
        start = format_score(rules, start_score(rules))
        rows.append((rules.name, bounded(rows_of(rules)[start]), f"`truc-solve equity {rules.name} --score {start}`"))
    yield from table(("game", "the elder of the first hand wins", "command"), rows)


def leads() -> Iterator[str]:
    """Where it is better to lead than to deal."""
    rows = []
    for rules in games():
        found = rows_of(rules)
        order = sorted(found.values(), key=lambda row: float(row["lead_worth"]))
        better = sum(row["lead_worth"] > 0 for row in order)
        start = found[format_score(rules, start_score(rules))]
        ends = [f"{row['score']}: {100 * row['lead_worth']:+.1f}" for row in (order[-1], order[0])]
        rows.append(
            (rules.name, f"{100 * start['lead_worth']:+.2f}", f"{better} of {len(order)}", *ends,
             f"`truc-solve equity {rules.name}`")
        )  # fmt: skip
    heads = ("game", "at the start", "scores where leading is better", "most", "least", "command")
    yield from table(heads, rows)


def points() -> Iterator[str]:
    """What one more point or petit is worth."""
    for rules in games():
        found = rows_of(rules)
        shown = [found[score] for score in SCORES["points" if rules.tokens == "points" else "tokens"]]
        yield f"**{rules.name}**, `truc-solve equity {rules.name}`:"
        yield ""
        cells = [(row["score"], bounded(row), f"{100 * row['point_worth']:+.1f}") for row in shown]
        yield from table(("score", "the elder wins", "one more is worth"), cells)


def gained(*pages: BookSolution) -> str:
    """The bound on the hands shown: what best responses gain on them, the most of any page."""
    most = max(page.claim.nash_conv for page in pages)
    return f"best responses in {'a' if len(pages) > 1 else 'this'} hand gain {percent(most, 4)} of the match"


def words(rules: RuleSet) -> Iterator[str]:
    """How often what is said in the first hand of a match."""
    page = opened(rules, start_score_text(rules))
    rows = [
        (f"{row['seat']}, trick {row['trick']}", row["word"], percent(row["chosen"]), percent(row["frequency"]),
         percent(row["folded"]), percent(row["bluff"]))
        for row in page_counts(page, ("seat", "trick", "word")) if row["word"] != SILENT and row["chosen"] > 5e-4
    ]  # fmt: skip
    heads = ("who", "word", "of hands", "where it may be said", "folded to", "bluffs")
    yield f"**{rules.name}** at {start_score_text(rules)}, `truc-solve stats {rules.name}`; {gained(page)}:"
    yield ""
    yield from table(heads, rows)


def start_score_text(rules: RuleSet) -> str:
    """The score a match begins at."""
    return format_score(rules, start_score(rules))


def opened(rules: RuleSet, score: str) -> BookSolution:
    """A page of the book that is known to be there."""
    page = open_book(rules, parse_score(rules, score))
    assert page is not None
    return page


def by_class(rules: RuleSet, seen: PointView, words: Sequence[str]) -> dict[str, tuple[float, float]]:
    """For each hand class: how often one of the words is said, and the mean chance of the match, by reach."""
    kinds, of = classes(rules), {}
    columns = [seen.actions.index(word) for word in words if word in seen.actions]
    numbers = {hand: k for k, hand in enumerate(all_hands(rules))}
    place = np.array([kinds.of[numbers[tuple(hand)]] for hand in seen.hands.tolist()])
    said = np.nansum(seen.frequency[:, columns], axis=1)
    for k, name in enumerate(kinds.names):
        held = place == k
        weight = seen.reach[held].sum()
        if weight > 0:
            of[name] = (
                float((said[held] * seen.reach[held]).sum() / weight),
                float((seen.value[held] * seen.reach[held]).sum() / weight),
            )
    return of


def all_hands(rules: RuleSet) -> list[tuple[int, ...]]:
    """All hands in the order of ``hands.multisets``."""
    return [tuple(hand) for hand in multisets(HAND_SIZE, len(rules.ranks)).cards.tolist()]


def hands(rules: RuleSet, spots: Sequence[Spot]) -> Iterator[str]:
    """Which classes of hands bet and which see at the spots that are ever reached."""
    page = opened(rules, start_score_text(rules))
    spots = [spot for spot in spots if page.knows(point_after(page.game, spot[1]))]
    seat = SEAT_NAMES[view(page, point_after(page.game, spots[0][1])).seat]
    columns = [by_class(rules, view(page, point_after(page.game, history)), said) for _, history, said in spots]
    first = columns[0]
    yield f"**{rules.name}** at {start_score_text(rules)}; {gained(page)}:"
    yield ""
    heads = ["hand", f"the {seat} wins the match", *(told for told, _, _ in spots)]
    rows = []
    for name in first:
        cells = [percent(column[name][0]) if name in column else "–" for column in columns]
        rows.append((name, percent(first[name][1]), *cells))
    yield from table(heads, rows)
    for _, history, _ in spots:
        told = f' --history "{history}"' if history else ""
        yield f"`truc-solve table {rules.name}{told}`"
    yield ""


def rest(rules: RuleSet) -> Iterator[str]:
    """How often the rest is called, score by score."""
    counted = {
        (row["score"], row["seat"]): row
        for row in counted_everywhere(rules, ("score", "seat", "word"))
        if row["word"] == "rest"
    }
    rows = []
    for score in REST_SCORES:
        cells = [counted.get((score, seat)) for seat in SEAT_NAMES]
        rows.append(
            (
                score,
                *(percent(cell["chosen"] if cell else None) for cell in cells),
                *(percent(cell["folded"] if cell else None) for cell in cells),
            )
        )
    most = gained(*(opened(rules, score) for score in REST_SCORES))
    yield f"**{rules.name}**, `truc-solve stats {rules.name} --by score,seat`; {most} at most:"
    yield ""
    heads = ("score", "elder calls it, of hands", "dealer", "folded to, elder's", "dealer's")
    yield from table(heads, rows)


def lanes() -> Iterator[str]:
    """What alternating raises change at the start."""
    both = [rules for rules in games() if rules.betting == "ladder"]
    if len(both) < 2:
        return
    counted = [
        {(row["seat"], row["word"]): row for row in page_counts(opened(rules, "0-0"), ("seat", "word"))}
        for rules in both
    ]
    spoken = [key for key in sorted(set(counted[0]) & set(counted[1])) if key[1] != SILENT]
    rows = [(" ".join(key), *(percent(found[key]["chosen"]) for found in counted)) for key in spoken]
    start = [rows_of(rules)["0-0"] for rules in both]
    rows.append(("the elder wins", *(bounded(row) for row in start)))
    yield from table(("at 0-0, of hands", *(rules.name for rules in both)), rows)


def spots(rules: RuleSet) -> list[Spot]:
    """First decisions worth a table: what is shown, history, words."""
    if rules.betting == "ladder":
        return [
            ("elder bets first", "", TOLD_BETS),
            ("dealer sees a raise", "raise", SEEN),
            ("dealer bets after a 7", "7", TOLD_BETS),
            ("dealer bets after a K", "K", TOLD_BETS),
        ]
    return [(f"dealer truts after a {card}", card, TOLD_BETS) for card in ("7", "A", "K", "9")]


def of_ladders(part: Callable[[RuleSet], Iterator[str]]) -> Iterator[str]:
    """A part for every game where the rest can be called."""
    return (line for rules in games() if rules.betting == "ladder" for line in part(rules))


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "ahead": ahead,
    "leads": leads,
    "points": points,
    "words": lambda: (line for rules in games() for line in words(rules)),
    "hands": lambda: (line for rules in games() for line in hands(rules, spots(rules))),
    "rest": lambda: of_ladders(rest),
    "lanes": lanes,
}


def refreshed(text: str) -> str:
    """A page with its tables made anew; each stands between ``<!-- NAME -->`` and ``<!-- end of NAME -->``."""
    for name, part in PARTS.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if begin in text:
            before, _, rest_of = text.partition(begin)
            after = rest_of.partition(end)[2]
            body = "\n".join(part()).strip()
            text = f"{before}{begin}\n\n{body}\n\n{end}{after}"
    return text


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(refreshed(page.read_text("utf-8")), "utf-8")
