"""Many small sites on many loopback addresses, in one process that logs all requests.

    python -m bench.fleet.sites 10 sites.log

Each address has ten sites, one per port. Each line of the log is a request: its time of arrival
(`time.monotonic`), the address, and what workers of `bench.fleet.drive` state: the process, the
number of its lease, and when it wrote the request, by the same clock.
"""

import asyncio
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import uvicorn

from longline.simulate import Searcher, read_corpus, website

KINDS = 20
"""Number of different sites; further sites repeat their texts."""

A_HOST = 10
"""Sites per address."""


def searcher(kind: int) -> Searcher:
    """Return the search of a kind of site."""
    texts = read_corpus("docstrings")[kind::100][: 6 + kind % 5]
    return Searcher(texts, limit=40, page_size=10)


class Sites(NamedTuple):
    """Running sites.

    Attributes:
        ports: The ports, the same on all addresses.
        log: The log of requests.
    """

    ports: list[int]
    log: Path

    def urls(self, hosts: int, each: int = A_HOST) -> list[str]:
        """Return URLs of sites, `each` of them on every host."""
        at = [(host, port) for port in self.ports[:each] for host in range(hosts)]
        return [f"http://127.0.{2 + n // 250}.{1 + n % 250}:{port}/" for n, port in at]

    def kind(self, url: str) -> int:
        """Return which of the different sites a URL belongs to."""
        _, _, at = url.rstrip("/").rpartition("//")
        host, _, port = at.partition(":")
        return _kind(host, self.ports.index(int(port)))


def _kind(host: str, place: int) -> int:
    return (int(host.rpartition(".")[2]) + place * 7) % KINDS


@contextmanager
def sites(folder: Path) -> Iterator[Sites]:
    """Run the sites until the end of the context."""
    log = folder / "sites.log"
    command = [sys.executable, "-m", "bench.fleet.sites", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Sites([int(port) for port in process.stdout.readline().split()], log)
        finally:
            process.terminate()


class Asked(NamedTuple):
    """A request, as the site logged it."""

    at: float
    host: str
    talker: str
    fence: int
    written: float


class Manners(NamedTuple):
    """What the sites saw of their visitors.

    Attributes:
        requests: Number of requests.
        hosts: Number of requested hosts.
        talkers: Maximum number of processes that requested one host, one after another.
        turned_back: Requests under an older lease after one under a newer lease.
        written: Minimum seconds between two requests to a host, by time of writing.
        between: Minimum seconds between requests of two processes to a host, by time of arrival.
        late: Maximum seconds from writing a request until a site logged it.
        most: Maximum number of requests to a host in one second.
    """

    requests: int
    hosts: int
    talkers: int
    turned_back: int
    written: float
    between: float
    late: float
    most: int


def read_log(log: Path) -> Manners:
    """Return the summary of a log."""
    by_host: dict[str, list[Asked]] = defaultdict(list)
    for line in log.read_text().splitlines():
        at, host, talker, fence, written = line.split()
        by_host[host].append(Asked(float(at), host, talker, int(fence), float(written)))
    pairs = [pair for asked in by_host.values() for pair in pairwise(asked)]
    in_order = (sorted(each.written for each in asked) for asked in by_host.values())
    between = [b.at - a.at for a, b in pairs if a.talker != b.talker]
    return Manners(
        sum(map(len, by_host.values())),
        len(by_host),
        max(len({each.talker for each in asked}) for asked in by_host.values()),
        sum(b.fence < a.fence for a, b in pairs),
        min(b - a for times in in_order for a, b in pairwise(times)),
        min(between, default=0.0),
        max(each.at - each.written for asked in by_host.values() for each in asked),
        max(_most_in_a_second([each.at for each in asked]) for asked in by_host.values()),
    )


def _most_in_a_second(times: list[float]) -> int:
    most = first = 0
    for last, at in enumerate(times):
        while at - times[first] > 1.0:
            first += 1
        most = max(most, last - first + 1)
    return most


class _Noting:
    """All sites as one application that logs requests."""

    def __init__(self, ports: list[int], log: TextIO) -> None:
        self._places = {port: place for place, port in enumerate(ports)}
        self._log = log
        self._apps = [website(searcher(kind)) for kind in range(KINDS)]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Log a request, then answer it."""
        if scope["type"] != "http":
            return
        at = time.monotonic()
        host, port = scope["server"]
        headers = dict(scope["headers"])
        self._log.write(f"{at:.6f} {host} {headers[b'x-talker'].decode()}\n")
        await self._apps[_kind(host, self._places[port])](scope, receive, send)


def main() -> None:
    listeners = []
    for _ in range(A_HOST):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("0.0.0.0", 0))
        listeners.append(listener)
    ports = [listener.getsockname()[1] for listener in listeners]
    with Path(sys.argv[1]).open("w", buffering=1) as log:
        config = uvicorn.Config(
            _Noting(ports, log), log_level="error", access_log=False, lifespan="off", backlog=2048
        )
        print(*ports, flush=True)
        asyncio.run(uvicorn.Server(config).serve(sockets=listeners))


if __name__ == "__main__":
    main()
