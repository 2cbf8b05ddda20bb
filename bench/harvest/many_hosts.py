"""Harvest from 200 hosts at once in one process, compared with bare loops over as many pages.

    python -m bench.harvest.many_hosts
    python -m bench.harvest.many_hosts --hosts 50 --requests 30

The hosts are loopback addresses (127.0.1.1 and up), served by one process. longline learns each
site from its front page, harvests with every guard and the journal on, and sends each host at most
1,000 requests per second. The rivals, httpx2 and aiohttp, get as many pages of the same server, 50
at a time, and ignore their content. Each runs in its own process; only its own CPU seconds count,
without the server and other work on the machine. Memory of an idle source: what 200 sources that
wait for a slow rate add to the peak of one.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import longline

AT_ONCE = 50
SERVER = """
import sys, time
from longline.simulate import Searcher, read_corpus, running_site
box = Searcher(read_corpus("docstrings")[::6], page_size=20)
with running_site(box, host="0.0.0.0", port=int(sys.argv[1])):
    time.sleep(1800)
"""


def urls(hosts: int, port: int) -> list[str]:
    """Return a URL for each host."""
    return [f"http://127.0.{1 + n // 250}.{1 + n % 250}:{port}/" for n in range(hosts)]


def by_longline(hosts: int, port: int, requests: int, rate: float = 1000) -> int:
    """Harvest; return the number of requests."""
    with tempfile.TemporaryDirectory() as folder:
        ends = longline.harvest_many(
            urls(hosts, port),
            folder,
            at_once=hosts if rate < 1 else AT_ONCE,
            allow_private=True,
            max_requests=requests,
            rate=rate,
            **({"max_time": 5} if rate < 1 else {}),
        )
    return sum(end.requests for end in ends)


def by_httpx(hosts: int, port: int, requests: int) -> int:
    """Get pages with httpx2."""
    import httpx2

    async def work() -> None:
        async with httpx2.AsyncClient() as client:
            await _side_by_side(hosts, port, requests, lambda url: client.get(url))

    asyncio.run(work())
    return hosts * requests


def by_aiohttp(hosts: int, port: int, requests: int) -> int:
    """Get pages with aiohttp."""
    import aiohttp

    async def work() -> None:
        async with aiohttp.ClientSession() as session:

            async def get(url: str) -> None:
                async with session.get(url) as answer:
                    await answer.read()

            await _side_by_side(hosts, port, requests, get)

    asyncio.run(work())
    return hosts * requests


async def _side_by_side(hosts: int, port: int, requests: int, get) -> None:  # type: ignore[no-untyped-def]
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(url: str) -> None:
        async with slots:
            for page in range(requests):
                await get(f"{url}search?q=return&page={1 + page % 5}")

    await asyncio.gather(*map(one, urls(hosts, port)))


WAYS = {"longline": by_longline, "httpx2": by_httpx, "aiohttp": by_aiohttp}


@contextmanager
def server(port: int) -> Iterator[None]:
    """Serve all loopback addresses until the end of the context."""
    process = subprocess.Popen([sys.executable, "-c", SERVER, str(port)])
    try:
        time.sleep(4)
        yield
    finally:
        process.terminate()
        process.wait(10)


def one(way: str, hosts: int, port: int, requests: int, rate: float) -> None:
    """Measure one way in this process, and print the result as JSON."""
    began = time.perf_counter()
    sent = (
        by_longline(hosts, port, requests, rate) if rate < 1 else WAYS[way](hosts, port, requests)
    )
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu, wall = used.ru_utime + used.ru_stime, time.perf_counter() - began
    print(json.dumps([sent, cpu, wall, used.ru_maxrss / 1000]))


def measured(way: str, hosts: int, port: int, requests: int, rate: float = 1000) -> list[float]:
    """Measure one way in a separate process."""
    given = ["--one", way, "--hosts", str(hosts), "--port", str(port)]
    command = [sys.executable, "-m", "bench.harvest.many_hosts", *given]
    command += ["--requests", str(requests), "--rate", str(rate)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path.cwd())
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--requests", type=int, default=40, help="to each host")
    parser.add_argument("--port", type=int, default=8917)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--rate", type=float, default=1000, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        one(given.one, given.hosts, given.port, given.requests, given.rate)
        return
    with server(given.port):
        print(
            "| | hosts | requests | CPU ms a request | requests a CPU second | hosts a CPU second |"
        )
        print("|---|---|---|---|---|---|")
        for way in WAYS:
            sent, cpu, _, _ = measured(way, given.hosts, given.port, given.requests)
            print(
                f"| {way} | {given.hosts} | {sent:,.0f} | {cpu / sent * 1000:.2f} "
                f"| {sent / cpu:,.0f} | {given.hosts / cpu:.1f} |",
                flush=True,
            )
        idle = [measured("longline", n, given.port, 4, 0.2)[3] for n in (1, given.hosts)]
        print(f"\nan idle source: {(idle[1] - idle[0]) / (given.hosts - 1):.2f} MB")


if __name__ == "__main__":
    main()
