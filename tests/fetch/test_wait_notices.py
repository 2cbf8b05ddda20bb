"""Pages with status 200 that ask to wait: the fetcher waits and requests them again."""

import asyncio
import time

import pytest
from starlette.applications import Starlette
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.webs import web_fetcher

from longline.errors import RefusedError
from longline.model import Request
from longline.simulate import running_site
from longline.text.refusals import MOST_NOTICE_LETTERS, data_too_fast, refused_for, said_wait

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


@pytest.mark.parametrize(
    ("data", "phrase"),
    [
        ('{"error": "rate limit exceeded"}', "rate limit"),
        ('{"errors": [{"message": "Too many requests"}], "data": null}', "Too many requests"),
        ('{"fault": {"code": "ratelimited"}}', "ratelimit"),
        ('{"status": "fail", "message": "Request was throttled."}', "throttled"),
        ('{"error": "no such field"}', ""),
        (
            '{"posts": [], "found": {"error": "You did this too many times.", "term": "%s"}}'
            % ("sea " * 90),
            "too many times",
        ),
        ('{"error": null, "posts": [{"blurb": "%s too fast"}]}' % ("sea " * 90), ""),
        ('{"results": [{"title": "Rate limits"}]}', ""),
        ('{"results": [{"title": "Rate limits", "error": "%s"}]}' % ("word " * 60), ""),
    ],
)
def test_only_a_short_error_in_data_says_that_requests_come_too_fast(
    data: str, phrase: str
) -> None:
    """Records may be about rate limits."""
    assert data_too_fast(data.encode()) == phrase


def test_data_that_refuse_with_success_are_asked_for_again() -> None:
    """They count as 429: none is taken for an answer, also of requests at the same time."""
    came: list[float] = []

    def search(asked: Asked) -> Response:
        is_soon = bool(came) and time.monotonic() - came[-1] < 0.02
        came.append(time.monotonic())
        return JSONResponse({"error": "Rate limit exceeded"} if is_soon else {"results": []})

    def always(asked: Asked) -> Response:
        return JSONResponse({"error": "Rate limit exceeded"})

    async def ask(url: str) -> list[bytes]:
        web = web_fetcher(retries=6, wait_seconds=0.005)
        try:
            requests = [Request(f"{url}/s?q={word}") for word in "abcd"]
            answers = await asyncio.gather(*map(web.fetch, requests))
            with pytest.raises(RefusedError, match=r'200 OK: .*"Rate limit exceeded"') as refused:
                await web.fetch(Request(url + "/told"))
            assert (refused.value.status, "lower the rate" in refused.value.advice) == (429, True)
            return [answer.body for answer in answers]
        finally:
            await web.close()

    with running_site(Starlette(routes=[Route("/s", search), Route("/told", always)])) as url:
        assert asyncio.run(ask(url)) == [b'{"results":[]}'] * 4
    assert len(came) > 4


@pytest.mark.parametrize(
    ("status", "text", "seconds", "apart"),
    [
        (503, "Please do not fetch more than 20 pages in 20 seconds.", 20, 1),
        (429, "You may send 60 requests per minute.", 60, 1),
        (429, "<p>Maximum: 5 search requests / 10 seconds", 10, 2),
        (429, "Erlaubt sind 10 Anfragen pro Minute.", 60, 6),
        (429, '{"error": {"retry_after_seconds": "7"}}', 7, 0),
        (429, '{"message": "Too many", "retryAfter": 2.5}', 2.5, 0),
        (429, "Try again in 3 minutes.", 180, 0),
        (429, "Your plan has 1,000 requests per month.", None, None),
        (503, "Our 20 pages are down for 10 minutes.", None, None),
        (429, "0 requests per minute", None, None),
        (500, "60 requests per minute", None, None),
    ],
)
def test_a_refusal_may_name_its_rate_in_words(
    status: int, text: str, seconds: float | None, apart: float | None
) -> None:
    """Where no header names a time, the text is read."""
    found = refused_for(status, text.encode())
    assert (found and found.seconds, found and found.apart) == (seconds, apart)


def test_a_rate_that_a_refusal_names_is_kept() -> None:
    """After one refusal all requests are as far apart as the site says."""
    came: list[float] = []
    refused: list[float] = []

    def search(asked: Asked) -> Response:
        now = time.monotonic()
        came.append(now)
        if sum(now - at < 1 for at in came) <= 8:
            return HTMLResponse("<p>Results")
        refused.append(now)
        return HTMLResponse("<p>No more than 8 pages in 1 second, please.", 503)

    async def ask(url: str) -> list[bytes]:
        web = web_fetcher(retries=2)
        try:
            return [(await web.fetch(Request(f"{url}/s?q={each}"))).body for each in range(20)]
        finally:
            await web.close()

    with running_site(Starlette(routes=[Route("/s", search)])) as url:
        assert asyncio.run(ask(url)) == [b"<p>Results"] * 20
    assert len(refused) == 1


@pytest.mark.parametrize("status", [403, 503])
def test_a_page_that_checks_for_programs_is_named_as_such(status: int) -> None:
    """It is no site that is down for a while: trying again later would bring the same."""

    def guarded(asked: Asked) -> Response:
        return HTMLResponse("<title>Just a moment...</title>Checking your browser", status)

    async def ask(url: str) -> None:
        web = web_fetcher(retries=0)
        try:
            with pytest.raises(RefusedError, match="that it is no program") as refused:
                await web.fetch(Request(url))
            assert refused.value.ending == ("blocked", "captcha")
        finally:
            await web.close()

    with running_site(Starlette(routes=[Route("/", guarded)])) as url:
        asyncio.run(ask(url))
