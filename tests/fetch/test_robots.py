"""robots.txt: fetched once, awaited by all requests, obeyed."""

import asyncio
import time
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from longline.errors import (
    BudgetSpent,
    LonglineError,
    PrivateAddressError,
    RobotsError,
    UnreachableError,
)
from longline.events import RobotsRead
from longline.fetch import WebFetcher
from longline.fetch._robots import Robots
from longline.model import Request, Response

CLOSED = "User-agent: *\nDisallow: /private\n"
HOURS = 3600.0


def untimed(told: list[RobotsRead]) -> list[RobotsRead]:
    """Return the reported files without their times."""
    assert all(read.read_at > 0 for read in told)
    return [msgspec.structs.replace(read, read_at=0.0) for read in told]


def test_what_is_disallowed_is_never_asked_for(site: Any, fetch: Any) -> None:
    """A disallowed URL raises an error with its name; only robots.txt is requested."""
    site.replies |= {"/robots.txt": CLOSED, "/private/x": "secret"}
    error = fetch(f"{site.url}/private/x", robots=True)
    assert isinstance(error, RobotsError)
    assert f"{site.url}/private/x" in str(error)
    assert site.paths == ["/robots.txt"]


def test_robots_may_be_ignored(site: Any, fetch: Any) -> None:
    """With robots=False the fetcher does not request robots.txt."""
    site.replies |= {"/robots.txt": CLOSED, "/private/x": "secret"}
    assert isinstance(fetch(f"{site.url}/private/x"), Response)
    assert site.paths == ["/private/x"]


def test_all_wait_for_one_robots_txt(site: Any, reply: Any, run: Any) -> None:
    """Requests that start while robots.txt loads wait for it, and it is loaded once."""
    site.replies |= {"/robots.txt": reply(CLOSED, wait_seconds=0.2), "/a": "a", "/private": "b"}

    async def work(fetcher: WebFetcher) -> list[Any]:
        requests = [fetcher.fetch(Request(site.url + path)) for path in ("/a", "/private") * 4]
        return await asyncio.gather(*requests, return_exceptions=True)

    outcomes = run(work)
    assert [type(outcome) for outcome in outcomes] == [Response, RobotsError] * 4
    assert site.paths == ["/robots.txt"] + ["/a"] * 4


def test_one_that_gives_up_does_not_take_robots_txt_along(site: Any, reply: Any, run: Any) -> None:
    """If the first waiting request is cancelled, the others still get robots.txt."""
    site.replies |= {"/robots.txt": reply(CLOSED, wait_seconds=0.2), "/a": "a"}

    async def work(fetcher: WebFetcher) -> Any:
        first = asyncio.create_task(fetcher.fetch(Request(f"{site.url}/a")))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(fetcher.fetch(Request(f"{site.url}/a")))
        await asyncio.sleep(0.05)
        first.cancel()
        return await second

    assert isinstance(run(work), Response)
    assert site.paths == ["/robots.txt", "/a"]


def test_what_was_read_is_told_and_can_be_handed_back(site: Any, run: Any) -> None:
    """The caller receives robots.txt; when passed in again, it is not requested."""
    site.replies |= {"/robots.txt": CLOSED, "/a": "a"}
    told: list[RobotsRead] = []

    async def work(fetcher: WebFetcher) -> Response:
        return await fetcher.fetch(Request(f"{site.url}/a"))

    run(work, on_robots=told.append)
    assert untimed(told) == [RobotsRead(site.url, 200, CLOSED, 1)]
    run(work, on_robots=told.append, known_robots={site.url: told[0]})
    assert len(told) == 1
    assert site.paths == ["/robots.txt", "/a", "/a"]


def test_what_was_read_more_than_a_day_ago_is_read_again(site: Any, fetch: Any) -> None:
    """Rules from an earlier run are valid for a day, and not if their time is unknown."""
    site.replies |= {"/robots.txt": "", "/private": "b"}
    now = 2e9

    def ask(read_at: float) -> Any:
        known = {site.url: RobotsRead(site.url, 200, CLOSED, 1, read_at)}
        return fetch(f"{site.url}/private", robots=True, known_robots=known, now=lambda: now)

    assert isinstance(ask(now - 23.9 * HOURS), RobotsError)
    assert isinstance(ask(now - 24.1 * HOURS), Response)
    assert isinstance(ask(0.0), Response)
    assert site.paths == ["/robots.txt", "/private"] * 2


def test_a_run_of_days_reads_robots_txt_every_day(site: Any, run: Any) -> None:
    """A long run reads robots.txt again after a day and obeys the new rules."""
    site.replies |= {"/robots.txt": ["", CLOSED], "/private": "b"}
    now = [2e9]

    async def work(fetcher: WebFetcher) -> list[Any]:
        outcomes = []
        for hours in 0, 23.9, 0.2:
            now[0] += hours * HOURS
            request = fetcher.fetch(Request(f"{site.url}/private"))
            outcomes += await asyncio.gather(request, return_exceptions=True)
        return outcomes

    assert [type(outcome) for outcome in run(work, now=lambda: now[0])] == [
        Response,
        Response,
        RobotsError,
    ]
    assert site.paths == ["/robots.txt", "/private", "/private", "/robots.txt"]


def asked_for_a_minute(site: Any, run: Any) -> list[Any]:
    """Return what a page's requests bring at once, after 30 seconds, and after 61."""
    now = [2e9]

    async def work(fetcher: WebFetcher) -> list[Any]:
        outcomes = []
        for seconds in 0, 30, 31:
            now[0] += seconds
            request = fetcher.fetch(Request(f"{site.url}/a"))
            outcomes += await asyncio.gather(request, return_exceptions=True)
        return outcomes

    outcomes: list[Any] = run(work, now=lambda: now[0], retries=0)
    return outcomes


def test_a_failing_robots_txt_is_left_alone_for_a_while(site: Any, reply: Any, run: Any) -> None:
    """A failed robots.txt is requested again only after a minute."""
    site.replies |= {"/robots.txt": [reply(status=503), reply("")], "/a": "a"}
    outcomes = asked_for_a_minute(site, run)
    assert [type(outcome) for outcome in outcomes] == [RobotsError, RobotsError, Response]
    assert site.paths == ["/robots.txt", "/robots.txt", "/a"]


def test_an_unreachable_robots_txt_keeps_out(site: Any, reply: Any, run: Any) -> None:
    """If robots.txt is unreachable, no page is requested, and robots.txt not for each page."""
    site.replies |= {"/robots.txt": [reply(raw=b""), reply("")], "/a": "a"}
    first, second, third = asked_for_a_minute(site, run)
    assert isinstance(first, UnreachableError)
    assert isinstance(second, UnreachableError)
    assert (first.requests, second.requests) == (1, 0)
    assert isinstance(third, Response)
    assert site.paths == ["/robots.txt", "/robots.txt", "/a"]


@pytest.mark.parametrize(("hops", "is_read"), [(5, True), (6, False)])
def test_five_redirects_are_followed_to_robots_txt(
    site: Any, reply: Any, fetch: Any, hops: int, is_read: bool
) -> None:
    """Rules five redirects away apply; after more redirects there are none (RFC 9309, 2.3.1.2)."""
    places = ["/robots.txt", *(f"/r{number}" for number in range(1, hops + 1))]
    for here, there in pairwise(places):
        site.replies[here] = reply(status=302, headers={"Location": there})
    site.replies |= {places[-1]: CLOSED, "/private": "b"}
    outcome = fetch(f"{site.url}/private", robots=True)
    assert isinstance(outcome, RobotsError) == is_read
    assert len([path for path in site.paths if path != "/private"]) == 6


def test_a_failure_of_yesterday_is_asked_for_again(site: Any, fetch: Any) -> None:
    """A robots.txt that failed in an earlier run is requested again."""
    site.replies |= {"/robots.txt": CLOSED, "/a": "a"}
    known = {site.url: RobotsRead(site.url, 503, "")}
    assert isinstance(fetch(f"{site.url}/a", robots=True, known_robots=known), Response)
    assert site.paths == ["/robots.txt", "/a"]


def test_a_failure_of_the_run_before_is_asked_for_again(site: Any, fetch: Any) -> None:
    """A failure of an earlier run is retried, even one second later."""
    site.replies |= {"/robots.txt": CLOSED, "/a": "a"}
    known = {site.url: RobotsRead(site.url, 503, "", read_at=time.time() - 1)}
    assert isinstance(fetch(f"{site.url}/a", robots=True, known_robots=known), Response)
    assert site.paths == ["/robots.txt", "/a"]


@pytest.mark.parametrize(
    ("rules", "seconds"),
    [
        ("Crawl-delay: 3\nRequest-rate: 1/7", 7.0),
        ("Crawl-delay: 9\nRequest-rate: 2/7", 9.0),
        ("Request-rate: 2/7", 3.5),
        ("", 0.0),
    ],
)
def test_the_longer_of_delay_and_rate_counts(rules: str, seconds: float) -> None:
    """The longer one of Crawl-delay and Request-rate sets the interval."""

    async def get(url: str) -> Response:
        return Response(url=url, status=200, body=f"User-agent: *\n{rules}\n".encode())

    robots = Robots("longline", get, known={}, on_read=lambda read: None, now=time.time)
    assert asyncio.run(robots.check("https://x.example/a")) == seconds


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_no_robots_txt_allows_all(site: Any, reply: Any, fetch: Any, status: int) -> None:
    """Any 4xx but 429 means that there are no rules (RFC 9309, 2.3.1.3)."""
    site.replies |= {"/robots.txt": reply(status=status), "/a": "a"}
    told: list[RobotsRead] = []
    assert isinstance(fetch(f"{site.url}/a", robots=True, on_robots=told.append), Response)
    assert untimed(told) == [RobotsRead(site.url, status, "", 1)]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failing_robots_txt_keeps_out(site: Any, reply: Any, fetch: Any, status: int) -> None:
    """A 5xx or 429 after retries disallows all for now (RFC 9309, 2.3.1.4)."""
    site.replies |= {"/robots.txt": reply(status=status), "/a": "a"}
    error = fetch(f"{site.url}/a", robots=True, retries=1)
    assert isinstance(error, RobotsError)
    assert str(status) in str(error)
    assert site.paths == ["/robots.txt"] * 2


def test_a_host_that_is_down_is_unreachable(fetch: Any) -> None:
    """A host that does not answer for robots.txt is unreachable."""
    error = fetch("http://127.0.0.1:1/a", robots=True, retries=0)
    assert isinstance(error, UnreachableError)


def test_redirects_lead_through_robots_txt_too(
    site: Any, other_site: Any, reply: Any, fetch: Any
) -> None:
    """A redirect target must be allowed by the robots.txt of its own origin."""
    site.replies |= {
        "/robots.txt": CLOSED,
        "/in": reply(status=302, headers={"Location": "/private"}),
        "/out": reply(status=302, headers={"Location": f"{other_site.url}/private"}),
    }
    other_site.replies["/robots.txt"] = CLOSED
    for path in ("/in", "/out"):
        assert isinstance(fetch(site.url + path, robots=True), RobotsError)
    assert "/private" not in site.paths + other_site.paths
    assert other_site.paths == ["/robots.txt"]


def test_robots_txt_itself_may_be_redirected(
    site: Any, other_site: Any, reply: Any, fetch: Any
) -> None:
    """A redirected robots.txt applies to the origin that was requested."""
    site.replies["/robots.txt"] = reply(status=301, headers={"Location": f"{other_site.url}/r"})
    other_site.replies["/r"] = CLOSED
    told: list[RobotsRead] = []
    error = fetch(f"{site.url}/private", robots=True, on_robots=told.append)
    assert isinstance(error, RobotsError)
    assert untimed(told) == [RobotsRead(site.url, 200, CLOSED, 2)]


def test_crawl_delay_is_kept_to(site: Any, run: Any) -> None:
    """Requests keep the crawl delay of robots.txt, whatever the rate."""
    site.replies |= {"/robots.txt": "User-agent: longline\nCrawl-delay: 0.2\n", "/a": "a"}

    async def work(fetcher: WebFetcher) -> None:
        await fetcher.fetch(Request(f"{site.url}/a"))
        await asyncio.gather(*(fetcher.fetch(Request(f"{site.url}/a")) for _ in range(3)))

    run(work, rate=1000.0)
    times = [seen.seconds for seen in site.seen if seen.path == "/a"]
    # The server notes requests with a delay, so that only the total time is checked.
    assert times[-1] - times[0] >= 3 * 0.2 - 0.1


def test_a_crawl_delay_of_a_day_is_refused(site: Any, fetch: Any) -> None:
    """A crawl delay that no harvest can keep is refused; the error has the number."""
    site.replies |= {"/robots.txt": "User-agent: *\nCrawl-delay: 86400\n", "/a": "a"}
    error = fetch(f"{site.url}/a", robots=True)
    assert isinstance(error, RobotsError)
    assert "86,400 s" in str(error)


@pytest.mark.parametrize(
    ("agent", "is_allowed"),
    [
        ("longline", False),
        ("LongLine", False),
        ("longline/1.0", False),
        ("longline crawler", False),
        ("longline # us", False),
        ("*", False),
        ("harvester", True),
        ("long", True),
        ("longline-images", True),
        ("*line", True),
        ("", True),
    ],
)
def test_rules_are_looked_up_by_our_name(
    site: Any, fetch: Any, agent: str, is_allowed: bool
) -> None:
    """Rules match our complete name in any case, ignoring what follows it."""
    site.replies |= {"/robots.txt": f"User-agent: {agent}\nDisallow: /\n", "/a": "a"}
    assert isinstance(fetch(f"{site.url}/a", robots=True), Response) == is_allowed


@pytest.mark.parametrize(
    ("rules", "path", "is_allowed"),
    [
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Disallow: /a/b\nAllow: /a/b", "/a/b", True),
        ("Disallow: /*.gif$", "/x/y.gif", False),
        ("Disallow: /*.gif$", "/x/y.gif?z", True),
        ("Disallow: /a%62c", "/abc", False),
        ("Disallow: /ab%63", "/a%62c", False),
        ("Disallow: /a%2Fb", "/a/b", True),
        ("Disallow: /a%2fb", "/a%2Fb", False),
        ("Disallow: /\u30c4", "/%E3%83%84", False),
        ("Disallow: /q?a=1", "/q?a=1&b=2", False),
        ("Disallow:", "/a", True),
        ("Disallow: /a # all\rAllow: /b", "/a", False),
        ("Sitemap: /s\nDisallow: /a", "/a", False),
        ("Foo: 1\nUser-agent: other\nDisallow: /a", "/a", False),
        ("Disallow: /b\nUser-agent: other\nDisallow: /a", "/a", True),
        (
            "Disallow: /b\nUser-agent: other\nAllow: /\nUser-agent: LONGLINE\nDisallow: /a",
            "/a",
            False,
        ),
        ("Disallow: /" + "x" * 20_000 + "\nDisallow: /a", "/a", False),
        ("Disallow: /x\u2028Allow: /\nDisallow: /a", "/a", False),
    ],
)
def test_rules_are_read_as_the_rfc_says(
    site: Any, fetch: Any, rules: str, path: str, is_allowed: bool
) -> None:
    """Longest match, ties, wildcards, encodings and groups follow RFC 9309."""
    site.replies |= {"/robots.txt": f"User-agent: longline\n{rules}\n", path: "a"}
    assert isinstance(fetch(site.url + path, robots=True), Response) == is_allowed


def test_only_the_first_half_megabyte_is_read(site: Any, fetch: Any) -> None:
    """Only the first 512 KiB of an endless robots.txt are read, without an error."""
    long = "User-agent: *\nDisallow: /private\n" + "# filler\n" * 100_000 + "Disallow: /a\n"
    site.replies |= {"/robots.txt": long, "/a": "a", "/private": "b"}
    assert isinstance(fetch(f"{site.url}/a", robots=True, max_body_bytes=100), Response)
    assert isinstance(fetch(f"{site.url}/private", robots=True), RobotsError)


def test_a_byte_order_mark_does_not_hide_the_first_line(site: Any, fetch: Any) -> None:
    """A byte order mark does not hide the first rule."""
    site.replies |= {"/robots.txt": ("\ufeff" + CLOSED).encode(), "/private": "b"}
    assert isinstance(fetch(f"{site.url}/private", robots=True), RobotsError)


def test_a_spent_budget_is_no_robots_txt(site: Any, run: Any) -> None:
    """If the budget ends at robots.txt, the next request reads the rules again."""
    site.replies |= {"/robots.txt": CLOSED, "/a": "a"}
    budget = [BudgetSpent("spent")]

    def spend() -> None:
        if budget:
            raise budget.pop()

    async def work(fetcher: WebFetcher) -> list[Any]:
        outcomes: list[Any] = []
        for _ in range(2):
            try:
                outcomes.append(await fetcher.fetch(Request(f"{site.url}/a")))
            except LonglineError as error:
                outcomes.append(error)
        return outcomes

    first, second = run(work, on_send=spend)
    assert isinstance(first, BudgetSpent)
    assert isinstance(second, Response)


def test_a_robots_txt_on_a_private_address_is_not_fetched(
    site: Any, reply: Any, fetch: Any
) -> None:
    """The guard for private addresses applies to robots.txt, too."""
    error = fetch(f"{site.url}/a", robots=True, allow_private=False)
    assert isinstance(error, PrivateAddressError)
    assert not site.seen
