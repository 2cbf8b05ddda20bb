"""Cost of writing a page in each store: in a file, and on a separate PostgreSQL server.

    python -m bench.harvest.stores

A page of 20 hits, and 20 documents of 2 kB one by one, are recorded as in a harvest: each in its
own transaction. The floor is a bare sqlite3 that inserts the same bytes in as many transactions.
Wall time, because a server works in another process.
"""

import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.postgres import start_server

from longline.events import AnyEvent, DocumentReceived, PageReceived
from longline.model import Document, Hit, Page, Query, Total
from longline.ports import Store
from longline.store import SqliteStore
from longline.store.postgres import PostgresStore

PAGES = 150
HITS = 20
TEXT = "deep web " * 220


def events(number: int) -> list[AnyEvent]:
    """Return the events that a harvest records for one page."""
    keys = [f"http://shelf.example/documents/{number * HITS + each}" for each in range(HITS)]
    page = Page(tuple(Hit(key, key, "A title") for key in keys), Total(500, "exact"))
    documents = [DocumentReceived(Document(key, key, "A title", TEXT, "en")) for key in keys]
    return [PageReceived(Query((f"word{number}",)), 1, page), *documents]


def timed(write: Callable[[int], object]) -> float:
    """Return milliseconds per page."""
    began = time.perf_counter()
    for number in range(PAGES):
        write(number)
    return (time.perf_counter() - began) / PAGES * 1000


def into(store: Store) -> float:
    """Measure a store."""
    try:
        return timed(lambda number: [store.record(event) for event in events(number)])
    finally:
        store.close()


def bare(path: Path) -> float:
    """Measure a bare sqlite3."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("CREATE TABLE rows (key TEXT PRIMARY KEY, text TEXT)")

    def write(number: int) -> None:
        for each in range(HITS + 1):
            connection.execute("INSERT INTO rows VALUES (?, ?)", (f"{number}-{each}", TEXT))

    try:
        return timed(write)
    finally:
        connection.close()


def main() -> None:
    server = start_server()
    url = server.database()
    print("| store | ms a page of 20 documents | of bare sqlite3 |")
    print("|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        floor = bare(Path(folder) / "bare.db")
        rows = {
            "bare sqlite3": floor,
            "SQLite": into(SqliteStore(Path(folder) / "harvest.db")),
            "PostgreSQL": into(PostgresStore(url, PostgresStore.create(url, folder))),
        }
    for name, cost in rows.items():
        print(f"| {name} | {cost:.1f} | {cost / floor:.1f} |")


if __name__ == "__main__":
    main()
