"""Kuhn and Leduc poker: two games whose value everybody knows, to check the judges themselves."""

from __future__ import annotations

from itertools import product

from .extensive import Chance, Deal, Decision, Game, History, InfoSet, Node, Terminal


def kuhn() -> Game:
    """Kuhn 1950: cards J Q K, ante 1, one bet of 1, no raise. Value -1/18 to seat 0."""

    def grow(cards: tuple[int, int], history: History) -> Node:
        words = [word for _, word in history]
        showdown = 1 if cards[0] > cards[1] else -1
        if words in (["check", "check"],):
            return Terminal(showdown)
        if words[-2:] == ["bet", "call"]:
            return Terminal(2 * showdown)
        if words[-2:] == ["bet", "fold"]:
            return Terminal(1 if history[-2][0] == 0 else -1)
        seat = len(history) % 2
        actions = ("fold", "call") if words[-1:] == ["bet"] else ("check", "bet")
        children = tuple(grow(cards, (*history, (seat, action))) for action in actions)
        return Decision(InfoSet(seat, cards[seat], history), actions, children)

    return Game(
        "kuhn", tuple(Deal(1, (a, b), grow((a, b), ())) for a, b in product(range(3), repeat=2) if a != b)
    )


def leduc() -> Game:
    """Southey et al. 2005: three ranks twice, ante 1, bets of 2 then 4, two bets a round.

    Value -0.085606424078 to seat 0. Cards are ranks 0..2 weighted by how many physical cards they stand for.
    """

    def copies(card: int, gone: tuple[int, ...]) -> int:
        return 2 - gone.count(card)

    deals = []
    for a, b in product(range(3), repeat=2):
        deals.append(Deal(2 * copies(b, (a,)), (a, b), _betting((a, b), None, (1, 1), 0, (), ())))
    return Game("leduc", tuple(deals))


def _betting(
    cards: tuple[int, int],
    board: int | None,
    paid: tuple[int, int],
    raises: int,
    words: tuple[str, ...],
    history: History,
) -> Node:
    """One betting round of Leduc: `paid` is what each player has put in, `words` is said in this round."""
    seat = len(words) % 2
    facing = paid[1 - seat] > paid[seat]
    actions = (("fold", "call") if facing else ("check",)) + (("raise",) if raises < 2 else ())

    def follow(action: str) -> Node:
        said = (*words, action)
        after = (*history, (seat, action))
        if action == "fold":
            return Terminal(-paid[0] if seat == 0 else paid[1])
        if action == "raise":
            bet = paid[1 - seat] + (2 if board is None else 4)
            raised = (bet, paid[1]) if seat == 0 else (paid[0], bet)
            return _betting(cards, board, raised, raises + 1, said, after)
        level = max(paid)
        if action == "check" and len(said) == 1:
            return _betting(cards, board, paid, raises, said, after)
        return _showdown(cards, board, level) if board is not None else _turn(cards, level, after)

    return Decision(InfoSet(seat, cards[seat], history), actions, tuple(follow(action) for action in actions))


def _turn(cards: tuple[int, int], level: int, history: History) -> Node:
    """The public card: a chance node; the board enters the public history as seat 2's token."""
    branches = []
    for board in range(3):
        weight = 2 - cards.count(board)
        if weight:
            after = (*history, (2, str(board)))
            branches.append((weight, _betting(cards, board, (level, level), 0, (), after)))
    return Chance(tuple(branches))


def _showdown(cards: tuple[int, int], board: int, level: int) -> Node:
    strength = [(card == board, card) for card in cards]
    if strength[0] == strength[1]:
        return Terminal(0)
    return Terminal(level if strength[0] > strength[1] else -level)
