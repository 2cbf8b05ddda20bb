"""Learn a search that needs a script: a browser types into its box and records what is sent.

The browser is used for learning. Afterwards the same requests are sent without it, where they work;
otherwise the spec queries through a browser itself.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import fields, replace

import msgspec

from longline.discovery.answer import ParsedAnswer, Typing, show, text
from longline.discovery.asking.by_file import filters_rows, take_file, titles_held
from longline.discovery.asking.html_form import FIRST_TRIES, SEARCHES, try_ask
from longline.discovery.asking.json_address import begin_with_data, try_data
from longline.discovery.asking.refusals import needs_script
from longline.discovery.hopeless import HopelessError
from longline.discovery.reading import (
    BoxGuess,
    ask_of,
    boxes,
    element_selector,
    forms,
    longest_list,
    more_button,
    openers,
    says_search,
)
from longline.discovery.session import Asking, DiscoverySession, OutOfRequests
from longline.discovery.words import first_words
from longline.errors import PageError
from longline.model import Browsing, Request
from longline.source.spec import Ask, Form

BOXES_TRIED = 2
WORDS_TYPED = 3
SENT_TRIED = 2
OPENERS = 2
"""Maximum number of buttons pressed to open a search box, where a page shows none."""

PAGES_TO_BOX = 2
"""Maximum number of links followed to a page with a box, where the first page has none."""

LEFT_FOR_LIST = 15
"""Requests left for learning a list after the box on its page has failed."""

ANOTHER = 1
"""Number of a session without the cookies of the one in which pages are shown."""

ALIKE = 0.5
"""If a plain page holds at least this share of what a browser shows, no script is needed."""


def begin_in_browser(session: DiscoverySession) -> Asking[None]:
    """Find the search box on a page shown in a browser, and how to query it.

    Raises:
        HopelessError: There is no box, or it brings no hits.
    """
    start = yield from session.get(Request(session.url, browser=Browsing()))
    if start is None:
        raise HopelessError(
            f"the page {session.url} cannot be read: {session.reason}",
            "give the address of the page with the search box",
        )
    if start.is_data:
        yield from begin_with_data(session, start)
        return
    pages = yield from _pages_with_boxes(session, start)
    session.visited = pages
    tried: list[str] = []
    guesses = [(page, box) for page in pages for box in boxes(page) if box.score >= 0]
    guesses.sort(key=lambda pair: -pair[1].score)
    for page, box in guesses[:BOXES_TRIED]:
        outcome = yield from _try_box(session, page, box)
        if not outcome:
            return
        tried.append(f"the box {box.selector!r} on {page.response.url}: {outcome}")
    where = " and ".join(page.response.url for page in pages)
    said = "; ".join(tried) or f"no search box was found on {where}"
    raise HopelessError("; ".join(filter(None, [said, *dict.fromkeys(map(_stream, pages))])))


def prefer_box(session: DiscoverySession, max_requests: int) -> Asking[None]:
    """Use a box that needs a script, where its page was learnt as an incomplete list.

    Not if every word must be typed, and brings fewer hits than a page of the list: a box may only
    suggest some titles.

    Args:
        session: The session; it stays as it is if the box brings no hits.
        max_requests: Maximum number of requests in total where pages are shown in a browser.
    """
    ask, pages = session.ask, session.visited
    if ask is None or ask.lists != "part" or not pages or not session.may_browse:
        return
    is_posted = any(guess.method == "POST" and guess.score >= 0 for guess in forms(pages[0]))
    has_box = any(box.score >= SEARCHES for box in boxes(pages[0]))
    without = [page for page in pages[1:] if says_search(page.response.url) and not forms(page)]
    is_linked = any(map(needs_script, without))
    if is_posted or not (has_box or is_linked):
        return
    held = {each.name: getattr(session, each.name) for each in fields(session)}
    held |= {name: copy(each) for name, each in held.items() if isinstance(each, (dict, list))}
    most, listed, session.findings = session.max_requests, _most_hits(session), {}
    session.max_requests = max(most, max_requests)
    try:
        yield from begin_in_browser(session)
        is_typed = session.ask is not None and session.ask.form is not None
        is_better = not is_typed or _most_hits(session) >= listed
    except (HopelessError, OutOfRequests):
        is_better = False
    if not is_better:
        spent = session.requests
        for name, value in held.items():
            setattr(session, name, value)
        session.requests = spent
        session.max_requests = max(most, spent + LEFT_FOR_LIST)


def _most_hits(session: DiscoverySession) -> int:
    """Return the number of hits on the longest known page."""
    return max((len(session.keys(page)) for page in session.probes), default=0)


def _pages_with_boxes(session: DiscoverySession, start: ParsedAnswer) -> Asking[list[ParsedAnswer]]:
    """Return the pages to look for a box on: the first page, or those it links to as its search."""
    if boxes(start):
        return [start]
    pages = [start]
    for opener in openers(start)[:OPENERS]:
        browsing = Browsing(opener=opener)
        shown = yield from session.get(Request(start.response.url, browser=browsing))
        if shown is not None and boxes(shown):
            return [shown]
    links = {link.url: link for link in start.links if says_search(f"{link.url} {link.text}")}
    for url in [url for url in links if url != start.response.url][:PAGES_TO_BOX]:
        shown = yield from session.get(Request(url, browser=Browsing()))
        if shown is not None:
            pages.append(shown)
    return pages


def _try_box(session: DiscoverySession, page: ParsedAnswer, box: BoxGuess) -> Asking[str]:
    """Learn hits through a box; return why that failed, or "" on success."""
    opener = page.request.browser.opener if page.request.browser else ""
    where = page.request.url if opener else page.response.url
    typing = Typing(where, box.selector, box.button, post=session.allow_post, opener=opener)
    typed = yield from _type(session, page, typing)
    if typed is None:
        return f"nothing came of typing into it ({session.reason})"
    more = more_button(typed)
    selector = "" if more is None else element_selector(typed, more)
    session.typing = replace(typing, more=selector, shown=typed)
    outcomes: list[str] = []
    for attempt in (_by_address, _by_sent, _by_shown_address, _by_typing):
        outcome = yield from attempt(session, page, typed)
        if not outcome:
            return ""
        outcomes.append(outcome)
        if outcome == _KEPT_BACK:
            outcome = yield from _by_load(session, page, typed)
            if not outcome:
                return ""
            outcomes.append(outcome)
            break
        if attempt is _by_sent and (yield from take_file(session, page, typed)):
            return ""
    outcomes += [_stream(typed), _disallowed(typed)]
    return "; ".join(filter(None, dict.fromkeys(outcomes)))


def _disallowed(shown: ParsedAnswer) -> str:
    """Return why a page may not send a request with its words, or "" if it may."""
    refused = [each for each in shown.response.sent if each.disallowed]
    said = (each.disallowed for each in refused if ask_of(each.request, shown.words) is not None)
    return next(said, "")


def _stream(shown: ParsedAnswer) -> str:
    """Return why no complete request brings what a page shows, or "" if one may."""
    refused = [each.request for each in shown.response.sent if each.is_kept_back]
    if any(request.url.startswith("ws") for request in refused):
        return "what it shows comes by a connection that stays open (WebSocket)"
    if any(request.method == "GET" for request in refused):
        return "what it shows comes by a connection that stays open (a stream of events)"
    return ""


_NOTHING = "its words stand in no address"
_KEPT_BACK = "it sends words by POST"


def _type(
    session: DiscoverySession, page: ParsedAnswer, typing: Typing
) -> Asking[ParsedAnswer | None]:
    """Type words until one changes the page or brings data; return the last page shown, or None."""
    said = " ".join([text(page.root), *titles_held(page)])
    typed: ParsedAnswer | None = None
    for word in first_words(said, page.root.get("lang") or "", session.words)[:WORDS_TYPED]:
        shown = yield from session.get(typing.request(word), word)
        if shown is None:
            continue
        typed = shown
        if _fresh(shown, page) or any(_rows(sent) for sent in _answers(shown)):
            break
        if _kept_back(shown) or filters_rows(page, shown):
            break
    return typed


def _fresh(shown: ParsedAnswer, page: ParsedAnswer) -> set[str]:
    """Return the links or lines that a page did not show before, if they look like several hits."""
    own = {link.url for link in page.links}
    links = {link.url for link in shown.links} - own
    lines = shown.beyond([page])
    return links if len(links) >= 2 else lines if len(lines) >= 3 else set()


def _answers(typed: ParsedAnswer) -> list[ParsedAnswer]:
    """Return the data and the partial pages that were requested with the words, longest first."""
    found = []
    page = typed.response.url.partition("#")[0]
    for exchange in typed.response.sent:
        ask = ask_of(exchange.request, typed.words)
        if exchange.response is None or ask is None:
            continue
        try:
            shown = show(typed.words, exchange.request, exchange.response)
        except PageError:
            continue
        is_page = exchange.request.url == page and ask.method == "GET" and not ask.headers
        if shown.is_data or not is_page:
            # The page itself is left to `_by_address`.
            found.append(shown)
    return sorted(found, key=lambda shown: -_rows(shown))


def _rows(shown: ParsedAnswer) -> int:
    if not shown.is_data:
        return len(shown.links)
    return len(longest_list(shown.data))


def _kept_back(typed: ParsedAnswer) -> list[Request]:
    """Return the requests with words that a page was not allowed to send."""
    return [
        exchange.request
        for exchange in typed.response.sent
        if exchange.request.method != "GET"
        and exchange.is_kept_back
        and ask_of(exchange.request, typed.words) is not None
    ]


# The ways to query, the cheapest for a harvest first.


def _by_address(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Request the address that the words led to without a browser."""
    ask = ask_of(Request(typed.response.url), typed.words)
    if ask is None or "{query}" in ask.url.partition("#")[2]:
        return _NOTHING
    plain = yield from session.get(Request(typed.response.url), typed.words)
    if plain is None or plain.is_data:
        return f"{ask.url} does not come without a script"
    shown = _fresh(typed, page)
    there = {link.url for link in plain.links} | plain.lines
    if len(shown & there) < ALIKE * len(shown) or not shown:
        return f"{ask.url} shows no hits without a script"
    return (yield from _try_page(session, page, ask, [plain]))


def _by_sent(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Send the page's own requests without a browser."""
    if _kept_back(typed):
        return _KEPT_BACK
    return (yield from _by_answers(session, page, typed))


def _by_load(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Send without a browser what a page sends when the address of a search is opened.

    Every visitor who follows a link to it sends the same, so it only searches, even by POST.
    """
    if ask_of(Request(typed.response.url), typed.words) is None:
        return _NOTHING
    loaded = yield from session.get(Request(typed.response.url, browser=Browsing()), typed.words)
    if loaded is None:
        return _NOTHING
    outcome = yield from _by_answers(session, page, loaded)
    outcome = outcome and (_disallowed(loaded) or outcome)
    sent = {(each.request.method, each.request.url) for each in loaded.response.sent}
    kept_back = {(each.method, each.url) for each in _kept_back(typed)}
    if not outcome and kept_back <= sent and session.typing is not None:
        session.typing = replace(session.typing, shown=loaded, post=True)
    return outcome


def _by_answers(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    outcomes = []
    for answer in _answers(typed)[:SENT_TRIED]:
        ask = ask_of(answer.request, typed.words)
        assert ask is not None
        outcome = yield from _try_sent(session, page, ask, answer)
        held = ask_of(answer.request, typed.words, passing=True)
        if outcome and held is not None and held.headers != ask.headers:
            names = ", ".join(sorted({*held.headers} - {*ask.headers}))
            outcome = yield from _try_sent(session, page, held, answer)
            if not outcome and not (yield from _holds_for_all(session, page)):
                outcome = f"it wants {names} of the visitor's own session"
            elif not outcome:
                session.find("ask.headers", names, "likely", _GIVEN)
        if not outcome:
            return ""
        outcomes.append(f"{ask.url}: {outcome}")
    return "; ".join(outcomes) or "it sends no words"


def _holds_for_all(session: DiscoverySession, page: ParsedAnswer) -> Asking[bool]:
    """Return whether the request works without this visit's cookies, as in a later harvest."""
    word = session.probes[0].words
    request = msgspec.structs.replace(session.request(word), session=ANOTHER)
    shown = yield from session.get_plainly(request, word)
    if session.keys(shown):
        return True
    session.start_from(page, Ask())
    session.data_hits, session.findings = None, {}
    return False


_GIVEN = "the site gives it to every visitor; learn it again where it has ended"


def _try_sent(
    session: DiscoverySession, page: ParsedAnswer, ask: Ask, answer: ParsedAnswer
) -> Asking[str]:
    if answer.is_data:
        return (yield from try_data(session, ask, [answer, page], [answer.words]))
    return (yield from _try_page(session, page, ask, []))


def _by_shown_address(
    session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer
) -> Asking[str]:
    """Show the address that the words led to in a browser."""
    ask = ask_of(Request(typed.response.url), typed.words)
    if ask is None:
        return _NOTHING
    shown = msgspec.structs.replace(ask, browser=True)
    return (yield from _try_page(session, page, shown, []))


def _by_typing(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Let a browser type every query."""
    assert session.typing is not None
    typing = session.typing
    form = Form(typing.page, typing.box, button=typing.button, opener=typing.opener)
    outcome = yield from _try_page(session, page, Ask(form=form, browser=True), [typed])
    if outcome or not all(_is_one_of_its_hits(session, each) for each in session.probes):
        return outcome
    session.results, session.findings = None, {}
    return "typed words lead to a document, beside a menu of others"


def _is_one_of_its_hits(session: DiscoverySession, shown: ParsedAnswer) -> bool:
    """Return whether a page's hits are links of a menu that also names the page itself."""
    read, here = session.read(shown), shown.response.url.partition("#")[0]
    return read is not None and here in {hit.url.partition("#")[0] for hit in read.hits}


def _try_page(
    session: DiscoverySession, page: ParsedAnswer, ask: Ask, known: Sequence[ParsedAnswer]
) -> Asking[str]:
    is_plain = not (ask.browser or ask.body or ask.headers.keys() - {"accept"})
    if is_plain and ask.url in session.fruitless:
        return f"{ask.url} brought no hits before"
    outcome = yield from try_ask(session, page, ask, FIRST_TRIES, known=known)
    if not outcome:
        how = "shown in a browser" if ask.browser else "asked plainly"
        name, value = ("ask.form", ask.form.selector) if ask.form else ("ask.url", ask.url)
        session.find(name, value, "sure", f"{how}, {session.brought}")
        if ask.browser:
            session.find("ask.browser", "true", "sure", "without scripts its pages show no hits")
    return outcome
