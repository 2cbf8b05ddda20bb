"""A hand for web sites: a source spec says how to ask, a fetcher sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from longline.errors import PageError, RefusedError, SourceError, StoppedShort
from longline.events import FormReceived, NonsenseAnswered
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.ports import Fetcher
from longline.source import Source
from longline.source.stand_ins import NONSENSE, StandIns
from longline.source.strange import Watch, changed

MISSES = 5
"""Statuses for "nothing found" in a row, after which a query that had hits is asked again."""

REFUSALS = 3
"""Refused queries in a row after which a query that had hits tells whether it is them alone."""

OF_QUERIES = {400, 404, 406, 410, 413, 414, 422, 431, 500, 501}
"""Statuses that may be about the query: too short, too long, with a word that is not allowed."""


class WebHand:
    """Carry out searches on a web site.

    Args:
        form: The page that holds the search form, where an earlier run fetched it.
        on_event: Told when that page is fetched, or nonsense answered, so that the journal can
            keep it.
        had_hits: A query that had hits, where one is known: it is asked again where it is
            not certain whether the site still answers as it did.
        watch: Knows what earlier runs saw.
        stand_ins: As well.
    """

    def __init__(
        self,
        source: Source,
        fetcher: Fetcher,
        *,
        form: Response | None = None,
        on_event: Callable[[FormReceived | NonsenseAnswered], object] = lambda event: None,
        had_hits: Query | None = None,
        watch: Watch | None = None,
        stand_ins: StandIns | None = None,
    ) -> None:
        self._source = source if form is None else source.with_form(form)
        self._fetcher = fetcher
        self._on_event = on_event
        self._had_hits = had_hits
        self._watch = watch or Watch()
        self._stand_ins = stand_ins or StandIns()
        self._misses = 0
        self._refusals = 0

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, and how many HTTP requests it cost.

        Raises:
            StrangerError: It is another page, with links that look like hits.
            ChangedError: The page has no hits, and neither has any more a query that had some.
            As `Hand.search`.
        """
        await self._fetch_form()
        if request is None:
            if number > 1:
                raise PageError(f"page {number} of {str(query)!r} was asked for, but not announced")
            request = self._source.search_request(query)
        try:
            response = await self._fetcher.fetch(request)
        except RefusedError as error:
            if not self._source.says_nothing(error.status, number):
                await self._check_refusals(error)
                raise
            return self._source.nothing(number), error.requests + await self._check_misses(error)
        with _charged(response):
            page = self._source.page(query, number, request, response)
            is_odd = bool(page.hits) and self._watch.suspects_hits(query, response)
        more = 0
        if number == 1:
            if self._stand_ins.suspects(query, page):
                await self._ask_nonsense(response)
            page = self._stand_ins.unmasked(page)
        if is_odd:
            more += await self._check_site(response)
            self._watch.accept_hits()
        elif self._watch.suspects(page, response):
            more += await self._check_site(response)
            if self._had_hits is not None:
                self._watch.accept(response)
        self._refusals = 0
        if page.hits:
            self._misses = 0
        if page.hits and number == 1:
            self._had_hits = self._had_hits or query
        return page, response.requests + more

    async def _ask_nonsense(self, suspect: Response) -> None:
        """Learn what the source shows where nothing matches."""
        request = self._source.search_request(NONSENSE)
        try:
            response = await self._fetcher.fetch(request)
        except RefusedError as error:  # as where a status says that nothing was found
            self._learn_nonsense(Page(), error.requests)
            return
        except (SourceError, StoppedShort) as error:
            error.requests += suspect.requests
            raise
        try:
            page = self._source.page(NONSENSE, 1, request, response)
        except PageError:
            page = Page()
        self._learn_nonsense(page, response.requests)

    def _learn_nonsense(self, page: Page, requests: int) -> None:
        keys = page.keys
        self._stand_ins.learn(keys)
        self._on_event(NonsenseAnswered(keys, requests))

    async def _check_refusals(self, error: RefusedError) -> None:
        """Find out, after some refusals in a row, whether it is these queries alone."""
        self._refusals += 1
        is_time = self._refusals % REFUSALS == 0 and error.status in OF_QUERIES
        if not is_time or self._had_hits is None:
            return
        try:
            error.requests += await self._check_site(_answer_of(error))
            error.is_of_query = True
        except SourceError as other:
            error.requests = other.requests  # those of the refusal included

    async def _check_misses(self, error: RefusedError) -> int:
        """Make sure, after some statuses for nothing in a row, that the site is still there."""
        self._misses += 1
        if self._misses < MISSES:
            return 0
        more = await self._check_site(_answer_of(error))
        self._misses = 0
        return more

    async def _check_site(self, suspect: Response) -> int:
        """Make sure that a query that had hits has some still; return what that cost.

        Raises:
            ChangedError: It has none.
        """
        if self._had_hits is None:
            return 0
        request = self._source.search_request(self._had_hits)
        try:
            response = await self._fetcher.fetch(request)
        except (SourceError, StoppedShort) as error:
            error.requests += suspect.requests
            raise
        try:
            hits = self._source.page(self._had_hits, 1, request, response).hits
            is_odd = not hits or self._watch.suspects_hits(self._had_hits, response)
            what = f"{str(self._had_hits)!r} had hits, and {response.url} shows none"
        except PageError as error:
            is_odd, what = True, error.message
        if is_odd:
            failed = changed(what)
            failed.requests = suspect.requests + response.requests
            raise failed
        return response.requests

    async def _fetch_form(self) -> None:
        request = self._source.form_request()
        if request is not None:
            response = await self._fetcher.fetch(request)
            self._source = self._source.with_form(response)
            self._on_event(FormReceived(response, response.requests))

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document behind a hit, and how many HTTP requests it cost."""
        request = self._source.document_request(hit)
        if request is None:
            return Document(hit.key, hit.url, hit.title, hit.snippet, hit.language), 0
        response = await self._fetcher.fetch(request)
        with _charged(response):
            is_odd = self._watch.suspects_document(hit, request, response)
            document = self._source.document(hit, response)
        more = await self._check_good_document(hit, response) if is_odd else 0
        return document, response.requests + more

    async def _check_good_document(self, suspect: Hit, came: Response) -> int:
        """Make sure that a document that came as it should still does; return what that cost.

        Raises:
            ChangedError: It does not.
        """
        good = self._watch.good
        request = None if good is None else self._source.document_request(good)
        if request is None:
            return 0
        try:
            response = await self._fetcher.fetch(request)
        except (SourceError, StoppedShort) as error:
            error.requests += came.requests
            raise
        if not self._watch.is_as_before(response):
            failed = changed(f"{came.url} and {response.url} are not the documents of their hits")
            failed.requests = came.requests + response.requests
            raise failed
        self._watch.accept_document(suspect)
        return response.requests

    async def fetch(self, request: Request) -> Response:
        """Return the answer to a request as it is."""
        return await self._fetcher.fetch(request)

    async def close(self) -> None:
        """Let go of connections."""
        await self._fetcher.close()


class PageHand:
    """Get pages for a thinker that only asks for pages, from any fetcher.

    Implements `longline.ports.Hand`.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Refuse: how to search is not known.

        Raises:
            PageError: Always.
        """
        raise PageError(f"no source spec says how to ask for {str(query)!r}")

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Refuse, as `search` does.

        Raises:
            PageError: Always.
        """
        raise PageError(f"no source spec says how to read {hit.key!r}")

    async def fetch(self, request: Request) -> Response:
        """Return the answer to a request as it is."""
        return await self._fetcher.fetch(request)

    async def close(self) -> None:
        """Let go of connections."""
        await self._fetcher.close()


def _answer_of(error: RefusedError) -> Response:
    """Return a refusal as the answer that it is."""
    return Response(url=error.url, status=error.status or 0, requests=error.requests)


@contextmanager
def _charged(response: Response) -> Iterator[None]:
    """Let an answer that cannot be read say what it cost."""
    try:
        yield
    except PageError as error:
        error.requests = response.requests
        raise
