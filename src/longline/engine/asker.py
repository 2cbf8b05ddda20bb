"""Ask a site as its spec says; and count what it costs, whatever becomes of it."""

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
from longline.source.trust import Seen, ending_of_page

TRIES = 3
"""So often a page is asked for that ends in the middle."""

UNKNOWN_VISITOR = (401, 403)
"""Statuses of a site that may answer once its own page was shown."""

Happening = FormReceived | NonsenseAnswered | PageDisbelieved | SameDocument | SourceChecked


class Spent:
    """What was sent for something so far.

    Attributes:
        requests: HTTP requests.
        is_torn: The newest answer ends in the middle, however often it was asked for.
    """

    def __init__(self, requests: int = 0) -> None:
        self.requests = requests
        self.is_torn = False

    def take(self, error: SourceError) -> None:
        """Count what an error cost here rather than there."""
        self.requests += error.requests
        error.requests = 0


@contextmanager
def blaming(response: Response) -> Iterator[None]:
    """Let the error of a page that cannot be read say whether it keeps visitors out."""
    try:
        yield
    except PageError as error:
        ending = ending_of_page(response)
        error.ending = ending if ending.outcome == "blocked" else error.ending
        raise


@contextmanager
def spending(requests: int = 0) -> Iterator[Spent]:
    """Let what goes wrong say what it cost, all that was sent before included."""
    spent = Spent(requests)
    try:
        yield spent
    except (SourceError, StoppedShort) as error:
        error.requests += spent.requests
        raise


class Asker:
    """Send what a source makes of queries.

    Args:
        source: Its form is fetched where it has one.
        fetcher: Sends.
        seen: What is known of the site.
        on_event: Told when the form's page is fetched.

    Attributes:
        source: With the newest form.
        place: Query and number of the result page that the source was asked for last; None where
            something else was asked since.
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

    async def fetch(self, request: Request, spent: Spent) -> Response:
        """Return an answer that is whole, or the last of some that were not.

        Raises:
            PageError: It is an address that a page names, and that nobody can ask.
        """
        for turn in range(TRIES):
            try:
                response = await self._fetch(request, spent)
            except AddressError as error:
                raise PageError(error.message, advice="look at the page that links it") from error
            spent.requests += response.requests
            spent.is_torn = self.seen.ends.is_torn(response, again=turn > 0)
            if not spent.is_torn:
                break
        return response

    async def _fetch(self, request: Request, spent: Spent) -> Response:
        """Return an answer; one that is refused is asked for once more after the site's own page.

        That page may give every visitor a cookie, without which nothing else comes.
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
            except (SourceError, InputError) as failed:  # such as one that robots.txt disallows
                if isinstance(failed, SourceError):
                    spent.take(failed)
                raise error from failed
        return await self.fetcher.fetch(request)

    async def fetch_form(self) -> None:
        """Fetch the page that holds the search form, where it is needed and not known."""
        request = self.source.form_request()
        if request is not None:
            with spending() as spent:
                response = await self.fetch(request, spent)
                with blaming(response):
                    self.source = self.source.with_form(response)
            self.on_event(FormReceived(response, response.requests))
