"""Writes the reference page of the command line, docs/cli.md, from the commands themselves.

Run as `python -m cli.reference docs/cli.md`; a test compares the committed page with `page()`.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

import typer

from cli.app import COMMANDS, TOP_HELP, load

_HEAD = """\
# Command line

Written by `make docs` from the program itself; change the commands, not this page.
"""


def page() -> str:
    """The whole page as Markdown."""
    panels = dict.fromkeys(entry.panel for entry in COMMANDS)
    parts = [_HEAD, _described(TOP_HELP)]
    for panel in panels:
        names = (entry.name for entry in COMMANDS if entry.panel == panel)
        parts.append(f"- {panel}: " + ", ".join(f"[`{name}`](#truc-solve-{name})" for name in names))
    parts.extend(section(entry.name) for entry in COMMANDS)
    return "\n".join(parts) + "\n"


def section(name: str) -> str:
    """One command: what it does, its example, its arguments and options."""
    command = load(name)
    context = typer.Context(command, info_name=name)
    parameters = [one for one in command.params if not getattr(one, "hidden", False)]
    words = ["truc-solve", name, *(_word(one) for one in parameters if _is_argument(one)), "[OPTIONS]"]
    parts = [f"\n## truc-solve {name}\n", f"```\n{' '.join(words)}\n```\n"]
    parts.append(_described(command.callback.__doc__))
    parts.append("| argument or option | meaning |\n|---|---|")
    parts.extend(_parameter(one, context) for one in parameters)
    return "\n".join(parts)


def _described(docstring: str) -> str:
    """A docstring as Markdown, its indented examples as code."""
    blocks = []
    for paragraph in inspect.cleandoc(docstring).split("\n\n"):
        lines = paragraph.split("\n")
        prose = [line for line in lines if not line.startswith("  ")]
        code = [line[2:] for line in lines if line.startswith("  ")]
        blocks.append("\n".join(prose) + "\n")
        if code:
            blocks.append("```sh\n" + "\n".join(code) + "\n```\n")
    return "\n".join(blocks)


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _word(parameter: Any) -> str:
    name = str(parameter.metavar or parameter.name.upper())
    return name if parameter.required else f"[{name}]"


def _parameter(parameter: Any, context: typer.Context) -> str:
    """One row of the table."""
    if _is_argument(parameter):
        shown = f"`{_word(parameter)}`"
    else:
        value = "" if parameter.is_flag else f" {parameter.metavar or parameter.display_type(context)}"
        shown = ", ".join(f"`{option}{value}`" for option in parameter.opts)
    help = " ".join((parameter.help or "").split())
    default = parameter.default
    if parameter.show_default and default not in (None, "", False, True) and not callable(default):
        help += f" Default: {default}."
    if parameter.envvar:
        help += f" Environment: {parameter.envvar}."
    if parameter.required and not _is_argument(parameter):
        help += " Required."
    return f"| {shown} | {_cell(help)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(words: list[str]) -> int:
    """Write the page to the file named in `words`."""
    target = Path(words[0])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
