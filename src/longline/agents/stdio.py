"""Serve the tools on standard input and output, where the library for that is installed."""

from __future__ import annotations

from longline import api
from longline.agents.tools import Terms
from longline.errors import FolderError, InputError


def serve(terms: Terms) -> None:
    """Serve until the client goes.

    Raises:
        InputError: The library `mcp` is not installed.
        FolderError: The folder cannot be made.
    """
    try:
        from longline.agents.server import server_of
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise InputError(
            "mcp is not installed", advice="install it: pip install 'longline[mcp]'"
        ) from None
    try:
        terms.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(
            f"cannot make {terms.folder}: {error.strerror}", advice="name another folder"
        ) from None
    # One pace for a host, and one budget, whatever calls go on side by side.
    with api.sharing_hosts(), api.allowing(terms.max_requests) as allowance:
        server_of(terms, allowance).run()
