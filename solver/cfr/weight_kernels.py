"""Compiled weights of cards: values at the ends of the hand, and the last trick, which is seen as a class.

Everything is done eight numbers at a time, what is left over one by one.
"""

from __future__ import annotations

import numpy as np

from solver.cfr.eight_kernels import ZERO, U, eight, plus, put, spread, times
from solver.jit import borrower


@borrower
def multiply(matrix, start, work, vector, scale, out, n, m):  # type: ignore[no-untyped-def]
    """out[i] = scale · sum_j matrix[start + j·n + i] · vector[j] for i < n, j < m; even j and odd j apart."""
    whole = n - n % 8
    for base in range(0, whole, 8):
        k, even, odd = U(start + base), spread(ZERO), spread(ZERO)
        for j in range(0, m - 1, 2):
            even = plus(even, times(eight(matrix, k), spread(work[U(vector + j)])))
            odd = plus(odd, times(eight(matrix, k + U(n)), spread(work[U(vector + j + 1)])))
            k += U(2 * n)
        if m % 2:
            even = plus(even, times(eight(matrix, k), spread(work[U(vector + m - 1)])))
        put(work, U(out + base), times(plus(even, odd), spread(scale)))
    for i in range(whole, n):
        last = ZERO
        for j in range(m):
            last += matrix[U(start + j * n + i)] * work[U(vector + j)]
        work[U(out + i)] = last * scale


@borrower
def reveal_down(apart, tied, board, work, reach, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Follower's reach by (class, lead): reach of his cards times the weight of both cards, summed over each class.

    apart, tied   weights of a board, see ``layout.Matrices``; board: the first one
    """
    whole = ranks - ranks % 8
    for b in range(boards):
        start, same = 2 * (board + b) * ranks * ranks, (board + b) * ranks
        vector, at = reach + b * ranks, out + 3 * b * ranks
        for base in range(0, whole, 8):
            k, lose, win = U(start + base), spread(ZERO), spread(ZERO)
            for card in range(ranks):
                x = spread(work[U(vector + card)])
                lose = plus(lose, times(eight(apart, k), x))
                win = plus(win, times(eight(apart, k + U(ranks)), x))
                k += U(2 * ranks)
            put(work, U(at + base), lose)
            put(work, U(at + ranks + base), times(eight(tied, U(same + base)), eight(work, U(vector + base))))
            put(work, U(at + 2 * ranks + base), win)
        for lead in range(whole, ranks):
            for part in range(2):
                total, k = ZERO, start + part * ranks + lead
                for card in range(ranks):
                    total += apart[U(k + 2 * ranks * card)] * work[U(vector + card)]
                work[U(at + 2 * part * ranks + lead)] = total
            work[U(at + ranks + lead)] = tied[U(same + lead)] * work[U(vector + lead)]


@borrower
def reveal_up(apart, tied, board, work, below, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Follower's value of his cards from that of (class, lead), turned about: ``apart`` has leads for rows."""
    whole = ranks - ranks % 8
    for b in range(boards):
        start, same = 2 * (board + b) * ranks * ranks, (board + b) * ranks
        vector, at = below + 3 * b * ranks, out + b * ranks
        for base in range(0, whole, 8):
            k, lose, win = U(start + base), spread(ZERO), spread(ZERO)
            for lead in range(ranks):
                lose = plus(lose, times(eight(apart, k), spread(work[U(vector + lead)])))
                x = spread(work[U(vector + 2 * ranks + lead)])
                win = plus(win, times(eight(apart, k + U(ranks)), x))
                k += U(2 * ranks)
            tie = times(eight(tied, U(same + base)), eight(work, U(vector + ranks + base)))
            put(work, U(at + base), plus(plus(lose, tie), win))
        for card in range(whole, ranks):
            total, k = tied[U(same + card)] * work[U(vector + ranks + card)], start + card
            for lead in range(ranks):
                total += apart[U(k + 2 * ranks * lead)] * work[U(vector + lead)]
                total += apart[U(k + 2 * ranks * lead + ranks)] * work[U(vector + 2 * ranks + lead)]
            work[U(at + card)] = total


@borrower
def show_leader(lose, tie, win, work, mass, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Leader's value of showing the last cards: sum over classes of payoff · follower's mass."""
    whole = ranks - ranks % 8
    for b in range(boards):
        at, q = U(out + b * ranks), U(mass + 3 * b * ranks)
        for x in range(0, whole, 8):
            total = times(spread(lose), eight(work, q + U(x)))
            total = plus(total, times(spread(tie), eight(work, q + U(ranks + x))))
            put(work, at + U(x), plus(total, times(spread(win), eight(work, q + U(2 * ranks + x)))))
        for x in range(whole, ranks):
            total = lose * work[q + U(x)] + tie * work[q + U(ranks + x)]
            work[at + U(x)] = total + win * work[q + U(2 * ranks + x)]


@borrower
def show_follower(lose, tie, win, work, reach, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Follower's value of (class, lead): payoff of the class times the leader's reach."""
    whole = ranks - ranks % 8
    for b in range(boards):
        at, p = U(out + 3 * b * ranks), U(reach + b * ranks)
        for x in range(0, whole, 8):
            r = eight(work, p + U(x))
            put(work, at + U(x), times(spread(lose), r))
            put(work, at + U(ranks + x), times(spread(tie), r))
            put(work, at + U(2 * ranks + x), times(spread(win), r))
        for x in range(whole, ranks):
            r = work[p + U(x)]
            work[at + U(x)] = lose * r
            work[at + U(ranks + x)] = tie * r
            work[at + U(2 * ranks + x)] = win * r


@borrower
def show_ties(share, start, prize, sign, to_leader, work, reach, out, ranks, boards):  # type: ignore[no-untyped-def]
    """Add the payoff of a spoiled last trick on the tie class: by the elder's share of the prize, a board and lead.

    prize   elder's payoffs when he wins, and when he loses what is redealt for (G6)
    """
    win, lose = prize
    for b in range(boards):
        for x in range(ranks):
            payoff = sign * np.float32(lose + (win - lose) * share[U(start + b * ranks + x)])
            wide, narrow = (3 * b + 1) * ranks + x, b * ranks + x
            if to_leader:
                work[U(out + narrow)] += payoff * work[U(reach + wide)]
            else:
                work[U(out + wide)] += payoff * work[U(reach + narrow)]
