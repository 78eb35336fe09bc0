"""What the options of a rule set are: meaning, rule number, allowed values, how their text is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from solver.errors import UsageError, near

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
        "K2", "rank labels, strongest first", f"{MIN_RANKS} to {MAX_RANKS} different labels, or how many to keep"
    ),
    "copies": OptionSpec("K1", "copies of each rank", f"1 to {MAX_COPIES} for all ranks, or one number a rank"),
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

SWITCHES = frozenset(name for name, spec in OPTIONS.items() if spec.allowed == _SWITCH)


def bad_option(name: str, value: object, allowed: str = "") -> UsageError:
    """The error for a value of a known option."""
    spec = OPTIONS[name]
    shown = value if isinstance(value, str) else repr(value)
    return UsageError(
        f"Option {name} ({spec.meaning}) cannot be '{shown}'; allowed: {allowed or spec.allowed_text}."
    )


def parse_options(texts: Mapping[str, str], ranks: tuple[str, ...], copies: tuple[int, ...]) -> dict[str, object]:
    """Values of the options given as text, for a rule set that has `ranks` and `copies` now.

    Raises UsageError for an unknown option (with the nearest name) or text that cannot be read.
    """
    named = {_option_name(name): text for name, text in texts.items()}
    values: dict[str, object] = {
        name: _PARSERS.get(name, _parse_word)(name, text.strip())
        for name, text in named.items()
        if name not in ("ranks", "copies")
    }
    if "ranks" in named:
        values["ranks"] = parse_ranks(named["ranks"].strip(), ranks)
        values["copies"] = _kept_copies(values["ranks"], ranks, copies)
    if "copies" in named:
        count = len(values["ranks"]) if isinstance(values.get("ranks"), tuple) else len(ranks)  # type: ignore[arg-type]
        values["copies"] = parse_copies(named["copies"].strip(), count)
    return values
