"""Reading records of hands; `docs/records.md` describes the format.

Every hand is played again by the referee, so what is read is what the rules allow. Errors name line and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from solver.cards.notation import parse_hand, parse_history
from solver.coach.record import HEADER, UNSEEN, HandRecord, player_name, result_text
from solver.coach.replay import MisplacedError, Replay, Seen, SeenDeal, replay
from solver.errors import FileError, TrucError, UsageError, near
from solver.files import write_bytes
from solver.places import reason
from solver.rules import catalogue
from solver.rules.model import RuleSet
from solver.rules.options import HAND_SIZE
from solver.rules.score import SEAT_NAMES, Score, parse_score
from solver.rules.words import SILENT

KEYS = ("rules", "set", "fingerprint", "score", *SEAT_NAMES, "more", "history", "result")
NEEDED = ("rules", "score", *SEAT_NAMES, "history")
SEVERAL = ("set", "more")


@dataclass(frozen=True, slots=True)
class Field:
    """A value of a block and where it stands, both counted from 1."""

    text: str
    line: int
    column: int


@dataclass(slots=True)
class Block:
    """The lines of one hand."""

    number: int
    line: int
    fields: dict[str, list[Field]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one text; errors begin with the name it has, line and column."""

    name: str

    def fault(
        self, place: Field, offset: int, message: str, kind: type[UsageError | FileError] = UsageError
    ) -> TrucError:
        """An error that says where it is: so many characters into a value."""
        return kind(f"{self.name}, line {place.line}, column {place.column + offset}: {message}")

    def blocks(self, text: str) -> Iterator[Block]:
        """The hands of a text, line by line."""
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if not line.startswith("#")]
        filled = [(number, line) for number, line in lines if line.strip()]
        if not filled or filled[0][1].strip() != HEADER:
            first = Field("", filled[0][0] if filled else 1, 1)
            raise self.fault(first, 0, f"a record begins with the line '{HEADER}'.", FileError)
        block: Block | None = None
        for number, line in filled[1:]:
            heading = re.fullmatch(r"hand +(\d{1,9})\s*", line)
            if heading:
                if block is not None:
                    yield block
                block = Block(int(heading[1]), number)
            elif block is None:
                message = f"'{line.strip()}' stands before the first hand; a hand begins with a line 'hand 1'."
                raise self.fault(Field(line, number, 1), 0, message)
            else:
                self.add(block, number, line)
        if block is not None:
            yield block

    def add(self, block: Block, number: int, line: str) -> None:
        """One `key: value` line of a block."""
        match = re.fullmatch(r"\s*(\w+)\s*:\s*(.*?)\s*", line)
        key = match[1].lower() if match else ""
        if match is None or key not in KEYS:
            word = line.split(":", maxsplit=1)[0].strip()
            column = len(line) - len(line.lstrip()) + 1
            allowed = near(word, KEYS) or f" Allowed: {', '.join(KEYS)}."
            raise self.fault(Field(line, number, column), 0, f"'{word}' is no key of a record.{allowed}")
        if key in block.fields and key not in SEVERAL:
            place = Field(key, number, match.start(1) + 1)
            raise self.fault(place, 0, f"'{key}' is given twice for hand {block.number}.")
        block.fields.setdefault(key, []).append(Field(match[2], number, match.start(2) + 1))

    def record(self, block: Block) -> HandRecord:
        """The hand of a block, played by the referee."""
        missing = [key for key in NEEDED if key not in block.fields]
        if missing:
            place = Field("", block.line, 1)
            raise self.fault(place, 0, f"hand {block.number} has no line '{missing[0]}:'.")
        one = {key: fields[0] for key, fields in block.fields.items()}
        rules = self.rules(block, one)
        score = self.score(rules, one["score"])
        seats = [self.side(rules, one[seat]) for seat in SEAT_NAMES]
        if seats[0][0] == seats[1][0]:
            raise self.fault(one["dealer"], 0, f"both players are called '{seats[0][0]}'.")
        more = tuple(self.deal(rules, given) for given in block.fields.get("more", []))
        hands = (seats[0][1], seats[1][1])
        done = self.played(rules, score, (hands, *more), one)
        history = tuple(history_of(done))
        players = (seats[0][0], seats[1][0])
        return HandRecord(block.number, rules, score, players, hands, history, more, done.end.result)

    def rules(self, block: Block, one: Mapping[str, Field]) -> RuleSet:
        """The rule set with its changed options; FileError when the fingerprint is another's."""
        settings: dict[str, str] = {}
        for given in block.fields.get("set", []):
            option, equals, value = (part.strip() for part in given.text.partition("="))
            if not equals or option in settings:
                what = "is given twice" if equals else "is not of the form option=value, such as ranks=3"
                raise self.fault(given, 0, f"'{option}' {what}.")
            settings[option] = value
        try:
            rules = catalogue.load(one["rules"].text, settings)
        except UsageError as error:
            lines = [given for given in block.fields.get("set", []) if given.text.split("=")[0].strip() in str(error)]
            raise self.fault(lines[0] if lines else one["rules"], 0, str(error)) from error
        told = one.get("fingerprint")
        if told is not None and told.text != rules.fingerprint:
            message = f"the fingerprint '{told.text}' is not that of these rules, {rules.fingerprint}."
            raise self.fault(told, 0, message, FileError)
        return rules

    def score(self, rules: RuleSet, given: Field) -> Score:
        """The score before the hand."""
        try:
            return parse_score(rules, given.text)
        except UsageError as error:
            raise self.fault(given, 0, str(error)) from error

    def side(self, rules: RuleSet, given: Field) -> tuple[str, Seen]:
        """`name / cards`."""
        name, slash, _ = given.text.partition("/")
        if not slash or not name.strip():
            raise self.fault(given, 0, f"'{given.text}' is not of the form 'name / cards', such as 'Anna / 7 8 A'.")
        return player_name(name), self.cards(rules, given, len(name) + 1, len(given.text))

    def deal(self, rules: RuleSet, given: Field) -> SeenDeal:
        """`cards / cards`, the elder's first."""
        slash = given.text.find("/")
        if slash < 0:
            raise self.fault(given, 0, f"'{given.text}' is not of the form 'cards / cards', the elder's first.")
        return self.cards(rules, given, 0, slash), self.cards(rules, given, slash + 1, len(given.text))

    def cards(self, rules: RuleSet, given: Field, start: int, end: int) -> Seen:
        """Three cards of a part of a line, strongest first; `?` for those that were not seen."""
        text = given.text[start:end]
        start += len(text) - len(text.lstrip())
        seen = text.replace(UNSEEN, " ")
        unseen = text.count(UNSEEN)
        try:
            known = parse_hand(rules, text.strip()) if not unseen else parse_some(rules, seen)
        except UsageError as error:
            raise self.fault(given, start, str(error)) from error
        if len(known) + unseen != HAND_SIZE:
            raise self.fault(given, start, f"'{text.strip()}' has {len(known) + unseen} cards, a hand has {HAND_SIZE}.")
        return (*known, *[None] * unseen)

    def played(self, rules: RuleSet, score: Score, deals: Sequence[SeenDeal], one: Mapping[str, Field]) -> Replay:
        """The history played by the referee, and its result compared with the one that is told."""
        history = one["history"]
        try:
            tokens = parse_history(rules, history.text)
        except UsageError as error:
            raise self.fault(history, bad_word(rules, history.text), str(error)) from error
        try:
            done = replay(rules, score, deals, tokens)
        except MisplacedError as error:
            at = len(history.text) if error.position is None else error.position - 1
            raise self.fault(history, at, str(error)) from error
        except UsageError as error:
            raise self.fault(one["elder"], 0, str(error)) from error
        told = one.get("result")
        if told is not None and " ".join(told.text.split()) != result_text(done.end.result):
            message = f"the result is told as '{told.text}', by the rules it is '{result_text(done.end.result)}'."
            raise self.fault(told, 0, message)
        return done


def parse_some(rules: RuleSet, text: str) -> tuple[int, ...]:
    """Fewer cards than a hand has."""
    if not text.strip():
        return ()
    words = text.split()
    tokens = [token.word for word in words for token in parse_history(rules, word)]
    strange = [word for word, token in zip(words, tokens, strict=True) if token not in rules.ranks]
    if strange:
        raise UsageError(f"'{strange[0]}' is no card; allowed: {' '.join(rules.ranks)}.")
    return tuple(sorted(rules.ranks.index(token) for token in tokens))


def bad_word(rules: RuleSet, text: str) -> int:
    """Where the first word stands that no history has, counted from 0."""
    for found in re.finditer(r"[^\s,]+", text):
        try:
            parse_history(rules, found[0])
        except UsageError:
            return found.start()
    return 0


def history_of(done: Replay) -> Iterator[tuple[int, str]]:
    """What was said and played, silences left out."""
    for step in done.steps:
        if step.token != SILENT and step.before.to_act is not None:
            yield step.before.to_act, step.token


def parse_records(text: str, name: str = "the record") -> list[HandRecord]:
    """The hands of a text; UsageError or FileError with `name`, line and column of what is wrong."""
    reader = Reader(name)
    return [reader.record(block) for block in reader.blocks(text)]


def read_records(path: Path, tell: Callable[[str], None] = lambda sentence: None) -> list[HandRecord]:
    """The hands of a file; FileError when it cannot be read or is no record.

    A last hand that was written only in part is left out, which ``tell`` is told.
    """
    text = text_of(path)
    try:
        return parse_records(text, str(path))
    except TrucError as error:
        end = torn_at(text)
        if end is None:
            raise
        whole = parse_records(text[:end], str(path))
        tell(f"The last hand of the record is torn and left out ({str(error).rstrip('.')}).")
        return whole


def text_of(path: Path) -> str:
    """The text of a file; FileError when it cannot be read."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"'{path}' is no record: it is not text in UTF-8.") from error
    except OSError as error:
        raise FileError(f"The record '{path}' cannot be read ({reason(error)}).") from error


def torn_at(text: str) -> int | None:
    """Where the last hand begins if it looks as if writing it had been cut short, else None.

    It then ends without a line break, at the latest in its last line, or lacks that line and one that it needs.
    """
    begin = max(text.rfind("\n\n"), text.rfind("\nhand ")) + 1
    keys = re.findall(r"(?m)^\s*(\w+)\s*:", text[begin:])
    unended = not text.endswith("\n") and "result" not in keys[:-1]
    lacking = "result" not in keys and not {*NEEDED} <= {*keys}
    return begin if begin and (unended or lacking) else None


def without_torn(place: Path, tell: Callable[[str], None]) -> None:
    """Turn the lines of a torn last hand into comments, so that more hands can follow; errors are ``read_records``'."""
    torn: list[str] = []
    read_records(place, torn.append)
    if torn:
        tell(torn[0].replace("left out", "made a comment"))
        text = text_of(place)
        end = torn_at(text)
        lines = "".join(f"# {line}\n" for line in text[end:].splitlines() if line.strip())
        write_bytes(place, f"{text[:end]}{lines}".encode())
