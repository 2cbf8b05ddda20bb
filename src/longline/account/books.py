"""The books: told every event of a harvest, they answer for all of it."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from msgspec.structs import replace

from longline.account._books import QueryBook
from longline.account._failures import Failures
from longline.account._size import Believed, Catches, believed
from longline.account.certificate import (
    ChartRow,
    Truncation,
)
from longline.account.cuts import SoFar, cuts, inferred_limit
from longline.events import (
    AnyEvent,
    Concluded,
    Cut,
    DocumentReceived,
    DocumentWithdrawn,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    QueryCut,
    RobotsRead,
    SameDocument,
    SourceFound,
    Stopped,
    Updated,
)
from longline.metrics import hit_rate, overlapping_rate
from longline.model import Document, Page, Query

UNFINISHED = Stopped("still running, or killed; run it again to continue", target_met=False)


class Account:
    """Told every event of a harvest in order, answers for all of it.

    Probes are kept apart: `queries`, `result_pages`, `rows_received`, the chart and all cuts
    are of the harvest's own queries, while `requests` and `documents` are of both.

    Args:
        size: Documents behind the search box, where that is known.
        limit: The source's return limit k, where that is known.
        page_size: Rows asked for per page, where that is known.
        counts_pages: Pages are asked for by number, so that only a total can announce one.

    >>> from longline.model import Hit
    >>> account = Account(size=4)
    >>> for name, keys in ("q1", "bc"), ("q2", "acd"):
    ...     page = Page(tuple(Hit(key) for key in keys))
    ...     cuts = account.tell(PageReceived(Query((name,)), 1, page))
    >>> [(row.query, row.new, row.duplicates, row.overlapping_rate) for row in account.chart()]
    [('q1', 2, 0, 1.0), ('q2', 2, 1, 1.25)]
    """

    def __init__(
        self,
        *,
        size: int | None = None,
        limit: int | None = None,
        page_size: int | None = None,
        counts_pages: bool = False,
    ) -> None:
        self.size = size
        self.limit = limit
        self.page_size = page_size
        self.counts_pages = counts_pages
        self.rows_received = 0
        self.result_pages = 0
        self.probe_pages = 0
        self.probe_rows = 0
        self.document_pages = 0
        self.requests = 0
        self.discovery_requests = 0
        self.body_bytes = 0
        self.stopped = UNFINISHED
        self.concluded: Concluded | None = None
        self.updated: Updated | None = None
        self._conclusions: set[Concluded] = set()
        self.catches = Catches()
        self.held: dict[str, str] = {}  # languages by key
        self._texts: set[int] = set()  # hashes of 64 bits
        self.duplicates = 0
        self.failures = Failures()
        self.robots: dict[str, int] = {}
        self.query_books: dict[Query, QueryBook] = {}
        self._kept: dict[str, str] = {}  # keys of the same documents, by keys no longer used
        self._under_way: tuple[QueryBook | None, set[str]] = None, set()
        self.probe_queries: set[Query] = set()

    @property
    def documents(self) -> int:
        """Different documents held."""
        return len(self.held)

    @property
    def documents_failed(self) -> int:
        """Documents that were listed and did not come."""
        return len(self.failures.documents)

    @property
    def documents_seen(self) -> int:
        """Different documents seen in result pages of the harvest's own queries, held or not."""
        return len(self.catches)

    @property
    def queries(self) -> int:
        """Different queries that the harvest itself sent."""
        return len(self.query_books)

    @property
    def probes(self) -> int:
        """Different queries sent to measure the source."""
        return len(self.probe_queries)

    @property
    def queries_and_probes(self) -> int:
        """Different queries sent for either purpose."""
        return len(self.query_books) + len(self.probe_queries - self.query_books.keys())

    @property
    def overlapping_rate(self) -> float:
        """Rows received per different document; nan before the first."""
        return overlapping_rate(self.rows_received, self.documents_seen)

    @property
    def expected_size(self) -> int | None:
        """Documents behind the search box, as given, else as estimated last."""
        return self.believed().size

    @property
    def hit_rate(self) -> float | None:
        """Share of the source held; None where its size is neither given nor estimated."""
        size = self.expected_size
        return None if not size else hit_rate(self.documents, size)

    def believed(self, given_by: str = "given by the user") -> Believed:
        """Return the size as given, else as estimated last, with its interval."""
        return believed(self.size, given_by, self.concluded, self.documents)

    def has(self, conclusion: Concluded) -> bool:
        """Say whether a conclusion was entered before."""
        return conclusion in self._conclusions

    def has_sent(self, query: Query) -> bool:
        """Say whether a query was sent before, as a probe or not."""
        return query in self.query_books or query in self.probe_queries

    def tell(self, event: AnyEvent) -> list[QueryCut]:
        """Enter an event; return the cuts that it reveals and that were not known before."""
        self.requests += getattr(event, "requests", 0)
        self.body_bytes += event.body_bytes
        self.stopped = event if isinstance(event, Stopped) else UNFINISHED
        self.failures.tell(event)
        match event:
            case PageReceived(query) | PageFailed(query) if event.probe:
                self._enter_probe(query, event)
            case PageReceived(query, number, page):
                # A probe's page that the harvest wants too comes again, for no request.
                self.result_pages += event.requests > 0
                return self._enter_page(query, number, page)
            case PageFailed(query, number):
                book = self.query_books.setdefault(query, QueryBook())
                return self._enter_cuts(query, book, number, ["failed"])
            case DocumentReceived(document, requests):
                self._enter_document(document)
                self.document_pages += requests > 0
            case DocumentWithdrawn(key):
                self.held.pop(key, None)
            case SameDocument(key, kept):
                self._join(key, kept)
            case PageDisbelieved(query, number):
                self._disbelieve(query, number)
            case QueryCut(query, cut):
                self.query_books.setdefault(query, QueryBook()).cuts[cut] = event
            case SourceFound(requests):
                self.discovery_requests += requests
            case RobotsRead(origin, status):
                self.robots[origin] = status
            case Updated():
                self.updated = event
            case Concluded():
                self.concluded = event
                self._conclusions.add(event)
        return []

    def _disbelieve(self, query: Query, number: int) -> None:
        """Take back what a page said of its query; the rows that came stay counted."""
        book = self.query_books.get(query)
        if book is not None and number == 1:
            del self.query_books[query]
        elif book is not None:
            book.take_back(number)

    @property
    def joined(self) -> int:
        """Keys that are no longer used, since another belongs to the same document."""
        return len(self._kept)

    def kept_as(self, key: str) -> str:
        """Return the key under which the document of a key is kept: mostly the same."""
        return self._kept.get(key, key)

    def as_kept(self, page: Page) -> Page:
        """Return a page with the keys under which its documents are kept."""
        if not self._kept.keys() & {hit.key for hit in page.hits}:
            return page
        hits = tuple(replace(hit, key=self.kept_as(hit.key)) for hit in page.hits)
        return replace(page, hits=hits)

    def _join(self, key: str, kept: str) -> None:
        self._kept[key] = kept
        self.catches.join(key, kept)
        if key in self.held:
            self.held.setdefault(kept, self.held.pop(key))

    def _enter_document(self, document: Document) -> None:
        if document.key in self.held:
            return
        self.held[document.key] = document.language
        if document.text:
            text = hash(document.text)
            self.duplicates += text in self._texts
            self._texts.add(text)

    def _enter_probe(self, query: Query, event: PageReceived | PageFailed) -> None:
        self.probe_queries.add(query)
        if isinstance(event, PageReceived):
            self.probe_pages += 1
            self.probe_rows += len(event.page.hits)

    def _enter_page(self, query: Query, number: int, page: Page) -> list[QueryCut]:
        book = self.query_books.setdefault(query, QueryBook())
        if page.total:
            book.see_total(page.total.documents, page.total.relation)
        earlier = self._earlier(book)
        so_far = SoFar(
            earlier=earlier,
            first_page_rows=book.page_rows,
            rows=book.rows,
            limit=self.limit,
            page_size=self.page_size,
            is_announced=not self.counts_pages or (book.claimed or 0) > book.rows + len(page.hits),
        )
        kinds = cuts(page, number, so_far)
        keys = dict.fromkeys(hit.key for hit in page.hits)
        place = self.queries - 1 if book.pages == 0 else book.place
        book.place = place
        self.rows_received += len(page.hits) + page.others
        book.others += page.others
        book.new += self.catches.add(keys, place)
        book.cuts.pop("failed", None)
        book.keys.extend(key for key in keys if key not in earlier)
        earlier.update(keys)
        book.rows += len(page.hits)
        book.has_more = page.next is not None
        book.pages += 1
        book.page_rows = book.page_rows or len(page.hits)
        book.total_received, book.total_unique = self.rows_received, self.documents_seen
        return self._enter_cuts(query, book, number, kinds)

    def _earlier(self, book: QueryBook) -> set[str]:
        """Return the keys that a query gave so far, at hand for the query under way."""
        if self._under_way[0] is not book:
            self._under_way = book, set(book.keys)
        return self._under_way[1]

    def _enter_cuts(
        self, query: Query, book: QueryBook, number: int, kinds: list[Cut]
    ) -> list[QueryCut]:
        fresh = [
            QueryCut(query, cut, number, book.rows, book.claimed)
            for cut in kinds
            if cut not in book.cuts
        ]
        book.cuts.update({event.cut: event for event in fresh})
        return fresh

    def inferred_limit(self) -> int | None:
        """Return the return limit that answers show where nobody tells it, if they do."""
        if self.limit is not None:
            return None
        books = self.query_books.values()
        ends = [book.rows for book in books if book.is_ended and book.claimed is None]
        return inferred_limit(ends, max((book.rows for book in books), default=0))

    @property
    def cut_queries(self) -> int:
        """Queries that were cut, or that had more pages than were asked for."""
        inferred = self.inferred_limit()
        return sum(
            book.has_more or bool(truncations(query, book, inferred))
            for query, book in self.query_books.items()
        )

    def chart(self, queries: Iterable[Query] | None = None) -> list[ChartRow]:
        """Return the record chart, a row a query, in the order of their first page.

        Args:
            queries: Only these of those that were sent, in this order.
        """
        inferred, size = self.inferred_limit(), self.expected_size
        books = self.query_books
        return [
            self._chart_row(query, books[query], inferred, size)
            for query in (books if queries is None else queries)
        ]

    def _chart_row(
        self, query: Query, book: QueryBook, inferred: int | None, size: int | None
    ) -> ChartRow:
        return ChartRow(
            query=str(query),
            claimed=book.claimed,
            received=book.rows,
            new=book.new,
            duplicates=book.rows - book.new,
            total_received=book.total_received,
            total_unique=book.total_unique,
            query_overlapping_rate=known(overlapping_rate(book.rows, book.new)),
            overlapping_rate=known(overlapping_rate(book.total_received, book.total_unique)),
            hit_rate=hit_rate(book.total_unique, size) if size else None,
            result_pages=book.pages,
            cuts=tuple(each.cut for each in truncations(query, book, inferred)),
        )


def truncations(query: Query, book: QueryBook, inferred: int | None) -> list[Truncation]:
    """Return every cut of a query, one by a limit that was only inferred included."""
    found = [Truncation(str(query), c.cut, c.claimed, c.received) for c in book.cuts.values()]
    is_at_limit = book.is_ended and book.claimed is None and book.rows == inferred
    if is_at_limit and "capped" not in book.cuts:
        found.append(Truncation(str(query), "capped", None, book.rows, inferred=True))
    return found


def known(rate: float) -> float | None:
    """Return a rate; None for that of nothing."""
    return None if isnan(rate) else rate
