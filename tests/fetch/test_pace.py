"""The pace: requests to one place keep their interval, however many are waiting."""

import asyncio
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import Interrupted, UnreachableError
from longline.fetch import POLITE_RATE, Hosts, WebFetcher
from longline.fetch._pace import (
    FASTER,
    JITTER,
    LEAST_SLOWED_SECONDS,
    MOST_SLOWED_SECONDS,
    Pace,
    Place,
)
from longline.fetch.manners import Hooks, Manners, Network, Wait
from longline.model import Request

ADDRESSES = {
    "a.example": ["192.0.2.1", "192.0.2.2"],
    "b.example": ["198.51.100.1"],
    "same.example": ["203.0.113.9", "192.0.2.2"],
    "private.example": ["10.0.0.7"],
}


async def find(host: str, port: int) -> Sequence[str]:
    if host not in ADDRESSES:
        raise OSError("unknown")
    return ADDRESSES[host]


def pace_of(rate: float | None) -> Pace:
    """Return a pace for invented hosts, which are public unless in 10.0.0.0/8."""
    return Pace(
        Manners(rate=rate),
        Hooks(),
        {},
        Hosts(),
        Network(resolve=find, is_public=lambda address: not address.startswith("10.")),
        np.random.default_rng(0),
    )


async def seconds_for(pace: Pace, *hosts: str) -> list[float]:
    """Return after how many seconds each request may start, if all wait in this order."""
    begun = time.monotonic()

    async def go(host: str) -> float:
        (await pace.wait(host)).end()
        return time.monotonic() - begun

    return list(await asyncio.gather(*map(go, hosts)))


def test_many_at_once_keep_the_pace(site: Any, run: Any) -> None:
    """Six concurrent requests at 20 per second are spread over five intervals."""
    site.replies["/a"] = "a"

    async def work(fetcher: WebFetcher) -> None:
        await asyncio.gather(*(fetcher.fetch(Request(f"{site.url}/a")) for _ in range(6)))

    run(work, rate=20.0, robots=False)
    times = sorted(seen.seconds for seen in site.seen)
    # The server notes requests with a delay, so that only the total time is checked.
    assert times[-1] - times[0] >= 5 / 20 - 0.04


def test_slow_connections_bring_no_two_requests_together(site: Any, run: Any) -> None:
    """The interval counts from the moment a request is written, not from its connection."""
    site.replies["/a"] = "a"
    waits = iter([0.0, 0.3, 0.0, 0.2, 0.0, 0.0, 0.0, 0.0])

    async def slowly(host: str, port: int) -> Sequence[str]:
        await asyncio.sleep(next(waits))
        return ["127.0.0.1"]

    async def work(fetcher: WebFetcher) -> None:
        await asyncio.gather(*(fetcher.fetch(Request(f"{site.url}/a")) for _ in range(4)))

    run(work, rate=10.0, robots=False, resolve=slowly)
    times = sorted(seen.seconds for seen in site.seen)
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.1 - 0.07


def test_retries_and_redirects_keep_the_pace(site: Any, reply: Any, run: Any) -> None:
    """Retries and redirects keep the pace, too."""
    site.replies |= {
        "/": reply(status=302, headers={"Location": "/b"}),
        "/b": [reply(status=503), reply("b")],
    }

    async def work(fetcher: WebFetcher) -> None:
        await fetcher.fetch(Request(site.url))

    run(work, rate=10.0, wait_seconds=0.0, robots=False)
    times = [seen.seconds for seen in site.seen]
    assert len(times) == 3
    assert all(later - earlier >= 0.08 for earlier, later in pairwise(times))


@pytest.mark.parametrize("rate", [0.001, None])
def test_places_do_not_wait_for_each_other(rate: float | None) -> None:
    """The first request to a place starts at once, even if others wait for another place."""
    assert max(asyncio.run(seconds_for(pace_of(rate), "a.example", "b.example"))) < 1


def test_names_of_one_address_share_a_pace() -> None:
    """Two names with a common address are one place, in either order."""
    for hosts in ("a.example", "same.example"), ("same.example", "a.example"):
        first, second = asyncio.run(seconds_for(pace_of(4.0), *hosts))
        assert second - first >= 0.25


def test_two_names_of_a_server_keep_one_pace(site: Any, run: Any) -> None:
    """A server requested under two names sees a single pace."""
    port = int(site.url.rpartition(":")[2])
    site.replies["/a"] = "a"

    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    async def work(fetcher: WebFetcher) -> None:
        for host in ("one.example", "two.example") * 2:
            await fetcher.fetch(Request(f"http://{host}:{port}/a"))

    run(work, rate=10.0, robots=False, resolve=resolve)
    times = [seen.seconds for seen in site.seen]
    assert {seen.headers["host"].partition(":")[0] for seen in site.seen} == {
        "one.example",
        "two.example",
    }
    assert times[-1] - times[0] >= 3 / 10 - 0.04


@pytest.mark.parametrize(
    ("host", "least"), [("a.example", 1 / POLITE_RATE), ("private.example", 0.0)]
)
def test_only_public_places_have_a_pace_unasked(host: str, least: float) -> None:
    """Without a given rate, public hosts get the polite rate and private ones no interval."""
    first, second = asyncio.run(seconds_for(pace_of(None), host, host))
    assert first < 0.1
    assert least <= second < least * (1 + JITTER) + 0.2


def test_a_name_that_is_not_found_is_told_by_the_request(fetch: Any) -> None:
    """A name that does not resolve fails as any unreachable host, without a wait."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        raise OSError("unknown")

    assert isinstance(fetch("http://a.example/", resolve=resolve), UnreachableError)


@given(st.floats(0, 5), st.lists(st.tuples(st.booleans(), st.floats(0, 90)), max_size=60))
def test_no_place_is_asked_faster_than_allowed(
    least: float, answers: list[tuple[bool, float]]
) -> None:
    """The interval stays between the minimum and one minute or the response time."""
    public, private = Place(least, is_public=True), Place(least, is_public=False)
    now = 0.0
    for is_good, seconds in answers:
        for place in public, private:
            place.answered(now, now + seconds)
            if is_good:
                place.recover()
            else:
                place.slow_down(now, now + seconds)
            assert least <= place.interval() <= max(MOST_SLOWED_SECONDS, least, 90)
        now += seconds + 1


def test_a_slow_public_place_is_given_the_time_of_its_answers() -> None:
    """Slow responses raise a public interval at once, fast ones lower it; private ones stay."""
    public, private = Place(1.0, is_public=True), Place(0.0, is_public=False)
    for place in public, private:
        place.answered(0, 8)
    assert (public.interval(), private.interval()) == (8, 0)
    public.answered(10, 10)
    assert 1 < public.interval() < 8
    for _ in range(20):
        public.answered(20, 20)
    assert public.interval() == 1


def test_trouble_slows_down_and_wears_off() -> None:
    """Each failure doubles the interval up to a minute; each success shortens it a little."""
    place = Place(1.0, is_public=True)
    seen = []
    for now in range(8):
        place.slow_down(now, now)
        seen.append(place.interval())
    assert seen == [2, 4, 8, 16, 32, 60, 60, 60]
    place.recover()
    assert place.interval() == 60 * FASTER
    for _ in range(20):
        place.recover()
    assert place.interval() == 1


def test_requests_in_trouble_together_slow_down_once() -> None:
    """Requests that were in flight together at a failure slow the place down once."""
    place = Place(1.0, is_public=True)
    place.slow_down(began=5, now=9)
    place.slow_down(began=6, now=10)
    assert place.interval() == 2


@pytest.mark.parametrize(("status", "slows"), [(429, True), (503, True), (500, False)])
def test_a_private_place_slows_down_where_it_asks_for_it(status: int, slows: bool) -> None:
    """A private host is slowed down after status 429 or 503, but not after 500."""

    async def main() -> float:
        pace = pace_of(None)
        (await pace.wait("private.example")).end()
        for _ in range(6):
            pace.learn("private.example", time.monotonic(), status, is_retry=False)
        return max(await seconds_for(pace, "private.example", "private.example"))

    slowed = 2**5 * LEAST_SLOWED_SECONDS
    seconds = asyncio.run(main())
    assert seconds >= slowed if slows else seconds < slowed / 2


def test_a_retry_that_fails_tells_nothing_new() -> None:
    """The failure of a retry does not slow its place down further."""

    async def main() -> float:
        pace = pace_of(None)
        (await pace.wait("private.example")).end()
        for _ in range(6):
            pace.learn("private.example", time.monotonic(), 503, is_retry=True)
        return max(await seconds_for(pace, "private.example", "private.example"))

    assert asyncio.run(main()) < 2**4 * LEAST_SLOWED_SECONDS


def test_a_shorter_wait_does_not_end_a_longer_one() -> None:
    """The latest end of all requested waits applies, and it is reported once."""
    told: list[Wait] = []
    network = Network(resolve=find, now=lambda: 1000.0)
    rng = np.random.default_rng(0)
    pace = Pace(Manners(), Hooks(on_asked=told.append), {}, Hosts(), network, rng)
    pace.hold("a.example", 50, "503, Retry-After 50")
    pace.hold("a.example", 5, "503, Retry-After 5")
    assert [wait.until.timestamp() for wait in told] == [1050.0]


def test_who_stands_in_line_waits_as_the_host_asks() -> None:
    """A requested wait also applies to requests that are already waiting for their turn."""

    async def main() -> float:
        pace = pace_of(10.0)
        (await pace.wait("a.example")).end()
        begun = time.monotonic()
        waiting = asyncio.create_task(pace.wait("a.example"))
        await asyncio.sleep(0.02)
        pace.hold("a.example", 0.5, "429, Retry-After 1")
        await waiting
        return time.monotonic() - begun

    assert asyncio.run(main()) >= 0.5


def test_a_server_that_is_busy_gets_a_pause(site: Any, reply: Any, run: Any) -> None:
    """After several 429, requests to a loopback server are spaced out."""
    site.replies |= {"/busy": reply(status=429), "/a": "a"}

    async def work(fetcher: WebFetcher) -> None:
        for path in ["/busy"] * 5 + ["/a"] * 3:
            request = fetcher.fetch(Request(f"{site.url}{path}"))
            await asyncio.gather(request, return_exceptions=True)

    run(work, robots=False, retries=0)
    times = [seen.seconds for seen in site.seen]
    slowed = 2**4 * LEAST_SLOWED_SECONDS
    assert times[7] - times[5] >= (1 + FASTER) * slowed - 0.05


def test_a_public_place_slows_down_for_any_trouble(site: Any, reply: Any, run: Any) -> None:
    """A failing public host is requested at half the rate; a failing retry changes nothing."""
    site.replies |= {"/bad": reply(status=500), "/a": "a"}

    async def work(fetcher: WebFetcher) -> None:
        for path in "/a", "/bad", "/a", "/a":
            await asyncio.gather(
                fetcher.fetch(Request(f"{site.url}{path}")), return_exceptions=True
            )

    run(work, robots=False, rate=10.0, wait_seconds=0.0, is_public=lambda address: True)
    assert site.paths == ["/a", "/bad", "/bad", "/a", "/a"]
    times = [seen.seconds for seen in site.seen]
    assert 0.08 <= times[1] - times[0] < 0.16
    assert times[4] - times[3] >= 2 * 0.1 * FASTER - 0.02


def test_nobody_waits_any_more_when_all_is_stopped() -> None:
    """After a stop, every current and later wait raises Interrupted."""

    async def main() -> None:
        pace = pace_of(0.001)
        (await pace.wait("a.example")).end()
        waiting = [asyncio.create_task(pace.wait("a.example")) for _ in range(3)]
        waiting.append(asyncio.create_task(pace.rest(1000)))
        await asyncio.sleep(0)
        pace.stop()
        async with asyncio.timeout(5):
            outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(outcome, Interrupted) for outcome in outcomes)
        with pytest.raises(Interrupted):
            await pace.wait("b.example")

    asyncio.run(main())
