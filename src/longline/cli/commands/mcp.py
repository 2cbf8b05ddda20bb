"""longline mcp: tools for agents, on standard input and output."""

from pathlib import Path
from typing import Annotated

import typer

from longline.cli._options import Pace


def mcp(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="Folder for harvests; nothing is written outside of it."
        ),
    ],
    pace: Pace,
    max_requests: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="Send at most N requests while it runs, all calls together."
        ),
    ] = 1000,
) -> None:
    """Let an agent plan, harvest and read through the Model Context Protocol (MCP).

    The agent's program starts this command and talks to it on standard input and output.
    """
    from longline.agents import Terms, serve

    serve(Terms(folder=folder, max_requests=max_requests, asking=pace.limits()))
