"""longline fleet run, status and export: what a fleet does, and what it brought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from longline.cli._groups import option
from longline.cli._options import Json
from longline.cli._said import note, say, say_json
from longline.cli.commands.fleet.sources import Database
from longline.outcomes import STOPPED_SHORT
from longline.text.numbers import counted

if TYPE_CHECKING:
    from longline.queue import Counts, Row


@dataclass(frozen=True)
class How:
    """Where the work runs, and how much of it at a time."""

    address: str | None = option(
        None,
        metavar="HOST:PORT",
        help="A Ray cluster that runs, or auto.",
        show_default="one on this machine, for as long as this runs",
    )
    workers: int | None = option(
        None, min=1, help="Processes at once.", show_default="one a processor of the cluster"
    )
    at_once: int = option(10, min=1, help="Sources that a process harvests side by side.")
    slice_requests: int = option(500, min=1, help="Requests of a slice, at most.")
    slice_seconds: float = option(
        60.0, metavar="SECONDS", min=1, help="Seconds of a slice, at most."
    )
    lease_seconds: float = option(
        30.0, metavar="SECONDS", min=2, help="How long a host is left alone when its worker dies."
    )


def run(database: Database, how: How, json: Json = False) -> None:
    """Harvest until no source waits; after a crash, start it again and it continues.

    Each source is harvested in slices. One worker at a time talks to a host, however many sources
    it serves; a worker that lost its connection can neither send requests nor write any more. Exit
    code 0 means that all sources are complete; 3 means that documents of some are missing.
    """
    from rich.console import Console
    from rich.live import Live

    from longline.fleet import Work
    from longline.fleet import run as go
    from longline.queue import Fleet

    with Live(console=Console(stderr=True), transient=True) as live:
        counts = go(
            database,
            address=how.address,
            workers=how.workers,
            work=Work(how.slice_requests, how.slice_seconds, how.at_once, how.lease_seconds),
            on_look=lambda now: live.update(now.in_words()),
        )
    with Fleet(database) as there:
        incomplete = there.incomplete()
    if json:
        say_json(counts._asdict() | {"incomplete": incomplete})
    else:
        _say(counts, incomplete)
    if incomplete:
        raise typer.Exit(STOPPED_SHORT)


def status(
    database: Database,
    sources: Annotated[
        bool, typer.Option("--sources", help="List every source, with how it stands.")
    ] = False,
    state: Annotated[
        Literal["waiting", "paused", "cancelled", "ended"] | None,
        typer.Option(
            help="List the sources in this state only.", show_default="all, with --sources"
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show how many sources wait, run, and ended, and what they brought."""
    from longline.queue import Fleet

    is_listed = sources or state is not None
    with Fleet(database) as there:
        incomplete = there.incomplete()
        if json:
            found: dict[str, Any] = there.counts()._asdict() | {"incomplete": incomplete}
            if is_listed:
                found["sources"] = [_plain(row) for row in there.sources(state)]
            say_json(found)
            return
        _say(there.counts(), incomplete)
        for row in there.sources(state) if is_listed else ():
            say(_standing(row))


def export(
    database: Database,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="OUT", help="A folder, or s3://bucket/name and its like."
        ),
    ],
    json: Json = False,
) -> None:
    """Write a Parquet file for each source that ended; existing files are not changed.

    manifest.json lists the files, with the outcome of each source.
    """
    from longline.fleet import export_parts

    written = list(export_parts(database, output))
    parts = counted(len(written), "new part")
    documents = sum(part.documents for part in written)
    note(f"{parts} with {counted(documents, 'document')} in {output}")
    if json:
        say_json({"output": output, "documents": documents, "parts": written})


def _say(counts: Counts, incomplete: int) -> None:
    """Print how many sources are in which state, and how many that ended lack documents."""
    say(counts.in_words())
    if incomplete:
        some = counted(incomplete, "source that ended lacks", "sources that ended lack")
        say(f"{some} documents, or came to nothing; fleet status --sources says why")


def _standing(row: Row) -> str:
    """Return a line about a source, with the reason if it is not complete."""
    state = row.outcome if row.state == "ended" else row.state
    said = "" if row.outcome == "complete" or not row.said else f"  ({row.said})"
    brought = f"{counted(row.documents, 'document')}, {counted(row.requests, 'request')}"
    return f"{row.url}  {state}  {brought}{said}"


def _plain(row: Any) -> dict[str, Any]:
    names = ("state", "outcome", "cause", "documents", "requests", "slices")
    told = {name: getattr(row, name) for name in names}
    return {"source": row.url, **told, "stopped": row.said}
