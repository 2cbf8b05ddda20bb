"""Find documents of a source with JSON answers: in the listing, or at their own addresses."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from urllib.parse import quote

import msgspec

from longline.discovery.answer import ParsedAnswer, is_element
from longline.discovery.document.by_address import (
    by_custom,
    by_template,
    holds_part,
    learn_files,
    sent_to_all,
)
from longline.discovery.document.own_page import (
    first_hits,
    own_host,
    own_request,
    page_of,
    searches_more,
)
from longline.discovery.document.own_text import (
    from_listing,
    mean_text,
    of_other_kinds,
    said,
    shows_all,
    write_document,
)
from longline.discovery.document.page import take_words
from longline.discovery.document.shown_hits import (
    ShownHit,
    known_hits,
    linked,
    links_on,
    names_of,
    paired_hits,
    shown_titles,
    unlike,
)
from longline.discovery.document.tab import missing
from longline.discovery.document.text_link import whole_texts
from longline.discovery.reading import (
    with_place,
    with_place_inside,
)
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Browsing, Exchange, Hit
from longline.source import DOCUMENT, Source, absolute_urls, scripted
from longline.source.spec import DocumentPage

_STAMP = re.compile(r"(?<==)1\d{12}\b")
"""Milliseconds since 1970, which scripts send to avoid cached answers."""

LINKS, SHORT, LEAST_LEFT = 2, 200, 12
"""How many further links of hits are tried if documents have shorter texts than this on average;
with this many requests left or fewer, none is."""

NAMED = 2
"""Maximum number of addresses for scripts to request from a document's page."""


def learn_data_document(session: DiscoverySession) -> Asking[None]:
    """Find the complete texts: in the listing, on pages of their own, or in files."""
    yield from _learn_pages(session)
    pages = session.documents
    is_shown = bool(pages) and not any(shown.is_data for _, shown in pages)
    lacks_text = session.document is None or (is_shown and bool(missing(session, pages)))
    if lacks_text and holds_part(session):
        yield from learn_files(session)
    if not any(session.texts.values()):  # hits may be identifiers alone
        yield from take_words(session)


def _learn_pages(session: DiscoverySession) -> Asking[None]:
    """Find texts in the listing, behind links, or where a page requests them."""
    hits = first_hits(session)
    if (yield from _by_link(session, hits)):
        yield from _by_longer_link(session)
        return
    if (yield from _by_other_link(session)):
        return
    listing = yield from _shown_listing(session)
    if listing is not None and session.left > 10 and (yield from _by_view(session, listing)):
        return
    if not (holds_part(session) and (yield from by_custom(session))):
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
    suffix = "" if pages else sent_to_all(session, hits)
    if suffix:
        pages = yield from _own_pages(
            session, [msgspec.structs.replace(hit, url=hit.url + suffix) for hit in hits]
        )
        if pages and write_document(session, pages) and session.document is not None:
            session.document = msgspec.structs.replace(session.document, suffix=suffix)
            seen = "without these parameters of the search, documents are refused"
            session.find("document.suffix", suffix, "likely", seen)
            return True
    is_drawn = not pages and session.typing is not None and session.left > 10
    if is_drawn:
        pages = yield from _own_pages(session, hits, Browsing())
    known = {each.hit.key: each for each in known_hits(session, session.probes[0])}
    found = [known[hit.key] for hit, _ in pages if hit.key in known]
    sent = [shown.response.sent for _, shown in pages]
    if not is_drawn and searches_more(said(session.data_hits)):
        sent = yield from _named(session, pages)
    is_sent = len(found) == len(sent) > 1 and all(sent)
    if is_sent and (yield from _by_data(session, found, list(known.values()), sent)):
        return True
    others = yield from of_other_kinds(session, pages)
    if not pages or is_drawn or any(shown.is_data for _, shown in pages):
        return bool(pages) and write_document(session, pages, others, in_browser=is_drawn)
    whole = yield from whole_texts(session, pages)
    is_written = write_document(session, whole.texts)
    if is_written and session.document is not None:
        ways = {"suffix": whole.suffix, "text_link": whole.link}
        session.document = msgspec.structs.replace(session.document, **ways)
    return is_written


def _by_other_link(session: DiscoverySession) -> Asking[bool]:
    """Read the pages behind a further link to the source's own host."""
    hits, host = session.data_hits, own_host(session)
    assert hits is not None
    leads_away = not first_hits(session, host=host)
    for path in hits.other_links[: LINKS if leads_away or session.left > LEAST_LEFT else 0]:
        with session.trying("data_hits", "results") as keep:
            change_results(session, link=f"jmes:{path}")
            session.data_hits = replace(hits, link=path)
            if (yield from _by_link(session, first_hits(session, host=host))):
                keep()
                return True
    return False


def _by_longer_link(session: DiscoverySession) -> Asking[None]:
    """Read the pages behind further links if those behind the first have hardly any text."""
    hits, host = session.data_hits, own_host(session)
    if hits is None or mean_text(session) >= SHORT:
        return
    for path in hits.other_links[:LINKS]:
        if session.left <= LEAST_LEFT:
            return
        with session.trying("data_hits", "results", "document", "documents", "findings") as keep:
            change_results(session, link=f"jmes:{path}", link_template="")
            session.data_hits = replace(hits, link=path)
            is_read = yield from _by_link(session, first_hits(session, host=host))
            if is_read and mean_text(session) > SHORT:
                keep()
                seen = "of several, the one to texts"
                session.find("results.link", f"jmes:{path}", "likely", seen)
                return


def _own_pages(
    session: DiscoverySession, hits: list[Hit], browser: Browsing | None = None
) -> Asking[list[tuple[Hit, ParsedAnswer]]]:
    """Return the pages behind the links of two hits; [] if they are not the documents."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for hit in [hit for hit in hits if hit.url][:2]:
        shown = yield from session.get(own_request(session, hit.url, browser))
        own = None if shown is None else page_of(shown, hit)
        if own is None:
            return []
        pages.append((hit, own))
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
    known = known_hits(session, listing)
    named = paired_hits(known, links_on(listing))
    found = linked(listing, named)
    if len(found) < 2:
        return (yield from _by_press(session, listing, known))
    path, template = found[0].path, found[0].template
    if template != found[1].template:
        template = ""
    both = unlike(path, template, [*found, *named]) if template else []
    if both and (yield from _by_plain_view(session, path, template, both)):
        return True
    drawn: list[tuple[Hit, ParsedAnswer]] = []
    for each in found[:2]:
        url = each.template.replace("{link}", quote(each.held[path], safe="/"))
        shown = yield from session.get(own_request(session, url, Browsing()))
        if shown is None:
            return False
        drawn.append((each.hit, shown))
    sent = [shown.response.sent for _, shown in drawn]
    if (yield from _by_data(session, found[:2], known, sent)):
        return True
    if not template:
        return (yield from _by_press(session, listing, known))
    if (yield from _by_posted(session, path, template, found[:2], sent)):
        return True
    own = [(hit, page) for hit, shown in drawn if (page := page_of(shown, hit)) is not None]
    return len(own) == len(drawn) and _are_documents(session, path, template, own, in_browser=True)


def _by_plain_view(
    session: DiscoverySession, path: str, template: str, values: list[tuple[str, Hit]]
) -> Asking[bool]:
    """Read linked documents without a browser; return whether this works."""
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for value, hit in values if "#" not in template else ():
        url = template.replace("{link}", quote(value, safe="/"))
        shown = yield from session.get(own_request(session, url))
        own = None if shown is None else page_of(shown, hit)
        if own is None:
            return False
        pages.append((hit, own))
    return _are_documents(session, path, template, pages)


def _are_documents(
    session: DiscoverySession,
    path: str,
    template: str,
    pages: list[tuple[Hit, ParsedAnswer]],
    *,
    in_browser: bool = False,
) -> bool:
    """Write down that pages linked as by the shown page are the documents, if they are."""
    before = session.results
    change_results(session, link=f"jmes:{path}", link_template=template)
    is_found = len(pages) > 1 and write_document(session, pages, in_browser=in_browser)
    if not is_found or (session.document is None and not all(map(shows_all, pages))):
        session.results = before
        return False
    seen = f"as the page links; asked {'by a browser' if in_browser else 'plainly'}"
    session.find("results.link_template", template, "sure", seen)
    return True


def _by_press(
    session: DiscoverySession, listing: ParsedAnswer, known: list[ShownHit]
) -> Asking[bool]:
    """Press two hits without links on the shown page, and find what it then requests."""
    assert session.typing is not None
    found = shown_titles(listing, known)
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
    for path, values in names_of(found):
        views = {with_place(url, value) for url, value in zip(shown_at, values, strict=True)}
        view = views.pop()
        both = unlike(path, view, [*found, *known]) if view and not views else []
        if both and (yield from _by_plain_view(session, path, view, both)):
            return True
    return False


def _by_data(
    session: DiscoverySession,
    found: list[ShownHit],
    known: list[ShownHit],
    sent: list[tuple[Exchange, ...]],
) -> Asking[bool]:
    """Request documents as the pages of two hits did; return whether this works."""
    urls = [exchange.request.url for exchanges in sent for exchange in exchanges]
    paired = {each.hit.key: each for each in paired_hits(known, urls)}
    both = [paired[each.hit.key] for each in found]
    for path, values in names_of(both):
        data = _data_template(list(zip(values, sent, strict=True)))
        tried = unlike(path, data, [*both, *paired.values()]) if data else []
        if tried and (yield from by_template(session, path, data, tried)):
            return True
    return False


def _by_posted(
    session: DiscoverySession,
    path: str,
    template: str,
    found: list[ShownHit],
    sent: list[tuple[Exchange, ...]],
) -> Asking[bool]:
    """Ask for documents by POST, as their pages do in JSON; return whether this works."""
    hits = session.data_hits
    if hits is None or path != hits.key or session.spec is None:
        return False
    first, *others = [
        _posted(each.held[path], exchanges) for each, exchanges in zip(found, sent, strict=True)
    ]
    shared = set(first).intersection(*others)
    if not shared or session.left <= LEAST_LEFT:
        return False
    url, body = max(sorted(shared), key=lambda way: first[way])
    page = DocumentPage("jmes:@", url=url, body=body)
    asked = Source(msgspec.structs.replace(session.spec, document=page))
    pages: list[tuple[Hit, ParsedAnswer]] = []
    for each in found:
        request = asked.document_request(msgspec.structs.replace(each.hit, url=url, text=None))
        shown = None if request is None else (yield from session.get(request))
        if shown is None or not shown.is_data:
            return False
        pages.append((each.hit, shown))
    if not _are_documents(session, path, template, pages) or session.document is None:
        return False
    session.document = msgspec.structs.replace(session.document, url=url, body=body)
    session.find("document.body", body, "sure", "as the documents' own pages ask; two were there")
    return True


def _posted(value: str, exchanges: tuple[Exchange, ...]) -> dict[tuple[str, str], int]:
    """Return the addresses and bodies by which a value was sent in JSON, with its place in these.

    Each with the length of its answer.
    """
    found: dict[tuple[str, str], int] = {}
    for exchange in exchanges:
        request, response = exchange.request, exchange.response
        body, written = request.body.decode("utf-8", "replace"), json.dumps(value)
        is_json = request.method == "POST" and body.lstrip()[:1] == "{"
        if is_json and response is not None and written in body:
            found[request.url, body.replace(written, f'"{DOCUMENT}"')] = len(response.body)
    return found


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
