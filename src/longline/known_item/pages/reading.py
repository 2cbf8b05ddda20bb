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
from longline.text.url import is_action

MOST_WORDS = 20_000
"""The most words of a page; later ones add nothing new."""

MOST_LINKS = 3_000
"""The most links of a page; then as many again whose label or URL has a word of the query."""

LEAST_CONTENT_WORDS = 8
"""Pages with fewer words are never taken as equal: shells filled by scripts, frames."""

SAME_CONTENT_WORDS = 100
"""Pages with fewer words are equal only if they also have the same images and links."""

_WRITTEN = frozenset({"", "text", "search"})
_PRIVATE = frozenset({"password", "email", "tel", "file"})


class Form(msgspec.Struct, frozen=True):
    """A form, reduced to what shows its purpose.

    Attributes:
        text_inputs: The number of one-line text boxes.
        is_private: Whether it asks for a password, an e-mail address, a phone number or a file.
    """

    text_inputs: int
    is_private: bool


class HtmlPage(SitePage, frozen=True, omit_defaults=True):
    """A page of a site, with its forms and its URL."""

    forms: tuple[Form, ...] = ()
    address: str = ""


class Reader:
    """Read the responses of one site, and recognise equal pages.

    A page is recognised under another URL by a redirect, by its canonical link, or by equal
    content. Each (target, label) of a page is one link, however often it occurs. A link without
    words of its own is labelled by the text near it, else by its URL. Links to the page itself
    are left out.

    Args:
        site: Gives keys to URLs.
        query: Words for choosing the links of a page with more than `MOST_LINKS`.
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
        """Return the key of the page that a link leads to, or None, with equal pages merged."""
        key = self._site.key(link, base)
        return key if key is None else self.same(key)

    def same(self, key: str) -> str:
        """Return the main key of a page that may have several."""
        return self._same_as.get(key, key)

    def read(self, response: Response, asked: str) -> HtmlPage | None:
        """Return a response as a page; None if it is no HTML, or belongs to another site.

        Args:
            response: The response.
            asked: Key of the page that was requested.
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
            if is_action(self._site.url(key)):
                continue
            if key == own and not anchor.label:
                continue  # it reloads the page
            url, path = map(words, spoken(key))
            context = words(seen.context(anchor))
            label = words(anchor.label) or context or url
            if (key, label) not in told:
                told.add((key, label))
                self._linked.add(key)
                yield Link(key, label, context, url, path)

    def _speaks_of_it(self, anchor: Anchor) -> bool:
        """Return whether a link probably has a word of the query, by a fast check."""
        text = f"{anchor.label} {anchor.href}".casefold()
        return any(word in text for word in self._query)

    def _known_as(self, own: str, digest: bytes, canonical: str | None) -> str:
        """Return the key of a page's first copy, or its own if it is the first."""
        if digest in self._first_with:
            return self._first_with[digest]
        key = own
        # A canonical link is a hint, and often wrong: pages with different content that name the
        # same URL are different pages, so only the first one is trusted.
        if canonical is not None and canonical != own and not self._is_taken(canonical):
            key, other = (canonical, own) if canonical in self._linked else (own, canonical)
            self._same_as[other] = key
        self._first_with[digest] = key
        return key

    def _is_taken(self, key: str) -> bool:
        return key in self._same_as.values() or key in self._first_with.values()

    def _heading(self, seen: Seen, key: str) -> tuple[str, ...]:
        """Return the first heading that no other page has, because all share the site's banner."""
        for text in seen.headings:
            heading = words(text)
            if heading and self._headings.setdefault(heading, key) == key:
                return heading
        return ()


def _digest(own: str, text: tuple[str, ...], root: Any) -> bytes:
    """Return a digest that is equal for pages with equal content."""
    content = [*text] if len(text) >= LEAST_CONTENT_WORDS else [own]
    if len(text) < SAME_CONTENT_WORDS:
        # The folder may differ for the same content, as on mirrors.
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
