"""One point of a solution as a chart shows it, and what the chart's title and caption say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.cards.notation import Token
from solver.report.mixes import Mix
from solver.report.wording import Wording, rules_text
from solver.rules.model import RuleSet
from solver.rules.score import format_score
from solver.strategy.solution import Solution


@dataclass(frozen=True, slots=True)
class Scene:
    """A solution, a history, the mix found there and the language to tell it in."""

    solution: Solution
    tokens: Sequence[Token]
    mix: Mix
    wording: Wording

    @property
    def rules(self) -> RuleSet:
        """The rules the solution was made for."""
        return self.solution.game.rules

    def title(self, kind: str) -> str:
        """Kind, game, score and history in a line."""
        score = format_score(self.rules, self.solution.game.score)
        history = self.wording.history(self.rules, self.tokens)
        return self.wording.named(self.wording.text(kind), f"{self.rules.name} {score}, {history}")

    def caption(self, *more: str) -> list[str]:
        """Sentences: what was solved and how well, the point, ``more``, the order of the hands."""
        say, mix = self.wording, self.mix
        acts = say.text(f"{'answers' if mix.answers else 'acts'} {mix.seat}")
        history = say.named(say.text("history"), say.history(self.rules, self.tokens))
        point = say.sentence([history, acts])
        pale = [say.text("pale")] if mix.rare.any() else []
        return [solution_text(self.solution, say), point, *more, say.text("order"), *pale]

    def hand_labels(self) -> list[str]:
        """The hands, strongest first."""
        return [self.wording.hand(self.rules, hand) for hand in self.mix.hands.tolist()]


def solution_text(solution: Solution, say: Wording, *more: str) -> str:
    """Rules with changed options, score, unit, exploitability and whatever else, as one sentence."""
    return say.sentence([*game_facts(solution, say), exploitability_text(solution, say), *more])


def game_facts(solution: Solution, say: Wording) -> list[str]:
    """Rules with changed options, score, unit."""
    game = solution.game
    return [
        say.named(say.text("rules"), rules_text(game.rules)),
        say.text("score", score=format_score(game.rules, game.score)),
        say.text(game.unit),
    ]


def exploitability_text(solution: Solution, say: Wording) -> str:
    """The claim of a solution with its unit."""
    number = say.number(max(solution.claim.exploitability, 0.0))
    return f"{say.text('exploitability')} {say.text(f'of {solution.game.unit}', number=number)}"
