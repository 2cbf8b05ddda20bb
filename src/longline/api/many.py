"""Harvest many sources at once, each into its own folder; and inspect such a folder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any, Unpack
from urllib.parse import urlsplit

import msgspec

from longline.api.harvests import harvest_async
from longline.api.opened import Harvest
from longline.api.options import (
    NewHarvestOptions,
    UpdateHarvestOptions,
    check_names,
    path_of,
    rows_of,
)
from longline.api.updates import is_to_update, update_async
from longline.blocking import in_sync
from longline.errors import FolderError, InputError, LonglineError, cause_of, in_shell, option
from longline.events import AnyEvent, UpdateCounts
from longline.fetch import Hosts, Wait, sharing_hosts
from longline.files import check_is_free, folder_name, replacing, writing
from longline.harvester import (
    ENDS,
    check_harvest,
    held,
    is_harvest,
    is_running,
    is_stopped,
    newest_certificate,
    read_ledger,
    spec_of_folder,
)
from longline.learn import Listeners
from longline.ledger import Certificate, Ledger, decode, to_update
from longline.logs import log
from longline.source import veil
from longline.text.numbers import counted
from longline.updates import update_under_way

AT_ONCE = 50
"""Maximum number of sources that are harvested at the same time."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How the harvest of one source ended, or its current state.

    Attributes:
        source: The source, as given by the user.
        folder: The name of its folder.
        outcome: As in a certificate; "" before and during the run.
        is_running: A run is writing to its folder.
        cause: As in the certificate.
        documents: How many documents are saved.
        size: How many documents there are, if known.
        size_low, size_high: Limits of its 95 % interval.
        requests: How many requests it cost.
        stopped: Why it could not be harvested, or stopped; "" if it is complete.
        update: For an update: how its documents differ from those of the harvest before.

    Example:
        >>> import longline
        >>> written = (folder / "sources.csv").write_text(chr(10).join(["url", "http://127.0.0.1:1/"]))
        >>> ends = longline.harvest_many(
        ...     folder / "sources.csv", folder / "all", allow_private=True, retries=0
        ... )
        >>> ends[0].outcome
        'unreachable'
    """

    source: str
    folder: str
    outcome: str = ""
    cause: str = ""
    documents: int = 0
    size: int | None = None
    size_low: int | None = None
    size_high: int | None = None
    requests: int = 0
    stopped: str = ""
    is_running: bool = False
    update: UpdateCounts | None = None

    @property
    def is_whole(self) -> bool:
        """Whether every document is saved."""
        return self.outcome == "complete"


@dataclass(frozen=True, kw_only=True)
class ManyListeners:
    """Functions to call while many sources are harvested.

    Attributes:
        on_event: Called for each event with the source's index, the event, and its ledger.
        on_end: Called for each finished source with its index, and how it ended.
        on_wait: Called with the source's index before the run waits for its site, and why.

    Example:
        >>> import longline
        >>> written = (folder / "sources.csv").write_text(chr(10).join(["url", "http://127.0.0.1:1/"]))
        >>> ended = []
        >>> listeners = longline.ManyListeners(on_end=lambda place, end: ended.append(end.outcome))
        >>> ends = longline.harvest_many(
        ...     folder / "sources.csv", folder, listeners=listeners, allow_private=True, retries=0
        ... )
        >>> ended
        ['unreachable']
    """

    on_event: Callable[[int, AnyEvent, Ledger], object] = lambda place, event, ledger: None
    on_end: Callable[[int, Ended], object] = lambda place, ended: None
    on_wait: Callable[[int, Wait], object] = lambda place, wait: None


async def harvest_many_async(
    sources: str | PathLike[str] | Sequence[str | Mapping[str, Any]],
    folder: str | PathLike[str],
    *,
    at_once: int = AT_ONCE,
    max_requests_per_host: int | None = None,
    update: bool = False,
    listeners: ManyListeners = ManyListeners(),
    **options: Unpack[NewHarvestOptions],
) -> list[Ended]:
    """Harvest many sources in one process, each into its own folder. A second call continues.

    Each host gets requests at one pace, however many sources it serves; hosts that share an IP
    address count as one. A source that fails does not stop the others.

    Args:
        sources: Addresses, or mappings with `url`, `folder` and options of their own; or a CSV file
            of these.
        folder: Gets a folder for each source, and `sources.jsonl`, which lists their states.
        at_once: Maximum number of sources that are harvested at the same time.
        max_requests_per_host: Request limit of this run for one host, or hosts with one address.
        update: Also update each harvest that has ended, as `update` does.
        listeners: Functions to call while it runs.
        **options: As for `harvest`; a source's own options take precedence.

    Returns:
        How each ended, in the order of the sources.

    Raises:
        InputError: The file, a source or an option is wrong, two sources have one folder, or there
            is no source.

    Example:
        >>> import longline
        >>> with longline.demo_site() as one, longline.demo_site() as other:
        ...     sites = [{"url": one, "folder": "one"}, {"url": other, "folder": "other"}]
        ...     ends = longline.harvest_many(sites, folder, allow_private=True, max_requests=40)
        >>> [(end.folder, end.outcome, end.documents > 20) for end in ends]
        [('one', 'partial', True), ('other', 'partial', True)]
    """
    folder = path_of(folder)
    check_names("harvest_many", options, NewHarvestOptions)
    if at_once < 1:
        raise InputError(f"{option('at_once')} is {at_once}", advice="give 1 or more")
    rows = rows_of(sources)
    names = _folders(rows)
    slots = asyncio.Semaphore(at_once)
    _check_is_free(folder, sources)

    async def one(place: int) -> Ended:
        given: Any = dict(options) | rows[place]
        given.pop("folder", None)
        url, into = given.pop("url"), folder / names[place]

        def tell(requests: int) -> None:
            ends[place] = msgspec.structs.replace(ends[place], requests=requests)

        told = Listeners(
            on_event=lambda event, ledger: listeners.on_event(place, event, ledger),
            on_wait=lambda wait: listeners.on_wait(place, wait),
            on_request=tell,
        )
        async with slots:
            try:
                found = await (_updated if update else harvest_async)(
                    url, into, listeners=told, **given
                )
                # After an interrupted update, the folder still holds the harvest before.
                ended = _standing(into, url, found.certificate if found.folder == into else None)
            except (LonglineError, TypeError) as error:
                ended = _failed(_now(into, ends[place]), error, ends[place].requests)
        ends[place] = ended
        try:
            _write(folder, ends)
        except LonglineError as error:  # such as a full disk, which must not stop the others
            log(logging.WARNING, str(error))
        listeners.on_end(place, ended)
        return ended

    with held(folder):
        ends = [
            _now(folder / name, Ended(source=row["url"], folder=name))
            for name, row in zip(names, rows, strict=True)
        ]
        _write(folder, ends)
        try:
            with sharing_hosts(Hosts(max_requests_per_host)):
                if await is_stopped(folder, asyncio.gather(*map(one, range(len(rows))))):
                    ends = [_now(folder / each.folder, each) for each in ends]
        finally:
            _write(folder, ends)
    return ends


def _check_is_free(folder: Path, sources: object) -> None:
    """Raise an error for a folder of other files; `sources.jsonl` may be a user's list."""
    if (folder / ENDS).exists():
        _known(folder, "move it away, or choose another folder")
    elif not is_of_many(folder):
        check_is_free(folder, path_of(sources) if isinstance(sources, str | PathLike) else None)


async def _updated(
    url: str, folder: Path, *, listeners: Listeners, **options: Unpack[NewHarvestOptions]
) -> Harvest:
    """Update a harvest that has ended; start or continue any other."""
    by_day, most = options.get("max_requests_per_day"), options.get("max_requests")
    if not is_to_update(folder, is_by_the_day=by_day is not None, max_requests=most):
        return await harvest_async(url, folder, listeners=listeners, **options)
    check_names("harvest_many", options, NewHarvestOptions)
    known = UpdateHarvestOptions.__annotations__
    given: Any = {name: value for name, value in options.items() if name in known}
    return await update_async(folder, listeners=listeners, **given)


def _folders(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a folder name for each source: its own, or one made from its address.

    >>> _folders([{"url": "https://a.example/x/"}, {"url": "https://a.example/x"}])
    ['a.example-x', 'a.example-x-2']
    """
    given = [row["folder"] for row in rows if "folder" in row]
    taken = set(given)
    if len(taken) < len(given):
        raise InputError("two sources have one folder", advice="give each a folder of its own")
    found = []
    for row in rows:
        name = row.get("folder") or _free_name(row["url"], taken)
        taken.add(name)
        if name in (".", "..") or Path(name).name != name:
            raise InputError(f"{name!r} is no name of a folder", advice="give a name without /")
        found.append(name)
    return found


def _free_name(url: str, taken: Container[str]) -> str:
    """Return a folder name made from an address, with a number if the name is taken."""
    parts = urlsplit(url)
    name = first = folder_name(f"{parts.netloc}{parts.path}" or url, "source")
    numbers = count(2)
    while name in taken:
        name = f"{first}-{next(numbers)}"
    return name


def _standing(folder: Path, source: str, certificate: Certificate | None = None) -> Ended:
    """Return the state of a source's harvest, from its certificate or from a newer journal.

    Raises:
        FolderError: The harvest is damaged.
    """
    runs = is_running(folder)
    whole = certificate or (None if runs else newest_certificate(folder))
    if whole is None and is_harvest(folder):
        whole = read_ledger(folder)[1]
    ended = Ended(source=source, folder=folder.name, is_running=runs)
    if whole is None:
        return ended
    numbers = ("documents", "size", "size_low", "size_high", "requests")
    ends = () if runs else ("outcome", "cause", "update")
    known: dict[str, Any] = {name: getattr(whole, name) for name in (*numbers, *ends)}
    why = _why(folder, whole, is_running=runs)
    return msgspec.structs.replace(ended, stopped=why, **known)


def _why(folder: Path, whole: Certificate, *, is_running: bool) -> str:
    """Return why documents may be missing: an unfinished update, or how the harvest ended."""
    begun = None if is_running else update_under_way(folder)
    if begun is None:
        return "" if whole.outcome == "complete" else whole.stopped
    update = newest_certificate(begun)
    why = f", after {counted(update.requests, 'request')}: {update.stopped}" if update else ""
    return f"an update is not finished{why}; {to_update(whole, folder)} continues it"


def _failed(standing: Ended, error: Exception, requests: int) -> Ended:
    """Return how a source ended with an error after some requests, recorded or not."""
    ending = getattr(error, "ending", LonglineError.ending)
    known: dict[str, Any] = {}
    if not standing.outcome:
        known = {"outcome": ending.outcome, "cause": ending.cause}
    known["requests"] = max(standing.requests, requests)
    return msgspec.structs.replace(
        standing, stopped=in_shell(getattr(error, "told", str(error))), **known
    )


def _write(folder: Path, ends: Sequence[Ended]) -> None:
    with writing(folder / ENDS, FolderError, "choose a folder you may write"):
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / ENDS) as stream:
            stream.writelines(msgspec.json.encode(each) + b"\n" for each in ends)


def is_of_many(folder: str | PathLike[str]) -> bool:
    """Return whether a folder holds the harvests of many sources, and is not one itself."""
    folder = path_of(folder)
    if is_harvest(folder):
        return False
    return (folder / ENDS).is_file() or any(map(is_harvest, _children(folder)))


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.is_dir())
    except OSError:
        return []


def harvests_in(folder: str | PathLike[str]) -> list[Ended]:
    """Return the state of each harvest in a folder of many; they may be running.

    Args:
        folder: A folder that `harvest_many` filled, or any other with harvest folders in it.

    Raises:
        FolderError: It holds no harvests, or its `sources.jsonl` is damaged.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     ends = longline.harvest_many([url], folder, allow_private=True, max_requests=40)
        >>> longline.harvests_in(folder) == ends
        True
    """
    folder = path_of(folder)
    if not is_of_many(folder):
        raise FolderError(f"{folder} holds no harvests", advice="name a folder that has some")
    known = _known(folder)
    found = [_now(folder / each.folder, each) for each in known]
    named = {each.folder for each in known}
    others = [each for each in _children(folder) if is_harvest(each) and each.name not in named]
    return found + [how_it_stands(each) for each in others]


def how_it_stands(folder: str | PathLike[str]) -> Ended:
    """Return the state of one harvest; a damaged one counts as failed, with the reason.

    Raises:
        FolderError: There is no harvest in the folder.
    """
    folder = path_of(folder)
    check_harvest(folder)
    try:
        source = veil(spec_of_folder(folder)).spec.source.url or folder.name
    except InputError:
        source = folder.name
    return _now(folder, Ended(source=source, folder=folder.name))


def _now(folder: Path, known: Ended) -> Ended:
    try:
        now = _standing(folder, known.source)
    except LonglineError as error:
        return msgspec.structs.replace(known, outcome="failed", stopped=in_shell(error.told))
    is_told = known.stopped or known.requests  # of a source that is not learnt yet
    return known if is_told and not (now.outcome or now.is_running) else now


def _known(folder: Path, advice: str = "run the same harvest again") -> list[Ended]:
    """Return how each source ended when the folder was last filled."""
    if not (folder / ENDS).is_file():
        return []
    try:
        lines = (folder / ENDS).read_bytes().splitlines()
        return [decode(line, Ended) for line in lines]
    except (OSError, msgspec.DecodeError) as error:
        raise FolderError(
            f"{folder / ENDS} cannot be read: {cause_of(error)}",
            advice=advice,
        ) from None


harvest_many = in_sync(harvest_many_async)
