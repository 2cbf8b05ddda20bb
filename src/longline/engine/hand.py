"""A hand for web sites: a source spec says how to ask, a fetcher sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec

from longline.errors import (
    PageError,
    PlaceholderError,
    RefusedError,
    SilentError,
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
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.outcomes import Ending
from longline.ports import Fetcher
from longline.source import Source
from longline.source.trust import NONSENSE, Seen, as_document, changed, ending_of, ending_of_page

REFUSALS = 3
"""Refused queries in a row after which a query that had hits tells whether it is them alone."""

OF_QUERIES = {400, 404, 406, 410, 413, 414, 422, 431, 500, 501}
"""Statuses that may be about the query: too short, too long, with a word that is not allowed."""

TRIES = 3
"""So often a page is asked for that ends in the middle."""

PAGE_NAME = 60
"""Letters of a page without a title of its own that name it."""

LOOKS = 2
"""So often more an empty answer is asked for, of a source that lies now and then."""

Happening = FormReceived | NonsenseAnswered | PageDisbelieved | SameDocument | SourceChecked


class WebHand:
    """Carry out searches on a web site.

    Args:
        form: The page that holds the search form, where an earlier run fetched it.
        on_answer: Shown the answer that a result page is about to be read from.
        on_event: Told when that page is fetched, nonsense answered, the source checked, a page not
            believed any more, or two keys known as one, so that the journal can keep it.
        seen: What earlier runs, and other hands, know of the site.

    Attributes:
        place: Query and number of the result page that the source was asked for last; None where
            something else was asked since.
    """

    def __init__(
        self,
        source: Source,
        fetcher: Fetcher,
        *,
        form: Response | None = None,
        on_answer: Callable[[Query, int, Response], object] = lambda query, number, response: None,
        on_event: Callable[[Happening], object] = lambda event: None,
        seen: Seen | None = None,
    ) -> None:
        self._source = source if form is None else source.with_form(form)
        self._fetcher = fetcher
        self._on_answer = on_answer
        self._on_event = on_event
        self._seen = seen or Seen()
        self._refusals = 0
        self.place: tuple[Query, int] | None = None

    @property
    def has_form(self) -> bool:
        """Whether queries are asked by a form that was fetched before."""
        return self._source.spec.ask.form is not None and self._source.form_request() is None

    def forget_form(self) -> None:
        """Fetch the page that holds the search form anew for the next query."""
        self._source = Source(self._source.spec)

    @property
    def is_proven(self) -> bool:
        """Whether the newest answers show by themselves that the source still answers."""
        return not self._seen.silence.unproven

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, and how many HTTP requests it cost.

        Raises:
            StrangerError: It is another page, with links that look like hits.
            ChangedError: The page has no hits, and neither has any more a query that had some.
            As `Hand.search`.
        """
        with spending() as spent:
            await self._fetch_form()
            if request is None:
                if number > 1:
                    what = f"page {number} of {str(query)!r} was asked for, but not announced"
                    raise PageError(what)
                request = self._source.search_request(query)
            self.place = (query, number)
            page = await self._ask(query, number, request, spent)
            is_suspect = self._seen.silence.suspects(query, number, page)
            if number == 1 and not page.hits and self._seen.silence.wants_second_look():
                again = await self._look_again(query, request, spent)
                page, is_suspect = (page, is_suspect) if again is None else (again, False)
            if is_suspect:
                await self._check_search(page)
        return page, spent.requests

    async def _ask(self, query: Query, number: int, request: Request, spent: Spent) -> Page:
        """Return a page as it is to be taken."""
        try:
            response = await self._fetch(request, spent)
        except RefusedError as error:
            spent.take(error)
            if not self._source.says_nothing(error.status, number):
                await self._check_refusals(error)
                raise
            return self._source.nothing(number)
        self._on_answer(query, number, response)
        with _blaming(response):
            page = self._source.page(query, number, request, response)
        if spent.is_torn:  # where the page ends, the last row may be half of one
            page = msgspec.structs.replace(page, hits=page.hits[:-1], torn=True)
        page = self._settled(page)
        is_odd = bool(page.hits) and self._seen.watch.suspects_hits(query, response)
        if number == 1:
            if self._seen.stand_ins.suspects(query, page):
                await self._ask_nonsense()
            page = self._seen.stand_ins.unmasked(page)
        if is_odd or self._seen.watch.suspects(page, response):
            await self._check_search(page)
            if is_odd:
                self._seen.watch.accept_hits()
            elif self._seen.had_hits is not None:
                self._seen.watch.accept(response)
        self._refusals = 0
        if page.hits and number == 1:
            self._seen.see_hits(query)
        return page

    def _settled(self, page: Page) -> Page:
        """Return a page with the keys that its hits are to have."""
        was_sure = bool(self._seen.passing.same)
        page = self._seen.passing.settled(page)
        if not was_sure:
            for key, kept in self._seen.passing.same.items():
                self._on_event(SameDocument(key, kept))
        return page

    async def _fetch(self, request: Request, spent: Spent) -> Response:
        """Return an answer that is whole, or the last of some that were not."""
        for turn in range(TRIES):
            response = await self._fetcher.fetch(request)
            spent.requests += response.requests
            spent.is_torn = self._seen.ends.is_torn(response, again=turn > 0)
            if not spent.is_torn:
                break
        return response

    async def _look_again(self, query: Query, request: Request, spent: Spent) -> Page | None:
        """Ask for an empty answer again; return the page that has hits, if one comes."""
        for _ in range(LOOKS if self._seen.silence.is_flaky else 1):
            page = await self._ask(query, 1, request, spent)
            if page.hits:
                for asked in self._seen.silence.had_hits():
                    self._on_event(PageDisbelieved(*asked))
                return page
        return None

    async def _ask_nonsense(self) -> None:
        """Learn what the source shows where nothing matches."""
        request, self.place = self._source.search_request(NONSENSE), None
        try:
            response = await self._fetcher.fetch(request)
        except RefusedError as error:  # as where a status says that nothing was found
            self._learn_nonsense(Page(), error.requests)
            return
        try:
            page = self._source.page(NONSENSE, 1, request, response)
        except PageError:
            page = Page()
        self._learn_nonsense(page, response.requests)

    def _learn_nonsense(self, page: Page, requests: int) -> None:
        keys = page.keys
        taken = self._seen.stand_ins.learn(keys)
        self._on_event(NonsenseAnswered(keys, requests))
        if taken is not None:
            self._on_event(PageDisbelieved(taken, 1))

    async def _check_refusals(self, error: RefusedError) -> None:
        """Find out, after some refusals in a row, whether it is these queries alone."""
        self._refusals += 1
        is_time = self._refusals % REFUSALS == 0 and error.status in OF_QUERIES
        if is_time:
            with suppress(SourceError):
                error.is_of_query = await self._check_search(None)

    async def check(self, *, documents: bool = False) -> bool:
        """Make sure that what was right before still is.

        Args:
            documents: Read a document again, rather than ask a query.

        Returns:
            Whether there was anything to ask for.

        Raises:
            SourceError: The source does not answer, or no longer as it did.
        """
        if documents:
            return await self._check_documents()
        return await self._check_search(None)

    async def _check_search(self, suspect: Page | None) -> bool:
        """Make sure that a query that had hits has some still; False where none is known.

        Raises:
            SourceError: None has; pages that came since one had count for nothing.
        """
        failure: SourceError | None = None
        for query in dict.fromkeys((self._seen.had_hits, self._seen.has_hits)):
            if query is None:
                return False
            try:
                await self._check_query(query, suspect)
            except SourceError as error:
                failure = failure or error
            else:
                self._seen.silence.confirm()
                return True
        assert failure is not None
        for asked in self._seen.silence.unproven:
            self._on_event(PageDisbelieved(*asked))
        self._seen.silence.unproven.clear()
        raise failure

    async def _check_query(self, query: Query, suspect: Page | None) -> None:
        """Ask a query that had hits.

        Raises:
            SourceError: It has none now, or the very same as a suspect page of another query.
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
            if suspect is not None and page.hits and page.keys == suspect.keys:
                raise SilentError(
                    f"the source shows the same {len(page.hits)} documents for every search, "
                    f"also for {str(query)!r}, which had others before",
                    advice="run the same command again later to continue",
                )
            if not page.hits and (page.total is not None or page.others):
                raise SilentError(
                    f"the source finds nothing for any search, also for {str(query)!r}, "
                    "which had results before",
                    advice="it may block visitors; run the same command again later to continue",
                )
            if not page.hits:
                raise changed(f"{str(query)!r} had results before, and {url} shows none")

    async def _known_page(self, query: Query, spent: Spent) -> tuple[Page, bool, str]:
        """Return the first page of a query that had hits, whether it is odd, and its address."""
        await self._fetch_form()
        request, self.place = self._source.search_request(query), None
        try:
            response = await self._fetch(request, spent)
        except RefusedError as error:
            if not self._source.says_nothing(error.status, 1):
                raise
            return self._source.nothing(1), True, error.url
        with _blaming(response):
            page = self._source.page(query, 1, request, response)
        page = self._seen.stand_ins.unmasked(self._seen.passing.keyed(page))
        is_odd = not page.hits or self._seen.watch.suspects_hits(query, response)
        return page, is_odd, response.url

    @contextmanager
    def _checking(self) -> Iterator[Spent]:
        """Let the journal keep what a check cost, and how it ended."""
        spent = Spent()
        try:
            yield spent
        except SourceError as error:
            spent.take(error)
            self._on_event(SourceChecked(answers=False, requests=spent.requests))
            raise
        except StoppedShort as error:
            error.requests += spent.requests
            raise
        self._on_event(SourceChecked(answers=True, requests=spent.requests))

    async def _fetch_form(self) -> None:
        request = self._source.form_request()
        if request is not None:
            with spending() as spent:
                response = await self._fetch(request, spent)
                with _blaming(response):
                    self._source = self._source.with_form(response)
            self._on_event(FormReceived(response, response.requests))

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document behind a hit, and how many HTTP requests it cost.

        Raises:
            PlaceholderError: It is a page that comes for many documents.
            As `Hand.read`.
        """
        request = self._source.document_request(hit)
        if request is None:
            return Document(hit.key, hit.url, hit.title, hit.snippet, hit.language), 0
        with spending() as spent:
            response = await self._fetch(request, spent)
            is_odd = self._seen.watch.suspects_document(hit, request, response)
            try:
                document = self._source.document(hit, response)
            except PageError:
                self._check_placeholder(hit, as_document(hit, response), response.url)
                raise
            self._check_placeholder(hit, document, response.url)
            if is_odd:
                await self._check_documents()
                self._seen.watch.accept_document(hit)
        return document, spent.requests

    def _check_placeholder(self, hit: Hit, document: Document, address: str) -> None:
        earlier = self._seen.placeholders.see(hit, document, address)
        if earlier is None:
            return
        ending = ending_of(f"{document.title} {document.text[:PAGE_NAME]}")
        is_named = document.title not in ("", hit.title)
        page = document.title if is_named else document.text[:PAGE_NAME] or address
        raise PlaceholderError(
            f"the page {page!r} at {address} is shown for this document and for others",
            page=page,
            earlier=earlier,
            ending=ending if ending.outcome == "blocked" else Ending("blocked", "silence"),
        )

    async def _check_documents(self) -> bool:
        """Make sure that a document that came as it should still does; False where none is known.

        Raises:
            ChangedError: It does not.
        """
        good = self._seen.watch.good
        request = None if good is None else self._source.document_request(good)
        if good is None or request is None:
            return False
        with self._checking() as spent:
            response = await self._fetch(request, spent)
            self._seen.watch.suspects_document(good, request, response)
            if not self._seen.watch.is_as_before(response):
                raise changed(f"{response.url} is not the document of its hit any more")
        return True

    async def fetch(self, request: Request) -> Response:
        """Return the answer to a request as it is."""
        return await self._fetcher.fetch(request)

    async def close(self) -> None:
        """Let go of connections."""
        await self._fetcher.close()


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
def _blaming(response: Response) -> Iterator[None]:
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
