"""Boards after new cards were dealt: a redeal (T9), and three further cards of which six keep three (G5).

States then also remember the earlier cards, so these are for small decks.
"""

from __future__ import annotations

import numpy as np

from solver.cards.deals import redeal_weights
from solver.cards.hands import HAND_SIZE, counts, multisets
from solver.tree.boards import BoardBuilder


def add_redeal(boards: BoardBuilder) -> None:
    """Spaces after a redeal (T9); a state is old hand · hands + what is held of the new one."""
    hands = len(multisets(HAND_SIZE, boards.n_ranks))
    weights = redeal_weights(boards.rules)
    boards.deals[hands] = weights, 1.0 / float(weights.sum())
    fresh = boards.first(memory=hands)
    old = np.repeat(np.arange(hands, dtype=np.int32), hands)
    boards.redeal = (fresh.number, boards.keep_link([old, old]))
    boards.grow(fresh, fresh.number)


def add_singing(boards: BoardBuilder) -> None:
    """Spaces after both have sung (G5): three more cards each, then each keeps three of six, unseen.

    What is remembered is the first hand and the three further cards (number first · hands + further). A hand that is
    no part of the six has a lane all the same; it hangs on one more state, which no deal leads to.
    """
    hands = len(multisets(HAND_SIZE, boards.n_ranks))
    dealt = np.arange(hands * hands, dtype=np.int32)
    held = counts(HAND_SIZE, boards.n_ranks)
    six = (held[:, None] + held[None, :]).reshape(hands * hands, -1)
    fits = np.asarray((held[None, :, :] <= six[:, None, :]).all(axis=2))
    kept = np.where(fits, dealt[:, None], hands * hands).reshape(-1).astype(np.int32)
    weights = redeal_weights(boards.rules).reshape(hands * hands, 1, hands * hands, 1)
    boards.deals[hands * hands] = weights * fits[:, :, None, None] * fits[None, None, :, :], 1.0 / float(weights.sum())
    unsure, sure = hands * hands + 1, hands * hands * hands
    first = np.append(np.repeat(np.arange(hands, dtype=np.int32), hands), np.int32(0))
    spaces = [boards.first(1), boards.first(1)]
    for space, sizes in zip(spaces, ((unsure, unsure), (sure, unsure)), strict=True):
        space.number, space.sizes = len(boards.spaces), sizes
        boards.spaces.append(space)
    fresh = boards.first(memory=hands * hands)
    boards.grow(fresh, fresh.number)
    same, chosen = np.arange(unsure, dtype=np.int32), np.arange(sure, dtype=np.int32)
    links = [boards.keep_link([first, first]), boards.keep_link([kept, same]), boards.keep_link([chosen, kept])]
    numbers = [spaces[0].number, spaces[1].number, fresh.number]
    boards.singing = tuple(zip(numbers, links, strict=True))
