"""The shared options: what their text turns into, and the sentence for what is not allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer

from cli import exits, options
from cli.options import (
    EquityOption,
    FormatOption,
    HandOption,
    HistoryOption,
    MaxIterationsOption,
    MaxTimeOption,
    OutOption,
    ResultsOption,
    ResumeOption,
    RulesArgument,
    ScoreOption,
    SetOption,
    ThreadsOption,
    ToleranceOption,
    UnitOption,
)
from solver.errors import UsageError


def everything(
    rules: RulesArgument,
    hand: HandOption,
    settings: SetOption = None,
    score: ScoreOption = None,
    unit: UnitOption = "points",
    equity: EquityOption = None,
    history: HistoryOption = "",
    target: ToleranceOption = None,
    max_iterations: MaxIterationsOption = None,
    max_time: MaxTimeOption = None,
    threads: ThreadsOption = None,
    resume: ResumeOption = False,
    results: ResultsOption = None,
    format: FormatOption = None,
    out: OutOption = None,
) -> None:
    SEEN.clear()
    SEEN.update(locals())


SEEN: dict[str, Any] = {}


def parse(*words: str) -> dict[str, Any]:
    """The parameters of a command that has every shared option."""
    app = typer.Typer(add_completion=False)
    app.command()(everything)
    typer.main.get_command(app).main(args=["truc", "--hand", "78A", *words], standalone_mode=False)
    return SEEN


def sentence(*words: str) -> str:
    """The sentence for refused words."""
    with pytest.raises(Exception) as caught:  # noqa: PT011
        parse(*words)
    code, text = exits.failure(caught.value)
    assert code == exits.USAGE
    return text


def test_defaults() -> None:
    seen = parse()
    assert seen["rules"] == "truc"
    assert seen["unit"] == "points"
    assert seen["history"] == ""
    left_out = (
        "score",
        "equity",
        "target",
        "max_iterations",
        "max_time",
        "threads",
        "results",
        "format",
        "out",
    )
    assert all(seen[name] is None for name in left_out)
    assert seen["resume"] is False


def test_values() -> None:
    words = (
        "--set ranks=3 --set ladder=1,2 --score 7-10 --unit match --equity e.parquet --target 0.01 --resume"
    )
    seen = parse(
        *words.split(), "--max-iterations", "20", "--max-time", "1.5", "--threads", "2", "--format", "csv"
    )
    assert options.rule_settings(seen["settings"]) == {"ranks": "3", "ladder": "1,2"}
    assert (seen["score"], seen["unit"], seen["equity"]) == ("7-10", "match", Path("e.parquet"))
    assert (seen["target"], seen["max_iterations"], seen["max_time"], seen["threads"]) == (0.01, 20, 1.5, 2)
    assert seen["resume"] is True
    assert seen["format"] == "csv"


@pytest.mark.parametrize(
    ("words", "value", "option"),
    [
        (["--target", "-1"], "'-1'", "--target"),
        (["--target", "0"], "'0'", "--target"),
        (["--target", "nan"], "'nan'", "--target"),
        (["--target", "1e999"], "'1e999'", "--target"),
        (["--target", "1_0"], "'1_0'", "--target"),
        (["--target", "٣"], "'٣'", "--target"),
        (["--max-time", "soon"], "'soon'", "--max-time"),
        (["--max-time", "１"], "'１'", "--max-time"),
        (["--max-iterations", "1_0"], "'1_0'", "--max-iterations"),
        (["--threads", "٣"], "'٣'", "--threads"),
        (["--threads", "9" * 5000], f"'{'9' * 5000}'", "--threads"),
        (["--max-iterations", "0"], "'0'", "--max-iterations"),
        (["--max-iterations", "2.5"], "'2.5'", "--max-iterations"),
        (["--threads", "-2"], "'-2'", "--threads"),
        (["--unit", "euro"], "'euro'", "--unit"),
        (["--format", "xml"], "'xml'", "--format"),
    ],
)
def test_bad_values_are_named(words: list[str], value: str, option: str) -> None:
    text = sentence(*words)
    assert text.startswith(f"{value} is not allowed for")
    assert option in text
    assert text.endswith(".")
    assert "\n" not in text


def test_a_target_is_refused_with_its_unit() -> None:
    text = sentence("--target", "x")
    assert text == (
        "'x' is not allowed for --target: an exploitability above 0, in points or (unit match) as a chance of the "
        "match, is."
    )


@pytest.mark.parametrize("text", ["1_0", "٠", "-0.1", "1.5", "", "1e-"])
def test_a_share_is_a_plain_number_from_0_to_1(text: str) -> None:
    with pytest.raises(UsageError, match="--min-reach: a number from 0 to 1 is"):
        options.share("--min-reach", text)
    with pytest.raises(UsageError, match="--tolerance: a number from 0 to below 1 is"):
        options.share("--tolerance", "1", one=False)
    assert options.share("--min-reach", "1e-3") == 0.001


def test_missing_option_is_named() -> None:
    app = typer.Typer(add_completion=False)
    app.command()(everything)
    with pytest.raises(typer.TyperException) as caught:
        typer.main.get_command(app).main(args=["truc"], standalone_mode=False)
    assert "needs '--hand'" in exits.failure(caught.value).sentence


def test_option_without_its_value_is_named() -> None:
    assert "'--score'" in sentence("--score")


def test_rule_set_of_the_command_line() -> None:
    assert options.rule_set("truc", ["ranks=3"]).ranks == ("7", "8", "A")
    with pytest.raises(UsageError, match="of the form option=value"):
        options.rule_set("truc", ["=3"])


def test_results_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRUC_SOLVE_RESULTS", raising=False)
    assert options.results_folder() == Path("results")
    monkeypatch.setenv("TRUC_SOLVE_RESULTS", "elsewhere")
    assert options.results_folder() == Path("elsewhere")
    assert parse()["results"] == Path("elsewhere")
    assert options.results_folder(Path("here")) == Path("here")
