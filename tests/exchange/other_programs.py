"""What Gambit and OpenSpiel find on exported games, kept in other_programs.csv and found anew by

    python -m tests.exchange.other_programs [NAME ...]

where both are installed (``make judges``). Beside the games the table holds the value by each program, and the value
and nash_conv that OpenSpiel finds for the profile of ``numbered_profile``, which no solver made.
"""

from __future__ import annotations

import csv
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl  # noqa: TID253

from solver.cfr.solve import Limits
from solver.evaluate.best_response import Evaluation
from solver.exchange.efg import write_efg
from solver.exchange.exports import export_rows
from solver.exchange.imported import import_profile
from solver.exchange.policy import Policy, efg_policy
from solver.rules import catalogue
from solver.rules.score import SEAT_NAMES, parse_score
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game
from solver.tree.build import HandGame

TABLE = Path(__file__).with_suffix(".csv")
FOUND = ("gambit", "openspiel", "profile_value", "profile_nash_conv", "gambit_version", "openspiel_version")
#: sequences of both sides from which Gambit's exact program needs many minutes
EXACT_SEQUENCES = 330


@dataclass(frozen=True, slots=True)
class Exported:
    """A game of the table: how it is called, and what the other programs found."""

    name: str
    rules: str
    score: str
    options: str
    found: dict[str, str]

    def game(self) -> HandGame:
        """The game as this project has it."""
        rules = catalogue.load(self.rules, dict(pair.split("=") for pair in self.options.split()))
        return game_at(rules, parse_score(rules, self.score), "points")


def read_table() -> list[Exported]:
    """All games of the table."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        return [
            Exported(
                row["name"], row["rules"], row["score"], row["options"], {key: row.get(key) or "" for key in FOUND}
            )
            for row in csv.DictReader(file)
        ]


def write_table(games: list[Exported]) -> None:
    """Write the table."""
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["name", "rules", "score", "options", *FOUND])
        writer.writerows(
            [one.name, one.rules, one.score, one.options, *(one.found[key] for key in FOUND)] for one in games
        )


def solved(game: HandGame, target: float = 1e-6) -> Solution:
    """The game solved far."""
    return solve_game(game, Task(limits=Limits(target, 20_000)))


def numbered_profile(game: HandGame, folder: Path) -> Solution:
    """A profile whose frequencies come from a checksum of each row's text, read back by ``import``."""
    place = folder / "rows.csv"
    export_rows(solve_game(game, Task(limits=Limits(1.0, 1))), place, "csv")
    rows = pl.read_csv(place, infer_schema=False).fill_null("")
    keys = ("history", "seat", "hand")
    weights = [1 + zlib.crc32("|".join(row).encode()) % 7 for row in rows.select(*keys, "action").iter_rows()]
    rows = rows.with_columns(frequency=pl.Series(weights, dtype=pl.Float64))
    rows.with_columns(pl.col("frequency") / pl.col("frequency").sum().over(keys)).write_csv(place)
    return import_profile(game, place)[0]


def gambit_value(path: Path, exact: bool) -> Fraction | float:
    """The elder's value by Gambit's linear program; AssertionError when its profile is no equilibrium.

    Version 17.0.0b2 leaves information sets without any probability where all actions are worth the same; there every
    action gets the same.
    """
    import pygambit

    game = pygambit.read_efg(str(path))
    found = pygambit.nash.lp_solve(game, rational=exact).equilibrium
    number: Any = Fraction if exact else float
    sides = eval(str(found), {"Rational": Fraction})
    behaviour = [
        [shared([max(number(p), number(0)) for p in mix.values()]) for mix in sides[seat]] for seat in SEAT_NAMES
    ]
    if exact:
        behaviour = [[[pygambit.Rational(p) for p in mix] for mix in side] for side in behaviour]
    profile = game.mixed_behavior_profile(behaviour, rational=exact)
    assert float(profile.max_regret()) <= (0.0 if exact else 1e-9), (path.name, profile.max_regret())
    value = profile.payoffs["elder"]
    return Fraction(str(value)) if exact else float(value)


def shared(weights: list[Any]) -> list[Any]:
    """Weights divided by their sum, the same for all where they are nothing."""
    whole = sum(weights)
    return [weight / whole if whole else (weight + 1) / len(weights) for weight in weights]


def openspiel_value(path: Path) -> float:
    """The elder's value by OpenSpiel's linear program, which a conic solver solves to 1e-7."""
    import pyspiel
    from open_spiel.python.algorithms import sequence_form_lp

    return float(sequence_form_lp.solve_zero_sum_game(pyspiel.load_game(f"efg_game(filename={path})"))[0])


def openspiel_judged(path: Path, policy: Policy) -> Evaluation:
    """The elder's value and both best responses of a profile, as OpenSpiel finds them on the efg file."""
    import pyspiel

    game = pyspiel.load_game(f"efg_game(filename={path})")
    table = pyspiel.TabularPolicy(dict(openspiel_rows(game.new_initial_state(), policy)))
    value = pyspiel.expected_returns(game.new_initial_state(), table, -1, True)[0]
    responses = [
        pyspiel.TabularBestResponse(game, seat, table).value_from_state(game.new_initial_state()) for seat in (0, 1)
    ]
    assert abs(sum(responses) - pyspiel.nash_conv(game, table)) < 1e-12
    return Evaluation(float(value), (float(responses[0]), float(responses[1])))


def openspiel_rows(state: Any, policy: Policy) -> Iterator[tuple[str, list[tuple[int, float]]]]:
    """Every information state below a state and the frequencies of its actions."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        name, seat = state.information_state_string(), ("elder", "dealer")[state.current_player()]
        mix = policy[seat, name.split("-", 3)[3]]
        yield name, [(action, mix[state.action_to_string(action)]) for action in state.legal_actions()]
    for action in state.legal_actions():
        yield from openspiel_rows(state.child(action), policy)


def judge(one: Exported, folder: Path) -> Exported:
    """What both programs find on a game."""
    game, path = one.game(), folder / "game.efg"
    write_efg(game.rules, game.score, path)
    profile = numbered_profile(game, folder)
    policy = efg_policy(profile)
    exact = sum(len(mix) for mix in policy.values()) <= EXACT_SEQUENCES
    judged = openspiel_judged(path, policy)
    found = {
        "gambit": str(gambit_value(path, exact)),
        "openspiel": f"{openspiel_value(path):.9f}",
        "profile_value": repr(judged.value),
        "profile_nash_conv": repr(judged.nash_conv),
        "gambit_version": version("pygambit"),
        "openspiel_version": version("open-spiel"),
    }
    return Exported(one.name, one.rules, one.score, one.options, found)


def main(wanted: list[str]) -> None:
    """Find the values of the named games, of all by default, anew."""
    for name in wanted or [one.name for one in read_table()]:
        with TemporaryDirectory() as folder:
            fresh = next(judge(one, Path(folder)) for one in read_table() if one.name == name)
        write_table([fresh if one.name == name else one for one in read_table()])
        print(name, fresh.found, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
