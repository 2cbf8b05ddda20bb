"""The fetcher's limits and hooks, with a real server."""

import asyncio
import gzip
from typing import Any

import pytest

from longline.errors import (
    BudgetSpent,
    InputError,
    LonglineError,
    RefusedError,
    SourceError,
    UnreachableError,
)
from longline.fetch import USER_AGENT, WebFetcher
from longline.model import Request, Response


def test_an_answer_comes_as_it_is(site: Any, reply: Any, fetch: Any) -> None:
    """A response has the final URL, status, content type, decoded body and request count."""
    headers = {"Content-Type": "text/html; charset=latin-1", "Content-Encoding": "gzip"}
    site.replies["/x?q=a+b"] = reply(gzip.compress(b"Gr\xf6\xdfe"), headers=headers)
    came = fetch(f"{site.url}/x?q=a+b#top")
    assert came == Response(
        url=f"{site.url}/x?q=a+b",
        status=200,
        content_type="text/html; charset=latin-1",
        headers=came.headers,
        body=b"Gr\xf6\xdfe",
        requests=1,
        place="top",
    )


def test_headers_come_but_no_cookies(site: Any, reply: Any, fetch: Any) -> None:
    """Response headers are available in any case, except Set-Cookie."""
    headers = {"X-WP-Total": "7", "Link": "</?page=2>; rel=next", "Set-Cookie": "session=secret"}
    site.replies["/"] = reply(b"<p>", headers=headers)
    came = fetch(f"{site.url}/")
    assert came.header("x-wp-total") == "7"
    assert came.header("LINK") == "</?page=2>; rel=next"
    assert "secret" not in str(came)


def test_a_request_goes_out_as_it_is(site: Any, fetch: Any) -> None:
    """Method, headers, body and user agent are sent as given."""
    site.replies["/s"] = "ok"
    fetch(Request(f"{site.url}/s", "POST", (("X-Key", "k"), ("Content-Type", "text/plain")), b"q"))
    seen = site.seen[0]
    assert (seen.method, seen.body) == ("POST", b"q")
    assert (seen.headers["x-key"], seen.headers["content-type"]) == ("k", "text/plain")
    assert seen.headers["user-agent"] == USER_AGENT
    assert USER_AGENT.startswith("longline/")
    fetch(f"{site.url}/s", user_agent="archive/1")
    assert site.seen[1].headers["user-agent"] == "archive/1"


def test_a_host_is_asked_for_the_one_kind_that_it_answers_in(
    site: Any, reply: Any, run: Any
) -> None:
    """After a 406 that names a type, requests accept only this type; a 406 page is an error."""
    kind = "application/vnd.api+json"

    def answer(seen: Any) -> Any:
        is_met = seen.headers.get("accept") == kind
        return reply("{}", status=200 if is_met else 406, headers={"Content-Type": kind})

    async def ask(fetcher: WebFetcher) -> list[int]:
        return [(await fetcher.fetch(Request(f"{site.url}/{n}"))).requests for n in "ab"]

    site.replies |= {"/a": answer, "/b": answer}
    assert run(ask) == [2, 1]
    site.replies["/c"] = reply("<p>no", status=406, headers={"Content-Type": "text/html"})
    with pytest.raises(RefusedError, match="406"):
        run(lambda fetcher: fetcher.fetch(Request(f"{site.url}/c")))
    assert site.pages.count("/c") == 1


@pytest.mark.parametrize(
    "url",
    [
        "ftp://s.example/",
        "file:///etc/passwd",
        "s.example",
        "",
        "http://",
        "http://[",
        "http://a b/",
        "http://s.example:99999/",
    ],
)
def test_only_the_web_is_fetched(fetch: Any, url: str) -> None:
    """Any URL that is not http or https raises an input error."""
    assert isinstance(fetch(url), InputError)


@pytest.mark.parametrize(
    "location", ["/b c", "\\\\{host}\\b%20c", "http:/b%20c", "//{host}/a/../b%20c", " /b\t%20c"]
)
def test_a_redirect_leads_where_it_leads_a_browser(
    site: Any, reply: Any, fetch: Any, location: str
) -> None:
    """A redirect's address is read the way browsers read it."""
    host = site.url.partition("//")[2]
    headers = {"Location": location.format(host=host)}
    site.replies |= {"/": reply(status=302, headers=headers), "/b%20c": "there"}
    assert fetch(site.url).body == b"there"


def test_a_header_that_cannot_be_sent_is_an_input_error(site: Any, fetch: Any) -> None:
    """A header with a line break is refused, and nothing is sent."""
    error = fetch(Request(site.url, headers=(("X-Key", "a\r\nb: c"),)))
    assert isinstance(error, InputError)
    assert "ask.headers" in str(error)
    assert not site.seen


@pytest.mark.parametrize(("size", "is_refused"), [(1000, False), (1001, True)])
@pytest.mark.parametrize("declares", [True, False])
def test_too_large_an_answer_is_refused(
    site: Any, reply: Any, fetch: Any, size: int, is_refused: bool, declares: bool
) -> None:
    """A body one byte too large is refused with both sizes, declared or not."""
    raw = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * size
    site.replies["/"] = reply(b"x" * size) if declares else reply(raw=raw)
    answer = fetch(site.url, max_body_bytes=1000)
    if not is_refused:
        assert len(answer.body) == size
        return
    assert isinstance(answer, RefusedError)
    assert "1,001 bytes" in str(answer)
    assert "1,000 bytes" in str(answer)
    assert len(site.seen) == 1


def test_a_small_answer_that_unpacks_to_a_large_one_is_refused(
    site: Any, reply: Any, fetch: Any
) -> None:
    """The limit applies to the decoded body: 20 MB compressed to 20 kB exceed 1 MB."""
    bomb = gzip.compress(b"0" * 20_000_000)
    site.replies["/"] = reply(bomb, headers={"Content-Encoding": "gzip"})
    error = fetch(site.url, max_body_bytes=1_000_000)
    assert isinstance(error, RefusedError)
    assert "1,000,000 bytes" in str(error)


def test_a_large_error_page_is_only_an_error(site: Any, reply: Any, fetch: Any) -> None:
    """The body of an error page is not kept, so its size does not hide the error."""
    site.replies["/"] = reply(b"x" * 300_000, status=404)
    error = fetch(site.url, max_body_bytes=1000)
    assert isinstance(error, RefusedError)
    assert error.status == 404


def test_what_an_interface_says_about_a_wrong_request_is_told(
    site: Any, reply: Any, fetch: Any
) -> None:
    """Its own words come with the error, whose advice is to check the request."""
    kind = {"Content-Type": "application/json"}
    site.replies["/"] = reply('{"error": "body must be JSON"}', status=400, headers=kind)
    error = fetch(site.url)
    assert isinstance(error, RefusedError)
    assert "body must be JSON" in error.message
    assert "check its URL, method and body" in error.advice


def test_what_is_not_encoded_as_it_says_is_refused(site: Any, reply: Any, fetch: Any) -> None:
    """A broken encoding is an error of the source and is not retried."""
    site.replies["/"] = reply(b"no gzip", headers={"Content-Encoding": "gzip"})
    error = fetch(site.url)
    assert isinstance(error, RefusedError)
    assert error.requests == 1


def test_redirects_are_followed_and_counted(site: Any, reply: Any, fetch: Any) -> None:
    """Each redirect costs a request, and the last response is returned."""
    site.replies |= {
        "/a": reply(status=301, headers={"Location": "/b"}),
        "/b": reply(status=307, headers={"Location": "c?x=1#y"}),
        "/c?x=1": "done",
    }
    response = fetch(f"{site.url}/a")
    assert isinstance(response, Response)
    assert (response.url, response.requests) == (f"{site.url}/c?x=1", 3)


@pytest.mark.parametrize(
    ("status", "method", "body"),
    [(303, "GET", b""), (302, "GET", b""), (307, "POST", b"q"), (308, "POST", b"q")],
)
def test_a_redirected_post_does_as_browsers_do(
    site: Any, reply: Any, fetch: Any, status: int, method: str, body: bytes
) -> None:
    """302 and 303 are followed by GET without the body, 307 and 308 by POST with it."""
    site.replies |= {"/a": reply(status=status, headers={"Location": "/b"}), "/b": "done"}
    fetch(Request(f"{site.url}/a", "POST", (), b"q"))
    assert (site.seen[1].method, site.seen[1].body) == (method, body)


def test_a_page_that_leads_on_at_once_is_followed(site: Any, reply: Any, fetch: Any) -> None:
    """A quick meta refresh on the same host is followed, and both requests are counted."""
    kind = {"Content-Type": "text/html"}
    leads = '<meta http-equiv="refresh" content="{};URL={}">'
    site.replies |= {
        "/wait?q=a": reply(leads.format(2, "found?sid=7"), headers=kind),
        "/found?sid=7": reply("found", headers=kind),
        "/news": reply(leads.format(300, "/later"), headers=kind),
        "/round": reply(leads.format(1, "/back"), headers=kind),
        "/back": reply(leads.format(1, "/round"), headers=kind),
        "/away": reply(leads.format(0, "http://elsewhere.example/"), headers=kind),
    }
    response = fetch(Request(f"{site.url}/wait?q=a", "POST", (), b"q"))
    assert (response.url, response.requests) == (f"{site.url}/found?sid=7", 2)
    assert (site.seen[-1].method, site.seen[-1].body) == ("GET", b"")
    for path, last in (("/news", "/news"), ("/round", "/back"), ("/away", "/away")):
        assert fetch(f"{site.url}{path}").url == f"{site.url}{last}"


def test_a_redirect_loop_is_named(site: Any, reply: Any, fetch: Any) -> None:
    """The error of a redirect loop shows its path."""
    site.replies |= {
        "/a": reply(status=302, headers={"Location": "/b"}),
        "/b": reply(status=302, headers={"Location": "/a"}),
    }
    error = fetch(f"{site.url}/a")
    assert isinstance(error, RefusedError)
    assert f"redirect loop: {site.url}/a -> {site.url}/b -> {site.url}/a" in str(error)
    assert error.requests == len(site.seen) <= 6


def test_too_many_redirects_are_refused(site: Any, reply: Any, fetch: Any) -> None:
    """A chain longer than the limit is refused, and no request beyond it is sent."""
    for number in range(9):
        site.replies[f"/{number}"] = reply(status=302, headers={"Location": f"/{number + 1}"})
    error = fetch(f"{site.url}/0", max_redirects=4)
    assert isinstance(error, RefusedError)
    assert "more than 4 times" in str(error)
    assert site.paths == ["/0", "/1", "/2", "/3", "/4"]


def test_cookies_are_kept(site: Any, reply: Any, run: Any) -> None:
    """A cookie is sent back, even when setting it redirects to the same URL."""

    def welcome(seen: Any) -> Any:
        if seen.headers.get("cookie") == "session=7":
            return reply("in")
        return reply(status=302, headers={"Location": "/", "Set-Cookie": "session=7"})

    site.replies |= {"/": welcome, "/b": "b"}

    async def work(fetcher: WebFetcher) -> Response:
        response = await fetcher.fetch(Request(f"{site.url}/"))
        await fetcher.fetch(Request(f"{site.url}/b"))
        return response

    assert run(work, robots=False).body == b"in"
    assert site.seen[-1].headers["cookie"] == "session=7"


def test_each_session_has_its_own_cookies(site: Any, reply: Any, run: Any) -> None:
    """Cookies of one session are not sent by another."""
    site.replies |= {
        f"/{name}": reply("in", headers={"Set-Cookie": f"visit={name}"}) for name in ("a", "b")
    }
    site.replies["/c"] = "c"

    async def work(fetcher: WebFetcher) -> Response:
        await fetcher.fetch(Request(f"{site.url}/a"))
        await fetcher.fetch(Request(f"{site.url}/b", session=1))
        await fetcher.fetch(Request(f"{site.url}/c"))
        await fetcher.fetch(Request(f"{site.url}/c", session=1))
        return await fetcher.fetch(Request(f"{site.url}/c", session=2))

    assert run(work, robots=False).body == b"c"
    sent = [seen.headers.get("cookie") for seen in site.seen]
    assert sent == [None, None, "visit=a", "visit=b", None]


def test_a_key_in_a_header_stays_with_its_origin(
    site: Any, other_site: Any, reply: Any, fetch: Any
) -> None:
    """A redirect to another origin drops the request's secret headers."""
    site.replies["/"] = reply(status=302, headers={"Location": f"{other_site.url}/"})
    other_site.replies["/"] = "there"
    fetch(Request(site.url, headers=(("X-Key", "secret"), ("Accept", "text/html"))))
    assert site.seen[0].headers["x-key"] == "secret"
    assert "x-key" not in other_site.seen[0].headers
    assert other_site.seen[0].headers["accept"] == "text/html"


def test_proxies_of_the_environment_are_not_used(
    site: Any, fetch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proxies from the environment are not used, because the guard cannot check behind them."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    site.replies["/"] = "direct"
    assert isinstance(fetch(site.url), Response)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_wants_a_login_says_so(site: Any, reply: Any, fetch: Any, scheme: str) -> None:
    """A proxy that requires a login gives its own error, also for https tunnels."""
    site.replies |= {path: reply(status=407) for path in ("h.example:443", "http://h.example/")}
    error = fetch(f"{scheme}://h.example/", proxy=site.url)
    assert isinstance(error, SourceError)
    assert "407" in str(error)
    assert "http://NAME:PASSWORD@HOST:PORT" in error.advice


def test_a_proxy_that_is_down_is_named(fetch: Any) -> None:
    error = fetch("http://h.example/", proxy="http://127.0.0.1:1")
    assert isinstance(error, UnreachableError)
    assert "through the proxy" in str(error)


def test_an_unused_proxy_of_the_environment_is_named_when_no_answer_comes(
    fetch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    error = fetch("http://127.0.0.1:1/")
    assert isinstance(error, UnreachableError)
    assert "a proxy that the environment names is not used" in error.advice


def test_every_request_is_told_before_it_is_sent(site: Any, reply: Any, run: Any) -> None:
    """The hook runs once before each request, for robots.txt, redirects and retries, too."""
    site.replies |= {
        "/robots.txt": "User-agent: *\nDisallow: /x\n",
        "/": reply(status=302, headers={"Location": "/b"}),
        "/b": [reply(status=503), reply("b")],
    }
    told: list[int] = []

    async def work(fetcher: WebFetcher) -> Response:
        return await fetcher.fetch(Request(f"{site.url}/"))

    response = run(work, on_send=lambda: told.append(len(site.seen)))
    assert told == list(range(len(site.seen))) == [0, 1, 2, 3]
    assert response.requests == 3


def test_a_budget_is_never_exceeded(site: Any, reply: Any, run: Any) -> None:
    """An error in the hook stops the request: with five allowed, the server sees five."""
    site.replies |= {"/robots.txt": "", "/a": [reply(status=503), reply(status=503), reply("a")]}
    left = [5]

    def spend() -> None:
        if not left[0]:
            raise BudgetSpent("the budget of 5 requests is spent")
        left[0] -= 1

    async def work(fetcher: WebFetcher) -> list[Any]:
        requests = [fetcher.fetch(Request(f"{site.url}/a")) for _ in range(4)]
        return await asyncio.gather(*requests, return_exceptions=True)

    outcomes = run(work, on_send=spend)
    assert len(site.seen) == 5
    assert any(isinstance(outcome, BudgetSpent) for outcome in outcomes)
    assert all(isinstance(outcome, Response | LonglineError) for outcome in outcomes)


def test_connections_are_used_again(site: Any, run: Any) -> None:
    """Consecutive requests use one connection."""
    site.replies["/a"] = lambda seen: "a"
    ports: set[int] = set()
    original = site.server.get_request

    def noted() -> Any:
        connection, address = original()
        ports.add(address[1])
        return connection, address

    site.server.get_request = noted

    async def work(fetcher: WebFetcher) -> None:
        for _ in range(4):
            await fetcher.fetch(Request(f"{site.url}/a"))

    run(work, robots=False)
    assert len(ports) == 1
