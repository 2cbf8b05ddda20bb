"""Find documents of a source with JSON answers: in the listing, or at their own addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise, permutations
from typing import NamedTuple
from urllib.parse import quote, urljoin

from longline.discovery.answer import ParsedAnswer, is_element, text
from longline.discovery.document.by_address import Way, by_custom, by_template
from longline.discovery.document.own_page import (
    first_hits,
    is_of,
    own_request,
    searches_more,
)
from longline.discovery.document.own_text import from_listing, said, shows_all, write_document
from longline.discovery.reading import (
    answers_sent,
    data_hits_in,
    element_selector,
    leaves_of,
    with_place,
    with_place_inside,
)
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Browsing, Exchange, Hit
from longline.source import absolute_urls, is_view, scripted
from longline.source.select import UNSEEN, slug

_PARTS = re.compile(r"[/?&=#]")
_STAMP = re.compile(r"(?<==)1\d{12}\b")
"""Milliseconds since 1970, which scripts send to avoid cached answers."""

NAMED = 2
"""Maximum number of addresses for scripts to request from a document's page."""

TOGETHER = (2, 3)
"""Numbers of values that may name a document together."""

LONGEST_NAME = 160
"""Maximum length in letters of a value that may name a document in an address."""

LINKED = 3
"""Maximum number of hits whose links are looked for on a shown page."""


def learn_data_document(session: DiscoverySession) -> Asking[None]:
    """Find the complete texts: in the listing, behind links, or where a page requests them."""
    hits = first_hits(session)
    if (yield from _by_link(session, hits)):
        return
    listing = yield from _shown_listing(session)
    if listing is not None and session.left > 10 and (yield from _by_view(session, listing)):
        return
    if not (yield from by_custom(session)):
        from_listing(session)


def _shown_listing(session: DiscoverySession) -> Asking[ParsedAnswer | None]:
    """Return a page that shows some of the known hits; None without a browser."""
    if session.typing is None or session.data_hits is None:
        return None
    shown, known = session.typing.shown, [answer.words for answer in session.data_hits.items]
    if shown is not None and shown.words not in known and session.left > 20:
        # It showed one or two hits, which are not a list.
        again = yield from session.get(session.typing.request(known[0]), known[0])
        return again or shown
    return shown


def _by_link(session: DiscoverySession, hits: list[Hit]) -> Asking[bool]:
    """Read the pages behind the hits' links; return whether they are the documents."""
    assert session.data_hits is not None
    pages = yield from _own_pages(session, hits)
    is_drawn = not pages and session.typing is not None and session.left > 10
    if is_drawn:
        pages = yield from _own_pages(session, hits, Browsing())
    known = {each.hit.key: each for each in _known(session, session.probes[0])}
    found = [known[hit.key] for hit, _ in pages if hit.key in known]
    sent = [shown.response.sent for _, shown in pages]
    if not is_drawn and searches_more(said(session.data_hits)):
        sent = yield from _named(session, pages)
    is_sent = len(found) == len(sent) > 1 and all(sent)
    if is_sent and (yield from _by_data(session, found, list(known.values()), sent)):
        return True
    return bool(pages) and write_document(session, pages, in_browser=is_drawn)


def _own_pages(
    session: DiscoverySession, hits: list[Hit], browser: Browsing | None = None
) -> Asking[list[tuple[Hit, ParsedAnswer]]]:
    """Return the pages behind the links of two hits; [] if they are not the documents."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for hit in [hit for hit in hits if hit.url][:2]:
        shown = yield from session.get(own_request(session, hit.url, browser))
        if shown is None or not is_of(shown, hit):
            return []
        pages.append((hit, shown))
    return pages


def _named(
    session: DiscoverySession, pages: list[tuple[Hit, ParsedAnswer]]
) -> Asking[list[tuple[Exchange, ...]]]:
    """Request the addresses that documents' pages give for their scripts."""
    sent: list[tuple[Exchange, ...]] = []
    for _, shown in pages:
        named = (scripted(each)[1] for each in shown.root.iter() if is_element(each))
        exchanges = []
        for url in islice(absolute_urls(filter(None, named), shown.answer), NAMED):
            request = own_request(session, url)
            exchanges.append(Exchange(request, (yield request)))
        sent.append(tuple(exchanges))
    return sent


# Documents that a script shows.


def _by_view(session: DiscoverySession, listing: ParsedAnswer) -> Asking[bool]:
    """Open two documents as the shown page links to them, and find where they get their text."""
    known = _known(session, listing)
    named = _paired(known, _links_on(listing))
    found = _linked(listing, named)
    if len(found) < 2:
        return (yield from _by_press(session, listing, known))
    path, template = found[0].path, found[0].template
    if template != found[1].template:
        template = ""
    both = _unlike(path, template, [*found, *named]) if template else []
    if both and (yield from _by_plain_view(session, path, template, both)):
        return True
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for each in found[:2]:
        url = each.template.replace("{link}", quote(each.held[path], safe="/"))
        shown = yield from session.get(own_request(session, url, Browsing()))
        if shown is None:
            return False
        pages.append((each.hit, shown))
    sent = [shown.response.sent for _, shown in pages]
    if (yield from _by_data(session, found[:2], known, sent)):
        return True
    if not template:
        return (yield from _by_press(session, listing, known))
    if not all(is_of(shown, hit) for hit, shown in pages):
        return False
    before = session.results
    change_results(session, link=f"jmes:{path}", link_template=template)
    if write_document(session, pages, in_browser=True):
        session.find("results.link_template", template, "likely", "as the page itself links")
        return True
    session.results = before
    return False


def _by_plain_view(
    session: DiscoverySession, path: str, template: str, values: list[tuple[str, Hit]]
) -> Asking[bool]:
    """Read linked documents without a browser; return whether this works."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for value, hit in values if "#" not in template else ():
        url = template.replace("{link}", quote(value, safe="/"))
        shown = yield from session.get(own_request(session, url))
        if shown is None or not is_of(shown, hit):
            return False
        pages.append((hit, shown))
    before = session.results
    change_results(session, link=f"jmes:{path}", link_template=template)
    is_found = len(pages) > 1 and write_document(session, pages)
    if not is_found or (session.document is None and not all(map(shows_all, pages))):
        session.results = before
        return False
    session.find("results.link_template", template, "sure", "as the page links; asked plainly")
    return True


def _by_press(
    session: DiscoverySession, listing: ParsedAnswer, known: list[_Shown]
) -> Asking[bool]:
    """Press two hits without links on the shown page, and find what it then requests."""
    assert session.typing is not None
    found = _shown_titles(listing, known)
    if len(found) < 2:
        return False
    sent: list[tuple[Exchange, ...]] = []
    shown_at: list[str] = []
    for each in found:
        typing = replace(session.typing, more=each.selector)
        shown = yield from session.get(typing.request(listing.words, further=1))
        if shown is None:
            return False
        sent.append(shown.response.sent)
        shown_at.append(shown.response.url)
    if (yield from _by_data(session, found, known, sent)):
        return True
    for path, values in _names(found):
        views = {with_place(url, value) for url, value in zip(shown_at, values, strict=True)}
        view = views.pop()
        both = _unlike(path, view, [*found, *known]) if view and not views else []
        if both and (yield from _by_plain_view(session, path, view, both)):
            return True
    return False


class _Shown(NamedTuple):
    """A hit, and how a page shows it.

    Attributes:
        hit: The hit in the listing.
        held: Its values in the listing, by path; those that may name it come first.
        is_listed: Whether it was returned for the words that the page was queried with.
        selector: Selector of its title on the page.
        path: Path of the value in its link, or "".
        template: Its link, with a placeholder for that value, or "".
    """

    hit: Hit
    held: dict[str, str]
    is_listed: bool
    selector: str = ""
    path: str = ""
    template: str = ""


def _known(session: DiscoverySession, listing: ParsedAnswer) -> list[_Shown]:
    """Return all known hits, deduplicated, those that a page may show first."""
    assert session.data_hits is not None
    hits = session.data_hits
    # A page's script may ask for other hits than a harvest, as by a filter.
    sent = (data_hits_in(each, hits.path) for each in answers_sent(listing) if each.is_data)
    items = {answer: rows for each in sent if each for answer, rows in each.items.items()}
    items |= hits.items
    answers = sorted(items, key=lambda each: (each in hits.items, each.words != listing.words))
    found: dict[str, _Shown] = {}
    for place, answer in enumerate(answers):
        read = session.read(answer)
        for hit, item in zip(read.hits if read else (), items[answer], strict=False):
            held = {path: str(value) for path, value in leaves_of(item)}
            own = {path: held[path] for path in (hits.key, *held) if path in held}
            found.setdefault(hit.key, _Shown(hit, own | _slugs(own), is_listed=not place))
    return list(found.values())


def _slugs(held: dict[str, str]) -> dict[str, str]:
    """Return values in the form that a script may put into an address, by path, if that differs.

    >>> _slugs({"reference": "IP/20/123", "id": "7"})
    {"slug(reference, '_')": 'ip_20_123', "slug(reference, '-')": 'ip-20-123'}
    """
    made = {
        f"slug({path}, '{between}')": slug(value, between)
        for path, value in held.items()
        for between in "_-"
        if len(value) <= LONGEST_NAME and not value.isalnum()
    }
    return {path: value for path, value in made.items() if value and value not in held.values()}


def _by_data(
    session: DiscoverySession,
    found: list[_Shown],
    known: list[_Shown],
    sent: list[tuple[Exchange, ...]],
) -> Asking[bool]:
    """Request documents as the pages of two hits did; return whether this works."""
    urls = [exchange.request.url for exchanges in sent for exchange in exchanges]
    paired = {each.hit.key: each for each in _paired(known, urls)}
    both = [paired[each.hit.key] for each in found]
    for path, values in _names(both):
        data = _data_template(list(zip(values, sent, strict=True)))
        tried = _unlike(path, data, [*both, *paired.values()]) if data else []
        if tried and (yield from by_template(session, path, data, tried)):
            return True
    return False


def _names(found: list[_Shown]) -> Iterator[tuple[str, list[str]]]:
    """Yield paths whose values identify the hits, and the value for each hit."""
    for path in found[0].held:
        values = [each.held.get(path, "") for each in found]
        if all(values) and len(set(values)) == len(found):
            yield path, values


def _unlike(path: str, template: str, known: list[_Shown]) -> list[tuple[str, Hit]]:
    """Return the first hit, and the one whose values in the address differ most from it.

    This detects an address that contains more of a hit than the value in the placeholder.
    """
    first = known[0]
    parts = _PARTS.split(template.replace("{link}", first.held[path]))
    named = [(name, value) for name, value in first.held.items() if value in parts]
    others = [each for each in known[1:] if each.held.get(path)]
    other = max(others, key=lambda each: sum(each.held.get(n) != value for n, value in named))
    return [(each.held[path], each.hit) for each in (first, other)]


def _paired(known: list[_Shown], urls: Iterable[str]) -> list[_Shown]:
    """Return hits with values that addresses contain together, the most first, before all others.

    /maps/sheet/7 is an example: its number is unique only within the collection of maps.
    """
    runs: dict[tuple[tuple[str, ...], tuple[str, ...]], None] = {}
    for segments in [url.partition("?")[0].split("/")[3:] for url in urls]:
        for held in [each.held for each in known if each.is_listed]:
            at = {path: segments.index(v) for path, v in held.items() if v and v in segments}
            for size in TOGETHER:
                for paths in permutations(at, size):
                    places = list(pairwise(at[path] for path in paths))
                    between = ["/".join(["", *segments[n + 1 : m], ""]) for n, m in places]
                    if all(n < m for n, m in places) and "'" not in "".join(between):
                        runs[paths, tuple(between)] = None
    for paths, gaps in sorted(runs, key=lambda run: len(run[0])):
        named = [tuple(each.held.get(path, "") for path in paths) for each in known]
        if len(set(named)) == len(known) and len({first for first, *_ in named}) > 1:
            way = Way("", (paths[0], *chain(*zip(gaps, paths[1:], strict=True))))
            known = [
                each._replace(held={way.path: way.value(each.held)} | each.held) for each in known
            ]
    return known


def _shown_titles(listing: ParsedAnswer, known: list[_Shown]) -> list[_Shown]:
    """Return two hits whose titles are on a shown page, with the selector of each."""
    found: list[_Shown] = []
    for each in known:
        selector = _of_text(listing, each.hit.title) if each.is_listed else ""
        if selector and len(found) < 2:
            found.append(each._replace(selector=selector))
    return found


def _of_text(listing: ParsedAnswer, title: str) -> str:
    """Return a selector of the innermost element with only a title, or "" if there is none."""
    wanted = " ".join(title.split())
    for element in listing.root.iter() if wanted else ():
        if not is_element(element) or text(element) != wanted or element.tag in UNSEEN:
            continue
        if not any(is_element(inner) and text(inner) == wanted for inner in element):
            # Selectors do not reach into the tree of a web component.
            is_inside = any("-" in outer.tag for outer in element.iterancestors())
            return f"text:{wanted}" if is_inside else element_selector(listing, element)
    return ""


def _linked(listing: ParsedAnswer, known: list[_Shown]) -> list[_Shown]:
    """Return hits that a shown page links to, each with its link's template and value's path.

    If two have the same template, only those are returned: a link may contain other values, too.
    """
    found: list[_Shown] = []
    urls = _links_on(listing)
    for each in known:
        for path, value in each.held.items() if each.is_listed else ():
            template = next(filter(None, (with_place(url, value) for url in urls)), "")
            if value and template and (not found or found[0].path == path):
                found.append(each._replace(path=path, template=template))
                break
        if len(found) >= LINKED:
            break
    alike = [each for each in found if each.template == found[0].template]
    return alike if len(alike) > 1 else found


def _links_on(listing: ParsedAnswer) -> list[str]:
    """Return the addresses of a page's links that may show a document."""
    urls = []
    for element in listing.root.iter("a"):
        link = (element.get("href") or "").strip()
        if link.startswith("#") and not is_view(link[1:]):
            continue
        try:
            urls.append(urljoin(listing.answer.base, link))
        except ValueError:
            continue
    return urls


def _data_template(sent: list[tuple[str, tuple[Exchange, ...]]]) -> str:
    """Return the address a document's page gets its text from, with a placeholder, or ""."""
    (value, exchanges), *others = sent
    best, longest = "", 0
    for exchange in exchanges:
        response = exchange.response
        if response is None or exchange.request.method != "GET":
            continue
        for place in (with_place, with_place_inside):
            template = place(exchange.request.url, value)
            again = {
                _STAMP.sub("", place(other.request.url, own))
                for own, more in others
                for other in more
            }
            if template and _STAMP.sub("", template) in again and len(response.body) > longest:
                best, longest = template, len(response.body)
    return best
