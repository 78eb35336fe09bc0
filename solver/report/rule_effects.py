"""What each rule of Trut changes: a page made by running the solver on one rule set after the other.

Run as ``python -m solver.report.rule_effects PAGE``; ``make rule-effects`` does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from solver.cfr.solve import Limits
from solver.query.stats import statistics
from solver.rules import catalogue
from solver.rules.kinds import hand_kind
from solver.rules.score import parse_score
from solver.rules.words import TRUTS
from solver.solving.door import solve
from solver.solving.order import Question
from solver.strategy.run import Task
from solver.strategy.solution import Solution

TARGET = 0.0005

#: what is told of the variant, rule set, changed options, rule numbers
VARIANTS: tuple[tuple[str, str, dict[str, str], str], ...] = (
    ("Trut as it is", "trut", {}, "U1–U7"),
    ("a trut only before one's own card", "trut", {"trut_window": "own_turn"}, "U4"),
    ("no trut at all", "trut", {"trut_window": "off"}, "U2"),
    ("brelan may be announced", "trut-brelan", {}, "U8"),
    ("no fortial", "trut", {"fortial": "false"}, "U7"),
    ("the leader of a rotten trick leads again", "trut", {"lead_after_tie": "previous_leader"}, "K5"),
    ("three rotten tricks go to the elder", "trut", {"all_tied": "elder"}, "K6"),
    ("Gâtine as it is", "trut-gatine", {}, "G1–G6"),
    ("Gâtine with labels", "trut-gatine", {"labels": "true"}, "G7"),
    ("Gâtine without tenir", "trut-gatine", {"tenir": "false"}, "G4"),
    ("Gâtine without tout pâté", "trut-gatine", {"tout_pate": "0"}, "G6"),
)
SCORES = ("0.0-0.0", "6.2-3.0", "6.2-6.2")


@dataclass(frozen=True, slots=True)
class Effect:
    """One solved hand. Rates are chances: of a trut in a hand, and of a fold when there is one."""

    variant: str
    rules: str
    numbers: str
    score: str
    kind: str
    value: float
    error: float
    trut: float
    fold: float | None


def solve_variant(name: str, options: dict[str, str], score: str) -> Solution:
    """The hand of a variant at a score, in points, to ``TARGET``."""
    rules = catalogue.load(name, options)
    return solve(Question(rules, parse_score(rules, score)), Task(limits=Limits(TARGET, 100_000)))


def effects() -> Iterator[Effect]:
    """Every variant at every score."""
    for told, name, options, numbers in VARIANTS:
        for score in SCORES:
            solution = solve_variant(name, options, score)
            said = {row["word"]: row["chosen"] for row in statistics(solution, ("word",))}
            bets, folds = sum(said.get(word, 0.0) for word in (*TRUTS, "hold")), said.get("fold", 0.0)
            kind = hand_kind(solution.game.rules, solution.game.score).name
            command = " ".join([name, *(f"--set {key}={value}" for key, value in options.items())])
            yield Effect(
                told, command, numbers, score, kind, solution.claim.value, solution.claim.exploitability,
                bets, folds / bets if bets > 0 and folds > 0 else None,
            )  # fmt: skip


def page(found: list[Effect]) -> str:
    """The page, in Markdown."""
    lines = [
        "# What each rule changes",
        "",
        "Made by `make rule-effects`: every line is a hand solved in points (petit 1, long 3; U9), the value is the",
        f"elder's, ± its exploitability (below {TARGET}). *Trut* is the chance that somebody truts in the hand (at the",
        "fortial and with tenir: that the side there truts or holds), *fold* the chance that a trut is folded to.",
        "Scores are longs.petits, elder first; in points an ordinary hand does not depend on the score, so only the",
        "special hands differ between scores. In Gâtine 6.2-3.0 is a hand with tenir, 6.2-6.2 one with chanter.",
        "",
        "| rule | score | hand | value | trut | fold | command |",
        "|---|---|---|---:|---:|---:|---|",
    ]
    for effect in found:
        fold = "–" if effect.fold is None else f"{100 * effect.fold:.1f} %"
        lines.append(
            f"| {effect.variant} ({effect.numbers}) | {effect.score} | {effect.kind.replace('_', ' ')} "
            f"| {effect.value:+.4f} ± {effect.error:.4f} | {100 * effect.trut:.1f} % | {fold} "
            f"| `truc-solve solve {effect.rules} --score {effect.score} --target {TARGET}` |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(list(effects())), "utf-8")
