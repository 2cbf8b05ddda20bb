"""Find the link to the next page, and whether pages can be requested by number."""

import re
from dataclasses import replace
from urllib.parse import quote_plus, unquote_plus, urldefrag

import msgspec

from longline.discovery.answer import TOKEN, ParsedAnswer, literal, parameters, place_of
from longline.discovery.answer_pages import (
    COMMON_LIMITS,
    PagingState,
    ask_for_new,
    fresh,
    is_of_search,
    led_on,
    note_ask,
    page_request,
    see_whether_varies,
    short_pages,
    with_parameter,
    with_words,
)
from longline.discovery.document_keys import leave_places_out_of_keys, names_in_end
from longline.discovery.findings import Sureness
from longline.discovery.next_words import is_page_name, is_position_name
from longline.discovery.paging.by_script import follow_script
from longline.discovery.reading import NextPageGuess, next_selector, onwards, position
from longline.discovery.session import Asking, DiscoverySession, change_results
from longline.model import Request
from longline.source import follow, parts_of, without_parts
from longline.source.spec import Ask
from longline.text.numbers import counted
from longline.text.url import with_ampersands


class FurtherList(Exception):
    """An answer is the beginning of a list at another URL, which should be learnt instead."""

    def __init__(self, url: str, words: str) -> None:
        super().__init__(url)
        self.url, self.words = url, words


NEXT_TRIED = 3
PLACES_TRIED = LISTS_TRIED = 2
MOST_PARTS = 12
"""With more links than this that contain a number, the numbers are in titles of hits."""

_WHOLE = re.compile(
    r"\d|\b(?:all|more|alle|weitere|tou[st]|plus|tod[oa]s|tutt[ie]|все)\b", re.IGNORECASE
)
"""Matches the text of a link to a complete list: "see all 12"."""
LONG = 25
"""Two answers with this many hits and of different lengths are not truncated."""


def follow_on(pages: PagingState) -> Asking[None]:
    """Follow links that may lead to the next page, until one returns new hits."""
    session, first = pages.session, pages.first
    known = set(session.keys(first))
    clicks, strays = led_on(session, first)[:NEXT_TRIED], 0
    for click in clicks:
        shown = yield from session.get(click.request, first.words, 2)
        whole = with_words(session, first, click.request)
        other = None if whole is None else (yield from session.get(whole, first.words, 2))
        if whole is not None and _leads_on(session, first, other):
            pages.forgets = set(session.keys(other)) != set(session.keys(shown))
            if pages.forgets:
                shown, click = other, replace(click, request=whole)
        if shown is None or not _leads_on(session, first, shown):
            strays += shown is not None and fresh(session, shown, known) >= 0.5
            session.place = first.words, 1
            continue
        pages.later, pages.clicks = [shown], [click]
        yield from _follow_twice(pages, known | set(session.keys(shown)))
        break
    if not pages.later:
        yield from _count_on(pages, known)
    if not pages.later:
        yield from follow_script(pages)
    if not pages.later:
        yield from _see_further_list(pages)
        note_no_next(pages, has_more=bool(clicks) and not strays)


def _count_on(pages: PagingState, known: set[str]) -> Asking[None]:
    """Increase a position in the URL by one page, if a page has no link to the next one."""
    session, first = pages.session, pages.first
    sent = parameters(first.request.url) if first.request.method == "GET" else {}
    places = [name for name, at in sent.items() if at in ("0", "1") and is_position_name(name)]
    for name in places[:PLACES_TRIED] if known else ():
        step = 1 if is_page_name(name) else len(known)
        url = with_parameter(first.request.url, quote_plus(name), str(int(sent[name]) + step))
        shown = yield from session.get(Request(url), first.words, 2)
        if shown is not None and _leads_on(session, first, shown):
            pages.later = [shown]
            pages.clicks = [NextPageGuess(first.root, Request(url), 0.0, "parameter")]
            yield from _follow_twice(pages, known | set(session.keys(shown)))
            return


def _leads_on(session: DiscoverySession, first: ParsedAnswer, shown: ParsedAnswer | None) -> bool:
    """Return whether a page has new hits of the same search."""
    is_next = shown is not None and fresh(session, shown, set(session.keys(first))) >= 0.5
    return shown is not None and is_next and is_of_search(session, first, shown)


def _follow_twice(pages: PagingState, known: set[str]) -> Asking[None]:
    session, second = pages.session, pages.later[0]
    gone = {_whole(pages.first.request), _whole(second.request)}
    further = [
        click
        for click in led_on(session, second)
        if _whole(click.request) not in gone or not session.names(click.request, second.words)
    ]
    further.sort(key=lambda click: (click.kind != pages.clicks[0].kind, -click.score))
    for click in further[:1]:
        if pages.forgets:
            whole = with_words(session, second, click.request)
            click = replace(click, request=whole or click.request)
        shown = yield from ask_for_new(session, click.request, second, known)
        if shown is not None:
            pages.later.append(shown)
            pages.clicks.append(click)
    if all(click.request.method == "GET" for click in pages.clicks):
        urls = [click.request.url for click in pages.clicks]
        hits = len(session.keys(pages.first))
        pages.position = position(urls, hits, pages.first.request.url)
    leave_places_out_of_keys(session, [pages.first, *pages.later])


def _whole(request: Request) -> str:
    return f"{request.url}\n{request.body.decode('latin-1')}"


def note_no_next(pages: PagingState, *, has_more: bool) -> None:
    """Record that no next page was found: unknown if there seems to be more, likely otherwise."""
    session = pages.session
    sizes = sorted(len(session.keys(page)) for page in session.probes)
    top = max(sizes, default=0)
    hits = counted(top, "hit")
    if has_more:
        pages.lacks_next = True
        seen = f"what may lead on from {pages.first.asked} and its {hits} brought nothing new"
        session.find("results.next", "", "unknown", seen)
        return
    answers = counted(len(session.probes), "answer")
    seen = f"nothing leads to a next page; the longest of {answers} has {hits}"
    warning = "longer answers may be cut: open a page with many hits and see how it goes on"
    if LONG <= min(sizes[-2:], default=0) < top and top not in COMMON_LIMITS:
        seen, warning = f"{seen}, and another {sizes[-2]}: they are as long as they are found", ""
    if len(lists := _further_lists(session, pages.first)) > 1:
        why = f"{pages.first.asked} leads to further lists of the same words"
        advice = "harvest each of these lists by its own address"
        session.find("results.parts", ", ".join(lists), "sure", why, advice)
    session.find("results.next", "", "likely", seen, warning)


def _further_lists(session: DiscoverySession, page: ParsedAnswer) -> list[str]:
    """Return URLs of complete lists that an answer links, with the query in them."""
    if page.is_data:
        return []
    here = place_of(page.request.url)
    led = [link for link in page.links if "{Q}" in link.url and place_of(link.url) != here]
    offers = [link for link in led if _WHOLE.search(link.text)]
    hits = set(session.elements(page))
    of_hits = [one for one in offers if hits & {one.element, *one.element.iterancestors()}]
    if len(of_hits) < len(hits) or len(hits) > MOST_PARTS:
        # A few titles of hits match by chance; if all do, the lists were taken for hits.
        offers = [one for one in offers if one not in of_hits]
    offered = [one.url for one in offers]
    words = quote_plus(page.words)
    return [url.replace("{Q}", words) for url in dict.fromkeys(offered)]


def _see_further_list(pages: PagingState) -> Asking[None]:
    """Fetch the single complete list that an answer links, which may continue the answer.

    Raises:
        FurtherList: It has the answer's hits and more, so it should be learnt instead.
    """
    session, most = pages.session, len(pages.session.keys(pages.first))
    # An answer with as many hits as others may have no more than these.
    others = [page for page in session.probes if len(session.keys(page)) == most]
    for first in list(dict.fromkeys([pages.first, *others]))[:LISTS_TRIED]:
        lists, read = _further_lists(session, first), session.read(first)
        if len(lists) != 1 or read is None or session.left <= pages.spared:
            return
        if place_of(lists[0]) == place_of(session.url):
            return  # already followed
        shown = yield from session.get(Request(lists[0]), first.words)
        if shown is None or shown.is_data:
            return
        held = {hit.url for hit in read.hits}
        begun, led = (
            {urldefrag(link.url).url for link in page.links if "{Q}" not in link.url}
            for page in (first, shown)
        )
        if len(held & led) >= max(1, len(held) / 2) and len(led) > len(begun):
            raise FurtherList(lists[0], first.words)


def _numbered(pages: PagingState) -> Ask | None:
    """Return how to request pages by number, as page 2 was requested, or None if impossible."""
    position_, ask = pages.position, pages.session.ask
    if position_ is None or ask is None or ask.form is not None:
        return None
    if ask.next_url:
        return ask
    url, words = pages.clicks[-1].request.url, pages.first.words
    charset = pages.first.answer.charset
    path, _, query = literal(url).partition("?")
    # Without a query, later pages have its parameter empty, or not at all.
    asked = [part for part in ask.url.partition("?")[2].split("&") if "{query}" in part]
    parts, has_query = ([], False) if words else (asked, bool(asked) or not ask.takes_words)
    by_page = position_.step == 1
    for part in with_ampersands(query).split("&"):
        name, equals, value = part.partition("=")
        if not words and any(each.startswith(f"{name}=") for each in asked):
            continue
        if words and words.lower() in _decoded(value, charset) and not has_query:
            part, has_query = f"{name}={{query}}", True
        elif parameters(f"?{part}").keys() == {position_.name}:
            part = f"{name}{equals}{'{page}' if by_page else '{offset}'}"
        parts.append(part)
    first = {"first_page": position_.first} if by_page else {"first_offset": position_.first}
    found = msgspec.structs.replace(ask, url=f"{path}?{'&'.join(parts)}", **first)
    return found if has_query else None


def _decoded(value: str, charset: str) -> set[str]:
    """Return the possible decoded values of a parameter, in lower case."""
    return {unquote_plus(value, each).lower() for each in ("utf-8", charset)}


def ask_again(pages: PagingState) -> Asking[None]:
    """Request page 1 again, the way later pages are requested, and compare its hits."""
    session, first = pages.session, pages.first
    if first.is_data:
        numbered = session.ask if pages.position is not None else None
        request = session.request(first.words)
    else:
        pages.numbered = numbered = _numbered(pages)
        request = page_request(pages, first, 1) if numbered else first.request
    shown = yield from _look_again(session, first, request)
    _ignore_passing(session, first, shown)
    keys = set(session.keys(shown))
    is_same = pages.is_first_right = bool(keys) and keys == set(session.keys(first))
    pages.numbered = numbered if is_same else None
    pages.again = shown if keys else None
    if keys and not is_same and numbered is None and not first.is_data:
        seen = f"{first.asked} brought other hits when it was asked again"
        session.find("order", "unstable", "guess", seen)


def _look_again(
    session: DiscoverySession, first: ParsedAnswer, request: Request
) -> Asking[ParsedAnswer | None]:
    """Request a page again as a new visitor, whose links have a different session.

    A form's hidden fields may belong to the old session. So the new visitor starts with the form's
    page, but only if links of hits may contain a session.
    """
    assert session.ask is not None
    own, page = None, session.form_page
    if session.ask.form is None:
        own = request
    elif page is not None and _may_name_session(session):
        session.form_page = (yield from session.get(_by_another(page.request))) or page
        own, session.form_page = session.request(first.words), page
    shown = None
    if own is not None:
        shown = yield from session.get(_by_another(own), first.words)
    if not session.keys(shown):
        shown = yield from session.get_anew(request, first.words)
    return shown


def _by_another(request: Request) -> Request:
    return msgspec.structs.replace(request, session=1)


def _may_name_session(session: DiscoverySession) -> bool:
    """Return whether all links of hits share a part that looks like a session."""
    read = [page for page in map(session.read, session.probes) if page is not None]
    held = [set(parts_of(hit.url).items()) for page in read for hit in page.hits]
    shared = set.intersection(*held) if held else set()
    return any(TOKEN.fullmatch(value) for _, value in shared)


def see_short(pages: PagingState) -> Asking[None]:
    """Follow a short page's next link: it may stay on the last page, or pages differ in length."""
    session, size = pages.session, pages.size
    if not pages.later or size is None:
        return
    for page in short_pages(pages, size, [*pages.later, *session.probes]):
        for click in onwards(page, allow_post=session.allow_post)[:1]:
            shown = yield from session.get(click.request, page.words, page.number + 1)
            see_whether_varies(pages, page, size, shown)
            return


def _ignore_passing(
    session: DiscoverySession, one: ParsedAnswer, other: ParsedAnswer | None
) -> None:
    """Leave out of keys the parts of links that differ when a request is repeated."""
    before, now = session.read(one), session.read(other)
    if before is None or now is None or session.results is None:
        return
    pairs = [(a.url, b.url) for a, b in zip(before.hits, now.hits, strict=False)]
    held = [(parts_of(a), parts_of(b)) for a, b in pairs]
    names = {name for pair in held for each in pair for name, value in each.items() if value}
    # A visitor without cookies may have a session in links that others do not have.
    # A few rows may be advertisements, whose links contain click counters.
    passing = sorted(
        n for n in names if all(a.get(n) != b.get(n) for a, b in held if n in a or n in b)
    )
    ignored = [*session.results.key_ignores, *passing]
    ignored += names_in_end(ignored, [each for pair in held for each in pair])
    bare = {(without_parts(a, ignored), without_parts(b, ignored)) for a, b in pairs}
    if not passing:
        return
    least = max(1, 0.8 * len(pairs))
    said = f"{', '.join(passing)} is another in each answer, though the same was asked"
    if len(bare) > least and all(a == b for a, b in bare):
        change_results(session, key_ignores=list(dict.fromkeys(ignored)))
        session.find("results.key_ignores", ", ".join(ignored), "likely", said)
        return
    titles = {(a.title, b.title) for a, b in zip(before.hits, now.hits, strict=False)}
    if len(titles) > least and all(a == b for a, b in titles):
        change_results(session, key=session.results.title)
        alike = "documents of one title are held as one, for nothing else tells them apart"
        session.find("results.key", session.results.title, "likely", said, alike)


def choose_paging(pages: PagingState) -> None:
    """Use the next link, or page numbers if there is no link or it never ends."""
    session = pages.session
    if not pages.later or (session.ask is not None and session.ask.next_url):
        return
    shown = [pages.first, *pages.later]
    pairs = [(page, click.element) for page, click in zip(shown, pages.clicks, strict=False)]
    without = [page for page in session.empty if not session.elements(page)]
    kinds = {click.kind for click in pages.clicks}
    # A link that is also on a last page leads back, or to the same page.
    selector = next_selector(pairs, [*without, *_last(pages)]) or next_selector(pairs, without)
    selector = "" if "parameter" in kinds else selector
    stays = _stays(pages, selector)
    is_doubtful = stays or pages.forgets or "menu" in kinds
    is_doubtful |= bool({"arrow", "number"} & kinds) and not pages.varies
    if pages.numbered is not None and (not selector or is_doubtful):
        take_numbers(pages)
    elif selector and not pages.forgets:
        change_results(session, next=selector)
        sure: Sureness = "sure" if len(pages.later) == 2 and not stays else "likely"
        warning = "it stays on the last page: the end is a page without new hits" if stays else ""
        session.find("results.next", selector, sure, followed(pages), warning)
    else:
        seen = f"a {pages.clicks[0].kind} leads on, but no selector tells it from others"
        pages.lacks_next = True
        session.find("results.next", "", "unknown", seen)


def followed(pages: PagingState) -> str:
    """Describe how far an answer was followed."""
    return f"followed {len(pages.later)} times from {pages.first.asked}, new hits each time"


def _stays(pages: PagingState, selector: str) -> bool:
    """Return whether the next link still works on a page that is known to be the last."""
    from longline.source.select import read_select

    for page in _last(pages) if selector else ():
        found = read_select(selector).first(page.answer.root)
        if found is not None and follow(found, page.answer) is not None:
            return True
    return False


def _last(pages: PagingState) -> list[ParsedAnswer]:
    """Return the pages that are the last of their answers, as they are not full."""
    if pages.size is None or pages.varies:
        return []
    return short_pages(pages, pages.size, [*pages.later, *pages.session.probes])


def take_numbers(pages: PagingState) -> None:
    """Request pages by number from now on."""
    session, position_ = pages.session, pages.position
    assert position_ is not None
    session.ask = pages.by_number()
    change_results(session, next="")
    session.findings.pop("results.next", None)
    session.asked.clear()
    what = "pages" if position_.step == 1 else "hits"
    seen = f"{position_.name} counts {what} from {position_.first}; {followed(pages)}"
    note_ask(session, "sure", seen)
