"""A list in parts: an index page leads to the pages that list documents, as from A to Z."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from urllib.parse import urljoin, urlsplit

from longline.discovery.answer import Link, ParsedAnswer, literal, text
from longline.discovery.asking.write_hits import write_records
from longline.discovery.reading import (
    LEAST_SCORE,
    find_records,
    find_selector,
    hits_on,
    next_selector,
    onwards,
)
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Page, Request
from longline.source.select import read_select
from longline.source.spec import Ask

INDEXES_TRIED = 2
LEAST_PARTS = 3
PARTS_SEEN = 3
MORE_SEEN = 5
MOSTLY = 0.5
"""Share of what a page says that stands in links to pages of its own, where it is a list."""

OTHERS = 0.1
"""Share of what parts list that may be parts, as links to the same in another order are."""

LEAST_LEFT = 10
"""Requests without which none is looked for."""


def begin_with_index(session: DiscoverySession, start: ParsedAnswer) -> Asking[bool]:
    """Find pages that a page leads to and that each list a part; say whether there are such.

    What is listed is taken for a part of what there is: nothing says that an index names all.
    """
    for parts in list(_groups(start))[:INDEXES_TRIED]:
        if session.left <= LEAST_LEFT:
            return False
        if (yield from _try_parts(session, start, parts)):
            return True
    return False


def _groups(start: ParsedAnswer) -> Iterator[list[Link]]:
    """Yield links that stand in one place of a page and lead to pages beside one another."""
    host = urlsplit(start.response.url)[1]
    own = [link for link in start.links if urlsplit(link.url)[1] == host]
    own = [link for link in own if link.url != start.response.url]
    by_place = [[*links] for _, links in groupby(sorted(own, key=_place), key=_place)]
    by_place = [links for links in by_place if len({link.url for link in links}) >= LEAST_PARTS]
    yield from sorted(by_place, key=len, reverse=True)


def _place(link: Link) -> str:
    return link.place


def _try_parts(session: DiscoverySession, start: ParsedAnswer, parts: list[Link]) -> Asking[bool]:
    urls = list(dict.fromkeys(link.url for link in parts))
    probes = []
    for place in range(PARTS_SEEN):
        shown = yield from session.get_plainly(Request(urls[place * (len(urls) - 1) // 2]))
        if shown is None or shown.is_data:
            return False
        probes.append(shown)
    url = literal(start.response.url)
    session.start_from(start, Ask(url=url))
    session.probes, session.empty = probes, [start]
    records = find_records(probes, [start])
    is_list = records is not None and records.link and records.f1 == 1 and not records.by_rank
    if records is None or not is_list or records.score < LEAST_SCORE:
        return False
    if any(hits_on(records, [start]).values()) or len(records.elements) < 2:
        return False
    write_records(session, records)
    change_results(session, empty="", key_ignores=[])
    listed = set().union(*map(_addresses, map(session.read, probes)))
    files = _files(session, start, parts, listed)
    is_menu = len(listed & set(urls)) > OTHERS * len(listed)
    if not files or len(listed) < len(urls) / 2 or is_menu:
        return False
    if (yield from _lead_to_lists(session, sorted(listed - set(urls))[:2])):
        return False
    session.ask = Ask(url=url, lists="part")
    change_results(session, files=files)
    seen = {page.request.url for page in probes}
    yield from _learn_next(session, [each for each in urls if each not in seen])
    said = f"{len(urls)} pages that it leads to each list a part; nothing there takes words"
    session.find("ask.url", url, "sure", said)
    session.find("results.files", files, "sure", f"finds {len(urls)} pages of the index")
    return True


def _lead_to_lists(session: DiscoverySession, urls: list[str]) -> Asking[bool]:
    """Say whether what parts list are lists again, and no documents."""
    pages = []
    for url in urls:
        shown = yield from session.get_plainly(Request(url))
        pages += [shown] if shown is not None and not shown.is_data else []
    if len(pages) < len(urls):
        return False
    for page, other in zip(pages, reversed(pages), strict=True):
        known = {link.url for link in other.links}
        own = {link.url: link.text for link in page.links if link.url not in known}
        said = text(page.root)
        if not own or sum(map(len, own.values())) < MOSTLY * len(said):
            return False
    return True


def _addresses(page: Page | None) -> set[str]:
    return {hit.url for hit in page.hits} if page is not None else set()


def _files(
    session: DiscoverySession, start: ParsedAnswer, parts: list[Link], listed: set[str]
) -> str:
    """Return what finds the links to parts, on the index and on parts, and no hit; "" for none."""
    own = {link.url for link in parts}
    wanted = [(start, [link.element for link in parts])]
    for empty in ((), session.probes):
        selector, exact = find_selector(wanted, empty)
        links = f"{selector}::attr(href)"
        found = {
            urljoin(page.answer.base, link.get())
            for page in session.probes
            for link in (read_select(links).all(page.answer.root) if exact == 1 else ())
        }
        if exact == 1 and not found & (listed - own):
            return links
    return ""


def _leads_on(page: ParsedAnswer) -> bool:
    return bool(onwards(page, allow_post=False))


def _learn_next(session: DiscoverySession, further: list[str]) -> Asking[None]:
    """Learn how a part goes on, where its page leads on to hits that are new.

    Args:
        session: What is known.
        further: Addresses of other parts, for the case that no part that was seen goes on.
    """
    by_length = sorted(session.probes, key=lambda page: -len(session.keys(page)))
    longest = next((page for page in by_length if _leads_on(page)), by_length[0])
    for url in further[:MORE_SEEN] if not _leads_on(longest) else ():
        shown = yield from session.get_plainly(Request(url))
        if shown is not None and session.keys(shown) and _leads_on(shown):
            longest = shown
            break
    known = {key for page in session.probes for key in session.keys(page)}
    for click in onwards(longest, allow_post=False)[:INDEXES_TRIED]:
        shown = yield from session.get_plainly(click.request)
        if shown is not None and set(session.keys(shown)) - known:
            selector = next_selector([(longest, click.element)], session.empty)
            if selector:
                change_results(session, next=selector)
                session.find("results.next", selector, "likely", "brought further documents")
            return
