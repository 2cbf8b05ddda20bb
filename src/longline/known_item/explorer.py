"""The nouns of finding one page in a site, and what every way of finding it promises.

A site is pages and labelled links; an explorer sees nothing of it but the pages it asked for.
"""

from collections.abc import Mapping
from typing import Protocol

import msgspec


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """A link, as it is seen on the page that holds it.

    Attributes:
        target: Key of the page it leads to.
        label: Words of the link itself (the anchor), in order.
        context: Words around it.
        url: Words of the address it leads to: of its last part.
        path: Words of the address's folders.
    """

    target: str
    label: tuple[str, ...]
    context: tuple[str, ...] = ()
    url: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


class SitePage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A page, read into words.

    Attributes:
        key: What makes the page itself. It may be another than was asked for: a redirect, a
            canonical address, equal content under two addresses.
        words: All its words, repeats included.
        links: In the page's order.
        title: Words of the title.
        heading: Words of the first heading.
    """

    key: str
    words: tuple[str, ...]
    links: tuple[Link, ...] = ()
    title: tuple[str, ...] = ()
    heading: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """The end of a search.

    Attributes:
        key: The page found; None where there is none, or none to be sure enough of.
        confidence: 0 to 1; how calibrated it is, the algorithm says.
        downloads: Pages that were asked for, those that could not be had included.
        runners_up: Further pages with their confidence, best first.
    """

    key: str | None
    confidence: float
    downloads: int
    runners_up: tuple[tuple[str, float], ...] = ()


class Explorer(Protocol):
    """Look for one page: sans I/O, deterministic for a seed.

    `next` names a page; exactly one `tell` or `fail` follows; and so on until it answers.
    No page is asked for twice.
    """

    def next(self) -> str | Answer:
        """Say which page to download next, by key, or how the search ended."""

    def tell(self, page: SitePage) -> None:
        """Be told the page last asked for."""

    def fail(self, key: str) -> None:
        """Be told that the page last asked for could not be had."""


def explore(explorer: Explorer, pages: Mapping[str, SitePage]) -> Answer:
    """Run an explorer to its end on a site held in memory; a key not in `pages` fails.

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
