"""Disturb a fleet all the time: what each source ends with, and what the sites saw.

    python -m bench.fleet.disturbed
    python -m bench.fleet.disturbed --hosts 10 --sources 100 --at-once 3

1,000 small sites on 100 loopback addresses, a Ray cluster of four nodes, a PostgreSQL server. A
worker is killed every few seconds. At least once each: PostgreSQL is restarted, all processes of a
node are paused until their leases have expired, a node is killed and replaced, the driver is
killed, the head is killed. The result of each source is compared with a harvest without a fleet;
the log of the sites shows which worker talked to which host, and how fast.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from bench.fleet.cluster import Nodes, nodes, processes, send
from bench.fleet.sites import KINDS, Manners, Sites, read_log, searcher, sites
from tests.postgres import Server, start_server

import longline
from longline.fleet import Work
from longline.queue import Fleet
from longline.simulate import running_site

RATE = 10.0
WORK = Work(requests=120, seconds=30.0, at_once=4, lease_seconds=8.0)
EVERY_SECONDS = 10.0


class End(NamedTuple):
    """How the run ended.

    Attributes:
        seconds: Duration.
        sources: Sources that were harvested in this time.
        left: Sources that were not.
        same: Harvested sources that are complete, with the documents of an undisturbed harvest.
        requests: Requests according to the journals.
        slices: Number of slices in total.
        done: Number of disturbances of each kind.
        seen: What the sites saw.
    """

    seconds: float
    sources: int
    left: int
    same: int
    requests: int
    slices: int
    done: Counter[str]
    seen: Manners


class Disturber:
    """Disturbs the fleet, and restarts what a person would restart."""

    def __init__(self, cluster: Nodes, server: Server, drive: Callable[[], Any]) -> None:
        self.done: Counter[str] = Counter()
        self._cluster, self._server, self._drive = cluster, server, drive
        self._rng = random.Random(1)
        self._driver = drive()
        self._asleep: list[tuple[float, list[int]]] = []
        once = [self._restart_database, self._kill_driver, self._kill_head]
        again = [self._kill_worker, self._stop_node, self._kill_worker, self._kill_node]
        self._acts = chain.from_iterable(
            [*again, *([once.pop(0), self._kill_worker] if once else [])] for _ in count()
        )

    def until_the_end(self, most_seconds: float, give_up: Callable[[], object]) -> None:
        """Disturb until the driver has finished; call `give_up` after `most_seconds`."""
        began = time.monotonic()
        is_over = False
        try:
            while self._driver.poll() != 0:
                seconds = time.monotonic() - began
                print(f"{seconds:.0f} s: {dict(self.done)}", file=sys.stderr, flush=True)
                if seconds > most_seconds and not is_over:
                    is_over = True
                    give_up()
                with suppress(subprocess.TimeoutExpired):
                    self._driver.wait(EVERY_SECONDS)
                self._wake()
                if self._driver.poll() is not None and self._driver.returncode:
                    self._driver = self._drive()
                elif self._driver.poll() is None and not is_over:
                    next(self._acts)()
        finally:
            self._wake(at_once=True)
            self._driver.kill()
            self._driver.wait()

    def _kill_worker(self) -> None:
        found = self._cluster.workers()
        if found and send(self._rng.choice(found), signal.SIGKILL):
            self.done["workers killed"] += 1

    def _stop_node(self) -> None:
        node = self._rng.choice(self._cluster.others)
        self._asleep.append((time.monotonic(), processes(node)))
        for pid in self._asleep[-1][1]:
            send(pid, signal.SIGSTOP)
        self.done["nodes stopped for longer than their leases"] += 1

    def _wake(self, *, at_once: bool = False) -> None:
        for since, stopped in list(self._asleep):
            if at_once or time.monotonic() - since > 2 * WORK.lease_seconds:
                self._asleep.remove((since, stopped))
                for pid in stopped:
                    send(pid, signal.SIGCONT)

    def _restart_database(self) -> None:
        self._server.stop()
        self._server.start()
        self.done["restarts of PostgreSQL"] += 1

    def _kill_driver(self) -> None:
        self._driver.kill()
        self._driver.wait()
        self.done["drivers killed"] += 1

    def _kill_node(self) -> None:
        self._cluster.kill(self._rng.choice(self._cluster.others))
        self._cluster.add()
        self.done["nodes killed"] += 1

    def _kill_head(self) -> None:
        self._cluster.kill_head()
        with suppress(subprocess.TimeoutExpired):
            self._driver.wait(30)
        self._driver.kill()
        self._wake(at_once=True)
        self._cluster.stop()
        self._cluster.start()
        self._driver = self._drive()
        self.done["heads killed"] += 1


def drive(url: str, cluster: Nodes, workers: int, work: Work) -> Any:
    """Start a driver process."""
    command = [sys.executable, "-m", "bench.fleet.drive", url, cluster.address, str(workers)]
    command.append(msgspec.json.encode(work).decode())
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def undisturbed(folder: Path) -> list[frozenset[str]]:
    """Harvest a site of each kind without a fleet; return the titles of each."""
    found = []
    for kind in range(KINDS):
        with running_site(searcher(kind)) as url:
            one = longline.harvest(f"{url}/", folder / str(kind), allow_private=True, rate=200)
            found.append(frozenset(document.title for document in one.documents))
    return found


def same(fleet: Fleet, there: Sites, wanted: list[frozenset[str]], folder: Path) -> int:
    """Return how many sources are complete, with the documents of an undisturbed harvest."""
    found = 0
    for row in fleet.sources("ended"):
        held = folder / f"of-{row.source}"
        fleet.unpack(row, held)
        titles = frozenset(document.title for document in longline.open(held).documents)
        found += row.outcome == "complete" and titles == wanted[there.kind(row.url)]
    return found


def disturbed(hosts: int, sources: int, work: Work, most_seconds: float) -> End:
    """Harvest sources while disturbing the fleet, for at most `most_seconds`."""
    server = start_server()
    try:
        with tempfile.TemporaryDirectory() as place, sites(Path(place)) as there, nodes(4) as many:
            return _ended(server, there, many, (hosts, sources, work, most_seconds), Path(place))
    finally:
        server.remove()


def _ended(
    server: Server,
    there: Sites,
    cluster: Nodes,
    given: tuple[int, int, Work, float],
    folder: Path,
) -> End:
    hosts, sources, work, most_seconds = given
    wanted, url = undisturbed(folder), server.database()
    with Fleet(url) as fleet:
        options = {"allow_private": True, "rate": RATE}
        fleet.submit([options | {"url": each} for each in there.urls(hosts)[:sources]])
        began = time.monotonic()
        disturber = Disturber(cluster, server, lambda: drive(url, cluster, 4, work))
        disturber.until_the_end(most_seconds, lambda: fleet.change("cancelled", ("waiting",)))
        seconds = time.monotonic() - began
        counts = fleet.counts()
        return End(
            seconds,
            counts.ended,
            counts.cancelled,
            same(fleet, there, wanted, folder),
            counts.requests,
            sum(row.slices for row in fleet.sources()),
            disturber.done,
            read_log(there.log),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--sources", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=WORK.at_once)
    parser.add_argument("--seconds", type=float, default=3600, help="at most")
    given = parser.parse_args()
    work = msgspec.structs.replace(WORK, at_once=given.at_once)
    end = disturbed(given.hosts, given.sources, work, given.seconds)
    seen = end.seen
    print(f"{end.seconds:.0f} s, {end.slices:,} slices, {end.requests:,} requests in the journals")
    print(", ".join(f"{number} {what}" for what, number in end.done.items()))
    print(f"sources with the documents of an undisturbed run: {end.same:,} of {end.sources:,}")
    if end.left:
        print(f"not harvested in this time: {end.left:,}")
    print(f"requests that the sites saw: {seen.requests:,} to {seen.hosts} hosts")
    print(f"processes that asked one host, one after the other: up to {seen.talkers}")
    print(f"requests under an older lease after a newer one: {seen.turned_back}")
    print(f"fewest seconds between requests to a host, where written: {seen.written:.3f}")
    print(f"most seconds until a request was noted down: {seen.late:.3f}")
    print(f"fewest seconds between requests of two processes: {seen.between:.3f}")
    print(f"most requests in a second: {seen.most} (the pace is {RATE:.0f})")


if __name__ == "__main__":
    main()
