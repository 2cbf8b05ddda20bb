"""Find the page of a kind (contact, licence, ...) on sites that were not used for learning.

Each kind is learnt from one page of every other site that has one, and then searched on the
remaining site. Pages of a kind were listed from titles and URLs, which favours names somewhat;
sites are those of the shared folder, with --manuals also some books of a Rust installation (DIR is
its folder of books). An answer is right if it is one of the listed pages. D counts downloaded
pages. "10 common words" is the paper's method: LS2F with the examples' most common words.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from urllib.parse import quote, unquote, urlsplit

from bench.frame import Cell, report_of, run, unpack

from longline.known_item.best_first.kind import ExampleSite, train
from longline.known_item.best_first.kind_explorer import KindExplorer, Trust
from longline.known_item.explorer import Answer, Explorer, SitePage, explore
from longline.known_item.pages.reading import Reader
from longline.known_item.pages.urls import Site
from longline.known_item.published.automaton import Automaton
from longline.known_item.published.lost_sheep import LostSheep
from longline.model import Response

ORIGIN = "http://site.invalid/"
STARTS = {"ant-manual": "toc.html"}
KINDS: dict[str, dict[str, list[str]]] = {
    "contact": {
        "berkeley-guide": ["contact-us/index.html"],
        "uk-sdg": ["contact-us/index.html"],
        "openehr": ["about/contacts.html"],
        "eclipse-sumo": ["docs/Contact.html"],
    },
    "about": {
        "berkeley-guide": ["about-berkeley-academic-guide/index.html"],
        "uk-sdg": ["about/index.html"],
        "openehr": ["about_us.html"],
        "eclipse-sumo": ["about/index.html"],
        "aic-edwards": ["about/index.html"],
    },
    "install": {
        "ant-manual": ["install.html", "installlist.html"],
        "eclipse-sumo": ["docs/Installing/index.html", "docs/Downloads.html"],
        "book": ["ch01-01-installation.html"],
        "cargo": ["getting-started/installation.html"],
        "clippy": ["installation.html"],
        "embedded-book": ["intro/install.html"],
    },
    "glossary": {
        "eclipse-sumo": ["docs/Other/Glossary.html"],
        "cargo": ["appendix/glossary.html"],
        "embedded-book": ["appendix/glossary.html"],
        "reference": ["glossary.html"],
    },
    "questions": {"uk-sdg": ["faq/index.html"], "cargo": ["faq.html"]},
    "privacy": {
        "uk-sdg": ["privacy-notice/index.html"],
        "openehr": ["using_the_site/privacy_policy.html"],
    },
    "publications": {
        "uk-sdg": ["publications/index.html"],
        "eclipse-sumo": ["docs/Publications.html"],
    },
    "credits": {
        "ant-manual": ["credits.html"],
        "aic-cleo": ["Credits.html", "ProductionCredits.html", "MediaCredits1.html"],
    },
    "environment": {
        "cargo": ["reference/environment-variables.html"],
        "unstable-book": ["compiler-environment-variables.html"],
    },
}
"""By kind and site: the pages."""
COMMON_WORDS = 10
BANDS = ((0.0, 0.3), (0.3, 0.9), (0.9, 1.0))

Make = Callable[[Sequence[ExampleSite], str], Explorer]

IMPATIENT = Trust(sure=0.5, patience=1.0, grace=2)
"""Answers after a few downloads, and is right less often."""


@dataclass(frozen=True, eq=False)
class Read:
    """A completely read site: its pages by every key that leads to them."""

    start: str
    pages: dict[str, SitePage]

    def key(self, path: str) -> str:
        """Return the key of the page at a path."""
        asked = Site(ORIGIN).key(_url(path))
        assert asked is not None
        return self.pages[asked].key

    @property
    def different(self) -> tuple[SitePage, ...]:
        """Each page once."""
        return tuple({page.key: page for page in self.pages.values()}.values())


def _url(path: str) -> str:
    return ORIGIN + quote(path)


def read_site(folder: Path, start: str) -> Read:
    """Read all pages of a folder that can be reached from the start."""
    site = Site(_url(start))
    reader = Reader(site)
    first = site.key(_url(start)) or ""
    waiting, pages = {first: None}, dict[str, SitePage]()
    while waiting:
        key = next(iter(waiting))
        del waiting[key]
        path = folder / unquote(urlsplit(site.url(key)).path.lstrip("/"))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            continue
        answer = Response(
            url=site.url(key), status=200, content_type="text/html", body=path.read_bytes()
        )
        page = reader.read(answer, key)
        if page is not None:
            pages[key] = page
            waiting.update((link.target, None) for link in page.links if link.target not in pages)
    return Read(first, pages)


def common_words(sites: Sequence[ExampleSite]) -> list[str]:
    """Return the most common words of all examples, as the paper builds its query."""
    counts = Counter(
        word
        for site in sites
        for page in site.pages
        if page.key in site.examples
        for word in page.words
    )
    return [word for word, _ in counts.most_common(COMMON_WORDS)]


METHODS: dict[str, Make] = {
    "LS2F, 10 common words": lambda sites, start: LostSheep(
        common_words(sites), start, Automaton(100, is_twofold=True)
    ),
    "LS2F, 5 name words": lambda sites, start: LostSheep(
        train(sites).words[:5], start, Automaton(100, is_twofold=True)
    ),
    "hound of kinds": lambda sites, start: KindExplorer(train(sites), start),
    "the same, impatient": lambda sites, start: KindExplorer(train(sites), start, IMPATIENT),
}


def outcomes(sites: dict[str, Read], make: Make) -> list[tuple[bool, Answer]]:
    """Search every kind on every site that has one, learnt from the other sites."""
    found = []
    for places in KINDS.values():
        here = {
            name: [sites[name].key(path) for path in paths]
            for name, paths in places.items()
            if name in sites
        }
        for left_out, right in here.items():
            examples = [
                ExampleSite(sites[name].different, frozenset(keys[:1]))
                for name, keys in here.items()
                if name != left_out
            ]
            if examples:
                read = sites[left_out]
                answer = explore(make(examples, read.start), read.pages)
                found.append((answer.key in right, answer))
    return found


def row_of(name: str, found: Sequence[tuple[bool, Answer]]) -> list[Cell]:
    """Return a row: a method's results, and how often it is right by confidence."""
    downloads = [answer.downloads for _, answer in found]
    row: list[Cell] = [name, len(found), mean(right for right, _ in found)]
    row += [mean(downloads), median(downloads)]
    for low, high in BANDS:
        band = [right for right, answer in found if low < answer.confidence <= high]
        row += [len(band), mean(band) if band else None]
    return row


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--manuals", type=Path, metavar="DIR", help="Rust's books, beside the sites"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables as JSON")
    options = parser.parse_args(arguments)
    report = report_of("find_kinds", options)
    names = {name for places in KINDS.values() for name in places}
    with TemporaryDirectory() as folder:
        unpack("sites/sites.tar.xz", folder)
        roots = [Path(folder), *([options.manuals] if options.manuals else [])]
        sites = {
            path.name: read_site(path, STARTS.get(path.name, "index.html"))
            for root in roots
            for path in sorted(root.iterdir())
            if path.name in names
        }
    columns = ["method", "n", "right", "D mean", "D median"]
    for low, high in BANDS:
        columns += [f"{low} < p <= {high}", "right"]
    rows = [row_of(name, outcomes(sites, make)) for name, make in METHODS.items()]
    report.table(f"Kinds of page, one of {len(sites)} sites left out", columns, rows)
    report.save()


if __name__ == "__main__":
    run(main)
