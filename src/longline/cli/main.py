"""The command `longline`: its subcommands, and how errors are reported.

`longline.outcomes` has the exit codes.
"""

import os
import shutil
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Annotated, Any, NoReturn

import typer

from longline.cli._groups import GroupedCommand, GroupedCommands, with_options
from longline.cli._logs import with_logs
from longline.cli._said import ReaderLeft, in_lines, say_json, warn
from longline.cli._settings import VARIABLE, read_settings, settings_file, shown, usual_file
from longline.cli.commands import (
    answer,
    budget,
    compare,
    cover,
    dashboard,
    demo,
    diff,
    discover,
    doctor,
    export,
    find,
    fleet,
    harvest,
    log,
    mcp,
    move,
    pause,
    plan,
    presets,
    report,
    resume,
    retry,
    serve,
    status,
    stop,
    strategies,
    update,
)
from longline.cli.sources import Settable
from longline.errors import LonglineError, StorageError, in_shell
from longline.files import NO_ROOM
from longline.outcomes import BUG, Ending
from longline.secrets import masked
from longline.version import __version__

INTERRUPTED = 130
"""Exit code if Ctrl-C ended a command at once, as in shells."""

app = typer.Typer(
    cls=GroupedCommands,
    help="Save everything behind a search box, and say what is missing.",
    epilog="An option with a variable, such as LONGLINE_RATE, can be set once for all: by the "
    f"variable, or in the file {shown(usual_file())} (or what {VARIABLE} names) by a line such as "
    "rate = 2. Exit codes: 0 done, 1 a bug in longline, 2 bad input, 3 stopped before the end: "
    "documents are missing, the source is down or keeps us out, or the disk is full; "
    "130 Ctrl-C before there was anything to save.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
ASKING: tuple[Callable[..., None], ...] = (plan, harvest, update, retry, discover, find)
PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Harvest a source": (demo, *map(with_logs, ASKING)),
    "Watch and steer harvests": (dashboard, pause, resume, stop, budget),
    "Look at a harvest": (status, log, report, diff, answer, export, move, doctor),
    "Serve agents": (mcp,),
    "See what longline knows": (presets, strategies),
    "Try it on texts of your own": (serve, compare, cover),
}
for panel, commands in PANELS.items():
    for command in commands:
        app.command(cls=GroupedCommand, rich_help_panel=panel)(with_options(command))
app.add_typer(fleet, name="fleet", rich_help_panel="Harvest on many machines")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"longline {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    name = context.invoked_subcommand or ""
    command: Any = context.command
    if any(option.envvar for option in command.commands[name].params):
        context.default_map = {name: read_settings(settings_file(), Settable)}


def main() -> None:
    """Run the command line; a known error prints one line on standard error, not a traceback.

    A terminal shows a long line in several parts.
    """
    # On busy cores, numpy's threads wait for each other and take longer than one thread.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):  # not every encoding has every letter
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    asks_for_help = sys.argv[1:2] == ["help"]
    try:
        code = app([*sys.argv[2:], "--help"] if asks_for_help else None, standalone_mode=False) or 0
    except ReaderLeft:
        sys.stderr.close()  # the reader of our output has gone, e.g. `longline export | head`
        sys.exit(0)
    except LonglineError as error:
        line = " ".join(f"error: {in_shell(error.told)}".splitlines())
        width = shutil.get_terminal_size().columns
        warn(in_lines(line, width) if sys.stderr.isatty() else line)
        message, advice = map(in_shell, error.parts)
        _fail(type(error).__name__, message, advice, error.ending)
    except typer.TyperException as error:
        wrong: Any = error
        wrong.show()
        _fail("UsageError", wrong.format_message())
    except OSError as error:
        # A user's file that cannot be read or written, or output that finds no room.
        if error.filename is None and error.errno not in NO_ROOM:
            _print_error(type(error).__name__, str(error), code=BUG)
            raise
        where = error.filename or "standard output"
        what, advice = f"{where}: {error.strerror}", "check its name, permissions and room"
        warn(f"error: {what}; {advice}")
        if error.filename is None:
            # The rest of the output would fail again at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        ending = StorageError.ending if error.errno in NO_ROOM else LonglineError.ending
        _fail(type(error).__name__, what, advice, ending=ending)
    except Exception as error:
        _print_error(type(error).__name__, str(error), code=BUG)
        raise
    if code == INTERRUPTED:
        warn("interrupted; nothing that was saved is lost; run it again")
        _print_error("Interrupted", "interrupted", "run it again", code=code)
    sys.exit(code)


def _fail(
    kind: str, message: str, advice: str = "", ending: Ending = LonglineError.ending
) -> NoReturn:
    """Exit with the code of an ending; the message is already printed on standard error."""
    _print_error(kind, message, advice, ending=ending, code=ending.exit_code)
    sys.exit(ending.exit_code)


def _print_error(
    kind: str, message: str, advice: str = "", *, ending: Ending = LonglineError.ending, code: int
) -> None:
    """Print an error as one JSON object, if the program was called with --json."""
    if "--json" in sys.argv:
        told = {"kind": kind, "message": masked(message), "next": masked(advice)}
        say_json({"error": told | {**ending._asdict(), "exit_code": code}}, is_line=True)
