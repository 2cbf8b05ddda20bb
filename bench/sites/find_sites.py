"""Find one page in real sites, served on loopback: the hound and the published algorithms.

Kinds of query: "title" is a page's title, without the words that more than 30 % of the site's
titles have (only titles that no other page has); "part" is two thirds of its words, which no other
title has; "picked" is a person's query for hand-picked pages; "absent" are titles of other sites.
An answer is right if it is the page, or one with equal content, whatever its confidence. D counts
the requested pages, at most --budget. "> 0.9" counts the answers with a higher confidence than
that, and how many are right.
"""

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
SURE = (0.5, 0.8, 0.9)
ABSENT = 3
"""Number of queries from other sites' titles, for each site."""

COLUMNS = (
    *("algorithm", "query", "n", "right", "D mean", "D median"),
    *(name for sure in SURE for name in (f"> {sure}", "right")),
)


@dataclass(frozen=True)
class Task:
    """A page to find in a site."""

    kind: str
    query: tuple[str, ...]
    page: str


@dataclass(frozen=True)
class Outcome:
    """The result of a task."""

    kind: str
    is_right: bool
    downloads: int
    confidence: float


def tasks_of(folder: Path, site: dict[str, str], titles: int, seed: int) -> list[Task]:
    """Return the title queries drawn for a site, and those for its hand-picked pages."""
    picked = []
    if "target" in site:
        picked.append(Task("picked", tuple(site["query_words"]), site["target"]))
    picked += [
        Task("picked", (query,), page) for page, query in PICKED.get(site["site"], {}).items()
    ]
    named = titles_of(folder)
    alike = Counter(named.values())
    common = Counter(word for title in named.values() for word in set(title))
    queries = {
        page: tuple(word for word in title if common[word] <= COMMON * len(named))
        for page, title in named.items()
        if alike[title] == 1 and page != site["start"]
    }
    able = [page for page, query in queries.items() if query]
    rng = np.random.default_rng(seed)
    drawn = [able[place] for place in rng.permutation(len(able))[:titles]]
    whole = [Task("title", queries[page], page) for page in drawn]
    return [*whole, *_parts(whole, named, rng), *picked]


def titles_of(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the words of each page's title."""
    return {
        path.relative_to(folder).as_posix(): words(title_of(path), parts=False)
        for path in sorted(folder.rglob("*.html"))
    }


def _parts(
    tasks: Sequence[Task], named: dict[str, tuple[str, ...]], rng: np.random.Generator
) -> Iterator[Task]:
    """Yield tasks with some of a title's words, if no other title has them all."""
    for task in tasks:
        kept = sorted(rng.permutation(len(task.query))[: max(2, len(task.query) * 2 // 3)])
        asked = tuple(task.query[place] for place in kept)
        if len(asked) < len(task.query) and _having(named, asked) == 1:
            yield Task("part", asked, task.page)


def _having(named: dict[str, tuple[str, ...]], asked: Sequence[str]) -> int:
    """Return how many pages have all queried words in their titles."""
    return sum(set(asked) <= set(title) for title in named.values())


def absent(tasks: dict[str, list[Task]], site: str, folder: Path, seed: int) -> list[Task]:
    """Return title queries of other sites that no title of this site matches."""
    named = titles_of(folder)
    others = [task for name, each in tasks.items() if name != site for task in each]
    titles = [t for t in others if t.kind == "title" and not _having(named, t.query)]
    drawn = np.random.default_rng(seed).permutation(len(titles))[:ABSENT]
    return [Task("absent", titles[place].query, "") for place in drawn]


def title_of(path: Path) -> str:
    """Return the title of a page's file."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return Selector(text).xpath("string(//title)").get("")


def outcomes(
    folder: Path, start: str, tasks: Sequence[Task], algorithm: str, budget: int
) -> Iterator[Outcome]:
    """Search a site for every task, and yield the results."""
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
    """Return whether an answer is the page, or has the same content."""
    path = folder / answer
    if not page:
        return False
    if path.is_dir():
        path /= "index.html"
    return path.is_file() and path.read_bytes() == (folder / page).read_bytes()


def row_of(algorithm: str, kind: str, found: Sequence[Outcome]) -> list[Cell]:
    """Return a row of the table."""
    row: list[Cell] = []
    for least in SURE:
        sure = [each.is_right for each in found if each.confidence > least]
        row += [len(sure), mean(sure) if sure else None]
    return [
        *(algorithm, kind, len(found), mean(each.is_right for each in found)),
        mean(each.downloads for each in found),
        float(median(each.downloads for each in found)),
        *row,
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
        every = {
            site["site"]: tasks_of(Path(name) / site["site"], site, options.titles, options.seed)
            for site in index
        }
        for site in chosen:
            folder = Path(name) / site["site"]
            tasks = [*every[site["site"]], *absent(every, site["site"], folder, options.seed)]
            for algorithm in options.algorithm or ALGORITHMS:
                for each in outcomes(folder, site["start"], tasks, algorithm, options.budget):
                    found.setdefault((algorithm, each.kind), []).append(each)
                    found.setdefault((algorithm, "all"), []).append(each)
    rows = [row_of(algorithm, kind, each) for (algorithm, kind), each in sorted(found.items())]
    report.table(f"One page in {len(chosen)} real sites", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
