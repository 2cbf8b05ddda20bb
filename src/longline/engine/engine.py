"""The main loop: ask a policy, use a client, inform the policy.

Whatever the journal already holds is taken from there and not requested again. So resuming needs no
special code: a new policy, deterministic for its seed, makes the same requests, gets the held
answers, and continues where the journal ends. Failed requests are retried at the end; if that
brings pages, a new policy processes the journal again.
"""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from urllib.parse import urlsplit

import msgspec

from longline.engine.any_hits import QUERIES_WITHOUT_A_HIT, check_hits
from longline.engine.documents import Documents, Forbidden, Unanswered
from longline.engine.patience import Patience
from longline.engine.settings import OF_REQUESTS, Callbacks, RunLimits
from longline.engine.skipping import Skipping
from longline.errors import (
    BudgetSpent,
    InputError,
    Interrupted,
    LonglineError,
    SourceError,
    StoppedShort,
    StorageError,
    UnreachableError,
)
from longline.events import (
    AnyEvent,
    Concluded,
    DocumentReceived,
    PageFailed,
    PageReceived,
    QueryCut,
    RequestFailed,
    ResponseReceived,
    Stopped,
)
from longline.ledger import Ledger, Marks
from longline.model import Finish, Hit, Page, Probe, Query, Request, Search
from longline.ports import Policy, SourceClient, Store
from longline.text.numbers import all_of, counted

MOST_UNREACHED = 5
"""After this many unanswered requests of a policy in a row, the host counts as gone."""

ROUNDS = 3
"""How many times a policy may process the journal in one run, if failed pages came later."""


class Engine:
    """Run one policy against one source until it finishes or has to stop.

    Args:
        ledger: The ledger, which already includes the store's journal.
        limits: The limits of the run.
        callbacks: The functions that it calls.
    """

    def __init__(
        self,
        policy: Policy,
        client: SourceClient,
        store: Store,
        ledger: Ledger,
        limits: RunLimits = RunLimits(),
        callbacks: Callbacks = Callbacks(),
    ) -> None:
        self._policy = policy
        self._client = client
        self._store = store
        self._ledger = ledger
        self._limits = limits
        self._callbacks = callbacks
        self._next: dict[tuple[Query, int], Request] = {}
        self._files: dict[Query, dict[Request, None]] = {}  # files of lists, in order
        self._skipping = Skipping(store)
        self._told = Marks(ledger.held)
        self._patience = Patience(
            client, documents=False, most=limits.patience, outlast=callbacks.outlast
        )
        self._documents = Documents(client, store, ledger, self.enter, limits, callbacks)
        is_open = limits.retries_all or not ledger.stopped.ending.is_done
        self._failed = ledger.failures.searches() if is_open else {}  # to request at the end
        self._failure: SourceError | None = None  # of the newest page that failed
        self._rounds, self._unreached = 1, 0  # unanswered requests of the policy in a row
        self._reached = set[str]()  # hosts that answered the policy
        self._has_come = ledger.rows_received > 0
        self._interrupted = False

    def interrupt(self) -> None:
        """Stop after the current page, or when the run is cancelled; what is recorded is kept."""
        self._interrupted = True

    def allow(self, limits: RunLimits) -> None:
        """Set other limits for the rest of the run."""
        self._limits = limits

    async def run(self) -> Stopped:
        """Loop until the policy finishes, a budget is spent, or the source is gone.

        Returns:
            Why it stopped, also recorded in the journal.

        Raises:
            SourceError, InputError: The source gave nothing useful at all; this is recorded, too.
            StorageError: The current request could not be recorded; all before it is safe.
        """
        return await self._ended(self._loop())

    async def retry(self, searches: Sequence[Search], hits: Sequence[Hit]) -> Stopped:
        """Retry pages and documents that failed, and request nothing else.

        Args:
            searches: Pages that failed.
            hits: Hits of documents that failed.

        Returns, raises:
            As `run`.
        """
        last = self._ledger.stopped

        async def work() -> Stopped:
            for search in searches:
                self._announce(search)
                await self._search(search)
            await self._get(hits, again=True)
            return last

        return await self._ended(work())

    def _announce(self, search: Search) -> None:
        """Let a page that failed be requested as the page before it says."""
        if (request := self._onward(search.query, search.number)) is not None:
            self._next[search.query, search.number] = request

    def _onward(self, query: Query, number: int) -> Request | None:
        """Return the request for a page, as given by a held page; None if there is none."""
        before, first = self._store.page(query, number - 1), self._store.page(query, 1)
        if before is not None and before.page.next is not None:
            return before.page.next
        files = tuple(self._files.get(query, () if first is None else first.page.files))
        return files[number - 2] if 0 <= number - 2 < len(files) else None

    async def _ended(self, work: Coroutine[None, None, Stopped]) -> Stopped:
        """Do some work to its end, and record the outcome."""
        failure: BaseException | None = None
        before, requests = self._ledger.stopped, self._ledger.requests
        try:
            stopped = await work
        except StorageError:
            raise
        except (StoppedShort, SourceError, *Forbidden) as error:
            stopped = self._stopped_by(error)
            failure = error if isinstance(error, SourceError | InputError) else None
        except asyncio.CancelledError as error:
            stopped = self._stopped_by(Interrupted())
            failure = None if self._interrupted else error
        is_short = stopped.ending.cause in ("interrupted", "budget")
        if is_short and before.ending.is_done and self._ledger.requests == requests:
            stopped = before  # it was done, and nothing was asked for since
        else:
            self._conclude(is_over=True)
        if stopped != self._ledger.stopped:
            self.enter(stopped)
        if isinstance(failure, asyncio.CancelledError) or (failure and not self._has_come):
            raise failure
        return stopped

    def _stopped_by(self, error: LonglineError) -> Stopped:
        return Stopped(str(error), False, *error.ending, len(self._ledger.failures.to_ask_again))

    def enter(self, *events: AnyEvent) -> list[QueryCut]:
        """Add new events, and the cuts they reveal, to the ledger and the journal, as one."""
        if not isinstance(events[0], Stopped | Concluded) and (
            came := self._callbacks.unrecorded_bytes()
        ):
            events = msgspec.structs.replace(events[0], body_bytes=came), *events[1:]
        cuts = [cut for event in events for cut in self._ledger.tell(event)]
        self._store.record(*events, *cuts)
        for each in (*events, *cuts):
            self._callbacks.observe(each)
        return cuts

    async def _loop(self) -> Stopped:
        self._ledger.failures.to_ask_again.clear()
        retold = self._ledger.retold
        while not self._interrupted:
            await asyncio.sleep(0)  # what is held, or in memory, leaves no other time for Ctrl-C
            if self._ledger.retold > retold and self._callbacks.renew is not None:
                retold = self._ledger.retold
                self._begin_again(self._callbacks.renew())
            action = self._policy.next()
            self._conclude(is_over=False)
            if isinstance(action, Finish):
                if stopped := await self._finish(action):
                    return stopped
            elif isinstance(action, Search):
                await self._search(action)
            elif isinstance(action, Request):
                await self._fetch(action)
            else:
                told = "return a Search, a Request or a Finish"
                raise InputError(f"the planner's next() returned {action!r}", advice=told)
        return self._stopped_by(Interrupted())

    async def _finish(self, finish: Finish) -> Stopped | None:
        """Return the outcome, or None if a new policy processes the journal again."""
        self._expect_hits(1)
        if not self._client.is_proven:
            await self._client.check()
        failed, self._failed = self._failed, {}
        for search in failed.values():
            self._announce(search)
            await self._page(search)
        skipped = dict(self._documents.skipped)
        self._documents.skipped.clear()
        await self._get(skipped.values(), again=True)
        has_more = len(self._failed) < len(failed) or self._ledger.failures.to_ask_again
        if has_more and self._callbacks.renew is not None and self._rounds < ROUNDS:
            self._rounds += 1
            self._ledger.failures.to_ask_again.clear()  # pages still needed are requested now
            self._begin_again(self._callbacks.renew())
            return None
        if self._limits.follows_links:
            await self._documents.follow_links()
        self._conclude(is_over=True)
        return self._callbacks.judge(finish)

    def _begin_again(self, policy: Policy) -> None:
        """Let a new policy process the journal."""
        self._policy = policy
        self._told.clear()
        self._next.clear()
        self._files.clear()

    def _conclude(self, *, is_over: bool) -> None:
        conclusion = self._callbacks.conclude(is_over)
        if conclusion is not None and not self._ledger.has(conclusion):
            self.enter(conclusion)

    async def _search(self, search: Search) -> None:
        received = await self._page(search)
        if received is not None:
            if received.page.next:
                self._next[search.query, search.number + 1] = received.page.next
            files = self._files.setdefault(search.query, {}) if received.page.files else {}
            for request in received.page.files:
                if request not in files:
                    files[request] = None
                    self._next[search.query, len(files) + 1] = request
            hits = self._worth_reading(search, received.page.hits)
            await self._get(hits, search)

    def _worth_reading(self, search: Search, hits: Sequence[Hit]) -> Sequence[Hit]:
        if not isinstance(search, Probe) or search.reads or self._limits.listing_only:
            return hits
        return [hit for hit in hits if hit.text is not None]

    async def _page(self, search: Search) -> PageReceived | None:
        request = self._next.pop((search.query, search.number), None)
        may_be_held = self._ledger.may_have_page(search.query, search.number)
        held = self._store.page(search.query, search.number) if may_be_held else None
        probe = isinstance(search, Probe)
        if held is not None:
            if held.probe and not probe:
                # From now on it belongs to the harvest, as do its rows.
                held = PageReceived(held.query, held.number, held.page, requests=0)
                self.enter(held)
            held = msgspec.structs.replace(held, page=self._ledger.as_kept(held.page))
            self._tell(held)
            return held
        self._check_queries(search.query)
        await self._callbacks.may_ask(search)
        try:
            page, requests = await self._client.search(search.query, search.number, request)
        except Unanswered as error:
            failed = PageFailed(search.query, search.number, str(error), error.requests, probe)
            self._failed[search.query, search.number] = search
            revealed = self.enter(failed)
            status = None if probe else getattr(error, "status", None)
            following = self._skipping.behind(search, status)
            if following is None:
                self._tell(failed, *revealed)
            else:
                self._next[search.query, search.number + 1] = following
                lost = Page(next=following, is_lost=True)
                self._tell(PageReceived(search.query, search.number, lost), *revealed)
            self._failure = error
            await self._patience.bear(error)
            return None
        except StoppedShort as error:
            if error.requests:
                reason = str(error)
                self.enter(PageFailed(search.query, search.number, reason, error.requests, probe))
            raise
        self._failed.pop((search.query, search.number), None)
        received = PageReceived(search.query, search.number, page, requests, probe)
        self._tell(received, *self.enter(received))
        self._has_come |= self._ledger.rows_received > 0
        self._patience.succeed()
        self._expect_hits()
        return received

    def _check_queries(self, query: Query) -> None:
        """Check that one more query may be sent.

        Raises:
            BudgetSpent: It may not.
        """
        ledger, most = self._ledger, self._limits.max_queries
        if most is None or ledger.has_sent(query):
            return
        if ledger.queries_and_probes >= most:
            raise BudgetSpent(
                f"{all_of(most, 'search of the budget is', 'searches of the budget are')} spent",
                advice="allow more, and run it again to continue",
            )

    async def _fetch(self, request: Request) -> None:
        """Get a page for the policy; the policy handles refusals."""
        held = self._store.response(request)
        if held is not None:
            self._has_come = True
            self._tell(held)
            return
        event: ResponseReceived | RequestFailed
        await self._callbacks.may_ask(request)
        try:
            response = await self._client.fetch(request)
            event = ResponseReceived(request, response, response.requests)
            self._unreached = 0
            self._reached.add(urlsplit(request.url).netloc)
        except (*Unanswered, *Forbidden) as error:
            if not self._has_come and not self._bears(error):
                raise
            spent, status = getattr(error, "requests", 0), getattr(error, "status", None)
            event = RequestFailed(request, str(error), spent, status)
            is_known = urlsplit(request.url).netloc in self._reached  # not a host that hits link to
            self._unreached += is_known and isinstance(error, UnreachableError)
            if self._unreached >= MOST_UNREACHED:
                self.enter(event)
                raise
        self._has_come = True
        self._tell(event, *self.enter(event))

    def _bears(self, error: LonglineError) -> bool:
        """Return whether a policy may continue although its first request was refused."""
        return self._limits.bears_refusals and getattr(error, "status", None) in OF_REQUESTS

    async def _get(
        self, hits: Iterable[Hit], search: Search | None = None, *, again: bool = False
    ) -> None:
        """Get documents, and pass each result to the policy; `search` is what listed them."""
        told: set[str] | Marks = set() if isinstance(search, Probe) else self._told
        wanted = list({hit.key: hit for hit in hits if again or hit.key not in told}.values())
        allowed = wanted if self._limits.max_documents is None else wanted[: self._room(wanted)]
        outcomes = await self._documents.get(allowed, again=again)
        query = None if search is None else search.query
        for hit, outcome in zip(allowed, outcomes, strict=True):
            if isinstance(outcome, DocumentReceived):
                told.add(outcome.document.key)
                self._tell(msgspec.structs.replace(outcome, hit=hit, query=query))
            elif not isinstance(outcome, BaseException):
                self._tell(outcome)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        if len(allowed) < len(wanted):
            saved = counted(self._ledger.documents, "document is", "documents are")
            raise StoppedShort(
                f"{saved} saved, and {self._limits.max_documents:,} allowed",
                advice="allow more, and run it again to continue",
            )

    def _room(self, wanted: list[Hit]) -> int:
        """Return how many of the wanted documents fit into the limit; held ones always do."""
        room = (self._limits.max_documents or 0) - self._ledger.documents
        for place, hit in enumerate(wanted):
            room -= hit.key not in self._ledger.held
            if room < 0:
                return place
        return len(wanted)

    def _expect_hits(self, least: int = QUERIES_WITHOUT_A_HIT) -> None:
        """Raise an error if no query had real hits after this many queries."""
        check_hits(self._ledger, self.enter, least, self._failure)

    def _tell(self, *events: AnyEvent) -> None:
        for event in events:
            self._policy.tell(event)
