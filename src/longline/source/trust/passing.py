"""Detect the parts of links that change from one request of a hit to the next. No I/O.

A link may contain a session token, or the query. If documents are identified by their links, each
request would then return new documents. Such a part is the same in all links of a page and differs
on the next page, and a repeated hit has the same title, and the same link except for this part.
Once it is known, a repeated hit keeps its first key.
"""

import msgspec

from longline.model import Hit, Page
from longline.source.answer import canonical, parts_of, without_parts

LEAST_HITS = 2
"""Pages with fewer hits are not used to find common parts of links."""

LEAST_PAGES = 5
"""On this many pages a part must be the same in all links, with another value each time."""

ENOUGH_LOOKS = 3
"""This many repeated hits under another link prove that a part of it changes."""

MOST_PAGES = 200
"""After this many pages the detection stops."""


class PassingParts:
    """Give hits with changing links the key that they had first.

    Only for sources whose keys are links.

    Attributes:
        same: First keys of hits that were repeated before the changing part was known, by later
            key.

    >>> passing = PassingParts()
    >>> def page(token, *names):
    ...     links = [f"https://x.example/{name}?sid={token}" for name in names]
    ...     return Page(tuple(map(Hit, links, links, names)))
    >>> for token, names in (("k1", "ab"), ("k2", "bc"), ("k3", "ca"), ("k4", "ad"), ("k5", "de")):
    ...     seen = passing.settled(page(token, *names))
    >>> [hit.key for hit in passing.settled(page("k6", "b", "f")).hits]
    ['https://x.example/b?sid=k1', 'https://x.example/f?sid=k6']
    """

    def __init__(self) -> None:
        self._own: set[str] = set()  # parts that differ between the links of a page
        self._shared: dict[str, set[str]] = {}  # values of each part that is the same in a page
        self._hits: list[Hit] = []  # while the changing parts are unknown
        self._pages = 0
        self._names: tuple[str, ...] = ()  # of parts that may change
        self._is_sure = False
        self._first: dict[str, Hit] = {}  # by link without these parts
        self._again = 0
        self._counted = 0  # number of hits compared
        self.same: dict[str, str] = {}  # first keys, by later keys of the same hits

    def settled(self, page: Page) -> Page:
        """Record a page; return it with the final keys of its hits."""
        if not self._is_sure and self._pages < MOST_PAGES:
            self._learn(page)
            return page
        return self.keyed(page)

    def keyed(self, page: Page) -> Page:
        """Return a page with the final keys of its hits."""
        if not self._is_sure:
            return page
        hits = tuple(
            msgspec.structs.replace(hit, key=self._first.setdefault(self._rest(hit), hit).key)
            for hit in page.hits
        )
        return msgspec.structs.replace(page, hits=hits)

    def _rest(self, hit: Hit) -> str:
        return without_parts(canonical(hit.url) if hit.url else hit.key, self._names)

    def _learn(self, page: Page) -> None:
        linked = [hit for hit in page.hits if hit.url and hit.key == canonical(hit.url)]
        self._pages += 1
        self._hits += linked
        links = [parts_of(hit.url) for hit in linked]
        for name in set[str]().union(*links) if len(links) >= LEAST_HITS else ():
            values = {link.get(name) for link in links}
            value = values.pop()
            if values or value is None:
                self._own.add(name)
            else:
                self._shared.setdefault(name, set()).add(value)
        self._look_again()
        if self._is_sure:
            kept = {hit.key: self._first[self._rest(hit)].key for hit in self._hits}
            self.same = {key: first for key, first in kept.items() if key != first}
        if self._is_sure or self._pages == MOST_PAGES:
            self._hits = []

    def _look_again(self) -> None:
        """Check if hits were repeated whose links differ only in parts that may change."""
        names = tuple(
            sorted(
                name
                for name, values in self._shared.items()
                if len(values) >= LEAST_PAGES and name not in self._own
            )
        )
        if names != self._names:
            self._names, self._first, self._again, self._counted = names, {}, 0, 0
        if not names:
            return
        for hit in self._hits[self._counted :]:
            same = self._first.setdefault(self._rest(hit), hit)
            if same.key == hit.key:
                continue
            if not hit.title or same.title != hit.title:
                self._own.update(names)
                return
            self._again += 1
        self._counted = len(self._hits)
        self._is_sure = self._again >= ENOUGH_LOOKS
