"""One sweep of the tabular CFR against its definition, and convergence of every rule."""

from fractions import Fraction

import pytest

from tests.reference import brute, cfr, poker, tricks
from tests.reference.extensive import Game, InfoSet, Number, infosets, uniform
from tests.reference.sequence_form import Sequences, payoff_matrix


def own_path(side: Sequences, infoset: InfoSet) -> dict[InfoSet, str]:
    """The own choices that lead to an information set."""
    chosen = {number: key for key, number in side.number.items()}
    path: dict[InfoSet, str] = {}
    at = side.parent[infoset]
    while at:
        key, action = chosen[at]
        path[key] = action
        at = side.parent[key]
    return path


@pytest.mark.parametrize("game", [poker.kuhn(), tricks.no_bets((2, 2, 2))], ids=lambda g: g.name)
def test_first_regrets_are_the_gains_of_going_there_and_choosing(game: Game) -> None:
    """r(I, a) is the gain of steering to I and choosing a there, not the current mixture."""
    run = cfr.CFR(game, cfr.plain, t=1)
    run.sweep(0)
    sides, _ = payoff_matrix(game)
    for infoset, actions in infosets(game).items():
        if infoset.seat == 1:
            continue
        path = own_path(sides[0], infoset)
        steered = uniform(game) | {key: pure(infosets(game)[key], choice) for key, choice in path.items()}
        stay = brute.expected_value(game, steered)
        for action in actions:
            gain = brute.expected_value(game, steered | {infoset: pure(actions, action)}) - stay
            assert run.regret[infoset][action] == pytest.approx(float(gain), abs=1e-14)


def pure(actions: tuple[str, ...], choice: str) -> dict[str, Number]:
    return {action: Fraction(action == choice) for action in actions}


@pytest.mark.parametrize(
    ("rule", "gamma", "below"),
    [(cfr.plain, 0.0, 0.02), (cfr.linear, 1.0, 0.004), (cfr.plus, 1.0, 0.004), (cfr.discounted, 2.0, 0.004)],
)
def test_every_rule_converges_on_kuhn(rule: cfr.Rule, gamma: float, below: float) -> None:
    game = poker.kuhn()
    run = cfr.CFR(game, rule, gamma)
    early = float(brute.nash_conv(game, run.run(10).average_profile()))
    late = float(brute.nash_conv(game, run.run(90).average_profile()))
    assert 0 <= late < below < early
    assert float(brute.expected_value(game, run.average_profile())) == pytest.approx(-1 / 18, abs=below)


def test_average_weighs_each_iteration_by_its_number() -> None:
    """With gamma 1 the table is sum of t * own reach * strategy_t, up to the common factor T."""
    game = poker.kuhn()
    root = next(key for key in infosets(game) if key.seat == 0 and not key.history)
    run = cfr.CFR(game)
    seen = []
    for _ in range(5):
        seen.append(dict(run.strategy[root]))
        run.run(1)
    expected = sum((t + 1) * row["bet"] for t, row in enumerate(seen)) / 5
    assert run.average[root]["bet"] == pytest.approx(expected, rel=1e-14)
