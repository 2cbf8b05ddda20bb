"""Check that a site still answers as before."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from longline.engine.asker import Asker, Spent, blaming
from longline.errors import (
    ChangedError,
    PageError,
    RefusedError,
    SilentError,
    SourceError,
    StoppedShort,
)
from longline.events import NonsenseAnswered, PageDisbelieved, SourceChecked
from longline.model import Page, Query, Response
from longline.outcomes import Ending
from longline.source.trust import ANSWERS, NONSENSE, changed
from longline.text.numbers import counted

REFUSALS = 3
"""After this many refused queries in a row, a query that had hits is sent as a check."""

OF_QUERIES = {400, 404, 406, 410, 413, 414, 422, 431, 500, 501}
"""Statuses that may be about the query: too short, too long, with a forbidden word."""


class Checks:
    """Request again what worked before, if it is uncertain whether a site still works.

    Attributes:
        refused: Refused queries in a row.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self.refused = 0

    async def search(self, suspect: Page | None) -> bool:
        """Check that a query that had hits still has some; return False if no such query is known.

        Raises:
            SourceError: None has hits; results since the last one that had some do not count.
        """
        failure: SourceError | None = None
        for query in dict.fromkeys((self._asker.seen.had_hits, self._asker.seen.has_hits)):
            if query is None:
                return False
            try:
                await self._query(query, suspect)
            except SourceError as error:
                failure = failure or error
            else:
                self._asker.seen.silence.confirm()
                return True
        assert failure is not None
        for asked in self._asker.seen.silence.unproven:
            self._asker.on_event(PageDisbelieved(*asked))
        self._asker.seen.silence.unproven.clear()
        raise failure

    def answer(self, query: Query, page: Page, response: Response) -> None:
        """Check that answers without hits have none, as long as no search had any.

        Raises:
            ChangedError: Their lengths tell that the spec does not read their results.
        """
        seen = self._asker.seen
        if page.hits or seen.had_hits or not seen.unread.suspects(query, response.body):
            return
        unread = ChangedError(
            f"{ANSWERS} searches had different answers, and the selector `hit` found nothing in "
            "any of them",
            advice="correct `hit` in source.toml: it has to match each result",
        )
        unread.ending = Ending("empty")
        raise unread

    async def documents(self) -> bool:
        """Check that a document that was read still is the same; return False if none is known.

        Raises:
            ChangedError: It is not.
        """
        good = self._asker.seen.watch.good
        request = None if good is None else self._asker.source.document_request(good)
        if good is None or request is None:
            return False
        with self._checking() as spent:
            response = await self._asker.fetch(request, spent)
            self._asker.seen.watch.suspects_document(good, request, response)
            if not self._asker.seen.watch.is_as_before(response):
                raise changed(f"{response.url} is not the document of its hit any more")
        return True

    async def refusals(self, error: RefusedError) -> None:
        """Find out, after several refusals in a row, whether only these queries are refused."""
        self.refused += 1
        is_time = self.refused % REFUSALS == 0 and error.status in OF_QUERIES
        if is_time:
            with suppress(SourceError):
                error.is_of_query = await self.search(None)

    async def _query(self, query: Query, suspect: Page | None) -> None:
        """Send a query that had hits, as a check.

        Raises:
            SourceError: It has none now, or exactly those of a suspect page of another query.
        """
        with self._checking() as spent:
            try:
                page, is_odd, url = await self._known_page(query, spent)
            except PageError as error:
                failed = changed(error.message)
                failed.ending = error.ending if error.ending.outcome == "blocked" else failed.ending
                raise failed from None
            if page.hits and is_odd:
                raise changed(f"{str(query)!r} had hits, and {url} does not show it")
            is_same = suspect is not None and page.hits and page.keys == suspect.keys
            is_own = query == self._asker.seen.had_hits and page.keys == self._asker.seen.first_keys
            if is_same and not (is_own and await self._tells_nonsense(page, spent)):
                same = counted(len(page.hits), "document")
                raise SilentError(
                    f"the source shows the same {same} for every search, "
                    f"also for {str(query)!r}, which had others before",
                    advice="run it again later to continue",
                )
            if not page.hits and (page.total is not None or page.others):
                raise SilentError(
                    f"the source finds nothing for any search, also for {str(query)!r}, "
                    "which had results before",
                    advice="it may block visitors; run it again later to continue",
                )
            if not page.hits:
                raise changed(f"{str(query)!r} had results before, and {url} shows none")

    async def _tells_nonsense(self, page: Page, spent: Spent) -> bool:
        """Return whether nonsense finds other documents than an unchanged page, or none.

        Then queries with the same page may all be right: words that occur in every document, in a
        list with a fixed order.
        """
        try:
            nonsense, _, _ = await self._known_page(NONSENSE, spent)
        except PageError:
            return False
        return nonsense.keys != page.keys

    async def _known_page(self, query: Query, spent: Spent) -> tuple[Page, bool, str]:
        """Return the first page of a query that had hits, whether it is odd, and its address."""
        await self._asker.fetch_form()
        request, self._asker.place = self._asker.source.search_request(query), None
        try:
            response = await self._asker.fetch(request, spent)
        except RefusedError as error:
            if not self._asker.source.says_nothing(error.status, 1):
                raise
            return self._asker.source.nothing(1), True, error.url
        with blaming(response):
            page = self._asker.source.page(query, 1, request, response)
        page = self._asker.seen.passing.keyed(page)
        page = self._asker.seen.stand_ins.unmasked(query, page)
        is_odd = not page.hits or self._asker.seen.watch.suspects_hits(query, response)
        return page, is_odd, response.url

    @contextmanager
    def _checking(self) -> Iterator[Spent]:
        """Record what a check cost, and its outcome."""
        spent = Spent()
        try:
            yield spent
        except SourceError as error:
            spent.take(error)
            self._asker.on_event(SourceChecked(answers=False, requests=spent.requests))
            raise
        except StoppedShort as error:
            error.requests += spent.requests
            raise
        self._asker.on_event(SourceChecked(answers=True, requests=spent.requests))

    async def learn_nonsense(self, query: Query) -> None:
        """Learn what the source shows if nothing matches, as perhaps for this query."""
        request, self._asker.place = self._asker.source.search_request(NONSENSE), None
        try:
            response = await self._asker.fetcher.fetch(request)
        except RefusedError as error:  # e.g. a status that means "nothing found"
            self._take_nonsense(query, Page(), error.requests)
            return
        try:
            page = self._asker.source.page(NONSENSE, 1, request, response)
        except PageError:
            page = Page()
        self._take_nonsense(query, page, response.requests)

    def _take_nonsense(self, query: Query, page: Page, requests: int) -> None:
        taken = self._asker.seen.learn_nonsense(page.keys)
        self._asker.on_event(NonsenseAnswered(page.keys, requests))
        for earlier in taken:
            if earlier != query:
                self._asker.on_event(PageDisbelieved(earlier, 1))
