"""Throughput of a fleet with 1, 2, 4 and 8 workers, on a Ray cluster on this machine.

    python -m bench.fleet.throughput

Two small sites on each of 12 loopback addresses, at most 4 requests per second each; every worker
harvests three sources at a time. So four workers use all hosts, and eight cannot get more: then the
rate limit of the hosts decides; the last column shows how much of it is used.
"""

import tempfile
import time
from pathlib import Path

from bench.fleet.cluster import nodes
from bench.fleet.disturbed import drive
from bench.fleet.sites import read_log, sites
from tests.postgres import start_server

from longline.fleet import Work
from longline.queue import Fleet

HOSTS, EACH, RATE = 12, 2, 4.0
WORK = Work(requests=200, seconds=60.0, at_once=3)
LOOK_SECONDS = 0.2


def main() -> None:
    server = start_server()
    given = {"allow_private": True, "rate": RATE}
    print("| workers | sources | seconds | slices | requests | requests a second | of the pace |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, sites(Path(folder)) as there, nodes(8) as cluster:
        urls = there.urls(HOSTS, EACH)
        for workers in (1, 2, 4, 8):
            url = server.database()
            with Fleet(url) as fleet:
                fleet.submit([given | {"url": each} for each in urls])
                driver = drive(url, cluster, workers, WORK)
                while fleet.counts().running == 0:  # Ray and the workers start
                    time.sleep(LOOK_SECONDS)
                began = time.monotonic()
                driver.wait()
                seconds = time.monotonic() - began
                counts, rows = fleet.counts(), list(fleet.sources())
            a_second = counts.requests / seconds
            print(
                f"| {workers} | {counts.ended} | {seconds:.0f} | {sum(r.slices for r in rows)} "
                f"| {counts.requests:,} | {a_second:.1f} | {a_second / HOSTS / RATE:.0%} |",
                flush=True,
            )
        seen = read_log(there.log)
    print(f"\nfewest seconds between requests to a host, where written: {seen.written:.3f}")
    print(f"most seconds until a request was noted down: {seen.late:.3f}")
    print(f"most requests to a host in a second: {seen.most} (the pace is {RATE:.0f})")


if __name__ == "__main__":
    main()
