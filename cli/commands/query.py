"""`query`: what to do with a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.options import (
    AskedUnitOption,
    FormatOption,
    HandOption,
    HistoryOption,
    JsonOption,
    OutOption,
    QuietOption,
    ResultsOption,
    ScoreOption,
    SetOption,
    TargetArgument,
)
from cli.output import Format, emit
from cli.rows import Column

if TYPE_CHECKING:
    from solver.query.advise import Advice
    from solver.rules.model import RuleSet
    from solver.strategy.solution import Solution

LangOption = Annotated[
    Literal["en", "fr"],
    typer.Option(
        "--lang", metavar="LANG", rich_help_panel="How to print", help="Language of cards and words: en or fr."
    ),
]
WhyOption = Annotated[
    bool,
    typer.Option(
        "--why",
        metavar="",
        rich_help_panel="How to print",
        help="Explain: chances to win the hand, what folding costs, what the other side holds by now.",
    ),
]
THEN = "then, if nobody speaks"
COLUMNS = (
    Column("action"),
    Column("frequency", "", ".1%"),
    Column("ev", "expected value", "+.4f"),
    Column("loss", "", ".4f"),
    Column("mark", " "),
)
RANGE_COLUMNS = (
    Column("class"),
    Column("share", "", ".1%"),
    Column("dealt", "by the cards", ".1%"),
    Column("bar", " "),
)


def query(
    target: TargetArgument,
    hand: HandOption,
    history: HistoryOption = "",
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: AskedUnitOption = None,
    results: ResultsOption = None,
    why: WhyOption = False,
    lang: LangOption = "en",
    json: JsonOption = False,
    format: FormatOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Say what to do with a hand: how often to take each action, what it is worth, what it loses.

    Values are those of the side that acts, if it goes on as well as it can against the other's strategy. An
    action that loses less than twice the exploitability is marked indifferent: other mixes are as good. A hand
    that the solution plays this far in less than one of a thousand of its deals is marked hardly ever reached:
    its figures are not to be trusted.

    With --why: chances are of winning the hand, both sides playing the solution, a bet or call being called; the
    chart shows the other side's hands by class (77x: two sevens and a card; 7x: three different, the seven the
    best), by now and by the cards alone.

    Example:
      truc-solve query truc --hand "7 8 A"
      truc-solve query truc --hand 77T --history "K raise" --json
      truc-solve query truc --hand "8 A K" --history "K raise" --why
      truc-solve query trut --score 5.2-6.0 --hand "R D V" --lang fr
    """
    from cli.targets import Target, open_target
    from solver.book.reading import answers
    from solver.errors import UsageError
    from solver.query.advise import advise

    check_texts(target, settings, (hand, history))
    if why and (format in ("csv", "parquet") or (out is not None and not json)):
        raise UsageError("--why is for reading or for JSON: leave out --out, csv and parquet, or add --json.")
    asked = Target(target, settings, score, unit, results, quiet)
    solution = open_target(asked, None if why else lambda page: answers(page, hand, history))
    advice = advise(solution, hand, history)
    if json or format == "json":
        reasons = {"why": why_keys(solution, (hand, history), lang)} if why else {}
        emit({**for_scripts(solution, advice), **reasons}, json=json, format=format, out=out)
        return
    emit(for_people(solution, advice, lang), format=format, out=out, columns=COLUMNS)
    if advice.then is not None and out is None and format in (None, "table", "markdown"):
        emit(rows_of(advice.then, solution, lang), format=format, columns=COLUMNS, title=THEN)
    if why:
        explain(why_keys(solution, (hand, history), lang), format)


def why_keys(solution: Solution, asked: tuple[str, str], lang: Literal["en", "fr"]) -> dict[str, Any]:
    """The reasons of a decision, in sentences and in numbers."""
    from solver.query.why import why
    from solver.report.reasons import range_rows, range_title, sentences

    found, rules = why(solution, *asked), solution.game.rules
    return {
        "sentences": sentences(found, rules, solution.game.unit, lang),
        "wins": found.wins,
        "called": {one.word: {"folds": one.folds, "wins": one.wins} for one in found.called},
        "fold_costs": found.fold_costs,
        "title": range_title(found, rules, lang),
        "range": range_rows(found),
    }


def explain(reasons: dict[str, Any], format: Format | None) -> None:
    """The reasons for people: sentences, then the other side's hands as bars."""
    from cli.output import paragraphs

    paragraphs([*reasons["sentences"], ""])
    if reasons["range"]:
        columns = [
            Column("class"),
            Column("share", "", ".1%"),
            Column("dealt", "by the cards", ".1%"),
            Column("bar", " "),
        ]
        emit(reasons["range"], format=format, columns=columns, title=reasons["title"])


def check_texts(target: str, settings: list[str] | None, texts: tuple[str, str]) -> None:
    """Refuse a bad hand or history of a rule set by name before anything is looked for or solved."""
    from cli.options import rule_set
    from solver.cards.notation import parse_hand, parse_history
    from solver.rules import catalogue

    if target.strip().lower() in catalogue.names():
        rules = rule_set(target, settings)
        parse_hand(rules, texts[0])
        parse_history(rules, texts[1])


def for_scripts(solution: Solution, advice: Advice) -> dict[str, Any]:
    """The promised keys, and which solution they come from."""
    from solver.rules.score import format_score

    game = solution.game
    about = {
        "rules": game.rules.name,
        "fingerprint": game.rules.fingerprint,
        "score": format_score(game.rules, game.score),
        "unit": game.unit,
        "exploitability": solution.claim.exploitability,
        "path": solution.path,
    }
    return {**told(advice), **about, "then": None if advice.then is None else told(advice.then)}


def told(advice: Advice) -> dict[str, Any]:
    """One decision as JSON keys."""
    names = ("hand", "history", "to_act", "reach", "arrival", "value", "actions", "marks")
    return {name: getattr(advice, name) for name in names}


def for_people(solution: Solution, advice: Advice, lang: Literal["en", "fr"]) -> dict[str, Any]:
    """A headline of facts and a table of the actions."""
    from solver.report.wording import Wording

    say, rules = Wording(lang), solution.game.rules
    facts: dict[str, Any] = {
        "solution": headline(solution),
        "hand": say.hand(rules, hand_cards(rules, advice.hand)),
        "history": advice.history or "none, the hand begins",
        "to act": advice.to_act,
        "value": advice.value,
        "reach": f"{advice.reach:.3g}, in {advice.arrival:.1%} of the deals that allow it",
    }
    if advice.marks:
        facts["marks"] = ", ".join(advice.marks)
    facts["actions"] = rows_of(advice, solution, lang)
    return facts


def hand_cards(rules: RuleSet, hand: str) -> list[int]:
    """Ranks of a hand as it is printed."""
    return [rules.ranks.index(label) for label in hand.split()]


def rows_of(advice: Advice, solution: Solution, lang: Literal["en", "fr"]) -> list[dict[str, Any]]:
    """The actions of a decision for people, a row each."""
    from solver.report.wording import Wording

    say, rules = Wording(lang), solution.game.rules
    return [
        {
            "action": say.token(rules, one.action) if one.action in rules.ranks else say.word(rules, one.action),
            "frequency": one.frequency,
            "ev": one.ev,
            "loss": one.loss,
            "mark": "indifferent" if one.indifferent else "",
        }
        for one in advice.actions
    ]


def headline(solution: Solution) -> str:
    """Which game, at which score, in which unit, how well solved."""
    from solver.report.wording import rules_text
    from solver.rules.score import format_score

    game = solution.game
    unit = "points" if game.unit == "points" else "chance of the match"
    return (
        f"{rules_text(game.rules)} at {format_score(game.rules, game.score)}, unit {unit}, "
        f"exploitability {solution.claim.exploitability:.3g}"
    )
