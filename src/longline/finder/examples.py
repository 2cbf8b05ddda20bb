"""Read examples of a kind of page, with other pages of their sites."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, urljoin

from longline.engine import Engine, PageClient
from longline.errors import InputError, option
from longline.fetch import FolderFetcher
from longline.fetch.folder import INDEXES
from longline.finder.find import FindLimits, query_words, reach
from longline.known_item.best_first import ExampleSite, Kind, train
from longline.known_item.course import Course, CourseExplorer, Downloads
from longline.known_item.explorer import Answer
from longline.known_item.finder import Finder
from longline.known_item.pages import HtmlPage, Site
from longline.ledger import Ledger
from longline.ports import Fetcher
from longline.store import MemoryStore

PAGES_OF_A_FOLDER = 150
PAGES_OF_A_SITE = 12
"""How many pages of an example's site are read, to learn what is common there."""

COMMON_WORDS = 10
"""Number of query words: as published, the words most examples contain."""

_HIGHEST = 5


async def wanted(
    query: str | Sequence[str],
    like: Sequence[str],
    algorithm: str,
    limits: FindLimits,
    seed: int = 0,
) -> Sequence[str] | Kind:
    """Return what `find_page` should look for: words, or what examples have in common.

    Args:
        query: Words.
        like: URLs of examples, or HTML files in folders that hold their sites. Ten are far better
            than one, and several sites are better than one.
        algorithm: The hound learns a kind of page; the others use the examples' words.
        limits: How the web is requested; `PAGES_OF_A_SITE` pages of each example's site are read.
        seed: Seed of the random waits between retries.

    Raises:
        InputError: There are no words and no examples, or both, or a file does not exist.
        SourceError: An example cannot be fetched, or is not HTML.
    """
    words = [query] if isinstance(query, str) else list(query)
    if not like:
        return query_words(words)
    if words:
        raise InputError(
            f"both words ({' '.join(words)}) and examples",
            advice=f"give words or {option('like')}, not both",
        )
    sites = await read_examples(like, limits, seed)
    return train(sites) if algorithm == "hound" else common_words(sites)


async def read_examples(
    examples: Sequence[str], limits: FindLimits, seed: int = 0
) -> list[ExampleSite]:
    """Read examples, grouped by site; arguments and errors as for `wanted`."""
    grouped: dict[str, list[str]] = {}
    for example in examples:
        grouped.setdefault(_home(example), []).append(example)
    if not grouped:
        raise InputError(
            "no example to learn from", advice="name at least one page of the kind you look for"
        )
    return [await _read(home, own, limits, seed) for home, own in grouped.items()]


def common_words(sites: Sequence[ExampleSite], most: int = COMMON_WORDS) -> list[str]:
    """Return the words that most examples contain; equal ones by total frequency.

    Source: Goodwin, "Experimental setup"; on real sites a poor query, see `wanted`.

    >>> from longline.known_item.explorer import SitePage
    >>> page = SitePage("c", ("write", "to", "write"))
    >>> common_words([ExampleSite((page,), frozenset({"c"}))])
    ['write', 'to']
    """
    pages = [page for site in sites for page in site.pages if page.key in site.examples]
    having = Counter(word for page in pages for word in set(page.words))
    often = Counter(word for page in pages for word in page.words)
    return sorted(having, key=lambda word: (-having[word], -often[word], word))[:most]


async def _read(home: str, examples: Sequence[str], limits: FindLimits, seed: int) -> ExampleSite:
    fetcher: Fetcher
    if _is_web(home):
        fetcher, _ = reach(home, limits, seed)
        urls, most = list(examples), PAGES_OF_A_SITE
        start = urljoin(home, "/")
    else:
        root = Path(home)
        fetcher = FolderFetcher(root)
        paths = [Path(each).resolve().relative_to(root).as_posix() for each in examples]
        urls, most = [f"file:///{quote(path)}" for path in paths], PAGES_OF_A_FOLDER
        start = "file:///"
    site = Site(urls[0])
    keys = [site.key(url) or url for url in urls]
    walk = _Breadth([*keys, site.key(start) or start], most + len(keys))
    pages: list[HtmlPage] = []
    finder = Finder(urls[0], lambda key: walk, observe=pages.append, may_be_alone=True)
    engine = Engine(finder, PageClient(fetcher), MemoryStore(), Ledger())
    try:
        await engine.run()
    finally:
        await fetcher.close()
    if finder.trouble is not None:
        raise finder.trouble
    lost = [url for url, key in zip(urls, keys, strict=True) if key not in walk.found]
    if lost:
        raise InputError(
            f"the example {lost[0]} cannot be read as a page", advice="leave it out, or correct it"
        )
    by_key = {page.key: page for page in pages}
    return ExampleSite(tuple(by_key.values()), frozenset(walk.found[key] for key in keys))


class _Breadth(CourseExplorer):
    """Request the given pages, then those they link, in the order of discovery.

    Attributes:
        found: The key of each page read, by the key it was requested with.
    """

    def __init__(self, keys: Sequence[str], budget: int) -> None:
        self.found: dict[str, str] = {}
        super().__init__(self._walk(dict.fromkeys(keys), Downloads(budget)))

    def _walk(self, known: dict[str, None], downloads: Downloads) -> Course:
        waiting = list(known)
        for key in waiting:
            if downloads.is_spent:
                break
            page = yield from downloads.get(key)
            if page is None:
                continue
            self.found[key] = page.key
            fresh = [link.target for link in page.links if link.target not in known]
            known.update(dict.fromkeys(fresh))
            waiting += dict.fromkeys(fresh)
        return Answer(None, 0.0, downloads.count)


def _is_web(name: str) -> bool:
    return name.lower().startswith(("http://", "https://"))


def _home(example: str) -> str:
    """Return an identifier of an example's site: its home page's URL, or its folder.

    The folder is the highest one above the file with an index page, or the file's own.

    Raises:
        InputError: The file does not exist.
    """
    if _is_web(example):
        return urljoin(example, "/")
    path = Path(example).resolve()
    if not path.is_file():
        raise InputError(f"there is no example {example}", advice="name a URL or an HTML file")
    above = list(path.parents)[:_HIGHEST]
    homes = [each for each in above if any((each / name).is_file() for name in INDEXES)]
    return str(homes[-1] if homes else path.parent)
