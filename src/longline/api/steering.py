"""Control running harvests: by functions, from a dashboard, and with notifications."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TypedDict, Unpack

from longline import harvester
from longline.api.many import harvests_in, is_of_many
from longline.api.options import check_names, path_of
from longline.errors import FolderError, InputError, LonglineError, option
from longline.harvester import (
    Budgets,
    Standing,
    database_name,
    harvests_of_database,
    is_harvest,
    is_running,
    standing_of,
)
from longline.learn import Listeners
from longline.notices import EVERY_SECONDS, Notices
from longline.plugins import needed
from longline.queue import Fleet


def serve_dashboard(
    folders: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    host: str = "127.0.0.1",
    port: int = 8770,
    token: str = "",
    at_once: int = 4,
    notify: str = "",
    on_ready: Callable[[str], object] = lambda url: None,
) -> None:
    """Serve a page to watch, control and start harvests, until it is interrupted.

    Harvests run as separate processes: they continue when the dashboard ends.

    Args:
        folders: Folders of harvests, or folders that hold harvests; nothing else is touched. The
            URL of a PostgreSQL database means the folders of the harvests in it, and the sources of
            its fleet.
        host: Address to listen on; other machines can connect only with a token.
        port: 0 takes any free port.
        token: A secret that visitors must give, of 16 letters or more; with "" everybody on this
            machine may enter.
        at_once: How many runs that it started may run at the same time.
        notify: A command or a web address that is notified about these runs.
        on_ready: Called with the URL as soon as the page can be opened.

    Raises:
        InputError: A folder does not exist, the port is in use, the token is missing or too short,
            or the extra `dashboard` is not installed.

    Example:
        >>> import longline
        >>> longline.serve_dashboard("nothing here")
        Traceback (most recent call last):
            ...
        longline.errors.InputError: nothing here is not a folder; name a folder, or make it
    """
    room = needed("longline.dashboard", "dashboard")
    named = [folders] if isinstance(folders, str | PathLike) else folders
    there, fleets = _expanded(named)
    room.serve_dashboard(
        there,
        room.Door(host, port, token),
        fleets=fleets,
        at_once=at_once,
        notify=notify,
        on_ready=on_ready,
    )


def _expanded(named: Iterable[str | PathLike[str]]) -> tuple[list[Path], list[Fleet]]:
    """Return folders, with databases replaced by their harvests, and the fleets in databases.

    Raises:
        InputError, StorageError: A database holds neither, or cannot be opened.
    """
    found: list[Path] = []
    fleets: list[Fleet] = []
    for each in (fspath(each) for each in named):
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


@contextmanager
def notifying(
    target: str, listeners: Listeners = Listeners(), *, every: float = EVERY_SECONDS
) -> Iterator[Listeners]:
    """Notify others when a harvest is paused, blocked, finished or failed, and while it runs.

    A notice is JSON: `event`, `folder`, `source`, `state`, five numbers (`documents`, `size`,
    `hit_rate`, `requests`, `requests_left`), `outcome` and `cause`, and `words` and `stopped` for
    people. A notice that cannot be delivered is logged, and never delays a harvest.

    Args:
        target: A web address, which gets a POST; or a command, which gets the JSON on its standard
            input and the event as its last argument.
        listeners: Further functions to call.
        every: Seconds between two notices of a running harvest.

    Yields:
        Listeners for `harvest` and the others.

    Raises:
        InputError: `target` is neither.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url, longline.notifying("cat") as listeners:
        ...     harvest = longline.harvest(
        ...         url, folder, allow_private=True, max_requests=40, listeners=listeners
        ...     )
    """
    notices = Notices(target, every=every)

    def take(folder: Path) -> None:
        notices.folder = str(folder)
        listeners.on_folder(folder)

    def tell(standing: Standing) -> None:
        notices.tell(standing)
        listeners.on_state(standing)

    try:
        yield replace(listeners, on_folder=take, on_state=tell)
    except LonglineError as error:
        if not notices.has_ended:
            ending = error.ending
            notices.tell(
                Standing(
                    state="ended", outcome=ending.outcome, cause=ending.cause, stopped=str(error)
                )
            )
        raise
    finally:
        notices.close()


LOOK_SECONDS = 0.2
"""Seconds between two looks at a harvest that is waited for."""


class BudgetOptions(TypedDict, total=False):
    """What a harvest may use; `Limits` explains each option. None removes a limit."""

    max_requests: int | None
    max_queries: int | None
    max_documents: int | None
    max_bytes: int | None
    max_time: float | None
    max_requests_per_day: int | None


def standing(folder: str | PathLike[str]) -> Standing:
    """Return a harvest's state, from one small file, even if the harvest was killed.

    Args:
        folder: The harvest's folder.

    Raises:
        FolderError: There is no harvest in it.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> now = longline.standing(folder)
        >>> now.state, now.outcome, now.requests, now.requests_left
        ('ended', 'partial', 40, 0)
    """
    folder = path_of(folder)
    if is_of_many(folder):
        raise FolderError(
            f"{folder} holds many harvests", advice="name one of them, or take harvests_in"
        )
    return standing_of(folder)


def pause(folder: str | PathLike[str], *, wait: bool = False) -> None:
    """Let a running harvest finish its current page, and send nothing until it is resumed.

    Its process keeps running and loses nothing. It reacts within a second or two.

    Args:
        folder: The harvest's folder; or a folder of many: this pauses those that run now; a source
            that is being learnt continues.
        wait: Return when it is paused, or has ended.

    Raises:
        FolderError: No run is writing to the folder.

    Example:
        >>> import longline
        >>> longline.pause("nothing here")
        Traceback (most recent call last):
            ...
        longline.errors.FolderError: there is no folder nothing here; name the folder of a harvest
    """
    _ask(harvester.pause, _running_in(path_of(folder)), {"paused"}, wait=wait)


def resume(folder: str | PathLike[str], *, wait: bool = False) -> None:
    """Let a paused harvest continue. `harvest` continues one that ended.

    Args:
        folder: The harvest's folder, or a folder of many.
        wait: Return when it is running again, or has ended.

    Raises:
        FolderError: No run is writing to the folder.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> longline.resume(folder)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        longline.errors.FolderError: no run fills ...
    """
    _ask(harvester.resume, _running_in(path_of(folder)), {"running", "waiting"}, wait=wait)


def stop(folder: str | PathLike[str], *, wait: bool = False) -> None:
    """Let a running harvest end in good order, once its open requests are answered.

    Args:
        folder: The harvest's folder, also while its source is being learnt. Or a folder of many:
            those that have not started do not start.
        wait: Return when it has ended.

    Raises:
        FolderError: No run is writing to the folder.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> longline.stop(folder)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        longline.errors.FolderError: no run fills ...
    """
    folder = path_of(folder)
    one_run = is_running(folder)
    _ask(harvester.stop, [folder] if one_run else _running_in(folder), set(), wait=wait)


def _running_in(folder: Path) -> list[Path]:
    """Return the folder of a harvest; for a folder of many, those of its running harvests.

    Raises:
        FolderError: The folder holds many harvests, and none is running.
    """
    if not is_of_many(folder):
        return [folder]
    found = [folder / each.folder for each in harvests_in(folder) if each.is_running]
    if not found:
        raise FolderError(f"no run fills a harvest in {folder}", advice="they have all ended")
    return [each for each in found if is_harvest(each)]


def _ask(ask: Callable[[Path], None], folders: list[Path], states: set[str], *, wait: bool) -> None:
    """Send a request to runs; `wait` until each has ended or is in one of `states`."""
    for folder in folders:
        ask(folder)
    for folder in folders if wait else ():
        while _is_awaited(folder, states):
            time.sleep(LOOK_SECONDS)


def _is_awaited(folder: Path, states: set[str]) -> bool:
    if not is_harvest(folder):
        return is_running(folder)
    now = standing_of(folder)
    return now.is_going and now.state not in states


def set_budget(
    folder: str | PathLike[str], **changes: Unpack[BudgetOptions]
) -> dict[str, float | None]:
    """Change what a harvest may use, while it runs, while it is paused, or before its next run.

    Options of a later run take precedence.

    Args:
        folder: The harvest's folder.
        **changes: Limits by name, such as `max_requests=5000`; None removes one.

    Returns:
        All limits that were set in this way so far.

    Raises:
        InputError: A number is not above 0.
        FolderError: There is no harvest in the folder.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        ...     budget = longline.set_budget(folder, max_requests=60)
        ...     harvest = longline.harvest(folder, allow_private=True)
        >>> budget, harvest.certificate.requests
        ({'max_requests': 60}, 60)
    """
    check_names("set_budget", changes, BudgetOptions)
    budgets: Budgets = dict(changes)  # type: ignore[arg-type]
    return harvester.set_budget(path_of(folder), budgets)
