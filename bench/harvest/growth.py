"""Whether a request costs as much late in a large harvest as early: CPU, memory, disk bytes.

    python -m bench.harvest.growth
    python -m bench.harvest.growth --documents 10000 --documents 1000000

A made-up source in memory (`bench.papers.topics`: k = 100 and p = 50), where each document costs
its own request, is harvested with the journal on, by `auto` and with probes, until no useful query
is left. Each size runs in its own process. CPU is that of the harvest, without the source's
answers. Result pages and documents cost differently, and late in a harvest there are more pages per
document: so both costs are shown next to the sum. Memory is the peak minus that of the source. For
comparison: the same documents as JSON lines, and the floor, a bare sqlite3 that inserts each key
and text in a transaction.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from bench.frame import run
from bench.harvest.large_source import LIMIT, MAX_TERMS, PAGE_SIZE, memory, peak_memory
from bench.papers.topics import TopicBox, topic_matrix, word

from longline.events import Concluded, DocumentReceived, PageReceived
from longline.extend import Document, Hit, Page, Query, Searchable
from longline.harvester import HarvestRun, Limits, Listeners, Settings, spec_of_class
from longline.ledger import Ledger

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SIZES = (10_000, 30_000, 100_000)
WORDS = 2_000
"""How many of the source's most common words probes are drawn from."""

TOLD_EACH = 50_000
"""Requests between two progress messages on stderr."""

PARTS = 5
"""Number of parts of a harvest, with equal numbers of requests, that are measured separately."""

MOST_SECONDS = 6 * 3600.0


class Shelf(Searchable):
    """The source; measures the time of its answers."""

    name, url = "shelf", "memory:"
    limit, page_size, max_terms = LIMIT, PAGE_SIZE, MAX_TERMS
    negation = disjunction = True

    def __init__(self, box: TopicBox) -> None:
        self._box = box
        self.seconds = 0.0

    async def search(self, query: Query, number: int) -> Page:
        began = time.process_time()
        page = self._box.search(query, number)
        self.seconds += time.process_time() - began
        return page

    async def read(self, hit: Hit) -> Document:
        began = time.process_time()
        text = self._box.document(hit.key).text
        document = Document(hit.key, text=text, language="en")  # otherwise guessed from the text
        self.seconds += time.process_time() - began
        return document


class Meter:
    """Measures each result page of a harvest, with its documents, up to the next page.

    Args:
        shelf: The source; the time of its answers is subtracted.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._began = self._spent()
        self._next = TOLD_EACH
        self._documents = 0
        self._is_estimated = False
        self._pages: list[tuple[float, int, bool]] = []

    def note(self, event: object, ledger: Ledger) -> None:
        """Record an event."""
        if isinstance(event, DocumentReceived):
            self._documents += 1
        elif isinstance(event, Concluded):
            self._is_estimated = True
        elif isinstance(event, PageReceived) and event.requests:
            now = self._spent()
            self._pages.append((now - self._began, self._documents, self._is_estimated))
            self._began, self._documents, self._is_estimated = now, 0, False
            if ledger.requests >= self._next:
                self._next += TOLD_EACH
                so_far = f"{ledger.requests:,} requests, {ledger.documents:,} documents"
                print(so_far, f"{now:.0f} s, {memory() / 1e6:,.0f} MB", file=sys.stderr, flush=True)

    def _spent(self) -> float:
        return time.process_time() - self._shelf.seconds

    def parts(self) -> list[Part]:
        """Return the cost of pages and documents, for each part of the harvest."""
        cpu, documents, is_estimated = np.array(self._pages).T
        ends = np.cumsum(1 + documents)
        part = np.minimum((ends - 1) * PARTS // ends[-1], PARTS - 1)
        return [
            _part(1000 * cpu[part == each], documents[part == each], is_estimated[part == each] > 0)
            for each in range(PARTS)
        ]


@dataclass
class Part:
    """Cost of a part of a harvest, in milliseconds of CPU.

    Attributes:
        request: Per request, everything included.
        page, document: Per result page, and per document it brought, by least squares.
        estimates: Of all pages with an estimate of the size, which the others leave out.
    """

    pages: int
    documents: int
    request: float
    page: float
    document: float
    estimates: float


def _part(cpu: Floats, documents: Floats, is_estimated: Bools) -> Part:
    found, of_pages = int(documents.sum()), documents[~is_estimated]
    columns = np.stack([np.ones(len(of_pages)), of_pages], axis=1)
    page, document = np.linalg.lstsq(columns, cpu[~is_estimated], rcond=None)[0].tolist()
    request, estimates = cpu.sum() / (len(cpu) + found), cpu[is_estimated].sum()
    return Part(len(cpu), found, float(request), page, document, float(estimates))


@dataclass
class Measured:
    """The result of a harvest, per request or per document."""

    documents: int
    held: int
    requests: int
    cpu_ms: float
    parts: list[Part]
    memory_mb: float
    disk: int
    page_bytes: float
    text: float
    floor_us: float
    floor_disk: float
    lines: float


def measure(documents: int) -> Measured:
    """Harvest a made-up source, and return its cost."""
    box = TopicBox(topic_matrix(documents, 1), LIMIT, PAGE_SIZE)
    with suppress(AttributeError):  # return freed memory to the system
        ctypes.CDLL(None).malloc_trim(0)
    before, shelf = memory(), Shelf(box)
    meter = Meter(shelf)

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "harvest"
        words = tuple(word(term) for term in range(WORDS))
        began = time.process_time()
        certificate = asyncio.run(
            HarvestRun(
                folder,
                spec_of_class(shelf),
                Settings(words=words),
                Limits(max_time=MOST_SECONDS),
                source=shelf,
            ).run(Listeners(on_event=meter.note))
        )
        cpu = time.process_time() - began - shelf.seconds
        peak = peak_memory()
        disk = sum(each.stat().st_size for each in folder.iterdir())
        with closing(sqlite3.connect(folder / "harvest.db")) as held, held:
            texts = held.execute("SELECT key, text FROM documents").fetchall()
            pages = "SELECT avg(length(payload)) FROM journal WHERE event = 'PageReceived'"
            (page_bytes,) = held.execute(pages).fetchone()
        floor_us, floor_disk = bare(Path(made) / "bare.db", texts)
    lines = sum(len(json.dumps({"key": key, "text": text})) + 1 for key, text in texts)
    held_documents, requests = certificate.documents, certificate.requests
    return Measured(
        documents=documents,
        held=held_documents,
        requests=requests,
        cpu_ms=1000 * cpu / requests,
        parts=meter.parts(),
        memory_mb=(peak - before) / 1e6,
        disk=disk,
        page_bytes=page_bytes,
        text=sum(len(text) for _, text in texts) / len(texts),
        floor_us=floor_us,
        floor_disk=floor_disk,
        lines=lines / len(texts),
    )


def bare(path: Path, texts: list[tuple[str, str]]) -> tuple[float, float]:
    """Insert texts with a bare sqlite3; return microseconds and bytes per document."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("CREATE TABLE rows (key TEXT PRIMARY KEY, text TEXT)")
    began = time.process_time()
    for row in texts:
        connection.execute("INSERT INTO rows VALUES (?, ?)", row)
    spent = time.process_time() - began
    connection.close()
    return 1e6 * spent / len(texts), path.stat().st_size / len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, action="append", help=f"{SIZES} by default")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(msgspec.json.encode(measure(given.documents[0])).decode())
        return
    print(
        "| documents | held | requests | CPU ms a request | MB | bytes a document | of text "
        "| JSON lines | bare sqlite3 | its us | journal bytes a page |"
    )
    print("|---:" * 11 + "|")
    found = [_measured(documents) for documents in given.documents or SIZES]
    print("\n| documents | fifth | pages | documents a page | ms a request | a page | a document |")
    print("|---:" * 7 + "|")
    for row in found:
        for place, part in enumerate(row.parts, 1):
            each = part.documents / part.pages
            print(
                f"| {row.documents:,} | {place} | {part.pages:,} | {each:.1f} "
                f"| {part.request:.2f} | {part.page:.2f} | {part.document:.2f} |"
            )


def _measured(documents: int) -> Measured:
    """Measure in a separate process, and print a row of the first table."""
    command = [sys.executable, "-m", "bench.harvest.growth", "--one"]
    command += ["--documents", str(documents)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    row = msgspec.json.decode(done.stdout.splitlines()[-1], type=Measured)
    print(
        f"| {row.documents:,} | {row.held:,} | {row.requests:,} | {row.cpu_ms:.3f} "
        f"| {row.memory_mb:,.0f} | {row.disk / row.held:,.0f} | {row.text:,.0f} "
        f"| {row.lines:,.0f} | {row.floor_disk:,.0f} | {row.floor_us:.0f} "
        f"| {row.page_bytes:,.0f} |",
        flush=True,
    )
    return row


if __name__ == "__main__":
    run(main)
