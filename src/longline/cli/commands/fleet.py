"""longline fleet: many sources on many machines, through one database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._groups import GroupedCommand, GroupedCommands, with_options
from longline.cli._options import Budget, Json, Opening
from longline.cli._said import note, say, say_exactly
from longline.errors import InputError

if TYPE_CHECKING:
    from longline.fleet import Counts, SourceState

Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="LONGLINE_DATABASE",
        help="The fleet's PostgreSQL database, such as postgresql://USER@HOST/NAME.",
    ),
]
Urls = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SOURCE]...", help="Addresses of sources; all, if none is named."),
]

fleet = typer.Typer(
    cls=GroupedCommands,
    help="Harvest many sources on many machines: every fact in PostgreSQL, work placed by Ray.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def submit(
    sources: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCES.csv|DIR",
            help="A CSV file with a column url, and any option of longline harvest; or the folder "
            "of a harvest, whose journal moves into the database.",
        ),
    ],
    database: Database,
    budget: Budget,
    manners: Opening,
) -> None:
    """Add sources to a fleet; those that it has already stay as they are."""
    from longline.api import is_harvest, read_sources
    from longline.fleet import Fleet

    with Fleet(database) as there:
        if sources.is_dir():
            if not is_harvest(sources):
                raise InputError(
                    f"{sources} is not a harvest folder", advice="name one, or a CSV file"
                )
            new, of = there.adopt(sources), 1
        else:
            options = budget.limits() | manners.limits()
            rows = [options | row for row in read_sources(sources)]
            new, of = there.submit(rows), len(rows)
    note(f"{new:,} of {of:,} sources are new")


def run(
    database: Database,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="A Ray cluster that runs, or auto.",
            show_default="one on this machine, for as long as this runs",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Slices at once.",
            show_default="one a processor of the cluster",
        ),
    ] = None,
    slice_requests: Annotated[
        int, typer.Option(metavar="N", min=1, help="Requests of a slice, at most.")
    ] = 500,
    slice_seconds: Annotated[
        float, typer.Option(metavar="SECONDS", min=1, help="Seconds of a slice, at most.")
    ] = 60.0,
    lease_seconds: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=2, help="How long a host is left alone when its worker dies."
        ),
    ] = 30.0,
) -> None:
    """Harvest until no source waits; killed, start it again and it goes on.

    Each source is harvested in slices. One worker at a time talks to a host, whatever number of
    sources live there; a worker that was cut off can neither ask nor write any more.
    """
    from rich.console import Console
    from rich.live import Live

    from longline.fleet import run as go

    with Live(console=Console(stderr=True), transient=True) as live:
        counts = go(
            database,
            address=address,
            workers=workers,
            requests=slice_requests,
            seconds=slice_seconds,
            lease_seconds=lease_seconds,
            on_look=lambda now: live.update(_line(now)),
        )
    say(_line(counts))


def status(
    database: Database,
    sources: Annotated[
        bool, typer.Option("--sources", help="List every source, with how it stands.")
    ] = False,
    json: Json = False,
) -> None:
    """Say how many sources wait, run, and ended, and what they brought."""
    from longline.fleet import Fleet

    with Fleet(database) as there:
        if json:
            found: dict[str, Any] = there.counts()._asdict()
            if sources:
                found["sources"] = [_plain(row) for row in there.sources()]
            say_exactly(_encoded(found))
            return
        say(_line(there.counts()))
        for row in there.sources() if sources else ():
            state = row.outcome if row.state == "ended" else row.state
            say(f"{row.url}  {state}  {row.documents:,} documents, {row.requests:,} requests")


def pause(database: Database, urls: Urls = None) -> None:
    """Pause sources; one that is being harvested pauses when its slice has ended."""
    _change(database, "paused", ("waiting",), urls)


def resume(database: Database, urls: Urls = None) -> None:
    """Let paused sources go on."""
    _change(database, "waiting", ("paused",), urls)


def cancel(database: Database, urls: Urls = None) -> None:
    """Ask no more of sources; what they brought stays, and retry takes them up again."""
    _change(database, "cancelled", ("waiting", "paused"), urls)


def retry(database: Database, urls: Urls = None) -> None:
    """Let sources that ended short of complete, or were cancelled, go on."""
    _change(database, "waiting", ("ended", "cancelled"), urls)


def export(
    database: Database,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="OUT", help="A folder, or s3://bucket/name and its like."
        ),
    ],
) -> None:
    """Write a Parquet file for each source that ended; those that are there stay as they are.

    manifest.json lists them, with the outcome of each source.
    """
    from longline.fleet import export_parts

    written = list(export_parts(database, output))
    documents = sum(part.documents for part in written)
    note(f"{len(written):,} new parts with {documents:,} documents in {output}")


def _change(
    database: str, to: SourceState, was: tuple[SourceState, ...], urls: list[str] | None
) -> None:
    from longline.fleet import Fleet

    with Fleet(database) as there:
        changed = there.change(to, was, urls or ())
    note(f"{changed:,} sources: {to}")


def _line(counts: Counts) -> str:
    return (
        f"{counts.waiting:,} wait, {counts.running:,} of them running; {counts.ended:,} ended, "
        f"{counts.paused:,} paused, {counts.cancelled:,} cancelled; "
        f"{counts.documents:,} documents, {counts.requests:,} requests"
    )


def _plain(row: Any) -> dict[str, Any]:
    names = ("url", "state", "outcome", "cause", "documents", "requests", "slices", "said")
    return {name: getattr(row, name) for name in names}


def _encoded(found: dict[str, Any]) -> str:
    import msgspec

    return msgspec.json.encode(found).decode()


for command in (submit, run, status, pause, resume, cancel, retry, export):
    fleet.command(cls=GroupedCommand)(with_options(command))
