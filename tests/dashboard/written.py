"""Harvests written directly into folders: many small ones, and one with many searches."""

from pathlib import Path

import msgspec

from longline.events import AnyEvent, DocumentReceived, PageReceived, Stopped
from longline.harvester import Standing
from longline.model import Document, Hit, Page, Query, Total
from longline.simulate import Searcher, read_corpus
from longline.simulate.site.spec import html_spec
from longline.store import SqliteStore

SEARCHER = Searcher(read_corpus("docstrings")[:50], limit=100, page_size=50)
PER_PAGE = 10


def write_many(folder: Path, harvests: int) -> None:
    """Write folders of harvests with different endings."""
    for number in range(harvests):
        one = folder / f"harvest-{number:04}"
        one.mkdir()
        standing = Standing(
            state="ended",
            source=f"https://source-{number}.example/",
            strategy="auto",
            documents=number,
            size=2 * number + 1,
            size_low=number,
            size_high=4 * number + 2,
            requests=3 * number,
            limits={"max_requests": 5 * number + 1},
            updated_at=1_700_000_000.0 + number,
            outcome="complete" if number % 3 else "blocked",
            cause="" if number % 3 else "refused",
            stopped="" if number % 3 else f"status 403 <b>from</b> source-{number}",
        )
        (one / "standing.json").write_bytes(msgspec.json.encode(standing))


def write_long(folder: Path, searches: int) -> SqliteStore:
    """Write a harvest with this many searches of one page each; return its open store."""
    folder.mkdir()
    (folder / "source.toml").write_text(html_spec(SEARCHER, "long", "http://127.0.0.1:9/"))
    store = SqliteStore(folder / "harvest.db")
    store.set_setting("settings", '{"strategy": "auto"}')
    for begin in range(0, searches, 500):
        add_searches(store, begin, min(500, searches - begin))
    store.record(Stopped("all was asked for", True, "complete", ""))
    standing = Standing(state="ended", outcome="complete", documents=searches * PER_PAGE)
    (folder / "standing.json").write_bytes(msgspec.json.encode(standing))
    return store


def add_searches(store: SqliteStore, begin: int, many: int) -> None:
    """Record more searches, and their documents."""
    events: list[AnyEvent] = []
    for number in range(begin, begin + many):
        keys = [f"k{number * PER_PAGE // 2 + place}" for place in range(PER_PAGE)]
        page = Page(tuple(map(Hit, keys)), Total(PER_PAGE))
        events.append(PageReceived(Query((f"word{number}",)), 1, page))
        new = keys if number == 0 else keys[PER_PAGE // 2 :]
        events += [DocumentReceived(Document(key, text=f"text of {key}")) for key in new]
    store.record(*events)
