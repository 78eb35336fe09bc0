"""A rule set: the declared values that make one game out of the rule book."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from solver.errors import UsageError
from solver.rules.card_labels import label_fault
from solver.rules.options import (
    CARDS_DEALT,
    HAND_SIZE,
    MAX_COPIES,
    MAX_RANKS,
    MAX_TARGET,
    MIN_RANKS,
    OPTIONS,
    SWITCHES,
    bad_option,
    parse_options,
)

DECK_SIZE_TO_REDEAL = 2 * CARDS_DEALT


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option of one rule set, as `truc-solve rules NAME` shows it."""

    name: str
    value: object
    meaning: str
    rule: str
    allowed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The options of a game, checked when it is made (UsageError names option, value, what is allowed).

    Options of the other betting kind (ladder, trut) or tokens kind (exchange, keep) must keep their default,
    so that equal games have equal fingerprints. The rule number of every option is in `options.OPTIONS`.
    """

    name: str
    ranks: tuple[str, ...] = ("7", "8", "A", "K", "Q", "J", "T", "9")
    copies: tuple[int, ...] = (4, 4, 4, 4, 4, 4, 4, 4)
    lead_after_tie: Literal["previous_leader", "rotter"] = "previous_leader"
    all_tied: Literal["none", "elder"] = "none"
    target: int = 12
    betting: Literal["ladder", "trut"] = "ladder"
    tokens: Literal["points", "exchange", "keep"] = "points"

    ladder: tuple[int, ...] = (1, 2, 4, 6, 8, 10, 12)
    remainder: Literal["initiative", "answer", "both", "off"] = "initiative"
    alternate_raises: bool = False
    counter_raise: bool = False
    free_fold: bool = False
    redeal: int = 0

    trut_window: Literal["any_time", "own_turn", "off"] = "any_time"
    winner_keeps_petits: bool = True
    fortial: bool = False
    brelan: bool = False
    labels: bool = False
    tenir: bool = False
    chanter: Literal["off", "theorem", "full"] = "off"
    tout_pate: int = 0

    def __post_init__(self) -> None:
        """Lists (as JSON has them) become tuples; then every value and combination is checked."""
        for name in ("ranks", "copies", "ladder"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _check_words(self)
        _check_numbers(self)
        _check_deck(self)
        _check_ladder(self)
        _check_combinations(self)

    @property
    def deck_size(self) -> int:
        """Number of cards in the deck."""
        return sum(self.copies)

    @property
    def fingerprint(self) -> str:
        """First 16 hexadecimal digits of the SHA-256 of all options, name left out, as canonical JSON."""
        text = json.dumps(self.options(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]

    @property
    def both_speak(self) -> bool:
        """U4: may both sides say the same words before a card, so that a history must name the seat?"""
        return self.betting == "trut" and self.trut_window == "any_time"

    def options(self) -> dict[str, object]:
        """Every option and its value, without the name; `RuleSet(name=..., **options)` makes it again."""
        return {name: getattr(self, name) for name in OPTIONS}

    def describe(self) -> list[OptionInfo]:
        """Every option with its value, meaning, rule number and allowed values, in the order of the book."""
        return [
            OptionInfo(name, getattr(self, name), spec.meaning, spec.rule, spec.allowed_text)
            for name, spec in OPTIONS.items()
        ]

    def with_options(self, texts: Mapping[str, str]) -> RuleSet:
        """This rule set with options changed, each given as text: {"ranks": "3", "ladder": "1,2,4"}.

        `ranks` is a number (that many of the strongest are kept) or labels, strongest first ("78A", "7 8 A").
        Raises UsageError for an unknown option (with the nearest name) or a bad value.
        """
        changes: dict[str, Any] = parse_options(texts, self.ranks, self.copies)
        return replace(self, **changes)


def check_left_out(rules: RuleSet) -> None:
    """UsageError for options that only the referee plays: each side can refuse, so neither changes a value (T9, G5)."""
    if rules.redeal:
        raise UsageError(
            "redeal=1 is played by the referee only: each side can refuse new cards, so they cannot change the value "
            "of a hand (T9), and the solver leaves them out; take redeal=0."
        )
    if rules.chanter == "full":
        raise UsageError(
            "chanter=full is played by the referee only: a single refusal restores the ordinary hand, so singing "
            "cannot change its value (G5); take chanter=theorem."
        )


def _check_words(rules: RuleSet) -> None:
    for name, spec in OPTIONS.items():
        value = getattr(rules, name)
        if spec.choices and value not in spec.choices:
            raise bad_option(name, value)
        if name in SWITCHES and not isinstance(value, bool):
            raise bad_option(name, value)


def _check_numbers(rules: RuleSet) -> None:
    for name, low, high in (("target", 1, MAX_TARGET), ("redeal", 0, 1), ("tout_pate", 0, 4)):
        if not _is_count(getattr(rules, name), low, high):
            raise bad_option(name, getattr(rules, name))


def _check_deck(rules: RuleSet) -> None:
    """K1: labels and copies; the deck must have six cards to deal."""
    if not MIN_RANKS <= len(set(rules.ranks)) == len(rules.ranks) <= MAX_RANKS:
        raise bad_option("ranks", " ".join(map(str, rules.ranks)))
    fault = label_fault(rules.ranks, HAND_SIZE)
    if fault:
        raise bad_option("ranks", " ".join(map(str, rules.ranks)), fault)
    if len(rules.copies) != len(rules.ranks):
        raise bad_option("copies", _listed(rules.copies), f"{len(rules.ranks)} numbers, one a rank")
    if not all(_is_count(copies, 1, MAX_COPIES) for copies in rules.copies):
        raise bad_option("copies", _listed(rules.copies))
    if rules.deck_size < CARDS_DEALT:
        raise UsageError(
            f"The deck has {rules.deck_size} cards; allowed: at least {CARDS_DEALT}, to deal three each."
        )


def _check_ladder(rules: RuleSet) -> None:
    """T3: the first rung is the stake without a bet (T2)."""
    rungs = rules.ladder
    if not rungs or not all(_is_count(rung, 1, 1000) for rung in rungs) or list(rungs) != sorted(set(rungs)):
        raise bad_option("ladder", _listed(rungs))


def _check_combinations(rules: RuleSet) -> None:
    if (rules.betting == "ladder") != (rules.tokens == "points"):
        allowed = "points" if rules.betting == "ladder" else "exchange or keep"
        raise bad_option("tokens", rules.tokens, f"{allowed} with betting {rules.betting}")
    defaults = {field.name: field.default for field in fields(RuleSet)}
    for name, spec in OPTIONS.items():
        if spec.only not in ("", rules.betting, rules.tokens) and getattr(rules, name) != defaults[name]:
            allowed = f"its default {str(defaults[name]).lower()} in games without {spec.only}"
            raise bad_option(name, getattr(rules, name), allowed)
    for name in ("brelan", "labels"):
        if getattr(rules, name) and rules.trut_window == "off":
            raise bad_option(name, True, "false when trut_window is off, since it is a trut")
    if (rules.redeal or rules.chanter == "full") and rules.deck_size < DECK_SIZE_TO_REDEAL:
        name, default = ("redeal", "0") if rules.redeal else ("chanter", "off or theorem")
        raise bad_option(
            name, getattr(rules, name), f"{default} with a deck below {DECK_SIZE_TO_REDEAL} cards"
        )


def _is_count(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _listed(values: tuple[object, ...]) -> str:
    return ", ".join(map(str, values))
