"""What docs and users may rely on in every command: help, streams, exit codes, sentences."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli import exits, reference
from cli.app import COMMANDS, load, main
from solver.errors import FileError, ResourceError, UsageError

NAMES = [entry.name for entry in COMMANDS]
PROMISED = {
    *(
        "rules",
        "estimate",
        "solve",
        "match",
        "verify",
        "query",
        "table",
        "stats",
        "chart",
        "export",
        "import",
        "compare",
    ),
    *("play", "review", "explore", "bench", "doctor", "equity", "import"),
}
HEAVY = ("numba", "polars", "matplotlib", "numpy", "llvmlite", "scipy", "pydantic")
ROOT = Path(__file__).parents[2]

HELP_PROBE = """
import sys
from cli.app import main
code = main(sys.argv[1:])
loaded = [name for name in {heavy!r} if name in sys.modules]
print("LOADED", *loaded)
sys.exit(code)
"""


class Contract(NamedTuple):
    """Command lines of one command: one that works, one of bad input (exit 2), one without its file (exit 3).

    json: whether the first one also takes --json; writes: it makes files and prints nothing.
    """

    good: str
    bad: str
    missing: str
    json: bool = True
    writes: bool = False


TINY = "--set ranks=2 --set ladder=1,2"
CONTRACTS = {
    "estimate": Contract(f"truc {TINY} --no-probe", "truc --score 12-3", "truc --unit match --equity {gone}"),
    "solve": Contract(
        f"truc {TINY} --target 0.05 --out {{new}}/s", "truc --target -1", f"truc {TINY} --resume --out {{new}}/s"
    ),
    "match": Contract(
        f"truc {TINY} --set target=2 --target 0.2 --out {{new}}/m",
        "truc --set target=0",
        f"truc {TINY} --set target=2 --resume --out {{new}}/m",
    ),
    "verify": Contract("{truc}", "trucc", "{gone}/x"),
    "rules": Contract("truc", "trucc", "--out {gone}/x/y.csv"),
    "query": Contract("{truc} --hand 778", "{truc} --hand 77", "{gone}/x --hand 778"),
    "table": Contract("{truc}", "{truc} --history K", "{gone}/x"),
    "stats": Contract("{truc}", "{truc} --by seet", "{gone}/x"),
    "equity": Contract("{match}", "{match} --score 12-3", "{gone}/x"),
    "compare": Contract("{truc} {other}", "{truc} {other} --sort size", "{truc} {gone}/x"),
    "chart": Contract("{truc} --kind fold --out {new}/a.png", "{truc} --kind fald --out {new}/a.png",
                      "{gone}/x --kind fold --out {new}/a.png", json=False, writes=True),
    "explore": Contract("{truc} --out {new}/a.html", "{truc} --out {new}/a.pdf", "{gone}/x --out {new}/a.html",
                        json=False, writes=True),
    "export": Contract("{truc} --out {new}/a.csv", "{truc} --out {new}/a.xyz", "{gone}/x --out {new}/a.csv",
                       json=False, writes=True),
    "import": Contract(
        f"{{profile}} --rules truc {TINY} --out {{new}}/i",
        "{profile} --rules trucc --out {new}/i",
        f"{{gone}}/x.csv --rules truc {TINY} --out {{new}}/i",
    ),
    "play": Contract(f"truc {TINY} --seed 5 --hands 1 --results {{results}}", "truc --seat left",
                     "truc --record {gone}/x/y", json=False),
    "review": Contract("{record} --results {results}", "{record} --for Anna", "{gone}/x"),
    "bench": Contract("--quick", "--threads 0", "--quick --out {gone}/x/y.csv"),
    "doctor": Contract("", "--format xml", "--out {gone}/x/y.csv"),
}  # fmt: skip


def one_sentence(text: str) -> bool:
    """Whether stderr holds one line that begins `error: ` and ends like a sentence."""
    return bool(re.fullmatch(r"error: [^\n]*[.?!)]\n", text)) and "Traceback" not in text


@pytest.mark.parametrize("name", NAMES)
def test_names_are_promised(name: str) -> None:
    assert name in PROMISED


@pytest.mark.parametrize("words", [[], *([name] for name in NAMES)], ids=["top", *NAMES])
def test_help_is_light_and_shows_an_example(words: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", HELP_PROBE.format(heavy=HEAVY), *words, "--help"]
    seconds = []
    for _ in range(5):
        before = os.times()
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
            capture_output=True,
            text=True,
            check=False,
        )
        after = os.times()
        seconds.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
        if seconds[-1] < 0.5:
            break
    assert done.returncode == exits.DONE, done.stderr
    assert done.stderr == ""
    assert "Example:" in done.stdout
    assert " ".join(["truc-solve", *words]) in done.stdout
    assert "LOADED\n" in done.stdout, done.stdout.rsplit("LOADED", 1)[-1]
    assert min(seconds) < 0.5


@pytest.mark.parametrize("name", NAMES)
def test_help_survives_an_ascii_terminal(name: str, run_apart: Any) -> None:
    done = run_apart(name, "--help", PYTHONIOENCODING="ascii", NO_COLOR="1", COLUMNS="60")
    assert done.code == exits.DONE, done.err
    assert done.out.isascii()
    assert "\x1b" not in done.out


@pytest.mark.parametrize("name", NAMES)
def test_exit_codes_and_streams(
    name: str, places: dict[str, Path], tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Good input: exit 0 and data alone on stdout. Bad input: exit 2; no file: exit 3; one sentence on stderr."""
    assert name in CONTRACTS, f"add to CONTRACTS what {name} is tried with"
    contract, gone = CONTRACTS[name], tmp_path / "file"
    gone.write_text("no folder")
    filled = {**places, "new": tmp_path, "gone": gone}
    for words, code in ((contract.bad, exits.USAGE), (contract.missing, exits.FILE)):
        done = run(name, *shlex.split(words.format(**filled)))
        assert (done.code, done.out) == (code, ""), done.err
        assert one_sentence(done.err.splitlines(keepends=True)[-1]), done.err
        assert "Traceback" not in done.err
    monkeypatch.setattr(sys, "stdin", io.StringIO("7\n8\ncall\n" * 20))
    good = shlex.split(contract.good.format(**filled))
    done = run(name, *good, *(["--json"] if contract.json else []))
    assert done.code == exits.DONE, done.err
    assert "error" not in done.err
    if contract.json:
        json.loads(done.out)
    assert (done.out == "") == contract.writes


@pytest.mark.parametrize("name", NAMES)
def test_quiet_silences_stderr(
    name: str, places: dict[str, Path], tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not any("--quiet" in parameter.opts for parameter in load(name).params):
        return
    filled = {**places, "new": tmp_path, "gone": tmp_path}
    monkeypatch.setattr(sys, "stdin", io.StringIO("7\n8\ncall\n" * 20))
    done = run(name, *shlex.split(CONTRACTS[name].good.format(**filled)), "--quiet")
    assert (done.code, done.err) == (exits.DONE, "")


@pytest.mark.parametrize("name", NAMES)
def test_unknown_option_is_one_sentence(name: str, run: Any) -> None:
    done = run(name, "--no-such-option")
    assert done.code == exits.USAGE
    assert done.out == ""
    assert one_sentence(done.err), done.err
    assert "'--no-such-option'" in done.err


@pytest.mark.parametrize("name", NAMES)
def test_options_come_from_the_shared_list(name: str) -> None:
    """One spelling, one help text and one metavar for an option wherever it appears.

    The formats of export are those of whole strategies and games, not of tables.
    """
    shared: dict[str, set[str]] = {}
    for other in NAMES:
        for parameter in load(other).params:
            for option in parameter.opts:
                if option in (
                    "--json",
                    "--format",
                    "--set",
                    "--score",
                    "--unit",
                    "--quiet",
                    "--results",
                    "--threads",
                ) and (other, option) != ("export", "--format"):
                    shared.setdefault(option, set()).add(parameter.help)
    assert all(len(texts) == 1 for texts in shared.values())
    assert load(name).params


def test_near_matches() -> None:
    assert "Did you mean 'rules'?" in sentence_for("ruless")
    assert "Did you mean '--json'?" in sentence_for("rules", "--jsn")
    assert "The commands are: " in sentence_for("zzzz")


def sentence_for(*words: str) -> str:
    """The sentence of a refused command line."""
    from cli.app import _dispatch

    with pytest.raises(Exception) as caught:  # noqa: PT011
        _dispatch(list(words))
    return exits.failure(caught.value).sentence


def test_without_words_the_help(run: Any) -> None:
    done = run()
    assert done.code == exits.DONE
    assert "Usage: truc-solve" in done.out


def test_version_is_that_of_the_distribution(run: Any) -> None:
    from importlib.metadata import version

    assert run("--version").out == f"truc-solve {version('truc-solve')}\n"


@pytest.mark.parametrize(
    ("error", "code", "part"),
    [
        (UsageError("score '12-3' is over."), 2, "score '12-3' is over."),
        (FileError("strategy.parquet is damaged."), 3, "damaged"),
        (ResourceError("the game needs 9 GB."), 4, "9 GB"),
        (FileNotFoundError(2, "No such file or directory", "here"), 3, "here does not exist."),
        (PermissionError(13, "Permission denied", "here"), 3, "here may not be read or written"),
        (OSError(28, "No space left on device", "here"), 4, "The disk is full: here"),
        (OSError(30, "Read-only file system", "here"), 3, "read-only"),
        (OSError(5, "Input/output error", "here"), 3, "here cannot be used"),
        (MemoryError(), 4, "not enough memory"),
        (KeyboardInterrupt(), 130, "Interrupted"),
        (BrokenPipeError(32, "Broken pipe"), 0, ""),
        (ZeroDivisionError("division by zero"), 1, "report it (ZeroDivisionError: division by zero)"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_failures(
    error: BaseException,
    code: int,
    part: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from cli.commands import doctor

    def fail() -> Any:
        raise error

    monkeypatch.setattr(doctor, "findings", fail)
    assert main(["doctor"]) == code
    printed = capsys.readouterr()
    assert part in printed.err
    assert "Traceback" not in printed.err
    assert printed.err.count("\n") == (1 if part else 0)


def test_traceback_on_request(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from cli.commands import doctor

    def fail() -> Any:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(doctor, "findings", fail)
    monkeypatch.setenv("TRUC_SOLVE_DEBUG", "1")
    assert main(["doctor"]) == exits.CHECK_FAILED
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_full_disk_behind_stdout(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli", "rules", "--json"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == exits.RESOURCE
    assert one_sentence(done.stderr), done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_closed_pipe_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "cli", "rules", "--json"],
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.stderr == ""
    assert done.returncode == exits.DONE


def test_reference_page_is_current() -> None:
    """`make docs` writes the page; it is committed."""
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == reference.page()


def test_rules_lists_the_sets(run: Any) -> None:
    done = run("rules", "--json")
    assert done.code == exits.DONE
    assert done.err == ""
    found = json.loads(done.out)
    assert {"truc", "truc-lanes"} <= {one["name"] for one in found}
    assert all({"name", "options", "fingerprint"} <= one.keys() for one in found)


def test_rules_shows_every_option(run: Any) -> None:
    whole = json.loads(run("rules", "truc", "--set", "ranks=3", "--json").out)
    assert {"name", "options", "fingerprint"} <= whole.keys()
    table = run("rules", "truc", "--format", "csv").out
    for option in whole["options"]:
        assert f"\n{option}," in table
    assert table.startswith("option,value,meaning,rule,allowed\n")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["rules", "trucc"], "trucc"),
        (["rules", "truc", "--set", "rank=3"], "rank"),
        (["rules", "truc", "--set", "ranks"], "'ranks'"),
        (["rules", "truc", "--set", "ranks=3", "--set", "ranks=4"], "twice"),
        (["rules", "--set", "ranks=3"], "name it"),
        (["rules", "--json", "--format", "csv"], "contradict"),
        (["rules", "--format", "xml"], "'xml'"),
        (["rules", "--out", "list.xyz"], "list.xyz"),
        (["rules", "truc", "trut"], "trut"),
    ],
)
def test_bad_words_are_named(words: list[str], part: str, run: Any) -> None:
    done = run(*words)
    assert done.code == exits.USAGE
    assert done.out == ""
    assert part in done.err
    assert one_sentence(done.err), done.err


def test_doctor_reports_each_check(run: Any) -> None:
    done = run("doctor", "--json")
    checks = json.loads(done.out)["checks"]
    assert all(one.keys() == {"name", "ok", "detail"} for one in checks)
    assert {"python", "numba", "kernels", "kernel cache", "threads", "memory"} <= {
        one["name"] for one in checks
    }
    assert done.code == (exits.DONE if all(one["ok"] for one in checks) else exits.CHECK_FAILED)


def test_doctor_survives_a_machine_without_a_writable_folder(run_apart: Any) -> None:
    done = run_apart("doctor", "--json", TRUC_SOLVE_CACHE="/dev/null/nowhere")
    checks = {one["name"]: one for one in json.loads(done.out)["checks"]}
    assert checks["kernels"]["ok"]
    assert not checks["kernel cache"]["ok"]
    assert done.code == exits.CHECK_FAILED
    assert "TRUC_SOLVE_CACHE" in done.err
