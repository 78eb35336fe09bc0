"""What a match folder says of itself: match.json beside equity.parquet and the states' folders.

The description is written after the equity table, and the table after the states it names, so whatever moment a run is
ended at, what the folder claims is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.errors import FileError, UsageError
from solver.files import alone_in, naming, remove_unused, write_bytes, write_json
from solver.match.state import checkpoint_file, state_folder
from solver.match.tables import read_table
from solver.reading import parse_json, read_bytes
from solver.rules.model import RuleSet
from solver.rules.score import format_score
from solver.strategy import shipped
from solver.strategy.description import NUMBER, as_given, check_kinds, damaged, rules_digest, rules_of, versions
from solver.strategy.equity import EQUITY
from solver.strategy.parquet import FILES, digest_of
from solver.strategy.store import is_whole

if TYPE_CHECKING:
    from solver.match.run import MatchRun

MATCH = shipped.MATCH
#: 1: the target was a nash_conv; 2: it is an exploitability
FORMAT = 2
SAME_BITS = ("numpy", "numba")
#: what to do when a description is damaged
ANEW = "solve the match anew in another folder, or restore the file"
#: what the keys of match.json hold that are read again
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("rules", "fingerprint", "rules_digest", "algorithm"), (str,)),
    **dict.fromkeys(("options", "versions", FILES), (dict,)),
    **dict.fromkeys(("target", "seconds"), NUMBER),
    "nash_conv": (*NUMBER, type(None)),
}


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Keep other runs out of a match folder meanwhile; UsageError when one is at work there."""
    with alone_in(folder) as alone:
        if not alone:
            raise UsageError(f"Another run is at work in '{folder}'; wait for it, or name another folder.")
        yield


def description(run: MatchRun) -> dict[str, Any]:
    """The content of match.json; ``missing`` names the scores that are not solved."""
    missing = [format_score(run.rules, score) for group in (*run.running, *run.waiting) for score in group]
    found: dict[str, Any] = {
        "format": FORMAT,
        "rules": run.rules.name,
        "options": json.loads(json.dumps(run.rules.options())),
        "fingerprint": run.rules.fingerprint,
        "rules_digest": rules_digest(run.rules),
        "target": run.target,
        "algorithm": run.algorithm,
        "states": run.states,
        "states_done": run.done,
        "missing": missing,
        "seconds": run.seconds,
        "reason": run.reason,
        "reached_target": run.reached,
        "versions": versions(),
        "value": None,
        "best_response": None,
        "nash_conv": None,
        "exploitability": None,
    }
    if run.start is not None:
        start = run.start
        found |= {
            "value": start.value,
            "best_response": [start.upper, 1.0 - start.lower],
            "nash_conv": start.gap,
            "exploitability": start.gap / 2.0,
        }
    return found


def save_run(run: MatchRun) -> None:
    """Write the equity table, then the description, each whole or not at all.

    The description that is there is first told the digest of the new table, so that it goes with either.
    """
    run.folder.mkdir(parents=True, exist_ok=True)
    place, described, files = run.folder / EQUITY, run.folder / MATCH, {}
    if run.table.values:
        with naming(place):
            content = run.table.content()
            before = place.read_bytes() if place.is_file() else content
        files = {EQUITY: [digest_of(content)]}
        if before != content and described.is_file():
            both = {EQUITY: [digest_of(before), digest_of(content)]}
            write_json(described, read_record(run.folder) | {FILES: both})
        write_bytes(place, content)
    write_json(described, description(run) | {FILES: files})


def read_record(folder: Path) -> dict[str, Any]:
    """match.json of a folder, with the target as an exploitability; FileError when it is missing, damaged or newer."""
    path = folder / MATCH
    if not path.is_file():
        raise FileError(f"'{folder}' is no match folder: it has no {MATCH}.")
    try:
        made = parse_json(read_bytes(path))
        newer = made["format"] > FORMAT
        if not newer:
            check_kinds(made, KINDS)
        if made["format"] == 1:
            made |= {"format": FORMAT, "target": made["target"] / 2.0}
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path, error, ANEW) from error
    if newer:
        raise FileError(f"'{path}' has format {made['format']}; this version reads up to {FORMAT}: update truc-solve.")
    return made


def recorded_rules(folder: Path) -> RuleSet:
    """The rules of a match folder; FileError when they are not those its fingerprint says."""
    return rules_of(read_record(folder), folder / MATCH)


def resume_match(run: MatchRun) -> list[str]:
    """Take what an earlier run of the same match has finished; returns what is worth knowing, in sentences.

    UsageError names each option that differs, FileError what is missing, broken or of another version.
    """
    path = run.folder / MATCH
    if not path.is_file():
        raise FileError(f"There is no match to resume in '{run.folder}': it has no {MATCH}; start it without --resume.")
    made, here = read_record(run.folder), description(run)
    try:
        differs = [key for key in ("options", "target", "algorithm") if made[key] != here[key]]
        told = "; ".join(difference(made, here, key) for key in differs)
        there = dict(made["versions"])
        seconds = float(made["seconds"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged(path, error, ANEW) from error
    if differs:
        raise UsageError(f"The match in '{run.folder}' is another one: {told}.")
    notes = check_versions(run.folder, there, here["versions"])
    sweep_leftovers(run.folder)
    run.seconds = seconds
    return notes + take_finished(run)


def difference(made: dict[str, Any], here: dict[str, Any], key: str) -> str:
    """How a difference is told: the options one by one, the rest as they are."""
    if key != "options":
        return f"{key} is {as_given(made[key])} there and {as_given(here[key])} here"
    pairs = [(name, made[key].get(name), value) for name, value in here[key].items() if made[key].get(name) != value]
    return ", ".join(f"{name} is {as_given(old)} there and {as_given(new)} here" for name, old, new in pairs)


def check_versions(folder: Path, there: dict[str, str], here: dict[str, str]) -> list[str]:
    """FileError for half a match of another version; a sentence where other packages may change the last bits."""
    package = "truc-solve"
    if there.get(package) != here[package]:
        raise FileError(
            f"The match in '{folder}' was begun with {package} {there.get(package)}, this is {here[package]}; "
            "finish it with that version, or start anew in another folder."
        )
    changed = [
        f"{name} {there.get(name)} there, {here[name]} here" for name in SAME_BITS if there.get(name) != here[name]
    ]
    if not changed:
        return []
    return [f"The states so far were solved with other packages ({'; '.join(changed)}): the last bits may differ."]


def sweep_leftovers(folder: Path) -> None:
    """Remove what a killed run had begun to write and not yet renamed; what else is hidden there is not ours."""
    ours = [*(f".{name}.*" for name in (MATCH, EQUITY, "checkpoint-*")), "states/.[0-9]*.*"]
    for path in [path for pattern in ours for path in folder.glob(pattern)]:
        with suppress(OSError):
            remove_unused(path)


def take_finished(run: MatchRun) -> list[str]:
    """Take the values of the groups whose rows and folders are all there; a sentence for each damaged folder."""
    path, notes = run.folder / EQUITY, list[str]()
    if not path.is_file():
        return notes
    rows = read_table(run.rules, path)
    for group in list(run.waiting):
        if any(score not in rows for score in group):
            continue
        folders = [state_folder(run.folder, run.rules, score) for score in group]
        lost = [folder for folder in folders if not is_whole(folder)]
        notes += [f"'{folder}' is damaged; its hand is solved again." for folder in lost if folder.exists()]
        if not lost:
            run.table.values.update({score: rows[score] for score in group})
            run.waiting.remove(group)
    return notes


def drop_checkpoints(run: MatchRun, group: tuple[Any, ...]) -> None:
    """Remove the checkpoints of a group whose result is saved."""
    for score in group:
        checkpoint_file(run.folder, run.rules, score).unlink(missing_ok=True)
