"""Update a harvest, and list the differences between two harvests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import Unpack

from longline.api.opened import Harvest
from longline.api.options import UpdateHarvestOptions, check_names, made, path_of
from longline.blocking import in_sync
from longline.harvester import Limits, is_harvest
from longline.learn import Listeners
from longline.ports import Searchable
from longline.updates import (
    Change,
    UpdateOptions,
    UpdateRun,
    differences,
    feed,
    folder_of,
    lines,
)


async def update_async(
    folder: str | PathLike[str],
    *,
    listeners: Listeners = Listeners(),
    source: Searchable | None = None,
    **options: Unpack[UpdateHarvestOptions],
) -> Harvest:
    """Update a harvest: find what is new, what changed, and what is gone.

    It takes a fraction of the first harvest's requests: a document whose row looks the same is not
    read again. What could not be requested is kept as it was, and listed. After an interruption,
    the same call continues; until all is done, the folder holds the harvest before.

    Args:
        folder: The harvest's folder.
        listeners: Functions to call while it runs.
        source: The object that answers queries, if the source is one.
        **options: What it may cost and how requests are sent, as for `harvest`; and the fields of
            `UpdateOptions`, such as `only_new=True`.

    Returns:
        The folder's harvest; `certificate.update` has the numbers. Earlier harvests are in its
        folder `history`. After an interruption: what the update has so far.

    Raises:
        FolderError: There is no harvest in the folder.
        InputError, SourceError: As for `harvest`.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     first = longline.harvest(url, folder, allow_private=True, max_requests=40)
        ...     again = longline.update(folder, allow_private=True, max_requests=60, finish=True)
        >>> again.certificate.update.gone
        0
    """
    check_names("update", options, UpdateHarvestOptions)
    limits, how = made(Limits, options), made(UpdateOptions, options)
    path = path_of(folder)
    run = UpdateRun(path, limits, how, source)
    listeners.on_folder(path)
    return Harvest(await run.run(listeners))


def is_to_update(
    folder: Path, *, is_by_the_day: bool = False, max_requests: int | None = None
) -> bool:
    """Return whether a folder holds a harvest that has ended, so that an update comes next.

    A harvest that was interrupted, that a new run may spend more on, or whose source was blocked or
    unreachable, continues first: an update would report documents as new that always existed.

    Args:
        folder: It need not exist.
        is_by_the_day: A run ends when the requests of its day are used up; the next continues it.
        max_requests: As many requests may be sent, earlier runs included; None for no limit.
    """
    if not is_harvest(folder):
        return False
    certificate = Harvest(folder).certificate
    if certificate.outcome in ("unreachable", "blocked"):
        return False
    if certificate.cause != "budget":
        return certificate.cause != "interrupted"
    limits = certificate.budget.items()
    spent = {name for name, line in limits if line.used is None or line.used >= line.allowed}
    may_send = max_requests is None or max_requests > certificate.requests
    return not (is_by_the_day or (may_send and spent <= {"requests", "seconds"}))


def diff(before: str | PathLike[str], after: str | PathLike[str]) -> Iterator[Change]:
    """Yield the documents that are new, changed or gone from one harvest to another.

    Args:
        before: Folder of the earlier harvest, or "DIR@N" for harvest number N of a folder that was
            updated.
        after: Folder of the later one.

    Raises:
        FolderError: One of them holds no harvest.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     first = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> list(longline.diff(folder, folder))
        []
    """
    return differences(folder_of(fspath(before)), folder_of(fspath(after)))


def diff_lines(changes: Iterable[Change]) -> Iterator[bytes]:
    r"""Yield changes as JSON lines: the kind, the key, and the document before and after.

    Example:
        >>> import longline
        >>> change = longline.Change("new", "a", None, longline.Document("a", title="Sea"))
        >>> next(longline.diff_lines([change]))
        b'{"kind":"new","key":"a","before":null,"after":{"key":"a","title":"Sea"},"reason":""}\n'
    """
    return lines(changes)


def diff_feed(changes: Iterable[Change], after: str | PathLike[str]) -> Iterator[bytes]:
    """Yield changes as an Atom feed for a feed reader, one entry each.

    Args:
        changes: As `diff` yields them.
        after: Folder of the later harvest; it gives the feed its title and its time.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> b"".join(longline.diff_feed([], folder))[:38]
        b"<?xml version='1.0' encoding='utf-8'?>"
    """
    harvest = Harvest(folder_of(fspath(after)))
    return feed(changes, harvest.certificate.source, harvest.certificate.ended_at or "")


update = in_sync(update_async)
