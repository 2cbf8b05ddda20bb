"""A page to watch harvests and to steer them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path

from longline.errors import InputError, option
from longline.harvester import database_name, harvests_of_database
from longline.queue import Fleet


def serve_dashboard(
    folders: str | Path | Sequence[str | Path],
    *,
    host: str = "127.0.0.1",
    port: int = 8770,
    token: str = "",
    at_once: int = 4,
    notify: str = "",
    on_ready: Callable[[str], object] = lambda url: None,
) -> None:
    """Serve a page to watch harvests, steer them and start new ones, until it is interrupted.

    Harvests are processes of their own: they go on when the dashboard ends.

    Args:
        folders: Folders of harvests, or folders that hold such; nothing else is touched. The URL
            of a PostgreSQL database stands for the folders of the harvests in it, and for the
            sources of its fleet.
        host: Where to listen; elsewhere than on this machine only with a token.
        port: 0 takes any that is free.
        token: That has to be shown by those who come in, 16 letters or more; "" lets everybody on
            this machine in.
        at_once: Runs that are started from it and go on at the same time.
        notify: A command or a web address that is told what happens to these runs.
        on_ready: Told the address when the page answers.

    Raises:
        InputError: A folder is none, the port is in use, the token is missing or too short, or the
            extra `dashboard` is not installed.

    Example:
        >>> import longline
        >>> longline.serve_dashboard("nothing here")
        Traceback (most recent call last):
            ...
        longline.errors.InputError: nothing here is not a folder; name a folder, or make it
    """
    try:
        room = import_module("longline.dashboard")
    except ModuleNotFoundError as error:
        raise InputError(
            f"{error.name} is not installed",
            advice="install it: pip install 'longline[dashboard]'",
        ) from None
    named = [folders] if isinstance(folders, str | Path) else folders
    there, fleets = _expanded(named)
    room.serve_dashboard(
        there,
        room.Door(host, port, token),
        fleets=fleets,
        at_once=at_once,
        notify=notify,
        on_ready=on_ready,
    )


def _expanded(named: Iterable[str | Path]) -> tuple[list[Path], list[Fleet]]:
    """Return folders, those of a database's harvests in its place; and the fleets in databases.

    Raises:
        InputError, StorageError: It holds neither, or cannot be opened.
    """
    found: list[Path] = []
    fleets: list[Fleet] = []
    for each in map(str, named):
        if "://" not in each:
            found.append(Path(each))
            continue
        folders, fleet = harvests_of_database(each), Fleet.there(each)
        if not folders and fleet is None:
            raise InputError(
                f"no harvest of this machine and no fleet is in {database_name(each)}",
                advice=f"begin one with {option('database')}",
            )
        found += folders
        fleets += [fleet] if fleet is not None else []
    return found, fleets
