"""Forecast a harvest: to the end of its budget, or for as many requests again."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import ceil, floor

from longline.estimate.extrapolate import Further, Recent, Size, extrapolate
from longline.ledger._queries import QueryLedger
from longline.ledger.certificate import BudgetLine, Forecast
from longline.ledger.ledger import Ledger
from longline.model import Query

LEAST_AHEAD = 100
"""Minimum number of requests to look ahead, if no budget ends earlier."""

PAGES = 20, 200
"""Minimum and maximum number of newest result pages used if the size is unknown."""

EACH = 0.95
"""If this share of documents took a request each, no more come than requests are sent."""

MAY_GO_ON = frozenset({"", "budget", "interrupted"})
"""Causes of a partial ending after which the harvest can continue."""


def forecast_of(
    ledger: Ledger, budget: dict[str, BudgetLine], pace: float | None = None
) -> Forecast | None:
    """Forecast the saved documents at the end of the budget, or else after as many requests again.

    Args:
        ledger: Of the harvest.
        budget: Limits, and what is used of them.
        pace: Requests per second; None if unknown.

    Returns:
        None if the harvest has nothing more to request, or there is too little data. Also for an
        update that was ended early: it holds documents that none of its requests brought.
    """
    ending = ledger.stopped.ending
    if ledger.updated is not None or ending.outcome != "partial" or ending.cause not in MAY_GO_ON:
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
    """Return how many new documents this many more requests bring, or None if unknown."""
    growth = ledger.grown.growth(ledger.requests, ledger.documents)
    if growth is None:
        return None
    found = ledger.believed()
    if found.size is not None and found.low is not None:
        ahead = extrapolate(growth, requests, Size(found.size, found.low, found.high))
    else:
        ahead = extrapolate(growth, requests, None, _recent(ledger, growth.requests, requests))
    if ahead is None or ledger.document_pages < EACH * ledger.documents:
        return ahead
    return Further(*(min(each, requests) for each in ahead))


def _recent(ledger: Ledger, sent: float, requests: int) -> Recent | None:
    """Return the results of the newest pages, as many as are to come, or None without pages."""
    if not ledger.result_pages:
        return None
    page = sent / ledger.result_pages
    least, most = PAGES
    pages = newest_pages(ledger.query_ledgers, round(min(max(requests / page, least), most)))
    return Recent(
        pages=len(pages),
        requests=len(pages) * page,
        species=species(pages, ledger.held.times),
        per_document=min(1.0, ledger.document_pages / max(ledger.documents, 1)),
    )


def _to_the_end(budget: dict[str, BudgetLine], pace: float | None) -> int | None:
    """Return how many more requests the budget allows, or None if it does not limit them."""
    left = {
        name: line.allowed - line.used for name, line in budget.items() if line.used is not None
    }
    bounds = [left["requests"]] if "requests" in left else []
    if "seconds" in left and pace:
        bounds.append(left["seconds"] * pace)
    least = min(bounds, default=0)
    return int(least) if least >= 1 else None


def newest_pages(ledgers: dict[Query, QueryLedger], most: int) -> list[Sequence[int]]:
    """Return the documents on each of the newest result pages, the newest first.

    A query's documents are kept in order, and are split evenly over its pages.
    """
    return list(islice(_pages(reversed(ledgers.values())), most))


def _pages(ledgers: Iterable[QueryLedger]) -> Iterator[Sequence[int]]:
    for sums in ledgers:
        size = max(1, -(-len(sums.documents) // max(sums.pages, 1)))
        for first in reversed(range(0, max(len(sums.documents), 1), size)):
            yield sums.documents[first : first + size]


def species(pages: Iterable[Iterable[int]], times: Callable[[int], int]) -> list[int]:
    """Return f_1, f_2, ...: how many documents are on exactly one of the pages, on two, and so on.

    Args:
        pages: The documents on each.
        times: On how many pages a document came in all; documents with more are left out.

    >>> species([[0, 1], [1, 2], [1, 3]], [1, 3, 4, 1].__getitem__)
    [2, 0, 1]
    """
    often = Counter(document for page in pages for document in page)
    counts = Counter(count for each, count in often.items() if times(each) <= count)
    return [counts[count] for count in range(1, max(counts, default=0) + 1)]
