"""Harvests that were never run: their journals are written with simulated results."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from longline.events import (
    AnyEvent,
    Concluded,
    DocumentFailed,
    DocumentReceived,
    FormReceived,
    NonsenseAnswered,
    PageFailed,
    PageReceived,
    RobotsRead,
    SizeEstimate,
    SourceChecked,
    SourceFound,
    Stopped,
)
from longline.harvester.settings import Limits, Settings
from longline.model import Document, Hit, Page, Query, Request, Response, Total
from longline.store import SqliteStore

SPEC = """
[source]
name = "written"
url = "https://archive.example/"
kind = "json"
[ask]
url = "https://archive.example/search?q={query}"
limit = 100
page_size = 20
[results]
hit = "jmes:hits"
key = "jmes:id"
"""

LIMIT, PAGE_SIZE = 100, 20
BATCH = 2000


class Written:
    """Writes the journal of a harvest of random documents.

    Args:
        searches: Number of the harvest's own searches.
        documents: Number of the source's documents.
        seed: Seed of the random choices.
    """

    def __init__(self, searches: int, documents: int, seed: int = 0) -> None:
        self.searches, self.documents = searches, documents
        self._rng = np.random.default_rng(seed)
        self._held: set[int] = set()

    def events(self) -> Iterator[AnyEvent]:
        """Yield the events in order."""
        yield SourceFound(requests=12)
        yield RobotsRead("https://archive.example", 404, "", 2)
        form = Response(url="https://archive.example/", status=200)
        yield FormReceived(form, 1)
        yield NonsenseAnswered(requests=1)
        for place in range(self.searches):
            yield from self._search(place)
            if place % max(10, self.searches // 20) == 9:
                yield from self._probes(place)
        yield SourceChecked(answers=True)

    def _search(self, place: int) -> Iterator[AnyEvent]:
        rng, query = self._rng, Query((f"word{place}",), excluded=("the", "of")[: place % 3])
        df = int(min(self.documents, 1 + (rng.pareto(0.9) * 8)))
        matches = rng.choice(self.documents, df, replace=False)[:LIMIT]
        if place % 97 == 50:
            yield PageFailed(query, 1, "status 503 four times", requests=4)
            return
        pages = max(1, -(-len(matches) // PAGE_SIZE))
        for number in range(1, pages + 1):
            rows = matches[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
            hits = tuple(Hit(f"d{key}", f"https://archive.example/d{key}") for key in rows)
            after = Request("https://archive.example/next") if number < pages else None
            extra = int(place % 40 == 3)
            yield PageReceived(
                query, number, Page(hits, Total(df), after), 1 + extra, body_bytes=900
            )
            yield from self._documents(rows)

    def _documents(self, rows: np.ndarray) -> Iterator[AnyEvent]:
        for key in map(int, rows):
            url = f"https://archive.example/d{key}"
            if key % 101 == 7:
                if key not in self._held:
                    self._held.add(key)
                    yield DocumentFailed(f"d{key}", url, "status 404", requests=1, status=404)
            elif key not in self._held:
                self._held.add(key)
                title = f"Document {key}" if key % 3 else ""
                document = Document(f"d{key}", url, title, f"text {key}", "en" if key % 5 else "")
                yield DocumentReceived(document, requests=1, body_bytes=400)

    def _probes(self, place: int) -> Iterator[AnyEvent]:
        keys = self._rng.choice(self.documents, 5, replace=False)
        hits = tuple(Hit(f"d{key}", f"https://archive.example/d{key}") for key in keys)
        query = Query((f"probe{place}",))
        yield PageReceived(query, 1, Page(hits, Total(5)), probe=True)
        yield from self._documents(keys)
        width = 0.4 / (1 + 6 * place / self.searches)
        noise = 1 + width * float(self._rng.normal()) / 3
        size = self.documents * noise
        estimate = SizeEstimate(
            documents=size, low=max(len(self._held), size * (1 - width)), high=size * (1 + width),
            method="probes", probes=place, hits=place // 2,
        )  # fmt: skip
        yield Concluded(estimate)


def write(
    folder: Path,
    events: Iterator[AnyEvent] | list[AnyEvent],
    *,
    stopped: Stopped | None = None,
    limits: Limits | None = None,
) -> Path:
    """Write a harvest's folder as a run leaves it; without `stopped`, as a killed run does."""
    folder.mkdir(parents=True)
    (folder / "source.toml").write_text(SPEC)
    store = SqliteStore(folder / "harvest.db")
    store.set_setting("settings", msgspec.json.encode(Settings()).decode())
    store.set_setting("limits", msgspec.json.encode(limits or Limits()).decode())
    batch: list[AnyEvent] = []
    for event in events:
        batch.append(event)
        if len(batch) == BATCH:
            store.record(*batch)
            batch.clear()
    rest = [*batch, *([stopped] if stopped else [])]
    if rest:
        store.record(*rest)
    store.close()
    return folder
