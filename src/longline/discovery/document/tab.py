"""Find which of a document's tabs or formats, each with an address, has the complete text."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from longline.discovery.answer import ParsedAnswer, parameters, text
from longline.discovery.document.own_page import (
    SAME,
    OwnPage,
    announces_whole,
    are_whole,
    lacks_words,
    own_request,
)
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.discovery.words import terms
from longline.model import Hit
from longline.source import absolute_urls, leads_to_file, without_parts
from longline.source.spec import DocumentPage

_NUMBER = re.compile(r"(?:\d|^)/?$")
"""Matches the end of an addition that is only a page number, or empty."""

_LANGUAGE = re.compile(
    r"[?&](?:lang(?:uage|ue)?|locale|hl|lng|idioma|sprache|lingua|taal)=|[?&]\w+=[a-z]{2}(?:[-_][A-Z]{2})?$",
    re.IGNORECASE,
)
"""Matches an addition that chooses a language: it leads to another text, or to a translation."""

LONGER = 2
"""A format has the document's text if it has more than this many times the page's own words."""

MOST_TABS = 3
"""Maximum number of further tabs of a document to read."""


def text_tab(session: DiscoverySession, pages: list[OwnPage]) -> Asking[tuple[str, list[OwnPage]]]:
    """Look on further tabs for the words that found documents, if their first pages lack them.

    A format of the document, such as `/7.txt` for `/7`, has its text if it is much longer; so has
    a page that a link announces as the text, or that has all of the first page and more.

    Returns:
        The suffix of a document's address for the tab, such as "?tab=text", and the tabs; "" and
        the given pages if these have the words, or no tab has.
    """
    sought = missing(session, pages)
    known = [] if session.results is None else session.results.key_ignores
    ignored = [*known, *_shared(pages)]
    first, *others = [list(dict.fromkeys(_suffixes(*page, ignored))) for page in pages]
    of_each = (each for each in first if all(each in other for other in others))
    whole = _announced(*pages[0], ignored)
    wanted = (each for each in of_each if sought or each.startswith(".") or each in whole)
    for suffix in islice(wanted, MOST_TABS):
        place = DocumentPage("", suffix=suffix)
        tabs: list[OwnPage] = []
        for hit, shown in pages:
            tab = yield from session.get(
                own_request(session, place.address(without_parts(hit.url, ignored)))
            )
            if tab is None or tab.is_data or text(tab.root) == text(shown.root):
                break
            tabs.append((hit, tab))
        if len(tabs) < len(pages):
            continue
        parts, wholes = ([shown for _, shown in each] for each in (pages, tabs))
        if suffix in whole:
            is_text = is_longer(tabs, pages) or are_whole(parts, wholes)
        else:
            is_text = _hold(sought, pages, tabs) if sought else is_longer(tabs, pages)
        if is_text:
            if ignored != known:
                change_results(session, key_ignores=ignored)
            return suffix, tabs
    return "", pages


def is_longer(tabs: list[OwnPage], pages: list[OwnPage]) -> bool:
    """Return whether pages have many more words of their own than others."""
    return _own_words(tabs) > LONGER * _own_words(pages)


def _own_words(pages: list[OwnPage]) -> int:
    """Return the number of different words outside links, without those that all pages share."""
    said = [set(terms(text(shown.root))) - _linked(shown) for _, shown in pages]
    shared = set.intersection(*said) if len(said) > 1 else set()
    return sum(len(each - shared) for each in said)


def _linked(shown: ParsedAnswer) -> set[str]:
    return {term for link in shown.links for term in terms(link.text)}


def missing(session: DiscoverySession, pages: list[OwnPage]) -> list[tuple[str, str]]:
    """Return keys of documents, each with words that found it but are not in its page's text.

    Words in the list of hits do not count as missing. Words on all pages are not part of a text.
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
    """Return whether all missing words occur more often on the tabs than on the first pages."""
    before = {hit.key: text(shown.root).lower() for hit, shown in pages}
    on_tab = {hit.key: text(shown.root).lower() for hit, shown in tabs}
    words = [(key, word[:SAME]) for key, asked in sought for word in terms(asked)]
    return all(on_tab[key].count(word) > before[key].count(word) for key, word in words)


def _shared(pages: list[OwnPage]) -> list[str]:
    """Return the parameters that are the same in all documents' addresses, such as a state."""
    first, *others = [parameters(hit.url) for hit, _ in pages]
    same = first.items() & set.intersection(*(set(each.items()) for each in others or [{}]))
    return sorted(name for name, _ in same)


def _suffixes(hit: Hit, shown: ParsedAnswer, ignored: Sequence[str]) -> Iterator[str]:
    """Yield what links of a document's page add to its address, without page numbers."""
    yield from _announced(hit, shown, ignored)
    for url in absolute_urls(shown.answer.root.xpath("//a/@href").getall(), shown.answer):
        if (suffix := _suffix(hit, url, ignored)) and not _NUMBER.search(suffix):
            yield suffix


def _announced(hit: Hit, shown: ParsedAnswer, ignored: Sequence[str]) -> list[str]:
    """Return what links to the complete document add to its address."""
    found = (_suffix(hit, link.url, ignored) for link in shown.links if announces_whole(link.text))
    return list(filter(None, found))


def _suffix(hit: Hit, url: str, ignored: Sequence[str]) -> str:
    own = without_parts(hit.url, ignored).rstrip("/")
    starts = ("/", "&") if "?" in own else ("/", "?", ".")
    suffix = url.removeprefix(own)
    is_text = suffix != url and not (leads_to_file(suffix) or _LANGUAGE.search(suffix))
    return suffix if is_text and suffix.startswith(starts) else ""
