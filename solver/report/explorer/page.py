"""The page itself: one HTML file with the tree, the packed figures, the texts and the script inside."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from solver.query.advise import indifference
from solver.report.explorer.figures import (
    CLOSE,
    DECADES,
    NOTHING,
    PER_DECADE,
    RARE,
    ZERO,
    Figures,
)
from solver.report.explorer.skeleton import colours, skeleton, wanted_words
from solver.report.kinds import Lang
from solver.report.mixes import CARD_PLACES
from solver.report.scene import solution_text
from solver.report.wording import Wording
from solver.rules.score import format_score
from solver.strategy.solution import Solution

LANGUAGES: tuple[Lang, ...] = ("en", "fr")
TEMPLATE, STYLE, TEXTS = "page.html", "page.css", "texts.json"
SCRIPTS = ("tree.js", "words.js", "figures.js", "table.js", "page.js")


@dataclass(frozen=True, slots=True)
class Telling:
    """A solution and its figures, told in one language.

    phrases   texts.json of that language: of the page, of the notes on it, and what the unit match says otherwise
    """

    solution: Solution
    figures: Figures
    say: Wording
    phrases: dict[str, dict[str, str]]

    def note(self, key: str, **values: object) -> str:
        """A sentence about the page, with its gaps filled."""
        return self.phrases["notes"][key].format(**values)

    def title(self) -> str:
        """Game and score."""
        game = self.solution.game
        return self.note("title", name=game.rules.name, score=format_score(game.rules, game.score))

    def notes(self) -> list[str]:
        """Everything a reader should know of the figures."""
        say, claim = self.say, self.solution.claim
        unit = say.text(self.solution.game.unit)
        low, high = -claim.best_response[1], claim.best_response[0]
        plain = ("rare", "reach", "order", "range", "address", "keys")
        return [
            self.note("elder", unit=unit),
            self.note("value", value=signed(say, claim.value), low=signed(say, low), high=signed(say, high)),
            self.note("rounding", step=say.decimal(f"{self.figures.step:g}")),
            self.note("indifferent", limit=say.number(indifference(self.solution))),
            self.coverage(),
            *map(self.note, plain),
        ]

    def coverage(self) -> str:
        """Which points have figures."""
        found, say = self.figures, self.say
        every = count(say, found.points + found.left_out)
        if not found.left_out:
            return self.note("whole", all=every)
        values = {"least": say.number(found.least), "missed": say.number(found.missed)}
        return self.note("coarse", left_out=count(say, found.left_out), all=every, **values)

    def texts(self) -> dict[str, Any]:
        """All texts of the page."""
        game, say = self.solution.game, self.say
        words = {word: say.word(game.rules, word) for word in wanted_words(self.solution)}
        return {
            "title": self.title(),
            "facts": solution_text(self.solution, say),
            "notes": self.notes(),
            "cards": [say.card(game.rules, rank) for rank in range(len(game.rules.ranks))],
            "parts": {**words, **{place: say.text(place) for place in CARD_PLACES}},
            "page": self.phrases["page"] | (self.phrases["match"] if game.unit == "match" else {}),
        }


def signed(say: Wording, value: float) -> str:
    """A value with its sign and four places."""
    return say.decimal(f"{value:+.4f}").replace("-", "−")


def count(say: Wording, number: int) -> str:
    """A whole number with its thousands apart."""
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}" if say.lang == "fr" else ",")


def page_of(solution: Solution, figures: Figures, lang: Lang = "en") -> str:
    """The whole page as text; the same solution gives the same text."""
    phrases = json.loads(read(TEXTS))
    told = {one: Telling(solution, figures, Wording(one), phrases[one]) for one in LANGUAGES}
    lines = {node: number for number, node in enumerate(sorted(figures.nodes))}
    data = {
        "unit": solution.game.unit,
        "least": figures.least,
        "codes": {
            "nothing": NOTHING,
            "zero": ZERO,
            "rare": RARE,
            "close": CLOSE,
            "decades": DECADES,
            "perDecade": PER_DECADE,
            "step": figures.step,
        },
        "tree": skeleton(solution.game),
        "lines": lines,
        "colours": colours(),
        "texts": {one: telling.texts() for one, telling in told.items()},
    }
    gaps = {
        "LANG": lang,
        "VERSION": version("truc-solve"),
        "TITLE": escape(told[lang].title()),
        "NOSCRIPT": " ".join(told[one].note("noscript") for one in LANGUAGES),
        "CSS": read(STYLE),
        "DATA": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "FIGURES": "\n".join(base64.b64encode(figures.nodes[node]).decode() for node in sorted(figures.nodes)),
        "SCRIPT": '"use strict";\n' + "\n".join(map(read, SCRIPTS)),
    }
    return filled(read(TEMPLATE), gaps)


def filled(template: str, gaps: dict[str, str]) -> str:
    """The template with every %NAME% replaced once over, whatever the texts hold themselves."""
    parts = template.split("%")
    return "".join(gaps[part] if k % 2 else part for k, part in enumerate(parts))


def read(name: str) -> str:
    """A file of this package."""
    return files(__package__).joinpath(name).read_text("utf-8")
