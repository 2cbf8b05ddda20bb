"""What a harvest brings if it goes on: to the end of its budget, or for as many requests again."""

from __future__ import annotations

from math import ceil, floor

from longline.estimate.extrapolate import Further, Recent, Size, extrapolate
from longline.ledger._growth import newest_pages, species
from longline.ledger.certificate import BudgetLine, Forecast
from longline.ledger.ledger import Ledger

LEAST_AHEAD = 100
"""Requests that are looked ahead where no budget ends before, and as many as were sent."""

PAGES = 20, 200
"""Newest result pages that are looked at where the size is not known."""

GOES_ON = frozenset({"", "budget", "interrupted"})
"""Why a partial harvest ended that has more to ask for."""


def forecast_of(
    ledger: Ledger, budget: dict[str, BudgetLine], pace: float | None = None
) -> Forecast | None:
    """Say what a harvest will have saved when its budget ends, else after as many requests again.

    Args:
        ledger: Of the harvest.
        budget: What it is allowed, and has used.
        pace: Requests a second.

    Returns:
        None where it has nothing more to ask for, or too little came to tell.
    """
    ending = ledger.stopped.ending
    if ending.outcome != "partial" or ending.cause not in GOES_ON:
        return None
    ahead = _to_the_end(budget, pace)
    requests = ahead or max(LEAST_AHEAD, ledger.requests)
    found = further(ledger, requests)
    if found is None:
        return None
    held = ledger.documents
    return Forecast(
        requests=requests,
        is_to_the_end=ahead is not None,
        documents=held + round(found.documents),
        low=held + floor(found.low),
        high=held + ceil(found.high),
        seconds=round(requests / pace) if pace else None,
    )


def further(ledger: Ledger, requests: int) -> Further | None:
    """Say how many new documents so many more requests bring; None where nothing tells."""
    growth = ledger.grown.growth(ledger.requests, ledger.documents)
    if growth is None:
        return None
    found = ledger.believed()
    if found.size is not None and found.low is not None:
        return extrapolate(growth, requests, Size(found.size, found.low, found.high))
    return extrapolate(growth, requests, None, _recent(ledger, growth.requests, requests))


def _recent(ledger: Ledger, sent: float, requests: int) -> Recent | None:
    """Return what the newest pages brought, as many of them as are to come."""
    if not ledger.result_pages:
        return None
    page = sent / ledger.result_pages
    least, most = PAGES
    pages = newest_pages(ledger.query_ledgers, round(min(max(requests / page, least), most)))
    return Recent(
        pages=len(pages),
        requests=len(pages) * page,
        species=species(pages, ledger.catches.times),
        per_document=min(1.0, ledger.document_pages / max(ledger.documents, 1)),
    )


def _to_the_end(budget: dict[str, BudgetLine], pace: float | None) -> int | None:
    """Return how many requests the budget allows yet; None where it does not bound them."""
    left = {
        name: line.allowed - line.used for name, line in budget.items() if line.used is not None
    }
    bounds = [left["requests"]] if "requests" in left else []
    if "seconds" in left and pace:
        bounds.append(left["seconds"] * pace)
    least = min(bounds, default=0)
    return int(least) if least >= 1 else None
