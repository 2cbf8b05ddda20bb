"""Pages with status 200 that ask to wait: the fetcher waits and requests them again."""

import asyncio
import time

import pytest
from starlette.applications import Starlette
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.webs import web_fetcher

from longline.fetch._retry import MOST_NOTICE_LETTERS, said_wait
from longline.model import Request
from longline.simulate import running_site

NOTICE = "<p>You cannot use search at this time. Please try again in 1 second."


@pytest.mark.parametrize(
    ("page", "seconds"),
    [
        (NOTICE, 1),
        ("<h1>Bitte warten</h1><p>Warten Sie noch 15 Sekunden.", 15),
        ("Please wait 2 minutes before you search again.", 120),
        ("<title>Slow down</title><p>You search too fast. Wait a few seconds.", 2),
        ("<h1>Zu viele Anfragen</h1><p>Versuchen Sie es später wieder.", 2),
        ("<h1>The economy</h1><p>It may slow down." + " Prices rise." * 30, None),
        ("<script>retry in 5 seconds</script><p>Results", None),
        ("<p>It was tried again, in 15 cases.", None),
        (NOTICE + "word " * MOST_NOTICE_LETTERS, None),
    ],
)
def test_only_a_short_page_that_asks_for_it_makes_wait(page: str, seconds: float | None) -> None:
    """Only a short page that asks to wait causes a wait."""
    found = said_wait(page.encode())
    assert (None if found is None else found[0]) == seconds


@pytest.mark.slow
def test_an_address_that_wants_a_pause_gets_it_each_time() -> None:
    """After one notice the next request waits; a page that always asks is returned as it is."""
    came: list[tuple[str, float]] = []

    def search(asked: Asked) -> Response:
        before = [at for path, at in came if path == "/s"]
        came.append(("/s", time.monotonic()))
        is_soon = bool(before) and time.monotonic() - before[-1] < 0.9
        return HTMLResponse(NOTICE if is_soon else "<p>Results")

    def always(asked: Asked) -> Response:
        came.append(("/told", time.monotonic()))
        return HTMLResponse(NOTICE)

    async def ask(url: str) -> list[bytes]:
        web = web_fetcher()
        try:
            paths = ("/s?q=a", "/s?q=b", "/s?q=c", "/told", "/told")
            return [(await web.fetch(Request(url + path))).body for path in paths]
        finally:
            await web.close()

    with running_site(Starlette(routes=[Route("/s", search), Route("/told", always)])) as url:
        bodies = asyncio.run(ask(url))
    assert bodies == [b"<p>Results"] * 3 + [NOTICE.encode()] * 2
    assert [path for path, _ in came] == ["/s"] * 4 + ["/told"] * 4
