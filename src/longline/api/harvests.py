"""Harvest a source, retry what failed, or stream documents as they arrive."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Unpack

from longline.api.opened import Harvest
from longline.api.options import (
    HarvestOptions,
    NewHarvestOptions,
    check_names,
    made,
    path_of,
    plain,
)
from longline.api.sources import learning, memory_of
from longline.blocking import Beside, in_sync
from longline.errors import BudgetSpent, FolderError, InputError, option
from longline.events import AnyEvent, DocumentReceived
from longline.harvester import (
    HarvestRun,
    Limits,
    Settings,
    check_are_used,
    check_files_wanted,
    check_harvest,
    check_limits,
    check_settings,
    check_target,
    choose_database,
    harvests_of_database,
    held,
    is_harvest,
    move_journal,
    open_store,
    read_documents,
    settings_of,
    spec_of_class,
)
from longline.learn import Listeners, begin, find_spec
from longline.ledger import Ledger
from longline.model import Document
from longline.ports import Searchable
from longline.source import Spec
from longline.store import TableStore
from longline.text.safe import quoted
from longline.updates import UNDER_WAY

AHEAD = 32
"""How many documents may wait for the loop that reads them."""

FULL_SECONDS = 0.02
"""Seconds between two checks whether that loop has taken a document."""


async def harvest_async(
    source: str | PathLike[str] | Spec | Searchable,
    folder: str | PathLike[str] | None = None,
    *,
    listeners: Listeners = Listeners(),
    **options: Unpack[NewHarvestOptions],
) -> Harvest:
    """Save everything that a search can show into a folder. A second call continues.

    Args:
        source: A web address (search page, site or JSON API), a `source.toml`, a spec, the folder
            of an earlier harvest, or an object that answers queries (`extend.Searchable`).
        folder: Where to save documents. None: a folder named after the source.
        listeners: Functions to call while it runs.
        **options: What it may cost, how requests are sent, and how queries are chosen: the fields
            of `Limits` and `Settings`, such as `max_requests=500` or `rate=2`; and `database`, the
            URL of a PostgreSQL database that holds the journal and the documents.

    Returns:
        The folder's documents, its record chart, and the certificate that lists what is missing.

    Raises:
        InputError: The source, a folder or an option is wrong, robots.txt forbids it, or the host
            is private and `allow_private` is not set.
        StoppedShort: A person has to check the learnt spec before a harvest.
        SourceError: The source gave no usable response.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> harvest.certificate.documents > 20
        True
        >>> harvest.certificate.stopped.partition(";")[0]
        'all 40 requests of the budget are spent'
    """
    run = await _begun(source, folder, listeners, options)
    await run.run(listeners)
    return Harvest(run.folder)


async def retry_async(
    folder: str | PathLike[str],
    *,
    listeners: Listeners = Listeners(),
    **options: Unpack[HarvestOptions],
) -> Harvest:
    """Request again the pages and documents that could not be loaded, and what these lead to.

    This includes documents that the site reported as gone.

    Args:
        folder: The harvest's folder.
        listeners: Functions to call while it runs.
        **options: As for `harvest`.

    Raises:
        FolderError: There is no harvest in the folder.
        SourceError: As for `harvest`.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     first = longline.harvest(url, folder, allow_private=True, max_requests=40)
        ...     again = longline.retry(folder, allow_private=True)
        >>> len(again.documents) == len(first.documents)
        True
    """
    check_harvest(path_of(folder))
    check_names("retry", options, HarvestOptions)
    run = HarvestRun(path_of(folder), limits=made(Limits, options))
    listeners.on_folder(run.folder)
    await run.run(listeners, retry=True)
    return Harvest(folder)


async def stream_async(
    source: str | PathLike[str] | Spec | Searchable,
    folder: str | PathLike[str] | None = None,
    *,
    listeners: Listeners = Listeners(),
    **options: Unpack[NewHarvestOptions],
) -> AsyncIterator[Document]:
    """Yield documents as they arrive; first those that the folder already holds.

    All of them are saved, too. Leaving the loop stops the harvest in good order, at once if
    `contextlib.aclosing` wraps this; the same call continues where it stopped.

    Args:
        source: As for `harvest`.
        folder: As for `harvest`; `open` it afterwards to see what is missing.
        listeners: As for `harvest`.
        **options: As for `harvest`.

    Raises:
        InputError, StoppedShort, SourceError: As for `harvest`.

    Example:
        >>> import asyncio, longline
        >>> async def titles(url):
        ...     documents = longline.stream_async(url, folder, allow_private=True, max_requests=40)
        ...     return [document.title async for document in documents]
        >>> with longline.demo_site() as url:
        ...     found = asyncio.run(titles(url))
        >>> len(found) > 20
        True
    """
    came: asyncio.Queue[str | None] = asyncio.Queue()
    run = await _begun(source, folder, listeners, options)

    def take(event: AnyEvent, ledger: Ledger) -> None:
        if isinstance(event, DocumentReceived):
            came.put_nowait(event.document.key)
        listeners.on_event(event, ledger)

    told = replace(listeners, on_event=take)
    if is_harvest(run.folder):
        for known in read_documents(run.folder):
            yield known
    work = asyncio.create_task(run.run(told))
    work.add_done_callback(lambda _: came.put_nowait(None))
    store: TableStore | None = None
    try:
        while (key := await came.get()) is not None:
            # Read it again from the store, so that waiting documents take no memory.
            store = store or open_store(run.folder)
            document = store.document(key)
            if document is not None:
                yield document
        await work
    finally:
        if store is not None:
            store.close()
        if not work.done():
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work


def stream(
    source: str | PathLike[str] | Spec | Searchable,
    folder: str | PathLike[str] | None = None,
    *,
    listeners: Listeners = Listeners(),
    **options: Unpack[NewHarvestOptions],
) -> Iterator[Document]:
    """Do the same as `stream_async` in an ordinary loop; the harvest runs in another thread.

    At most `AHEAD` documents wait for the loop; the harvest may have saved more than that.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     for number, document in enumerate(longline.stream(url, folder, allow_private=True)):
        ...         if number == 20:
        ...             break
        >>> len(longline.open(folder).documents) >= 20
        True
    """
    came: queue.Queue[Document | None] = queue.Queue(AHEAD)
    is_left = threading.Event()

    async def hand_over(document: Document | None) -> None:
        while came.full():
            await asyncio.sleep(FULL_SECONDS)
        came.put_nowait(document)

    async def pump() -> None:
        try:
            async for document in stream_async(source, folder, listeners=listeners, **options):
                await hand_over(document)
        finally:
            # Once the loop is left, nobody reads the documents.
            if not is_left.is_set():
                await hand_over(None)

    beside = Beside(pump())
    try:
        while (document := came.get()) is not None:
            yield document
        beside.result()
    finally:
        is_left.set()
        beside.cancel()


def move(folder: str | PathLike[str], database: str | None = None) -> int:
    """Move the journal and the documents of a harvest into a database, or back into its folder.

    The copy is complete before the folder refers to it. A database that the harvest leaves keeps
    its rows, and the harvests before an update stay where they are.

    Args:
        folder: The folder of a harvest that is not running.
        database: URL of a PostgreSQL database; None moves it into `harvest.db`.

    Returns:
        How many entries the journal has.

    Raises:
        InputError: `database` is not the URL of a PostgreSQL database.
        FolderError: There is no harvest, it is already there, or it is running.
        StorageError: The database cannot be opened or written.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     first = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> longline.move(folder, "mysql://host/name")
        Traceback (most recent call last):
        longline.errors.InputError: 'mysql' does not begin the URL of a PostgreSQL database; \
give one like postgresql://USER@HOST/NAME
    """
    folder = path_of(folder)
    check_harvest(folder)
    if (folder / UNDER_WAY).exists():
        raise FolderError(
            f"an update of {folder} is under way",
            advice=f"finish it: longline update {quoted(folder)}",
        )
    with held(folder):
        return move_journal(folder, database)


async def _begun(
    source: str | PathLike[str] | Spec | Searchable,
    folder: str | PathLike[str] | None,
    listeners: Listeners,
    options: NewHarvestOptions,
) -> HarvestRun:
    """Return a harvest that is ready to run; its source is found, learnt and saved."""
    check_names("harvest", options, NewHarvestOptions)
    limits = made(Limits, options)
    check_limits(limits)
    database = options.get("database")
    if database is not None:
        harvests_of_database(database)  # fails before any request
    settings = {name: plain(value) for name, value in options.items() if name in SETTINGS}
    into = None if folder is None else path_of(folder)
    source = _checked(source)
    if not isinstance(source, (Spec, Searchable)):
        wanted = settings_of(into or Path(source), settings)
        check_settings(wanted)
        check_files_wanted(wanted, limits)
        check_are_used(made(Settings, settings), [wanted.strategy])
    if into is not None and not is_harvest(into):
        check_target(limits)
    how = learning(options)
    if settings.get("strategy") == "list":
        how = replace(how, words=())  # they are queries
    a_day = limits.max_requests_per_day
    today = None if a_day is None else a_day - limits.daily_reserve
    most = [each for each in (limits.max_requests, today) if each is not None]
    find = partial(
        find_spec,
        manners=limits,
        options=how,
        memory=memory_of(options),
        max_requests=min(most, default=None),
        listeners=listeners,
    )
    if not isinstance(listeners, Listeners):
        raise TypeError(f"listeners takes longline.Listeners(on_event=...), not {listeners!r}")
    answers = source if isinstance(source, Searchable) else None
    if isinstance(source, Searchable):
        source = spec_of_class(source)
    if options.get("learn_again") and not isinstance(source, Spec):
        _check_is_new(into or Path(source))
    begun = time.monotonic()
    time_over = asyncio.timeout(limits.max_time)
    try:
        async with time_over:
            there, found = await begin(source, into, find)
    except TimeoutError:
        if not time_over.expired():
            raise
        raise BudgetSpent(
            f"the {limits.max_time:g} s of {option('max_time')} were spent before the search of "
            f"{source} was learnt; nothing is saved",
            advice="allow more, or learn it first, by `longline discover`",
        ) from None
    if database is not None:
        choose_database(there, database)
    spec, cost = (None, None) if found is None else (found.spec, found.cost())
    took = time.monotonic() - begun
    run = HarvestRun(there, spec, settings, limits, found=cost, source=answers)
    run.seconds_before = took
    listeners.on_folder(there)
    return run


def _checked(source: object) -> str | Spec | Searchable:
    """Return a source; a path as text.

    Raises:
        InputError: It is not a source.
    """
    if isinstance(source, (Spec, Searchable)):
        return source
    if not isinstance(source, str | PathLike):
        raise InputError(
            f"{source!r} is no source",
            advice="give an address, a path, or an object of a class made from "
            "longline.extend.Searchable",
        )
    if not fspath(source):
        raise InputError("no source was given", advice="give a web address or a source.toml")
    return fspath(source)


def _check_is_new(folder: Path) -> None:
    """Raise an error if the folder already has a spec: a harvest must not learn it again."""
    spec = folder / "source.toml"
    if spec.is_file():
        anew = f"longline discover --relearn {quoted(folder)}"
        raise FolderError(
            f"{spec} says how this source is searched, and is not learnt again by a harvest",
            advice=f"run {anew}" if is_harvest(folder) else "remove it, or name a new folder",
        )


SETTINGS = frozenset(Settings.__struct_fields__)

harvest = in_sync(harvest_async)
retry = in_sync(retry_async)
