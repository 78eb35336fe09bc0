"""What a match folder says of itself: match.json beside equity.parquet and the states' folders.

The description is written after the equity table, and the table after the states it names, so whatever moment a run is
ended at, what the folder claims is there.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.errors import FileError, UsageError
from solver.match.state import checkpoint_file, state_folder
from solver.match.tables import read_table
from solver.rules.model import RuleSet
from solver.rules.score import format_score
from solver.strategy import shipped
from solver.strategy.equity import EQUITY
from solver.strategy.store import RUN, versions

if TYPE_CHECKING:
    from solver.match.run import MatchRun

MATCH = shipped.MATCH
#: 1: the target was a nash_conv; 2: it is an exploitability
FORMAT = 2
SAME_BITS = ("numpy", "numba")


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Keep other runs out of a match folder meanwhile; UsageError when one is at work there.

    The lock is the system's own and goes with the process; where there is none, nothing is kept out.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise UsageError(f"Another run is at work in '{folder}'; wait for it, or name another folder.") from error
    except OSError:  # a file system without locks
        pass
    try:
        yield
    finally:
        os.close(handle)


def description(run: MatchRun) -> dict[str, Any]:
    """The content of match.json; ``missing`` names the scores that are not solved."""
    missing = [format_score(run.rules, score) for group in (*run.running, *run.waiting) for score in group]
    found: dict[str, Any] = {
        "format": FORMAT,
        "rules": run.rules.name,
        "options": json.loads(json.dumps(run.rules.options())),
        "fingerprint": run.rules.fingerprint,
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
    """Write the equity table, then the description, each whole or not at all."""
    run.folder.mkdir(parents=True, exist_ok=True)
    if run.table.values:
        run.table.save(run.folder / EQUITY)
    beside, place = run.folder / f".{MATCH}.new", run.folder / MATCH
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(json.dumps(description(run), indent=2, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
    except OSError as error:
        error.filename, error.filename2 = str(place), None
        raise


def read_record(folder: Path) -> dict[str, Any]:
    """match.json of a folder, with the target as an exploitability; FileError when it is missing, damaged or newer."""
    path = folder / MATCH
    if not path.is_file():
        raise FileError(f"'{folder}' is no match folder: it has no {MATCH}.")
    try:
        made = dict(json.loads(path.read_text("utf-8")))
        newer = made["format"] > FORMAT
        if made["format"] == 1:
            made |= {"format": FORMAT, "target": made["target"] / 2.0}
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path, error) from error
    if newer:
        raise FileError(f"'{path}' has format {made['format']}; this version reads up to {FORMAT}: update truc-solve.")
    return made


def damaged(path: Path, error: Exception) -> FileError:
    """The sentence for a description whose content is not what was written."""
    what = f"it lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split()).rstrip(".")
    return FileError(f"'{path}' is damaged ({what}); solve the match anew in another folder, or restore the file.")


def recorded_rules(folder: Path) -> RuleSet:
    """The rules of a match folder; FileError when they are not those its fingerprint says."""
    made = read_record(folder)
    try:
        rules = RuleSet(name=made["rules"], **made["options"])
    except (KeyError, TypeError, UsageError) as error:
        raise damaged(folder / MATCH, error) from error
    if rules.fingerprint != made.get("fingerprint"):
        raise FileError(f"'{folder / MATCH}' names options of another fingerprint than {made.get('fingerprint')}.")
    return rules


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
        raise damaged(path, error) from error
    if differs:
        raise UsageError(f"The match in '{run.folder}' is another one: {told}.")
    notes = check_versions(run.folder, there, here["versions"])
    sweep_leftovers(run.folder)
    run.seconds = seconds
    take_finished(run)
    return notes


def difference(made: dict[str, Any], here: dict[str, Any], key: str) -> str:
    """How a difference is told: the options one by one, the rest as they are."""
    if key != "options":
        return f"{key} is {shown(made[key])} there and {shown(here[key])} here"
    pairs = [(name, made[key].get(name), value) for name, value in here[key].items() if made[key].get(name) != value]
    return ", ".join(f"{name} is {shown(old)} there and {shown(new)} here" for name, old, new in pairs)


def shown(value: object) -> str:
    """An option's value as it would be given."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


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
    """Remove what a killed run had begun to write and not yet renamed."""
    for place in (folder, folder / "states"):
        for path in place.glob(".*"):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def take_finished(run: MatchRun) -> None:
    """Values of the groups whose rows and folders are all there."""
    path = run.folder / EQUITY
    if not path.is_file():
        return
    rows = read_table(run.rules, path)
    for group in list(run.waiting):
        folders = [state_folder(run.folder, run.rules, score) for score in group]
        if all(score in rows for score in group) and all((folder / RUN).is_file() for folder in folders):
            run.table.values.update({score: rows[score] for score in group})
            run.waiting.remove(group)


def drop_checkpoints(run: MatchRun, group: tuple[Any, ...]) -> None:
    """Remove the checkpoints of a group whose result is saved."""
    for score in group:
        checkpoint_file(run.folder, run.rules, score).unlink(missing_ok=True)
