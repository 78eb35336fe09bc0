"""Gambit and OpenSpiel on exported games: values, and the judgement of a profile.

The table of what they found is compared in every run; where the programs are installed (``make judges``) they are
asked again.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from solver.exchange.efg import write_efg
from solver.exchange.policy import efg_policy
from solver.strategy.description import describe
from solver.strategy.verify import verify
from tests.exchange import other_programs
from tests.exchange.other_programs import Exported, numbered_profile, openspiel_judged, read_table, solved

GAMES = {one.name: one for one in read_table()}
games = pytest.mark.parametrize("one", GAMES.values(), ids=GAMES)


def test_the_table_covers_three_games_and_their_kinds() -> None:
    assert {one.rules for one in GAMES.values()} >= {"truc", "trut", "trut-gatine"}
    assert sum(bool(one.found["gambit"]) for one in GAMES.values()) >= 6
    assert all(one.found["openspiel"] for one in GAMES.values())
    assert len({one.found["openspiel"] for one in GAMES.values()}) >= 8


@games
def test_values_are_those_of_the_other_programs(one: Exported) -> None:
    claim = solved(one.game()).claim
    assert claim.exploitability < 2e-5
    for program, tolerance in (("gambit", 1e-12), ("openspiel", 1e-6)):
        told = one.found[program]
        if told:
            value = float(Fraction(told))
            assert -claim.best_response[1] - tolerance <= value <= claim.best_response[0] + tolerance


@games
def test_a_profile_is_judged_as_openspiel_judged_it(one: Exported, tmp_path: Path) -> None:
    profile = numbered_profile(one.game(), tmp_path)
    verdict = verify(profile, describe(profile), True)
    assert verdict.ok
    told = verdict.told("points")
    assert told["value"] == pytest.approx(float(one.found["profile_value"]), abs=1e-9)
    assert told["nash_conv"] == pytest.approx(float(one.found["profile_nash_conv"]), abs=1e-9)
    assert told["nash_conv"] > 0.01


@games
def test_openspiel_judges_profile_and_solution_the_same_again(one: Exported, tmp_path: Path) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; `make judges` does")
    path, game = tmp_path / "game.efg", one.game()
    write_efg(game.rules, game.score, path)
    for solution in (numbered_profile(game, tmp_path), solved(game, 1e-3)):
        judged = openspiel_judged(path, efg_policy(solution))
        assert judged.value == pytest.approx(solution.claim.value, abs=1e-9)
        assert judged.best_response == pytest.approx(solution.claim.best_response, abs=1e-9)


@games
def test_openspiel_finds_the_value_again(one: Exported, tmp_path: Path) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; `make judges` does")
    pytest.importorskip("ecos", reason="OpenSpiel's linear program needs ecos, which has no wheel for this Python")
    path, game = tmp_path / "game.efg", one.game()
    write_efg(game.rules, game.score, path)
    assert other_programs.openspiel_value(path) == pytest.approx(float(one.found["openspiel"]), abs=1e-6)


@pytest.mark.parametrize("name", ["chanter", "tenir", "fortial"])
def test_gambit_finds_the_value_again(name: str, tmp_path: Path) -> None:
    pytest.importorskip("pygambit", reason="Gambit is not installed; `make judges` does")
    path, game = tmp_path / "game.efg", GAMES[name].game()
    write_efg(game.rules, game.score, path)
    assert other_programs.gambit_value(path, False) == pytest.approx(float(Fraction(GAMES[name].found["gambit"])))


@pytest.mark.parametrize("name", ["rest", "windows"])
def test_every_information_set_of_the_file_has_its_frequencies(name: str, tmp_path: Path) -> None:
    """The labels of the file and those of the policy are the same, lone cards for silences included."""
    game = GAMES[name].game()
    path = tmp_path / "game.efg"
    write_efg(game.rules, game.score, path)
    labels = {line.split('"')[3] for line in path.read_text("ascii").splitlines() if line.startswith("p ")}
    policy = efg_policy(numbered_profile(game, tmp_path))
    assert {label for _, label in policy} == labels
    assert all(sum(mix.values()) == pytest.approx(1.0, abs=1e-12) for mix in policy.values())
