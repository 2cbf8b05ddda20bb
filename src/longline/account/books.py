"""The books: told every event of a harvest, they answer for all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from math import isnan
from operator import or_
from typing import Any

from msgspec.structs import replace

from longline.account._books import QueryBook, paging_losses
from longline.account._failures import Failures
from longline.account._size import Believed, Catches, as_estimate, believed
from longline.account.certificate import (
    BudgetLine,
    Certificate,
    ChartRow,
    Estimate,
    Odd,
    Truncation,
)
from longline.account.cuts import cuts, inferred_limit
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
    SizeEstimate,
    SourceFound,
    Stopped,
)
from longline.metrics import hit_rate, overlapping_rate
from longline.model import Document, Page, Query

UNKNOWN = "unknown"
"""In the place of the language of documents whose language is not known."""

UNFINISHED = Stopped(
    "still running, or killed; run the same command again to continue", target_met=False
)


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
        self._conclusions: set[Concluded] = set()
        self._catches = Catches()
        self._held: dict[str, str] = {}  # languages by key
        self._texts: set[int] = set()  # hashes of 64 bits
        self._duplicates = 0
        self.failures = Failures()
        self._robots: dict[str, int] = {}
        self._books: dict[Query, QueryBook] = {}
        self._kept: dict[str, str] = {}  # keys of the same documents, by keys no longer used
        self._under_way: tuple[QueryBook | None, set[str]] = None, set()
        self._probes: set[Query] = set()

    @property
    def documents(self) -> int:
        """Different documents held."""
        return len(self._held)

    @property
    def documents_failed(self) -> int:
        """Documents that were listed and did not come."""
        return len(self.failures.documents)

    @property
    def documents_seen(self) -> int:
        """Different documents seen in result pages of the harvest's own queries, held or not."""
        return len(self._catches)

    @property
    def queries(self) -> int:
        """Different queries that the harvest itself sent."""
        return len(self._books)

    @property
    def probes(self) -> int:
        """Different queries sent to measure the source."""
        return len(self._probes)

    @property
    def queries_and_probes(self) -> int:
        """Different queries sent for either purpose."""
        return len(self._books) + len(self._probes - self._books.keys())

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
        return query in self._books or query in self._probes

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
                book = self._books.setdefault(query, QueryBook())
                return self._enter_cuts(query, book, number, ["failed"])
            case DocumentReceived(document, requests):
                self._enter_document(document)
                self.document_pages += requests > 0
            case DocumentWithdrawn(key):
                self._held.pop(key, None)
            case SameDocument(key, kept):
                self._join(key, kept)
            case PageDisbelieved(query, number):
                self._disbelieve(query, number)
            case QueryCut(query, cut):
                self._books.setdefault(query, QueryBook()).cuts[cut] = event
            case SourceFound(requests):
                self.discovery_requests += requests
            case RobotsRead(origin, status):
                self._robots[origin] = status
            case Concluded():
                self.concluded = event
                self._conclusions.add(event)
        return []

    def _disbelieve(self, query: Query, number: int) -> None:
        """Take back what a page said of its query; the rows that came stay counted."""
        book = self._books.get(query)
        if book is not None and number == 1:
            del self._books[query]
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
        self._catches.join(key, kept)
        if key in self._held:
            self._held.setdefault(kept, self._held.pop(key))

    def _enter_document(self, document: Document) -> None:
        if document.key in self._held:
            return
        self._held[document.key] = document.language
        if document.text:
            text = hash(document.text)
            self._duplicates += text in self._texts
            self._texts.add(text)

    def _enter_probe(self, query: Query, event: PageReceived | PageFailed) -> None:
        self._probes.add(query)
        if isinstance(event, PageReceived):
            self.probe_pages += 1
            self.probe_rows += len(event.page.hits)

    def _enter_page(self, query: Query, number: int, page: Page) -> list[QueryCut]:
        book = self._books.setdefault(query, QueryBook())
        if page.total:
            book.see_total(page.total.documents, page.total.relation)
        earlier = self._earlier(book)
        kinds = cuts(
            page,
            number,
            earlier=earlier,
            first_page_rows=book.page_rows,
            rows_before=book.rows,
            limit=self.limit,
            page_size=self.page_size,
            is_announced=not self.counts_pages or (book.claimed or 0) > book.rows + len(page.hits),
        )
        keys = dict.fromkeys(hit.key for hit in page.hits)
        place = self.queries - 1 if book.pages == 0 else book.place
        book.place = place
        self.rows_received += len(page.hits) + page.others
        book.others += page.others
        book.new += self._catches.add(keys, place)
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
        books = self._books.values()
        ends = [book.rows for book in books if book.is_ended and book.claimed is None]
        return inferred_limit(ends, max((book.rows for book in books), default=0))

    @property
    def cut_queries(self) -> int:
        """Queries that were cut, or that had more pages than were asked for."""
        inferred = self.inferred_limit()
        return sum(
            book.has_more or bool(_truncations(query, book, inferred))
            for query, book in self._books.items()
        )

    def chart(self) -> list[ChartRow]:
        """Return the record chart, a row a query, in the order of their first page."""
        inferred, size = self.inferred_limit(), self.expected_size
        return [self._chart_row(query, book, inferred, size) for query, book in self._books.items()]

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
            query_overlapping_rate=_known(overlapping_rate(book.rows, book.new)),
            overlapping_rate=_known(overlapping_rate(book.total_received, book.total_unique)),
            hit_rate=hit_rate(book.total_unique, size) if size else None,
            result_pages=book.pages,
            cuts=tuple(each.cut for each in _truncations(query, book, inferred)),
        )

    def certificate(
        self,
        *,
        source: str,
        strategy: str,
        seed: int,
        size_source: str = "given by the user",
        begun_at: str | None = None,
        ended_at: str | None = None,
        budget: dict[str, BudgetLine] | None = None,
        robots_obeyed: bool = True,
        target_coverage: float | None = None,
    ) -> Certificate:
        """Sum up the harvest as it stands; what the journal does not say is given."""
        return Certificate(
            source=source,
            strategy=strategy,
            seed=seed,
            begun_at=begun_at,
            ended_at=ended_at,
            budget=budget or {},
            robots=dict(self._robots),
            robots_obeyed=robots_obeyed,
            target_coverage=target_coverage,
            outcome=self.stopped.ending.outcome,
            cause=self.stopped.ending.cause,
            stopped=self.stopped.reason,
            target_met=self.stopped.target_met,
            **reduce(
                or_, (self._size(size_source), self._cost(), self._cut(), self.failures.summed_up())
            ),
        )

    def _size(self, given_by: str) -> dict[str, Any]:
        found = self.believed(given_by)
        held = self.documents
        return {
            "documents": held,
            "duplicate_documents": self._duplicates,
            "languages": self._languages(),
            "size": found.size,
            "size_low": found.low,
            "size_high": found.high,
            "size_source": found.source,
            "hit_rate": _share(held, found.size),
            "hit_rate_low": None if found.size is None else _share(held, found.high) or 0.0,
            "hit_rate_high": _share(held, found.low),
            "estimates": tuple(self._estimates()),
        }

    def _languages(self) -> dict[str, int]:
        counts = Counter(language or UNKNOWN for language in self._held.values())
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def _estimates(self) -> Iterator[Estimate]:
        found = self.concluded
        if found is not None and found.size is not None:
            yield as_estimate(found.size)
        if found is not None and found.at_least:
            least = float(found.at_least)
            yield as_estimate(SizeEstimate(documents=least, low=least, high=None, method="cells"))
        yield from map(as_estimate, self._catches.estimates(self.rows_received))

    def _cost(self) -> dict[str, Any]:
        told = self.result_pages + self.probe_pages + self.document_pages + self.discovery_requests
        return {
            "overlapping_rate": _known(self.overlapping_rate),
            "queries": self.queries,
            "result_pages": self.result_pages,
            "rows_received": self.rows_received,
            "probes": self.probes,
            "probe_pages": self.probe_pages,
            "probe_rows": self.probe_rows,
            "probe_documents": len(self._held.keys() - self._catches.keys()),
            "document_pages": self.document_pages,
            "discovery_requests": self.discovery_requests,
            "other_requests": self.requests - told,
            "requests": self.requests,
            "body_bytes": self.body_bytes,
        }

    def _cut(self) -> dict[str, Any]:
        inferred = self.inferred_limit()
        books = self._books.items()
        each = [_truncations(query, book, inferred) for query, book in books]
        truncations = tuple(truncation for of_query in each for truncation in of_query)
        sources = "not known", "inferred from how answers end", "the source spec"
        limit = inferred if self.limit is None else self.limit
        losses = tuple(loss for _, loss in paging_losses(self._books, limit))
        return {
            "truncated_queries": sum(map(bool, each)),
            "unfinished_queries": sum(book.has_more for _, book in books),
            "cuts": dict(Counter(truncation.cut for truncation in truncations)),
            "truncations": truncations,
            "limit": limit,
            "limit_source": sources[2 if self.limit is not None else inferred is not None],
            "forms": self.concluded.forms if self.concluded else "",
            "paging_losses": losses,
            "discrepancies": tuple(dict.fromkeys(self._odd())),
        }

    def _odd(self) -> Iterator[Odd]:
        """Yield what does not add up, as the books show it and as the thinker saw it."""
        for query, book in self._books.items():
            if book.changed:
                yield Odd(str(query), "total changed", *book.changed)
            if book.relation == "exact" and (book.claimed or 0) < len(book.keys):
                yield Odd(str(query), "count", book.claimed or 0, len(book.keys))
            if book.others:
                yield Odd(str(query), "stand-ins", book.others, 0)
        for each in self.concluded.discrepancies if self.concluded else ():
            yield Odd(str(each.query), each.kind, each.claimed, each.found)


def _truncations(query: Query, book: QueryBook, inferred: int | None) -> list[Truncation]:
    """Return every cut of a query, one by a limit that was only inferred included."""
    found = [Truncation(str(query), c.cut, c.claimed, c.received) for c in book.cuts.values()]
    is_at_limit = book.is_ended and book.claimed is None and book.rows == inferred
    if is_at_limit and "capped" not in book.cuts:
        found.append(Truncation(str(query), "capped", None, book.rows, inferred=True))
    return found


def _known(rate: float) -> float | None:
    return None if isnan(rate) else rate


def _share(held: int, size: int | None) -> float | None:
    return None if not size else min(1.0, held / size)
