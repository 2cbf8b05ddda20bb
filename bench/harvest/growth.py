"""Does a request cost as much late in a large harvest as early: CPU, memory, and bytes on disk.

    python -m bench.harvest.growth
    python -m bench.harvest.growth --documents 10000 --documents 1000000

A made-up source in memory (`bench.papers.topics`: k = 100 and p = 50), which gives each document
for a request of its own, is harvested with the journal on, by `auto` and with probes, until there
is nothing left worth asking. Each size is a process of its own. CPU is that of the harvest: what
the source takes to answer is left out. Memory is the peak less what the source takes. Beside stand
a rival, the same documents as JSON lines, and the floor, a bare sqlite3 that inserts each key and
text in a transaction.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.frame import run
from bench.harvest.large_source import LIMIT, MAX_TERMS, PAGE_SIZE, memory, peak_memory
from bench.papers.topics import TopicBox, topic_matrix, word

from longline.extend import Document, Hit, Page, Query, Searchable
from longline.harvester import HarvestRun, Limits, Listeners, Settings, spec_of_class

SIZES = (10_000, 30_000, 100_000)
WORDS = 2_000
"""Of its commonest: what probes are drawn from."""

MOST_SECONDS = 6 * 3600.0


class Shelf(Searchable):
    """The source, with what answering takes."""

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
        document = Document(hit.key, text=text, language="en")  # else it is guessed from the text
        self.seconds += time.process_time() - began
        return document


@dataclass
class Measured:
    """What a harvest came to, per request or per document.

    Attributes:
        parts: CPU milliseconds of a request, in each tenth of the harvest.
    """

    documents: int
    held: int
    requests: int
    cpu_ms: float
    parts: list[float]
    memory_mb: float
    disk: int
    page_bytes: float
    text: float
    floor_us: float
    floor_disk: float
    lines: float


def measure(documents: int) -> Measured:
    """Harvest."""
    box = TopicBox(topic_matrix(documents, 1), LIMIT, PAGE_SIZE)
    before, shelf = memory(), Shelf(box)
    marks: list[tuple[int, float]] = []

    def note(_: object, ledger: object) -> None:
        if (sent := ledger.requests) >= len(marks) * documents // 50:  # type: ignore[attr-defined]
            marks.append((sent, time.process_time() - shelf.seconds))

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
            ).run(Listeners(on_event=note))
        )
        cpu = time.process_time() - began - shelf.seconds
        peak = peak_memory()
        disk = sum(each.stat().st_size for each in folder.iterdir())
        with sqlite3.connect(folder / "harvest.db") as held:
            texts = held.execute("SELECT key, text FROM documents").fetchall()
            pages = "SELECT avg(length(payload)) FROM journal WHERE event = 'PageReceived'"
            (page_bytes,) = held.execute(pages).fetchone()
        floor_us, floor_disk = bare(Path(made) / "bare.db", texts)
    lines = sum(len(json.dumps({"key": key, "text": text})) + 1 for key, text in texts)
    step = max(len(marks) // 10, 1)
    parts = [
        1000 * (later[1] - earlier[1]) / (later[0] - earlier[0])
        for earlier, later in zip(marks[::step], marks[step::step], strict=False)
    ]
    held_documents, requests = certificate.documents, certificate.requests
    return Measured(
        documents=documents,
        held=held_documents,
        requests=requests,
        cpu_ms=1000 * cpu / requests,
        parts=parts,
        memory_mb=(peak - before) / 1e6,
        disk=disk,
        page_bytes=page_bytes,
        text=sum(len(text) for _, text in texts) / len(texts),
        floor_us=floor_us,
        floor_disk=floor_disk,
        lines=lines / len(texts),
    )


def bare(path: Path, texts: list[tuple[str, str]]) -> tuple[float, float]:
    """Insert texts as the floor does; return microseconds and bytes a document."""
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
        print(json.dumps(asdict(measure(given.documents[0]))))
        return
    print(
        "| documents | held | requests | CPU ms a request | in its last tenth "
        "| MB | bytes a document | of text | JSON lines | bare sqlite3 | its us "
        "| journal bytes a page |"
    )
    print("|---:" * 12 + "|")
    for documents in given.documents or SIZES:
        command = [sys.executable, "-m", "bench.harvest.growth", "--one"]
        command += ["--documents", str(documents)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        row = Measured(**json.loads(done.stdout.splitlines()[-1]))
        print(
            f"| {row.documents:,} | {row.held:,} | {row.requests:,} | {row.cpu_ms:.3f} "
            f"| {row.parts[-1]:.3f} | {row.memory_mb:,.0f} | {row.disk / row.held:,.0f} "
            f"| {row.text:,.0f} | {row.lines:,.0f} | {row.floor_disk:,.0f} | {row.floor_us:.0f} "
            f"| {row.page_bytes:,.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    run(main)
