"""A slice of a harvest: some requests or some seconds of it, under a lease of its host."""

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
"""A source that a host lets wait for longer has ended."""

LEARN_REQUESTS = 100
"""A slice has at least so many as long as it is not known how its source is searched."""

START_SHARE = 0.1
"""Of a worker's time, that its slices may spend on reading their journals; where that takes long, a
slice is longer, too."""

LOOK_SECONDS = 0.5
"""Between two looks of a worker for more to do."""

_ADVICE = (
    "longline fleet retry takes options; or try it alone: longline plan {} -o DIR, then longline "
    "fleet submit DIR"
)

FOLDER = "longline-slice-"
"""How the folder of a slice begins, among those for temporary files."""

FOLDER_SECONDS = 86_400.0
"""A folder that is older was left by a worker that was killed."""


def sweep() -> None:
    """Remove the folders of slices whose workers were killed a day ago or earlier."""
    for each in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):
            if time.time() - each.stat().st_mtime > FOLDER_SECONDS:
                shutil.rmtree(each)


class Work(msgspec.Struct, frozen=True):
    """How much a worker does.

    Attributes:
        requests: Of a slice, at most.
        seconds: Of a slice, at most; so long the worker takes new ones, too. Both are greater for
            a source whose journal takes long to read.
        at_once: Slices side by side.
        lease_seconds: How long a host is left alone when the worker dies.
    """

    requests: int = 500
    seconds: float = 60.0
    at_once: int = 10
    lease_seconds: float = 30.0


class Slice(msgspec.Struct, frozen=True):
    """How a slice ended.

    Attributes:
        url: Of the source.
        result: "more" where the source goes on, "ended", "lost" where another worker has it, or
            "failed" where the database could not be written.
    """

    url: str
    result: Literal["more", "ended", "lost", "failed"]
    documents: int = 0
    requests: int = 0
    seconds: float = 0.0


async def run_slices(
    fleet: Fleet, work: Work = Work(), *, worker: str = "", most: int | None = None
) -> list[Slice]:
    """Harvest slices of the sources that waited longest, until none may be asked or time is over.

    Args:
        fleet: Whose sources.
        work: How much.
        worker: Who does it, for people.
        most: Slices in all, at most; None for no bound.

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
    """Harvest a slice; the next one of the source is told how long this one took to begin."""
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
    except Exception as error:  # a fault of longline's own stops no other source
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
    """Return the options of a slice: those of its source, and no more than a slice may do."""
    given, seconds = row.given, _seconds(row, work)
    total = given.get("max_requests")
    some = work.requests if row.spec else max(work.requests, LEARN_REQUESTS)
    most = row.requests + int(some * seconds / work.seconds)
    given["max_requests"] = most if total is None else min(most, total)
    if row.spec:  # one that is cut off while a source is learnt would begin anew for ever
        given["max_time"] = min(seconds, given.get("max_time") or seconds)
    # Files would go with the folder.
    return given | {"attachments": False, "warc": False}


def _seconds(row: Row, work: Work) -> float:
    """Return how long a slice may take."""
    return max(work.seconds, row.began_after * work.at_once / START_SHARE)


async def _harvested(
    fleet: Fleet, row: Row, lease: Lease, hosts: LeasedHosts, work: Work
) -> dict[str, Any]:
    """Harvest a slice in a folder that is thrown away; return what is to be kept of it."""
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
    """Return how long the source is left alone; 0 where that is no reason to go on later."""
    seconds = hosts.seconds_left()
    return seconds if seconds <= MOST_WAIT_SECONDS else 0.0
