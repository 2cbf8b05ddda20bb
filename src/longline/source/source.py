"""Query a source and read its answers, as its spec describes. No I/O."""

from __future__ import annotations

import json
from urllib.parse import quote, urldefrag

import msgspec

from longline.errors import PageError, SpecError
from longline.model import (
    Attachment,
    Browsing,
    Document,
    Hit,
    Page,
    Query,
    Request,
    Response,
    Total,
)
from longline.source.answer import (
    ARTICLE,
    BESIDE,
    Answer,
    absolute_urls,
    at_place,
    document_language,
    href,
    linked_files,
    main_text_reader,
    may_lead_on,
    new_text,
    next_part,
    no_text,
    page_fields,
    page_language,
    parse,
    read_document,
    without_parts,
)
from longline.source.check import DOCUMENT, empty_status
from longline.source.listing import Listing
from longline.source.request import (
    fill,
    fill_form,
    filter_values,
    names_query,
    next_request,
    own_headers,
    query_text,
    type_into,
    with_headers,
)
from longline.source.select import Kind, read_select
from longline.source.spec import Spec
from longline.source.trust import main_part
from longline.text.refusals import wants_longer

LEAST_MOST = 5
"""A page with fewer results is not searched for the most that any search shows."""

NOT_THERE = (404, 410)
"""HTTP statuses by which a source may say that a result page does not exist."""


class Source:
    """A source, queried and read as its spec describes.

    It is immutable: `with_form` returns another one, which knows the form.

    Raises:
        SpecError: The spec wants main texts, and the library that extracts them is missing.

    >>> from longline.source import read_spec
    >>> source = Source(read_spec('''
    ... [source]
    ... name = "shop"
    ... url = "https://shop.example/"
    ... [ask]
    ... url = "https://shop.example/search?q={query}"
    ... [results]
    ... hit = "li"
    ... link = "a"
    ... '''))
    >>> request = source.search_request(Query(("deep", "web")))
    >>> request.url
    'https://shop.example/search?q=deep+web'
    >>> answer = Response(url=request.url, status=200, body=b'<li><a href="/doc/7">Seven</a>')
    >>> source.page(Query(("deep", "web")), 1, request, answer).hits[0].key
    'https://shop.example/doc/7'
    """

    def __init__(self, spec: Spec, *, form: Answer | None = None) -> None:
        if spec.document and spec.document.text == ARTICLE:
            main_text_reader()
        self.spec = spec
        self._form = form

    def form_request(self) -> Request | None:
        """Return the request for the page with the search form, or None if it is not needed."""
        form = self.spec.ask.form
        if form is None or self._form is not None or self.spec.ask.browser:
            return None
        return self._get(form.page)

    def with_form(self, response: Response) -> Source:
        """Return this source with the form of a page.

        Raises:
            PageError: The page lacks the form, or fields that the spec names.
        """
        form = self.spec.ask.form
        if form is None or self.spec.ask.browser:
            return self
        answer = parse(response, "html")
        fill_form(self.spec.ask, form, answer, "")
        return Source(self.spec, form=answer)

    def query_text(self, query: Query) -> str:
        """Write a query in the source's dialect; for a list it is empty.

        Raises:
            SpecError: It excludes terms and the dialect has no NOT, or it has too many terms.
        """
        return query_text(query, self.spec.ask)

    def search_request(self, query: Query) -> Request:
        """Return the request for page 1 of a query.

        Raises:
            SpecError: As `query_text`; or the source's form is not fetched yet.
        """
        ask = self.spec.ask
        if ask.form is None:
            return fill(self.spec, query, page=ask.first_page, offset=ask.first_offset)
        if ask.browser:
            typed = type_into(ask.form, self.query_text(query))
            return with_headers(typed, own_headers(self.spec, typed.url))
        if self._form is None:
            raise SpecError(
                f"the form on {ask.form.page} is not known yet",
                advice="fetch it, and use with_form",
            )
        values = filter_values(self.spec, query)
        return fill_form(ask, ask.form, self._form, self.query_text(query), values)

    def page(self, query: Query, number: int, request: Request, response: Response) -> Page:
        """Read result page `number` (from 1) of a query.

        Args:
            query: The query.
            number: Number of the page, from 1.
            request: The page's request; later offsets are computed from it.
            response: The response, after redirects.

        Raises:
            PageError: The answer is no result page, or the spec does not fit it.
        """
        is_part = number > 1 and (self.spec.counts_pages or self.spec.ask.next_url)
        if (is_part and not response.body.strip()) or self.says_nothing(response.status, number):
            return self.nothing(number)
        answer = parse(response, self.spec.source.kind)
        listing = Listing(self.spec, answer)
        try:
            # A page fragment that is fetched by itself has no total.
            has_total = number == 1 or not self.spec.ask.next_url
            hits, total = listing.hits(), listing.total() if has_total else None
        except PageError:
            # Apparent hits may be parts of the document that a query with one hit was redirected
            # to.
            itself = listing.document_itself(query, request) if number == 1 else None
            if itself is None:
                raise
            return Page((itself,), Total(1))
        files = listing.files(number)
        if files:  # an index may show its parts as documents are shown
            parts = {each.url for each in files}
            hits = tuple(hit for hit in hits if hit.url not in parts)
        if files or (number > 1 and (self.spec.results.files or self.spec.ask.also)):
            following = next_request(self.spec, (query, number), request, answer, len(hits), total)
            return Page(hits, total, files=files if following is None else (*files, following))
        if not hits and not self.spec.ask.lists:
            return listing.empty_page(query, number, request, total)
        following = next_request(self.spec, (query, number), request, answer, len(hits), total)
        deleted = listing.deleted()
        is_end = number == 1 or following is None
        most = listing.most() if is_end and len(hits) >= LEAST_MOST else 0
        if not hits:  # all documents of a page may be deleted
            page = listing.empty_page(query, number, request, total)
            return msgspec.structs.replace(page, next=following, deleted=deleted)
        hidden = listing.withheld() if number == 1 else 0
        return Page(hits, total, following, deleted=deleted, most=most, withheld=hidden)

    def says_nothing(self, status: int | None, number: int) -> bool:
        """Return whether an HTTP status is the source's way to say that a page is empty.

        Pages requested by number may not exist after the last one.
        """
        if number > 1 and self.spec.counts_pages and status in NOT_THERE:
            return True
        return status is not None and status == empty_status(self.spec)

    def refuses_short(self, query: Query, number: int, reason: str) -> bool:
        """Return whether an HTTP error says that the words are too short: nothing was found."""
        return number == 1 and wants_longer(query.wanted, reason)

    def nothing(self, number: int) -> Page:
        """Return page `number` of an answer, as empty."""
        return Page(total=Total(0) if number == 1 else None)

    def names_query(self, query: Query, request: Request) -> bool:
        """Return whether a request for a later page contains its query, or relies on a session."""
        return names_query(self.spec, query, request)

    def document_request(self, hit: Hit) -> Request | None:
        """Return the request for a hit's document, or None if the listing has all there is."""
        if self.spec.document is None or not hit.url or hit.text is not None:
            return None
        at = self.spec.document.url
        url = at.replace(DOCUMENT, quote(hit.key, safe="", errors="replace")) if at else hit.url
        if self.spec.document.suffix:
            url = without_parts(url, self.spec.results.key_ignores)
        url = self.spec.document.address(url)
        request = self._get(url)
        if self.spec.document.body:
            body = self.spec.document.body.replace(DOCUMENT, json.dumps(hit.key)[1:-1])
            asked = msgspec.structs.replace(request, method="POST", body=body.encode())
            return with_headers(asked, {"Content-Type": "application/json"})
        browser = Browsing() if self.spec.document.browser else None
        return msgspec.structs.replace(request, browser=browser)

    def _get(self, url: str) -> Request:
        return Request(url, headers=tuple(own_headers(self.spec, url).items()))

    def text_request(self, response: Response) -> Request | None:
        """Return the request for the text that a document's page links to, or None if no link."""
        page = self.spec.document
        if page is None or not page.text_link:
            return None
        answer = parse(response, "html")
        link = href(read_select(page.text_link).first(answer.root))
        url = next(absolute_urls([link], answer), "") if link else ""
        return self._get(url) if url else None

    def document(
        self, hit: Hit, response: Response | None = None, of_text: Response | None = None
    ) -> Document:
        """Read a hit's document from its page, or, without a page, from its listing.

        Without a page, the text is the listing's text, or else its snippet. The language is the one
        the source gives, or else the one the page declares. A field of the page is preferred to the
        same field of the row. Attachments are the files that its text links, and those beside it
        (`BESIDE`), which may be the site's; they are not fetched yet.

        Args:
            hit: The document's hit.
            response: Its own page.
            of_text: The page with its text, if its own page links to one.

        Raises:
            NoTextError: The page has no text where the spec expects it. Data with the hit's title
                and without a text are a document without one.
            PageError: The answer is no page.
        """
        page = self.spec.document
        if response is None or page is None:
            text = hit.snippet if hit.text is None else hit.text
            return Document(hit.key, hit.url, hit.title, text, hit.language, hit.fields)
        answer = self._own_part(hit, response, page.kind)
        shown = answer if of_text is None else parse(of_text, page.kind)
        text, title = read_document(page, shown)
        expected = page
        if not text and page.kind == "json" and title and title == hit.title:
            text = hit.text or hit.snippet  # the record has no text, as its title shows
        elif not text:
            where = main_part(hit, shown) if page.kind == "html" else ""
            if not where:
                raise no_text(page, shown, None)
            page = msgspec.structs.replace(page, text=where)
            text, _ = read_document(page, shown)
        if shown is not answer:
            _, title = read_document(page, answer)
        language = document_language(page, answer) or hit.language or page_language(page, answer)
        fields = hit.fields | page_fields(self.spec, answer, page.kind)
        linked = linked_files(page, shown)
        if shown is not answer:
            linked = linked_files(page, answer) | linked
        files = tuple(
            Attachment("", url, unread="" if is_own else BESIDE) for url, is_own in linked.items()
        )
        document = Document(hit.key, hit.url, title or hit.title, text, language, fields, files)
        if page is not expected:
            raise no_text(expected, shown, document)
        return document

    def main_text(self, hit: Hit, response: Response) -> str:
        """Return the text of the part of a page that has what its hit shows; "" if none has."""
        page = self.spec.document
        if page is None or page.kind != "html":
            return ""
        answer = parse(response, "html")
        where = main_part(hit, answer)
        return read_document(msgspec.structs.replace(page, text=where), answer)[0] if where else ""

    def with_page(self, hit: Hit, response: Response) -> Hit:
        """Return a hit with the title and the fields that its document's own page shows."""
        page = self.spec.document
        if page is None:
            return hit
        answer = self._own_part(hit, response, page.kind)
        _, title = read_document(page, answer)
        fields = hit.fields | page_fields(self.spec, answer, page.kind)
        return msgspec.structs.replace(hit, title=title or hit.title, fields=fields)

    def _own_part(self, hit: Hit, response: Response, kind: Kind) -> Answer:
        """Return a document's page, or the part of it at its place."""
        answer = parse(response, kind)
        if self.spec.results.places and kind == "html":
            at_place(answer, urldefrag(hit.url).fragment or response.place)
        return answer

    def part_request(self, first: Request, response: Response, number: int) -> Request | None:
        """Return the request for part `number` of a document, or None if there is no such part.

        Args:
            first: The request for its first page.
            response: The page of the previous part.
            number: Number of the part, from 2.
        """
        page = self.spec.document
        is_part = self.spec.results.places  # what a page leads to are other documents
        if page is None or page.kind != "html" or is_part:
            return None
        if not may_lead_on(response.body, number):
            return None
        url = next_part(parse(response, "html"), first.url, number)
        return msgspec.structs.replace(first, url=url) if url else None

    def with_part(self, document: Document, response: Response, earlier: str) -> Document | None:
        """Return a document with one more part, or None if that part has nothing new."""
        assert self.spec.document is not None  # `part_request` gave the request
        text, _ = read_document(self.spec.document, parse(response, "html"))
        new = new_text(text, earlier)
        if not new or new in document.text:
            return None
        return msgspec.structs.replace(document, text=f"{document.text}\n{new}")
