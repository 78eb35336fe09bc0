"""What `--json` prints is what docs/schemas says, command by command, and no key is left undescribed.

The published schemas let keys be added; here they are closed, so that an added key must be described.
"""

from __future__ import annotations

import functools
import json
import re
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli import exits
from cli.app import COMMANDS, load

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
WITH_JSON = [
    entry.name for entry in COMMANDS if any("--json" in parameter.opts for parameter in load(entry.name).params)
]

# The words of each case, {places} of solved games filled in; every command with --json needs one.
CASES: dict[str, list[str]] = {
    "rules": ["", "truc --set ranks=3", "trut-gatine"],
    "estimate": ["truc --set ranks=2", "trut --set ranks=2 --no-probe"],
    "solve": [
        "truc --set ranks=2 --target 0.05 --out {new}/a",
        "truc --set ranks=2 --max-iterations 3 --out {new}/b",
        "truc --set ranks=2 --set ladder=1,2 --set target=2 --unit match --equity {match} --out {new}/c",
    ],
    "match": [
        "truc --set ranks=2 --set ladder=1,2 --set target=2 --target 0.2 --out {new}/m",
        "truc --set ranks=3 --set target=3 --target 1e-6 --max-time 0.001 --out {new}/n",
    ],
    "verify": ["{truc}", "{truc} --no-exact", "{trut}", "{match}", "{match} --score 1-0"],
    "query": [
        "{truc} --hand 778",
        "{truc} --hand 778 --why",
        "{truc} --hand 778 --history 'raise' --why",
        "{trut} --hand 778 --history '8'",
        "{trut} --hand 778 --history '8' --why",
        "{trut} --hand 778 --history '8 d:trut'",
        "{truc} --hand 788 --history '7 7 8 8 raise'",
        "{match} --score 0-1 --hand 778",
        "{fortial} --hand 778",
    ],
    "table": ["{truc}", "{truc} --all --history '8'", "{trut} --history '7'", "{truc} --where 'value > 99'"],
    "stats": ["{truc}", "{trut} --by seat,class,history", "{match}", "{truc} --by score,trick"],
    "compare": ["{truc} {truc}", "{truc} {trut}", "{truc} {other}", "{truc} {match}", "{trut} {fortial} --sort loss"],
    "equity": ["{match}", "{match} --score 1-0"],
    "import": ["{profile} --rules truc --set ranks=2 --set ladder=1,2 --out {new}/i"],
    "review": ["{record} --results {results}", "{record} --for you --results {results}", "{empty}"],
    "bench": ["--quick"],
    "doctor": [""],
}


def cases() -> list[Any]:
    return [
        pytest.param(name, words, id=f"{name} {words}".strip())
        for name in WITH_JSON
        for words in CASES.get(name, [])
    ]


@functools.cache
def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))


def closed(part: Any) -> Any:
    """The schema with every object closed whose further keys are not described."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    inner = {key: closed(value) for key, value in part.items()}
    is_object = "properties" in part and isinstance(part.get("type"), str | list)
    return {"additionalProperties": False, **inner} if is_object else inner


def faults(name: str, value: Any) -> list[str]:
    """What a closed schema finds wrong."""
    return [
        f"{'/'.join(map(str, one.absolute_path))}: {one.message}"
        for one in jsonschema.Draft202012Validator(closed(schema(name))).iter_errors(value)
    ]


@pytest.mark.parametrize("name", WITH_JSON)
def test_every_command_with_json_has_a_schema_and_is_tried(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert schema(name)["title"] == f"truc-solve {name} --json"
    assert CASES.get(name), f"add to CASES what to run {name} with"


def test_every_schema_is_of_a_command() -> None:
    assert {path.stem for path in SCHEMAS.glob("*.json")} == set(WITH_JSON)


@pytest.mark.parametrize(("name", "words"), cases())
def test_json_is_as_its_schema_says(
    name: str, words: str, places: dict[str, Path], tmp_path: Path, run: Any
) -> None:
    given = shlex.split(words.format(new=tmp_path, **places))
    done = run(name, *given, "--json")
    assert done.code in (exits.DONE, exits.CHECK_FAILED), done.err
    value = json.loads(done.out, parse_constant=pytest.fail)
    assert faults(name, value) == []


def test_the_schemas_refuse_what_is_not_so(places: dict[str, Path], run: Any) -> None:
    value = json.loads(run("query", str(places["truc"]), "--hand", "778", "--json").out)
    assert faults("query", value) == []
    for key in value:
        less = {name: one for name, one in value.items() if name != key}
        assert faults("query", less) == [f": '{key}' is a required property"]
    assert "'further' was unexpected" in faults("query", {**value, "further": 1})[0]
    assert "greater than the maximum" in faults("query", {**value, "reach": 1.5})[0]
    assert "is not one of" in faults("query", {**value, "to_act": "nobody"})[0]
    action = {**value["actions"][0], "frequency": "often"}
    assert faults("query", {**value, "actions": [action]}) == ["actions/0/frequency: 'often' is not of type 'number'"]
    assert faults("stats", [{"word": "raise"}])
    assert faults("rules", [])
    assert faults("table", [{"hand": 1}])


def test_published_schemas_let_keys_be_added(places: dict[str, Path], run: Any) -> None:
    value = json.loads(run("query", str(places["truc"]), "--hand", "778", "--json").out)
    jsonschema.validate({**value, "further": 1}, schema("query"), jsonschema.Draft202012Validator)


def test_the_formats_page_lists_the_keys_of_the_schemas() -> None:
    """The table under "JSON on stdout" names every key that a schema requires at the top, or says whose they are."""
    page = (SCHEMAS.parent / "format.md").read_text("utf-8").partition("## JSON on stdout")[2].partition("\n## ")[0]
    lines = {line.split("`")[1].split()[0]: line for line in page.splitlines() if line.startswith("| `")}
    assert set(lines) == set(WITH_JSON)
    for name, line in lines.items():
        if "those of" in line:
            continue
        for top in schema(name).get("oneOf", [schema(name)]):
            required = (top["items"] if top["type"] == "array" else top)["required"]
            missing = set(required) - set(re.findall(r"\w+", line))
            assert not missing, f"{name}: {missing}"
