"""The links on documents' pages to pages that are addressed like them."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from html import unescape

from longline.model import Response
from longline.source.answer import without_parts
from longline.text.url import places_of, resolve

MOST_SEEN = 200_000
"""After so many different links no more are looked at."""

FIRST = 5
"""So many pages show which links stand on every page."""

_HREF = re.compile(rb"<a\s[^>]*?href\s*=\s*[\"']?\s*([^\"'\s<>#]+)", re.IGNORECASE)
"""Links in HTML; looking for them in the bytes takes a tenth of the time that parsing takes."""


class NewLinks:
    """Collects the links on documents' pages whose addresses have the form of the page's own.

    Links that stand on all of the first pages are the site's menu.

    >>> links = NewLinks()
    >>> for number in range(FIRST):
    ...     body = b"<a href=/doc/all>All</a> <a href='/doc/%d#top'>Next</a> <a href=/x>"
    ...     url = f"https://x.example/doc/{number}"
    ...     links.see(Response(url=url, status=200, body=body % (number + 1)), url, ())
    >>> links.take()[:2], links.take()
    (('https://x.example/doc/1', 'https://x.example/doc/2'), ())
    """

    def __init__(self) -> None:
        self._pages = 0
        self._first = Counter[bytes]()  # links of the first pages
        self._held_back: list[tuple[list[bytes], str, str, Sequence[str]]] = []
        self._seen = set[bytes]()
        self._new: dict[str, None] = {}

    def see(self, page: Response, own: str, ignored: Sequence[str]) -> None:
        """Collect the links of a document's page that no page before had.

        Args:
            page: The page.
            own: The document's address.
            ignored: Parts of links that do not belong to an address, as in `key_ignores`.
        """
        links = list(dict.fromkeys(_HREF.findall(page.body)))
        self._pages += 1
        if self._pages > FIRST:
            self._add(links, page.url, own, ignored)
            return
        self._first.update(links)
        self._held_back.append((links, page.url, own, ignored))
        if self._pages == FIRST:
            self._seen.update(link for link, times in self._first.items() if times == FIRST)
            for each in self._held_back:
                self._add(*each)
            self._held_back.clear()

    def _add(self, links: list[bytes], base: str, own: str, ignored: Sequence[str]) -> None:
        new = [link for link in links if link not in self._seen]
        if not new or len(self._seen) > MOST_SEEN:
            return
        self._seen.update(new)
        form = places_of(own).form
        for link in new:
            with suppress(ValueError):
                url = resolve(unescape(link.decode("utf-8", "replace")), base)
                address = without_parts(url, ignored)
                if address != own and places_of(address).form == form:
                    self._new[address] = None

    def take(self) -> tuple[str, ...]:
        """Return the links collected since the last call."""
        new, self._new = tuple(self._new), {}
        return new
