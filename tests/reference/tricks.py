"""The bare trick game K3 to K6 without any betting, written without the referee: one point to the winner."""

from __future__ import annotations

from collections.abc import Sequence

from .deck import Hand, deals, remove
from .extensive import Deal, Game, History, InfoSet, Node, Terminal, choose


def hand_winner(tricks: Sequence[int | None]) -> int | str | None:
    """K6: seat 0 or 1 once the hand is won, "nobody" after three spoiled tricks, None while it goes on."""
    won = [seat for seat in tricks if seat is not None]
    spoiled = len(won) < len(tricks)
    if spoiled and won:
        return won[0]
    for seat in (0, 1):
        if won.count(seat) == 2:
            return seat
    return "nobody" if len(tricks) == 3 else None


def no_bets(
    copies: Sequence[int],
    rotter_leads: bool = False,
    elder_takes_ties: bool = False,
    skip_forced: bool = True,
) -> Game:
    """The trick game on ranks 0 (strongest) .. n-1; payoff +1, -1, or 0 for three spoiled tricks.

    Args:
        copies: copies of each rank.
        rotter_leads: K5, the follower of a spoiled trick leads next (Trut); else the same leader (Truc).
        elder_takes_ties: K6, three spoiled tricks go to seat 0.
        skip_forced: leave out decisions with one action.
    """
    end = {0: Terminal(1), 1: Terminal(-1), "nobody": Terminal(1 if elder_takes_ties else 0)}

    def grow(
        whole: tuple[Hand, Hand],
        held: tuple[Hand, Hand],
        lead: int,
        led: int | None,
        won: tuple[int | None, ...],
        history: History,
    ) -> Node:
        winner = hand_winner(won)
        if winner is not None:
            return end[winner]
        seat = lead if led is None else 1 - lead

        def follow(token: str) -> Node:
            card = int(token)
            rest = remove(held[seat], card)
            after = (rest, held[1]) if seat == 0 else (held[0], rest)
            told = (*history, (seat, token))
            if led is None:
                return grow(whole, after, lead, card, won, told)
            if card == led:
                return grow(whole, after, 1 - lead if rotter_leads else lead, None, (*won, None), told)
            best = lead if led < card else seat
            return grow(whole, after, best, None, (*won, best), told)

        cards = tuple(str(card) for card in sorted(set(held[seat])))
        return choose(InfoSet(seat, whole[seat], history), cards, follow, skip_forced)

    dealt = tuple(Deal(w, (a, b), grow((a, b), (a, b), 0, None, (), ())) for w, a, b in deals(copies))
    return Game(f"no bets, copies {tuple(copies)}", dealt)
