"""Documents of an interface at addresses of their own: customary ones, and those it describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from longline.discovery.answer import ParsedAnswer
from longline.discovery.document.own_page import is_of, own_request, searches_more
from longline.discovery.document.own_text import is_whole, said, write_document
from longline.discovery.reading import leaves_of, says_search
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Hit

LEAST_LEFT = 10
"""Requests without which documents are not looked for where nothing leads."""

DESCRIBED = 3
"""Addresses of documents that are tried of those that the source describes."""


def by_custom(session: DiscoverySession) -> Asking[bool]:
    """Ask for documents where interfaces often have them; say whether they are there.

    Where the source itself says, else /books/7 or /books(7) beside /books?q=sea, where the list has
    no more than a part of a text.
    """
    hits, ask = session.data_hits, session.ask
    assert hits is not None
    assert ask is not None
    place = ask.url.partition("?")[0]
    is_part = not hits.text or not is_whole(session) or searches_more(said(hits))
    pairs = [(_held(item, hits.key), hit) for item, hit in _items_and_hits(session)][:2]
    if not hits.key or not is_part or "{" in place or ask.body or len(pairs) < 2:
        return False
    above, _, last = place.rpartition("/")
    templates = [f"{place}/{{link}}", f"{place}({{link}})"]
    if pairs[0][0].startswith(last) or says_search(last):
        # Books(7), as OData names it; /books/search has them at /books/7
        templates = [f"{above}/{{link}}"]
    described = yield from _described(session, *pairs[0])
    for template in dict.fromkeys([*described, *templates]):
        if session.left > LEAST_LEFT and (
            yield from by_template(session, hits.key, template, pairs)
        ):
            return session.document is not None
    return False


def _described(session: DiscoverySession, value: str, hit: Hit) -> Asking[list[str]]:
    """Return where the source says that documents are, the longest answer for one first."""
    found: list[tuple[int, str]] = []
    for template in session.described[:DESCRIBED]:
        if session.left > LEAST_LEFT:
            shown = yield from _at(session, template, value, hit)
            if shown is not None:
                found.append((len(shown.response.body), template))
    return [template for _, template in sorted(found, reverse=True)]


def _items_and_hits(session: DiscoverySession) -> Iterator[tuple[Any, Hit]]:
    """Yield what answers hold of their hits, with the hits."""
    assert session.data_hits is not None
    for answer, items in session.data_hits.items.items():
        read = session.read(answer)
        yield from zip(items, read.hits if read else (), strict=False)


def _held(item: Any, path: str) -> str:
    return str(dict(leaves_of(item)).get(path, ""))


def by_template(
    session: DiscoverySession, path: str, template: str, values: list[tuple[str, Hit]]
) -> Asking[bool]:
    """Ask plainly for documents where their page gets them; say whether that does."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for value, hit in values:
        shown = yield from _at(session, template, value, hit)
        if shown is None:
            return False
        pages.append((hit, shown))
    before = session.results
    change_results(session, link=f"jmes:{path}", link_template=template)
    if not write_document(session, pages):
        session.results = before
        return False
    if session.document is not None:
        evidence = "asked plainly, two documents were there"
        session.find("results.link_template", template, "sure", evidence)
        session.find("results.link", f"jmes:{path}", "sure", evidence)
    return True


def _at(
    session: DiscoverySession, template: str, value: str, hit: Hit
) -> Asking[ParsedAnswer | None]:
    """Return the data of a document by what names it; None where they are not of it."""
    url = template.replace("{link}", quote(value, safe="/"))
    shown = yield from session.get(own_request(session, url))
    return shown if shown is not None and shown.is_data and is_of(shown, hit) else None
