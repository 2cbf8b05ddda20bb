"""Repeat without a browser what a page sent in it; otherwise show every answer in a browser."""

from collections.abc import Sequence

import msgspec

from longline.discovery.answer import ParsedAnswer, Typing, parameters
from longline.discovery.asking import FIRST_TRIES, DrawnError, as_form, try_ask, try_data
from longline.discovery.hopeless import OF_VISITOR
from longline.discovery.reading import answers_sent, ask_of, forms, has_state
from longline.discovery.session import Asking, DiscoverySession
from longline.model import Request
from longline.source.spec import Ask

SENT_TRIED = 2
NOT_IN_ADDRESS = "its words stand in no address"
_GIVEN = "the site gives it to every visitor; learn it again where it has ended"

ANOTHER = 1
"""Number of a session without the cookies of the one in which pages are shown."""


def begin_drawn(session: DiscoverySession, drawn: DrawnError) -> Asking[str]:
    """Learn hits by a form whose answers only a script fills; return why that failed, or ""."""
    session.typing = Typing(drawn.ask.url, shown=drawn.shown)
    return (yield from repeat_sent(session, drawn.page, drawn.shown))


def repeat_sent(session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer) -> Asking[str]:
    """Learn hits by what a page sent with the words; return why that failed, or ""."""
    outcomes = []
    for answer in answers_sent(typed)[:SENT_TRIED]:
        ask = ask_of(answer.request, typed.words)
        assert ask is not None
        outcome = yield from _try_sent(session, page, ask, answer)
        held = ask_of(answer.request, typed.words, passing=True)
        if outcome and held is not None and held.headers != ask.headers:
            names = ", ".join(sorted({*held.headers} - {*ask.headers}))
            outcome = yield from _try_sent(session, page, held, answer)
            if not outcome and not (yield from _holds_for_all(session, page)):
                outcome = f"it wants {names} {OF_VISITOR}"
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
    session.begin(Ask(), page=page)
    session.findings = {}
    return False


def _try_sent(
    session: DiscoverySession, page: ParsedAnswer, ask: Ask, answer: ParsedAnswer
) -> Asking[str]:
    if answer.is_data:
        return (yield from try_data(session, ask, [answer, page], [answer.words]))
    form = _with_state(page, ask)
    if form is not None and not (yield from try_page(session, page, form, [])):
        return ""
    return (yield from try_page(session, page, ask, []))


def _with_state(page: ParsedAnswer, ask: Ask) -> Ask | None:
    """Return the form of a page whose state a request repeats, or None if it has no such form.

    The state, such as a token, is worth something in the visit alone that fetched the form.
    """
    sent = parameters(f"?{ask.body}")
    for guess in forms(page) if ask.method == "POST" else ():
        if has_state(guess.element) and sent.get(guess.field) == "{query}":
            return as_form(page, guess)
    return None


def by_shown_address(
    session: DiscoverySession, page: ParsedAnswer, typed: ParsedAnswer
) -> Asking[str]:
    """Show the address that the words led to in a browser."""
    ask = ask_of(Request(typed.response.url), typed.words)
    if ask is None:
        return NOT_IN_ADDRESS
    shown = msgspec.structs.replace(ask, browser=True)
    return (yield from try_page(session, page, shown, []))


def try_page(
    session: DiscoverySession, page: ParsedAnswer, ask: Ask, known: Sequence[ParsedAnswer]
) -> Asking[str]:
    """Learn hits by pages that come one way; return why that failed, or ""."""
    is_plain = not (ask.form or ask.browser or ask.body or ask.headers.keys() - {"accept"})
    if is_plain and ask.url in session.fruitless:
        return f"{ask.url} brought no hits before"
    outcome = yield from try_ask(session, page, ask, FIRST_TRIES, known=known)
    if not outcome:
        how = "shown in a browser" if ask.browser else "asked plainly"
        name, value = ("ask.form", ask.form.selector) if ask.form else ("ask.url", ask.url)
        session.find(name, value, "sure", f"{how}, {session.brought}")
        sent = parameters(ask.url or "")
        # Its lists and boxes were sent as they are set: some may leave documents out.
        form = next((each for each in forms(page) if sent.get(each.field) == "{query}"), None)
        if form is not None:
            session.form_page, session.form_guess = page, form
        if ask.browser:
            session.find("ask.browser", "true", "sure", "without scripts its pages show no hits")
    return outcome


def disallowed(shown: ParsedAnswer) -> str:
    """Return why a page may not send a request with its words, or "" if it may."""
    refused = [each for each in shown.response.sent if each.disallowed]
    said = (each.disallowed for each in refused if ask_of(each.request, shown.words) is not None)
    return next(said, "")
