"""Records of hands as text: written by `play`, by hand, or from a match at a table; read by `review`.

`docs/records.md` describes the format; `reading` reads it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from solver.cards.notation import Token, format_card
from solver.coach.replay import Replay, Seen, SeenDeal, replay
from solver.report.wording import option_text
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.outcome import Result
from solver.rules.score import SEAT_NAMES, Prize, Score, format_score
from solver.rules.words import TRUTS, seated

HEADER = "truc-solve record 1"
UNSEEN = "?"
UNFINISHED = "unfinished"
JOINERS = "\u200c\u200d"  # part of letters and signs in some scripts


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand; everything that is a pair has the elder first.

    hands    cards of both sides, strongest first, None for one that was not seen
    history  (seat, token) in order, silences left out
    more     deals from the same stub that came to be held (T9, G5, G6)
    result   None when the hand was not finished
    """

    number: int
    rules: RuleSet
    score: Score
    players: tuple[str, str]
    hands: SeenDeal
    history: tuple[tuple[int, str], ...]
    more: tuple[SeenDeal, ...] = ()
    result: Result | None = None

    def replay(self) -> Replay:
        """The hand step by step; UsageError if the rules do not allow it."""
        tokens = [Token(seat, word, place) for place, (seat, word) in enumerate(self.history)]
        return replay(self.rules, self.score, (self.hands, *self.more), tokens)


def player_name(text: str) -> str:
    """A player's name as it is compared and shown: in one normal form, and what is no sign written as it is escaped."""
    signs = (" " if sign.isspace() else sign for sign in unicodedata.normalize("NFC", text.strip()))
    return "".join(sign if sign.isprintable() or sign in JOINERS else repr(sign)[1:-1] for sign in signs)


def changed_options(rules: RuleSet) -> dict[str, str]:
    """The options in which a rule set differs from the one its name stands for, as ``--set`` reads them."""
    preset = catalogue.load(rules.name)
    usual = preset.options()
    if rules.ranks != preset.ranks:
        had = dict(zip(preset.ranks, preset.copies, strict=True))
        usual["copies"] = tuple(had.get(label, 4) for label in rules.ranks)
    return {name: option_text(value) for name, value in rules.options().items() if value != usual[name]}


def format_records(records: list[HandRecord]) -> str:
    """The text of a whole file."""
    return "\n".join([HEADER, "", *(format_record(record) for record in records)])


def begun(content: bytes) -> bytes:
    """What is to be added to a file of this content before it takes hands."""
    return b"" if content else f"{HEADER}\n".encode()


def numbered_on(record: HandRecord, content: bytes, first: int) -> bytes:
    """What is to be added to a file of this content for a hand, numbered on from its last one, by default ``first``."""
    numbers = re.findall(rb"(?m)^hand +(\d{1,9})\s*$", content)
    number = int(numbers[-1]) + 1 if numbers else first
    gap = "" if content.endswith(b"\n") or not content else "\n"
    return f"{gap}\n{format_record(replace(record, number=number))}".encode()


def format_record(record: HandRecord) -> str:
    """One block, without an empty line before it."""
    rules = record.rules
    lines = [f"hand {record.number}", f"rules: {rules.name}"]
    lines += [f"set: {name}={text}" for name, text in changed_options(rules).items()]
    lines += [f"fingerprint: {rules.fingerprint}", f"score: {format_score(rules, record.score)}"]
    for seat, name in enumerate(SEAT_NAMES):
        lines.append(f"{name}: {record.players[seat]} / {cards_text(rules, record.hands[seat])}")
    lines += [f"more: {cards_text(rules, elder)} / {cards_text(rules, dealer)}" for elder, dealer in record.more]
    lines.append(f"history: {history_text(rules, record.history)}".rstrip())
    lines.append(f"result: {result_text(record.result)}")
    return "\n".join(lines) + "\n"


def cards_text(rules: RuleSet, cards: Seen) -> str:
    """Cards as a record has them: 7 8 ?."""
    return " ".join(UNSEEN if card is None else format_card(rules, card) for card in cards)


def history_text(rules: RuleSet, history: tuple[tuple[int, str], ...]) -> str:
    """A history with the seat where both sides may speak (U4)."""
    announced = TRUTS if rules.both_speak else ()
    return " ".join(seated(seat, word) if word in announced else word for seat, word in history)


def result_text(result: Result | None) -> str:
    """How a hand ended: elder 2 points, dealer match, elder petit, drawn, unfinished."""
    if result is None:
        return UNFINISHED
    if result.winner is None:
        return "drawn, dealt again" if result.again else "drawn"
    amount = result.amount if isinstance(result.amount, Prize) else f"{result.amount} points"
    return f"{SEAT_NAMES[result.winner]} {amount}"
