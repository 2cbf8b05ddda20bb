"""The ledger: it receives every event of a harvest, and reports on all of it."""

from collections.abc import Iterable

from msgspec.structs import replace

from longline.events import (
    AnyEvent,
    Concluded,
    Cut,
    DocumentReceived,
    DocumentWithdrawn,
    NonsenseAnswered,
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
from longline.ledger._failures import Failures
from longline.ledger._queries import LOSSY, QueryLedger, drop_limit, largest_unread, truncations
from longline.ledger._size import Believed, Namesakes, believed, by_claim, is_below
from longline.ledger.certificate import ChartRow
from longline.ledger.held import Documents, Grown, HeldTexts, Linked, Texts
from longline.ledger.metrics import hit_rate, known, overlapping_rate
from longline.ledger.truncation import SoFar, cuts, shows_limit
from longline.model import Page, Query

BY_MEANING = (
    "every search shows the documents nearest to it, and nothing of those that are near to none"
)
"""Why the size of a source that searches by meaning cannot be estimated."""

UNFINISHED = Stopped("still running, or killed; run it again to continue", target_met=False)


class Ledger:
    """Receives every event of a harvest in order, and reports on all of it.

    Probes are counted separately: `queries`, `result_pages`, `rows_received`, the chart and all
    cuts are for the harvest's own queries, `requests` and `documents` for both.

    Args:
        size: Documents behind the search box, or None if unknown.
        limit: The source's return limit k, or None if unknown.
        page_size: Rows requested per page, or None if unknown.
        counts_pages: Pages are requested by number, so that only a total can announce one.
        by_meaning: Every query returns the most similar documents, so that no limit cuts any.
        texts: "whole" if complete texts are wanted; "own pages" if only documents' own pages have
            them; "beginnings" if only their beginnings are shown; "shown" if no more is wanted.

    Attributes:
        namesakes: Results that share a title, if only titles identify documents; otherwise None.

    >>> from longline.model import Hit
    >>> ledger = Ledger(size=4)
    >>> for name, keys in ("q1", "bc"), ("q2", "acd"):
    ...     page = Page(tuple(Hit(key) for key in keys))
    ...     cuts = ledger.tell(PageReceived(Query((name,)), 1, page))
    >>> [(row.query, row.new, row.repeats, row.overlapping_rate) for row in ledger.chart()]
    [('q1', 2, 0, 1.0), ('q2', 2, 1, 1.25)]
    """

    def __init__(
        self,
        *,
        size: int | None = None,
        limit: int | None = None,
        page_size: int | None = None,
        counts_pages: bool = False,
        by_meaning: bool = False,
        texts: Texts = "whole",
    ) -> None:
        self.size = size
        self.limit = limit
        self.page_size = page_size
        self.counts_pages = counts_pages
        self.by_meaning = by_meaning
        self.namesakes: Namesakes | None = None
        self.left_out: tuple[str, ...] = ()
        self.rows_received = 0
        self.result_pages = 0
        self.probe_pages = self.probe_rows = 0
        self.document_pages = 0
        self.requests = 0
        self.discovery_requests = 0
        self.body_bytes = 0
        self.stopped = UNFINISHED
        self.concluded: Concluded | None = None
        self.updated: Updated | None = None
        self._conclusions: set[Concluded] = set()
        self.grown = Grown()
        self.held = Documents()
        self.texts = HeldTexts(texts)
        self.failures = Failures()
        self.linked = Linked()
        self.robots: dict[str, int] = {}
        self.query_ledgers: dict[Query, QueryLedger] = {}
        self._kept: dict[str, str] = {}  # keys of the same documents, by dropped keys
        self._has_stand_ins = False  # nonsense queries had hits
        self._under_way: tuple[QueryLedger | None, set[int]] = None, set()
        self._last_page = frozenset[int]()  # documents of the last page of the query under way
        self.probe_queries, self._disbelieved = set[Query](), set[Query]()
        self._largest: int | None = 0  # of all exact totals; None if it must be recomputed

    @property
    def documents(self) -> int:
        """Different documents held."""
        return len(self.held)

    @property
    def cut_texts(self) -> int:
        """Documents held with only a part of their text."""
        return self.texts.in_part(self.documents)

    @property
    def documents_failed(self) -> int:
        """Documents that were listed and could not be fetched."""
        return len(self.failures.documents)

    @property
    def documents_seen(self) -> int:
        """Different documents on result pages of the harvest's own queries, held or not."""
        return self.held.shown

    @property
    def queries(self) -> int:
        """Different queries that the harvest itself sent."""
        return len(self.query_ledgers)

    @property
    def probes(self) -> int:
        """Different queries sent to measure the source."""
        return len(self.probe_queries)

    @property
    def queries_and_probes(self) -> int:
        """Different queries sent for either purpose."""
        return self.queries + sum(query not in self.query_ledgers for query in self.probe_queries)

    @property
    def overlapping_rate(self) -> float:
        """Rows received per different document; nan before the first."""
        return overlapping_rate(self.rows_received, self.documents_seen)

    @property
    def expected_size(self) -> int | None:
        """Documents behind the search box, as given, or else as last estimated; None if unknown."""
        return self.believed().size

    @property
    def hit_rate(self) -> float | None:
        """Share of the source held; None if its size is neither given nor estimated."""
        size = self.expected_size
        return None if not size else hit_rate(self.documents, size)

    def believed(self, given_by: str = "given by the user") -> Believed:
        """Return the size as given, or else as last estimated, with its interval."""
        held, linked = self.documents, self.linked.saved
        found = believed(self.size, given_by, self.concluded, held, linked)
        odd = self.concluded.discrepancies if self.concluded else ()
        if is_below(found, self._largest_total(), odd) and not (self.size or self.by_meaning):
            claimed = by_claim(largest_unread(self.query_ledgers)[1], self.documents)
            return claimed if is_below(found, claimed.low) else found
        if found != Believed():
            return found
        if self.by_meaning:
            return Believed(source=f"not known: {BY_MEANING}")
        most = largest_unread(self.query_ledgers)[1] if self.concluded else self._largest_total()
        return by_claim(most, self.documents, odd)

    def _largest_total(self) -> int:
        if self._largest is None:
            self._largest = max((s.exact_total for s in self.query_ledgers.values()), default=0)
        return self._largest

    def has(self, conclusion: Concluded) -> bool:
        """Return whether a conclusion was entered before."""
        return conclusion in self._conclusions

    def has_sent(self, query: Query) -> bool:
        """Return whether a query was sent before, as a probe or not."""
        return query in self.query_ledgers or query in self.probe_queries

    def may_have_page(self, query: Query, number: int) -> bool:
        """Return whether the journal may contain a result page."""
        came = number <= getattr(self.query_ledgers.get(query), "last_page", 0)
        return came or query in self.probe_queries or query in self._disbelieved

    def tell(self, event: AnyEvent) -> list[QueryCut]:
        """Enter an event; return the cuts it reveals that were not known before."""
        self.grown.see(self.requests, len(self.held))
        self.requests += getattr(event, "requests", 0)
        self.body_bytes += event.body_bytes
        self.stopped = event if isinstance(event, Stopped) else UNFINISHED
        self.failures.tell(event)
        self.linked.tell(event)
        match event:
            case PageReceived(query) | PageFailed(query) if event.probe:
                self._enter_probe(query, event)
            case PageReceived(query, number, page):
                # A probe's page that the harvest also needs is entered again, without a request.
                self.result_pages += event.requests > 0
                return self._enter_page(query, number, page)
            case PageFailed(query, number) if event.is_missed:
                sums = self.query_ledgers.setdefault(query, QueryLedger())
                sums.failed |= {number}
                return self._enter_cuts(query, sums, number, ["failed"])
            case DocumentReceived(document, requests):
                # A held document is entered again with missing files, not with its page.
                self.document_pages += requests > 0 and document.key not in self.held
                if self.held.hold(document.key, document.language):
                    other = event.other_layout
                    self.texts.enter(document, is_listed=not requests, other_layout=other)
            case DocumentWithdrawn(key):
                self.held.withdraw(key)
            case NonsenseAnswered(keys):
                self._has_stand_ins |= bool(keys)
            case SameDocument(key, kept):
                self._kept[key] = kept
                self.held.join(key, kept)
            case PageDisbelieved(query, number):
                self._disbelieve(query, number)
            case QueryCut(query, cut):
                self.query_ledgers.setdefault(query, QueryLedger()).cuts[cut] = event
            case SourceFound(requests):
                self.discovery_requests += requests
            case RobotsRead(origin, status):
                self.robots[origin] = status
            case Updated():
                self.updated = event
            case Concluded():
                self.concluded = event
                self._conclusions.add(event)
                for query in event.split:
                    if query in self.query_ledgers:
                        self.query_ledgers[query].is_split = True
        return []

    def _disbelieve(self, query: Query, number: int) -> None:
        """Remove a distrusted page's data from its query; its rows stay counted."""
        sums = self.query_ledgers.get(query)
        self._disbelieved.add(query)
        if sums is not None and number == 1:
            del self.query_ledgers[query]
            self._largest = None
        elif sums is not None:
            sums.take_back(number)

    @property
    def retold(self) -> int:
        """How often rows changed later: keys of the same document, and stand-ins; 0 for a list."""
        is_search = self.query_ledgers.keys() != {Query(())}
        return is_search * (len(self._kept) + self._has_stand_ins)

    def kept_as(self, key: str) -> str:
        """Return the key that a document is kept under: usually the same."""
        return self._kept.get(key, key)

    def as_kept(self, page: Page) -> Page:
        """Return a page with the keys that its documents are kept under."""
        if not self._kept.keys() & {hit.key for hit in page.hits}:
            return page
        hits = tuple(replace(hit, key=self.kept_as(hit.key)) for hit in page.hits)
        return replace(page, hits=hits)

    def _enter_probe(self, query: Query, event: PageReceived | PageFailed) -> None:
        self.probe_queries.add(query)
        if isinstance(event, PageReceived):
            self._see_found(query, event.page)
            self.probe_pages += 1
            self.probe_rows += len(event.page.hits)
            self.held.probed.update(event.page.keys)

    def _enter_page(self, query: Query, number: int, page: Page) -> list[QueryCut]:
        sums = self.query_ledgers.setdefault(query, QueryLedger())
        if page.total:
            before = sums.exact_total
            sums.see_total(page.total.documents, page.total.relation)
            if sums.exact_total < before:  # it may have been the largest
                self._largest = None
            elif self._largest is not None:
                self._largest = max(self._largest, sums.exact_total)
        numbers = self.held.numbers(hit.key for hit in page.hits)
        earlier = self._earlier(sums)
        sums.most = page.most or sums.most
        last, self._last_page = self._last_page, frozenset(numbers)
        shows_again = bool(numbers) and page.total is not None and last == self._last_page
        so_far = SoFar(
            repeats=not earlier.isdisjoint(numbers),
            first_page_rows=sums.page_rows,
            rows=sums.rows + sums.deleted,
            limit=self.limit,
            page_size=self.page_size,
            is_announced=not self.counts_pages or (sums.reported or 0) > sums.rows + len(page.hits),
            most=sums.most,
        )
        kinds = cuts(page, number, so_far)
        sums.is_in_parts |= bool(page.files)
        if sums.is_in_parts:  # its files may be empty, or repeat documents
            kinds = [kind for kind in kinds if kind not in LOSSY]
        if "capped" in kinds and (self.by_meaning or "failed" in sums.cuts):
            kinds.remove("capped")  # every search shows this many, or a page of this one is lost
        if self.namesakes is not None:
            self.namesakes.see(page)
        self._see_found(query, page)
        sums.place = place = self.queries - 1 if sums.pages == 0 else sums.place
        self.rows_received += len(page.hits) + page.others
        sums.others, sums.deleted = sums.others + page.others, sums.deleted + page.deleted
        sums.new += self.held.show(numbers, place)
        sums.documents.extend(each for each in numbers if each not in earlier)
        earlier.update(numbers)
        sums.rows += 0 if shows_again else len(page.hits)
        sums.again = number if shows_again else sums.again
        if self.limit is not None and drop_limit(self.query_ledgers, sums, self.limit):
            self.limit, kinds = None, [kind for kind in kinds if kind != "capped" or page.total]
        sums.see_page(number, has_more=page.next is not None)
        sums.page_rows = sums.page_rows or len(page.hits) + page.deleted
        sums.total_received, sums.total_unique = self.rows_received, self.documents_seen
        return self._enter_cuts(query, sums, number, kinds)

    def _see_found(self, query: Query, page: Page) -> None:
        if not self.by_meaning:  # otherwise every word finds documents without it
            self.texts.see(query, page, self.held)

    def _earlier(self, sums: QueryLedger) -> set[int]:
        """Return the documents of a query so far; cached for the current query."""
        if self._under_way[0] is not sums:
            self._under_way, self._last_page = (sums, set(sums.documents)), frozenset()
        return self._under_way[1]

    def _enter_cuts(
        self, query: Query, sums: QueryLedger, number: int, kinds: list[Cut]
    ) -> list[QueryCut]:
        fresh = [
            QueryCut(query, cut, number, sums.rows, sums.reported)
            for cut in kinds
            if cut not in sums.cuts
        ]
        sums.cuts.update({event.cut: event for event in fresh})
        return fresh

    def inferred_limit(self) -> int | None:
        """Return the return limit inferred from answers, or None if one is known or none shows."""
        if self.limit is not None or self.by_meaning:
            return None
        ledgers = self.query_ledgers.values()
        most = max((sums.rows for sums in ledgers), default=0)
        ends = [each for each in ledgers if each.rows == most and each.may_end_at_limit]
        return most if shows_limit(most, (each.documents for each in ends)) else None

    @property
    def is_cut(self) -> bool:
        """Whether the source cut any query's answer in any way."""
        inferred = self.inferred_limit()
        return any(truncations(query, sums, inferred) for query, sums in self.query_ledgers.items())

    @property
    def cut_queries(self) -> int:
        """Queries that were cut, or had more pages than were requested."""
        inferred = self.inferred_limit()
        return sum(
            sums.is_unfinished or bool(truncations(query, sums, inferred))
            for query, sums in self.query_ledgers.items()
        )

    def chart(self, queries: Iterable[Query] | None = None) -> list[ChartRow]:
        """Return the record chart, one row per query, in the order of their first pages.

        Args:
            queries: Only these of the sent queries, in this order.
        """
        inferred, size = self.inferred_limit(), self.expected_size
        ledgers = self.query_ledgers
        return [
            self._chart_row(query, ledgers[query], inferred, size)
            for query in (ledgers if queries is None else queries)
        ]

    def _chart_row(
        self, query: Query, sums: QueryLedger, inferred: int | None, size: int | None
    ) -> ChartRow:
        return ChartRow(
            query=str(query),
            reported=sums.reported,
            received=sums.rows,
            new=sums.new,
            repeats=sums.rows - sums.new,
            total_received=sums.total_received,
            total_unique=sums.total_unique,
            query_overlapping_rate=known(overlapping_rate(sums.rows, sums.new)),
            overlapping_rate=known(overlapping_rate(sums.total_received, sums.total_unique)),
            hit_rate=hit_rate(sums.total_unique, size) if size else None,
            result_pages=sums.pages,
            cuts=tuple(each.cut for each in truncations(query, sums, inferred)),
        )
