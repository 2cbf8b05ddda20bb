"""Send requests to a site as its spec says, and count their cost even if they fail."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from longline.errors import (
    AddressError,
    InputError,
    PageError,
    RefusedError,
    SourceError,
    StoppedShort,
)
from longline.events import (
    FormReceived,
    NonsenseAnswered,
    PageDisbelieved,
    SameDocument,
    SourceChecked,
)
from longline.model import Query, Request, Response
from longline.ports import Fetcher
from longline.source import Source
from longline.source.trust import Seen, ending_of_page, says_partial

TRIES = 3
"""How many times a truncated page is requested; one that says that it is incomplete, twice."""

UNKNOWN_VISITOR = (401, 403)
"""Statuses of a site that may answer after its home page was requested."""

Happening = FormReceived | NonsenseAnswered | PageDisbelieved | SameDocument | SourceChecked


class Spent:
    """The requests sent for one purpose so far.

    Attributes:
        requests: The number of HTTP requests.
        is_torn: Whether the newest response is truncated, after all its retries.
        is_partial: Whether it says that it is incomplete, after all its retries.
    """

    def __init__(self, requests: int = 0) -> None:
        self.requests = requests
        self.is_torn = False
        self.is_partial = False

    def take(self, error: SourceError) -> None:
        """Move an error's cost to this count."""
        self.requests += error.requests
        error.requests = 0


@contextmanager
def blaming(response: Response) -> Iterator[None]:
    """Mark errors of unreadable pages as 'blocked' where the page shuts visitors out."""
    try:
        yield
    except PageError as error:
        ending = ending_of_page(response)
        error.ending = error.ending if ending.outcome == "changed" else ending
        raise


@contextmanager
def spending(requests: int = 0) -> Iterator[Spent]:
    """Add the cost of all requests so far to an error that is raised inside."""
    spent = Spent(requests)
    try:
        yield spent
    except (SourceError, StoppedShort) as error:
        error.requests += spent.requests
        raise


class Asker:
    """Send the requests for a source's queries.

    Args:
        source: The source; its form is fetched if it has one.
        fetcher: Sends requests.
        seen: What is known about the site.
        on_event: Called when the form's page is fetched.

    Attributes:
        source: The source, with the newest form.
        place: Query and number of the result page requested last; None if something else was
            requested since.
    """

    def __init__(
        self,
        source: Source,
        fetcher: Fetcher,
        seen: Seen,
        on_event: Callable[[Happening], object],
    ) -> None:
        self.source = source
        self.fetcher = fetcher
        self.seen = seen
        self.on_event = on_event
        self.place: tuple[Query, int] | None = None
        self._has_visited = False

    async def fetch(self, request: Request, spent: Spent, *, is_search: bool = False) -> Response:
        """Return a complete response, or the last of several truncated ones.

        Args:
            request: The request.
            spent: Counts its cost.
            is_search: It asks for hits; an answer that says that some are missing is not complete.

        Raises:
            PageError: The address, which a page names, is not valid.
        """
        for turn in range(TRIES):
            try:
                response = await self._fetch(request, spent)
            except AddressError as error:
                raise PageError(error.message, advice="look at the page that links it") from error
            spent.requests += response.requests
            spent.is_torn = self.seen.ends.is_torn(response, again=turn > 0)
            spent.is_partial = is_search and says_partial(response.body)
            if not spent.is_torn and (turn > 0 or not spent.is_partial):
                break
        return response

    async def _fetch(self, request: Request, spent: Spent) -> Response:
        """Return a response; retry a refused request once, after the site's home page.

        That page may set a cookie that every other page requires.
        """
        try:
            return await self.fetcher.fetch(request)
        except RefusedError as error:
            home = self.source.spec.source.url
            if error.status not in UNKNOWN_VISITOR or self._has_visited or not home:
                raise
            self._has_visited = True
            spent.take(error)
            try:
                spent.requests += (await self.fetcher.fetch(Request(home))).requests
            except (SourceError, InputError) as failed:  # e.g. disallowed by robots.txt
                if isinstance(failed, SourceError):
                    spent.take(failed)
                raise error from failed
        return await self.fetcher.fetch(request)

    async def fetch_form(self) -> None:
        """Fetch the page with the search form, if it is needed and not known."""
        request = self.source.form_request()
        if request is not None:
            with spending() as spent:
                response = await self.fetch(request, spent)
                with blaming(response):
                    self.source = self.source.with_form(response)
            self.on_event(FormReceived(response, response.requests))
