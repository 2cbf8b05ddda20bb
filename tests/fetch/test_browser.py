"""Pages shown in a browser: the fetcher's limits apply to all their requests."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.webs import web_fetcher

from longline.errors import (
    BudgetSpent,
    InputError,
    LonglineError,
    RefusedError,
    RobotsError,
    UnreachableError,
)
from longline.fetch import USER_AGENT, BrowserFetcher, has_browser
from longline.model import Browsing, Request, Response

HTML = {"Content-Type": "text/html"}
Show = Callable[..., Any]


def needs_browser() -> None:
    if not has_browser():
        pytest.skip("no Chromium here, or the extra `browser` is not installed")


def made(**options: Any) -> BrowserFetcher:
    own = {name: options.pop(name) for name in ("deadline_seconds",) if name in options}
    settings = {"allow_private": True, "robots": False, "wait_seconds": 0.01, **options}
    web = web_fetcher(**settings)
    return BrowserFetcher(web, quiet_seconds=0.2, settle_seconds=1.5, **own)


async def fetched(fetcher: BrowserFetcher, request: Request) -> Response | LonglineError:
    try:
        return await fetcher.fetch(request)
    except LonglineError as error:
        return error


@pytest.fixture(scope="module")
def show() -> Iterator[Show]:
    """Show a page in one browser that all tests share; errors are returned as values."""
    needs_browser()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    fetcher = made(max_body_bytes=20_000)

    def run(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    def one(url: str, **browsing: Any) -> Any:
        return run(fetched(fetcher, Request(url, browser=Browsing(**browsing))))

    yield one
    run(fetcher.close())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def alone(url: str, **options: Any) -> Any:
    """Show a page in a separate browser."""
    needs_browser()

    async def main() -> Response | LonglineError:
        fetcher = made(**options)
        try:
            return await fetched(fetcher, Request(url, browser=Browsing()))
        finally:
            await fetcher.close()

    return asyncio.run(main())


def page(reply: Any, script: str, body: str = "") -> Any:
    return reply(f"<title>T</title><body>{body}<script>{script}</script>", headers=HTML)


LIST = """
fetch('/api?n=2').then(r => r.json()).then(d => {
  for (const n of d) document.body.insertAdjacentHTML('beforeend', `<li>Item ${n}`);
});
"""


@pytest.mark.slow
def test_page_comes_as_its_scripts_leave_it(site: Any, reply: Any, show: Show) -> None:
    """The body is the settled markup; all requests are counted and carry our user agent."""
    site.replies |= {
        "/a?q=1": page(reply, LIST, "<script src=/s.js></script>"),
        "/s.js": reply("document.title = 'Named'", headers={"Content-Type": "text/javascript"}),
        "/api?n=2": reply(json.dumps([3, 4]), headers={"Content-Type": "application/json"}),
    }
    response = show(f"{site.url}/a?q=1#/view")
    assert b"<li>Item 3" in response.body
    assert b"<li>Item 4" in response.body
    assert b"<title>Named</title>" in response.body
    assert (response.url, response.status) == (f"{site.url}/a?q=1#/view", 200)
    assert response.requests == len(site.pages) == 3
    assert [exchange.request.url for exchange in response.sent] == [f"{site.url}/api?n=2"]
    assert {seen.headers["user-agent"] for seen in site.seen} == {USER_AGENT}


@pytest.mark.slow
def test_scripts_are_asked_for_once(site: Any, reply: Any, show: Show) -> None:
    """A second page with the same script sends no request for it."""
    site.replies |= {
        "/once": page(reply, "", "<script src=/kept.js></script>"),
        "/kept.js": reply("1", headers={"Content-Type": "text/javascript"}),
    }
    assert show(f"{site.url}/once").requests == 2
    assert show(f"{site.url}/once").requests == 1


def test_pictures_fonts_styles_and_tracking_are_not_loaded(
    site: Any, reply: Any, show: Show
) -> None:
    """Only pages, scripts and data are requested."""
    body = (
        "<link rel=stylesheet href=/s.css><img src=/i.png><iframe src=/f></iframe>"
        "<video src=/v.mp4></video><script src=/matomo.js></script>"
        "<style>@font-face {font-family: F; src: url(/f.woff2)} p {font-family: F}</style><p>x"
    )
    site.replies["/p"] = page(reply, "navigator.sendBeacon('/ping', 'x')", body)
    assert show(f"{site.url}/p").requests == 1
    assert site.pages == ["/p"]


def test_what_is_no_page_comes_as_it_is(site: Any, reply: Any, show: Show) -> None:
    """JSON is returned byte for byte and is not rendered."""
    site.replies["/j"] = reply(b'{"a":  1}', headers={"Content-Type": "application/json"})
    assert show(f"{site.url}/j").body == b'{"a":  1}'


def test_a_request_without_browsing_needs_none(site: Any, reply: Any) -> None:
    """A request without browsing is sent directly, and no browser starts."""
    site.replies["/"] = reply("<script>document.title = 1</script>", headers=HTML)

    async def main() -> Response | LonglineError:
        fetcher = made()
        try:
            return await fetched(fetcher, Request(site.url))
        finally:
            await fetcher.close()

    answer = asyncio.run(main())
    assert isinstance(answer, Response)
    assert answer.body == b"<script>document.title = 1</script>"


@pytest.mark.slow
def test_redirects_lead_the_browser_too(site: Any, reply: Any, show: Show) -> None:
    """Redirects by the server and by scripts are followed and counted."""
    site.replies |= {
        "/old": reply(status=302, headers={"Location": "/new/home"}),
        "/new/home": page(reply, "location.href = 'next'"),
        "/new/next": reply(status=301, headers={"Location": "/last/"}),
        "/last/": page(reply, "document.title = location.pathname"),
    }
    response = show(f"{site.url}/old")
    assert response.url == f"{site.url}/last/"
    assert b"<title>/last/</title>" in response.body
    assert response.requests == 4


@pytest.mark.slow
def test_cookies_are_kept_from_page_to_page(site: Any, reply: Any, show: Show) -> None:
    """Cookies set by a server or a script are sent with later pages and their data requests."""
    site.replies |= {
        "/set": reply(
            "<script>document.cookie = 'script=2'</script>",
            headers={**HTML, "Set-Cookie": "server=1; HttpOnly"},
        ),
        "/get": page(reply, "fetch('/data')"),
        "/data": reply("{}", headers={"Content-Type": "application/json"}),
    }
    show(f"{site.url}/set")
    show(f"{site.url}/get")
    sent = {seen.path: seen.headers.get("cookie", "") for seen in site.seen}
    assert "server=1" in sent["/data"]
    assert "script=2" in sent["/data"]


@pytest.mark.parametrize("status", [404, 500])
def test_a_refusal_is_an_error(site: Any, reply: Any, show: Show, status: int) -> None:
    """An error status of the page itself raises an error with that status."""
    site.replies["/gone"] = reply("<p>Sorry", status=status, headers=HTML)
    error = show(f"{site.url}/gone")
    assert isinstance(error, RefusedError)
    assert error.status == status


@pytest.mark.parametrize("to", ["'about:blank'", "'/?' + 'a'.repeat(3e6)"], ids=["blank", "long"])
def test_a_page_of_the_browser_itself_is_an_error(
    site: Any, reply: Any, show: Show, to: str
) -> None:
    """If a script leads to a page of the browser itself, an error is raised."""
    site.replies["/led"] = page(reply, f"location.href = {to}", "<p>here")
    error = show(f"{site.url}/led")
    assert isinstance(error, UnreachableError)
    assert "about:blank" in str(error)


@pytest.mark.slow
def test_what_grows_too_large_is_refused(site: Any, reply: Any, show: Show) -> None:
    """The size limit applies to pages and to the data that scripts request."""
    site.replies |= {
        "/large": reply(b"x" * 20_001, headers=HTML),
        "/wants": page(reply, "fetch('/large').catch(e => document.title = 'Refused')"),
    }
    assert isinstance(show(f"{site.url}/large"), RefusedError)
    assert b"<title>Refused</title>" in show(f"{site.url}/wants").body


@pytest.mark.slow
def test_words_are_typed_and_what_is_sent_is_told(site: Any, reply: Any, show: Show) -> None:
    """Enter triggers the script's request; only requests caused by the words are reported."""
    script = """
    fetch('/config');
    box.onkeydown = e => { if (e.key == 'Enter') {
      history.pushState({}, '', '?q=' + box.value); fetch('/find?q=' + box.value); } };
    """
    json_ = {"Content-Type": "application/json"}
    site.replies |= {
        "/t": page(reply, script, "<input id=box>"),
        "/config": reply("{}", headers=json_),
        "/find?q=carp": reply('["carp"]', headers=json_),
    }
    response = show(f"{site.url}/t", box="css:#box", words="carp")
    assert response.url == f"{site.url}/t?q=carp"
    [exchange] = response.sent
    assert exchange.request.url == f"{site.url}/find?q=carp"
    assert exchange.response.body == b'["carp"]'
    assert b'value="carp"' in response.body


@pytest.mark.slow
def test_post_is_sent_only_where_it_is_allowed(site: Any, reply: Any, show: Show) -> None:
    """A POST is reported, but sent only where allowed; a button can trigger it."""
    script = "go.onclick = () => fetch('/find', {method: 'POST', body: box.value})"
    site.replies |= {
        "/t": page(reply, script, "<input id=box><a id=go>go</a>"),
        "/find": reply("{}", headers={"Content-Type": "application/json"}),
    }
    wanted = {"box": "css:#box", "words": "carp", "button": "css:#go"}
    [kept] = show(f"{site.url}/t", **wanted).sent
    assert kept.response is None
    assert "/find" not in site.paths
    [sent] = show(f"{site.url}/t", **wanted, post=True).sent
    assert sent.request.body == b"carp" == site.seen[-1].body


def test_a_form_that_is_not_sent_leaves_its_page(site: Any, reply: Any, show: Show) -> None:
    """A POST form submitted by Enter is reported but not sent, and the page stays."""
    form = "<form method=post action=/find><input id=box name=q></form>"
    site.replies["/t"] = page(reply, "", form)
    response = show(f"{site.url}/t", box="css:#box", words="carp")
    assert response.url == f"{site.url}/t"
    [kept] = response.sent
    assert (kept.request.body, kept.response) == (b"q=carp", None)
    assert "/find" not in site.paths


@pytest.mark.slow
def test_scrolling_to_the_end_brings_more(site: Any, reply: Any, show: Show) -> None:
    """Scrolling loads as many further pages as requested."""
    script = """
    let n = 0;
    const more = async () => { await fetch('/more?n=' + n++);
      list.insertAdjacentHTML('beforeend', '<p>row</p>'.repeat(200)); };
    box.onkeydown = e => e.key == 'Enter' && more();
    addEventListener('scroll', more);
    """
    json_ = {"Content-Type": "application/json"}
    site.replies["/t"] = page(reply, script, "<input id=box><div id=list></div>")
    site.replies |= {f"/more?n={n}": reply("{}", headers=json_) for n in range(5)}
    response = show(f"{site.url}/t", box="css:#box", words="carp", further=2)
    assert len([path for path in site.paths if path.startswith("/more")]) == 3
    assert len(response.sent) == 3


@pytest.mark.slow
def test_no_request_of_a_page_reaches_a_private_address(
    site: Any, site_at_other_address: Any, reply: Any
) -> None:
    """A public page cannot make the browser request a private address."""
    private = site_at_other_address
    script = f"""
    fetch('{private.url}/secret', {{mode: 'no-cors'}}).catch(e => document.title = 'No');
    new Image().src = '{private.url}/image';
    new WebSocket('{private.url.replace("http", "ws")}/socket');
    window.open('{private.url}/popup');
    setTimeout(() => location.href = '{private.url}/page', 100);
    """
    site.replies["/p"] = page(reply, script)
    answer = alone(
        f"{site.url}/p", allow_private=False, is_public=lambda address: address == "127.0.0.1"
    )
    assert b"<title>No</title>" in answer.body
    assert answer.url == f"{site.url}/p"
    assert private.seen == []


@pytest.mark.slow
def test_robots_and_budget_hold_for_what_a_page_asks_for(site: Any, reply: Any) -> None:
    """robots.txt and the request budget apply to requests of scripts, too."""
    site.replies |= {
        "/robots.txt": reply("User-agent: *\nDisallow: /data\nDisallow: /kept"),
        "/p": page(reply, "fetch('/data').catch(e => document.title = 'No'); fetch('/free')"),
        "/free": reply("{}"),
        "/kept": reply("x", headers=HTML),
    }
    answer = alone(f"{site.url}/p", robots=True)
    assert b"<title>No</title>" in answer.body
    assert "/data" not in site.paths
    assert isinstance(alone(f"{site.url}/kept", robots=True), RobotsError)
    spent = iter([None])

    def spend() -> None:
        if next(spent, 0) == 0:
            raise BudgetSpent("no more")

    error = alone(f"{site.url}/p", on_send=spend)
    assert isinstance(error, BudgetSpent)
    assert error.requests >= 1


@pytest.mark.slow
def test_a_page_that_never_settles_is_taken_as_it_is(site: Any, reply: Any, show: Show) -> None:
    """A page that never stops changing is returned after a limited wait."""
    script = "setInterval(() => document.title = Math.random(), 20)"
    site.replies["/never"] = page(reply, script, "<p>here")
    assert b"<p>here" in show(f"{site.url}/never").body


@pytest.mark.slow
def test_a_page_without_end_is_given_up(site: Any, reply: Any) -> None:
    """A script that never ends is stopped at the deadline."""
    site.replies["/loop"] = page(reply, "while (true) {}")
    assert isinstance(alone(f"{site.url}/loop", deadline_seconds=2.0), UnreachableError)


def test_without_a_browser_the_next_step_is_said(
    site: Any, reply: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing Chromium raises an input error that says what to install."""
    pytest.importorskip("playwright")
    site.replies["/"] = reply("<p>x", headers=HTML)
    monkeypatch.setenv("LONGLINE_CHROMIUM", "no-such-program")

    async def main() -> Response | LonglineError:
        fetcher = made()
        try:
            return await fetched(fetcher, Request(site.url, browser=Browsing()))
        finally:
            await fetcher.close()

    error = asyncio.run(main())
    assert isinstance(error, InputError)
    assert "install chromium" in str(error)
    assert not has_browser()
