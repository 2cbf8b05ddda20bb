"""longline dashboard: a page to watch harvests and to steer them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from longline.cli._options import Notify
from longline.cli._said import note

TOKEN = "LONGLINE_TOKEN"
"""The environment variable with the token: a command line is seen by others."""


def dashboard(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders of harvests, or folders that hold harvests; new ones are made in the "
            "first of these. Nothing else is touched.",
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
    from longline.api import dashboard as serve

    serve(
        folders,
        host=host,
        port=port,
        token=os.environ.get(TOKEN, ""),
        at_once=at_once,
        notify=notify,
        on_ready=lambda url: note(f"the dashboard is at {url}; Ctrl-C ends it, not the harvests"),
    )
