"""Grade a discovery, field by field, against the real behaviour of a site."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urljoin

import numpy as np
from starlette.applications import Starlette
from tests.discovery.servers import Make, Site
from tests.webs import web_fetcher

from longline.discovery import Discoverer, SpecFinder
from longline.engine import Engine
from longline.engine.site_client import PageClient, SiteClient
from longline.errors import LonglineError
from longline.fetch import Manners
from longline.learn import Learner
from longline.ledger import Ledger
from longline.model import Page, Query
from longline.simulate import running_site
from longline.source import Source
from longline.store import MemoryStore

FIELDS = (
    *("form", "hit", "link", "title", "snippet", "next", "total", "class", "size", "limit"),
    *("operator", "not", "quote"),
)


def discover(url: str, **options: object) -> Discoverer:
    """Run a discovery against a running site."""
    discoverer = Discoverer(url, np.random.default_rng(0), **options)  # type: ignore[arg-type]

    async def run() -> None:
        fetcher = web_fetcher(robots=False, retries=0)
        try:
            await Engine(discoverer, PageClient(fetcher), MemoryStore(), Ledger()).run()
        finally:
            await fetcher.close()

    asyncio.run(run())
    return discoverer


@contextmanager
def finder_of(
    site: Starlette, path: str = "/", kind: type[SpecFinder] = SpecFinder
) -> Iterator[SpecFinder]:
    """Run a site during the `with` block, and search for a description or a list of it."""
    with running_site(site) as url:
        finder = kind(f"{url}{path}")
        manners = Manners(allow_private=True, robots=False, retries=0)
        asyncio.run(Learner(url, manners).run(finder))
        yield finder


def pages_by(discoverer: Discoverer, queries: list[tuple[str, ...]], most: int) -> list[list[Page]]:
    """Query a site with the learnt spec, page after page."""
    spec = discoverer.spec
    assert spec is not None

    async def run() -> list[list[Page]]:
        fetcher = web_fetcher(robots=False, retries=0)
        client = SiteClient(Source(spec), fetcher)
        found = []
        try:
            for words in queries:
                pages, request = [], None
                for number in range(1, most + 1):
                    try:
                        page, _ = await client.search(Query(words), number, request)
                    except LonglineError:
                        break
                    pages.append(page)
                    request = page.next
                    if request is None:
                        break
                found.append(pages)
        finally:
            await client.close()
        return found

    return asyncio.run(run())


def _same(a: str, b: str) -> bool:
    return " ".join(a.split()) == " ".join(b.split())


def grade(
    make: Make, kind: type[Site] = Site
) -> tuple[dict[str, bool | None], dict[str, str], Discoverer]:
    """Discover a site and compare: right, wrong, or None if the site has no such feature.

    Returns:
        Grades by field; for the wrong ones what was found; the discoverer.
    """
    site = kind(make)
    with running_site(site.app) as base:
        discoverer = discover(base + "/", allow_post=make.method == "POST")
        grades: dict[str, bool | None] = dict.fromkeys(FIELDS, False)
        said: dict[str, str] = {}
        facts = {finding.name: finding for finding in discoverer.findings}
        if site.log:
            said["form"] = f"a trap was touched: {site.log}"
        if discoverer.spec is None:
            said["form"] = discoverer.problem
            return grades, said, discoverer
        words = _test_words(site)
        found = pages_by(discoverer, [(word,) for word in words], 3)
        _grade_pages(site, base, words, found, grades, said, facts)
        _grade_size(make, discoverer.spec, grades, said)
    _grade_rules(make, facts, grades, said)
    quote = discoverer.spec.ask.dialect.quote
    grades["quote"] = ('"' in quote) != make.rules.quotes_break
    if discoverer.requests > 40:
        said["requests"] = str(discoverer.requests)
    return grades, said, discoverer


def _test_words(site: Site) -> list[str]:
    """Return words that were hardly queried before, with few, some, and many hits."""
    sizes = sorted(
        (len(places), word) for word, places in site.engine.index.items() if len(word) > 4
    )
    return [
        min(sizes, key=lambda pair: (abs(pair[0] - wanted), pair[1]))[1]
        for wanted in (3, site.make.page_size * 2 + 3, site.make.page_size * 4)
    ]


def _grade_pages(site, base, words, found, grades, said, facts):  # type: ignore[no-untyped-def]
    make = site.make
    grades["form"] = any(pages and pages[0].hits for pages in found) and not site.log
    checks: dict[str, list[bool]] = {
        name: [] for name in ("hit", "link", "title", "snippet", "total")
    }
    size = int(facts["ask.page_size"].value) if "ask.page_size" in facts else make.page_size
    for word, pages in zip(words, found, strict=True):
        truth = site.shown(word, 1, size)
        page = pages[0] if pages else Page()
        checks["hit"].append(len(page.hits) == len(truth.rows))
        pairs = list(zip(page.hits, truth.rows, strict=False))
        checks["link"].append(all(_leads(hit.url, base, row) for hit, row in pairs) and bool(pairs))
        checks["title"].append(
            all(_same(hit.title, row.title) for hit, row in pairs) and bool(pairs)
        )
        checks["snippet"].append(
            bool(pairs)
            and all(_same(h.snippet, r.snippet) or not h.snippet for h, r in pairs)
            and sum(bool(h.snippet) for h, _ in pairs) * 2 > len(pairs)
        )
        if not site.make.snippets or site.make.layout == "titles":
            checks["snippet"][-1] = all(not hit.snippet for hit, _ in pairs)
        reported = truth.reported if make.total else None
        checks["total"].append((page.total.documents if page.total else None) == reported)
    for name, results in checks.items():
        grades[name] = all(results)
        if not grades[name]:
            finding = facts.get(f"results.{name}")
            said[name] = f"{finding.value if finding else None} {results}"
    if make.layout == "plain-text":
        grades["link"] = None
    _grade_next(site, words, found, grades, said, facts, size)
    _grade_class(site, grades, said, facts)


def _leads(url, base, row):  # type: ignore[no-untyped-def]
    from urllib.parse import parse_qs, urlsplit

    right = urlsplit(urljoin(base, row.url))
    got = urlsplit(url)
    return got.path == right.path and parse_qs(got.query).get("id") == parse_qs(right.query).get(
        "id"
    )


def _grade_next(site, words, found, grades, said, facts, size):  # type: ignore[no-untyped-def]
    make = site.make
    if make.paging == "none":
        grades["next"] = all(len(pages) == 1 for pages in found)
        return
    outcomes = []
    for word, pages in zip(words, found, strict=True):
        got = {hit.key for page in pages for hit in page.hits}
        wanted = {row.text.key for n in (1, 2, 3) for row in site.shown(word, n, size).rows}
        outcomes.append(len(got) == len(wanted))
    grades["next"] = all(outcomes)
    if not grades["next"]:
        said["next"] = f"{facts.get('results.next')} {outcomes}"


def _grade_class(site, grades, said, facts):  # type: ignore[no-untyped-def]
    make = site.make
    if not make.total or make.counts == "none":
        grades["class"] = None
        return
    right = {"exact": "exact", "about": "about", "floor": "at least", "limited": "at least"}[
        make.counts
    ]
    finding = facts.get("results.total_relation")
    grades["class"] = finding is not None and finding.value == right
    if not grades["class"]:
        said["class"] = f"{finding.value if finding else None}, not {right}"


def _grade_size(make, spec, grades, said):  # type: ignore[no-untyped-def]
    got = spec.ask.page_size
    if make.size_name:
        is_set = f"{make.size_name}={{size}}" in spec.ask.url
        grades["size"] = is_set and got is not None and got <= (make.clamp or 10**9)
    else:
        grades["size"] = make.paging == "none" or got == make.page_size
    if not grades["size"]:
        said["size"] = f"{got} {spec.ask.url}"
    grades["limit"] = spec.ask.limit == make.limit
    if not grades["limit"]:
        said["limit"] = f"{spec.ask.limit}, not {make.limit}"


def _grade_rules(make, facts, grades, said):  # type: ignore[no-untyped-def]
    rules = make.rules
    expected = {
        "operator": ("dialect.default", {rules.default}),
        "not": (
            "ask.dialect.not",
            {""} if not rules.nots else {_NOTS[name] for name in rules.nots},
        ),
    }
    for name, (fact, right) in expected.items():
        finding = facts.get(fact)
        value = finding.value if finding is not None and finding.sure != "unknown" else None
        grades[name] = value in right
        if not grades[name]:
            said[name] = f"{value!r}, not {right}: {finding.evidence if finding else None}"


_NOTS = {"-": "-{term}", "NOT": "NOT {term}", "AND NOT": "AND NOT {term}"}

WARNED_BY = {
    "form": ("ask.url", "ask.form"),
    "hit": ("results.hit",),
    "link": ("results.link", "results.hit"),
    "title": ("results.title",),
    "snippet": ("results.snippet",),
    "next": ("results.next", "ask.url"),
    "total": ("results.total",),
    "class": ("results.total_relation", "results.total"),
    "size": ("ask.page_size",),
    "limit": ("ask.limit",),
    "operator": ("dialect.default",),
    "not": ("ask.dialect.not",),
    "quote": ("ask.dialect.quote",),
}


def is_warned(name: str, discoverer: Discoverer) -> bool:
    """Return whether a wrong field has a warning, or is marked as unknown or missing."""
    if discoverer.spec is None:
        return True
    facts = {finding.name: finding for finding in discoverer.findings}
    own = [facts[key] for key in WARNED_BY[name] if key in facts]
    return not own or any(f.warning or f.sure == "unknown" for f in own)


def table(makes: list[Make], kinds: Mapping[str, type[Site]] | None = None) -> str:
    """Return the grades of several makes as text, one row each."""
    rows, right, asked, silent = [], dict.fromkeys(FIELDS, 0), dict.fromkeys(FIELDS, 0), []
    for make in makes:
        grades, said, discoverer = grade(make, (kinds or {}).get(make.name, Site))
        marks = {True: "+", False: "-", None: " "}
        cells = "".join(f"{marks[grades[name]]:^9}" for name in FIELDS)
        rows.append(f"{make.name:12}{cells}{discoverer.requests:4}")
        for name in FIELDS:
            if grades[name] is not None:
                asked[name] += 1
                right[name] += bool(grades[name])
            if grades[name] is False and not is_warned(name, discoverer):
                silent.append(f"{make.name}.{name}")
        rows += [f"    {name}: {what[:300]}" for name, what in said.items()]
    head = f"{'':12}" + "".join(f"{name:^9}" for name in FIELDS) + " requests"
    sums = f"{'right':12}" + "".join(f"{f'{right[n]}/{asked[n]}':^9}" for n in FIELDS)
    fields = sum(asked.values())
    rate = f"wrong without a warning: {len(silent)} of {fields}: {', '.join(silent)}"
    return "\n".join([head, *rows, sums, rate])
