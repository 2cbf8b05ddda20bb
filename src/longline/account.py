"""Keep the books of a harvest: the record chart, what was cut, the coverage certificate.

The journal goes in, event by event; nothing here asks the source anything.
"""

from __future__ import annotations

from collections import Counter
from math import isnan
from typing import Any

import msgspec

from longline.errors import BudgetSpent
from longline.events import (
    AnyEvent,
    Cut,
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    PageReceived,
    QueryCut,
    RobotsRead,
    Stopped,
)
from longline.metrics import hit_rate, overlapping_rate
from longline.model import Page, Query

FORMAT = "longline certificate 1"

UNFINISHED = Stopped("still running, or killed; run the same command to go on", target_met=False)


class ChartRow(msgspec.Struct, frozen=True, kw_only=True):
    """One query in the record chart.

    The field names say what the thesis's symbols stand for: claimed = est mi, received = mi,
    new = ui, duplicates = di, total_received = Mi, total_unique = Ni, query_overlapping_rate
    = or, overlapping_rate = OR, hit_rate = HR.

    Attributes:
        claimed: Documents the source says the query matches; None where it says nothing.
        received: Rows that the query gave. The true number of matches where nothing was cut.
        overlapping_rate: Up to and with this query, None while nothing is received.
        hit_rate: None where the source's size is not known.
        cuts: How the answer fell short; empty when it did not.

    Source: Fu 2011, Table 10.
    """

    query: str
    claimed: int | None
    received: int
    new: int
    duplicates: int
    total_received: int
    total_unique: int
    query_overlapping_rate: float | None
    overlapping_rate: float | None
    hit_rate: float | None
    result_pages: int
    cuts: tuple[Cut, ...]


class Truncation(msgspec.Struct, frozen=True):
    """A query whose answer was cut, for the certificate."""

    query: str
    cut: Cut
    claimed: int | None
    received: int


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """What was got, what it cost, and what was not got.

    Attributes:
        documents: Different documents held.
        size: Documents behind the search box; None where it is not known.
        size_source: Where `size` comes from.
        hit_rate: documents / size; None where the size is not known.
        overlapping_rate: Rows received per different document; None before the first.
        queries: Different queries sent, the sample's included.
        other_requests: robots.txt, form pages, redirects and retries.
        documents_failed: Documents seen in a listing but not got, although retried.
        failed_documents: Those, each with its reason.
        truncated_queries: Queries whose answer was cut in any way.
        unfinished_queries: Queries that had more pages than were asked for: by choice, or
            because the harvest stopped.
        cuts: How many queries were cut in each way.
        truncations: Every cut, query by query.
        robots: HTTP status of the robots.txt of each origin.
        begun_at, ended_at: First and last entry of the journal, ISO 8601, UTC.
        target_met: False when the harvest stopped short, for `stopped`.
    """

    format: str = FORMAT
    source: str
    strategy: str
    seed: int
    documents: int
    size: int | None
    size_source: str
    hit_rate: float | None
    overlapping_rate: float | None
    queries: int
    result_pages: int
    document_pages: int
    other_requests: int
    requests: int
    rows_received: int
    documents_failed: int
    failed_documents: tuple[str, ...]
    truncated_queries: int
    unfinished_queries: int
    cuts: dict[Cut, int]
    truncations: tuple[Truncation, ...]
    robots: dict[str, int]
    begun_at: str | None
    ended_at: str | None
    stopped: str
    target_met: bool


class Budget:
    """Count requests before they are sent, so that not a single one is too many.

    Args:
        max_requests: HTTP requests in all, earlier runs of the same harvest included.
        spent: Requests of those earlier runs.

    >>> budget = Budget(max_requests=1)
    >>> budget.spend()
    >>> budget.spend()
    Traceback (most recent call last):
        ...
    longline.errors.BudgetSpent: the budget of 1 requests is spent; raise --max-requests and run \
the same command again to go on
    """

    def __init__(self, max_requests: int | None = None, spent: int = 0) -> None:
        self.max_requests = max_requests
        self.spent = spent

    def spend(self) -> None:
        """Take one request from the budget.

        Raises:
            BudgetSpent: There is none left; nothing was taken.
        """
        if self.max_requests is not None and self.spent >= self.max_requests:
            raise BudgetSpent(
                f"the budget of {self.max_requests} requests is spent",
                advice="raise --max-requests and run the same command again to go on",
            )
        self.spent += 1


class _QueryBook:
    """What one query gave so far."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.rows = 0
        self.new = 0
        self.pages = 0
        self.page_rows = 0  # rows of the first page: the page size at work
        self.claimed: int | None = None
        self.relation = ""
        self.cuts: dict[Cut, QueryCut] = {}
        self.total_received = 0
        self.total_unique = 0
        self.has_more = False


class Account:
    """Told every event of a harvest in order, answers for all of it.

    Args:
        size: Documents behind the search box, where that is known.
        limit: The source's return limit k, where that is known.
        page_size: Rows asked for per page, where that is known.

    >>> from longline.model import Hit
    >>> account = Account(size=4)
    >>> for name, keys in ("q1", "bc"), ("q2", "acd"):
    ...     page = Page(tuple(Hit(key) for key in keys))
    ...     cuts = account.tell(PageReceived(Query((name,)), 1, page))
    >>> [(row.query, row.new, row.duplicates, row.overlapping_rate) for row in account.chart()]
    [('q1', 2, 0, 1.0), ('q2', 2, 1, 1.25)]
    """

    def __init__(
        self, *, size: int | None = None, limit: int | None = None, page_size: int | None = None
    ) -> None:
        self.size = size
        self.limit = limit
        self.page_size = page_size
        self.rows_received = 0
        self.result_pages = 0
        self.document_pages = 0
        self.requests = 0
        self.stopped = UNFINISHED
        self._seen: set[str] = set()
        self._held: set[str] = set()
        self._failed: dict[str, str] = {}
        self._robots: dict[str, int] = {}
        self._books: dict[Query, _QueryBook] = {}

    @property
    def documents(self) -> int:
        """Different documents held."""
        return len(self._held)

    @property
    def documents_seen(self) -> int:
        """Different documents seen in result pages, held or not."""
        return len(self._seen)

    @property
    def queries(self) -> int:
        """Different queries sent."""
        return len(self._books)

    @property
    def overlapping_rate(self) -> float:
        """Rows received per different document; nan before the first."""
        return overlapping_rate(self.rows_received, len(self._seen))

    @property
    def hit_rate(self) -> float | None:
        """Share of the source held; None where its size is not known."""
        return None if not self.size else hit_rate(self.documents, self.size)

    def tell(self, event: AnyEvent) -> list[QueryCut]:
        """Enter an event; return the cuts that it reveals and that were not known before."""
        self.requests += getattr(event, "requests", 0)
        self.stopped = event if isinstance(event, Stopped) else UNFINISHED
        match event:
            case PageReceived(query, number, page):
                return self._enter_page(query, number, page)
            case PageFailed(query, number):
                book = self._books.setdefault(query, _QueryBook())
                return self._enter_cuts(query, book, number, ["failed"])
            case DocumentReceived(document, requests):
                self._held.add(document.key)
                self._failed.pop(document.key, None)
                self.document_pages += requests > 0
            case DocumentFailed(key, _, reason):
                self._failed[key] = reason
            case QueryCut(query, cut):
                self._books.setdefault(query, _QueryBook()).cuts[cut] = event
            case RobotsRead(origin, status):
                self._robots[origin] = status
        return []

    def _enter_page(self, query: Query, number: int, page: Page) -> list[QueryCut]:
        book = self._books.setdefault(query, _QueryBook())
        if page.total:
            book.claimed, book.relation = page.total.documents, page.total.relation
        kinds = cuts(
            page,
            number,
            earlier=book.keys,
            first_page_rows=book.page_rows,
            rows_before=book.rows,
            limit=self.limit,
            page_size=self.page_size,
        )
        keys = {hit.key for hit in page.hits}
        new = len(keys - self._seen)
        self._seen |= keys
        self.rows_received += len(page.hits)
        self.result_pages += 1
        book.cuts.pop("failed", None)
        book.keys |= keys
        book.rows += len(page.hits)
        book.new += new
        book.has_more = page.next is not None
        book.pages += 1
        book.page_rows = book.page_rows or len(page.hits)
        book.total_received, book.total_unique = self.rows_received, len(self._seen)
        return self._enter_cuts(query, book, number, kinds)

    def _enter_cuts(
        self, query: Query, book: _QueryBook, number: int, kinds: list[Cut]
    ) -> list[QueryCut]:
        fresh = [
            QueryCut(query, cut, number, book.rows, book.claimed)
            for cut in kinds
            if cut not in book.cuts
        ]
        book.cuts.update({event.cut: event for event in fresh})
        return fresh

    def chart(self) -> list[ChartRow]:
        """Return the record chart, a row a query, in the order of their first page."""
        return [self._chart_row(query, book) for query, book in self._books.items()]

    def _chart_row(self, query: Query, book: _QueryBook) -> ChartRow:
        return ChartRow(
            query=str(query),
            claimed=book.claimed,
            received=book.rows,
            new=book.new,
            duplicates=book.rows - book.new,
            total_received=book.total_received,
            total_unique=book.total_unique,
            query_overlapping_rate=_known(overlapping_rate(book.rows, book.new)),
            overlapping_rate=_known(overlapping_rate(book.total_received, book.total_unique)),
            hit_rate=hit_rate(book.total_unique, self.size) if self.size else None,
            result_pages=book.pages,
            cuts=tuple(book.cuts),
        )

    def certificate(
        self,
        *,
        source: str,
        strategy: str,
        seed: int,
        size_source: str = "not known",
        begun_at: str | None = None,
        ended_at: str | None = None,
    ) -> Certificate:
        """Sum up the harvest as it stands; what the journal does not say is given."""
        truncations = tuple(
            Truncation(str(query), cut.cut, cut.claimed, cut.received)
            for query, book in self._books.items()
            for cut in book.cuts.values()
        )
        return Certificate(
            source=source,
            strategy=strategy,
            seed=seed,
            documents=self.documents,
            size=self.size,
            size_source=size_source,
            hit_rate=self.hit_rate,
            overlapping_rate=_known(self.overlapping_rate),
            queries=self.queries,
            result_pages=self.result_pages,
            document_pages=self.document_pages,
            other_requests=self.requests - self.result_pages - self.document_pages,
            requests=self.requests,
            rows_received=self.rows_received,
            documents_failed=len(self._failed),
            failed_documents=tuple(f"{key}: {reason}" for key, reason in self._failed.items()),
            truncated_queries=sum(bool(book.cuts) for book in self._books.values()),
            unfinished_queries=sum(book.has_more for book in self._books.values()),
            cuts=dict(Counter(truncation.cut for truncation in truncations)),
            truncations=truncations,
            robots=dict(self._robots),
            begun_at=begun_at,
            ended_at=ended_at,
            stopped=self.stopped.reason,
            target_met=self.stopped.target_met,
        )


def cuts(
    page: Page,
    number: int,
    *,
    earlier: set[str],
    first_page_rows: int,
    rows_before: int,
    limit: int | None,
    page_size: int | None,
) -> list[Cut]:
    """Name every way in which a page shows that its query's answer falls short.

    - capped: the last page came, and the source claims more than it gave, or gave exactly
      its return limit. With a count that is only "about" right, a claim alone proves
      nothing: the last page must be a full one.
    - clamped: fewer rows than asked for on the first page, although another page follows.
    - short: fewer rows than on the first page, although another page follows.
    - empty: a later page without rows.
    - repeated: rows that the same query gave before.

    Args:
        page: The page that came.
        number: Of the page, from 1.
        earlier: Keys that the query gave on earlier pages.
        first_page_rows: Rows on the query's first page; 0 before it.
        rows_before: Rows on the query's earlier pages.
        limit: The return limit, None where it is not known.
        page_size: Rows asked for per page, None where it is not known.

    >>> from longline.model import Hit, Total
    >>> page = Page((Hit("a"), Hit("b")), Total(5))
    >>> cuts(page, 1, earlier=set(), first_page_rows=0, rows_before=0, limit=None, page_size=2)
    ['capped']
    """
    rows = len(page.hits)
    keys = [hit.key for hit in page.hits]
    full = page_size or first_page_rows or rows
    found: list[Cut] = []
    if number > 1 and not rows:
        found.append("empty")
    if page.next and number == 1 and page_size and 0 < rows < page_size:
        found.append("clamped")
    if page.next and number > 1 and 0 < rows < first_page_rows:
        found.append("short")
    if len(set(keys)) < rows or not earlier.isdisjoint(keys):
        found.append("repeated")
    if not page.next and _is_capped(page, rows_before + rows, rows >= full, limit):
        found.append("capped")
    return found


def _is_capped(page: Page, received: int, last_is_full: bool, limit: int | None) -> bool:
    if page.total is None:
        return limit is not None and received >= limit
    if page.total.documents <= received:
        return page.total.relation == "at least" and received == limit
    return page.total.relation != "about" or last_is_full


def _known(rate: float) -> float | None:
    return None if isnan(rate) else rate


def to_json(certificate: Certificate) -> bytes:
    """Return a certificate as indented JSON, with a final newline."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=2) + b"\n"


def chart_dicts(rows: list[ChartRow]) -> list[dict[str, Any]]:
    """Return the record chart as plain dictionaries, for JSON and CSV."""
    return [msgspec.structs.asdict(row) for row in rows]
