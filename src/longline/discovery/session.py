"""What is known about a search interface so far, and how to send it another query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import numpy as np

from longline.discovery.answer import ParsedAnswer, Typing, as_data, show
from longline.discovery.findings import DOUBTS, Finding, Sureness
from longline.discovery.hopeless import HopelessError
from longline.discovery.reading import DataHits, FormGuess, Records
from longline.discovery.words import beginning
from longline.errors import PageError, SpecError
from longline.model import Browsing, Hit, Page, Query, Request, Response
from longline.source import Source, Spec
from longline.source.request import own_headers, with_headers
from longline.source.select import Kind, read_select
from longline.source.spec import Ask, Dialect, DocumentPage, FacetField, FieldPlace, Home, Results
from longline.text.numbers import counted

Result = TypeVar("Result")
Asking = Generator[Request, Response | None, Result]
"""A part of the plan: yields requests and is sent responses, None where a request failed."""

_ANY_DATA = Results(hit="jmes:@", key="jmes:@")
AGAIN = (("Cache-Control", "no-cache"),)
"""Headers that make a request differ from an earlier one, so that the cache does not answer it."""

_SENT = ("requests", "max_requests", "place", "_asked_anew")
"""Fields about what was sent, which stays true when a trial fails."""

FOR_NOTHING = (Query(()), Query(("*",)))
"""Queries that may list all documents: no words, and the usual wildcard."""


class OutOfRequests(Exception):
    """No more requests may be sent; only what is known by now can be used."""


@dataclass
class DiscoverySession:
    """Everything learnt so far, which each step updates.

    Attributes:
        url: Where discovery began.
        requests: HTTP requests sent so far.
        came: The last answer, also one that cannot be read as a page; None if none came.
        reason: Why the last answer did not come, or could not be read.
        unread: The same for pages on the way to the search, by URL.
        form_page: The page with the search form, which is `form_guess`.
        facets: Its fields that limit answers.
        fields: Fields of documents in addition to title and text.
        documents: Hits whose own pages were read, with those pages.
        may_browse: Whether a browser may show pages.
        plain: Why nothing was found without a browser, or None.
        kind: Format of result pages.
        typing: How the page was searched in a browser, if it was.
        visited: Pages on the way to the form.
        left_out: Pages of the site's other searches, which return other documents.
        split_by: A field of the form whose choices bring other documents each; "" if unknown.
        empty: Answers to nonsense words.
        status: HTTP status of the last failed request, or None if no response came.
        empty_status: HTTP status by which the source says that nothing was found.
        probes: First pages of answers with hits.
        listings: Pages that list documents without a query, or for a query that found none.
        other_listings: The same for ways to query that failed.
        shown_for_nothing: Keys of the hits of each answer to nonsense, as `results` finds them.
        hides_words: Hits do not show the query words: `texts` are those of documents' pages.
        fruitless: URLs of searches that returned no hits.
        place: Words and number of the last requested result page.
        described: URL patterns of single documents that the source names.
        settings: Parameters with values that leave nothing out, where it says that defaults do.
    """

    url: str
    rng: np.random.Generator
    words: Sequence[str] = ()
    allow_post: bool = False
    max_requests: int = 40
    may_browse: bool = False
    plain: HopelessError | None = None
    kind: Kind = "html"
    requests: int = 0
    came: Response | None = None
    reason: str = ""
    unread: dict[str, str] = field(default_factory=dict)
    status: int | None = None
    empty_status: int | None = None
    form_page: ParsedAnswer | None = None
    form_guess: FormGuess | None = None
    facets: dict[str, FacetField] = field(default_factory=dict)
    fields: dict[str, FieldPlace] = field(default_factory=dict)
    documents: list[tuple[Hit, ParsedAnswer]] = field(default_factory=list)
    visited: list[ParsedAnswer] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    split_by: str = ""
    empty: list[ParsedAnswer] = field(default_factory=list)
    probes: list[ParsedAnswer] = field(default_factory=list)
    listings: list[ParsedAnswer] = field(default_factory=list)
    other_listings: list[ParsedAnswer] = field(default_factory=list)
    asked: dict[str, ParsedAnswer] = field(default_factory=dict)
    records: Records | None = None
    data_hits: DataHits | None = None
    typing: Typing | None = None
    ask: Ask | None = None
    results: Results | None = None
    document: DocumentPage | None = None
    findings: dict[str, Finding] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    hides_words: bool = False
    fruitless: set[str] = field(default_factory=set)
    place: tuple[str, int] = ("", 0)
    described: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    _asked_anew: Counter[Request] = field(default_factory=Counter)
    _readings: dict[ParsedAnswer, tuple[Spec, Page | None, str]] = field(default_factory=dict)
    shown_for_nothing: tuple[Results | None, list[set[str]]] = (None, [])

    @property
    def left(self) -> int:
        """Requests that may still be sent."""
        return self.max_requests - self.requests

    @property
    def list_meant(self) -> str:
        """The name of the list in JSON that the address means, of several; "" for any."""
        return urlsplit(self.url).fragment

    def find(
        self, name: str, value: object, sure: Sureness, evidence: str, warning: str = ""
    ) -> None:
        """Record a finding, replacing an earlier one of the same name."""
        if sure in ("guess", "unknown") and not warning:
            warning = DOUBTS.get(name, "check it before a harvest")
        self.findings[name] = Finding(name, str(value), sure, evidence, warning)

    @property
    def brought(self) -> str:
        """The evidence for the way the source is queried, as text."""
        return f"{counted(len(self.probes), 'word')} brought what made-up words do not"

    @property
    def is_by_meaning(self) -> bool:
        """Whether every search returns the nearest documents, whatever its words."""
        return self.ask is not None and self.ask.ranking == "meaning"

    @contextmanager
    def trying(self, *names: str) -> Iterator[Callable[[], None]]:
        """Restore fields at the end of the block, unless the function given to it was called.

        They are restored as well if the plan is closed, or fails, at a request in the block.

        Args:
            names: The fields; by default all but those about what was sent.
        """
        tried = names or [each.name for each in fields(self) if each.name not in _SENT]
        before = {name: getattr(self, name) for name in tried}
        before |= {n: copy(value) for n, value in before.items() if isinstance(value, (dict, list))}
        kept: list[bool] = []
        try:
            yield lambda: kept.append(True)
        finally:
            for name, value in before.items() if not kept else ():
                setattr(self, name, value)

    # Sending requests.

    def joined(self, *terms: str) -> str:
        """Return a query that requires all terms, as far as the syntax is known."""
        assert self.ask is not None
        dialect = self.ask.dialect
        quote = dialect.quote if dialect.quote_all else "{term}"
        return dialect.and_.join(quote.replace("{term}", term) for term in terms)

    def get(
        self, request: Request, words: str = "", number: int = 1
    ) -> Asking[ParsedAnswer | None]:
        """Fetch a page, or return None if none came, with the reason in `reason`.

        If the server may keep the search in a session, earlier pages are requested again first.
        """
        if number == 1 or self.ask is None or not self._is_of_session(request, words):
            return (yield from self.get_plainly(request, words, number))
        if self.place != (words, number - 1):
            request = yield from self._return_to(request, words, number)
        return (yield from self.get_anew(request, words, number))

    def begin(self, ask: Ask, kind: Kind = "html", page: ParsedAnswer | None = None) -> None:
        """Start again with another way to query, found on `page` if that is given."""
        self.ask, self.kind, self.form_page = ask, kind, page or self.form_page
        self.results = self.records = self.data_hits = self.form_guess = self.empty_status = None
        self.probes, self.empty, self.asked, self.texts = [], [], {}, {}
        self.listings, self.other_listings = [], self.other_listings + self.listings

    def names(self, request: Request, words: str) -> bool:
        """Return whether a request for a later page contains the words, not only a session."""
        return Source(self._plain_spec()).names_query(_typed(words), request)

    def _is_of_session(self, request: Request, words: str) -> bool:
        """Return whether a request for a later page may continue the session's last search."""
        assert self.ask is not None
        is_known = self.ask.paging == "session"
        return is_known or (not self.ask.paging and not self.names(request, words))

    def _return_to(self, request: Request, words: str, number: int) -> Asking[Request]:
        """Request the pages before one again; return the last one's request for the next."""
        onward, at = self.request(words), 1
        while at < number:
            shown = yield from self.get_anew(onward, words, at)
            page, at = self.read(shown), at + 1
            if page is None or page.next is None:
                return request
            onward = page.next
        return onward

    def get_anew(
        self, request: Request, words: str, number: int = 1
    ) -> Asking[ParsedAnswer | None]:
        """Fetch a page again, not from the cache."""
        times = self._asked_anew[request] = self._asked_anew[request] + 1
        again = msgspec.structs.replace(request, headers=request.headers + AGAIN * times)
        return (yield from self.get_plainly(again, words, number))

    def get_plainly(
        self, request: Request, words: str = "", number: int = 1
    ) -> Asking[ParsedAnswer | None]:
        """Fetch a page without restoring the server's session first."""
        if self.left <= 0:
            raise OutOfRequests
        if words and request.browser is None and self.ask is not None:
            headers = own_headers(self._plain_spec(), request.url)
            browser = Browsing() if self.ask.browser else None
            request = with_headers(msgspec.structs.replace(request, browser=browser), headers)
        self.status = None
        self.place = (words, number) if words and not request.session else self.place
        response = self.came = yield request
        if response is None and words and self.status is not None:
            response = self._nothing(request)
        if response is None:
            return None
        is_part = self.kind == "html" and self.results is not None
        try:
            shown = show(words, request, response, number, "html" if is_part else None)
        except PageError as error:
            self.reason = error.message
            return None
        is_view = request.browser is not None
        if words and self.kind == "json" and not (is_view or shown.is_data):
            title = shown.answer.root.xpath("normalize-space(//title)").get()
            self.reason = f"a page titled {title!r} came where data was expected"
            return as_data(request, response, words, number)
        return shown

    def _nothing(self, request: Request) -> Response | None:
        """Return an empty page if the status is the one for no hits, otherwise None."""
        if self.status != self.empty_status:
            return None
        kind, body = ("application/json", b"{}") if self.kind == "json" else ("text/html", b"<p/>")
        return Response(url=request.url, status=self.status or 0, content_type=kind, body=body)

    def search(self, words: str) -> Asking[ParsedAnswer | None]:
        """Return the first page for words typed as given, cached if searched before."""
        if words in self.asked:
            return self.asked[words]
        shown = yield from self.ask_for(Query((words,)), words)
        if shown is not None:
            self.asked[words] = shown
        return shown

    def ask_for(
        self, query: Query, words: str = "", facets: Mapping[str, FacetField] | None = None
    ) -> Asking[ParsedAnswer | None]:
        """Return the first page of a query, or None if it cannot be sent or got no answer."""
        try:
            request = self._request(query, facets or {})
        except (PageError, SpecError, ValueError) as error:
            self.reason = str(error)
            return None
        return (yield from self.get(request, words))

    def request(self, words: str) -> Request:
        """Return the request for the first page of words typed as given."""
        return self._request(_typed(words), {})

    def _request(self, query: Query, facets: Mapping[str, FacetField]) -> Request:
        assert self.ask is not None  # a form was chosen
        source = Source(self._plain_spec(facets))
        if self.ask.form is not None and self.form_page is not None:
            source = source.with_form(self.form_page.response)
        return source.search_request(query)

    def _plain_spec(self, facets: Mapping[str, FacetField] | None = None) -> Spec:
        assert self.ask is not None
        dialect = Dialect(quote="", all="") if self.ask.takes_words else Dialect()
        ask = msgspec.structs.replace(self.ask, dialect=dialect)
        any_ = Results(hit="css:a", link="css:a") if self.kind == "html" else _ANY_DATA
        results = self.results or any_
        return Spec(self.home, ask, results, self.document, dict(facets or {}))

    # Reading.

    @property
    def home(self) -> Home:
        """The spec's first table."""
        name = (urlsplit(self.url).hostname or "source").removeprefix("www.")
        return Home(name, self.url, self.kind, left_out=self.left_out)

    def read(self, shown: ParsedAnswer | None) -> Page | None:
        """Read a page as a harvest would, by what is known so far, or return None if it cannot."""
        if shown is None or self.results is None:
            return None
        spec = self._plain_spec()
        # Long pages are slow to read, and every step needs each of them.
        if shown not in self._readings or self._readings[shown][0] != spec:
            self._readings[shown] = (spec, *_read(spec, shown))
        _, page, reason = self._readings[shown]
        self.reason = reason or self.reason
        is_nonsense = shown.words in {other.words for other in self.empty}
        if page and page.hits and not is_nonsense and self._stands_in(page):
            return Page(total=page.total)
        return page

    def _stands_in(self, page: Page) -> bool:
        """Return whether a page has the same hits as an answer to nonsense."""
        if self.shown_for_nothing[0] is not self.results:
            read = filter(None, map(self.read, self.empty))
            keys = [{hit.key for hit in other.hits} for other in read]
            self.shown_for_nothing = (self.results, [each for each in keys if each])
        return {hit.key for hit in page.hits} in self.shown_for_nothing[1]

    def keys(self, shown: ParsedAnswer | None) -> list[str]:
        """Return the keys of a page's hits; [] if it has none or cannot be read."""
        page = self.read(shown)
        if page is None or shown is None:
            return []
        for hit in () if self.hides_words else page.hits:
            # Complete texts have too many words to separate rare from frequent ones.
            is_all = self.kind == "json" or not (hit.title or hit.snippet)
            text = hit.snippet or (hit.text or "" if is_all else "")
            said = f"{hit.title} {beginning(text)}".strip()
            if len(said) > len(self.texts.get(hit.key, "")):
                self.texts[hit.key] = said
        return [hit.key for hit in page.hits]

    def elements(self, shown: ParsedAnswer) -> list[Any]:
        """Return the elements of a page's hits; [] for data."""
        if self.results is None or shown.is_data or self.kind == "json":
            return []
        return [hit.root for hit in read_select(self.results.hit).all(shown.answer.root)]

    @property
    def spec(self) -> Spec | None:
        """The spec as far as it is known, or None before the hits are."""
        if self.ask is None or self.results is None:
            return None
        return Spec(self.home, self.ask, self.results, self.document, self.facets, self.fields)


def _typed(words: str) -> Query:
    """Return the words as a query; "" queries everything."""
    return Query((words,) if words else ())


def _read(spec: Spec, shown: ParsedAnswer) -> tuple[Page | None, str]:
    """Return what a spec reads on a page, or None and the reason if it cannot."""
    query = Query((shown.words or "?",) if spec.ask.takes_words else ())
    try:
        page = Source(spec).page(query, shown.number, shown.request, shown.response)
    except (PageError, SpecError, ValueError) as error:
        return None, str(error)
    return page, ""


def change_ask(session: DiscoverySession, **changes: Any) -> None:
    """Change some keys of the ask table."""
    assert session.ask is not None
    session.ask = msgspec.structs.replace(session.ask, **changes)


def change_results(session: DiscoverySession, **changes: Any) -> None:
    """Change some keys of the results table."""
    assert session.results is not None
    session.results = msgspec.structs.replace(session.results, **changes)


def change_dialect(session: DiscoverySession, **changes: Any) -> None:
    """Change some keys of the dialect."""
    assert session.ask is not None
    change_ask(session, dialect=msgspec.structs.replace(session.ask.dialect, **changes))
