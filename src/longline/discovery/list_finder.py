"""The policy that looks for a list of a site's documents where nothing can be searched."""

from collections.abc import Sequence
from urllib.parse import urljoin

import numpy as np

from longline.discovery.answer import ParsedAnswer, Typing, as_data, kind_of, show, text
from longline.discovery.described import (
    GRAPHQL_PATHS,
    Operation,
    any_list,
    counted_by_odata,
    drawn_links,
    is_odata,
    listed_by,
    operation_at,
)
from longline.discovery.reading import addresses_in, directory_in, leaves_of, lists_in, longest_list
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.spec_finder import SpecFinder
from longline.errors import PageError
from longline.model import Browsing, Exchange, Finish, Request, Response
from longline.source import parse
from longline.text.numbers import counted

LEAST_ROWS = 12
"""With fewer rows than this, the data that a page holds for its scripts is taken for a menu."""

LEAST_SHOWN = 5
"""A page shows at least this many rows of a list that it draws."""

LEAST_LETTERS = 4
"""Shorter values may stand on a page by chance."""

TAGS = ("a", "b", "button", "dt", "h1", "h2", "h3", "h4", "h5", "li", "p", "span", "strong", "td")
"""Elements that may show a value alone; an option of a menu is no row of a list."""


class ListFinder(SpecFinder):
    """Find a list of a site's documents if nothing describes it and no search can be learnt.

    Looks where lists often are: OAI-PMH, search indexes, sitemaps, feeds.

    Args:
        url: URL of a page of the site.
        max_requests: Limit of HTTP requests.
        operations: Operations that the source describes.
        may_browse: Whether a browser may show documents whose pages have no text without one.

    >>> ListFinder("https://shop.example/a").next().url
    'https://shop.example/a'
    """

    def __init__(
        self,
        url: str,
        max_requests: int = 20,
        operations: Sequence[Operation] = (),
        *,
        may_browse: bool = False,
    ) -> None:
        super().__init__(url)
        self.operations = list(operations)
        self._may_browse = may_browse
        self._max_requests = max_requests

    def next(self) -> Request | Finish:
        """Return the next request, or stop at the request limit."""
        if self.requests >= self._max_requests:
            self.stop(Finish(f"{counted(self.requests, 'request')} found no list", False))
        return super().next()

    def _looked_for(self, url: str) -> Asking[None]:
        home = yield Request(url)
        session = self._session = DiscoverySession(
            url,
            np.random.default_rng(0),
            max_requests=self._max_requests,
            requests=self.requests,
            may_browse=self._may_browse,
        )
        own = [] if home is None else [operation_at(each) for each in _lists_at(url, home)]
        listed = yield from listed_by(session, self.operations or own)
        self._take_list(listed)
        if listed is not None and not listed.is_cut:
            return
        self._take_list((yield from any_list(session, url, home)))
        if self.spec is None and self._may_browse and not self.operations:
            yield from self._drawn(session)
        if self.spec is None:
            yield from self._of_graphql(session, [urljoin(url, path) for path in GRAPHQL_PATHS])

    def _drawn(self, session: DiscoverySession) -> Asking[None]:
        """Look for a list on the page as a browser shows it."""
        request = Request(session.url, browser=Browsing())
        drawn = yield request
        if drawn is None:
            return
        yield from self._by_examples(drawn)
        page = None if kind_of(drawn) != "html" else show("", request, drawn, 1)
        operations = self.operations
        if page is not None and not operations:
            session.typing = Typing(session.url, shown=page)
            operations = _fetched_lists(page)
        self._take_list((yield from listed_by(session, operations)))
        if page is not None and self.spec is None:
            self._take_list((yield from drawn_links(session, page)))


def _lists_at(url: str, home: Response) -> list[str]:
    """Return the given URL if it has rows, and the URLs named by JSON that is a directory."""
    try:
        data = parse(home, "json").root.root
    except PageError:
        return []
    rows = longest_list(data)
    if kind_of(home) == "html":
        return [url] if len(rows) >= LEAST_ROWS else []
    is_directory = bool(directory_in(data))
    found = [] if is_directory else [url]
    # The lists of an OData service are below its address, which may lack the slash at its end.
    base = f"{home.url.partition('?')[0].rstrip('/')}/" if is_odata(data) else home.url
    found += addresses_in(data, base) if is_directory or not rows else []
    return [*map(counted_by_odata, found), *found] if is_odata(data) else found


def _fetched_lists(drawn: ParsedAnswer) -> list[Operation]:
    """Return the addresses of lists that a script fetched and shows, the longest first.

    Args:
        drawn: The page, as a browser showed it.
    """
    said = {text(element) for element in drawn.root.iter(*TAGS)}
    shown: dict[str, int] = {}
    for exchange in drawn.response.sent:
        if exchange.request.method == "GET":
            shown[exchange.request.url] = _rows_shown(exchange, said)
    longest = sorted(shown, key=lambda url: -shown[url])
    where = drawn.response.url
    return [operation_at(url, where) for url in longest if shown[url] >= LEAST_SHOWN]


def _rows_shown(exchange: Exchange, said: set[str]) -> int:
    """Return how many rows of a fetched list have a value that stands alone on the page."""
    sent = as_data(exchange.request, exchange.response)
    lists = [] if sent is None else [rows for _, rows in lists_in(sent.data)]
    return max((sum(_is_shown(row, said) for row in rows) for rows in lists), default=0)


def _is_shown(row: object, said: set[str]) -> bool:
    values = (" ".join(str(value).split()) for _, value in leaves_of(row))
    return any(len(value) >= LEAST_LETTERS and value in said for value in values)
