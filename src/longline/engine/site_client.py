"""Clients for web sites: with a source spec, or without; a fetcher sends the requests."""

import asyncio
from collections.abc import Callable
from functools import cache
from urllib.parse import urldefrag
from weakref import WeakValueDictionary

import msgspec

from longline.engine.asker import Asker, Happening, Spent, blaming, spending
from longline.engine.checks import Checks
from longline.errors import FileError, NoTextError, PageError, PlaceholderError, RefusedError
from longline.events import PageDisbelieved, SameDocument
from longline.ledger import GOES_ON
from longline.model import Asked, Document, Hit, Page, Query, Request, Response, Total
from longline.outcomes import Ending
from longline.ports import Fetcher
from longline.source import MOST_PARTS, Source, canonical, file_type, is_file, without_parts
from longline.source.trust import Seen, as_document, ending_of
from longline.text.refusals import mentions_log_in
from longline.text.url import is_url

PAGE_NAME = 60
"""The length of the text that names a page without a title of its own."""

KEPT_PAGES = 200
"""How many pages with several documents are kept until their other documents are listed."""

LOOKS = 2
"""How many more times an empty result is requested, from a source that is sometimes wrong."""


class SiteClient:
    """Search a web site.

    Args:
        form: The page with the search form, if an earlier run fetched it.
        on_answer: Called with a response before a result page is read from it.
        on_event: Called for events that the journal must keep: form fetched, nonsense answered,
            source checked, page no longer believed, two keys known as one.
        seen: What earlier runs, and other clients, know about the site.
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
        source = source if form is None else source.with_form(form)
        self._seen = seen or Seen()
        self._asker = Asker(source, fetcher, self._seen, on_event)
        self._checks = Checks(self._asker)
        self._on_answer = on_answer
        self._on_event = on_event
        self._pages: dict[str, Response] = {}  # pages with several documents each, the newest last
        self._fetching = WeakValueDictionary[str, asyncio.Lock]()  # by the address of such a page

    @property
    def place(self) -> Asked | None:
        """Query and number of the result page that was requested last.

        None if something else was requested since.
        """
        return self._asker.place

    @property
    def has_form(self) -> bool:
        """Whether queries use a form that was fetched before."""
        return (
            self._asker.source.spec.ask.form is not None
            and self._asker.source.form_request() is None
        )

    def forget_form(self) -> None:
        """Fetch the page with the search form again for the next query."""
        self._asker.source = Source(self._asker.source.spec)

    @property
    def is_proven(self) -> bool:
        """Whether the newest answers show that the source still works."""
        return not self._seen.silence.unproven

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Return result page `number` of a query, and the number of HTTP requests for it.

        Raises:
            StrangerError: It is another page, with links that look like hits.
            ChangedError: It has no hits, and a query that had some has none any more.
            As `SourceClient.search`.
        """
        with spending() as spent:
            await self._asker.fetch_form()
            if request is None:
                if number > 1:
                    what = f"page {number} of {str(query)!r} was asked for, but not announced"
                    raise PageError(what)
                request = self._asker.source.search_request(query)
            self._asker.place = (query, number)
            page = await self._ask(query, number, request, spent)
            if self._asker.source.spec.ask.lists:
                self._seen.see_listed(page.keys)
                return page, spent.requests
            is_suspect = self._seen.silence.suspects(query, number, page)
            if number == 1 and not page.hits and self._seen.silence.wants_second_look():
                again = await self._look_again(query, request, spent)
                page, is_suspect = (page, is_suspect) if again is None else (again, False)
            if is_suspect:
                await self._checks.search(page)
        return page, spent.requests

    async def _ask(self, query: Query, number: int, request: Request, spent: Spent) -> Page:
        """Return a page after all checks and corrections."""
        try:
            response = await self._asker.fetch(request, spent, is_search=True)
        except RefusedError as error:
            spent.take(error)
            source = self._asker.source
            is_short = source.refuses_short(query, number, str(error))
            if not (is_short or source.says_nothing(error.status, number)):
                await self._checks.refusals(error)
                raise
            return source.nothing(number)
        self._on_answer(query, number, response)
        with blaming(response):
            page = self._asker.source.page(query, number, request, response)
        if spent.is_torn:  # the last row of a truncated page may be incomplete
            page = msgspec.structs.replace(page, hits=page.hits[:-1], torn=True)
        if spent.is_partial:
            least = None if page.total is None else Total(page.total.documents, "at least")
            page = msgspec.structs.replace(page, total=least, partial=True)
        page = self._settled(page)
        if self._asker.source.spec.ask.lists:  # there is no other query to compare with
            return page
        self._checks.answer(query, page, response)
        is_odd = bool(page.hits) and self._seen.watch.suspects_hits(query, response)
        if number == 1:
            page = await self._unmasked(query, page)
        if is_odd or self._seen.watch.suspects(page, response):
            await self._checks.search(page)
            if is_odd:
                self._seen.watch.accept_hits()
            elif self._seen.had_hits is not None:
                self._seen.watch.accept(response)
        self._checks.refused = 0
        if page.hits and number == 1:
            self._seen.see_hits(query, page.keys)
        return page

    async def _unmasked(self, query: Query, page: Page) -> Page:
        """Return a first page without stand-in hits for no result; a search by meaning has none."""
        if self._asker.source.spec.ask.ranking == "meaning":
            return page
        if self._seen.stand_ins.suspects(query, page):
            await self._checks.learn_nonsense(query)
        return self._seen.stand_ins.unmasked(query, page)

    def _settled(self, page: Page) -> Page:
        """Return a page with the final keys of its hits."""
        was_sure = bool(self._seen.passing.same)
        page = self._seen.passing.settled(page)
        if not was_sure:
            for key, kept in self._seen.passing.same.items():
                self._on_event(SameDocument(key, kept))
        return page

    async def _look_again(self, query: Query, request: Request, spent: Spent) -> Page | None:
        """Request an empty result again; return a page with hits, or None."""
        for _ in range(LOOKS if self._seen.silence.is_flaky else 1):
            page = await self._ask(query, 1, request, spent)
            if page.hits:
                for asked in self._seen.silence.had_hits():
                    self._on_event(PageDisbelieved(*asked))
                return page
        return None

    async def check(self, *, documents: bool = False) -> bool:
        """Check that what worked before still does.

        Args:
            documents: Whether to read a document again, rather than send a query.

        Returns:
            Whether there was anything to check.

        Raises:
            SourceError: The source does not answer, or no longer as before.
        """
        if documents:
            return await self._checks.documents()
        return await self._checks.search(None)

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Return the document of a hit, and the number of HTTP requests for it.

        Raises:
            FileError: It is a file, not a page.
            NoTextError: It has no text, or that of other documents.
            PlaceholderError: It is a page that is shown for many documents.
            As `SourceClient.read`.
        """
        request = self._asker.source.document_request(hit)
        if request is None:
            return self._asker.source.document(hit), 0
        with spending() as spent:
            response = await self._page_of(request, spent)
            if is_file(response):
                raise _file(response, hit)
            is_odd = self._seen.watch.suspects_document(hit, request, response)
            shown = response
            following = self._asker.source.text_request(response)
            if following is not None:
                request, shown = following, await self._asker.fetch(following, spent)
                if is_file(shown):
                    raise _file(shown, self._asker.source.with_page(hit, response))
            try:
                of_text = None if following is None else shown
                document = self._asker.source.document(hit, response, of_text)
            except PageError:
                self._check_placeholder(hit, as_document(hit, response), response.url)
                raise
            self._check_placeholder(hit, document, response.url, shown)
            if spent.is_torn:
                document = msgspec.structs.replace(document, text=document.text + GOES_ON)
            if is_odd:
                await self._checks.documents()
                self._seen.watch.accept_document(hit)
            document = await self._with_parts(document, request, shown, spent)
            self._see_links(hit, response)
        return self._as_led_to(document, response.url), spent.requests

    async def _page_of(self, request: Request, spent: Spent) -> Response:
        """Return a document's page; one of several documents is fetched once for those in a row."""
        address, place = urldefrag(request.url)
        if not (place and self._asker.source.spec.results.places):
            return await self._asker.fetch(request, spent)
        async with self._fetching.setdefault(address, asyncio.Lock()):
            page = self._pages.get(address)
            if page is None:
                plain = msgspec.structs.replace(request, url=address)
                page = self._pages[address] = await self._asker.fetch(plain, spent)
                if len(self._pages) > KEPT_PAGES:
                    del self._pages[next(iter(self._pages))]
            return page

    def _see_links(self, hit: Hit, response: Response) -> None:
        """Collect the links of a document's page to pages that are addressed like it."""
        spec = self._asker.source.spec
        own = hit.key if is_url(hit.key) else without_parts(hit.url, spec.results.key_ignores)
        if spec.results.places:
            return
        if spec.document is not None and spec.document.kind == "html":
            self._seen.links.see(response, own, spec.results.key_ignores)

    def _as_led_to(self, document: Document, address: str) -> Document:
        """Return a document under the key of the listed one that its address has led to, if any.

        Lists of addresses keep those that documents had before, and so does an earlier harvest.
        """
        spec = self._asker.source.spec
        is_listed = spec.ask.lists == "part" and not spec.results.key
        if not (is_listed or self._seen.moved_to):
            return document
        place = without_parts(canonical(address), spec.results.key_ignores)
        kept = self._seen.moved_to.get(place, "")
        if is_listed and place in self._seen.listed:
            kept = place
        if kept in ("", document.key):
            return document
        self._on_event(SameDocument(document.key, kept))
        return msgspec.structs.replace(document, key=kept, url=address)

    async def _with_parts(
        self, document: Document, first: Request, response: Response, spent: Spent
    ) -> Document:
        """Return a document with the text of its further pages."""
        source, earlier = self._asker.source, document.text
        for number in range(2, MOST_PARTS + 1):
            request = source.part_request(first, response, number)
            if request is None:
                break
            response = await self._asker.fetch(request, spent)
            longer = source.with_part(document, response, earlier)
            if longer is None:
                break
            document = longer
        return document

    def _check_placeholder(
        self, hit: Hit, document: Document, address: str, shown: Response | None = None
    ) -> None:
        """Raise an error if a page is shown for many documents.

        A page that shows (`shown`) what its hit says, and asks for no login, is that of its
        document, whose text may be lacking: nobody knows whether there is one.
        """
        own = cache(lambda: self._shown_of(hit, document, shown))  # needed for few pages
        found = self._seen.placeholders.see(hit, document, address, lambda: bool(own()))
        if found is None:
            return
        title = "" if own() else document.title  # a document may be about captchas
        ending = ending_of(f"{title} {document.text[:PAGE_NAME]}")
        if shown is not None and (own() or found.is_own) and ending.outcome == "changed":
            raise NoTextError(
                f"the text of {address}, {document.text[:PAGE_NAME]!r}, is that of others, too",
                document=msgspec.structs.replace(document, text=(own() or document.text) + GOES_ON),
            )
        is_named = document.title not in ("", hit.title)
        page = document.title if is_named else document.text[:PAGE_NAME] or address
        raise PlaceholderError(
            f"the page {page!r} at {address} is shown for this document and for others",
            page=page,
            earlier=found.earlier,
            ending=Ending("blocked", "silence") if ending.outcome == "changed" else ending,
        )

    def _shown_of(self, hit: Hit, document: Document, shown: Response | None) -> str:
        """Return what a document's page shows of its hit outside the text; "" if nothing."""
        if shown is None or mentions_log_in(document.text):
            return ""
        return self._asker.source.main_text(hit, shown)

    async def fetch(self, request: Request) -> Response:
        """Return the raw response to a request."""
        return await self._asker.fetcher.fetch(request)

    async def close(self) -> None:
        """Close connections."""
        await self._asker.fetcher.close()


def _file(response: Response, hit: Hit) -> FileError:
    kind, size = file_type(response), len(response.body)
    return FileError(
        f"{response.url} is no page, but a file ({kind}, {size:,} bytes)",
        advice="run it again with attachments to keep such files",
        media_type=kind,
        response=response,
        hit=hit,
    )


class PageClient:
    """Get pages for a policy that only requests pages, with any fetcher.

    Implements `longline.ports.SourceClient`.
    """

    is_proven = True

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def search(self, query: Query, number: int, request: Request | None) -> tuple[Page, int]:
        """Raise an error, because it is not known how to search.

        Raises:
            PageError: Always.
        """
        raise PageError(f"no source spec says how to ask for {str(query)!r}")

    async def read(self, hit: Hit) -> tuple[Document, int]:
        """Raise an error, as `search` does.

        Raises:
            PageError: Always.
        """
        raise PageError(f"no source spec says how to read {hit.key!r}")

    async def check(self, *, documents: bool = False) -> bool:
        """Return False: there is nothing to check."""
        return False

    async def fetch(self, request: Request) -> Response:
        """Return the raw response to a request."""
        return await self._fetcher.fetch(request)

    async def close(self) -> None:
        """Close connections."""
        await self._fetcher.close()
