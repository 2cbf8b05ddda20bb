"""Documents that another link of their hits leads to: the whole, or the site's own page."""

import re
from typing import Any
from urllib.parse import quote_plus, urlsplit

from longline.discovery.answer import Link, ParsedAnswer, text
from longline.discovery.document.own_page import OwnPage, is_of, own_host, own_request
from longline.discovery.reading import first_in
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.discovery.words import terms

_WHOLE = re.compile(
    r"\b(?:full|complete|whole|entire|volltext|vollst[aä]ndig\w*|int[eé]gral\w*|complet\w*|[ií]ntegr\w*"
    r"|полн\w*)\b|全文",
    re.IGNORECASE,
)

HELD = 0.9
"""Share of the words of a part that the whole has."""

OTHERS = 3
"""Links of a hit that are looked at beside the first."""

LONGER = 1.2
"""So many times as long as the parts are the whole texts, at the least."""


def learn_whole(session: DiscoverySession, pages: list[OwnPage]) -> Asking[bool]:
    """Take the link of hits that leads to whole documents, where their first link shows parts."""
    led = [_leading(shown) for _, shown in pages]
    before = after = 0
    for (_, shown), link in zip(pages, led, strict=True):
        if link is None or session.left <= len(pages):
            return False
        whole = yield from session.get(own_request(session, link.url))
        if whole is None or whole.is_data:
            return False
        part, all_ = set(terms(text(shown.root))), set(terms(text(whole.root)))
        part -= set(terms(link.text))
        if len(part & all_) < HELD * len(part):
            return False
        before, after = before + len(text(shown.root)), after + len(text(whole.root))
    selector = _beside(session, {link.url for link in led if link is not None})
    if not selector or after < LONGER * before:
        return False
    seen = "the first link of hits shows a part of a document, and leads to the page that this does"
    _lead_by(session, selector, seen)
    return True


def learn_own(session: DiscoverySession) -> Asking[bool]:
    """Take the link of hits that leads to a page of the site, where their first link leads away.

    As it does on sites that collect what others write, with a page of their own for each.
    """
    host = own_host(session)
    for shown in session.probes:
        read = session.read(shown)
        for hit, element in zip(read.hits if read else (), session.elements(shown), strict=False):
            inside = [link for link in shown.links if element in link.element.iterancestors()]
            own = dict.fromkeys(link.url for link in inside if urlsplit(link.url).hostname == host)
            for url in [*own][:OTHERS]:
                selector = _beside(session, {url})
                whole = url.replace("{Q}", quote_plus(shown.words))
                page = (yield from session.get(own_request(session, whole))) if selector else None
                if page is not None and not page.is_data and is_of(page, hit):
                    seen = "the first link of hits leads to another host, and this to a page here"
                    _lead_by(session, selector, seen)
                    return True
            break
    return False


def _lead_by(session: DiscoverySession, selector: str, seen: str) -> None:
    """Let another link lead to documents, and tell them apart."""
    change_results(session, link=selector, key="", key_ignores=[])
    session.findings.pop("results.key_ignores", None)
    session.find("results.link", selector, "likely", seen)


def _leading(shown: ParsedAnswer) -> Link | None:
    """Return the link of a page that says that it leads to the whole; None for no such."""
    here = shown.response.url
    said = (link for link in shown.links if len(link.text) < 40 and _WHOLE.search(link.text))
    return next(
        (link for link in said if link.url.partition("?")[0] != here.partition("?")[0]), None
    )


def _beside(session: DiscoverySession, urls: set[str]) -> str:
    """Return a selector of the link in hits that leads to some pages; "" where none does."""
    for shown in session.probes:
        hits: list[Any] = session.elements(shown)
        inside = {
            hit: [link for link in shown.links if hit in link.element.iterancestors()]
            for hit in hits
        }
        labels = {_label(link) for links in inside.values() for link in links if link.url in urls}
        for label in labels:
            found = ([link for link in links if _label(link) == label] for links in inside.values())
            firsts = [links[0] for links in found if links]
            if len(firsts) == len(hits) == len({link.url for link in firsts}):
                return first_in(hits, [link.element for link in firsts])
    return ""


def _label(link: Link) -> str:
    """Return what a link says but its numbers, as "12 comments" does."""
    return re.sub(r"\d+", "", link.text)
