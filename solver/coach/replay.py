"""A hand played again from its record by the referee, cards nobody saw filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, islice, product, zip_longest
from typing import TypeAlias

from solver.cards.notation import Token
from solver.errors import UsageError
from solver.rules.kinds import hand_kind
from solver.rules.model import RuleSet
from solver.rules.options import CARDS_DEALT, HAND_SIZE
from solver.rules.referee import Position, Referee, stub_deals
from solver.rules.score import Score
from solver.rules.tricks import Deal, Hand, Table
from solver.rules.words import LABEL_WORDS, SILENT

#: cards of a hand, strongest first; None stands for one that was not seen
Seen: TypeAlias = tuple[int | None, ...]
SeenDeal: TypeAlias = tuple[Seen, Seen]

MOST_TRIES = 5000


class MisplacedError(UsageError):
    """A token that cannot come where it stands; ``position`` is that of the token, None: the end of the history."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True)
class Step:
    """One thing said or played: the position before it, and the token."""

    before: Position
    token: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A hand step by step, silences included, and how it stood at the end."""

    steps: tuple[Step, ...]
    end: Position


def further_deals(rules: RuleSet, score: Score) -> int:
    """How many deals may follow the first from the same stub in a hand at this score (G6)."""
    return stub_deals(rules) if hand_kind(rules, score).from_stub else 0


def on_the_table(table: Table) -> int:
    """Cards laid since the hands that are held were dealt."""
    return 2 * len(table.tricks) + (table.led is not None)


def redeals(position: Position) -> int:
    """How often three rotten tricks were followed by new cards (G6)."""
    laid = sum(word in position.rules.ranks for _, word in position.history)
    return (laid - on_the_table(position.table)) // CARDS_DEALT


def replay(rules: RuleSet, score: Score, deals: Sequence[SeenDeal], tokens: Sequence[Token]) -> Replay:
    """Play the tokens; cards not seen are filled in so that they fit.

    deals  the first, then those that followed from the same stub and came to be held

    Raises MisplacedError for the first token that cannot come where it stands, UsageError for cards the deck
    cannot give and for further deals that are missing or were never dealt.
    """
    problem: UsageError | None = None
    for filled in islice(completions(rules, deals, tokens), MOST_TRIES):
        try:
            done = follow(opened(rules, score, filled), tokens)
            check_deals(done.end, len(deals) - 1)
            return done
        except MisplacedError as error:
            if not depends_on_cards(rules, tokens, error):
                raise
            problem = problem or error
        except UsageError as error:
            problem = problem or error
    raise problem or UsageError("These cards cannot be dealt from the deck.")


def depends_on_cards(rules: RuleSet, tokens: Sequence[Token], error: MisplacedError) -> bool:
    """Whether other cards in a hand might allow the token that was refused."""
    word = next((token.word for token in tokens if token.position == error.position), "")
    return word in rules.ranks or word in LABEL_WORDS


def check_deals(end: Position, given: int) -> None:
    """The further deals that are given are those that were held."""
    used = redeals(end)
    if used > given:
        raise MisplacedError(f"{used} further deals were held, the record gives {given}; each needs a line 'more'.")
    if used < given:
        raise MisplacedError(f"The record gives {given} further deals, only {used} came to be held.")


def opened(rules: RuleSet, score: Score, deals: Sequence[Deal]) -> Position:
    """The first position, with as many further deals ready as there may be, made up where none is given."""
    ready, most = list(deals), further_deals(rules, score)
    while len(ready) <= most:
        ready.append(made_up(rules, ready))
    if len(ready) > 1 + most:
        raise MisplacedError(f"{len(deals) - 1} further deals are given, none can have come to be held.")
    return Referee(rules, score).start(ready[0], ready[1:])


def made_up(rules: RuleSet, gone: Sequence[Deal]) -> Deal:
    """Three cards each that are left when these have been dealt."""
    dealt = Counter(chain.from_iterable(chain.from_iterable(gone)))
    rest = [rank for rank, copies in enumerate(rules.copies) for _ in range(copies - dealt[rank])]
    if len(rest) < CARDS_DEALT:
        raise UsageError(f"The deck has not the cards for {len(gone)} further deals.")
    return tuple(rest[:HAND_SIZE]), tuple(rest[HAND_SIZE:CARDS_DEALT])


def follow(start: Position, tokens: Sequence[Token]) -> Replay:
    """Every step of a history in which silences may be left out."""
    now, steps = start, []
    for token in tokens:
        while SILENT in now.legal and (token.word not in now.legal or token.seat not in (None, now.to_act)):
            steps.append(Step(now, SILENT))
            now = now.play(SILENT)
        if token.seat not in (None, now.to_act) and now.to_act is not None:
            raise MisplacedError(f"'{token.word}' is not for this side to say: the other has to act.", token.position)
        try:
            after = now.play(token.word)
        except UsageError as error:
            raise MisplacedError(str(error), token.position) from error
        steps.append(Step(now, token.word))
        now = after
    return Replay(tuple(steps), now)


def completions(rules: RuleSet, deals: Sequence[SeenDeal], tokens: Sequence[Token]) -> Iterator[list[Deal]]:
    """The deals with the cards that were not seen filled in, those first that each side laid."""
    laid = laid_cards(rules, tokens)
    held: list[list[Hand]] = []
    for (elder, dealer), (by_elder, by_dealer) in zip_longest(deals, laid[: len(deals)], fillvalue=((), ())):
        held += [hands_with(rules, elder, by_elder), hands_with(rules, dealer, by_dealer)]
    for hands in product(*held):
        yield [(hands[place], hands[place + 1]) for place in range(0, len(hands), 2)]


def hands_with(rules: RuleSet, seen: Seen, laid: Sequence[int | None]) -> list[Hand]:
    """All hands with the cards that were seen and, where there is room, those that were laid."""
    known = [card for card in seen if card is not None]
    room = len(seen) - len(known)
    needed = list((Counter(card for card in laid if card is not None) - Counter(known)).elements())
    known += needed if len(needed) <= room else []
    rest = combinations_with_replacement(range(len(rules.ranks)), len(seen) - len(known))
    found = [tuple(sorted((*known, *more))) for more in rest]
    return [hand for hand in found if all(hand.count(rank) <= rules.copies[rank] for rank in hand)] or [
        tuple(sorted(known))
    ]


def laid_cards(rules: RuleSet, tokens: Sequence[Token]) -> list[tuple[list[int], list[int]]]:
    """The cards each side laid, a pair a deal."""
    words = [token.word for token in tokens]
    anything = tuple(range(len(rules.ranks))) * HAND_SIZE
    found: list[tuple[list[int], list[int]]] = []
    for place, card in enumerate(rules.ranks.index(word) for word in words if word in rules.ranks):
        if place % CARDS_DEALT == 0:
            table = Table(rules=rules, hands=(anything, anything))
            found.append(([], []))
        found[-1][table.turn].append(card)
        table = table.play(card)
    return found


def hand_of(table: Table, seat: int) -> Hand:
    """All the cards that a side was dealt: those it holds and those it has laid."""
    laid = [trick.lead if trick.leader == seat else trick.follow for trick in table.tricks]
    led = [table.led] if table.led is not None and table.leader == seat else []
    return tuple(sorted((*table.hands[seat], *laid, *led)))


def laid_by(table: Table, seat: int) -> Hand:
    """The cards that a side has laid."""
    return tuple(sorted((Counter(hand_of(table, seat)) - Counter(table.hands[seat])).elements()))
