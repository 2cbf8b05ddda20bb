"""Find documents behind another link of their hits: the complete text, or the site's own page."""

import re
from typing import Any
from urllib.parse import quote_plus, urlsplit

from longline.discovery.answer import Link, ParsedAnswer
from longline.discovery.document.own_page import (
    OwnPage,
    announces_whole,
    are_whole,
    is_of,
    own_host,
    own_request,
)
from longline.discovery.document_keys import leave_list_out_of_keys
from longline.discovery.reading import first_in
from longline.discovery.session import Asking, DiscoverySession, change_results

OTHERS = 3
"""Maximum number of other links of a hit to try."""


def learn_whole(session: DiscoverySession, pages: list[OwnPage]) -> Asking[bool]:
    """Use the link of hits to complete documents, if their first link leads to parts."""
    led = [_leading(shown) for _, shown in pages]
    wholes: list[ParsedAnswer] = []
    for link in led:
        if link is None or session.left <= len(pages):
            return False
        whole = yield from session.get(own_request(session, link.url))
        if whole is None or whole.is_data:
            return False
        wholes.append(whole)
    selector = _beside(session, {link.url for link in led if link is not None})
    if not selector or not are_whole([shown for _, shown in pages], wholes):
        return False
    seen = "the first link of hits shows a part of a document, and leads to the page that this does"
    _lead_by(session, selector, seen)
    return True


def learn_own(session: DiscoverySession) -> Asking[bool]:
    """Use the link of hits to a page of the site, if their first link leads to another host.

    This is so on sites that collect the texts of others, with a page of their own for each.
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
    """Use another link of hits for their documents, and as their key."""
    change_results(session, link=selector, key="", key_ignores=[])
    session.findings.pop("results.key_ignores", None)
    session.find("results.link", selector, "likely", seen)
    for shown in session.probes:
        leave_list_out_of_keys(session, shown)


def _leading(shown: ParsedAnswer) -> Link | None:
    """Return the link of a page whose text announces the complete document, or None."""
    here = shown.response.url
    said = (link for link in shown.links if announces_whole(link.text))
    return next(
        (link for link in said if link.url.partition("?")[0] != here.partition("?")[0]), None
    )


def _beside(session: DiscoverySession, urls: set[str]) -> str:
    """Return a selector of the link in hits that leads to some pages, or "" if there is none."""
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
    """Return the text of a link without its numbers, as in "12 comments"."""
    return re.sub(r"\d+", "", link.text)
