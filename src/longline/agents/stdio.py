"""Serve the tools on standard input and output, if the library for that is installed."""

from longline import api
from longline.agents.tools import Terms
from longline.errors import FolderError, InputError, option

MORE = f"only who started longline mcp can allow more, by {option('max_requests')}"


def serve(terms: Terms) -> None:
    """Serve until the client disconnects.

    Raises:
        InputError: The library `mcp` is not installed.
        FolderError: The folder cannot be created.
    """
    try:
        from longline.agents.server import server_of
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "mcp":
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
    # One pace per host, and one budget, for all parallel calls.
    with api.sharing_hosts(), api.allowing(terms.max_requests, MORE) as allowance:
        server_of(terms, allowance).run()
