"""The pace: no two requests to one host too close together, however many want to go."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from longline.errors import Interrupted
from longline.fetch import WebFetcher
from longline.fetch._pace import Pace
from longline.model import Request


def test_many_at_once_keep_the_pace(site: Any, run: Any) -> None:
    """Six concurrent requests at 20 a second take five intervals, none of them twice."""
    site.replies["/a"] = "a"

    async def work(fetcher: WebFetcher) -> None:
        await asyncio.gather(*(fetcher.fetch(Request(f"{site.url}/a")) for _ in range(6)))

    run(work, rate=20.0, obey_robots=False)
    times = sorted(seen.seconds for seen in site.seen)
    # The server notes a request some time after it was sent; the sum is what must hold.
    assert times[-1] - times[0] >= 5 / 20 - 0.04


def test_retries_and_redirects_keep_the_pace(site: Any, reply: Any, run: Any) -> None:
    """Every HTTP request counts for the pace, not only the first of an answer."""
    site.replies |= {
        "/": reply(status=302, headers={"Location": "/b"}),
        "/b": [reply(status=503), reply("b")],
    }

    async def work(fetcher: WebFetcher) -> None:
        await fetcher.fetch(Request(site.url))

    run(work, rate=10.0, wait_seconds=0.0, obey_robots=False)
    times = [seen.seconds for seen in site.seen]
    assert len(times) == 3
    assert all(later - earlier >= 0.08 for earlier, later in pairwise(times))


@pytest.mark.parametrize("rate", [0.001, None])
def test_hosts_do_not_wait_for_each_other(rate: float | None) -> None:
    """The first request to a host starts at once, whatever others wait for."""

    async def main() -> None:
        pace = Pace(rate)
        async with asyncio.timeout(5):
            await pace.wait("a.example")
            await pace.wait("b.example")

    asyncio.run(main())


def test_a_host_on_hold_waits() -> None:
    """A host that asked for a pause gets it, from all that want to go there."""

    async def main() -> list[float]:
        pace = Pace(None)
        start = asyncio.get_running_loop().time()
        pace.hold("a.example", 0.1)

        async def go() -> float:
            await pace.wait("a.example")
            return asyncio.get_running_loop().time() - start

        return list(await asyncio.gather(go(), go()))

    assert min(asyncio.run(main())) >= 0.09


def test_nobody_waits_any_more_when_all_is_stopped() -> None:
    """Whoever waits for a turn, or wants one later, is told that the run was interrupted."""

    async def main() -> None:
        pace = Pace(0.001)
        await pace.wait("a.example")
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
