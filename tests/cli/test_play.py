"""`play` through a real terminal, and with answers from a pipe."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from cli import exits
from solver.coach.reading import read_records

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

ROOT = Path(__file__).parents[2]
SHORT = ("truc", "--set", "ranks=3", "--set", "target=3", "--seed", "5")
PATIENCE = 300  # seconds: a score is solved between two prompts, on machines with other work too
ROW = re.compile(r"^ (\S+) +[\d.]+% +[+-][\d.]+ +([\d.]+)", re.MULTILINE)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="module")
def played(results: Path) -> tuple[str, Path]:
    """A whole match in a terminal, the best action of every hint taken: what was shown, and the record."""
    record = results / "evening.txt"
    child = table(results, *SHORT, "--record", str(record))
    shown = ""
    while child.expect_exact(["> ", pexpect.EOF]) == 0:
        shown += child.before + "> "
        child.sendline("?")
        child.expect_exact("> ")
        shown += child.before + "> "
        child.sendline(best(child.before))
    shown += child.before
    child.close()
    assert child.exitstatus == exits.DONE, shown
    return shown, record


def table(results: Path, *words: str) -> Any:
    """`play` in a terminal."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"}
    return pexpect.spawn(
        sys.executable,
        ["-m", "cli", "play", *words, "--results", str(results), "--quiet"],
        env=environment,
        encoding="utf-8",
        timeout=PATIENCE,
        dimensions=(40, 100),
        preexec_fn=heed_ctrl_c,
    )


def heed_ctrl_c() -> None:
    """A suite that runs in the background of a shell hands on that SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def best(hint: str) -> Any:
    """The action without loss in a hint."""
    losses = {action: float(loss) for action, loss in ROW.findall(hint.replace("\r", ""))}
    assert losses, hint
    return min(losses, key=lambda action: losses[action])


@pytest.fixture
def piped(results: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`play` with answers from a pipe, its end being the end of the file."""

    def call(answers: str, *words: str) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        return run("play", *words, "--results", str(results))

    return call


def test_a_whole_match_in_a_terminal(played: tuple[str, Path]) -> None:
    shown, record = played
    assert "seed 5" in shown
    assert "stake 1 | table: empty" in shown
    assert re.search(r"your cards: \S \S \S \| allowed: ", shown)
    assert "expected value" in shown
    assert "wins the match." in shown or "win the match." in shown
    hands = read_records(record)
    assert [one.number for one in hands] == list(range(1, len(hands) + 1))
    assert [one.players[0] for one in hands] == [("you", "solution")[k % 2] for k in range(len(hands))]
    assert all(one.result is not None for one in hands)
    assert "\x1b[3" not in shown


def test_the_review_of_that_match_finds_no_loss_beyond_the_bound(
    played: tuple[str, Path], results: Path, run: Any
) -> None:
    """The person took the best action always. The solution mixes: a decision of its own loses at most
    nash_conv / (reach · frequency), the `bound` of the row.
    """
    done = run("review", str(played[1]), "--results", str(results), "--json")
    assert done.code == exits.DONE, done.err
    told = json.loads(done.out)
    judged = [row for row in told["rows"] if row["judged"]]
    assert judged
    for row in judged:
        # the hint shows four digits, and the best action by them may lose less than one of the last
        allowed = 1e-4 if row["player"] == "you" else row["bound"] + 1e-9
        assert row["loss"] <= allowed
    assert {one["player"] for one in told["players"]} == {"you", "solution"}


def test_a_seed_repeats_cards_and_choices(played: tuple[str, Path], results: Path, piped: Any) -> None:
    hands = read_records(played[1])
    mine = [word for seat, word in hands[0].history if hands[0].players[seat] == "you"]
    again = results / "again.txt"
    done = piped("\n".join(mine) + "\n", *SHORT, "--hands", "1", "--record", str(again))
    assert done.code == exits.DONE, done.err
    assert read_records(again)[0] == hands[0]


def test_a_bad_token_help_and_quit(results: Path) -> None:
    record = results / "bad.txt"
    child = table(results, *SHORT, "--record", str(record))
    child.expect_exact("> ")
    for bad in ("9", "rase", "7 8", "fold", ""):
        child.sendline(bad)
        child.expect_exact("> ")
        assert f"'{bad}' is not allowed here; allowed: " in child.before
        assert child.before.count("allowed here") == 1
    child.sendline("help")
    child.expect("what the solution would do with your hand")
    child.expect_exact("> ")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == exits.DONE
    assert read_records(record) == []


def test_ctrl_c_keeps_what_is_recorded(results: Path, piped: Any) -> None:
    record = results / "broken.txt"
    child = table(results, *SHORT, "--seat", "elder", "--record", str(record))
    child.expect(r"allowed: (\S+), [^\n]*\n[^\n]*> ")
    child.sendline(child.match[1])
    child.expect_exact("> ")  # also of the next hand, whose score is solved first
    child.sendintr()
    child.expect_exact("recorded in")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == exits.INTERRUPTED
    last = read_records(record)[-1]
    assert last.history
    assert last.result is not None or None in last.hands[1]
    done = piped("", *SHORT, "--record", str(record))
    assert done.code == exits.INTERRUPTED
    assert "Traceback" not in done.err
    assert read_records(record)[-1] == last


def test_records_are_added_to(results: Path, piped: Any) -> None:
    record = results / "more.txt"
    for _ in range(2):
        answers = "7\n8\nA\ncall\n" * 20
        done = piped(answers, *SHORT, "--hands", "1", "--record", str(record))
        assert done.code == exits.DONE, done.err
    assert [one.number for one in read_records(record)] == [1, 2]


def test_trut_windows_and_the_fortial(piped: Any) -> None:
    words = ("trut", "--set", "ranks=2", "--seed", "3", "--hands", "1")
    windows = piped("\n7\n8\nsee\n" * 20, *words)
    assert windows.code == exits.DONE, windows.err
    assert "silent (Enter)" in windows.out
    assert "or lay a card" in windows.out
    fortial = piped("?\npass\n", *words, "--score", "6.2-0.0")
    assert "You are at the fortial" in fortial.out
    assert "allowed: trut, pass" in fortial.out
    assert "The opponent wins the hand: a petit." in fortial.out
    theirs = piped("7\n8\n" * 20, *words, "--score", "6.2-0.0", "--seat", "dealer")
    assert "The opponent is at the fortial" in theirs.out
    assert re.search(r"Opponent: (trut|pass)", theirs.out)


def test_tenir_in_french(piped: Any) -> None:
    words = ("trut-gatine", "--set", "ranks=2", "--set", "copies=8", "--seed", "3", "--hands", "1", "--lang", "fr")
    done = piped("ne pas tenir\n", *words, "--score", "0.2-0.0")
    assert done.code == exits.DONE, done.err
    assert "permis\xa0: tenir, ne pas tenir" in done.out
    assert "L'adversaire gagne le coup\xa0: un petit." in done.out


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["truck"], exits.USAGE, "Did you mean 'truc'?"),
        (["truc", "--score", "12-0"], exits.USAGE, "already won"),
        (["truc", "--hands", "0"], exits.USAGE, "--hands"),
        (["truc", "--seat", "left"], exits.USAGE, "--seat"),
        (["truc", "--seed", "-1"], exits.USAGE, "--seed"),
        (["truc", "--record", "/nowhere/at/all.txt"], exits.FILE, "/nowhere/at/all.txt"),
    ],
)
def test_bad_words_are_refused_before_anything_is_solved(words: list[str], code: int, part: str, run: Any) -> None:
    done = run("play", *words)
    assert done.code == code
    assert done.out == ""
    assert part in done.err
    assert done.err.count("\n") == 1


def test_a_file_that_is_no_record_is_not_added_to(tmp_path: Path, run: Any) -> None:
    place = tmp_path / "letter.txt"
    place.write_text("Dear Anna,\n")
    done = run("play", "truc", "--record", str(place))
    assert done.code == exits.FILE
    assert "line 1, column 1" in done.err
    assert place.read_text() == "Dear Anna,\n"
