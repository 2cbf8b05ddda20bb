"""Read further pages of sources that keep the last query in a session.

On such a source, "the next page" is that of the last query, whatever page the link was on. The
planner sends other queries in between, and would get their pages. So an answer with further pages
keeps its session, and the next query is sent in another one, of a few. If no session is still at
a query, it is sent again, from its first page to the one that is needed.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from longline.engine.asker import spending
from longline.engine.site_client import SiteClient
from longline.errors import PageError, RefusedError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.ports import Fetcher
from longline.source import Source

EXPIRED = (401, 403, 419, 440)
"""Statuses with which a site may say that a form's token, or its session, has expired."""

NO_TOKEN = (400, 404, 410)
"""Statuses with which an interface may say that it does not know a token any more."""

SESSIONS = 4
"""The most sessions at a time: a site stores each."""


class Visitor:
    """Fetch in a session of its own, with a fetcher that is shared.

    Implements `longline.ports.Fetcher`.
    """

    def __init__(self, fetcher: Fetcher, session: int) -> None:
        self._fetcher = fetcher
        self._session = session

    async def fetch(self, request: Request) -> Response:
        """Return the final response, as the fetcher does."""
        return await self._fetcher.fetch(msgspec.structs.replace(request, session=self._session))

    async def close(self) -> None:
        """Do nothing: the connections are shared."""


@dataclass
class _Session:
    """One session, and its state.

    Attributes:
        first: Keys on page 1 of its last query.
        rows: Rows of that query so far.
        total: The exact total of that query; None if there is none.
        goes_on: Its last page has a next page.
    """

    client: SiteClient
    first: tuple[str, ...] = ()
    rows: int = 0
    total: int | None = None
    goes_on: bool = False

    def is_at(self, query: Query, number: int) -> bool:
        """Return whether this page was the last one requested."""
        return self.client.place == (query, number)

    @property
    def worth(self) -> int:
        """How many pages would have to be requested again if another query were sent here."""
        return self.client.place[1] if self.goes_on and self.client.place else 0


class SessionClient:
    """A client for web sites that restores a session which has left a query.

    If the spec does not say how later pages are requested, and a request for one does not contain
    its query, both ways are tried once and compared. A form is fetched again, once per page, if a
    response says that it has expired.

    Implements `longline.ports.SourceClient`.

    Args:
        source: The source.
        fetcher: Sends requests.
        make: Makes a client for a fetcher; all clients share what they know about the site.
    """

    def __init__(
        self, source: Source, fetcher: Fetcher, make: Callable[[Fetcher], SiteClient]
    ) -> None:
        self._source = source
        self._fetcher = fetcher
        self._make = make
        self._main = _Session(make(fetcher))
        self._sessions = [self._main]
        ask = source.spec.ask
        self._paging = ask.paging
        self._has_token = bool(ask.lists) and "{next}" in ask.next_url  # which may expire

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, and the number of HTTP requests for it.

        Raises:
            As `SiteClient.search`.
        """
        if request is None or number == 1:
            return await self._ask(self._idle(), query, number, request)
        if self._has_token:
            return await self._by_token(query, number, request)
        if self._stands_alone(query, request):
            return await self._ask(self._main, query, number, request)
        for session in self._sessions:
            if session.is_at(query, number - 1):
                return await self._go_on(session, query, number, request)
        if self._paging == "session":
            return await self._go_back(self._idle(), query, number)
        return await self._compare(query, number, request)

    def _stands_alone(self, query: Query, request: Request) -> bool:
        if self._paging:
            return self._paging == "query"
        return self._source.names_query(query, request)

    def _idle(self) -> _Session:
        """Return the session for the next query: the one with the least to lose, or a new one."""
        session = min(self._sessions, key=lambda each: each.worth)
        if self._paging != "session" or session.worth <= 1 or len(self._sessions) == SESSIONS:
            return session if self._paging == "session" else self._main
        client = self._make(Visitor(self._fetcher, len(self._sessions)))
        client.forget_form()
        self._sessions.append(_Session(client))
        return self._sessions[-1]

    async def _ask(
        self, session: _Session, query: Query, number: int, request: Request | None
    ) -> tuple[Page, int]:
        """Request a page; fetch the form again for a first page if the form has expired."""
        had_form = session.client.has_form
        try:
            page, requests = await session.client.search(query, number, request)
        except (RefusedError, PageError) as error:
            if not (had_form and number == 1 and _may_be_too_old(error)):
                raise
            page, requests = await self._ask_anew(session.client, query, error)
        if number == 1:
            session.first, session.rows, session.total = page.keys, 0, page.exact_total
        session.rows += len(page.hits)
        session.goes_on = page.next is not None
        return page, requests

    async def _ask_anew(
        self, client: SiteClient, query: Query, error: RefusedError | PageError
    ) -> tuple[Page, int]:
        """Request page 1 with a new form; if that fails too, raise the first error."""
        client.forget_form()
        try:
            with spending(error.requests):
                page, requests = await client.search(query, 1, None)
        except (RefusedError, PageError) as again:
            error.requests = again.requests
            raise error from again
        return page, requests + error.requests

    async def _go_on(
        self, session: _Session, query: Query, number: int, request: Request
    ) -> tuple[Page, int]:
        """Request the next page; start again at the first page, once, if the session was lost."""
        try:
            page, spent = await self._ask(session, query, number, request)
        except (RefusedError, PageError) as error:
            if not _may_be_too_old(error):
                raise
            page, spent = Page(), error.requests
        else:
            if page.hits or session.rows == session.total:
                return page, spent
        with spending(spent):
            page, requests = await self._go_back(session, query, number)
        return page, spent + requests

    async def _by_token(self, query: Query, number: int, request: Request) -> tuple[Page, int]:
        """Request a page of a list by its token; begin the list again, once, if it has expired."""
        try:
            return await self._ask(self._main, query, number, request)
        except (RefusedError, PageError) as error:
            if isinstance(error, RefusedError) and error.status not in (*EXPIRED, *NO_TOKEN):
                raise
            spent = error.requests
        with spending(spent):
            page, requests = await self._go_back(self._main, query, number)
        return page, spent + requests

    async def _go_back(self, session: _Session, query: Query, number: int) -> tuple[Page, int]:
        """Request a query's pages from the first to the one needed, and return that."""
        page, spent = await self._ask(session, query, 1, None)
        for at in range(2, number + 1):
            with spending(spent):
                if page.next is None:
                    raise PageError(
                        f"page {at - 1} of {str(query)!r} no longer links to the next page",
                        advice="run it again later; the source may have changed",
                    )
                page, requests = await self._ask(session, query, at, page.next)
            spent += requests
        return page, spent

    async def _compare(self, query: Query, number: int, request: Request) -> tuple[Page, int]:
        """Request a page by its link, and from the first page on, and compare the two."""
        session, asked_last = self._main, self._main.first
        try:
            came, spent = await self._ask(session, query, number, request)
        except (RefusedError, PageError) as error:
            came, spent = Page(), error.requests
        with spending(spent):
            page, requests = await self._go_back(session, query, number)
        if set(came.keys) != set(page.keys):
            self._paging = "session"
        elif session.first != asked_last:
            # Otherwise the query in between has the same hits, and shows nothing.
            self._paging = "query"
        return page, spent + requests

    @property
    def is_proven(self) -> bool:
        """Whether the newest answers show that the source still works."""
        return self._main.client.is_proven

    async def check(self, *, documents: bool = False) -> bool:
        """Check that what worked before still does, as `SiteClient.check` does."""
        return await self._main.client.check(documents=documents)

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document of a hit, and the number of HTTP requests for it."""
        return await self._main.client.read(hit)

    async def fetch(self, request: Request) -> Response:
        """Return the raw response to a request."""
        return await self._main.client.fetch(request)

    async def close(self) -> None:
        """Close connections."""
        await self._fetcher.close()


def _may_be_too_old(error: RefusedError | PageError) -> bool:
    return isinstance(error, PageError) or error.status in EXPIRED
