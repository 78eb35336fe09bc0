"""What the options of a rule set are: meaning, rule number, allowed values, how their text is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solver.errors import UsageError, near
from solver.rules.card_labels import read_deck
from solver.rules.numbers import read_whole

MIN_RANKS, MAX_RANKS = 2, 13
MAX_COPIES = 8
MAX_TARGET = 99
HAND_SIZE = 3
CARDS_DEALT = 2 * HAND_SIZE


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option: its rule number, what it means, and its values.

    `choices` are the allowed words; when it is empty, `allowed` says in words what is.
    `only` names the betting or tokens kind the option belongs to; "" belongs to all.
    """

    rule: str
    meaning: str
    allowed: str = ""
    choices: tuple[str, ...] = ()
    only: str = ""

    @property
    def allowed_text(self) -> str:
        """What is allowed, ready for the end of a sentence."""
        return self.allowed or ", ".join(self.choices)


_SWITCH = "true or false"

OPTIONS: dict[str, OptionSpec] = {
    "ranks": OptionSpec(
        "K2",
        "rank labels, strongest first",
        f"{MIN_RANKS} to {MAX_RANKS} different labels, or how many to keep",
    ),
    "copies": OptionSpec(
        "K1", "copies of each rank", f"1 to {MAX_COPIES} for all ranks, or one number a rank"
    ),
    "lead_after_tie": OptionSpec(
        "K5", "who leads after a spoiled trick", choices=("previous_leader", "rotter")
    ),
    "all_tied": OptionSpec("K6", "who wins three spoiled tricks", choices=("none", "elder")),
    "target": OptionSpec("T1, U1, G1", "points or longs that win the match", f"1 to {MAX_TARGET}"),
    "betting": OptionSpec("T3, U2", "the kind of bets", choices=("ladder", "trut")),
    "tokens": OptionSpec("T10, U5, G2", "what a won hand pays", choices=("points", "exchange", "keep")),
    "ladder": OptionSpec(
        "T3", "stakes, the first without a bet", "increasing whole numbers from 1", only="ladder"
    ),
    "remainder": OptionSpec(
        "T3, T5",
        "when 'my remainder' may be said",
        choices=("initiative", "answer", "both", "off"),
        only="ladder",
    ),
    "alternate_raises": OptionSpec("T7", "nobody may bet twice running", _SWITCH, only="ladder"),
    "counter_raise": OptionSpec("T4", "a raise may be answered by a raise", _SWITCH, only="ladder"),
    "free_fold": OptionSpec("T8", "folding without a bet", _SWITCH, only="ladder"),
    "redeal": OptionSpec("T9", "how often both may agree on new cards", "0 or 1", only="ladder"),
    "trut_window": OptionSpec(
        "U4", "when a trut may be announced", choices=("any_time", "own_turn", "off"), only="trut"
    ),
    "winner_keeps_petits": OptionSpec(
        "U5", "who gains a long by a trut keeps its petits", _SWITCH, only="exchange"
    ),
    "fortial": OptionSpec("U7", "one long and one petit short of winning", _SWITCH, only="exchange"),
    "brelan": OptionSpec("U8", "three of a kind may be announced as a trut", _SWITCH, only="exchange"),
    "labels": OptionSpec("G7", "tierce, brelan and pair may be announced as truts", _SWITCH, only="keep"),
    "tenir": OptionSpec("G4", "a side alone at two petits holds or passes", _SWITCH, only="keep"),
    "chanter": OptionSpec(
        "G5",
        "singing when both are at two petits: theorem leaves out the asking, full plays it",
        choices=("off", "theorem", "full"),
        only="keep",
    ),
    "tout_pate": OptionSpec(
        "G6", "redeals after three spoiled tricks of a trut d'office", "0 to 4", only="keep"
    ),
}

_SWITCH_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

SWITCHES = frozenset(name for name, spec in OPTIONS.items() if spec.allowed == _SWITCH)


def bad_option(name: str, value: object, allowed: str = "") -> UsageError:
    """The error for a value of a known option."""
    spec = OPTIONS[name]
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return UsageError(
        f"Option {name} ({spec.meaning}) cannot be '{shown}'; allowed: {allowed or spec.allowed_text}."
    )


def parse_options(
    texts: Mapping[str, str], ranks: tuple[str, ...], copies: tuple[int, ...]
) -> dict[str, object]:
    """Values of the options given as text, for a rule set that has `ranks` and `copies` now.

    New ranks without new copies keep the copies they had; a label the deck did not have gets four (K1).
    Raises UsageError for an unknown option (with the nearest name) or text that cannot be read.
    """
    named = {option_name(name): text.strip() for name, text in texts.items()}
    values = {name: _parse(name, text) for name, text in named.items() if name not in ("ranks", "copies")}
    if "ranks" in named:
        had = dict(zip(ranks, copies, strict=True))
        ranks = _parse_ranks(named["ranks"], ranks)
        copies = tuple(had.get(label, 4) for label in ranks)
        values |= {"ranks": ranks, "copies": copies}
    if "copies" in named:
        numbers = _parse_numbers("copies", named["copies"])
        values["copies"] = numbers * len(ranks) if len(numbers) == 1 else numbers
    return values


def option_name(name: str) -> str:
    """The option meant by `name` (hyphens are read as underscores). Raises UsageError if there is none."""
    known = name.strip().lower().replace("-", "_")
    if known not in OPTIONS:
        raise UsageError(
            f"There is no option '{name}'.{near(known, OPTIONS)} The options are: {', '.join(OPTIONS)}."
        )
    return known


def _parse(name: str, text: str) -> object:
    if name in SWITCHES:
        return _parse_switch(name, text)
    if name == "ladder":
        return _parse_numbers(name, text)
    if OPTIONS[name].choices:
        return text.lower().replace("-", "_")
    numbers = _parse_numbers(name, text)
    if len(numbers) > 1:
        raise bad_option(name, text)
    return numbers[0]


def _parse_switch(name: str, text: str) -> bool:
    if text.lower() not in _SWITCH_WORDS:
        raise bad_option(name, text, "true, yes, 1, false, no or 0")
    return _SWITCH_WORDS[text.lower()]


def _parse_numbers(name: str, text: str) -> tuple[int, ...]:
    numbers = [read_whole(word) for word in text.replace(",", " ").split()]
    if not numbers or any(number is None or number < 0 for number in numbers):
        raise bad_option(name, text)
    return tuple(number for number in numbers if number is not None)


def _parse_ranks(text: str, ranks: tuple[str, ...]) -> tuple[str, ...]:
    """A number that can be a number of ranks keeps that many of the strongest; other text lists labels."""
    number = read_whole(text)
    if number is not None and MIN_RANKS <= number <= MAX_RANKS:
        if number > len(ranks):
            raise bad_option(
                "ranks", text, f"at most the {len(ranks)} ranks {' '.join(ranks)} of this rule set"
            )
        return ranks[:number]
    return read_deck(text, ranks)
