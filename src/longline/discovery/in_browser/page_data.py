"""A search that runs in the page: data that its scripts load, or its own, holds every document."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from longline.discovery.answer import ParsedAnswer, as_data, literal, parameters, text
from longline.discovery.asking import write_data_hits
from longline.discovery.next_words import (
    is_position_name,
    is_size_name,
)
from longline.discovery.reading import (
    DataHits,
    ask_of,
    data_hits_in,
    leaves_of,
    lists_in,
    numbers_outside,
    with_place,
)
from longline.discovery.session import Asking, DiscoverySession, change_ask
from longline.model import Request
from longline.source import index_pages
from longline.source.select import fold
from longline.source.spec import Ask, Results
from longline.text.numbers import counted

LEAST_PAGES = 10
LINKED = 2
"""The page must show at least this many documents of the data, to prove that it searches them."""

FEW = 0.25
"""Maximum share of shown rows without the words: other parts of a page may show some."""

_STATIC = re.compile(r"\.js(?:on)?(?:\?|$)")
_COUNT = re.compile("total|count|hits|found", re.IGNORECASE)

ENDINGS = ("", ".html", "/")
"""Endings that links may add to the names."""


def take_file(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[bool]:
    """Write down the data that a page searches by itself; return whether there is any.

    The data that its scripts loaded is known; the page is requested again without a browser.
    """
    for shown in _files(page, typed):
        named = [each["url"] for each in index_pages(shown.data)]
        template = _template(typed, named) if len(named) >= LEAST_PAGES else ""
        if template:
            _begin(session, page, shown)
            hit = f"jmes:search_index(@, '{template}')[*]"
            session.results = Results(hit=hit, link="jmes:url", title="jmes:title")
            seen = f"what the page itself searches; it names {counted(len(named), 'document')}"
        else:
            plain, hits = shown, _searched(shown, page, typed)
            if hits is not None and shown.response is page.response:
                plain = as_data(shown.request, (yield shown.request)) or shown
                hits = _searched(plain, page, typed)
            if hits is None or plain.response is page.response:
                continue
            _begin(session, page, plain)
            is_static = _STATIC.search(shown.request.url) or shown.response is page.response
            if not is_static:  # an API may hold further ones
                change_ask(session, lists="part")
            write_data_hits(session, hits)
            rows = counted(len(hits.items[plain]), "document")
            hit, seen = f"jmes:{hits.path}", f"what the page itself searches; it holds {rows}"
        if session.keys(session.probes[0]):
            session.find("ask.url", session.probes[0].response.url, "sure", seen)
            session.find("results.hit", hit, "sure", seen)
            return True
    return False


def _begin(session: DiscoverySession, page: ParsedAnswer, shown: ParsedAnswer) -> None:
    session.begin(Ask(url=literal(shown.response.url), lists="all"), "json", page)
    session.typing, session.probes = None, [shown]


def _files(page: ParsedAnswer, typed: ParsedAnswer) -> list[ParsedAnswer]:
    """Return the data requested without the words, and the page's own, the longest first."""
    sent = {each.request.url: each for each in (*page.response.sent, *typed.response.sent)}
    held = [
        (each.request, each.response)
        for each in sent.values()
        if each.response is not None
        and each.request.method == "GET"
        and ask_of(each.request, typed.words) is None
    ]
    whole = Request(page.response.url.partition("#")[0])
    own, after = (as_data(whole, shown.response) for shown in (page, typed))
    # Data that the words change are an answer, and not what is searched.
    is_answer = own is not None and after is not None and own.data != after.data
    shown = filter(None, [*(as_data(*pair) for pair in held), None if is_answer else own])
    return sorted(shown, key=lambda file: -len(str(file.data)))


def filters_rows(page: ParsedAnswer, typed: ParsedAnswer) -> bool:
    """Return whether a page holds rows from the start and shows only those with the words."""
    return any(_searched(shown, page, typed) for shown in _files(page, typed))


def titles_held(page: ParsedAnswer) -> list[str]:
    """Return the titles in the data that a page held before any words were typed."""
    lists = (list(_rows_in(shown)) for shown in _files(page, page))
    hits = next(filter(None, lists), [])
    return hits[0].leaves[hits[0].title].texts if hits else []


def _rows_in(shown: ParsedAnswer) -> Iterator[DataHits]:
    """Yield the long lists in the data whose rows have titles, the longest first.

    Lists that are one page of a longer list are left out: a parameter or a total shows that.
    """
    asked = parameters(shown.request.url)
    is_page = any(is_position_name(name) or is_size_name(name) for name in asked)
    for path, rows in sorted(lists_in(shown.data), key=lambda pair: -len(pair[1])):
        counted_ = numbers_outside(shown.data, path).items()
        is_page |= any(_COUNT.search(name) and number > len(rows) for name, number in counted_)
        hits = data_hits_in(shown, path) if len(rows) >= LEAST_PAGES and not is_page else None
        if hits is not None and hits.title:
            yield hits


def _searched(shown: ParsedAnswer, page: ParsedAnswer, typed: ParsedAnswer) -> DataHits | None:
    """Return the rows that the page filters by the words, or None if it filters none.

    Words that stand in the same field of every row tell no row from another.

    A page that names all rows from the start shows those with the words more often than before.
    """
    said, before = (fold(text(each.root)).casefold() for each in (typed, page))
    for hits in _rows_in(shown):
        times: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
        rows = [dict(leaves_of(row)) for row in hits.items[shown]]
        same = {name for name in rows[0] if all(row.get(name) == rows[0][name] for row in rows)}
        for row in rows:
            own = ((name, value) for name, value in row.items() if name not in same)
            held = {name: fold(str(value)).casefold() for name, value in own}
            title = held.get(hits.title, "")
            has_words = typed.words.casefold() in " ".join(held.values())
            times[has_words].append((said.count(title), before.count(title)) if title else (0, 0))
        right, wrong = (sum(now > 0 for now, _ in times[each]) for each in (True, False))
        more, other = (sum(now > was for now, was in times[each]) for each in (True, False))
        others = len(times[False])
        is_searched = _are_chosen(right, wrong, others) or _are_chosen(more, other, others)
        if is_searched and others >= LINKED:
            return hits
    return None


def _are_chosen(right: int, wrong: int, others: int) -> bool:
    """Return whether rows with the words are shown, and few of the others."""
    return right >= LINKED and wrong <= FEW * min(right, others)


def _template(typed: ParsedAnswer, named: list[str]) -> str:
    """Return the pattern by which the page's links contain the names of a file, or "" if none.

    The names may be addresses themselves.
    """
    base = typed.response.url
    links = {link.url for link in typed.links}
    for ending in ENDINGS:
        written = (urljoin(base, name.partition("#")[0]) + ending for name in named)
        if sum(url in links for url in written) >= LINKED:
            # A name that begins with a slash has its own.
            is_rooted = ending and named[-1].startswith("/")
            return urljoin(base, "/")[: -1 if is_rooted else None] + "{}" + ending
    found: dict[str, int] = {}
    for name in named:
        for link in links:
            template = with_place(link, name).replace("{link}", "{}")
            if template:
                found[template] = found.get(template, 0) + 1
    best = max(found, key=lambda template: found[template], default="")
    return best if found.get(best, 0) >= LINKED else ""
