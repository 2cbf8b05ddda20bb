"""longline dashboard, pause, resume, stop and budget: steer harvests of other processes."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from longline.cli._groups import option
from longline.cli._options import Folder, Json, Notify, OneOrMany
from longline.cli._said import note, say, say_json
from longline.errors import InputError

TOKEN = "LONGLINE_TOKEN"
"""The environment variable with the token: a command line is seen by others."""

Wait = Annotated[bool, typer.Option("--wait", help="Return when the harvest has done it.")]


def _print_brief(folder: Path, limits: Mapping[str, float | None] | None = None) -> None:
    """Print how a harvest stands now, for a program; with limits, what it may use and has used."""
    from longline.api import harvests_in, is_of_many, standing

    if is_of_many(folder):
        say_json(harvests_in(folder))
        return
    now = standing(folder)
    told = now.in_brief(str(folder))
    if limits is not None:
        used = {"max_requests": now.requests, "max_documents": now.documents}
        told["budget"] = {
            "seconds" if name == "max_time" else name.removeprefix("max_"): {
                "allowed": allowed,
                "used": used.get(name),
            }
            for name, allowed in limits.items()
        }
    say_json(told)


def pause(folder: OneOrMany, wait: Wait = False, json: Json = False) -> None:
    """Pause a running harvest: it finishes the page it is reading, then sends nothing.

    Its process stays, and so does all that it knows; longline resume lets it go on. Of a folder of
    many, those are paused that run now; a source that is still learnt goes on.
    """
    from longline import api

    api.pause(folder, wait=wait)
    who = "they pause" if api.is_of_many(folder) else "it pauses"
    note(f"{who}; to go on: longline resume {folder}")
    if json:
        _print_brief(folder)


def resume(folder: OneOrMany, wait: Wait = False, json: Json = False) -> None:
    """Let a paused harvest go on; to continue one that ended, use longline harvest."""
    from longline import api

    api.resume(folder, wait=wait)
    note("they go on" if api.is_of_many(folder) else "it goes on")
    if json:
        _print_brief(folder)


def stop(folder: OneOrMany, wait: Wait = False, json: Json = False) -> None:
    """Stop a running harvest as soon as the answers to its open requests have come.

    Also while its source is learnt. Of a folder of many, those that have not begun do not begin.
    """
    from longline import api

    is_begun = api.is_harvest(folder)
    api.stop(folder, wait=wait)
    if is_begun:
        note(f"it stops; to continue: longline harvest {folder}")
    else:
        note("it stops; to continue, run the same command again")
    if json and (is_begun or api.is_of_many(folder)):
        _print_brief(folder)


@dataclass(frozen=True)
class Budgets:
    """What a harvest may use; 0 removes a limit."""

    max_requests: int | None = option(
        None, min=0, help="Stop after N requests, earlier runs included."
    )
    max_time: float | None = option(
        None, metavar="SECONDS", min=0, help="Stop the run after so many seconds."
    )
    max_documents: int | None = option(None, min=0, help="Stop when N documents are saved.")
    max_queries: int | None = option(None, min=0, help="Stop after N different searches.")
    max_bytes: int | None = option(None, min=0, help="Stop after N bytes were received.")
    max_requests_per_day: int | None = option(
        None, min=0, help="Send at most N requests a day (UTC)."
    )

    def changes(self) -> dict[str, Any]:
        """Return those that were given, as the package names them."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        return {name: value or None for name, value in given.items()}


def budget(folder: Folder, budgets: Budgets, json: Json = False) -> None:
    """Change the limits of a harvest, in this run and in later ones.

    0 removes a limit. Options that a later run is given count more than what is set here.
    """
    from longline import api

    changes = budgets.changes()
    if not changes:
        raise InputError("no budget was given", advice="give one, such as --max-requests 5000")
    found = api.set_budget(folder, **changes)
    if json:
        _print_brief(folder, found)
        return
    for name, value in found.items():
        bound = "no bound" if value is None else f"{value:,.10g}"
        say(f"budget     {name.removeprefix('max_').replace('_', ' ')}: {bound}")


def dashboard(
    folders: Annotated[
        list[str],
        typer.Argument(
            metavar="DIR|DATABASE...",
            help="Folders of harvests, folders that hold harvests, or postgresql:// URLs of "
            "databases with harvests or a fleet; new ones are made in the first folder. Nothing "
            "else is touched.",
        ),
    ],
    host: Annotated[
        str,
        typer.Option(help=f"Where to listen; elsewhere than here only with {TOKEN} set."),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0 takes any that is free.")
    ] = 8770,
    at_once: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Harvests that are started here and run at once."),
    ] = 4,
    notify: Notify = "",
) -> None:
    """Watch harvests on a page, steer them, and start new ones; until Ctrl-C.

    Harvests are processes of their own: they go on when the dashboard ends. Without a token in the
    environment variable LONGLINE_TOKEN it answers to this machine alone.
    """
    from longline.api import serve_dashboard

    serve_dashboard(
        folders,
        host=host,
        port=port,
        token=os.environ.get(TOKEN, ""),
        at_once=at_once,
        notify=notify,
        on_ready=lambda url: note(f"the dashboard is at {url}; Ctrl-C ends it, not the harvests"),
    )
