"""Learn a list in parts: an index page, such as A to Z, links to pages that list documents."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, groupby
from typing import Any, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from longline.discovery.answer import Link, ParsedAnswer, compiles, literal, text
from longline.discovery.asking.write_hits import write_records
from longline.discovery.reading import (
    LEAST_SCORE,
    Records,
    find_records,
    find_selector,
    hits_on,
    next_selector,
    onwards,
)
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Request
from longline.source.select import read_select
from longline.source.spec import Ask, Results
from longline.text.numbers import counted

INDEXES_TRIED = 2
LEAST_PARTS = 3
LISTED = 9
"""Where an index has many parts, the sampled parts must list at least this many documents."""

LEVELS = 2
"""Maximum levels of index pages above the pages that list documents."""

PARTS_SEEN = 3
MORE_SEEN = 5
MOSTLY = 0.5
"""A page is a list if at least this share of its text is in links of its own, or in hits."""

OTHERS = 0.1
"""Maximum share of the listed links that may be parts, such as links to another sort order."""

LONGER = 1.5
"""A page that names this many times as many documents is used instead of the index."""

LEAST_LEFT = 10
"""With this many requests left or fewer, no index is looked for."""


def begin_with_index(session: DiscoverySession, start: ParsedAnswer) -> Asking[bool]:
    """Find pages linked from one page that each list a part; return whether there are any.

    The list is marked as incomplete: nothing proves that an index names all documents.
    """
    for parts in list(_groups(start))[:INDEXES_TRIED]:
        if session.left <= LEAST_LEFT:
            return False
        if (yield from _try_parts(session, start, parts)):
            return True
    return False


def _groups(start: ParsedAnswer) -> Iterator[list[Link]]:
    """Yield groups of links in one place of a page with similar addresses, the largest first."""
    host = urlsplit(start.response.url)[1]
    own = [link for link in start.links if urlsplit(link.url)[1] == host]
    own = [link for link in own if link.url != start.response.url and "{Q}" not in link.url]
    # A page may link to one part several times.
    shapes = Counter(map(_shape, {link.url: link for link in own}.values()))

    def sort(link: Link) -> tuple[str, str]:
        # An index may link to each part in several ways: by date and by thread.
        shape = _shape(link)
        return link.place, shape if shapes[shape] >= LEAST_PARTS else ""

    by_sort = [[*links] for _, links in groupby(sorted(own, key=sort), key=sort)]
    by_sort = [links for links in by_sort if len({link.url for link in links}) >= LEAST_PARTS]
    yield from sorted(by_sort, key=len, reverse=True)


def _shape(link: Link) -> str:
    return re.sub(r"\d+", "0", link.url)


def _try_parts(session: DiscoverySession, start: ParsedAnswer, parts: list[Link]) -> Asking[bool]:
    """Learn hits from the linked pages, or from pages they list in turn; return whether any."""
    level = _Level([start], {start: [link.element for link in parts]}, _addresses_of(parts))
    least, files, ways_on = min(len(level.urls) / 2, LISTED), list[str](), list[str]()
    probes = yield from _some(session, level.urls, PARTS_SEEN)
    while True:
        url = literal(start.response.url)
        session.begin(Ask(url=url), page=start)
        session.probes, session.empty = probes, level.pages
        records = find_records(probes, level.pages) if len(probes) == PARTS_SEEN else None
        if records is None or not _are_hits(records, level):
            return False
        # Parts are not answers to words: each may number its own documents from 1.
        write_records(session, replace(records, by_rank=False))
        change_results(session, empty="", key_ignores=[])
        for name in ("results.empty", "results.key_ignores"):
            session.findings.pop(name, None)
        listed = sorted(set().union(*(_urls(session, page) for page in probes)))
        selector = _files(session, level, set(listed))
        is_menu = len({*listed} & {*level.urls}) > OTHERS * len(listed)
        is_doubtful = bool(session.findings["results.hit"].warning)
        if not selector or len(listed) < least or is_menu or is_doubtful:
            return False
        files.append(selector)
        further = [each for each in listed if each not in level.urls]
        deeper = yield from _lists_again(session, further, [*level.pages, *probes])
        onward = yield from _find_next(session, level.urls)
        if not deeper:
            break
        ways_on += [f"{onward}::attr(href)"] if onward else []
        if len(files) == LEVELS or session.left <= LEAST_LEFT:
            return False
        level = _Level([*level.pages, *probes], records.links, further)
        least, probes = LEAST_PARTS, deeper
    if _take_longer(session, set(listed), len(listed) / len(probes) * len(level.urls)):
        return True
    session.ask = Ask(url=url, lists="part")
    found = f"css:{', '.join(each.removeprefix('css:') for each in [*files, *ways_on])}"
    change_results(session, files=found)
    if onward:
        change_results(session, next=onward)
        session.find("results.next", onward, "likely", "brought further documents")
    said = f"{len(level.urls)} pages that it leads to each list a part"
    session.find("ask.url", url, "sure", said)
    session.find("results.files", found, "sure", f"finds {len(level.urls)} pages of the index")
    return True


def _take_longer(session: DiscoverySession, listed: set[str], documents: float) -> bool:
    """Use a visited page that names the listed documents and many more; return whether one does.

    Args:
        session: The session.
        listed: Addresses of documents that the index names.
        documents: About how many it names in total.
    """
    for page in session.visited:
        links = sorted(page.links, key=lambda link: link.place)
        for _, group in groupby(links, key=lambda link: link.place):
            named = {link.url: link.element for link in group}
            is_longer = len(named) > LONGER * documents and len(listed & {*named}) > 0
            if not is_longer or len(listed - {*named}) > OTHERS * len(listed):
                continue
            selector, exact = find_selector([(page, [*named.values()])], ())
            if exact == 1:
                url, seen = (
                    literal(page.response.url),
                    f"it names {counted(len(named), 'document')}",
                )
                session.begin(Ask(url=url, lists="part"), page=page)
                session.probes, session.empty = [page], []
                session.results = Results(hit=selector, link="xpath:./@href", title="xpath:.")
                session.findings = {}
                session.find("ask.url", url, "sure", f"{seen}, and an index fewer")
                session.find("results.hit", selector, "sure", seen)
                return True
    return False


class _Level(NamedTuple):
    """Pages that link to pages of the next level.

    Attributes:
        pages: All pages without hits seen so far.
        links: By page, its links to the next level.
        urls: The addresses of these links.
    """

    pages: list[ParsedAnswer]
    links: dict[ParsedAnswer, list[Any]]
    urls: list[str]


def _addresses_of(links: list[Link]) -> list[str]:
    return list(dict.fromkeys(link.url for link in links))


def _some(session: DiscoverySession, urls: list[str], many: int) -> Asking[list[ParsedAnswer]]:
    """Return `many` pages, spread evenly from first to last, without those that cannot be read."""
    places = {place * (len(urls) - 1) // (many - 1) for place in range(many)}
    pages = []
    for place in sorted(places) if urls else ():
        shown = yield from session.get_plainly(Request(urls[place]))
        pages += [shown] if shown is not None and not shown.is_data else []
    return pages


def _are_hits(records: Records, level: _Level) -> bool:
    """Return whether an index has no such hits, but for its own parts, which may look alike."""
    is_list = records.link and records.f1 == 1
    if not is_list or records.score < LEAST_SCORE or len(records.elements) < 2:
        return False
    on_index = hits_on(records, level.pages)
    parts = {part for links in level.links.values() for part in links}
    return all(not parts.isdisjoint(hit.iter()) for hits in on_index.values() for hit in hits)


def _lists_again(
    session: DiscoverySession, urls: list[str], known: list[ParsedAnswer]
) -> Asking[list[ParsedAnswer]]:
    """Return a sample of the pages if they are lists again and not documents, else []."""
    pages = yield from _some(session, urls, MORE_SEEN)
    records = find_records(pages, known) if len(pages) > 1 else None
    if records is not None and not records.link:
        records = None  # paragraphs without links belong to a document
    lists = 0
    for page in pages:
        others = {link.url for other in pages if other is not page for link in other.links}
        own = {link.url: link.text for link in page.links if link.url not in others}
        hits = [] if records is None else records.elements.get(page, [])
        listed = max(sum(map(len, own.values())), sum(len(text(hit)) for hit in hits))
        lists += bool(own) and listed >= MOSTLY * len(text(page.root))
    longest = sorted(pages, key=lambda page: -len(page.links))
    if lists < 2 or (records and (yield from _are_passages(session, records, longest[0]))):
        return []
    return longest[:PARTS_SEEN]


def _are_passages(session: DiscoverySession, records: Records, page: ParsedAnswer) -> Asking[bool]:
    """Return whether a page lists parts of itself, such as the posts of a thread."""
    for link in records.links.get(page, [])[-1:]:
        url = urljoin(page.answer.base, link.get("href") or "")
        shown = yield from session.get_plainly(Request(url))
        return shown is not None and _place(shown) == _place(page)
    return False


def _place(page: ParsedAnswer) -> str:
    return urldefrag(page.response.url).url


def _urls(session: DiscoverySession, page: ParsedAnswer) -> set[str]:
    read = session.read(page)
    return set() if read is None else {hit.url for hit in read.hits}


def _files(session: DiscoverySession, level: _Level, listed: set[str]) -> str:
    """Return a selector of the links to parts that finds no hits, or "" if there is none."""
    own = set(level.urls)
    wanted = list(level.links.items())
    anchors = [link for links in level.links.values() for link in links]
    ways = (find_selector(wanted, empty, anchors=anchors) for empty in ((), session.probes))
    for selector in chain((found for found, exact in ways if exact == 1), _by_address(level)):
        links = f"{selector}::attr(href)"
        found = {
            urljoin(page.answer.base, link.get())
            for page in session.probes
            for link in read_select(links).all(page.answer.root)
        }
        if not found & (listed - own):
            return links
    return ""


def _by_address(level: _Level) -> Iterator[str]:
    """Yield selectors of the links to parts by how only their addresses begin or end."""
    links = [*chain(*level.links.values())]
    endings = {re.split(r"\d", url)[-1] for url in level.urls}
    folders = {(link.get("href") or "").rpartition("/")[0] for link in links}
    ways = [f'css:a[href$="{ending}"]' for ending in endings if ending and len(endings) == 1]
    ways += [f'css:a[href^="{folder}/"]' for folder in folders if folder and len(folders) == 1]
    for selector in filter(compiles, ways):
        found = chain(*(read_select(selector).all(page.answer.root) for page in level.links))
        if [link.root for link in found] == links:
            yield selector


def _leads_on(page: ParsedAnswer) -> bool:
    return bool(onwards(page, allow_post=False))


def _find_next(session: DiscoverySession, urls: list[str]) -> Asking[str]:
    """Return the selector of the link to a part's next page, or "" if no part has one.

    Args:
        session: The session.
        urls: Addresses of all parts, in case no part seen so far has a next page.
    """
    seen = {page.request.url for page in session.probes}
    further = [url for url in urls if url not in seen]
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
            gone = longest.response.url, shown.response.url
            later = [
                each for each in onwards(shown, allow_post=False) if each.request.url not in gone
            ]
            pages = [(longest, click.element), *((shown, each.element) for each in later[:1])]
            without = session.empty if later else [*session.empty, shown]  # it may lead back
            return next_selector(pages, without) or next_selector(pages[:1], session.empty)
    return ""
