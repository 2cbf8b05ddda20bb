"""Query the addresses to which a form's searches are redirected: a request less for each search."""

from urllib.parse import urlsplit

from longline.discovery.answer import ParsedAnswer, parameters
from longline.discovery.answer_pages import with_parameter
from longline.discovery.reading import ask_of
from longline.discovery.session import Asking, DiscoverySession
from longline.model import Request
from longline.source.spec import Ask


def notice_redirects(session: DiscoverySession) -> None:
    """Query the address to which the form always redirects, if that contains the words.

    A form sent by POST that redirects to it is then queried by GET, which changes nothing.
    """
    assert session.ask is not None
    if len(session.empty) < 2:
        return
    led = {_led_to(shown) for shown in session.empty}
    url = led.pop()
    if url and not led:
        session.ask = Ask(url=url, charset=session.ask.charset)


def leave_session_out(session: DiscoverySession) -> Asking[None]:
    """Query the address to which the form redirects without what is new each time, if that works.

    This may be the number of a session, which no query needs.
    """
    assert session.ask is not None
    ways = [_led_to(shown) for shown in (*session.empty, *session.probes)]
    if len(set(ways)) < 2 or not all(ways):
        return
    sent, url, first = [parameters(way) for way in ways], ways[-1], session.probes[-1]
    for name in [name for name in sent[-1] if len({each.get(name) for each in sent}) > 1]:
        url = with_parameter(url, name)
    with session.trying("ask") as keep:
        session.ask = Ask(url=url, charset=session.ask.charset)
        shown = yield from session.get(session.request(first.words), first.words)
        if session.keys(first) and session.keys(shown) == session.keys(first):
            keep()


def _led_to(shown: ParsedAnswer) -> str:
    """Return the address on its site to which a search redirects, with "{query}", or "" if none."""
    asked, came = shown.request.url, shown.response.url
    if asked == came or shown.response.requests < 2 or urlsplit(asked)[:2] != urlsplit(came)[:2]:
        return ""
    way = ask_of(Request(came), shown.words)
    return "" if way is None or "{query}" in urlsplit(way.url).fragment else way.url
