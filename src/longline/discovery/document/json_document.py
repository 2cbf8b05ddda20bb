"""Documents of a source that answers with JSON: in the listing, or at addresses of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urljoin

from longline.discovery.answer import ParsedAnswer, is_element, text
from longline.discovery.document.own_page import (
    first_hits,
    is_of,
    own_request,
    searches_more,
)
from longline.discovery.document.own_text import from_listing, is_whole, said, write_document
from longline.discovery.reading import (
    element_selector,
    leaves_of,
    says_search,
    with_place,
    with_place_inside,
)
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Browsing, Exchange, Hit
from longline.source import is_view
from longline.source.select import UNSEEN

LEAST_LEFT = 10
"""Requests without which documents are not looked for where nothing leads."""

LINKED = 3
"""Hits whose links are looked for on a shown page."""


def learn_data_document(session: DiscoverySession) -> Asking[None]:
    """Find the documents' whole text: in the listing, behind links, or where a page gets it."""
    hits = first_hits(session)
    if (yield from _by_link(session, hits)):
        return
    listing = yield from _shown_listing(session)
    if listing is not None and session.left > 10 and (yield from _by_view(session, listing)):
        return
    if not (yield from _by_custom(session)):
        from_listing(session)


def _shown_listing(session: DiscoverySession) -> Asking[ParsedAnswer | None]:
    """Return a page that shows some of the hits that are known; None without a browser."""
    if session.typing is None or session.data_hits is None:
        return None
    shown, known = session.typing.shown, [answer.words for answer in session.data_hits.items]
    if shown is not None and shown.words not in known and session.left > 20:
        # It showed a hit or two, which is no list.
        again = yield from session.get(session.typing.request(known[0]), known[0])
        return again or shown
    return shown


def _by_link(session: DiscoverySession, hits: list[Hit]) -> Asking[bool]:
    """Read what the hits' links lead to, where it is the documents; say whether it is."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for hit in [hit for hit in hits if hit.url][:2]:
        shown = yield from session.get(own_request(session, hit.url))
        if shown is None or not is_of(shown, hit):
            return False
        pages.append((hit, shown))
    return bool(pages) and write_document(session, pages)


def _by_custom(session: DiscoverySession) -> Asking[bool]:
    """Ask for documents where interfaces often have them; say whether they are there.

    /books/7 or /books(7) beside /books?q=sea, where the list has no more than a part of a text.
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
    for template in templates:
        if session.left > LEAST_LEFT and (
            yield from _by_template(session, hits.key, template, pairs)
        ):
            return session.document is not None
    return False


def _items_and_hits(session: DiscoverySession) -> Iterator[tuple[Any, Hit]]:
    """Yield what answers hold of their hits, with the hits."""
    assert session.data_hits is not None
    for answer, items in session.data_hits.items.items():
        read = session.read(answer)
        yield from zip(items, read.hits if read else (), strict=False)


def _held(item: Any, path: str) -> str:
    return str(dict(leaves_of(item)).get(path, ""))


# Documents that a script shows.


def _by_view(session: DiscoverySession, listing: ParsedAnswer) -> Asking[bool]:
    """Open two documents as the shown page links to them, and see where they get their text."""
    assert session.data_hits is not None
    found = _linked(session, listing)
    if len(found) < 2:
        return (yield from _by_press(session, listing))
    path, template = found[0][0], found[0][2] if found[0][2] == found[1][2] else ""
    if template and (yield from _by_plain_view(session, path, template, found[:2])):
        return True
    pages: list[tuple[Hit, ParsedAnswer]] = []
    sent: list[tuple[str, tuple[Exchange, ...]]] = []
    for _, value, own, hit in found[:2]:
        url = own.replace("{link}", quote(value, safe="/"))
        shown = yield from session.get(own_request(session, url, Browsing()))
        if shown is None:
            return False
        pages.append((hit, shown))
        sent.append((value, shown.response.sent))
    data = _data_template(sent)
    if data and (
        yield from _by_template(session, path, data, [(v, h) for _, v, _, h in found[:2]])
    ):
        return True
    if not template or not all(is_of(shown, hit) for hit, shown in pages):
        return False
    before = session.results
    change_results(session, link=f"jmes:{path}", link_template=template)
    if write_document(session, pages, in_browser=True):
        if session.document is None:
            session.results = before
            from_listing(session)
        else:
            session.find("results.link_template", template, "likely", "as the page itself links")
        return True
    session.results = before
    return False


def _by_plain_view(
    session: DiscoverySession, path: str, template: str, found: list[tuple[str, str, str, Hit]]
) -> Asking[bool]:
    """Read documents where the shown page links to them, without a browser; say whether it does."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for _, value, _, hit in found if "#" not in template else ():
        url = template.replace("{link}", quote(value, safe="/"))
        shown = yield from session.get(own_request(session, url))
        if shown is None or not is_of(shown, hit):
            return False
        pages.append((hit, shown))
    before = session.results
    change_results(session, link=f"jmes:{path}", link_template=template)
    if len(pages) < 2 or not write_document(session, pages) or session.document is None:
        session.results = before
        return False
    session.find("results.link_template", template, "sure", "as the page links; asked plainly")
    return True


def _by_press(session: DiscoverySession, listing: ParsedAnswer) -> Asking[bool]:
    """Press two hits that the shown page has no links for, and see what it asks for then."""
    assert session.typing is not None
    found = _shown_titles(session, listing)
    if len(found) < 2:
        return False
    sent: list[tuple[Exchange, ...]] = []
    shown_at: list[str] = []
    for _, _, selector in found:
        typing = replace(session.typing, more=selector)
        shown = yield from session.get(typing.request(listing.words, further=1))
        if shown is None:
            return False
        sent.append(shown.response.sent)
        shown_at.append(shown.response.url)
    hits = [hit for hit, _, _ in found]
    for path in [path for path in found[0][1] if all(path in held for _, held, _ in found)]:
        values = [str(held[path]) for _, held, _ in found]
        if len(set(values)) < len(values):
            continue
        data = _data_template(list(zip(values, sent, strict=True)))
        pairs = list(zip(values, hits, strict=True))
        if data and (yield from _by_template(session, path, data, pairs)):
            return True
        views = {with_place(url, value) for url, value in zip(shown_at, values, strict=True)}
        view = views.pop()
        both = [(path, value, view, hit) for value, hit in pairs]
        if view and not views and (yield from _by_plain_view(session, path, view, both)):
            return True
    return False


def _shown_titles(
    session: DiscoverySession, listing: ParsedAnswer
) -> list[tuple[Hit, dict[str, Any], str]]:
    """Return two hits whose titles a shown page has: with what each holds, and its selector."""
    assert session.data_hits is not None
    hits = session.data_hits
    answers = [a for a in hits.items if a.words == listing.words]
    found: list[tuple[Hit, dict[str, Any], str]] = []
    for answer in answers[:1]:
        read = session.read(answer)
        for hit, item in zip(read.hits if read else (), hits.items[answer], strict=False):
            held = dict(leaves_of(item))
            first = [path for path in (hits.key, *held) if path in held]
            selector = _of_text(listing, hit.title)
            if selector and len(found) < 2:
                found.append((hit, {path: held[path] for path in first}, selector))
    return found


def _of_text(listing: ParsedAnswer, title: str) -> str:
    """Return a selector of the innermost element that shows a title alone; "" without one."""
    wanted = " ".join(title.split())
    for element in listing.root.iter() if wanted else ():
        if not is_element(element) or text(element) != wanted or element.tag in UNSEEN:
            continue
        if not any(is_element(inner) and text(inner) == wanted for inner in element):
            # Selectors do not lead into a component's own tree.
            is_inside = any("-" in outer.tag for outer in element.iterancestors())
            return f"text:{wanted}" if is_inside else element_selector(listing, element)
    return ""


def _linked(session: DiscoverySession, listing: ParsedAnswer) -> list[tuple[str, str, str, Hit]]:
    """Return hits that a shown page links to: path and value that the link holds, its template.

    Those of one template where there are two; a link may hold something else of its hit, too.
    """
    assert session.data_hits is not None
    hits = session.data_hits
    answers = [a for a in hits.items if a.words == listing.words] or list(hits.items)
    found: list[tuple[str, str, str, Hit]] = []
    paths = [path for path in (hits.key, *hits.leaves) if path]
    for answer in answers[:1]:
        read = session.read(answer)
        for hit, item in zip(read.hits if read else (), hits.items[answer], strict=False):
            held = {path: str(value) for path, value in leaves_of(item)}
            for path in dict.fromkeys(paths):
                template = _template_on(listing, held.get(path, ""))
                if template and (not found or found[0][0] == path):
                    found.append((path, held[path], template, hit))
                    break
            if len(found) >= LINKED:
                break
    alike = [each for each in found if each[2] == found[0][2]]
    return alike if len(alike) > 1 else found


def _template_on(listing: ParsedAnswer, value: str) -> str:
    """Return the address of a link that holds a value, with its place; "" where none does."""
    if not value:
        return ""
    for element in listing.root.iter("a"):
        link = (element.get("href") or "").strip()
        if link.startswith("#") and not is_view(link[1:]):
            continue
        try:
            url = urljoin(listing.answer.base, link)
        except ValueError:
            continue
        template = with_place(url, value)
        if template:
            return template
    return ""


def _data_template(sent: list[tuple[str, tuple[Exchange, ...]]]) -> str:
    """Return the address that a document's page gets its text from, with a place for its key."""
    (value, exchanges), *others = sent
    best, longest = "", 0
    for exchange in exchanges:
        response = exchange.response
        if response is None or exchange.request.method != "GET" or b"{" not in response.body[:2]:
            continue
        for place in (with_place, with_place_inside):
            template = place(exchange.request.url, value)
            again = {place(other.request.url, own) for own, more in others for other in more}
            if template and template in again and len(response.body) > longest:
                best, longest = template, len(response.body)
    return best


def _by_template(
    session: DiscoverySession, path: str, template: str, values: list[tuple[str, Hit]]
) -> Asking[bool]:
    """Ask plainly for documents where their page gets them; say whether that does."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for value, hit in values:
        url = template.replace("{link}", quote(value, safe="/"))
        shown = yield from session.get(own_request(session, url))
        if shown is None or not shown.is_data or not is_of(shown, hit):
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
