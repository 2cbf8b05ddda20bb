"""Read a page that lists its documents only by links, as folders and indexes do."""

import re
from itertools import groupby
from typing import Any
from urllib.parse import unquote, urlsplit

from longline.discovery.answer import Link, ParsedAnswer, kind_of, show, text
from longline.discovery.described.listed import (
    Listed,
    folder_tables,
    home_of,
    read_list,
    spec_of,
)
from longline.discovery.described.texts import look_at_texts
from longline.discovery.reading import find_selector, next_selector, onwards
from longline.discovery.session import Asking, DiscoverySession
from longline.errors import LonglineError
from longline.model import Request, Response
from longline.source import follow
from longline.source.select import read_select
from longline.text.numbers import counted

LEAST_LINKS = 12
"""Fewer links than this in one place are taken for a menu."""

LARGE_MENU = 40
"""With a login or the like, fewer links than this in one place are taken for a menu, too."""

LEAST_FILES = 2
"""Minimum number of links by which a page is taken for a folder listing."""

LEVELS = 2
"""How many links away from the first page a list is looked for, if that lists nothing itself."""

PAGES_TRIED = 3
"""Maximum number of pages to read on each level."""

NEARLY = 0.95
"""Minimum F1 of the selector of the links: the link to the parent may be among them."""

NEXT_TRIED = 2
"""Maximum number of links to follow that may lead to a list's next page."""

MOSTLY_LINKS = 0.5
"""A page with more than this share of its text in new links is a list again."""

_FOLDER = re.compile(rb"<title>[^<]*\b(?:Index of|Directory listing for) /", re.IGNORECASE)


def drawn_links(session: DiscoverySession, page: ParsedAnswer) -> Asking[Listed | None]:
    """Return the longest list of links on a page that a browser showed; None if there is none."""
    found = _longest(page)
    return None if found is None else (yield from _written(session, *found))


def page_of_links(session: DiscoverySession, home: Response) -> Asking[Listed | None]:
    """Return the longest list of links on a page, or on one that it links to; None if none.

    Args:
        session: Sends and counts requests.
        home: The answer of its address.
    """
    start = _shown(home)
    if start is None:
        return None
    level, found, known = [start], [_longest(start)], {start.response.url}
    for _ in range(LEVELS):
        if any(found):
            break
        beside = [link.url for page in level for link in page.links if _is_near(link, page)]
        places = [place for place in dict.fromkeys(beside) if place not in known][:PAGES_TRIED]
        known.update(places)
        level = []
        for place in places:
            answer = yield Request(place)
            folder = None if answer is None else as_folder(session.url, answer)
            if folder is not None:
                return folder
            shown = None if answer is None else _shown(answer)
            level += [] if shown is None else [shown]
        found = [_longest(page) for page in level]
    lists = [each for each in found if each is not None]
    best = max(lists, key=lambda each: len(each[1]), default=None)
    return None if best is None else (yield from _written(session, *best))


def as_folder(home: str, answer: Response) -> Listed | None:
    """Return the list of files in a web server's folder listing; None if a page is not one."""
    if not (_FOLDER.search(answer.body[:5000]) or _names_files(_shown(answer))):
        return None
    spec = spec_of(folder_tables(home, answer.url))
    page = read_list(spec, answer)
    if page is None or not (page.hits or page.files):
        return None
    return Listed("folder", spec, (f"a folder, {answer.url}, whose server lists its files",))


def _names_files(page: ParsedAnswer | None) -> bool:
    """Return whether all that a page links to on its site is right below it, by its name there."""
    if page is None:
        return False
    here = urlsplit(page.response.url)
    below = 0
    for link in page.links:
        to = urlsplit(link.url)
        if to.netloc != here.netloc or here.path.startswith(to.path):
            continue  # such as a parent, or another order
        name = unquote(to.path.removeprefix(here.path).removesuffix("/"))
        said, cut, _ = link.text.strip().removesuffix("/").partition("..")
        if (
            to.query
            or not name
            or "/" in name
            or not (name.startswith(said) if cut else name == said)
        ):
            return False
        below += 1
    return here.path.endswith("/") and below >= LEAST_FILES


def _longest(page: ParsedAnswer) -> tuple[ParsedAnswer, list[Link]] | None:
    """Return the most links in one place of a page that lead to pages of the site; None if few."""
    own = sorted((link for link in page.links if _is_near(link, page)), key=lambda e: e.place)
    groups = [[*links] for _, links in groupby(own, key=lambda link: link.place)]
    groups = [e for e in groups if len(e) >= LARGE_MENU or not any(link.acts for link in e)]
    longest = max(groups, key=lambda links: len({link.url for link in links}), default=[])
    return (page, longest) if len({link.url for link in longest}) >= LEAST_LINKS else None


def _is_near(link: Link, page: ParsedAnswer) -> bool:
    """Return whether a link leads to another page of the site, not to a parent or other order."""
    to, here = urlsplit(link.url), urlsplit(page.response.url)
    is_view = to.path == here.path and to.fragment not in ("", "/", "!/", here.fragment)
    is_other = to.path != here.path and not here.path.startswith(to.path)
    return to.netloc == here.netloc and (is_other or is_view)


def _written(
    session: DiscoverySession, page: ParsedAnswer, links: list[Link]
) -> Asking[Listed | None]:
    selector, exact = find_selector([(page, [link.element for link in links])], ())
    if exact < NEARLY:
        return None
    where = page.response.url
    browser = page.request.browser
    tables: dict[str, Any] = {
        "source": home_of(session.url, "html"),
        "ask": {"url": where, "lists": "part"} | ({"browser": True} if browser else {}),
        "results": {"hit": selector, "link": "xpath:./@href", "title": "xpath:."},
    }
    listed = read_list(tables, page.response)
    hits = [] if listed is None else list(listed.hits)
    if listed is None or len(hits) < LEAST_LINKS:
        return None
    for hit in (hits[0], hits[-1]):
        answer = yield Request(hit.url, browser=browser)
        shown = None if answer is None else _shown(answer)
        if shown is not None and _is_list(shown, page):
            return None
    texts = yield from look_at_texts(session, hits)
    if texts.page is None:
        return None
    tables["document"] = texts.tables()
    further = yield from _further(tables, page, {hit.key for hit in hits})
    tables["results"] |= further
    if not further and listed.next is not None:
        tables["ask"]["paging"] = "none"  # it leads on from document to document
    count = counted(len(hits), "document") + (" on its first page" if further else "")
    seen = f"a page of links, {where}: {count}"
    return Listed("page of links", spec_of(tables), (seen, texts.said()), named=len(hits))


def _further(tables: dict[str, Any], page: ParsedAnswer, known: set[str]) -> Asking[dict[str, str]]:
    """Return the next-page selector as a table; on page 2, it must find page 3 or nothing."""
    ways = [click for click in onwards(page, allow_post=False) if click.kind != "menu"]
    for click in ways[:NEXT_TRIED]:
        answer = yield click.request
        second = None if answer is None else _shown(answer, 2)
        more = None if second is None else read_list(tables, second.response)
        new = set() if more is None else {*more.keys} - known
        selector = "" if second is None or not new else next_selector([(page, click.element)], ())
        if second is not None and selector:
            again = read_select(selector).first(second.answer.root)
            led = None if again is None else follow(again, second.answer)
            if led is None or led.url not in (page.response.url, second.response.url):
                return {"next": selector}
    return {}


def _is_list(shown: ParsedAnswer, page: ParsedAnswer) -> bool:
    """Return whether most text of a page is in links that the page before it does not have."""
    known = {link.url for link in page.links}
    own = sum(len(link.text) for link in shown.links if link.url not in known)
    return own > MOSTLY_LINKS * max(1, len(text(shown.root)))


def _shown(answer: Response, number: int = 1) -> ParsedAnswer | None:
    try:
        return show("", Request(answer.url), answer, number) if kind_of(answer) == "html" else None
    except LonglineError:
        return None
