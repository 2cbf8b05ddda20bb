"""A fleet on a Ray cluster of four nodes and a PostgreSQL server, all on this machine.

    python -m bench.harvest.fleet
    python -m bench.harvest.fleet --hosts 40 --disturbed-only

First 1, 2 and 4 workers in turn harvest the same sites; then four do while slices' processes are
killed every three seconds, one is stopped for longer than its lease and goes on, a node is taken
away, and PostgreSQL is restarted. What each source brought is compared with the undisturbed run.
The sites' own log says how close two requests to a host ever came.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import signal
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.postgres import Server, start_server

import longline
from longline.fleet import run
from longline.queue import Fleet
from longline.simulate import Searcher, read_corpus, running_site, website

RATE = 20.0
LEASE_SECONDS = 3.0
EVERY_SECONDS = 3.0


class Logged:
    """The sites, and when each host was asked."""

    def __init__(self) -> None:
        texts = read_corpus("docstrings")
        self._app = website(Searcher(texts[::75], limit=40, page_size=10))
        self.asked: dict[str, list[float]] = defaultdict(list)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Note a request down, then answer it."""
        if scope["type"] == "http":
            host = dict(scope["headers"]).get(b"host", b"").decode()
            self.asked[host].append(time.monotonic())
        await self._app(scope, receive, send)

    def least_gap(self) -> float:
        """Return the fewest seconds that lay between two requests to a host."""
        pairs = itertools.chain.from_iterable(map(itertools.pairwise, self.asked.values()))
        return min(later - earlier for earlier, later in pairs)


def slices() -> list[int]:
    """Return the processes that do slices."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if each.read_bytes().startswith(b"ray::_slice"):
                found.append(int(each.parent.name))
        except OSError:
            continue
    return found


@contextmanager
def disturbed(cluster: Any, server: Server, done: dict[str, int]) -> Iterator[None]:
    """Kill, stop and restart things until the end of this."""
    is_over, rng = threading.Event(), random.Random(1)
    asleep: list[tuple[int, float]] = []

    def disturb() -> None:
        for turn in itertools.count():
            if is_over.wait(EVERY_SECONDS):
                break
            running = slices()
            if turn == 2:
                server.stop()
                server.start()
                done["restarts of PostgreSQL"] += 1
            elif turn == 4 and len(cluster.worker_nodes) > 1:
                cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
                done["nodes taken away"] += 1
            elif turn % 3 == 0 and running:
                asleep.append((rng.choice(running), time.monotonic()))
                os.kill(asleep[-1][0], signal.SIGSTOP)
                done["processes stopped for longer than their lease"] += 1
            elif running:
                os.kill(rng.choice(running), signal.SIGKILL)
                done["processes killed"] += 1
            while asleep and time.monotonic() - asleep[0][1] > 2 * LEASE_SECONDS:
                wake(asleep.pop(0)[0])
        for pid, _ in asleep:
            wake(pid)

    def wake(pid: int) -> None:
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            done["of these gone before they woke"] += 1

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def harvested(url: str, urls: list[str], address: str, workers: int) -> float:
    """Harvest the sites with a fresh fleet; return how long it took."""
    given = {"allow_private": True, "rate": RATE}
    with Fleet(url) as fleet:
        fleet.submit([given | {"url": each} for each in urls])
    began = time.monotonic()
    run(url, address=address, workers=workers, requests=40, lease_seconds=LEASE_SECONDS)
    return time.monotonic() - began


def titles(url: str) -> dict[str, frozenset[str]]:
    """Return what each source brought."""
    found = {}
    with Fleet(url) as fleet, tempfile.TemporaryDirectory() as work:
        for row in fleet.sources():
            fleet.unpack(row, Path(work) / str(row.source))
            documents = longline.open(Path(work) / str(row.source)).documents
            found[row.url] = frozenset(document.title for document in documents)
    return found


def main() -> None:
    from ray.cluster_utils import Cluster

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hosts", type=int, default=12)
    parser.add_argument("--disturbed-only", action="store_true")
    given = parser.parse_args()
    server, sites = start_server(), Logged()
    args = {"num_cpus": 1, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, connect=False, head_node_args=args)
    for _ in range(3):
        cluster.add_node(num_cpus=1)
    try:
        with running_site(sites, host="0.0.0.0") as base:
            port = base.rpartition(":")[2]
            urls = [f"http://127.0.2.{1 + n}:{port}/" for n in range(given.hosts)]
            print("| workers | sources | seconds | requests | requests a second | slices |")
            print("|---|---|---|---|---|---|")
            for workers in (4,) if given.disturbed_only else (1, 2, 4):
                url = server.database()
                seconds = harvested(url, urls, cluster.address, workers)
                with Fleet(url) as fleet:
                    counts = fleet.counts()
                    number = sum(row.slices for row in fleet.sources())
                print(
                    f"| {workers} | {counts.ended} | {seconds:.0f} | {counts.requests:,} "
                    f"| {counts.requests / seconds:.0f} | {number} |",
                    flush=True,
                )
            calm, least, done = titles(url), sites.least_gap(), defaultdict(int)
            sites.asked.clear()
            url = server.database()
            with disturbed(cluster, server, done):
                seconds = harvested(url, urls, cluster.address, 4)
            with Fleet(url) as fleet:
                counts = fleet.counts()
            same = sum(calm[each] == found for each, found in titles(url).items())
            print(f"\ndisturbed: {seconds:.0f} s, {counts.requests:,} requests; {dict(done)}")
            print(f"sources with the documents of the undisturbed run: {same} of {len(calm)}")
            print(
                f"least seconds between two requests to a host: {least:.3f}, disturbed "
                f"{sites.least_gap():.3f} (its pace: {1 / RATE:.3f})"
            )
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
