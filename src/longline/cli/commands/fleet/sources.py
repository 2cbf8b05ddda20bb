"""longline fleet submit, pause, resume, cancel and retry: which sources a fleet harvests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longline.cli._options import Budget, Json, Kept
from longline.cli._said import note, say_json
from longline.text.numbers import counted

if TYPE_CHECKING:
    from longline.queue import SourceState

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


def submit(
    sources: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCES.csv|DIR",
            help="A CSV file with a column url, and any option of longline harvest; or the folder "
            "of a harvest, whose journal moves into the database, or of longline plan.",
        ),
    ],
    database: Database,
    budget: Budget,
    manners: Kept,
    json: Json = False,
) -> None:
    """Add sources to a fleet; those that it already has are not changed.

    Options are saved in the database, so headers and cookies cannot be given.
    """
    from longline.api import read_sources
    from longline.queue import Fleet

    options = _given(budget, manners)
    with Fleet(database) as there:
        if sources.is_dir():
            new, of = there.adopt(sources, options), 1
        else:
            rows = [options | row for row in read_sources(sources)]
            new, of = there.submit(rows), len(rows)
    others = "; the others stay as they are" if new < of else ""
    note(f"{new:,} of {counted(of, 'source is', 'sources are')} new{others}")
    if json:
        say_json({"submitted": of, "new": new})


def pause(database: Database, urls: Urls = None, json: Json = False) -> None:
    """Pause sources; one that is being harvested stops within half of a lease."""
    _told("paused", _changed(database, "paused", ("waiting",), urls), json=json)


def resume(database: Database, urls: Urls = None, json: Json = False) -> None:
    """Let paused sources continue."""
    _told("waiting", _changed(database, "waiting", ("paused",), urls), json=json)


def cancel(database: Database, urls: Urls = None, json: Json = False) -> None:
    """Send no more requests to sources; their documents stay, and retry continues them."""
    _told("cancelled", _changed(database, "cancelled", ("waiting", "paused"), urls), json=json)


def retry(
    database: Database, budget: Budget, manners: Kept, urls: Urls = None, json: Json = False
) -> None:
    """Let sources that ended incomplete, or were cancelled, continue.

    Options given here apply from now on, such as --max-requests 5000 for sources that have used up
    their budget.
    """
    given = _given(budget, manners)
    changed = _changed(database, "waiting", ("ended", "cancelled"), urls, given)
    _told("waiting", changed, json=json)


def _given(*groups: Budget | Kept) -> dict[str, Any]:
    """Return the options that differ from their defaults."""
    found: dict[str, Any] = {}
    for group in groups:
        default = type(group)().limits()
        given = group.limits().items()
        found |= {name: value for name, value in given if value != default.get(name)}
    return found


def _changed(
    database: str,
    to: SourceState,
    was: tuple[SourceState, ...],
    urls: list[str] | None,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> int:
    from longline.queue import Fleet

    with Fleet(database) as there:
        return there.change(to, was, urls or (), options)


def _told(state: SourceState, sources: int, *, json: bool) -> None:
    """Print how many sources have changed to a state."""
    note(f"{counted(sources, 'source')}: {state}")
    if json:
        say_json({"state": state, "changed": sources})
