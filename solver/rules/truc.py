"""The rule sets of Truc (section 2 of the rule book)."""

from __future__ import annotations

from dataclasses import replace

from solver.rules.model import RuleSet

TRUC = RuleSet(
    name="truc",
    lead_after_tie="previous_leader",
    target=12,
    betting="ladder",
    tokens="points",
    ladder=(1, 2, 4, 6, 8, 10, 12),
    remainder="initiative",
)
TRUC_LANES = replace(TRUC, name="truc-lanes", alternate_raises=True)

PRESETS = (TRUC, TRUC_LANES)
