"""Documents of several tabs, each with an address: which of them has what the search looks at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from longline.discovery.answer import ParsedAnswer, text
from longline.discovery.document.own_page import SAME, OwnPage, lacks_words, own_request
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import terms
from longline.model import Hit
from longline.source import absolute_urls
from longline.source.spec import DocumentPage

_NUMBER = re.compile(r"(?:\d|^)/?$")
"""At the end of what only goes on, or is nothing."""

MOST_TABS = 3
"""Further tabs of a document that are read."""


def text_tab(session: DiscoverySession, pages: list[OwnPage]) -> Asking[tuple[str, list[OwnPage]]]:
    """Look on further tabs for the words that found documents, where their first pages lack them.

    Returns:
        What is added to a document's address for the tab, such as "?tab=text", and the tabs; "" and
        the pages themselves where these have the words, or no tab has.
    """
    sought = _missing(session, pages)
    if not sought:
        return "", pages
    first, *others = [list(dict.fromkeys(_suffixes(*page))) for page in pages]
    of_each = (each for each in first if all(each in other for other in others))
    for suffix in islice(of_each, MOST_TABS):
        place = DocumentPage("", suffix=suffix)
        tabs: list[OwnPage] = []
        for hit, shown in pages:
            tab = yield from session.get(own_request(session, place.address(hit.url)))
            if tab is None or tab.is_data or text(tab.root) == text(shown.root):
                break
            tabs.append((hit, tab))
        if len(tabs) == len(pages) and _hold(sought, pages, tabs):
            return suffix, tabs
    return "", pages


def _missing(session: DiscoverySession, pages: list[OwnPage]) -> list[tuple[str, str]]:
    """Return keys of documents, with words that found them and are not in what their pages tell.

    Words in the list of hits do not count, and what stands on all pages stands around the text.
    """
    said = {hit.key: terms(text(shown.root)) for hit, shown in pages}
    around = set.intersection(*map(set, said.values())) if len(said) > 1 else set()
    own = {key: " ".join(w for w in words if w not in around) for key, words in said.items()}
    return [
        (hit.key, shown.words)
        for shown in session.probes
        if shown.words and (page := session.read(shown)) is not None
        for hit in page.hits
        if hit.key in own and lacks_words(shown.words, f"{hit.title} {hit.snippet} {own[hit.key]}")
    ]


def _hold(sought: list[tuple[str, str]], pages: list[OwnPage], tabs: list[OwnPage]) -> bool:
    """Say whether all words stand more often on the tabs than on the pages that lack them."""
    before = {hit.key: text(shown.root).lower() for hit, shown in pages}
    on_tab = {hit.key: text(shown.root).lower() for hit, shown in tabs}
    words = [(key, word[:SAME]) for key, asked in sought for word in terms(asked)]
    return all(on_tab[key].count(word) > before[key].count(word) for key, word in words)


def _suffixes(hit: Hit, shown: ParsedAnswer) -> Iterator[str]:
    """Yield what links of a document's page add to its address, but for numbers of pages."""
    own = hit.url.rstrip("/")
    starts = ("/", "&") if "?" in own else ("/", "?")
    for url in absolute_urls(shown.answer.root.xpath("//a/@href").getall(), shown.answer):
        suffix = url.removeprefix(own)
        if suffix != url and suffix.startswith(starts) and not _NUMBER.search(suffix):
            yield suffix
