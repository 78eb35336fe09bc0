"""What README and docs show works: commands parse, links lead somewhere, marked Python blocks run.

A Python block runs when the line `<!-- run -->` stands above it. It finds a small solution where the pages say a
solution of Truc lies, and what the page exports from it.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli import app
from cli.options import rule_set
from solver.cards.notation import parse_hand, parse_history
from solver.rules import catalogue
from solver.rules.score import parse_score

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("results/*.md")])
SHELL = {"sh", "console", "bash"}
ENDS = {"|", "||", "&&", ";", ">", ">>", "<", "2>"}
PROGRAM = "truc-solve"
RUN_MARK = "<!-- run -->"
NO_COMMANDS = {"record 1"}  # the first line of a record of hands


class Block(NamedTuple):
    """A fenced block: its language, its text, the line above it, the number of its first line."""

    language: str
    text: str
    above: str
    line: int


class Command(NamedTuple):
    """The words after `truc-solve`, and where they stand."""

    words: list[str]
    place: str


def blocks(text: str) -> Iterator[Block]:
    for found in re.finditer(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", text, re.M | re.S):
        above = text[: found.start()].rstrip().rpartition("\n")[2].strip()
        yield Block(found[2], found[3], above, text[: found.start()].count("\n") + 2)


def without_blocks(text: str) -> str:
    """The text with fenced blocks emptied, line numbers kept."""
    return re.sub(r"^( *)```.*?^\1```", lambda found: "\n" * found[0].count("\n"), text, flags=re.M | re.S)


def words_of(line: str) -> list[str] | None:
    """The words after `truc-solve` of a shell line, up to a pipe or a redirection; None for another program."""
    words = shlex.split(line.removeprefix("$ "), comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    if not words or Path(words[0]).name != PROGRAM:
        return None
    stop = next((k for k, word in enumerate(words) if word in ENDS), len(words))
    return words[1:stop]


def commands_of(page: Path) -> Iterator[Command]:
    """Every line of a shell block that runs truc-solve; in a session, only what stands after `$ `."""
    for block in blocks(page.read_text("utf-8")):
        if block.language not in SHELL:
            continue
        joined = block.text.replace("\\\n", " ")
        session = block.language == "console"
        for line in joined.split("\n"):
            words = words_of(line) if not session or line.startswith("$ ") else None
            if words is not None:
                yield Command(words, f"{page.relative_to(ROOT)}:{block.line}")


def mentions_of(page: Path) -> Iterator[Command]:
    """Every `truc-solve ...` inside a sentence, where arguments may be left out."""
    text = without_blocks(page.read_text("utf-8"))
    for found in re.finditer(r"`([^`|]+)`", text):
        words = words_of(" ".join(found[1].split())) if found[1].startswith(PROGRAM) else None
        if words and not words[0].isupper() and " ".join(words) not in NO_COMMANDS:
            yield Command(words, f"{page.relative_to(ROOT)}:{text[: found.start()].count(chr(10)) + 1}")


@functools.cache
def parser(name: str) -> Any:
    assert name in [entry.name for entry in app.COMMANDS], f"there is no command {name}"
    return app.load(name)


def parsed(words: list[str]) -> dict[str, Any]:
    """The parameters of a command line, parsed and not run."""
    context: Any = parser(words[0]).make_context(words[0], words[1:])
    return dict(context.params)


def check_game(values: dict[str, Any]) -> None:
    """Rule set, options, score, hand and history of a command line are sound."""
    name = values.get("rules") or values.get("name") or values.get("target")
    if not isinstance(name, str) or name not in catalogue.names():
        return
    rules = rule_set(name, values.get("settings"))
    if values.get("score"):
        parse_score(rules, values["score"])
    if values.get("hand"):
        parse_hand(rules, values["hand"])
    parse_history(rules, values.get("history") or "")


def unique(found: Iterator[Command]) -> list[Any]:
    by_text = {" ".join(command.words): command for command in found}
    return [pytest.param(command, id=f"{command.place} {text}"[:90]) for text, command in by_text.items()]


@pytest.mark.parametrize("command", unique(command for page in PAGES for command in commands_of(page)))
def test_command_lines_parse(command: Command) -> None:
    if command.words[:1] in ([], ["--help"], ["--version"]):
        return
    if "--help" in command.words:
        parser(command.words[0])
        return
    check_game(parsed(command.words))


@pytest.mark.parametrize("mention", unique(command for page in PAGES for command in mentions_of(page)))
def test_commands_in_sentences_exist(mention: Command) -> None:
    known = {option for one in parser(mention.words[0]).params for option in (*one.opts, *one.secondary_opts)}
    given = {word.partition("=")[0] for word in mention.words[1:] if word.startswith("-")}
    assert given <= known | {"--help"}, mention.place


def anchors(page: Path) -> set[str]:
    """The names of the headings of a page as its links spell them."""
    headings = re.findall(r"^#+ (.+)$", without_blocks(page.read_text("utf-8")), re.M)
    bare = [re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)).lower() for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in bare}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", without_blocks(page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        whole = target.exists() and (not anchor or anchor in anchors(target))
        if not whole:
            broken.append(link)
    assert not broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_name_no_place_of_one_machine(page: Path) -> None:
    assert not re.findall(r"(?<![\w.])/(?:home|root|tmp|work|Users|mnt)/\S+", page.read_text("utf-8"))


def python_blocks() -> list[Any]:
    return [
        pytest.param(block.text, id=f"{page.relative_to(ROOT)}:{block.line}")
        for page in PAGES
        for block in blocks(page.read_text("utf-8"))
        if block.language == "python" and block.above == RUN_MARK
    ]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory, small_folder: Path) -> Path:
    """A folder as the pages assume it: a solution of Truc in results/ and its export."""
    place = tmp_path_factory.mktemp("docs")
    (place / "results").mkdir()
    solution = place / "results" / "truc-0-0-points"
    solution.symlink_to(small_folder, target_is_directory=True)
    if any(entry.name == "export" for entry in app.COMMANDS):
        export = ["export", str(solution), "--format", "parquet", "--out", str(place / "truc.parquet")]
        assert app.main(export) == 0
    return place


@pytest.mark.parametrize("code", python_blocks())
def test_marked_python_blocks_run(code: str, workplace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=workplace,
        env={**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_checks_see_what_they_should() -> None:
    """A wrong option, a missing argument and a bad value do not parse."""
    assert words_of("$ A=1 truc-solve rules truc | head # all") == ["rules", "truc"]
    assert words_of("pip install .") is None
    for line in ("rules truc --sett a=1", "solve", "solve truc --target -1"):
        with pytest.raises(Exception, match=r"(?i)no such option|missing|not allowed"):
            parsed(shlex.split(line))
    with pytest.raises(AssertionError):
        parser("sovle")
