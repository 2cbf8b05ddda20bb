"""Find routes to a source's documents that need no search.

These are a dump that a page names, a search index, a sitemap, OAI-PMH, a feed, and the list that
some sources return for an empty query. Each is examined with a few requests; its documents are
counted, or estimated from a part, and compared with known hits.
"""

from collections.abc import Sequence
from math import ceil
from typing import Literal, NamedTuple
from urllib.parse import urljoin

import msgspec

from longline.discovery.routes.empty_search import EmptySearch
from longline.discovery.routes.index_files import index_places
from longline.discovery.routes.site_offers import (
    Likeness,
    dumps_in,
    feeds_in,
    oai_bases_in,
    oai_list,
    pages_of_index,
    read_feed,
    sitemap_lines,
    sitemap_urls,
    text_of_page,
)
from longline.discovery.session import Asking
from longline.errors import LonglineError
from longline.events import AnyEvent, RequestFailed, ResponseReceived
from longline.model import Finish, Hit, Page, Request, Response
from longline.ports import GeneratorPolicy
from longline.source import Spec
from longline.text.numbers import counted

Kind = Literal["dump", "index", "sitemap", "oai-pmh", "feed", "listing"]

SITEMAPS_SAMPLED = 3
"""How many files of a sitemap index are counted; the others are assumed to be similar."""

OAI_PATHS = ("/oai", "/oai/request", "/cgi/oai2", "/oai2d")
"""Usual OAI-PMH paths: several repositories, DSpace, EPrints, Invenio."""

INDEXES = 2
"""How many possible indexes of the site's own scripts are requested."""

FEEDS = 2
"""How many feeds are requested."""

EVERYTHING = ("", "*")
"""Queries that may return all documents, to try if the spec names none."""

DEPTHS = (10, 100)
"""Divisors of a list's last page: the pages tried after it, besides the return limit."""


LIMITS = (10_000, 1000, 500, 200, 100, 50, 20)
"""Usual return limits, to try if the limit is not known."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A route to documents that a site offers in addition to its search.

    Attributes:
        kind: Kind of route.
        url: Where it begins.
        documents: Documents it leads to, as counted or announced; None if unknown.
        lists: Requests for its own files or pages, without the documents' pages; None if
            unknown.
        found: Share of the known hits that it lists; None if unknown.
        is_reckoned: Whether `documents` is estimated from a part.
        total: Documents of the source, if a list announces an exact total.
        note: Other observations.
    """

    kind: Kind
    url: str
    documents: int | None = None
    lists: int | None = None
    found: float | None = None
    is_reckoned: bool = False
    total: int | None = None
    note: str = ""


class RouteFinder(GeneratorPolicy[Request, Response]):
    """Look for routes to a source's documents that need no search.

    Args:
        spec: How the source is queried, for the list without a query.
        hits: Known hits, which show what the documents' URLs look like.
        form: The page with the search form, if the source has one.
        robots: The site's robots.txt; None to request it.
        limit: The return limit of the search; None if unknown.
        word: A word in many documents: if the limit is unknown, it tests how many hits of its
            answer can be reached.
        max_requests: Limit of HTTP requests.

    Attributes:
        offers: Routes found so far.
        shown: Minimum number of hits that the word's answer shows; None if not tested.

    >>> from longline.source import read_spec
    >>> spec = read_spec('''
    ... [source]
    ... name = "shop"
    ... url = "https://shop.example/"
    ... [ask]
    ... url = "https://shop.example/search?q={query}"
    ... [results]
    ... hit = "li"
    ... link = "a"
    ... ''')
    >>> RouteFinder(spec, (), robots="").next().url
    'https://shop.example/'
    """

    def __init__(
        self,
        spec: Spec,
        hits: Sequence[Hit],
        *,
        form: Response | None = None,
        robots: str | None = None,
        limit: int | None = None,
        word: str = "",
        max_requests: int = 15,
    ) -> None:
        super().__init__(self._planned())
        self._spec = spec
        self._form = form
        self._likeness = Likeness(hits)
        self._robots = robots
        self._limit = limit
        self._word = word
        self._max_requests = max_requests
        self._home = spec.source.url
        self.offers: list[Offer] = []
        self.shown: int | None = None
        self.requests = 0

    def next(self) -> Request | Finish:
        """Return the next request, or stop at the request limit."""
        if self.requests >= self._max_requests:
            spent = counted(self.requests, "request was", "requests were")
            self.stop(Finish(f"{spent} spent on other routes", False))
        return super().next()

    def tell(self, event: AnyEvent) -> None:
        """Record a response or a failure, and the requests it cost."""
        match event:
            case ResponseReceived(_, response, requests):
                self.came = response
                self.requests += requests
            case RequestFailed(_, _, requests):
                self.requests += max(requests, 1)

    def _planned(self) -> Asking[Finish]:
        yield from self._look()
        return Finish("every other route was looked for")

    def _look(self) -> Asking[None]:
        home = yield Request(self._home)
        if self._robots is None:
            robots = yield Request(urljoin(self._home, "/robots.txt"))
            self._robots = "" if robots is None else robots.body.decode("utf-8", "replace")
        for url in dumps_in(home, self._robots):
            note = "it was not opened: whether it holds the same documents is not known"
            self.offers.append(Offer(kind="dump", url=url, lists=1, note=note))
        yield from self._index(home)
        yield from self._sitemaps()
        if self._word and self._limit is None:
            yield from self._try_limit()
        yield from self._listing()
        yield from self._oai(home)
        for url in feeds_in(home)[:FEEDS]:
            yield from self._feed(url)

    # The index of the site's own scripts.

    def _index(self, home: Response | None) -> Asking[None]:
        places = [] if home is None else index_places(home.url, text_of_page(home))
        for place in places[:INDEXES]:
            answer = yield Request(place.url)
            pages = [] if answer is None else pages_of_index(answer)
            if pages:
                urls = [urljoin(place.base, page["url"]) for page in pages]
                alike, found = self._likeness.counted(urls)
                texts = sum(len(page["text"]) for page in pages) // len(pages)
                known = len(self._likeness)
                note = f"{found} of {known} hits are in it; it holds {texts:,} characters of a text"
                share = found / known if known else None
                documents = alike or len(pages)
                self.offers.append(
                    Offer(
                        kind="index",
                        url=place.url,
                        documents=documents,
                        lists=1,
                        found=share,
                        note=note,
                    )
                )
                return

    # Sitemaps.

    def _sitemaps(self) -> Asking[None]:
        named = sitemap_lines(self._robots or "")
        for url in (named or [urljoin(self._home, "/sitemap.xml")])[:SITEMAPS_SAMPLED]:
            answer = yield Request(urljoin(self._home, url))
            if answer is None:
                continue
            is_index, urls = sitemap_urls(answer)
            if urls and is_index:
                yield from self._sitemap_index(url, urls)
            elif urls:
                alike, found = self._likeness.counted(urls)
                seen = _Seen(len(urls), alike, found, len(self._likeness))
                self.offers.append(_sitemap(url, seen, 1))

    def _sitemap_index(self, url: str, files: list[str]) -> Asking[None]:
        step = max(1, ceil(len(files) / SITEMAPS_SAMPLED))
        sampled = files[::step][:SITEMAPS_SAMPLED]
        counts: list[tuple[int, int, int]] = []
        for file in sampled:
            answer = yield Request(urljoin(url, file))
            if answer is not None:
                urls = sitemap_urls(answer)[1]
                counts.append((len(urls), *self._likeness.counted(urls)))
        if not counts:
            return
        part = len(files) / len(counts)
        listed, alike, found = (sum(column) for column in zip(*counts, strict=True))
        is_whole = len(counts) == len(files)
        known = (found, len(self._likeness)) if is_whole else (0, 0)
        seen = _Seen(round(listed * part), round(alike * part), *known)
        part_read = None if is_whole else f"{len(counts)} of its {len(files)} files"
        self.offers.append(_sitemap(url, seen, 1 + len(files), part_read))

    # The listing without a query.

    def _listing(self) -> Asking[None]:
        everything = self._spec.ask.dialect.all
        for text in EVERYTHING if everything is None else (everything,):
            try:
                search = EmptySearch(self._spec, self._form, text)
                answer = yield search.first()
                page = None if answer is None else search.page(1, answer)
            except LonglineError:
                continue
            if page is not None and page.hits:
                offer = yield from self._depth(search, page)
                self.offers.append(msgspec.structs.replace(offer, total=page.exact_total))
                return

    def _try_limit(self) -> Asking[None]:
        """Request a page far down a word's answer, then nearer ones until one exists."""
        try:
            search = EmptySearch(self._spec, self._form, self._word)
            answer = yield search.first()
            page = None if answer is None else search.page(1, answer)
        except LonglineError:
            return
        if page is None or page.next is None or page.total is None:
            return
        rows = len(page.hits)
        depths = [depth for depth in LIMITS if rows < depth < page.total.documents]
        for depth in (page.total.documents, *depths):
            number = max(2, ceil(depth / rows))
            request = search.jump(page, number, rows)
            if request is None:
                return
            if (yield from self._is_there(search, number, request, page)):
                self.shown = min(number * rows, page.total.documents)
                return
        self.shown = rows

    def _is_there(
        self, search: EmptySearch, number: int, request: Request, first: Page
    ) -> Asking[bool]:
        """Return whether a page has hits, and does not just repeat the first page."""
        answer = yield request
        try:
            there = None if answer is None else search.page(number, answer)
        except LonglineError:
            return False
        shown = {hit.key for hit in first.hits}
        return there is not None and not {hit.key for hit in there.hits} <= shown

    def _depth(self, search: EmptySearch, page: Page) -> Asking[Offer]:
        """Find how far a list can be read, starting with its last page."""
        rows = len(page.hits)
        total = None if page.total is None else page.total.documents
        url = search.first().url
        if page.next is None:
            known = total or rows
            note = "" if known <= rows else f"it shows {rows:,} of {counted(known, 'document')}"
            return Offer(kind="listing", url=url, documents=rows, lists=1, note=note)
        wanted = total or 100 * (self._limit or 10 * rows)
        last = ceil(wanted / rows)
        for number in _depths(last, self._limit, rows):
            request = search.jump(page, number, rows)
            if request is None:
                note = "its pages follow each other by a cursor; how far was not tried"
                pages = None if total is None else ceil(total / rows)
                return Offer(kind="listing", url=url, documents=total, lists=pages, note=note)
            if (yield from self._is_there(search, number, request, page)):
                return _listed(url, number, rows, total if number == last else None, self._limit)
        return _listed(url, ceil((self._limit or rows) / rows), rows, None, self._limit)

    # OAI-PMH and feeds.

    def _oai(self, home: Response | None) -> Asking[None]:
        bases = oai_bases_in(home) or [urljoin(self._home, path) for path in OAI_PATHS]
        for base in bases:
            identified = yield Request(f"{base}?verb=Identify")
            if identified is None or b"<Identify" not in identified.body:
                continue
            answer = yield Request(f"{base}?verb=ListIdentifiers&metadataPrefix=oai_dc")
            rows, size, goes_on = (0, None, False) if answer is None else oai_list(answer)
            if rows:
                documents = size if goes_on else rows
                note = "it gives records: titles and descriptions, seldom whole texts"
                pages = None if documents is None else ceil(documents / rows)
                self.offers.append(
                    Offer(kind="oai-pmh", url=base, documents=documents, lists=pages, note=note)
                )
            return

    def _feed(self, url: str) -> Asking[None]:
        answer = yield Request(url)
        if answer is None:
            return
        entries, is_paged = read_feed(answer)
        if entries:
            alike = self._likeness.counted(entries)[0]
            note = "it has further pages; how many was not tried" if is_paged else "the newest"
            self.offers.append(
                Offer(kind="feed", url=url, documents=alike or len(entries), lists=1, note=note)
            )


def _depths(last: int, limit: int | None, rows: int) -> list[int]:
    """Return the pages of a list to try, the farthest first.

    >>> _depths(60, limit=100, rows=50), _depths(1000, limit=None, rows=10)
    ([60, 6, 2], [1000, 100, 10])
    """
    pages = [last, *(last // part for part in DEPTHS)]
    pages += [ceil(limit / rows)] if limit is not None else []
    return sorted({max(2, page) for page in pages if page <= last}, reverse=True)


class _Seen(NamedTuple):
    """Counts of a sitemap: its URLs, those like the hits', and those of the `hits` known hits."""

    listed: int
    alike: int
    found: int
    hits: int


def _sitemap(url: str, seen: _Seen, files: int, sampled: str | None = None) -> Offer:
    """Summarise a sitemap of some files; `sampled` says which part was read, if not all."""
    parts = [f"{seen.alike:,} of {seen.listed:,} addresses look like those of the hits"]
    if seen.hits:
        parts.append(f"{seen.found} of {seen.hits} hits are in it")
    if sampled:
        parts.append(f"reckoned from {sampled}")
    return Offer(
        kind="sitemap",
        url=url,
        documents=seen.alike,
        lists=files,
        found=seen.found / seen.hits if seen.hits else None,
        is_reckoned=sampled is not None,
        note="; ".join(parts),
    )


def _listed(url: str, number: int, rows: int, total: int | None, limit: int | None) -> Offer:
    """Summarise a list whose page `number` exists; `total` is given if that is its last page."""
    shown = total or number * rows
    note = "its last page is there" if total else f"page {number} is there, and not many more"
    if limit is not None and shown > limit:
        note += f": it goes on beyond the return limit of {limit:,}"
    elif limit is not None and shown == limit:
        note = f"it ends at the return limit of {limit:,}"
    return Offer(kind="listing", url=url, documents=shown, lists=ceil(shown / rows), note=note)
