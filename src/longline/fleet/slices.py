"""A slice of a harvest: some requests or some seconds of it, under a lease of its host."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any, Literal

import msgspec

from longline.api import Listeners, harvest_async
from longline.errors import InputError, LonglineError, StoppedShort, StorageError
from longline.events import AnyEvent
from longline.fetch import sharing_hosts
from longline.fleet.fleet import Fleet
from longline.fleet.hosts import LeasedHosts
from longline.fleet.rows import Row
from longline.harvester import place_of
from longline.ledger import Ledger
from longline.store import Lease, LeaseLostError

LEASE_SECONDS = 30.0
"""That a lease holds: so long a host is left alone when its worker dies."""

MOST_WAIT_SECONDS = 86_400.0
"""A source that a host lets wait for longer has ended."""

LEARN_REQUESTS = 100
"""A slice has at least so many as long as it is not known how its source is searched."""

PAUSE_SECONDS = 1.0
"""Between two slices of a host, where its sources have no rate of their own."""


class Slice(msgspec.Struct, frozen=True):
    """How a slice ended.

    Attributes:
        url: Of the source; "" where there was nothing to do.
        result: "more" where the source goes on, "ended", "lost" where another worker has it, or
            "failed" where the database could not be written.
    """

    url: str = ""
    result: Literal["none", "more", "ended", "lost", "failed"] = "none"
    documents: int = 0
    requests: int = 0
    seconds: float = 0.0


def run_slice(
    fleet: Fleet,
    *,
    worker: str = "",
    requests: int = 500,
    seconds: float = 60.0,
    lease_seconds: float = LEASE_SECONDS,
) -> Slice:
    """Harvest a slice of the source that waited longest, if one may be asked now.

    Args:
        fleet: Whose source.
        worker: Who does it, for people.
        requests: At most, in this slice.
        seconds: At most.
        lease_seconds: How long a host is left alone when this process dies.

    Raises:
        StorageError: The database cannot be opened.
    """
    taken = fleet.leases.take(worker, lease_seconds)
    if taken is None:
        return Slice()
    row, lease = taken
    began = time.monotonic()
    try:
        hosts = LeasedHosts(fleet.leases, lease, worker, lease_seconds)
        facts = _harvested(fleet, row, lease, hosts, requests, seconds)
        fleet.leases.end_slice(lease, row.source, **facts)
        rate = row.given.get("rate")
        hosts.give_back(1 / rate if rate else PAUSE_SECONDS)
    except LeaseLostError:
        return Slice(row.url, "lost", seconds=time.monotonic() - began)
    except StorageError:
        return Slice(row.url, "failed", seconds=time.monotonic() - began)
    return Slice(
        row.url,
        "ended" if facts.get("state") == "ended" else "more",
        facts.get("documents", row.documents) - row.documents,
        facts.get("requests", row.requests) - row.requests,
        time.monotonic() - began,
    )


def _harvested(
    fleet: Fleet, row: Row, lease: Lease, hosts: LeasedHosts, requests: int, seconds: float
) -> dict[str, Any]:
    """Harvest a slice in a folder that is thrown away; return what is to be kept of it."""
    given = row.given
    total = given.get("max_requests")
    most = row.requests + (requests if row.spec else max(requests, LEARN_REQUESTS))
    given["max_requests"] = most if total is None else min(most, total)
    given["max_time"] = min(seconds, given.get("max_time") or seconds)
    with tempfile.TemporaryDirectory(prefix="longline-slice-") as work:
        folder = Path(work)
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
                coming = harvest_async(row.url, folder, listeners=listeners, **given)
                certificate = asyncio.run(coming).certificate
        except (LeaseLostError, StorageError):
            raise
        except (LonglineError, TypeError) as error:
            is_for_now = isinstance(error, StoppedShort) or hosts.refused is not None
            if is_for_now and (wait := _wait(hosts)):
                return {"wait": wait, "said": str(hosts.refused or error)}
            advice = f"try it alone: longline plan {row.url} -o DIR, then longline fleet submit DIR"
            said = f"{error.message}; {advice}" if isinstance(error, InputError) else str(error)
            return {"outcome": "failed", "said": said, "state": "ended"}
    found = {"documents": certificate.documents, "requests": certificate.requests}
    if certificate.cause in ("budget", "refused") and (wait := _wait(hosts)):
        return found | {"wait": wait, "said": certificate.stopped}
    is_longer = certificate.requests > row.requests and certificate.requests != total
    if certificate.cause == "budget" and is_longer:
        return found
    return found | {
        "state": "ended",
        "outcome": certificate.outcome,
        "cause": certificate.cause,
        "said": certificate.stopped,
    }


def _wait(hosts: LeasedHosts) -> float:
    """Return how long the source is left alone; 0 where that is no reason to go on later."""
    seconds = hosts.seconds_left()
    return seconds if seconds <= MOST_WAIT_SECONDS else 0.0
