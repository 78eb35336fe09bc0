"""Profiles from elsewhere: what `export` writes comes back the same, and every fault of a file is named."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl  # noqa: TID253
import pytest

from solver.cfr.solve import Limits
from solver.errors import FileError, UsageError
from solver.evaluate.exact import UNIT
from solver.exchange.efg import write_efg
from solver.exchange.exports import export_rows
from solver.exchange.imported import Leniency, import_profile
from solver.rules import catalogue
from solver.rules.score import parse_score
from solver.strategy.description import describe
from solver.strategy.run import Task
from solver.strategy.solution import Solution, game_at, solve_game
from solver.strategy.verify import verify

GAMES = [
    ("truc", {"ranks": "3", "ladder": "1,2"}, "0-0"),
    ("truc", {"ranks": "2", "remainder": "both", "counter_raise": "yes", "free_fold": "yes"}, "9-8"),
    ("trut", {"ranks": "3"}, "0.0-0.0"),
    ("trut", {"ranks": "3", "brelan": "yes"}, "0.0-0.0"),
    ("trut", {"ranks": "2", "copies": "5", "trut_window": "own_turn"}, "0.0-0.0"),
    ("trut", {"ranks": "3"}, "6.2-0.0"),
    ("trut-gatine", {"ranks": "3", "tout_pate": "0", "labels": "yes"}, "0.1-0.0"),
    ("trut-gatine", {"ranks": "3", "tout_pate": "0"}, "0.2-0.0"),
    ("trut-gatine-mini", {}, "0.2-0.2"),
]
KEYS = ("history", "seat", "hand", "action")


def solved(name: str, options: dict[str, str], score: str, iterations: int = 15) -> Solution:
    rules = catalogue.load(name, options)
    game = game_at(rules, parse_score(rules, score), "points")
    return solve_game(game, Task(limits=Limits(1e-12, iterations)))


@pytest.fixture(scope="module")
def small() -> Solution:
    return solved("truc", {"ranks": "3", "ladder": "1,2"}, "0-0")


@pytest.fixture(scope="module")
def exported(small: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("rows") / "rows.csv"
    export_rows(small, place, "csv")
    return place


def read(place: Path) -> pl.DataFrame:
    return pl.read_parquet(place) if place.suffix == ".parquet" else pl.read_csv(place, infer_schema_length=None)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(("name", "options", "score"), GAMES)
def test_export_import_export_is_the_same(
    tmp_path: Path, name: str, options: dict[str, str], score: str, kind: str
) -> None:
    solution = solved(name, options, score)
    first, second = tmp_path / f"first.{kind}", tmp_path / f"second.{kind}"
    export_rows(solution, first, kind)
    back, findings = import_profile(solution.game, first, Leniency("refuse", 0.0))
    export_rows(back, second, kind)
    before, after = read(first), read(second)
    assert before.select(KEYS).equals(after.select(KEYS))
    assert float((before["frequency"] - after["frequency"]).abs().max()) <= 1 / UNIT  # type: ignore[arg-type]
    assert (findings.missing, findings.rescaled) == (0, 0)
    assert findings.infosets == before.select("history", "seat", "hand").n_unique()
    assert back.claim.value == pytest.approx(solution.claim.value, abs=1e-12)
    assert back.claim.nash_conv == pytest.approx(solution.claim.nash_conv, abs=1e-12)


def test_cards_of_a_class_are_averaged_without_changing_any_value(tmp_path: Path) -> None:
    """A profile that answers by the card, not by the class, judged here and by walking the game deal by deal."""
    solution = solved("truc", {"ranks": "3", "copies": "2,2,3", "ladder": "1,2", "remainder": "off"}, "0-0", 3)
    place = tmp_path / "rows.parquet"
    export_rows(solution, place, "parquet")
    rows = pl.read_parquet(place)
    noise = np.random.default_rng(7).integers(1, 9, rows.height)
    mixed = rows.with_columns(frequency=pl.Series(noise / 1.0))
    total = pl.col("frequency") / pl.col("frequency").sum().over("history", "seat", "hand")
    mixed = mixed.with_columns(frequency=total)
    mixed.write_parquet(place)
    back, findings = import_profile(solution.game, place)
    assert findings.missing == 0
    value = played_out(back, {tuple(row[:4]): row[4] for row in mixed.select(*KEYS, "frequency").iter_rows()}, tmp_path)
    assert back.claim.value == pytest.approx(value, abs=3e-5)


def played_out(solution: Solution, frequency: dict[tuple[str, ...], float], tmp_path: Path) -> float:
    """The elder's value of rows on the efg file of the game, from the lines of the file."""
    path = tmp_path / "game.efg"
    write_efg(solution.game.rules, solution.game.score, path)
    lines = iter([line for line in path.read_text("ascii").splitlines() if line[:2] in ("c ", "p ", "t ")])
    chances = [float(Fraction(one)) for one in re.findall(r'" (\d+/\d+|\d+)', next(lines).partition("{")[2])]
    return sum(chance * value_of(lines, frequency) for chance in chances)


def value_of(lines: object, frequency: dict[tuple[str, ...], float]) -> float:
    line = next(lines)  # type: ignore[call-overload]
    if line.startswith("t "):
        return float(Fraction(line.partition("{")[2].split()[0]))
    player, label, actions = re.fullmatch(r'p "" (\d) \d+ "([^"]*)" \{ (.*) \} 0', line).groups()  # type: ignore[union-attr]
    hand, _, said = label.partition(" ")
    history = " ".join(token[2:] for token in said.split())
    value = 0.0
    for action in re.findall(r'"([^"]*)"', actions):
        key = (history, ("elder", "dealer")[int(player) - 1], " ".join(hand))
        share = frequency.get((*key, action))
        value += (frequency[(*key, "silent")] if share is None else share) * value_of(lines, frequency)
    return value


def test_histories_of_an_efg_file_are_read(tmp_path: Path) -> None:
    """Every seat and silence written out, lone cards for silences, hands in any order."""
    solution = solved("truc", {"ranks": "3", "copies": "2,2,3", "ladder": "1,2"}, "0-0", 5)
    plain, other = tmp_path / "plain.parquet", tmp_path / "other.csv"
    export_rows(solution, plain, "parquet")
    rows = pl.read_parquet(plain)
    path = tmp_path / "game.efg"
    write_efg(solution.game.rules, solution.game.score, path)
    frequency = {tuple(row[:4]): row[4] for row in rows.select(*KEYS, "frequency").iter_rows()}
    found: dict[tuple[str, ...], float] = {}
    for line in path.read_text("ascii").splitlines():
        if not line.startswith("p "):
            continue
        player, label, actions = re.fullmatch(r'p "" (\d) \d+ "([^"]*)" \{ (.*) \} 0', line).groups()  # type: ignore[union-attr]
        hand, _, said = label.partition(" ")
        history, seat = " ".join(token[2:] for token in said.split()), ("elder", "dealer")[int(player) - 1]
        for action in re.findall(r'"([^"]*)"', actions):
            key = (history, seat, " ".join(hand))
            share = frequency.get((*key, action))
            found[said, seat, hand[::-1], action] = frequency[(*key, "silent")] if share is None else share
    names = ("history", "seat", "hand", "action", "frequency")
    pl.DataFrame([(*key, share) for key, share in found.items()], schema=names, orient="row").write_csv(other)
    back, findings = import_profile(solution.game, other, Leniency("refuse"))
    assert findings.missing == 0
    assert back.claim.nash_conv == pytest.approx(solution.claim.nash_conv, abs=1e-12)


def test_silences_and_seats_of_windows(tmp_path: Path) -> None:
    solution = solved("trut", {"ranks": "3"}, "0.0-0.0")
    place = tmp_path / "rows.csv"
    export_rows(solution, place, "csv")
    rows = read(place)
    one = rows.filter(pl.col("history") == "silent").head(1)
    assert one["seat"][0] == "dealer"
    rows = rows.with_columns(history=pl.col("history").replace({"silent": "e.silent", "d:trut": "e.silent d.trut"}))
    rows.write_csv(place)
    back, _ = import_profile(solution.game, place, Leniency("refuse"))
    assert back.claim.nash_conv == pytest.approx(solution.claim.nash_conv, abs=1e-12)


def test_rare_rows_left_out_are_filled_or_refused(small: Solution, tmp_path: Path) -> None:
    place = tmp_path / "often.csv"
    export_rows(small, place, "csv", 1e-3)
    back, findings = import_profile(small.game, place)
    assert 0 < findings.missing < findings.infosets
    assert back.facts["filled"] == findings.missing
    assert verify(back, describe(back), True).ok
    with pytest.raises(UsageError, match=r"^'often.csv' has no row for the (elder|dealer) with .* --fill uniform"):
        import_profile(small.game, place, Leniency("refuse"))


def test_actions_left_out_are_never_taken(small: Solution, exported: Path, tmp_path: Path) -> None:
    rows = read(exported)
    place = tmp_path / "rows.csv"
    rows.filter(pl.col("frequency") > 0).write_csv(place)
    back, findings = import_profile(small.game, place, Leniency("refuse", 0.0))
    assert back.claim.nash_conv == pytest.approx(small.claim.nash_conv, abs=1e-12)
    assert findings.missing == 0


def test_sums_near_one_are_divided_and_others_refused(small: Solution, exported: Path, tmp_path: Path) -> None:
    rows = read(exported)
    place = tmp_path / "rows.csv"
    rows.with_columns(pl.col("frequency") * 0.9995).write_csv(place)
    back, findings = import_profile(small.game, place)
    assert findings.rescaled == findings.infosets
    assert findings.largest == pytest.approx(0.0005)
    assert back.claim.nash_conv == pytest.approx(small.claim.nash_conv, abs=1e-4)
    with pytest.raises(
        UsageError, match=r"Line \d+ of 'rows.csv': the frequencies of .* sum to 0.9995, more than 1e-06"
    ):
        import_profile(small.game, place, Leniency(tolerance=1e-6))


def test_fractions_are_numbers(small: Solution, exported: Path, tmp_path: Path) -> None:
    rows = read(exported)
    place = tmp_path / "rows.csv"
    rows.with_columns(frequency=pl.col("frequency").map_elements(lambda x: str(Fraction(x)), pl.String)).write_csv(
        place
    )
    back, _ = import_profile(small.game, place, Leniency("refuse", 0.0))
    assert back.claim.nash_conv == pytest.approx(small.claim.nash_conv, abs=1e-12)


HEAD = "history,seat,hand,action,frequency\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEAD, "'bad.csv' has no rows."),
        ("history,seat,hand,frequency\n,elder,7 8 A,1\n", "no column 'action'; a profile has the columns history,"),
        (HEAD + ",elder,7 8 A,7,1\n,elder,A87,7,0\n", "Line 3 of 'bad.csv' repeats line 2"),
        (HEAD + ",elder,7 8 K,7,1\n", "Line 2 of 'bad.csv': 'K' at position 5 of hand '7 8 K' is not in this deck"),
        (HEAD + ",elder,7 8 A,7,1\n,elder,7 8,7,1\n", "Line 3 of 'bad.csv': Hand '7 8' has 2 cards"),
        (HEAD + ",leader,7 8 A,7,1\n", "'leader' is no seat; the seats are elder and dealer."),
        (HEAD + ",elder,7 8 A,bluff,1\n", "Line 2 of 'bad.csv': 'bluff'"),
        (HEAD + ",elder,7 8 A,7 8,1\n", "'7 8' is no action"),
        (HEAD + "7 bluff,elder,7 8 A,7,1\n", "Line 2 of 'bad.csv': 'bluff' at position 3 of the history"),
        (HEAD + ",elder,7 8 A,7,often\n", "Line 2 of 'bad.csv': 'often' is no frequency; a number from 0 to 1 is."),
        (HEAD + ",elder,7 8 A,7,1.5\n", "'1.5' is no frequency"),
        (HEAD + ",elder,7 8 A,7,-0.1\n", "'-0.1' is no frequency"),
        (HEAD + ",elder,7 8 A,7,\n", "'' is no frequency"),
        (HEAD + ",elder,7 8 A,7,nan\n", "'nan' is no frequency"),
        (HEAD + ",elder,7 8 A,7,1\n,dealer,7 8 A,7,1\n", "Line 3 of 'bad.csv': after '' it is the elder who decides"),
        (HEAD + "7,elder,8 8 A,7,1\n", "after '7' it is the dealer who decides, not the elder"),
        (HEAD + "7 7,elder,8 8 A,A,1\n", "Line 2 of 'bad.csv': the elder cannot hold 8 8 A after '7 7'."),
        (HEAD + ",elder,7 7 8,A,1\n", "'A' cannot be done with 7 7 8 after ''; allowed is raise, rest, 7, 8."),
        (HEAD + ",elder,7 7 8,fold,1\n", "'fold' cannot be done with 7 7 8"),
        (HEAD + "call,elder,7 7 8,7,1\n", "Line 2 of 'bad.csv': The history breaks the rules at position 1: 'call'"),
        (
            HEAD + ",elder,7 7 8,7,0.4\n",
            "Line 2 of 'bad.csv': the frequencies of the elder with 7 7 8 after '' sum to 0.4",
        ),
    ],
)
def test_faults_are_named(small: Solution, tmp_path: Path, text: str, sentence: str) -> None:
    place = tmp_path / "bad.csv"
    place.write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught:
        import_profile(small.game, place)
    told = str(caught.value)
    assert sentence in told
    assert told.endswith((".", "?"))


def test_files_that_cannot_be_read(small: Solution, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="There is no file"):
        import_profile(small.game, tmp_path / "none.csv")
    with pytest.raises(UsageError, match=r"must end in \.csv or \.parquet"):
        import_profile(small.game, tmp_path / "rows.txt")
    for name, content in (("a.csv", b""), ("b.parquet", b"PAR1"), ("c.csv", b"history,seat\n1,2,3\n")):
        place = tmp_path / name
        place.write_bytes(content)
        with pytest.raises(FileError, match=f"{name}' cannot be read as {name[2:]}"):
            import_profile(small.game, place)
