"""A slice of a harvest: a limited number of requests or seconds, under a lease of its host."""

import asyncio
import logging
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from longline.api import Listeners, harvest_async
from longline.errors import InputError, LonglineError, StoppedShort, StorageError, in_shell
from longline.events import AnyEvent
from longline.fetch import sharing_hosts
from longline.fleet.hosts import LeasedHosts
from longline.harvester import place_of
from longline.ledger import Certificate, Ledger, decode
from longline.logs import log
from longline.queue import Fleet, Row, Taken
from longline.store import Lease, LeaseLostError

MOST_WAIT_SECONDS = 86_400.0
"""If hosts demand a longer wait, the source has ended."""

LEARN_REQUESTS = 100
"""Minimum requests of a slice while its source is still being learnt."""

START_SHARE = 0.1
"""Maximum share of a worker's time for reading journals; if that is slow, slices are longer."""

LOOK_SECONDS = 0.5
"""Seconds between a worker's checks for more work."""

_ADVICE = (
    "longline fleet retry takes options; or try it alone: longline plan {} -o DIR, then longline "
    "fleet submit DIR"
)

FOLDER = "longline-slice-"
"""Prefix of a slice's temporary folder."""

FOLDER_SECONDS = 86_400.0
"""An older folder was left by a killed worker."""


def sweep() -> None:
    """Remove the folders of slices whose workers were killed a day ago or earlier."""
    for each in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):
            if time.time() - each.stat().st_mtime > FOLDER_SECONDS:
                shutil.rmtree(each)


class Work(msgspec.Struct, frozen=True):
    """The amount of work of a worker.

    Attributes:
        requests: Maximum of a slice.
        seconds: Maximum of a slice; also how long the worker takes new ones. Both are greater for a
            source whose journal takes long to read.
        at_once: Number of parallel slices.
        lease_seconds: How long a host is left alone if the worker dies.
    """

    requests: int = 500
    seconds: float = 60.0
    at_once: int = 10
    lease_seconds: float = 30.0


class Slice(msgspec.Struct, frozen=True):
    """How a slice ended.

    Attributes:
        url: Of the source.
        result: "more" if the source continues, "ended", "lost" if another worker has it, or
            "failed" if the database could not be written.
    """

    url: str
    result: Literal["more", "ended", "lost", "failed"]
    documents: int = 0
    requests: int = 0
    seconds: float = 0.0


async def run_slices(
    fleet: Fleet, work: Work = Work(), *, worker: str = "", most: int | None = None
) -> list[Slice]:
    """Harvest slices of the sources that have waited longest, until none is ready or time is over.

    Args:
        fleet: The fleet of the sources.
        work: The amount of work.
        worker: Name of the worker, for people.
        most: Maximum number of slices in all; None for no limit.

    Raises:
        StorageError: The database cannot be opened.
    """
    going: dict[asyncio.Task[Slice], LeasedHosts] = {}
    done: list[Slice] = []
    ends = time.monotonic() + work.seconds
    while True:
        while len(going) < work.at_once and time.monotonic() < ends:
            hosts = LeasedHosts(fleet.leases, worker, work.lease_seconds)
            is_enough = most is not None and len(done) + len(going) >= most
            taken = None if is_enough else hosts.take()
            if taken is None:
                break
            ends = max(ends, time.monotonic() + _seconds(taken.row, work))
            going[asyncio.create_task(_slice(fleet, taken, hosts, work))] = hosts
        if not going:
            return done
        ended, _ = await asyncio.wait(
            going, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        for each in ended:
            del going[each]
            done.append(each.result())
        for hosts in going.values():
            hosts.renew_waiting()


async def _slice(fleet: Fleet, taken: Taken, hosts: LeasedHosts, work: Work) -> Slice:
    """Harvest a slice; store how long it took to start, for the next one of the source."""
    row, lease = taken
    began = time.monotonic()
    try:
        facts = await _harvested(fleet, row, lease, hosts, work)
        if hosts.first_at is not None:
            facts["began_after"] = hosts.first_at - began
        fleet.leases.end_slice(lease, row.source, **facts)
        hosts.give_back()
    except LeaseLostError:
        return Slice(row.url, "lost", seconds=time.monotonic() - began)
    except StorageError:
        return Slice(row.url, "failed", seconds=time.monotonic() - began)
    except Exception as error:  # an internal error must not stop other sources
        log(logging.ERROR, f"{row.url}: {error!r}")
        return Slice(row.url, "failed", seconds=time.monotonic() - began)
    return Slice(
        row.url,
        "ended" if facts.get("state") == "ended" else "more",
        facts.get("documents", row.documents) - row.documents,
        facts.get("requests", row.requests) - row.requests,
        time.monotonic() - began,
    )


def _allowed(row: Row, work: Work) -> dict[str, Any]:
    """Return the options of a slice: those of its source, within the limits of a slice."""
    given, seconds = row.given, _seconds(row, work)
    total = given.get("max_requests")
    some = work.requests if row.spec else max(work.requests, LEARN_REQUESTS)
    most = row.requests + int(some * seconds / work.seconds)
    given["max_requests"] = most if total is None else min(most, total)
    if row.spec:  # if learning a source were cut off, it would always start again
        given["max_time"] = min(seconds, given.get("max_time") or seconds)
    # Files would be deleted with the folder.
    return given | {"attachments": False, "warc": False}


def _seconds(row: Row, work: Work) -> float:
    """Return the maximum seconds of a slice."""
    return max(work.seconds, row.began_after * work.at_once / START_SHARE)


async def _harvested(
    fleet: Fleet, row: Row, lease: Lease, hosts: LeasedHosts, work: Work
) -> dict[str, Any]:
    """Harvest a slice in a temporary folder; return the values to store."""
    given, total = _allowed(row, work), row.given.get("max_requests")
    with tempfile.TemporaryDirectory(prefix=FOLDER) as place:
        folder = Path(place)
        fleet.unpack(row, folder, lease)
        known = row.harvest

        def keep_spec(there: Path) -> None:
            spec = (there / "source.toml").read_text(encoding="utf-8")
            fleet.leases.keep(lease, row.source, spec=spec)

        def keep_harvest(event: AnyEvent, ledger: Ledger) -> None:
            nonlocal known
            if known is None:
                place = place_of(folder)
                known = None if place is None else place.harvest
                fleet.leases.keep(lease, row.source, harvest=known)

        listeners = Listeners(on_folder=keep_spec, on_event=keep_harvest)
        try:
            with sharing_hosts(hosts):
                await harvest_async(row.url, folder, listeners=listeners, **given)
            kept = (folder / "certificate.json").read_bytes()
            certificate = decode(kept, Certificate)
        except (LeaseLostError, StorageError):
            raise
        except (LonglineError, TypeError) as error:
            if not hosts.is_wanted:
                return {}
            is_for_now = isinstance(error, StoppedShort) or hosts.refused is not None
            if is_for_now and (wait := _wait(hosts)):
                return {"wait": wait, "said": str(hosts.refused or error)}
            told = in_shell(error.told if isinstance(error, LonglineError) else str(error))
            said = f"{told}; {_ADVICE.format(row.url)}" if isinstance(error, InputError) else told
            ending = error.ending if isinstance(error, LonglineError) else LonglineError.ending
            ended = {"outcome": ending.outcome, "cause": ending.cause}
            return ended | {"said": said, "state": "ended"}
    brought = {"documents": certificate.documents, "requests": certificate.requests}
    if not hosts.is_wanted:
        return brought
    if certificate.cause in ("budget", "refused") and (wait := _wait(hosts)):
        return brought | {"wait": wait, "said": certificate.stopped}
    is_longer = certificate.requests > row.requests and certificate.requests != total
    if certificate.cause == "budget" and is_longer:
        return brought
    return brought | {
        "state": "ended",
        "outcome": certificate.outcome,
        "cause": certificate.cause,
        "said": certificate.stopped,
    }


def _wait(hosts: LeasedHosts) -> float:
    """Return the seconds that the source must wait; 0 if that is too long to continue later."""
    seconds = hosts.seconds_left()
    return seconds if seconds <= MOST_WAIT_SECONDS else 0.0
