"""The words of charts in English and French."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10

from solver.cards.notation import Token, format_card, format_hand
from solver.report.kinds import Lang
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.words import SILENT

SPACE = "\N{NO-BREAK SPACE}"

FRENCH_WORDS = {
    "silent": "rien dit",
    "raise": "relance",
    "rest": "mon reste",
    "call": "tenir",
    "see": "aller voir",
    "hold": "tenir",
    "pass": "ne pas tenir",
    "sing": "chanter",
    "refuse": "refuser",
    "pair": "deux petits un grand",
    "redeal": "redonne",
    "accept": "accepter",
}
ENGLISH_WORDS = {"silent": "nothing said", "pair": "pair and a card"}

TEXTS: dict[Lang, dict[str, str]] = {
    "en": {
        "strategy": "What every hand does",
        "raise": "How often every hand bets",
        "trut": "How often every hand truts",
        "fold": "How often every hand folds",
        "thresholds": "From which hand on one bets or calls",
        "convergence": "Convergence",
        "equity": "Chance that the elder wins the match",
        "high": "highest card",
        "middle": "middle card",
        "low": "lowest card",
        "rules": "Rules",
        "score": "score {score} (elder-dealer)",
        "points": "unit: points",
        "match": "unit: chance of winning the match",
        "exploitability": "exploitability",
        "of points": "{number} points",
        "of match": "{number} of a match",
        "history": "History",
        "opening": "opening",
        "silence": "silent",
        "acts 0": "the elder acts",
        "acts 1": "the dealer acts",
        "answers 0": "the elder answers",
        "answers 1": "the dealer answers",
        "order": "Order: the strongest hand first, by its chance to win without bets and with open cards, "
        "both seats averaged.",
        "pale": "Pale: hands played this far in less than 1 of 1000 of their deals, so hardly trained.",
        "cut": "Dashed: the single limit that fits best; how often it is right counts hands as often as they "
        "come here.",
        "overall": "Over all hands, weighted by how often they come here",
        "limit": "down to {hand} (right for {share})",
        "run": "{iterations} iterations in {seconds} s",
        "nobody": "No hand does this here.",
        "frequency": "frequency",
        "hands": "hands, the strongest on the left",
        "iterations": "iterations",
        "seconds": "seconds of solving, without compiling",
        "axis points": "exploitability (points a hand)",
        "axis match": "exploitability (chance of winning the match)",
        "axis elder": "elder has",
        "axis dealer": "dealer has",
        "percent": "Numbers in percent",
        "bounds": "the true chances lie within {number} percentage points",
        "no bounds": "without bounds",
        "other options": "with changed options, fingerprint {fingerprint}",
    },
    "fr": {
        "strategy": "Ce que fait chaque main",
        "raise": "Fréquence des relances, main par main",
        "trut": "Fréquence des truts, main par main",
        "fold": "Fréquence des abandons, main par main",
        "thresholds": "À partir de quelle main on mise ou on tient",
        "convergence": "Convergence",
        "equity": "Chances du premier de gagner la partie",
        "high": "carte haute",
        "middle": "carte moyenne",
        "low": "carte basse",
        "rules": "Règles",
        "score": "score {score} (premier-donneur)",
        "points": "unité : points",
        "match": "unité : chances de gagner la partie",
        "exploitability": "exploitabilité",
        "of points": "{number} point",
        "of match": "{number} partie",
        "history": "Historique",
        "opening": "début du coup",
        "silence": "rien",
        "acts 0": "au premier de jouer",
        "acts 1": "au donneur de jouer",
        "answers 0": "au premier de répondre",
        "answers 1": "au donneur de répondre",
        "order": "Ordre : la plus forte d'abord, selon ses chances de gagner sans mise et à cartes "
        "ouvertes, moyenne des deux places.",
        "pale": "Pâle : mains jouées jusqu'ici dans moins de 1 donne sur 1000, donc peu entraînées.",
        "cut": "Tirets : la limite unique qui convient le mieux ; la part où elle a raison compte les mains "
        "selon leur fréquence ici.",
        "overall": "Sur toutes les mains, pondérées par leur fréquence ici",
        "limit": "jusqu'à {hand} (juste pour {share})",
        "run": "{iterations} itérations en {seconds} s",
        "nobody": "Aucune main ne le fait ici.",
        "frequency": "fréquence",
        "hands": "mains, la plus forte à gauche",
        "iterations": "itérations",
        "seconds": "secondes de calcul, sans la compilation",
        "axis points": "exploitabilité (points par coup)",
        "axis match": "exploitabilité (chances de gagner la partie)",
        "axis elder": "le premier a",
        "axis dealer": "le donneur a",
        "percent": "Nombres en pour cent",
        "bounds": "les vraies chances s'en écartent de {number} point de pourcentage au plus",
        "no bounds": "sans bornes",
        "other options": "options modifiées, empreinte {fingerprint}",
    },
}


@dataclass(frozen=True, slots=True)
class Wording:
    """Everything that is written on charts in one language."""

    lang: Lang = "en"

    def text(self, key: str, **values: str) -> str:
        """A phrase, with its gaps filled."""
        return TEXTS[self.lang][key].format(**values)

    def word(self, rules: RuleSet, word: str) -> str:
        """A word of betting."""
        if self.lang == "en":
            return ENGLISH_WORDS.get(word, word)
        if word == "fold":
            return "passer" if rules.betting == "ladder" else "se coucher"
        return FRENCH_WORDS.get(word, word)

    def card(self, rules: RuleSet, rank: int) -> str:
        """A card."""
        return format_card(rules, rank, self.lang)

    def hand(self, rules: RuleSet, cards: Iterable[int]) -> str:
        """A hand, strongest card first."""
        return format_hand(rules, tuple(cards), self.lang)

    def history(self, rules: RuleSet, tokens: Sequence[Token]) -> str:
        """A history as it is read aloud; the opening when nothing was said or played."""
        return " ".join(self.token(rules, token.word) for token in tokens) or self.text("opening")

    def token(self, rules: RuleSet, word: str) -> str:
        """A card label or word of a history; a silence that is written stays short."""
        if word == SILENT:
            return self.text("silence")
        return self.card(rules, rules.ranks.index(word)) if word in rules.ranks else self.word(rules, word)

    def named(self, name: str, value: str) -> str:
        """A value after its name and a colon."""
        return f"{name}{SPACE if self.lang == 'fr' else ''}: {value}"

    def sentence(self, parts: Iterable[str]) -> str:
        """Parts with semicolons between them, and a full stop."""
        return (f"{SPACE}; " if self.lang == "fr" else "; ").join(parts) + "."

    def decimal(self, text: str) -> str:
        """A written number with the language's decimal mark."""
        return text.replace(".", ",") if self.lang == "fr" else text

    def number(self, value: float) -> str:
        """A number with three digits that count, written out down to a ten-millionth."""
        size = floor(log10(abs(value))) if value else 0
        return self.decimal(f"{value:.{2 - size}f}" if -7 <= size <= 1 else f"{value:.3g}")

    def percent(self, share: float, form: str = ".0f") -> str:
        """A share of one, in percent."""
        return self.decimal(f"{100.0 * share:{form}}") + (f"{SPACE}%" if self.lang == "fr" else "%")


def option_text(value: object) -> str:
    """The value of an option as ``--set`` reads it."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def rules_text(rules: RuleSet) -> str:
    """The name of a rule set and the options that differ from those the name stands for."""
    if rules.name not in catalogue.names():
        return f"{rules.name}, {rules.fingerprint}"
    preset = catalogue.load(rules.name, {})
    if rules.ranks != preset.ranks and set(rules.ranks) <= set(preset.ranks):
        preset = preset.with_options({"ranks": " ".join(rules.ranks)})
        changed = {"ranks": " ".join(rules.ranks)}
    else:
        changed = {}
    usual = preset.options()
    changed |= {name: option_text(value) for name, value in rules.options().items() if value != usual[name]}
    listed = "; ".join(f"{name}={value}" for name, value in changed.items())
    return f"{rules.name} ({listed})" if listed else rules.name
