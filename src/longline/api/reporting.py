"""Report on harvests: a report as a page, the log, and the state while they run."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

from longline.api.many import Ended, harvests_in, how_it_stands, is_of_many
from longline.api.options import path_of
from longline.blocking import in_sync
from longline.errors import FolderError, InputError, StorageError
from longline.files import is_of_harvest, replacing, writing
from longline.harvester import Reading, is_harvest, is_learning, is_running
from longline.ledger import Certificate, ChartRow, Happened, happened
from longline.reports import Figures, Unreported, changes_since, page, read_figures

WAIT_TIMES = 5
"""After reading the states of many harvests, wait at least this many times as long."""


async def report_async(
    folders: str | PathLike[str] | Sequence[str | PathLike[str]],
    path: str | PathLike[str],
    *,
    earlier: str | PathLike[str] | None = None,
) -> Path:
    """Write a report of harvests: one HTML file that can be read offline.

    Args:
        folders: Folders of harvests, or folders that hold many; they may be running.
        path: The file; an existing one is replaced.
        earlier: Folder of an earlier harvest of the same source, to compare the first one with.

    Returns:
        The path of the file.

    Raises:
        FolderError: One of the folders has no harvest, or it is damaged.
        InputError: The file cannot be written.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> file = longline.report(folder, folder / "report.html")
        >>> harvest.certificate.source in file.read_text()
        True
    """
    given = [folders] if isinstance(folders, str | PathLike) else list(folders)
    return await asyncio.to_thread(
        _report, [path_of(each) for each in given], path_of(path, "path"), earlier
    )


def _report(folders: Sequence[Path], path: Path, earlier: str | PathLike[str] | None) -> Path:
    found, figures, unreported = _harvests(folders)
    if not found:
        raise FolderError("there is no harvest to report", advice="name the folder of a harvest")
    changes = [] if earlier is None else [changes_since(found[0], fspath(earlier))]
    _write(path, page(figures, changes, unreported), found)
    return path


def _harvests(folders: Sequence[Path]) -> tuple[list[Path], list[Figures], list[Unreported]]:
    """Return harvest folders, also from folders of many, and sources without a harvest."""
    found: dict[Path, Figures] = {}
    without = []
    for folder in folders:
        if not is_of_many(folder):
            found[folder] = read_figures(folder)
            continue
        for each in harvests_in(folder):
            there, problem = folder / each.folder, each.stopped or "not begun"
            try:
                if is_harvest(there):
                    found[there] = read_figures(there)
                    continue
            except (InputError, StorageError) as error:  # of one of many
                problem = str(error)
            without.append(Unreported(each.source, problem))
    return list(found), list(found.values()), without


def _write(path: Path, text: str, folders: Sequence[Path]) -> None:
    if any(is_of_harvest(path, folder) for folder in folders):
        raise InputError(f"{path} belongs to a harvest", advice="choose another file")
    with writing(path), replacing(path) as stream:
        stream.write(text.encode(errors="replace"))


def log(
    folder: str | PathLike[str], *, follow: bool = False, seconds: float = 1.0
) -> Iterator[Happened]:
    """Yield the requests and what they brought, in order.

    Args:
        folder: The harvest's folder; the harvest may be running.
        follow: Continue while a run writes to the folder, and end with it; it may still learn how
            its source is searched.
        seconds: Seconds between two looks.

    Raises:
        FolderError: There is no harvest in the folder, or it is damaged.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> lines = list(longline.log(folder))
        >>> lines[-1].event, sum(line.requests for line in lines)
        ('Stopped', 40)
    """
    return _log(_checked(folder, waits=follow), follow=follow, seconds=seconds)


def _checked(folder: str | PathLike[str], *, waits: bool) -> Path:
    """Return the path of a harvest that can be opened, or that begins when it is learnt."""
    found = path_of(folder)
    if not (waits and is_learning(found)):
        Reading(found).close()
    return found


def _begun(folder: Path, seconds: float) -> Reading:
    """Return a harvest to read, once its source is learnt."""
    while is_learning(folder):
        time.sleep(seconds)
    return Reading(folder)


def _log(folder: Path, *, follow: bool, seconds: float) -> Iterator[Happened]:
    with closing(_begun(folder, seconds)) as reading:
        lines = Lines(reading)
        while True:
            is_going = follow and reading.is_running  # checked first, to read the last events, too
            yield from lines.read()
            if not is_going:
                return
            time.sleep(seconds)


class Lines:
    """Read a journal as lines of a log.

    Args:
        reading: A journal that is read from its beginning.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._seen = 0

    def read(self) -> Iterator[Happened]:
        """Yield what was recorded since the last call."""
        for entry in self._reading.read():
            seen = self._reading.ledger.documents_seen
            moment = datetime.fromtimestamp(entry.recorded_at, UTC).isoformat()
            yield happened(entry.event, entry.number, moment, max(0, seen - self._seen))
            self._seen = seen


class Look(NamedTuple):
    """The state of a harvest at one moment.

    Attributes:
        is_running: A run is writing to the folder.
        queries: The record chart.
        newest: The last event; None in an empty journal.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> (look,) = longline.watch(folder)
        >>> look.is_running, look.certificate.outcome
        (False, 'partial')
    """

    certificate: Certificate
    queries: list[ChartRow]
    is_running: bool
    newest: Happened | None


def watch(folder: str | PathLike[str], *, seconds: float = 1.0) -> Iterator[Look]:
    """Yield the state of a harvest, again after every change, until its run ends.

    Args:
        folder: The harvest's folder. If it is not running, its state is yielded once. While its
            source is being learnt, nothing is yielded.
        seconds: Seconds between two looks.

    Raises:
        FolderError: There is no harvest in the folder, or it is damaged.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> [(look.is_running, look.certificate.requests) for look in longline.watch(folder)]
        [(False, 40)]
    """
    return _watch(_checked(folder, waits=True), seconds)


def _watch(folder: Path, seconds: float) -> Iterator[Look]:
    told, newest = None, None
    with closing(_begun(folder, seconds)) as reading:
        lines = Lines(reading)
        while True:
            is_running = reading.is_running
            last = deque(lines.read(), maxlen=1)
            newest = last[0] if last else newest
            if last or told != is_running:
                told = is_running
                yield Look(reading.certificate(), reading.ledger.chart(), is_running, newest)
            if not is_running:
                return
            time.sleep(seconds)


def watch_many(
    folders: str | PathLike[str] | Sequence[str | PathLike[str]], *, seconds: float = 1.0
) -> Iterator[list[Ended]]:
    """Yield the states of some harvests repeatedly, until none of them is running.

    Args:
        folders: Folders of harvests, or folders that hold several.
        seconds: Seconds between two looks; more if a look takes long.

    Raises:
        FolderError: One of them holds no harvest.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     harvest = longline.harvest(url, folder, allow_private=True, max_requests=40)
        >>> [[each.outcome for each in look] for look in longline.watch_many(folder)]
        [['partial']]
    """
    given = [folders] if isinstance(folders, str | PathLike) else list(folders)
    places = [path_of(each) for each in given]
    while True:
        begun = time.monotonic()
        is_going = any(map(is_running, places))
        found = [each for place in places for each in _standings(place)]
        yield found
        if not is_going and not any(each.is_running for each in found):
            return
        time.sleep(max(seconds, WAIT_TIMES * (time.monotonic() - begun)))


def _standings(folder: Path) -> list[Ended]:
    return harvests_in(folder) if is_of_many(folder) else [how_it_stands(folder)]


report = in_sync(report_async)
