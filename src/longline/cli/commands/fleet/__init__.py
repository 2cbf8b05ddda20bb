"""longline fleet: many sources on many machines, through one database."""

import typer

from longline.cli._groups import GroupedCommand, GroupedCommands, with_options
from longline.cli.commands.fleet.sources import cancel, pause, resume, retry, submit
from longline.cli.commands.fleet.work import export, run, status

fleet = typer.Typer(
    cls=GroupedCommands,
    help="Harvest many sources on many machines: every fact in PostgreSQL, work placed by Ray.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for command in (submit, run, status, pause, resume, cancel, retry, export):
    fleet.command(cls=GroupedCommand)(with_options(command))
