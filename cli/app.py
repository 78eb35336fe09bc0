"""The command `truc-solve`: which commands there are, and how a run ends.

To add a command, write its function in a module of `cli/commands` and add one line to COMMANDS. The
docstring of the function is the help: the first line is the summary, a paragraph "Example:" has indented
lines that work as they stand. Its parameters are the options (`cli.options` has the shared ones), and it
returns its exit code, or None for 0. Then run `make docs`, which writes the reference page that a
test compares.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from cli import exits, output, streams
from solver.memory import check_limits

SOLVING = "Solving"
ASKING = "Asking"
PLAYING = "Playing"
SHARING = "Sharing"
SYSTEM = "This program"


class Entry(NamedTuple):
    """One command: its name, the module of `cli.commands`, the function there, its panel of the help page."""

    name: str
    module: str
    function: str
    panel: str


# In the order of the help page. Only commands whose module exists stand here.
COMMANDS: tuple[Entry, ...] = (
    Entry("estimate", "estimate", "estimate", SOLVING),
    Entry("solve", "solve", "solve", SOLVING),
    Entry("match", "match", "match", SOLVING),
    Entry("verify", "verify", "verify", SOLVING),
    Entry("rules", "rules", "rules", ASKING),
    Entry("query", "query", "query", ASKING),
    Entry("table", "table", "table", ASKING),
    Entry("stats", "stats", "stats", ASKING),
    Entry("equity", "equity", "equity", ASKING),
    Entry("compare", "compare", "compare", ASKING),
    Entry("chart", "chart", "chart", ASKING),
    Entry("explore", "explore", "explore", ASKING),
    Entry("export", "export", "export", SHARING),
    Entry("import", "import_", "import_profile", SHARING),
    Entry("play", "play", "play", PLAYING),
    Entry("review", "review", "review", PLAYING),
    Entry("bench", "bench", "bench", SYSTEM),
    Entry("doctor", "doctor", "doctor", SYSTEM),
)


def load(name: str) -> Any:
    """The parser of one command, built from its function's signature; only its own module is imported."""
    entry = next(entry for entry in COMMANDS if entry.name == name)
    function: Callable[..., int | None] = getattr(
        importlib.import_module(f"cli.commands.{entry.module}"), entry.function
    )
    one = typer.Typer(add_completion=False, rich_markup_mode="rich")
    page = help_page(function.__doc__ or docstring(function))
    one.command(entry.name, help=page, rich_help_panel=entry.panel)(function)
    return typer.main.get_command(one)


def docstring(function: Callable[..., Any]) -> str:
    """The docstring of a function as its source has it, for a Python that was told to forget them (-OO)."""
    import ast

    definition = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return ast.get_docstring(definition) or ""


def help_page(docstring: str) -> str:
    """The docstring as markup: brackets stay brackets, indented lines (examples) keep their indent."""
    paragraphs = inspect.cleandoc(docstring).replace("[", "\\[").split("\n\n")
    return "\n\n".join(_paragraph(paragraph.split("\n")) for paragraph in paragraphs)


def _paragraph(lines: list[str]) -> str:
    if not any(line.startswith("  ") for line in lines):
        return " ".join(lines)
    return "\n".join(f"[not dim]{line}[/]" if line.startswith("  ") else line for line in lines)


class Commands(TyperGroup):
    """The group of all commands; a command's module is imported when that command is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order of the table."""
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, None if there is none."""
        if cmd_name not in self.commands and cmd_name in self.list_commands(ctx):
            self.commands[cmd_name] = load(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Refuse an unknown command with the names that come near."""
        from solver.errors import UsageError, near

        names = self.list_commands(ctx)
        if args[0] not in names and not ctx.resilient_parsing:
            allowed = near(args[0], names) or f" The commands are: {', '.join(names)}."
            raise UsageError(f"There is no command {args[0]!r}.{allowed}")
        return super().resolve_command(ctx, args)

    def get_params(self, ctx: Any) -> Any:
        """The options of the group, flags left out being False.

        Typer leaves them None and sends that through pydantic, whose import is a third of the time of --help.
        """
        parameters = super().get_params(ctx)
        for parameter in parameters:
            if getattr(parameter, "is_flag", False) and parameter.default is None:
                parameter.default = False
        return parameters

    def invoke(self, ctx: Any) -> Any:
        """Run the command; carry Ctrl-C and broken pipes past the parser, which would end the process."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, EOFError, OSError) as error:
            raise exits.HaltError(error) from error


app = typer.Typer(cls=Commands, rich_markup_mode="rich", pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        output.text(f"truc-solve {version('truc-solve')}")
        raise typer.Exit


TOP_HELP = """Solve the French card games Truc and Trut, and ask the solution what to do.

Example:
  truc-solve solve truc
  truc-solve query truc --hand "7 8 A"

The exit code is 0 when all is well, 1 when a check failed or a target was not reached, 2 for bad input,
3 for a file that is missing, damaged or made for other rules, 4 for too little memory or
disk, 130 when interrupted.
"""


@app.callback(invoke_without_command=True, help=help_page(TOP_HELP))
def top(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, metavar="", help="Print the version."
        ),
    ] = False,
) -> None:
    """Without a command, print the help."""
    if context.invoked_subcommand is None and (page := context.get_help()):
        output.text(page)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with these words (the process's own by default) and return the exit code."""
    streams.prepare_streams()
    with warnings.catch_warnings():
        warnings.showwarning = output.show_warning
        try:
            code = _dispatch(list(sys.argv[1:] if argv is None else argv))
            with streams.while_read():
                sys.stdout.flush()
            return code
        except SystemExit:  # rich ends so when nobody reads any more
            return exits.DONE
        except BaseException as error:
            return _finish(error)


def _dispatch(words: list[str]) -> int:
    """The exit code of the command, or whatever it raises."""
    if not {"--help", "--version"} & set(words):
        check_limits()
    command = typer.main.get_command(app)
    result = command.main(args=words, prog_name="truc-solve", standalone_mode=False)
    return result if isinstance(result, int) else exits.DONE


def _finish(error: BaseException) -> int:
    """Say what went wrong in a sentence and return the exit code."""
    code, sentence = exits.failure(error)
    if os.environ.get("TRUC_SOLVE_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    if sentence:
        output.error(sentence)
    streams.abandon(sys.stdout)
    return code


def run() -> None:
    """The entry point of the installed script."""
    streams.buffer_stdout()
    code = main()
    streams.abandon(sys.stderr)
    sys.exit(code)
