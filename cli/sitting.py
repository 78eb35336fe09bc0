"""A person and the solution at the table: who acts, what is asked, what is shown.

Imports the solver, so the command imports it inside its body.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from cli.commands.query import COLUMNS, rows_of
from cli.dialogue import COMMANDS, HINT, QUIT, Dialogue
from cli.output import emit
from solver.coach.play import LiveHand, Match, Solutions
from solver.coach.record import HandRecord
from solver.coach.stored import solution_at
from solver.query.advise import Advice
from solver.report.wording import rules_text
from solver.rules.words import SILENT
from solver.strategy.solution import Solution

HUMAN, OPPONENT = "you", "solution"


class Quit(Exception):  # noqa: N818
    """The person has had enough."""


class Sitting:
    """A person and the solution at the table."""

    def __init__(self, match: Match, talk: Dialogue, solutions: Solutions, keep: Callable[[HandRecord], None]) -> None:
        """`keep` gets every hand in which something was said."""
        self.match, self.talk, self.solutions, self.keep = match, talk, solutions, keep
        self.ready = ""

    def play(self, most: int | None) -> None:
        """Hand after hand, until the match is over, `most` hands are played, or the person quits.

        KeyboardInterrupt and EOFError of the terminal are passed on; what was begun is kept before.
        """
        self.talk.say("welcome", rules=rules_text(self.match.rules), seed=self.match.seed)
        with suppress(Quit):
            self.play_hands(most)

    def play_hands(self, most: int | None) -> None:
        """Hand after hand; Quit when the person has had enough."""
        while self.match.winner is None and (most is None or self.match.number <= most):
            hand = self.match.deal()
            self.talk.opening(self.match, hand)
            try:
                self.play_hand(hand)
            finally:
                if hand.said or hand.position.result is not None:
                    self.keep(hand.record(HUMAN, OPPONENT))
            assert hand.position.result is not None, "the hand is over"
            self.talk.result(hand, hand.position.result)
            self.match.settle(hand)
        if self.match.winner is None:
            self.talk.standing(self.match)
        else:
            self.talk.say("match won" if self.match.winner else "match lost")

    def play_hand(self, hand: LiveHand) -> None:
        """Turn after turn until the hand is over."""
        self.ready = ""
        while hand.position.to_act is not None:
            before = (len(hand.position.tricks), hand.dealt_again())
            if hand.humans_turn:
                hand.play(self.answer(hand))
            else:
                self.opponents_turn(hand)
            self.tell_trick(hand, before)

    def opponents_turn(self, hand: LiveHand) -> None:
        """What the opponent does, said aloud; silence is not."""
        token = hand.opponents_choice(self.solutions)
        hand.play(token)
        if token == SILENT:
            return
        self.talk.say("opponent", token=self.talk.token(token))
        if self.ready and token not in self.match.rules.ranks:
            self.talk.say("kept", card=self.talk.token(self.ready))
            self.ready = ""

    def tell_trick(self, hand: LiveHand, before: tuple[int, int]) -> None:
        """Who took a trick that was just finished."""
        tricks = hand.position.tricks
        if hand.dealt_again() > before[1]:
            self.talk.say("trick none")
            self.talk.say("again")
        elif len(tricks) > before[0]:
            winner = tricks[-1].winner
            self.talk.say("trick none" if winner is None else "trick mine" if winner == hand.human else "trick theirs")

    def answer(self, hand: LiveHand) -> str:
        """A legal action of the person's; a card given before the other could speak is laid when its turn comes."""
        legal, ranks = hand.position.legal, self.match.rules.ranks
        if self.ready in legal:
            ready, self.ready = self.ready, ""
            return ready
        if len(legal) == 1:
            self.talk.say("only", card=self.talk.token(legal[0]))
            return legal[0]
        word = self.asked(hand)
        if word not in legal:
            self.ready, word = word, SILENT
        elif word in ranks:
            self.ready = ""
        return word

    def asked(self, hand: LiveHand) -> str:
        """Ask until an answer means an action; hints, help and quit on the way."""
        self.talk.status(self.match, hand)
        while True:
            given = prompted()
            command = COMMANDS.get(given.strip().lower(), "")
            if command == QUIT:
                raise Quit
            if command:
                self.hint(hand) if command == HINT else self.talk.explain(hand)
                continue
            word = self.talk.read(hand, given)
            if word is not None:
                return word
            self.talk.say("bad", given=given.strip(), allowed=self.talk.allowed(hand))

    def hint(self, hand: LiveHand) -> None:
        """What the solution would do with the person's cards, and what every action is worth."""
        solution = solution_at(self.solutions(self.match.score), hand.position)
        advice = hand.hint(self.solutions)
        if advice is None or solution is None:
            self.talk.say("no hint")
            return
        self.show(hand, advice, solution)

    def show(self, hand: LiveHand, advice: Advice, solution: Solution) -> None:
        """The table of a hint, and of the card that would follow it."""
        unit = "points" if solution.game.unit == "points" else "chance of the match"
        if solution.game.rules.fingerprint != self.match.rules.fingerprint:
            unit = "chance of the long"
        cards = self.talk.cards(hand.whole_hand())
        for one in (advice, advice.then):
            if one is not None:
                title = ", ".join((cards, unit, *one.marks))
                emit(rows_of(one, solution, self.talk.lang), columns=COLUMNS, title=title)


def prompted() -> str:
    """One line from the terminal; EOFError at its end, KeyboardInterrupt at Ctrl-C."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  (input() then lets lines be edited)
    return input("> ")
