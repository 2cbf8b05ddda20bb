"""Journals changed by something else: other values and types in any cell."""

import atexit
import json
import shutil
import sqlite3
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from tests.fuzz import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline import events as happened
from longline.errors import FolderError
from longline.harvester.journal import (
    certify,
    new_ledger,
    replay,
    requests_today,
    to_retry,
    waits_of,
)
from longline.harvester.settings import Limits, Settings
from longline.ledger import to_json
from longline.model import Document, Hit, Page, Query, Request, Response, Total
from longline.store import SqliteStore

QUERY = Query(("deep", "web"))
LATER = Request("https://x.example/s?q=deep&p=2")
ANSWER = Response(url=LATER.url, status=200, body=b"<p>deep web</p>")
HITS = tuple(
    Hit(f"k{place}", f"https://x.example/{place}", "A title", "deep") for place in range(3)
)
EVENTS: tuple[happened.AnyEvent, ...] = (
    happened.SourceFound(requests=3),
    happened.RobotsRead("https://x.example", 200, "User-agent: *", read_at=1.0),
    happened.FormReceived(ANSWER),
    happened.NonsenseAnswered(("k7",)),
    happened.PageReceived(QUERY, 1, Page(HITS, Total(40, "about"), LATER, others=2)),
    happened.PageReceived(Query(("web",)), 1, Page(HITS[:1], Total(1)), probe=True),
    *(happened.DocumentReceived(Document(hit.key, hit.url, "T", "deep", "en")) for hit in HITS),
    happened.PageFailed(QUERY, 2, "timed out", requests=2),
    happened.QueryCut(QUERY, "short", 2, received=3, reported=40),
    happened.DocumentFailed("k8", "https://x.example/8", "gone", requests=1, status=404),
    happened.PageReceived(QUERY, 3, Page()),
    happened.PageDisbelieved(QUERY, 3),
    happened.SourceChecked(answers=True),
    happened.DocumentWithdrawn("k2", "https://x.example/2", "a login", "Sign in"),
    happened.SameDocument("k9", "k1"),
    happened.ResponseReceived(LATER, ANSWER),
    happened.RequestFailed(LATER, "timed out", status=500),
    happened.Concluded(
        size=happened.SizeEstimate(documents=40.0, low=3.0, high=None, method="probes", share=0.1),
        at_least=3,
        discrepancies=(happened.Discrepancy(QUERY, "count", 40.0, 3.0),),
    ),
    happened.Stopped("the budget is spent", target_met=False, outcome="partial", cause="budget"),
)
VALUES = (
    *(
        None,
        True,
        0,
        1,
        -1,
        7,
        2**31,
        2**63 - 1,
        -(2**63),
        2**64,
        0.5,
        -1.0,
        1e18,
        1e308,
        253402300800,
    ),
    *(
        "",
        "x",
        "\ud7ff",
        "no JSON {",
        "[]",
        "{}",
        "1",
        "NaN",
        "1e999",
        b"\xff\x00",
        b"",
        "PageReceived",
    ),
)
WORDS = (
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        ",",
        ":",
        "null",
        "true",
        "-1",
        "0",
        "1e400",
        "9" * 25,
        '"\\ud800"',
        "\\u0000",
    ),
    *(
        '"event":"Stopped"',
        '"requests":-5',
        '"requests":1.5',
        '"documents":',
        '"number":0',
        "[[[[",
        "\0",
    ),
    *(
        '"key":"k0"',
        '"limits"',
        '"outcome":"complete"',
        '"share":NaN',
        '"high":-1',
        "é",
        "\U0001f600",
    ),
)
COLUMNS = {
    "journal": (
        "recorded_at",
        "event",
        "query",
        "number",
        "payload",
        "payload",
        "payload",
        "payload",
    ),
    "documents": ("key", "title", "text", "language"),
    "settings": ("value", "value", "name"),
    "answers": ("query", "number", "url", "status", "content_type", "body_bytes", "body"),
}


class Written(NamedTuple):
    """A new value for a cell."""

    table: str
    row: int
    column: str
    value: Any


class Kept:
    """A store with every kind of event, and a connection that writes into it."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="longline-fuzz-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder) / "harvest.db"
        self.spec = seeds.saved()[0].spec
        store = SqliteStore(self.path)
        settings = {
            "settings": Settings(),
            "limits": Limits(max_requests=9),
            "waits": {},
            "size": 40,
        }
        for name, value in settings.items():
            store.set_setting(name, msgspec.json.encode(value).decode())
        for event in EVENTS:
            store.see(QUERY, 2, ANSWER)
            store.record(event)
        store.close()
        self.client = sqlite3.connect(self.path)
        self.client.execute("PRAGMA synchronous=OFF")
        self.client.execute("PRAGMA ignore_check_constraints=ON")
        self.store = SqliteStore(self.path, read_only=True)
        self.rows = {
            table: self.client.execute(f"SELECT rowid, * FROM {table}").fetchall()
            for table in COLUMNS
        }

    def cell(self, table: str, row: int, column: str) -> tuple[int, Any]:
        """Return the row id and the value of a cell."""
        place = self.rows[table][row][0]
        statement = f"SELECT {column} FROM {table} WHERE rowid=?"
        return place, self.client.execute(statement, (place,)).fetchone()[0]

    def write(self, table: str, place: int, column: str, value: Any) -> None:
        """Write a cell."""
        with self.client:
            self.client.execute(f"UPDATE {table} SET {column}=? WHERE rowid=?", (value, place))


@cache
def kept() -> Kept:
    """Return the store that this process shares."""
    return Kept()


def make(rng: Random, _vectors: Path | None) -> Written:
    """Draw a cell and a new value for it."""
    table = rng.choice(("journal", "journal", "journal", *COLUMNS))
    row = rng.randrange(len(kept().rows[table]))
    column = rng.choice(COLUMNS[table])
    _, value = kept().cell(table, row, column)
    if rng.random() < 0.2 or not isinstance(value, str):
        new = rng.choice(VALUES)
        return Written(table, row, column, float(new) if new == 2**64 else new)
    if value[:1] in ("{", "[") and rng.random() < 0.6:
        tree = json.loads(value)
        _change(tree, Mutator(rng, [""], WORDS))
        return Written(table, row, column, json.dumps(tree))
    return Written(table, row, column, Mutator(rng, [value], WORDS).case())


def _change(tree: Any, mutator: Mutator[str]) -> None:
    """Change one value in a JSON tree."""
    places = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
    place = mutator.rng.choice(places) if places else None
    if place is None:
        return
    value = tree[place]
    if isinstance(value, dict | list) and value and mutator.rng.random() < 0.8:
        _change(value, mutator)
    elif isinstance(tree, dict) and mutator.rng.random() < 0.1:
        del tree[place]
    elif isinstance(value, str) and mutator.rng.random() < 0.4:
        tree[place] = mutator.changed(value)
    else:
        tree[place] = mutator.rng.choice([each for each in VALUES if not isinstance(each, bytes)])


def check(written: Written) -> None:
    """A changed store is read without an error, or raises `FolderError`."""
    table, row, column, value = written
    place, before = kept().cell(table, row, column)
    try:
        kept().write(table, place, column, value)
    except (sqlite3.IntegrityError, sqlite3.OperationalError, OverflowError):
        return  # the database itself refuses this value
    try:
        for look in (_look, _go_on, _ask, *([_open] if table == "settings" else [])):
            try:
                look(kept().store)
            except FolderError:
                continue
    finally:
        kept().write(table, place, column, before)


def _look(store: SqliteStore) -> None:
    """Read everything that `status` and `export` read."""
    for document in store.documents():
        json.dumps(msgspec.to_builtins(document)).encode()
    ledger = new_ledger(kept().spec, store)
    for event in store.events():
        ledger.tell(event)
    to_json(certify(kept().spec, store, ledger))
    list(ledger.chart())


def _go_on(store: SqliteStore) -> None:
    """Read everything that a resumed harvest reads."""
    replayed = replay(kept().spec, store)
    to_retry(store, replayed.ledger)
    requests_today(store)
    waits_of(store)


def _ask(store: SqliteStore) -> None:
    """Read single pages, responses and documents."""
    store.answers(QUERY, 2)
    for number in (1, 2, 3):
        store.page(QUERY, number)
    store.response(LATER)
    store.document("k1")


def _open(_: SqliteStore) -> None:
    """Open the changed store."""
    SqliteStore(kept().path, read_only=True).close()


TARGET = Target("journal", make, check)
