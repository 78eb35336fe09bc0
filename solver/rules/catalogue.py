"""The rule sets by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from solver.errors import UsageError, near
from solver.rules import truc, trut
from solver.rules.model import RuleSet

_PRESETS: dict[str, RuleSet] = {rules.name: rules for rules in (*truc.PRESETS, *trut.PRESETS)}
_NO_OPTIONS: Mapping[str, str] = MappingProxyType({})


def names() -> list[str]:
    """The names of all rule sets."""
    return list(_PRESETS)


def load(name: str, options: Mapping[str, str] = _NO_OPTIONS) -> RuleSet:
    """The rule set called `name`, with options given as text changed.

    Raises UsageError for an unknown name or option (with the nearest one) or a bad value.
    """
    key = name.strip().lower()
    if key not in _PRESETS:
        raise UsageError(
            f"There is no rule set '{name}'.{near(key, _PRESETS)} The rule sets are: {', '.join(_PRESETS)}."
        )
    rules = _PRESETS[key]
    return rules.with_options(options) if options else rules
