"""The colours of charts and of the page to walk a strategy."""

from __future__ import annotations

# Okabe and Ito's palette: told apart by colour-blind readers, and by lightness in grey print.
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
GREY, PALE_GREY, EMPTY, INK = "#8C8C8C", "#CFCFCF", "#F1F1F1", "#222222"

COLOURS = {
    "high": BLUE, "middle": SKY, "low": YELLOW,
    "raise": ORANGE, "rest": VERMILION, "trut": VERMILION,
    "brelan": PURPLE, "tierce": ORANGE, "pair": BLACK,
    "call": GREEN, "see": GREEN, "hold": GREEN,
    "fold": GREY, "pass": GREY, "refuse": GREY, "silent": PALE_GREY,
}  # fmt: skip


def colour_of(part: str) -> str:
    """The colour of a word or of a card's place in the hand."""
    return COLOURS.get(part, PALE_GREY)
