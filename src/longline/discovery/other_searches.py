"""Find other searches on the same site, which a harvest of the learnt one leaves out.

A site may have a search for each of its lists, collections or editions. One place links their
pages, by URLs that differ in one part, and the URL of the learnt search also has that part.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import quote, quote_plus

import msgspec

from longline.discovery.answer import Link, ParsedAnswer, parameters, place_of
from longline.discovery.asking import LEFT_OUT
from longline.discovery.gate import rarest_in
from longline.discovery.session import Asking, DiscoverySession
from longline.model import Hit, Request
from longline.source import parts_of, without_parts
from longline.source.spec import FacetField

MOST_TRIED = 3
"""How many other searches are tried, two requests each; if one has other documents, all count."""

LEAST_PART = 2
"""Letters the differing part of URLs must have: one is a page number, or a letter of a list."""


FILTER, MOST_COUNTED = 3, 2
"""A parameter with so many values filters results; so many others are tried."""

_COUNT = re.compile(r"\d\W*$")
"""Matches a link that ends with a number, of results."""

_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2})?")
"""Matches a code that may be of a language."""

_TAB = re.compile(r"\btabs?\b|\btab[-_]|[-_]tabs?\b", re.IGNORECASE)
"""Matches classes and roles of tabs."""


def note_other_searches(session: DiscoverySession) -> Asking[None]:
    """Find other searches that return documents which the learnt one does not find.

    If the given address is the page of one search among them, only that one is wanted.
    """
    ask = session.ask
    if ask is None or ask.form is not None or not session.probes:
        return
    if session.split_by:  # another setting of the form finds what this one does not
        return
    best = max(session.probes, key=lambda shown: len(session.keys(shown)))
    own = session.request(best.words)
    others = list(_others(session, own.url))
    if (yield from _split_by_tabs(session, best, own)):
        return
    counted = {
        name: [f"{own.url}&{name}={quote(value)}"]
        for name, value in _counted(best, session)[:MOST_COUNTED]
    }
    for name, urls in (counted | _languages(best, own.url)).items():
        request = msgspec.structs.replace(own, url=urls[0])
        if (yield from _has_others(session, best.words, request, name)):
            session.left_out = urls
            said = f"the answer to {best.words!r} links to it, with documents not found here"
            session.find("source.left_out", ", ".join(urls), "sure", said, LEFT_OUT)
            return
    for _, part, other in others[:MOST_TRIED]:
        request = msgspec.structs.replace(own, url=_with(own.url, part, other))
        if (yield from _has_others(session, best.words, request)):
            session.left_out = [url for url, replaced, _ in others if replaced == part]
            said = f"asked for {best.words!r}, {request.url} brings what is not found here"
            session.find("source.left_out", ", ".join(session.left_out), "sure", said, LEFT_OUT)
            return


def _split_by_tabs(session: DiscoverySession, page: ParsedAnswer, own: Request) -> Asking[bool]:
    """Harvest each tab above the hits by itself if one has other documents; return whether so."""
    for name, values in _tabs(page).items() if not session.facets else ():
        for value in values[:MOST_TRIED]:
            request = msgspec.structs.replace(own, url=f"{own.url}&{name}={quote(value)}")
            if len(values) > 1 and (yield from _has_others(session, page.words, request)):
                session.facets = {name: FacetField(name, values=values, required=True)}
                seen = f"{page.words!r} brings other documents on the tab {value}"
                session.find(f"facets.{name}", name, "sure", seen)
                return True
    return False


def _languages(page: ParsedAnswer, own: str) -> dict[str, list[str]]:
    """Return the URLs of the search in other languages, by the part of its URL that sets these."""
    found = defaultdict[str, list[str]](list)
    parts = parts_of(page.request.url)
    for link in page.links:
        given = parts_of(link.url)
        changed = [name for name in given if given[name] not in (parts.get(name), "{Q}")]
        if len(changed) != 1 or "{Q}" not in given.values():
            continue
        here, other = parts.get(changed[0], ""), given[changed[0]]
        if _LANGUAGE.fullmatch(here) and _LANGUAGE.fullmatch(other):
            found[changed[0]].append(_with(own, here, other))
    return {name: list(dict.fromkeys(urls)) for name, urls in found.items()}


def _tabs(page: ParsedAnswer) -> dict[str, list[str]]:
    """Return the values of each parameter that tabs above an answer add to the same search."""
    found = defaultdict[str, list[str]](list)
    for name, value, link in _added(page):
        if _TAB.search(_classes(link.element)):
            found[name].append(value)
    return {name: list(dict.fromkeys(values)) for name, values in found.items()}


def _counted(page: ParsedAnswer, session: DiscoverySession) -> list[tuple[str, str]]:
    """Return parameters that few links add to the same search, with how many results they bring.

    One with many values is a filter of the results.
    """
    found = {(name, value): link for name, value, link in _added(page)}
    times = Counter(name for name, _ in found)
    filters = {field.parameter for field in session.facets.values()}
    return [
        (name, value)
        for (name, value), link in found.items()
        if times[name] < FILTER and name not in filters and _COUNT.search(link.text)
    ]


def _added(page: ParsedAnswer) -> Iterator[tuple[str, str, Link]]:
    """Yield the links to the same search with one parameter more, with its name and value.

    Numbers do not count: they are the size of a page, or its place.
    """
    own = parameters(page.request.url)
    for link in page.links:
        given = parameters(link.url)
        added = [n for n in sorted(given.keys() - own.keys()) if not given[n].isdecimal()]
        is_same = place_of(link.url) == place_of(page.request.url) and "{Q}" in given.values()
        if is_same and len(added) == 1:
            yield added[0], given[added[0]], link


def _classes(element: Any) -> str:
    """Return the classes, roles and ids of an element and of the two around it."""
    around = [element, *islice(element.iterancestors(), 2)]
    return " ".join(each.get(name) or "" for each in around for name in ("class", "role", "id"))


def _others(session: DiscoverySession, own: str) -> Iterator[tuple[str, str, str]]:
    """Yield a page's URL, the part to replace in the search's URL, and that page's part."""
    held, named = set(parts_of(own).values()), set[str]()
    for page in session.visited:
        alike: dict[object, list[tuple[str, str]]] = defaultdict(list)
        for link in page.links:
            parts = parts_of(link.url)
            for name, value in parts.items():
                rest = frozenset(each for each in parts.items() if each[0] != name)
                alike[link.place, name, rest].append((link.url, value))
        for links in alike.values():
            at, part = next((link for link in links if link[1] in held), ("", ""))
            is_given = at.rstrip("/") == session.url.rstrip("/")
            for url, other in links if len(part) >= LEAST_PART and not is_given else ():
                if len(other) >= LEAST_PART and other not in held | named:
                    named.add(other)
                    yield url, part, other


def _with(url: str, part: str, other: str) -> str:
    """Return a URL with one part replaced by another.

    >>> _with("https://x.example/wa?S2=MAPS-L&q=maps", "MAPS-L", "BOOKS-L")
    'https://x.example/wa?S2=BOOKS-L&q=maps'
    """
    for way in (quote, quote_plus):
        pieces = re.split(rf"(?<=[=/]){re.escape(way(part))}(?=[&;/?]|$)", url, maxsplit=1)
        if len(pieces) > 1:
            return way(other).join(pieces)
    return url


def _has_others(
    session: DiscoverySession, words: str, request: Request, name: str = ""
) -> Asking[bool]:
    """Return whether an answer has a document that a query for its own rarest word does not find.

    If that query's answer has a next page, the document may be there: then the result is False.

    Args:
        session: The session.
        words: What is asked for.
        request: Another way to ask for it.
        name: The part of the address in which it differs, and links of its hits with it.
    """
    known = _hits(session, session.asked.get(words))
    keys, titles = _same(known, name), {hit.title for hit in known if hit.title}
    shown = yield from session.get(request, words)
    for hit in _hits(session, shown):
        if not _same([hit], name).isdisjoint(keys) or hit.title in titles:
            continue
        asked = rarest_in(session, f"{hit.title} {hit.snippet}", most=1)
        page = session.read((yield from session.search(asked)) if asked else None)
        if page is None or page.next is not None or (page.exact_total or 0) > len(page.hits):
            return False
        return all(
            hit.key != each.key and (not hit.title or hit.title != each.title) for each in page.hits
        )
    return False


def _same(hits: list[Hit], name: str) -> set[str]:
    """Return the keys of hits without a part of them that only names the way to ask."""
    return {without_parts(hit.key, [name]) if name else hit.key for hit in hits}


def _hits(session: DiscoverySession, shown: ParsedAnswer | None) -> list[Hit]:
    page = session.read(shown)
    return [] if page is None else [*page.hits]
