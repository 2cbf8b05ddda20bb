"""longline dashboard, pause, resume, stop and budget: control harvests of other processes."""

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
from longline.text.safe import quoted

TOKEN = "LONGLINE_TOKEN"
"""The environment variable with the token: others can see a command line."""

Wait = Annotated[bool, typer.Option("--wait", help="Return when the harvest has done it.")]


def _print_brief(folder: Path, limits: Mapping[str, float | None] | None = None) -> None:
    """Print a harvest's state as JSON; with limits, also what it may use and has used."""
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

    Its process keeps running and loses nothing; longline resume lets it continue. For a folder of
    many, this pauses those that run now; a source that is being learnt continues.
    """
    from longline import api

    api.pause(folder, wait=wait)
    who = "they pause" if api.is_of_many(folder) else "it pauses"
    note(f"{who}; to go on: longline resume {folder}")
    if json:
        _print_brief(folder)


def resume(folder: OneOrMany, wait: Wait = False, json: Json = False) -> None:
    """Let a paused harvest continue; to continue one that ended, use longline harvest."""
    from longline import api

    api.resume(folder, wait=wait)
    note("they go on" if api.is_of_many(folder) else "it goes on")
    if json:
        _print_brief(folder)


def stop(folder: OneOrMany, wait: Wait = False, json: Json = False) -> None:
    """Stop a running harvest as soon as its open requests are answered.

    Also while its source is being learnt. In a folder of many, those not started do not start.
    """
    from longline import api

    is_begun = api.is_harvest(folder)
    api.stop(folder, wait=wait)
    what = "it has stopped" if wait else "it stops"
    how = f": longline harvest {quoted(folder)}" if is_begun else ", run the same command again"
    note(f"{what}; to continue{how}")
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
        """Return the limits that were given, under the names that the package uses."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        return {name: value or None for name, value in given.items()}


def budget(folder: Folder, budgets: Budgets, json: Json = False) -> None:
    """Change the limits of a harvest, in this run and in later ones.

    0 removes a limit. Options of a later run take precedence over what is set here.
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
            metavar="DIR|DATABASE",
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
    """Watch harvests on a page, control them, and start new ones; until Ctrl-C.

    Harvests run as separate processes: they continue when the dashboard ends. Without a token in
    the environment variable LONGLINE_TOKEN, only this machine can use it.
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
