"""Learn a search that needs a script: a browser types into its box and records what is sent.

The browser is used for learning. Afterwards the same requests are sent without it, where they work;
otherwise the spec queries through a browser itself.
"""

from dataclasses import replace

from longline.discovery.answer import ParsedAnswer, Typing, as_data, text
from longline.discovery.asking import begin_with_data, running_text, try_data, unread
from longline.discovery.hopeless import SENT_BY_POST, STAYS_OPEN, HopelessError
from longline.discovery.in_browser.drawn_answer import (
    NOT_IN_ADDRESS,
    by_shown_address,
    disallowed,
    repeat_sent,
    try_page,
)
from longline.discovery.in_browser.page_data import filters_rows, take_file, titles_held
from longline.discovery.reading import (
    BoxGuess,
    answers_sent,
    ask_of,
    boxes,
    element_selector,
    kept_back,
    leaves_of,
    longest_list,
    more_button,
    new_on,
    openers,
    rows,
    says_search,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.discovery.words import first_words
from longline.model import Browsing, Request
from longline.source.spec import Ask, Form

BOXES_TRIED = 2
WORDS_TYPED = 3
OPENERS = 2
"""Maximum number of buttons pressed to open a search box, where a page shows none."""

PAGES_TO_BOX = 2
"""Maximum number of links followed to a page with a box, where the first page has none."""

ALIKE = 0.5
"""If a plain page holds at least this share of what a browser shows, no script is needed."""


def begin_in_browser(session: DiscoverySession) -> Asking[None]:
    """Find the search box on a page shown in a browser, and how to query it.

    Raises:
        HopelessError: There is no box, or it brings no hits.
    """
    start = yield from session.get(Request(session.url, browser=Browsing()))
    if start is None:
        raise unread(session)
    if start.is_data:
        yield from begin_with_data(session, start)
        return
    pages = yield from _pages_with_boxes(session, start)
    session.visited = [*pages, *session.visited]
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
    links = [link.url for link in start.links if says_search(f"{link.url} {link.text}")]
    others = dict.fromkeys([*links, *_drawn_pages(session)])
    for url in [url for url in others if url != start.response.url][:PAGES_TO_BOX]:
        shown = yield from session.get(Request(url, browser=Browsing()))
        if shown is not None:
            pages.append(shown)
    return pages


def _drawn_pages(session: DiscoverySession) -> list[str]:
    """Return the visited pages with scripts of their own, which may draw a search box."""
    known = set[str]().union(*map(_scripts, session.visited[:1]))
    return [page.response.url for page in session.visited[1:] if _scripts(page) - known]


def _scripts(page: ParsedAnswer) -> set[str]:
    return {script.get("src") for script in page.root.iter("script") if script.get("src")}


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
    for attempt in (_by_address, _by_sent, by_shown_address, _by_typing):
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
    outcomes += [_stream(typed), disallowed(typed)]
    return "; ".join(filter(None, dict.fromkeys(outcomes)))


def _stream(shown: ParsedAnswer) -> str:
    """Return why no complete request brings what a page shows, or "" if one may."""
    refused = [each.request for each in shown.response.sent if each.is_kept_back]
    if any(request.url.startswith("ws") for request in refused):
        return f"{STAYS_OPEN} (WebSocket)"
    if any(request.method == "GET" for request in refused):
        return f"{STAYS_OPEN} (a stream of events)"
    return ""


_KEPT_BACK = f"it sends words {SENT_BY_POST}"


def _type(
    session: DiscoverySession, page: ParsedAnswer, typing: Typing
) -> Asking[ParsedAnswer | None]:
    """Type words until one changes the page or brings data; return the last page shown, or None."""
    said = " ".join([*map(running_text, session.visited), text(page.root), *titles_held(page)])
    typed: ParsedAnswer | None = None
    for word in first_words(said, page.root.get("lang") or "", session.words)[:WORDS_TYPED]:
        shown = yield from session.get(typing.request(word), word)
        if shown is None:
            continue
        typed = shown
        sent = answers_sent(shown)
        data = [each for each in sent if each.is_data]
        # Where data comes, its rows tell whether a word finds anything.
        if any(map(rows, data)) or (not data and (new_on(shown, page) or any(map(rows, sent)))):
            break
        if kept_back(shown) or filters_rows(page, shown):
            break
    return typed


# The ways to query, the cheapest for a harvest first.


def _by_address(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Request the address that the words led to without a browser."""
    ask = ask_of(Request(typed.response.url), typed.words)
    if ask is None or "{query}" in ask.url.partition("#")[2]:
        return NOT_IN_ADDRESS
    plain = yield from session.get(Request(typed.response.url), typed.words)
    if plain is None or plain.is_data:
        return f"{ask.url} does not come without a script"
    shown = new_on(typed, page)
    there = {link.url for link in plain.links} | plain.lines
    is_alike = bool(shown) and len(shown & there) >= ALIKE * len(shown)
    if not is_alike or _is_drawn(typed, plain):
        held = as_data(plain.request, plain.response, plain.words)
        if held is not None and rows(held):
            return (yield from try_data(session, ask, [held, page], [typed.words]))
        return f"{ask.url} shows no hits without a script"
    return (yield from try_page(session, page, ask, [plain]))


def _is_drawn(typed: ParsedAnswer, plain: ParsedAnswer) -> bool:
    """Return whether a script's data stands on a page in a browser, and not on the plain one."""
    held = (longest_list(answer.data) for answer in answers_sent(typed) if answer.is_data)
    said = {str(value) for row in next(held, []) for _, value in leaves_of(row)}
    shown, without = text(typed.root), text(plain.root)
    drawn = [each for each in said if " " in each and each in shown]
    return bool(drawn) and not any(each in without for each in drawn)


def _by_sent(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Send the page's own requests without a browser."""
    if kept_back(typed):
        return _KEPT_BACK
    return (yield from repeat_sent(session, page, typed))


def _by_load(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Send without a browser what a page sends when the address of a search is opened.

    Every visitor who follows a link to it sends the same, so it only searches, even by POST.
    """
    if ask_of(Request(typed.response.url), typed.words) is None:
        return NOT_IN_ADDRESS
    loaded = yield from session.get(Request(typed.response.url, browser=Browsing()), typed.words)
    if loaded is None:
        return NOT_IN_ADDRESS
    outcome = yield from repeat_sent(session, page, loaded)
    outcome = outcome and (disallowed(loaded) or outcome)
    sent = {(each.request.method, each.request.url) for each in loaded.response.sent}
    unsent = {(each.method, each.url) for each in kept_back(typed)}
    if not outcome and unsent <= sent and session.typing is not None:
        session.typing = replace(session.typing, shown=loaded, post=True)
    return outcome


def _by_typing(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Let a browser type every query."""
    assert session.typing is not None
    typing = session.typing
    form = Form(typing.page, typing.box, "", typing.button, typing.opener, typing.post)
    outcome = yield from try_page(session, page, Ask(form=form, browser=True), [typed])
    if outcome or not all(_is_one_of_its_hits(session, each) for each in session.probes):
        return outcome
    session.results, session.findings = None, {}
    return "typed words lead to a document, beside a menu of others"


def _is_one_of_its_hits(session: DiscoverySession, shown: ParsedAnswer) -> bool:
    """Return whether a page's hits are links of a menu that also names the page itself."""
    read, here = session.read(shown), shown.response.url.partition("#")[0]
    return read is not None and here in {hit.url.partition("#")[0] for hit in read.hits}
