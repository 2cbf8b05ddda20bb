"""A slice of a harvest: some requests or some seconds of it, under a lease of its host."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any, Literal

import msgspec

from longline.api import Listeners, harvest_async
from longline.errors import LonglineError, StorageError
from longline.events import AnyEvent
from longline.fetch import Wait, sharing_hosts
from longline.fleet.fleet import Fleet, Row
from longline.harvester import place_of
from longline.ledger import Certificate, Ledger
from longline.store import Lease, LeaseLostError

LEASE_SECONDS = 30.0
"""That a lease holds: so long a host is left alone when its worker dies."""

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


class _Hold:
    """Renews a lease in time, before each request; none goes out after it was lost."""

    def __init__(self, fleet: Fleet, lease: Lease, seconds: float) -> None:
        self._fleet, self.lease, self._seconds = fleet, lease, seconds
        self._until = time.time() + seconds

    def renew(self, _host: str = "") -> None:
        """Renew it where half of its time is over.

        The clock of the day goes on while a process is stopped.

        Raises:
            LeaseLostError: Somebody else has taken the host.
        """
        now = time.time()
        if self._until - now < self._seconds / 2:
            self._fleet.renew(self.lease, self._seconds)
            self._until = now + self._seconds


def run_slice(
    database: str,
    *,
    worker: str = "",
    requests: int = 500,
    seconds: float = 60.0,
    lease_seconds: float = LEASE_SECONDS,
) -> Slice:
    """Harvest a slice of the source that waited longest, if one may be asked now.

    Args:
        database: Its URL.
        worker: Who does it, for people.
        requests: At most, in this slice.
        seconds: At most.
        lease_seconds: How long the host is left alone when this process dies.

    Raises:
        StorageError: The database cannot be opened.
    """
    with Fleet(database) as fleet:
        taken = fleet.take(worker, lease_seconds)
        if taken is None:
            return Slice()
        row, lease = taken
        began = time.monotonic()
        hold = _Hold(fleet, lease, lease_seconds)
        try:
            result, facts = _harvested(fleet, row, hold, requests, seconds)
            rate = row.given.get("rate")
            pause = 1 / rate if rate else PAUSE_SECONDS
            fleet.give_back(lease, row.source, pause=pause, **facts)
        except LeaseLostError:
            return Slice(row.url, "lost", seconds=time.monotonic() - began)
        except StorageError:
            return Slice(row.url, "failed", seconds=time.monotonic() - began)
        return Slice(
            row.url,
            result,
            facts.get("documents", 0) - row.documents,
            facts.get("requests", 0) - row.requests,
            time.monotonic() - began,
        )


def _harvested(
    fleet: Fleet, row: Row, hold: _Hold, requests: int, seconds: float
) -> tuple[Literal["more", "ended"], dict[str, Any]]:
    """Harvest a slice in a folder that is thrown away; return what is to be kept of it."""
    given = row.given
    total = given.get("max_requests")
    most = row.requests + requests
    given["max_requests"] = most if total is None else min(most, total)
    given["max_time"] = min(seconds, given.get("max_time") or seconds)
    with tempfile.TemporaryDirectory(prefix="longline-slice-") as work:
        folder = Path(work)
        fleet.unpack(row, folder, hold.lease)
        known = row.harvest

        def keep_spec(there: Path) -> None:
            spec = (there / "source.toml").read_text(encoding="utf-8")
            fleet.keep(hold.lease, row.source, spec=spec)

        def keep_harvest(event: AnyEvent, ledger: Ledger) -> None:
            nonlocal known
            if known is None:
                place = place_of(folder)
                known = None if place is None else place.harvest
                fleet.keep(hold.lease, row.source, harvest=known)

        def hold_back(wait: Wait) -> None:
            fleet.hold_back(hold.lease, wait.until.timestamp() - time.time())

        listeners = Listeners(on_folder=keep_spec, on_event=keep_harvest, on_wait=hold_back)
        try:
            with sharing_hosts(on_send=hold.renew):
                coming = harvest_async(row.url, folder, listeners=listeners, **given)
                certificate = asyncio.run(coming).certificate
        except (LeaseLostError, StorageError):
            raise
        except (LonglineError, TypeError) as error:
            facts = {"outcome": "failed", "said": str(error), "state": "ended"}
            return "ended", facts | {"documents": row.documents, "requests": row.requests}
    goes_on = certificate.cause == "budget" and certificate.requests != total
    goes_on = goes_on and certificate.requests > row.requests
    return ("more" if goes_on else "ended"), _facts(certificate, goes_on=goes_on)


def _facts(certificate: Certificate, *, goes_on: bool) -> dict[str, Any]:
    found = {"documents": certificate.documents, "requests": certificate.requests}
    if goes_on:
        return found
    return found | {
        "state": "ended",
        "outcome": certificate.outcome,
        "cause": certificate.cause,
        "said": certificate.stopped,
    }
