"""Find one page in real sites, served on loopback: the hound beside the published algorithms.

Two kinds of query: a page's title, without the words that more than 30 % of the site's titles have
(only titles that no other page has); and what a person asked for hand-picked pages. An answer is
right if it is the page, or one of equal content, however sure the algorithm is. D counts the pages
asked for, at most --budget. "conf > .9" has the answers given with more confidence than that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

import numpy as np
from bench.frame import Cell, report_of, run, shared_file, unpack
from bench.sites.queries import PICKED
from parsel import Selector
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from longline.finder.find import FindLimits, find_page
from longline.known_item.pages.terms import words
from longline.simulate import running_site

ALGORITHMS = ("hound", "ls2f", "ls", "sim")
COMMON = 0.3
COLUMNS = ("algorithm", "query", "n", "right", "D mean", "D median", "conf > .9", "right")


@dataclass(frozen=True)
class Task:
    """A page to find in a site."""

    kind: str
    query: tuple[str, ...]
    page: str


@dataclass(frozen=True)
class Outcome:
    """What became of a task."""

    kind: str
    is_right: bool
    downloads: int
    confidence: float


def tasks_of(folder: Path, site: dict[str, str], titles: int, seed: int) -> list[Task]:
    """The title queries drawn for a site, and those for its hand-picked pages."""
    picked = [Task("picked", tuple(site["query_words"]), site["target"])]
    picked += [
        Task("picked", (query,), page) for page, query in PICKED.get(site["site"], {}).items()
    ]
    named = {
        path.relative_to(folder).as_posix(): words(title_of(path), parts=False)
        for path in sorted(folder.rglob("*.html"))
    }
    alike = Counter(named.values())
    common = Counter(word for title in named.values() for word in set(title))
    queries = {
        page: tuple(word for word in title if common[word] <= COMMON * len(named))
        for page, title in named.items()
        if alike[title] == 1 and page != site["start"]
    }
    able = [page for page, query in queries.items() if query]
    drawn = np.random.default_rng(seed).permutation(len(able))[:titles]
    return [*(Task("title", queries[able[n]], able[n]) for n in drawn), *picked]


def title_of(path: Path) -> str:
    """The title of a page's file."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return Selector(text).xpath("string(//title)").get("")


def outcomes(
    folder: Path, start: str, tasks: Sequence[Task], algorithm: str, budget: int
) -> Iterator[Outcome]:
    """Search a site for every task."""
    limits = FindLimits(max_downloads=budget, allow_private=True, robots=False)
    site = Starlette(routes=[Mount("/", StaticFiles(directory=folder, html=True))])
    with running_site(site) as url:
        for task in tasks:
            found = asyncio.run(
                find_page(f"{url}/{start}", task.query, algorithm=algorithm, limits=limits)
            )
            answer = (found.url or "").removeprefix(f"{url}/")
            is_right = same_page(folder, answer, task.page)
            yield Outcome(task.kind, is_right, found.downloads, found.confidence)


def same_page(folder: Path, answer: str, page: str) -> bool:
    """Whether an answer is the page, or says the same."""
    path = folder / answer
    if path.is_dir():
        path /= "index.html"
    return path.is_file() and path.read_bytes() == (folder / page).read_bytes()


def row_of(algorithm: str, kind: str, found: Sequence[Outcome]) -> list[Cell]:
    """A line of the table."""
    sure = [each for each in found if each.confidence > 0.9]
    return [
        *(algorithm, kind, len(found), mean(each.is_right for each in found)),
        mean(each.downloads for each in found),
        float(median(each.downloads for each in found)),
        len(sure),
        mean(each.is_right for each in sure) if sure else None,
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--algorithm", action="append", help=f"({', '.join(ALGORITHMS)})")
    parser.add_argument("--site", action="append", help="of the shared folder's index (all)")
    parser.add_argument("--titles", type=int, default=10, help="title queries of each site (10)")
    parser.add_argument("--budget", type=int, default=100, help="pages for each query (100)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw of titles (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables as JSON")
    parser.set_defaults(out=None)
    options = parser.parse_args(arguments)
    report = report_of("find_sites", options)
    index = json.loads(shared_file("sites/index.json").read_text())
    chosen = [each for each in index if each["site"] in (options.site or [each["site"]])]
    found: dict[tuple[str, str], list[Outcome]] = {}
    with TemporaryDirectory() as name:
        unpack("sites/sites.tar.xz", name)
        for site in chosen:
            folder = Path(name) / site["site"]
            tasks = tasks_of(folder, site, options.titles, options.seed)
            for algorithm in options.algorithm or ALGORITHMS:
                for each in outcomes(folder, site["start"], tasks, algorithm, options.budget):
                    found.setdefault((algorithm, each.kind), []).append(each)
    rows = [row_of(algorithm, kind, each) for (algorithm, kind), each in sorted(found.items())]
    report.table(f"One page in {len(chosen)} real sites", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
