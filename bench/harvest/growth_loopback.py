"""Costs of a real process on loopback, and of continuing a large harvest.

    python -m bench.harvest.growth_loopback --documents 100000

The documents of `bench.harvest.growth` are behind a form, served by a separate process. A harvest
learns the site and gets all of them by HTTP, with every guard and the journal on, and with probes.
Then another process continues in its folder: it reads the journal, and finds little left to
request. CPU is that of the harvesting process, user and system.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from bench.frame import run
from bench.harvest.growth import MOST_SECONDS, WORDS
from bench.harvest.large_source import LIMIT, PAGE_SIZE, memory, peak_memory
from bench.papers.topics import TopicBox, topic_matrix, word
from bench.rivals.request_cost import RATE, cpu_seconds, server

from longline import harvest_async
from longline.learn import Listeners


def write(documents: int, path: Path) -> None:
    """Write the documents as a JSON lines corpus."""
    box = TopicBox(topic_matrix(documents, 1), LIMIT, PAGE_SIZE)
    with path.open("w") as lines:
        for key in map(str, range(documents)):
            lines.write(json.dumps({"id": key, "text": box.document(key).text}) + "\n")


def one(url: str, folder: Path, documents: int) -> None:
    """Harvest or continue; print requests, CPU seconds, CPU per request by tenth, and bytes."""
    marks: list[tuple[int, float]] = []

    def note(_: object, ledger: object) -> None:
        if (sent := ledger.requests) >= len(marks) * documents // 10:  # type: ignore[attr-defined]
            marks.append((sent, cpu_seconds()))
            print(f"{sent:,} requests, {marks[-1][1]:.0f} s", file=sys.stderr, flush=True)

    before, began = memory(), cpu_seconds()
    done = asyncio.run(
        harvest_async(
            url,
            folder,
            listeners=Listeners(on_event=note),
            allow_private=True,
            rate=RATE,
            max_time=MOST_SECONDS,
            words=tuple(map(word, range(WORDS))),
        )
    )
    parts = [
        1000 * (later - earlier) / (sent - before_that)
        for (before_that, earlier), (sent, later) in pairwise(marks)
    ]
    certificate, spent = done.certificate, cpu_seconds() - began
    held, requests = certificate.documents, certificate.requests
    print(json.dumps([held, requests, spent, parts, peak_memory() - before]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=100_000)
    for hidden in ("--url", "--folder"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.url:
        one(given.url, Path(given.folder), given.documents)
        return
    with tempfile.TemporaryDirectory() as made:
        write(given.documents, corpus := Path(made) / "corpus.jsonl")
        with server(str(corpus), given.documents, Path(made)) as site:
            print("| | documents | requests in all | CPU s | ms a request, by tenth | MB |")
            print("|---|---:|---:|---:|---|---:|")
            for way in ("first", "again"):
                command = [sys.executable, "-m", "bench.harvest.growth_loopback"]
                command += ["--url", f"{site.url}/", "--folder", str(Path(made) / "harvest")]
                command += ["--documents", str(given.documents)]
                done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
                held, requests, spent, parts, peak = json.loads(done.stdout.splitlines()[-1])
                tenths = ", ".join(f"{each:.2f}" for each in parts if way == "first")
                row = f"| {way} | {held:,} | {requests:,} | {spent:.0f} | {tenths}"
                print(f"{row} | {peak / 1e6:,.0f} |", flush=True)


if __name__ == "__main__":
    run(main)
