"""The types for finding one page on a site, and the interface of all algorithms.

A site consists of pages and labelled links; an explorer sees only the pages that it requested.
"""

from collections.abc import Mapping
from typing import Protocol

import msgspec


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """A link, as seen on the page that contains it.

    Attributes:
        target: Key of the page that it leads to.
        label: Words of the link itself (the anchor), in order.
        context: Words around it.
        url: Words of the last part of its URL.
        path: Words of the URL's folders.
    """

    target: str
    label: tuple[str, ...]
    context: tuple[str, ...] = ()
    url: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


class SitePage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A page as words.

    Attributes:
        key: Identifies the page. It may differ from the requested key: after a redirect, with a
            canonical URL, or for equal content under two URLs.
        words: All its words, with repeats.
        links: Its links, in the page's order.
        title: Words of the title.
        heading: Words of the first heading.
    """

    key: str
    words: tuple[str, ...]
    links: tuple[Link, ...] = ()
    title: tuple[str, ...] = ()
    heading: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """The result of a search.

    Attributes:
        key: The page found; None if there is none, or none that is certain enough.
        confidence: 0 to 1; each algorithm says how well it is calibrated.
        downloads: Pages requested, with failed ones.
        runners_up: Further pages with their confidence, best first.
    """

    key: str | None
    confidence: float
    downloads: int
    runners_up: tuple[tuple[str, float], ...] = ()


class Explorer(Protocol):
    """Search for one page, without I/O, and deterministic for a seed.

    `next` returns a key; exactly one `tell` or `fail` follows; and so on until it returns the
    answer. No page is requested twice.
    """

    def next(self) -> str | Answer:
        """Return the key of the next page to download, or the answer."""

    def tell(self, page: SitePage) -> None:
        """Process the page requested last."""

    def fail(self, key: str) -> None:
        """Continue without the page requested last, which failed."""


def explore(explorer: Explorer, pages: Mapping[str, SitePage]) -> Answer:
    """Run an explorer to its end on a site held in memory; keys not in `pages` fail.

    >>> class Start:
    ...     asked = False
    ...     def next(self):
    ...         return Answer("home", 1.0, 1) if self.asked else "home"
    ...     def tell(self, page):
    ...         self.asked = True
    >>> explore(Start(), {"home": SitePage("home", ("deep", "web"))}).key
    'home'
    """
    while not isinstance(wanted := explorer.next(), Answer):
        if wanted in pages:
            explorer.tell(pages[wanted])
        else:
            explorer.fail(wanted)
    return wanted
