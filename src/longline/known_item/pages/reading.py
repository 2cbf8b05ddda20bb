"""Read a response as a page of a site: its words, its links with their labels, its forms."""

from collections.abc import Collection, Iterator
from hashlib import blake2b
from typing import Any
from urllib.parse import urljoin

import msgspec

from longline.known_item.explorer import Link, SitePage
from longline.known_item.pages.html import Anchor, Seen, parse
from longline.known_item.pages.terms import words
from longline.known_item.pages.urls import Site, Traps, spoken
from longline.model import Response

MOST_WORDS = 20_000
"""Of one page; what comes after says nothing new about it."""

MOST_LINKS = 3_000
"""Of one page; then as many again whose label or address has a word of the query."""

LEAST_CONTENT_WORDS = 8
"""Pages with fewer words say too little to be the same: shells filled by scripts, frames."""

SAME_CONTENT_WORDS = 100
"""Pages with fewer words are the same only if they show the same images and links, too."""

_WRITTEN = frozenset({"", "text", "search"})
_PRIVATE = frozenset({"password", "email", "tel", "file"})


class Form(msgspec.Struct, frozen=True):
    """A form, as far as it tells what it is for.

    Attributes:
        text_inputs: Boxes to write a line into.
        is_private: It wants a password, an e-mail address, a number or a file.
    """

    text_inputs: int
    is_private: bool


class HtmlPage(SitePage, frozen=True, omit_defaults=True):
    """A page of a site, with its forms and the address that it came from."""

    forms: tuple[Form, ...] = ()
    address: str = ""


class Reader:
    """Read the responses of one site, each as the page that it is.

    A page is known again under another address: by a redirect, by its canonical link, by equal
    content. Each (target, label) of a page is one link, however often it is there. A link
    without words of its own is labelled by what is beside it, else by its address; one to the page
    itself is left out.

    Args:
        site: Gives keys to addresses.
        query: Words to choose the links of a page by that has more than `MOST_LINKS`.
    """

    def __init__(self, site: Site, query: Collection[str] = ()) -> None:
        self._site = site
        self._query = frozenset(query)
        self._traps = Traps()
        self._same_as: dict[str, str] = {}
        self._first_with: dict[bytes, str] = {}
        self._linked: set[str] = set()
        self._headings: dict[tuple[str, ...], str] = {}

    def key(self, link: str, base: str = "") -> str | None:
        """Return the key of the page that a link leads to, as far as it is known by now."""
        key = self._site.key(link, base)
        return key if key is None else self.same(key)

    def same(self, key: str) -> str:
        """Return the key by which a page is known that may have several."""
        return self._same_as.get(key, key)

    def read(self, response: Response, asked: str) -> HtmlPage | None:
        """Return the page that a response is; None where it is no HTML, or of another site.

        Args:
            response: What came.
            asked: Key of the page that was asked for.
        """
        own = self.key(response.url)
        root = None if own is None else parse(response.content_type, response.body)
        if own is None or root is None:
            return None
        base = _base(root, response.url)
        seen = Seen(root)
        title = words(seen.title)
        text = (*title, *words(f"{seen.description} {seen.text()}"))[:MOST_WORDS]
        links = tuple(self._links(seen, base, response.url, own))
        key = self._known_as(own, _digest(own, text, root), self.key(seen.canonical, base))
        if asked != key:
            self._same_as[asked] = key
        return HtmlPage(
            key,
            text,
            links,
            title,
            self._heading(seen, key),
            tuple(_forms(root)),
            response.url,
        )

    def _links(self, seen: Seen, base: str, address: str, own: str) -> Iterator[Link]:
        told: set[tuple[str, tuple[str, ...]]] = set()
        for anchor in seen.anchors:
            if len(told) >= 2 * MOST_LINKS:
                return
            if len(told) >= MOST_LINKS and not self._speaks_of_it(anchor):
                continue
            key = self.key(anchor.href, base)
            if key is None or self._traps.is_trap(self._site.url(key), found_on=address):
                continue
            if key == own and not anchor.label:
                continue  # it loads the page again
            url, path = map(words, spoken(key))
            context = words(seen.context(anchor))
            label = words(anchor.label) or context or url
            if (key, label) not in told:
                told.add((key, label))
                self._linked.add(key)
                yield Link(key, label, context, url, path)

    def _speaks_of_it(self, anchor: Anchor) -> bool:
        """Say whether a link has a word of the query, as far as that can be told fast."""
        text = f"{anchor.label} {anchor.href}".casefold()
        return any(word in text for word in self._query)

    def _known_as(self, own: str, digest: bytes, canonical: str | None) -> str:
        """Return the key of a page's first copy, or its own where it is the first."""
        if digest in self._first_with:
            return self._first_with[digest]
        key = own
        # A canonical link is a hint, and often wrong: pages of different content that name the
        # same address are different pages, so that only the first is taken at its word.
        if canonical is not None and canonical != own and not self._is_taken(canonical):
            key, other = (canonical, own) if canonical in self._linked else (own, canonical)
            self._same_as[other] = key
        self._first_with[digest] = key
        return key

    def _is_taken(self, key: str) -> bool:
        return key in self._same_as.values() or key in self._first_with.values()

    def _heading(self, seen: Seen, key: str) -> tuple[str, ...]:
        """Return the first heading that no other page has, as they all have the site's banner."""
        for text in seen.headings:
            heading = words(text)
            if heading and self._headings.setdefault(heading, key) == key:
                return heading
        return ()


def _digest(own: str, text: tuple[str, ...], root: Any) -> bytes:
    """Return what is equal for pages of equal content."""
    content = [*text] if len(text) >= LEAST_CONTENT_WORDS else [own]
    if len(text) < SAME_CONTENT_WORDS:
        # A page's folder may differ where its content does not, as mirrors have it.
        content += (path.rpartition("/")[2] for path in root.xpath("//body//@src|//body//@href"))
    return blake2b("\n".join(content).encode("utf-8", "replace"), digest_size=16).digest()


def _base(root: Any, address: str) -> str:
    written = next(iter(root.xpath("//base/@href")), "")
    try:
        return urljoin(address, str(written).strip())
    except ValueError:
        return address


def _forms(root: Any) -> Iterator[Form]:
    for form in root.iter("form"):
        kinds = [(field.get("type") or "").lower() for field in form.iter("input")]
        text_inputs = sum(kind in _WRITTEN for kind in kinds)
        yield Form(text_inputs, not _PRIVATE.isdisjoint(kinds))
