"""CPU per request: a harvest by form, compared with a bare loop over the same pages and Scrapy.

    python -m bench.rivals.request_cost
    python -m bench.rivals.request_cost --corpus docstrings --documents 500

A server process has --documents documents of a corpus, drawn at random. longline learns the site
from its front page and harvests it with every guard and the journal on: with the probes that
estimate its size, then without. The floor, httpx2, gets the same pages that longline got without
probes, in the same order, and ignores their content; Scrapy gets them too, obeys robots.txt, reads
them with the selectors that longline learnt, and writes hits and documents as JSON lines. All have
the same maximum of parallel requests. Each runs in its own process; counted is its CPU time, user
and system, after the import of its libraries.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from bench.frame import NOTES, run, shared_file

import longline
from longline.fetch import Manners
from longline.simulate import Searcher, read_corpus, running_site
from longline.source import read_spec

AT_ONCE = Manners().concurrency
RATE = 1e6
"""Requests per second: no pause."""

NO_PROBES, PROBES = "longline, without probes", "longline"


def serve(corpus: str, documents: int, log: Path) -> None:
    """Serve until a line is read, then start a new log; end at the end of the input."""
    found = read_corpus(shared_file(f"corpora/{corpus}.jsonl.gz") if corpus in NOTES else corpus)
    drawn = np.random.default_rng(1).permutation(len(found))[:documents]
    asked: list[str] = []
    with running_site(Searcher([found[place] for place in drawn]), log=asked) as url:
        print(url, flush=True)
        for _ in sys.stdin:
            log.write_text(json.dumps([url + path for path in asked]))
            asked.clear()
            print(flush=True)


class Server:
    """A server in a separate process."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self._process = process
        self._log = log
        self.url = self._said()

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def asked(self) -> list[str]:
        """Return the URLs that were requested since the last call."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._said()
        found: list[str] = json.loads(self._log.read_text())
        return found


@contextmanager
def server(corpus: str, documents: int, folder: Path) -> Iterator[Server]:
    """Start a server, and end it afterwards."""
    command = [sys.executable, "-m", "bench.rivals.request_cost", "--serve", str(folder / "log")]
    command += ["--corpus", corpus, "--documents", str(documents)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Server(process, folder / "log")
        finally:
            process.terminate()


def by_longline(url: str, folder: Path, *, probes: bool) -> Callable[[], object]:
    """Return a function that harvests the site."""
    return lambda: longline.harvest(
        url, folder, allow_private=True, rate=RATE, estimate=None if probes else False
    )


def by_httpx(urls: list[str]) -> Callable[[], object]:
    """Return a function that gets pages with httpx2."""
    import httpx2

    async def work() -> None:
        left = iter(urls)
        async with httpx2.AsyncClient() as client:

            async def some() -> None:
                for url in left:
                    await client.get(url)

            await asyncio.gather(*(some() for _ in range(AT_ONCE)))

    return lambda: asyncio.run(work())


def by_scrapy(urls: list[str], folder: Path) -> Callable[[], object]:
    """Return a function that gets pages with Scrapy, and reads them by the learnt spec."""
    import scrapy
    from scrapy.crawler import CrawlerProcess

    spec = read_spec((folder / "source.toml").read_text())
    results, document = spec.results, spec.document
    assert document is not None

    def text(node: Any, selector: str) -> str:
        return " ".join(node.css(f"{selector.removeprefix('css:')} ::text").getall())

    class Pages(scrapy.Spider):
        name = "pages"

        async def start(self) -> AsyncIterator[scrapy.Request]:
            for url in urls:
                yield scrapy.Request(url, self.hits if "/search?" in url else self.document)

        def hits(self, response: Any) -> Iterator[dict[str, Any]]:
            for row in response.css(results.hit.removeprefix("css:")):
                link = row.css(f"{results.link.removeprefix('css:')}::attr(href)").get()
                named = {
                    name: text(row, getattr(results, name)) for name in ("key", "title", "snippet")
                }
                yield {"url": response.urljoin(link), **named}

        def document(self, response: Any) -> Iterator[dict[str, Any]]:
            read = {name: text(response, getattr(document, name)) for name in ("title", "text")}
            yield {"url": response.url, **read}

    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": AT_ONCE,
            "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
            "DOWNLOAD_DELAY": 0,
            "FEEDS": {str(folder / "items.jsonl"): {"format": "jsonlines"}},
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Pages)
    return process.start


def one(way: str, url: str, folder: Path) -> None:
    """Run one way in this process; print its CPU seconds."""
    if way in (PROBES, NO_PROBES):
        work = by_longline(url, folder, probes=way == PROBES)
    else:
        urls = json.loads((folder / "pages.json").read_text())
        work = by_httpx(urls) if way == "httpx2" else by_scrapy(urls, folder)
    before = cpu_seconds()
    work()
    print(cpu_seconds() - before)


def cpu_seconds() -> float:
    """Return the CPU seconds of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(way: str, url: str, folder: Path) -> float:
    """Run one way in a separate process; return its CPU seconds."""
    command = [sys.executable, "-m", "bench.rivals.request_cost"]
    command += ["--one", way, "--folder", str(folder), "--url", url]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", default="reuters", help="also newsgroups, docstrings, a file")
    parser.add_argument("--documents", type=int, default=6000)
    for hidden in ("--serve", "--one", "--folder", "--url"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.corpus, given.documents, Path(given.serve))
    elif given.one:
        one(given.one, given.url, Path(given.folder))
    else:
        compare(given.corpus, given.documents)


def compare(corpus: str, documents: int) -> None:
    """Print the table."""
    print("| | requests | CPU ms a request | of the bare loop |\n|---|---:|---:|---:|")
    with (
        tempfile.TemporaryDirectory() as made,
        server(corpus, documents, folder := Path(made)) as site,
    ):
        cost: dict[str, tuple[int, float]] = {}
        for way, at in ((PROBES, folder / "with"), (NO_PROBES, folder / "without")):
            seconds = measured(way, f"{site.url}/", at)
            asked = site.asked()
            cost[way] = len(asked), 1000 * seconds / len(asked)
        (at / "pages.json").write_text(json.dumps(asked))
        for way in ("httpx2", "Scrapy") if find_spec("scrapy") else ("httpx2",):
            seconds = measured(way, site.url, at)
            cost[way] = len(asked), 1000 * seconds / len(asked)
    for way, (requests, spent) in cost.items():
        print(f"| {way} | {requests:,} | {spent:.2f} | {spent / cost['httpx2'][1]:.2f} |")
    if "Scrapy" not in cost:
        print("\nScrapy is not installed: it is in the group rivals of pyproject.toml.")


if __name__ == "__main__":
    run(main)
