"""`rules`: the rule sets, and the options of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import FormatOption, JsonOption, OutOption, SetOption
from cli.output import emit, note
from cli.rows import Column

if TYPE_CHECKING:
    from solver.rules.model import RuleSet

NameArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME", show_default=False, help="The rule set to show; without it, a list of all."
    ),
]


def rules(
    name: NameArgument = None,
    settings: SetOption = None,
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
) -> None:
    """List the rule sets, or show every option of one: its value, what it means and the number of its rule.

    Example:
      truc-solve rules
      truc-solve rules truc --set ranks=3 --set remainder=both
    """
    from solver.errors import UsageError

    if name is None:
        if settings:
            raise UsageError(
                "--set changes one rule set: name it, as in truc-solve rules truc --set ranks=3."
            )
        _list(json, format, out)
    else:
        _show(name, settings, json, format, out)


def _list(json: bool, format: FormatOption, out: OutOption) -> None:
    from solver.rules import catalogue

    sets = [catalogue.load(name) for name in catalogue.names()]
    columns = None if json or format in ("json", "parquet") else _LIST_COLUMNS
    emit([_summary(one) for one in sets], json=json, format=format, out=out, columns=columns)
    if not json and format is None and out is None:
        note("`truc-solve rules NAME` shows every option of one.")


_LIST_COLUMNS = [
    Column("name", "rule set"),
    Column("deck"),
    Column("bets"),
    Column("won_hands", "won hands pay"),
    Column("target", "match"),
    Column("fingerprint"),
]


def _summary(one: RuleSet) -> dict[str, Any]:
    """One line of the list; `options` is for scripts, the rest for people."""
    options = one.options()
    copies = {str(copy) for copy in one.copies}
    return {
        "name": one.name,
        "options": options,
        "fingerprint": one.fingerprint,
        "deck": f"{' '.join(one.ranks)}, {copies.pop() if len(copies) == 1 else 'mixed'} each",
        "bets": one.betting,
        "won_hands": one.tokens,
        "target": one.target,
    }


def _show(name: str, settings: SetOption, json: bool, format: FormatOption, out: OutOption) -> None:
    from cli.options import rule_set

    chosen = rule_set(name, settings)
    if json or format == "json" or (format is None and out is not None and out.suffix == ".json"):
        whole: dict[str, Any] = {
            "name": chosen.name,
            "options": chosen.options(),
            "fingerprint": chosen.fingerprint,
        }
        whole["meanings"] = [_option(one) for one in chosen.describe()]
        emit(whole, json=json, format=format, out=out)
        return
    rows = [_option(one) for one in chosen.describe()]
    emit(rows, format=format, out=out, title=f"{chosen.name}, fingerprint {chosen.fingerprint}")


def _option(info: Any) -> dict[str, Any]:
    value = info.value
    shown = str(value).lower() if isinstance(value, bool) else value
    if isinstance(value, tuple):
        shown = ",".join(str(item) for item in value)
    return {
        "option": info.name,
        "value": str(shown),
        "meaning": info.meaning,
        "rule": info.rule,
        "allowed": info.allowed,
    }
