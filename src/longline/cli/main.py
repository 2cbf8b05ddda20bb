"""The command `longline`: its subcommands, and what becomes of errors.

Exit codes: 0 the target was met, 1 our bug, 2 bad input, 3 it stopped short.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from longline.cli._groups import GroupedCommand, GroupedCommands, with_options
from longline.cli._logs import with_logs
from longline.cli._said import ReaderLeft, warn
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
from longline.errors import LonglineError, in_shell
from longline.version import __version__

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)

app = typer.Typer(
    cls=GroupedCommands,
    help="Save everything behind a search box, and say what is missing.",
    epilog="An option with a variable, such as LONGLINE_RATE, can be set once for all: by the "
    f"variable, or in the file {shown(usual_file())} (or what {VARIABLE} names) by a line such as "
    "rate = 2. Exit codes: 0 done, 1 a bug in longline, 2 bad input, 3 stopped before the end.",
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
    """Run the command line; a known error is one line on standard error, not a traceback."""
    # Threads of numpy's algebra that wait for each other on busy cores take longer than one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        app()
    except LonglineError as error:
        warn(" ".join(f"error: {in_shell(error.told)}".splitlines()))
        sys.exit(error.exit_code)
    except ReaderLeft:
        sys.stderr.close()  # the reader of our output went away, e.g. `longline export | head`
        sys.exit(0)
    except OSError as error:
        # A file of the user's that cannot be read or written; output that finds no room.
        if error.filename is None and error.errno not in NO_ROOM:
            raise
        where = error.filename or "standard output"
        warn(f"error: {where}: {error.strerror}; check its name, permissions and room")
        # What is left of the output would fail once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
