"""What a slice costs besides its requests, and what a fleet writes into PostgreSQL.

    python -m bench.fleet.slices

One site of 2,998 documents on loopback is harvested in this process, slice by slice; seconds are
CPU seconds of the harvesting thread. At some journal sizes, a slice of one request is measured: it
takes the lease, reads the journal, sends the request, writes, and returns the lease. At the end
PostgreSQL's rows, bytes, transactions and write-ahead log per request are counted.
"""

import asyncio
import time

import sqlalchemy as sa
from tests.postgres import start_server

from longline.fleet import Work, run_slices
from longline.queue import Fleet
from longline.simulate import Searcher, read_corpus, running_site
from longline.store.postgres import engine_of

SIZES = (100, 300, 1000, 2000)


def slice_of(fleet: Fleet, requests: int) -> tuple[float, float]:
    """Do a slice; return its CPU seconds, and those until its first request."""
    while not fleet.due():
        time.sleep(0.05)
    began = time.thread_time()
    asyncio.run(run_slices(fleet, Work(requests, 600.0), most=1))
    (row,) = fleet.sources()
    return time.thread_time() - began, row.began_after


def facts(url: str) -> dict[str, int]:
    """Return PostgreSQL's statistics of a database."""
    asked = """
        SELECT xact_commit, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint,
        (SELECT count(*) FROM journal), (SELECT count(*) FROM documents),
        pg_total_relation_size('journal'), pg_total_relation_size('documents'),
        (SELECT sum(octet_length(text)) FROM documents)::bigint
        FROM pg_stat_database WHERE datname = current_database()
    """
    names = "transactions", "wal", "journal", "documents", "journal bytes", "bytes", "text bytes"
    engine = engine_of(url)
    time.sleep(1.5)  # the server updates them about once a second
    with engine.connect() as connection:
        found = connection.execute(sa.text(asked)).one()
    engine.dispose()
    return dict(zip(names, map(int, found), strict=True))


def main() -> None:
    url = start_server().database()
    box = Searcher(read_corpus("docstrings"), limit=100, page_size=20)
    with running_site(box) as base, Fleet(url) as fleet:
        fleet.submit([{"url": f"{base}/", "allow_private": True, "rate": 1000}])
        print("| requests in the journal | CPU s of a slice of one request | seconds to begin |")
        print("|---|---|---|")
        first = None
        for size in SIZES:
            (row,) = fleet.sources()
            while row.state == "waiting" and row.requests < size:
                slice_of(fleet, size - row.requests)
                first = first or (facts(url), next(iter(fleet.sources())).requests)
                (row,) = fleet.sources()
            if row.state != "waiting":
                break
            found = [slice_of(fleet, 1) for _ in range(3)]
            cpu, wall = (min(each) for each in zip(*found, strict=True))
            print(f"| {row.requests:,} | {cpu:.2f} | {wall:.2f} |", flush=True)
        (row,) = fleet.sources()
    now = facts(url)
    assert first is not None
    before, requests = first
    more = row.requests - requests
    print(f"\nof {row.requests:,} requests, {now['documents']:,} documents:")
    print(f"rows of the journal a request: {now['journal'] / row.requests:.2f}")
    print(
        f"bytes of a row of the journal, indexes included: "
        f"{now['journal bytes'] / now['journal']:.0f}"
    )
    print(
        f"bytes of a document beside its text, indexes included: "
        f"{(now['bytes'] - now['text bytes']) / now['documents']:.0f} "
        f"(text {now['text bytes'] / now['documents']:.0f})"
    )
    print(f"transactions a request: {(now['transactions'] - before['transactions']) / more:.1f}")
    print(f"bytes of write-ahead log a request: {(now['wal'] - before['wal']) / more:.0f}")


if __name__ == "__main__":
    main()
