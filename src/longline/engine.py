"""The one loop: ask a thinker, use a hand, tell the thinker.

Whatever the journal already holds is told from there and not asked again. So resuming is
nothing special: a fresh thinker, deterministic for its seed, wants the same things, is told
what is held, and goes on from where the journal ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from longline.account import Account
from longline.errors import (
    BudgetSpent,
    ChangedError,
    Interrupted,
    PageError,
    PrivateAddressError,
    RefusedError,
    RobotsError,
    SourceError,
    StoppedShort,
    StorageError,
    StrangerError,
    UnreachableError,
)
from longline.events import (
    AnyEvent,
    Concluded,
    DocumentFailed,
    DocumentReceived,
    PageFailed,
    PageReceived,
    QueryCut,
    RequestFailed,
    ResponseReceived,
    Stopped,
)
from longline.model import Document, Finish, Hit, Probe, Query, Request, Search
from longline.ports import Hand, Store, Thinker

Observer = Callable[[AnyEvent], None]
Conclude = Callable[[bool], Concluded | None]
"""Says what there is to conclude, if that is new; True when it is over."""

QUERIES_WITHOUT_A_HIT = 100
"""After so many queries without any hit, the spec is wrong rather than the words."""

_RELEARN = "; if the site looks different now, `longline discover --again DIR` learns it anew"

Unanswered = (UnreachableError, RefusedError, PageError)
"""Failures of one request that a harvest survives, unless they come in a row."""

Forbidden = (RobotsError, PrivateAddressError)
"""What keeps a single document out, while the harvest goes on."""


class Engine:
    """Drive one thinker against one source until it finishes or has to stop.

    Args:
        account: Already told what the store's journal holds.
        max_documents: Stop rather than hold more than these.
        max_queries: Stop rather than send more different queries, probes included.
        listing_only: Keep title and snippet as they are listed; ask for no document page.
        identify: Says which language a text is in, where the source does not; "" for unknown.
        connections: Document pages read at the same time.
        patience: Failures in a row after which the source counts as gone.
        conclude: Asked after every action of the thinker, and when it is over; what it says is
            entered, unless it was before.
        unrecorded_bytes: Bytes that came since it was called last; they go into the journal.
        observe: Called with every new event, after it is in the books and in the journal.
    """

    def __init__(
        self,
        thinker: Thinker,
        hand: Hand,
        store: Store,
        account: Account,
        *,
        max_documents: int | None = None,
        max_queries: int | None = None,
        listing_only: bool = False,
        identify: Callable[[str], str] = lambda text: "",
        connections: int = 4,
        patience: int = 5,
        conclude: Conclude = lambda is_over: None,
        unrecorded_bytes: Callable[[], int] = lambda: 0,
        observe: Observer = lambda event: None,
    ) -> None:
        self._thinker = thinker
        self._hand = hand
        self._store = store
        self._account = account
        self._max_documents = max_documents
        self._max_queries = max_queries
        self._listing_only = listing_only
        self._identify = identify
        self._slots = asyncio.Semaphore(connections)
        self._patience = patience
        self._conclude_with = conclude
        self._unrecorded_bytes = unrecorded_bytes
        self._observe = observe
        self._next: dict[tuple[Query, int], Request] = {}
        self._told: set[str] = set()
        self._failures = 0
        self._strangers: set[str] = set()  # documents in a row that another page came for
        self._has_come = account.rows_received > 0
        self._interrupted = False

    def interrupt(self) -> None:
        """Stop after the page at hand, or where the run is cancelled, in good order.

        Everything recorded stays, and can be resumed.
        """
        self._interrupted = True

    async def run(self) -> Stopped:
        """Loop until the thinker finishes, a budget is spent, or the source is gone.

        Returns:
            Why it stopped, also recorded in the journal.

        Raises:
            SourceError, InputError: The source gave nothing at all that could be kept.
            StorageError: The request at hand could not be recorded; all before it is safe.
        """
        try:
            stopped = await self._loop()
        except StorageError:
            raise
        except (StoppedShort, SourceError) as error:
            if isinstance(error, SourceError) and not self._has_come:
                raise
            stopped = Stopped(str(error), target_met=False)
        except asyncio.CancelledError:
            if not self._interrupted:
                raise
            stopped = Stopped(str(Interrupted()), target_met=False)
        self._conclude(is_over=True)
        if stopped != self._account.stopped:
            self.enter(stopped)
        return stopped

    def enter(self, event: AnyEvent) -> list[QueryCut]:
        """Put a new event, and what it reveals, into the books and the journal."""
        if not isinstance(event, Stopped | Concluded) and (came := self._unrecorded_bytes()):
            event = msgspec.structs.replace(event, body_bytes=came)
        cuts = self._account.tell(event)
        self._store.record(event, *cuts)
        for each in (event, *cuts):
            self._observe(each)
        return cuts

    async def _loop(self) -> Stopped:
        while not self._interrupted:
            action = self._thinker.next()
            self._conclude(is_over=False)
            if isinstance(action, Finish):
                self._expect_hits(at_least_after=1)
                return Stopped(action.reason, action.target_met)
            if isinstance(action, Search):
                await self._search(action)
            else:
                await self._fetch(action)
        return Stopped(str(Interrupted()), target_met=False)

    def _conclude(self, *, is_over: bool) -> None:
        conclusion = self._conclude_with(is_over)
        if conclusion is not None and not self._account.has(conclusion):
            self.enter(conclusion)

    async def _search(self, search: Search) -> None:
        received = await self._page(search)
        if received is not None:
            if received.page.next:
                self._next[search.query, search.number + 1] = received.page.next
            hits = self._worth_reading(search, received.page.hits)
            await self._documents(hits, probe=isinstance(search, Probe))

    def _worth_reading(self, search: Search, hits: Sequence[Hit]) -> Sequence[Hit]:
        if not isinstance(search, Probe) or search.reads or self._listing_only:
            return hits
        return [hit for hit in hits if hit.text is not None]

    async def _page(self, search: Search) -> PageReceived | None:
        request = self._next.pop((search.query, search.number), None)
        held = self._store.page(search.query, search.number)
        probe = isinstance(search, Probe)
        if held is not None:
            if held.probe and not probe:
                # From now on it is the harvest's own, and so are its rows.
                held = PageReceived(held.query, held.number, held.page, requests=0)
                self.enter(held)
            self._tell(held)
            return held
        self._check_queries(search.query)
        try:
            page, requests = await self._hand.search(search.query, search.number, request)
        except Unanswered as error:
            failed = PageFailed(search.query, search.number, str(error), error.requests, probe)
            self._tell(failed, *self.enter(failed))
            self._bear(error)
            return None
        except StoppedShort as error:
            if error.requests:
                reason = str(error)
                self.enter(PageFailed(search.query, search.number, reason, error.requests, probe))
            raise
        received = PageReceived(search.query, search.number, page, requests, probe)
        self._tell(received, *self.enter(received))
        self._has_come |= self._account.rows_received > 0
        self._failures = 0
        self._expect_hits()
        return received

    def _check_queries(self, query: Query) -> None:
        """Make sure that one more query may be sent.

        Raises:
            BudgetSpent: It may not.
        """
        account, most = self._account, self._max_queries
        if most is None or account.has_sent(query):
            return
        if account.queries_and_probes >= most:
            raise BudgetSpent(
                f"the budget of {most} queries is spent",
                advice="raise --max-queries and run the same command again to go on",
            )

    async def _fetch(self, request: Request) -> None:
        """Get a page for the thinker; what becomes of a refusal is the thinker's affair."""
        held = self._store.response(request)
        if held is not None:
            self._has_come = True
            self._tell(held)
            return
        event: ResponseReceived | RequestFailed
        try:
            response = await self._hand.fetch(request)
            event = ResponseReceived(request, response, response.requests)
            self._failures = 0
        except (*Unanswered, *Forbidden) as error:
            if not self._has_come:
                raise
            spent, status = getattr(error, "requests", 0), getattr(error, "status", None)
            event = RequestFailed(request, str(error), spent, status)
            self._failures += isinstance(error, UnreachableError)
            if self._failures >= self._patience:
                self.enter(event)
                raise
        self._has_come = True
        self._tell(event, *self.enter(event))

    async def _documents(self, hits: Sequence[Hit], *, probe: bool) -> None:
        told: set[str] = set() if probe else self._told
        wanted = list({hit.key: hit for hit in hits if hit.key not in told}.values())
        allowed = wanted if self._max_documents is None else wanted[: self._room(wanted)]
        outcomes = await asyncio.gather(*map(self._document, allowed), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, DocumentReceived):
                told.add(outcome.document.key)
            if not isinstance(outcome, BaseException):
                self._tell(outcome)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        if len(allowed) < len(wanted):
            raise StoppedShort(
                f"{self._max_documents} documents are held, all that --max-documents allows",
                advice="raise it and run the same command again to go on",
            )

    def _room(self, wanted: list[Hit]) -> int:
        """Return how many of the wanted may be had: the held ones, then new ones to the limit."""
        room = (self._max_documents or 0) - self._account.documents
        for place, hit in enumerate(wanted):
            if self._store.document(hit.key) is None:
                room -= 1
            if room < 0:
                return place
        return len(wanted)

    async def _document(self, hit: Hit) -> DocumentReceived | DocumentFailed:
        held = self._store.document(hit.key)
        if held is not None:
            return DocumentReceived(held, requests=0)
        event: DocumentReceived | DocumentFailed
        if hit.text is not None or self._listing_only:
            text = hit.snippet if hit.text is None else hit.text
            document = Document(hit.key, hit.url, hit.title, text, hit.language)
            event = DocumentReceived(self._noted(document), requests=0)
            self.enter(event)
            return event
        async with self._slots:
            try:
                document, requests = await self._hand.read(hit)
                event = DocumentReceived(self._noted(document), requests)
                self._failures = 0
                self._strangers.clear()
            except Unanswered as error:
                event = DocumentFailed(hit.key, hit.url, str(error), error.requests)
                self.enter(event)
                if isinstance(error, StrangerError):
                    self._strangers.add(hit.key)
                self._bear(error)
                return event
            except StoppedShort as error:
                if error.requests:
                    self.enter(DocumentFailed(hit.key, hit.url, str(error), error.requests))
                raise
            except Forbidden as error:
                event = DocumentFailed(hit.key, hit.url, str(error), forbidden=True)
        self.enter(event)
        return event

    def _noted(self, document: Document) -> Document:
        """Return a document with its language, where that can be told."""
        language = document.language or self._identify(document.text)
        return msgspec.structs.replace(document, language=language)

    def _bear(self, error: SourceError) -> None:
        """Go on after a failure, unless the source is gone."""
        if isinstance(error, RefusedError) and error.is_of_query:
            self._failures = 0
            return
        self._failures += 1
        if isinstance(error, UnreachableError | ChangedError) or not self._has_come:
            raise error
        # Result pages may come as before while every document is behind a wall.
        in_a_row = max(self._failures, len(self._strangers))
        if in_a_row >= self._patience:
            raise SourceError(
                f"{in_a_row} requests in a row failed, the last with: {error}",
                advice="run the same command again later to go on"
                + (_RELEARN if isinstance(error, PageError) else ""),
            )

    def _expect_hits(self, *, at_least_after: int = QUERIES_WITHOUT_A_HIT) -> None:
        if not self._account.rows_received and self._account.queries >= at_least_after:
            raise PageError(
                f"{self._account.queries} queries brought not a single hit",
                advice="compare `hit` under [results] in the source spec with a result page, "
                "or give words of the source's language with --words",
            )

    def _tell(self, *events: AnyEvent) -> None:
        for event in events:
            self._thinker.tell(event)
