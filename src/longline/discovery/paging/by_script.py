"""Find a next page that a script fetches when the user presses "more" or scrolls down."""

from itertools import chain
from typing import NamedTuple

from parsel.csstranslator import HTMLTranslator

from longline.discovery.answer import ParsedAnswer, is_element, show
from longline.discovery.answer_pages import PagingState, fresh, is_of_search, said_total
from longline.discovery.paging.long_answers import has_button
from longline.discovery.reading import (
    NextPageGuess,
    Position,
    Slot,
    ask_of,
    element_selector,
    kept_back,
    more_button,
    own_names,
    position,
    put,
    slots_of,
)
from longline.discovery.session import Asking, DiscoverySession, change_ask, change_results
from longline.errors import PageError
from longline.model import Browsing, Request
from longline.source import href
from longline.source.select import read_select
from longline.source.spec import Ask

TURNED = 2
"""How many further pages are requested in a browser, to see its requests."""

LEAST_FULL = 5
"""If at least two answers have the maximum length, and it is at least this, they may be limited."""


class _Fetched(NamedTuple):
    page: ParsedAnswer
    ask: Ask


def follow_script(pages: PagingState) -> Asking[None]:
    """Show an answer in a browser, ask for more, and repeat the browser's requests directly."""
    session, first = pages.session, pages.first
    ask = session.ask
    if ask is None or ask.form is not None or ask.browser or not first.words:
        return
    if next(first.root.iter("script"), None) is None:
        return
    if not session.may_browse or session.left <= pages.spared or not _may_go_on(session, first):
        return
    with session.trying("ask", "results") as keep:
        fetched = yield from _shown_further(session, first)
        for headers in [ask.headers, *(each.ask.headers for each in fetched[:1])]:
            session.ask = ask
            if (yield from _ask_so(pages, fetched, headers)):
                keep()
                return


def _shown_further(session: DiscoverySession, first: ParsedAnswer) -> Asking[list[_Fetched]]:
    """Ask for more of an answer in a browser; return what a script then fetches."""
    fetched = list[_Fetched]()
    shown: ParsedAnswer | None = first
    while shown is not None and not fetched:
        # The script may add the button, so that only a page in a browser has it.
        button = more_button(shown)
        if shown is not first and button is None:
            break
        more = "" if button is None else element_selector(shown, button)
        browsing = Browsing(further=TURNED, more=more, post=session.allow_post)
        shown = yield from session.get(Request(first.request.url, browser=browsing), first.words)
        fetched = [] if shown is None else _fetched(session, first, shown)
        if more:
            break
    if shown is not None and not fetched:
        _note_post(session, shown)
    return fetched


def _note_post(session: DiscoverySession, shown: ParsedAnswer) -> None:
    """Record that a page was not allowed to send a POST request for more hits."""
    if any(request.method == "POST" for request in kept_back(shown)):
        seen = f"a script asks for more of {shown.asked} by POST"
        advice = "if that only searches, let it be sent by --post"
        session.find("ask.next_url", "", "unknown", seen, advice)


def _may_go_on(session: DiscoverySession, first: ParsedAnswer) -> bool:
    """Return whether an answer may have more hits than shown, by its total, length or button."""
    sizes = [len(session.keys(page)) for page in session.probes]
    most = max(sizes, default=0)
    is_cut = most >= LEAST_FULL and sizes.count(most) > 1
    is_short = said_total(session, first) <= len(session.keys(first))
    return is_cut or not is_short or has_button(session, first)


def _fetched(session: DiscoverySession, first: ParsedAnswer, shown: ParsedAnswer) -> list[_Fetched]:
    """Return the fetched answers with further hits, and the ways they were requested."""
    known, found = set(session.keys(first)), list[_Fetched]()
    for exchange in shown.response.sent:
        ask = ask_of(exchange.request, first.words)
        if ask is None or exchange.response is None or exchange.request.url == first.request.url:
            continue
        number = len(found) + 2
        try:
            page = show(first.words, exchange.request, exchange.response, number, "html")
        except PageError:
            continue
        if not session.keys(page):
            _fit_part(session, first, page)
        if fresh(session, page, known) >= 0.5:
            found.append(_Fetched(page, ask))
            known.update(session.keys(page))
    return found


def _fit_part(session: DiscoverySession, first: ParsedAnswer, part: ParsedAnswer) -> None:
    """Make the hit selector match in a part of a page, too, which lacks the outer elements."""
    before, keys = session.results, session.keys(first)
    if before is None or not before.hit.startswith("css:"):
        return
    for own in own_names(session.elements(first)):
        found = read_select(f"css:{own}").all(part.answer.root)
        above = {
            " > ".join(outer.tag for outer in [*each.root.iterancestors()][-2::-1])
            for each in found
        }
        if len(above) == 1:
            change_results(session, hit=f"{before.hit}, {above.pop()} > {own}")
            if session.keys(part) and session.keys(first) == keys:
                return
            session.results = before


def _ask_so(pages: PagingState, fetched: list[_Fetched], headers: dict[str, str]) -> Asking[bool]:
    """Request later pages as a script did; return whether they come, and page 1 is the same."""
    session, first = pages.session, pages.first
    at = _position(session, first, fetched) if fetched else None
    cursor = _cursor(session, first, fetched) if fetched and at is None else None
    if at is not None:
        slot = Slot("form" if fetched[0].ask.body else "url", (at.name,))
        later = put(fetched[0].ask, slot, "{page}" if at.step == 1 else "{offset}")
        from_ = {"first_page" if at.step == 1 else "first_offset": at.first}
        change_ask(session, next_url=later.url, next_body=later.body, headers=headers, **from_)
        seen = f"{at.name} is {at.first} for what is shown"
    elif cursor is not None:
        slot, selector = cursor
        later = put(fetched[0].ask, slot, "{next}")
        change_ask(session, next_url=later.url, next_body=later.body, headers=headers)
        change_results(session, next=selector)
        seen = f"{slot.name} is a value of the last hit that is shown"
    else:
        return False
    known = session.keys(first)
    if headers:
        again = yield from session.get_plainly(session.request(first.words), first.words)
        if session.keys(again) != known:
            return False
    read = session.read(first)
    if read is None or read.next is None:
        return False
    shown = yield from session.get(read.next, first.words, 2)
    is_next = shown is not None and fresh(session, shown, set(known)) >= 0.5
    if shown is None or not is_next or not is_of_search(session, first, shown):
        return False
    pages.position = at
    pages.later = [each.page for each in fetched[:TURNED]]
    pages.clicks = [NextPageGuess(first.root, each.page.request, 0.0, "script") for each in fetched]
    seen = f"a script asks so for more of {first.asked}; {seen}"
    session.find("ask.next_url", later.url, "sure", seen)
    session.findings.pop("results.next", None)
    return True


def _cursor(
    session: DiscoverySession, first: ParsedAnswer, fetched: list[_Fetched]
) -> tuple[Slot, str] | None:
    """Return the place in a script's requests of a value of the last hit, and its selector."""
    hits, hit = session.elements(first), session.results.hit if session.results else ""
    if not hits or not hit.startswith("css:"):
        return None
    last = f"xpath:({HTMLTranslator().css_to_xpath(hit.removeprefix('css:'))})[last()]"
    pages = [first, *(each.page for each in fetched)]
    for slot, value in slots_of(fetched[0].ask).items():
        inner = (each.items() for each in hits[-1].iter() if is_element(each))
        names = dict.fromkeys(name for name, held in chain.from_iterable(inner) if held == value)
        for name in names:
            selector = f"{last}/descendant-or-self::*/@{name}"
            select = read_select(selector)
            if all(
                href(select.first(page.answer.root)) == slots_of(each.ask).get(slot)
                for page, each in zip(pages, fetched, strict=False)
            ):
                return slot, selector
    return None


def _position(
    session: DiscoverySession, first: ParsedAnswer, fetched: list[_Fetched]
) -> Position | None:
    sent = [_sent(each.page.request) for each in fetched]
    return position(sent, len(session.keys(first)), first.request.url)


def _sent(request: Request) -> str:
    """Return a request's URL with its body added as a query."""
    return (
        f"{request.url}?{request.body.decode('utf-8', 'replace')}" if request.body else request.url
    )
