"""What `play` says at the table, in English and French, and how it reads an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cli.output import text
from solver.cards.notation import parse_history
from solver.coach.play import LiveHand, Match
from solver.errors import UsageError
from solver.report.wording import SPACE, Wording
from solver.rules.kinds import HandKind, hand_kind
from solver.rules.ladder import LadderPosition
from solver.rules.model import RuleSet
from solver.rules.outcome import Result
from solver.rules.score import ELDER, Prize
from solver.rules.words import SILENT, same_word

Lang = Literal["en", "fr"]

TEXTS: dict[Lang, dict[str, str]] = {
    "en": {
        "welcome": "{rules}, seed {seed}. Type a card or a word; ? is a hint, help explains, quit ends.",
        "hand": "Hand {number}. You {you}, opponent {opponent}. {seat}",
        "seat 0": "You are the elder and lead.",
        "seat 1": "You deal; the opponent leads.",
        "fortial mine": "You are at the fortial: look at your cards, then trut or pass.",
        "fortial theirs": "The opponent is at the fortial; only he looks at his cards.",
        "both_fortial": "Both are at the fortial: no bets, the winner wins the match.",
        "tenir mine": "You have two petits: hold or pass.",
        "tenir theirs": "The opponent has two petits and holds or passes.",
        "chanter": "Both have two petits: the hand is played for a long.",
        "status": "you {you}, opponent {opponent} | stake {stake} | table: {table}",
        "points": "{number}",
        "bet": "{before}, {after} if called",
        "whole": "the match",
        "petit": "a petit",
        "long": "a long",
        "empty": "empty",
        "your card": "you {card}",
        "their card": "opponent {card}",
        "cards": "your cards: {cards} | allowed: {allowed}",
        "enter": "{word} (Enter)",
        "or": "or lay a card",
        "opponent": "Opponent: {token}",
        "only": "You lay {card}, your only choice.",
        "trick mine": "You take the trick.",
        "trick theirs": "The opponent takes the trick.",
        "trick none": "The trick is spoiled.",
        "again": "Three rotten tricks: new cards for the same long.",
        "bad": "'{given}' is not allowed here; allowed: {allowed}.",
        "kept": "'{card}' is not laid: the opponent has spoken.",
        "won": "You win the hand: {amount}.",
        "lost": "The opponent wins the hand: {amount}.",
        "drawn": "Nobody wins the hand.",
        "redone": "Nobody wins the hand; the same dealer deals again.",
        "amount": "{number} points",
        "one": "1 point",
        "standing": "Hands played: {number}. You {you}, opponent {opponent}.",
        "match won": "You win the match.",
        "match lost": "The opponent wins the match.",
        "no hint": "The solution does not say anything about this moment.",
        "help": "Cards: {cards}. Words come with what is allowed. {silence}\n"
        "?     what the solution would do with your hand, and what each action is worth\n"
        "help  this text\nquit  end; what is recorded is kept",
        "silence": "Where {word} is allowed, Enter says nothing.",
    },
    "fr": {
        "welcome": "{rules}, graine {seed}. Tapez une carte ou un mot ; ? donne un conseil, aide explique, "
        "quitter finit.",
        "hand": "Coup {number}. Vous {you}, adversaire {opponent}. {seat}",
        "seat 0": "Vous êtes premier et entamez.",
        "seat 1": "Vous donnez ; l'adversaire entame.",
        "fortial mine": "Vous êtes au fortial : regardez vos cartes, puis trutez ou passez.",
        "fortial theirs": "L'adversaire est au fortial ; lui seul regarde ses cartes.",
        "both_fortial": "Les deux sont au fortial : pas de mise, qui gagne le coup gagne la partie.",
        "tenir mine": "Vous avez deux petits : tenez ou non.",
        "tenir theirs": "L'adversaire a deux petits ; il tient ou non.",
        "chanter": "Chacun a deux petits : le coup se joue pour un long.",
        "status": "vous {you}, adversaire {opponent} | enjeu {stake} | table : {table}",
        "points": "{number}",
        "bet": "{before}, {after} si tenu",
        "whole": "la partie",
        "petit": "un petit",
        "long": "un long",
        "empty": "vide",
        "your card": "vous {card}",
        "their card": "adversaire {card}",
        "cards": "vos cartes : {cards} | permis : {allowed}",
        "enter": "{word} (Entrée)",
        "or": "ou jouez une carte",
        "opponent": "Adversaire : {token}",
        "only": "Vous jouez {card}, votre seul choix.",
        "trick mine": "Vous faites la levée.",
        "trick theirs": "L'adversaire fait la levée.",
        "trick none": "La levée est pourrie.",
        "again": "Trois levées pourries : de nouvelles cartes pour le même long.",
        "bad": "« {given} » n'est pas permis ici ; permis : {allowed}.",
        "kept": "« {card} » n'est pas joué : l'adversaire a parlé.",
        "won": "Vous gagnez le coup : {amount}.",
        "lost": "L'adversaire gagne le coup : {amount}.",
        "drawn": "Personne ne gagne le coup.",
        "redone": "Personne ne gagne le coup ; le même donneur redonne.",
        "amount": "{number} points",
        "one": "1 point",
        "standing": "Coups joués : {number}. Vous {you}, adversaire {opponent}.",
        "match won": "Vous gagnez la partie.",
        "match lost": "L'adversaire gagne la partie.",
        "no hint": "La solution ne dit rien de ce moment.",
        "help": "Cartes : {cards}. Les mots sont donnés avec ce qui est permis. {silence}\n"
        "?        ce que la solution ferait de votre main, et ce que vaut chaque action\n"
        "aide     ce texte\nquitter  finir ; ce qui est noté est gardé",
        "silence": "Où « {word} » est permis, Entrée ne dit rien.",
    },
}

HINT, HELP, QUIT = "?", "help", "quit"
COMMANDS = {"?": HINT, "help": HELP, "aide": HELP, "quit": QUIT, "quitter": QUIT, "exit": QUIT}


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Everything said to the person at the table."""

    rules: RuleSet
    lang: Lang = "en"

    def phrase(self, key: str, **values: object) -> str:
        """A phrase with its gaps filled; French marks keep their space on the same line."""
        line = TEXTS[self.lang][key].format(**values)
        if self.lang == "fr":
            for mark in ":;?»":
                line = line.replace(f" {mark}", f"{SPACE}{mark}")
            line = line.replace("« ", f"«{SPACE}")
        return line

    def say(self, key: str, **values: object) -> None:
        """Print a phrase."""
        text(self.phrase(key, **values))

    def token(self, word: str) -> str:
        """A card or word of the game."""
        return Wording(self.lang).token(self.rules, word)

    def cards(self, cards: tuple[int, ...]) -> str:
        """Cards, the strongest first."""
        return Wording(self.lang).hand(self.rules, cards)

    def side(self, score: tuple[int, int]) -> str:
        """What one side has: points, or longs.petits."""
        return str(score[0]) if self.rules.tokens == "points" else f"{score[0]}.{score[1]}"

    def opening(self, match: Match, hand: LiveHand) -> None:
        """A hand begins."""
        you, opponent = (self.side(one) for one in match.standing())
        seat = self.phrase(f"seat {int(hand.human != ELDER)}")
        text("")
        self.say("hand", number=hand.number, you=you, opponent=opponent, seat=seat)
        key = kind_key(hand_kind(self.rules, match.score), hand.human)
        if key:
            self.say(key)

    def status(self, match: Match, hand: LiveHand) -> None:
        """Score, stake, cards on the table, own cards, what is allowed."""
        you, opponent = (self.side(one) for one in match.standing())
        self.say("status", you=you, opponent=opponent, stake=self.stake(hand), table=self.table(hand))
        self.say("cards", cards=self.cards(hand.cards()), allowed=self.allowed(hand))

    def standing(self, match: Match) -> None:
        """The score between hands."""
        you, opponent = (self.side(one) for one in match.standing())
        self.say("standing", number=match.number - 1, you=you, opponent=opponent)

    def stake(self, hand: LiveHand) -> str:
        """What the hand is played for, and what an open bet would make of it."""
        now = hand.position
        if not isinstance(now, LadderPosition):
            return self.phrase("long" if now.stake > 1 else "petit")
        stake = self.phrase("whole") if now.at_rest else str(now.stake)
        if now.bet is None:
            return stake
        after = self.phrase("whole") if now.bet.word == "rest" else str(now.bet.stake)
        return self.phrase("bet", before=stake, after=after)

    def table(self, hand: LiveHand) -> str:
        """Every trick with who laid which card, the open one last."""
        table = hand.position.table
        tricks = [[(one.leader, one.lead), (1 - one.leader, one.follow)] for one in table.tricks]
        if table.led is not None:
            tricks.append([(table.leader, table.led)])
        shown = [", ".join(self.laid(hand, seat, card) for seat, card in trick) for trick in tricks]
        return " / ".join(shown) or self.phrase("empty")

    def laid(self, hand: LiveHand, seat: int, card: int) -> str:
        """A card on the table and whose it is."""
        return self.phrase("your card" if seat == hand.human else "their card", card=self.cards((card,)))

    def allowed(self, hand: LiveHand) -> str:
        """What may be typed."""
        words = [self.token(word) for word in hand.position.legal if word != SILENT]
        if SILENT in hand.position.legal:
            words.append(self.phrase("enter", word=self.token(SILENT)))
            if hand.position.table.turn == hand.human:
                words.append(self.phrase("or"))
        return ", ".join(words)

    def read(self, hand: LiveHand, given: str) -> str | None:
        """The action that an answer means, or one that may follow when nobody speaks; None for neither."""
        legal, answer = hand.position.legal, " ".join(given.lower().split())
        if not answer and SILENT in legal:
            return SILENT
        own_card = SILENT in legal and hand.position.table.turn == hand.human
        known = [*legal, *(self.rules.ranks[card] for card in hand.cards() if own_card)]
        for word in known:
            if answer in (word.lower(), self.token(word).lower()):
                return word
        try:
            said = [same_word(token.word, known) for token in parse_history(self.rules, given)]
        except UsageError:
            return None
        return said[0] if len(said) == 1 and said[0] in known else None

    def explain(self, hand: LiveHand) -> None:
        """The answer to `help`."""
        silence = self.phrase("silence", word=self.token(SILENT)) if SILENT in hand.position.legal else ""
        cards = " ".join(self.cards((rank,)) for rank in range(len(self.rules.ranks)))
        self.say("help", cards=cards, silence=silence)

    def result(self, hand: LiveHand, result: Result) -> None:
        """How a hand ended."""
        if result.winner is None:
            self.say("redone" if result.again else "drawn")
            return
        paid = result.amount
        if isinstance(paid, Prize):
            amount = self.phrase("whole" if paid is Prize.MATCH else paid)
        else:
            amount = self.phrase("amount", number=paid) if paid > 1 else self.phrase("one")
        self.say("won" if result.winner == hand.human else "lost", amount=amount)


def kind_key(kind: HandKind, human: int) -> str:
    """Which phrase says what kind of hand it is, "" for an ordinary one."""
    if kind.side is not None:
        return f"{kind.name} {'mine' if kind.side == human else 'theirs'}"
    return kind.name if kind.for_long else ""
