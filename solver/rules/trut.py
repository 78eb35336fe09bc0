"""The rule sets of Trut (section 3 of the rule book) and of Trut of Gâtine (section 4)."""

from __future__ import annotations

from dataclasses import replace

from solver.rules.model import RuleSet

TRUT = RuleSet(
    name="trut",
    lead_after_tie="rotter",
    target=7,
    betting="trut",
    tokens="exchange",
    trut_window="any_time",
    winner_keeps_petits=True,
    fortial=True,
)
TRUT_BRELAN = replace(TRUT, name="trut-brelan", brelan=True)
TRUT_MINI = replace(TRUT, name="trut-mini", ranks=TRUT.ranks[:3], copies=TRUT.copies[:3])

TRUT_GATINE = RuleSet(
    name="trut-gatine",
    ranks=("8", "7", "A", "K", "Q", "J", "T", "9"),
    lead_after_tie="rotter",
    target=7,
    betting="trut",
    tokens="keep",
    trut_window="any_time",
    tenir=True,
    chanter="theorem",
    tout_pate=4,
)
TRUT_GATINE_MINI = replace(
    TRUT_GATINE, name="trut-gatine-mini", ranks=TRUT_GATINE.ranks[:3], copies=TRUT_GATINE.copies[:3]
)

PRESETS = (TRUT, TRUT_BRELAN, TRUT_GATINE, TRUT_MINI, TRUT_GATINE_MINI)
