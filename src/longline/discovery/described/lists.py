"""Find the lists of documents that a site provides, and how to read each.

Lists named by a page are tried first: the index of its own search, and OAI-PMH. Usual addresses and
lists that may be incomplete are tried only where no search can be learnt.
"""

from typing import Any
from urllib.parse import urljoin

import msgspec

from longline.discovery.answer import kind_of, parameters
from longline.discovery.described.listed import (
    EVERYTHING,
    Listed,
    feed_tables,
    index_tables,
    json_feed_tables,
    oai_tables,
    pagefind_tables,
    read_list,
    sitemap_tables,
    spec_of,
)
from longline.discovery.described.page_of_links import as_folder, page_of_links
from longline.discovery.described.texts import Texts, beyond_records, look_at_texts
from longline.discovery.reading import is_query_name
from longline.discovery.routes import (
    MOST_SCRIPTS,
    OAI_PATHS,
    Place,
    chunks_in,
    feeds_in,
    index_places,
    oai_bases_in,
    places_anywhere,
    scripts_in,
    sitemap_lines,
)
from longline.discovery.session import Asking, DiscoverySession
from longline.errors import LonglineError
from longline.model import Page, Request, Response
from longline.source import Source, parse
from longline.source.select import read_select
from longline.text.charset import read_text
from longline.text.numbers import counted

LEAST_PAGES = 2
"""A file that names fewer pages than this is not taken for a list."""

FEEDS, SITEMAPS = 2, 2
"""How many feeds and sitemaps of a site are tried."""

PLACES_TRIED = 5
"""Maximum number of index addresses to try, of those that a page suggests."""

_PART = "how many documents it leaves out is not known: no harvest of it is ever called complete"


def named_list(session: DiscoverySession, home: Response) -> Asking[Listed | None]:
    """Return the list at an address, or the one that its page names; None if there is none.

    Args:
        session: Sends and counts requests.
        home: The answer from the address given by the user.
    """
    own = yield from _own_list(session, home)
    if own is not None or kind_of(home) != "html":
        return own
    text = read_text(home.body, home.content_type)[1]
    found = yield from _first_index(session, home.url, index_places(home.url, text))
    if found is None:
        places = yield from _places_in_scripts(home.url, text)
        found = yield from _first_index(session, home.url, places)
    if found is not None:
        return found
    bases = oai_bases_in(home)
    return (yield from _first_oai(session, home.url, bases)) if bases else None


def _places_in_scripts(url: str, text: str) -> Asking[list[Place]]:
    """Read what may know of a page's index: scripts, their parts, and the site's search page."""
    places: list[Place] = []
    scripts = [*scripts_in(url, text), *chunks_in(url, text)][:MOST_SCRIPTS]
    for script in scripts:
        answer = yield Request(script)
        if answer is not None:
            said = read_text(answer.body)[1]
            named = (index_places(of, f'"{said}"') for of in (url, script))
            places += [place for each in named for place in each if place not in places]
            parts = [each for each in chunks_in(script, said) if each not in scripts]
            scripts += parts[: MOST_SCRIPTS - len(scripts)]
    return places


def any_list(session: DiscoverySession, url: str, home: Response | None) -> Asking[Listed | None]:
    """Return a list from the usual places of a site without a search; None if there is none."""
    found = yield from _first_oai(session, url, [urljoin(url, path) for path in OAI_PATHS])
    if found is None:
        found = yield from _best_sitemap(session, url)
    for feed in feeds_in(home)[:FEEDS]:
        answer = None if found is not None else (yield Request(feed))
        if answer is not None:
            found = yield from _feed(session, url, answer)
    if home is not None and _is_feed(home):
        found = found or (yield from _feed(session, url, home))
    elif home is not None and (found is None or found.named):
        # A feed may hold only the newest documents, where a page names all.
        links = yield from page_of_links(session, home)
        found = max(filter(None, [found, links]), key=lambda each: each.named, default=None)
    if found is None:
        found = yield from _first_index(session, url, places_anywhere(url))
    return found


def _is_feed(home: Response) -> bool:
    marks = (b"<rss", b"<feed", b"<rdf:RDF", b"jsonfeed.org")
    return any(mark in home.body[:5000] for mark in marks)


def _own_list(session: DiscoverySession, home: Response) -> Asking[Listed | None]:
    """Return the list that the user gave the address of; None if it is not a list."""
    head = home.body[:5000]
    if b"<OAI-PMH" in head:
        given = [home.url.partition("?")[0]]
        return (yield from _first_oai(session, home.url, given, wants_records=True))
    if b"<urlset" in head or b"<sitemapindex" in head or home.body[:2] == b"\x1f\x8b":
        return (yield from _sitemap(session, home.url, home))
    if (folder := as_folder(home.url, home)) is not None:
        return folder
    if _is_feed(home) and not any(map(is_query_name, parameters(home.url))):
        return (yield from _feed(session, home.url, home))
    if kind_of(home) == "html" and "html" in home.content_type:
        return None
    is_named = bool(index_places(urljoin(home.url, "/"), f'"{home.url}"'))
    if is_named or home.url.endswith(("searchindex.js", "pagefind-entry.json")):
        place = Place(home.url, urljoin(home.url, "./"))
        return (yield from _index(session, home.url, place, home))
    return None


# Search indexes.


def _first_index(
    session: DiscoverySession, home: str, places: list[Place]
) -> Asking[Listed | None]:
    for place in places[:PLACES_TRIED]:
        answer = yield Request(place.url)
        found = None if answer is None else (yield from _index(session, home, place, answer))
        if found is not None:
            return found
    return None


def _index(
    session: DiscoverySession, home: str, place: Place, answer: Response
) -> Asking[Listed | None]:
    """Read a file as a search index; the pages that it names must exist."""
    if place.url.endswith("pagefind-entry.json"):
        return (yield from _pagefind(home, answer))
    tried = []
    for template in (yield from _templates(place, answer)):
        tables = index_tables(home, place.url, template)
        tables["results"]["snippet"] = "jmes:text"
        page = read_list(spec_of(tables), answer)
        if page is None or len(page.hits) < LEAST_PAGES:
            return None
        texts = yield from look_at_texts(session, list(page.hits))
        if texts.page is not None:
            return _written("search index", tables, page, texts)
        tried.append(texts.reason)
    session.reason = f"{place.url} names pages that are not there: {'; '.join(tried)}"
    return None


def _templates(place: Place, answer: Response) -> Asking[list[str]]:
    """Return templates that make full addresses of an index's relative ones."""
    base = place.base
    if b"docnames" not in answer.body[:200_000]:
        outer = [base, urljoin(place.url, "./"), urljoin(place.url, "/")]
        return [f"{each}{{}}" for each in dict.fromkeys(outer)]
    options = yield Request(urljoin(base, "_static/documentation_options.js"))
    said = b"" if options is None else options.body
    is_dir = b"dirhtml" in said
    ways = [f"{base}{{}}/", f"{base}{{}}.html"]
    return ways if is_dir else ways[::-1]


def _pagefind(home: str, answer: Response) -> Asking[Listed | None]:
    tables = pagefind_tables(home, answer.url)
    spec = spec_of(tables)
    entry = read_list(spec, answer)
    if entry is None or not entry.files:
        return None
    named = 0
    piece: Response | None = None
    for request in entry.files:
        meta = yield request
        page = None if meta is None else read_list(spec, meta, 2)
        if page is None or not page.hits:
            return None
        named += len(page.hits)
        piece = piece or (yield Request(page.hits[0].url))
    try:
        assert spec.document is not None
        assert piece is not None
        text = read_select(spec.document.text, "json").text(parse(piece, "json").root)
    except (LonglineError, AssertionError):
        return None
    seen = (
        f"the search index of the site's own search (Pagefind): {counted(named, 'page')}, each in "
        f"a file of its own with its whole text, such as {len(text):,} characters",
    )
    return Listed("search index", spec, seen) if text else None


# Lists that may be incomplete, and OAI-PMH.


def _first_oai(
    session: DiscoverySession, home: str, bases: list[str], *, wants_records: bool = False
) -> Asking[Listed | None]:
    """Return the first of some repositories that answers.

    Args:
        session: Sends and counts requests.
        home: The address given by the user.
        bases: Addresses of repositories.
        wants_records: The user gave a repository's address. Otherwise the documents are wanted, and
            their own pages are read if these hold more than the records.
    """
    for base in bases:
        spec = spec_of(oai_tables(home, base))
        answer = yield Source(spec).search_request(EVERYTHING)
        page = None if answer is None else read_list(spec, answer)
        if page is None or not page.hits or answer is None or b"<OAI-PMH" not in answer.body[:5000]:
            continue
        total = "" if page.total is None else f" of {page.total.documents:,}"
        seen = [
            f"OAI-PMH at {base}: {len(page.hits):,}{total} records in the first answer",
            "by its protocol it lists every record: descriptions in Dublin Core, seldom texts",
        ]
        if not wants_records:
            spec, said = yield from beyond_records(session, spec, answer)
            seen.append(said)
        return Listed("OAI-PMH", spec, tuple(seen))
    return None


def _best_sitemap(session: DiscoverySession, home: str) -> Asking[Listed | None]:
    """Return the longest sitemap named by robots.txt, or the usual one; its spec reads all."""
    robots = yield Request(urljoin(home, "/robots.txt"))
    named = sitemap_lines("" if robots is None else robots.body.decode("utf-8", "replace"))
    urls = list(dict.fromkeys(urljoin(home, url) for url in named or ["/sitemap.xml"]))
    answers = []
    for url in urls[:SITEMAPS]:
        answer = yield Request(url)
        answers += [] if answer is None else [(url, answer)]
    answers.sort(key=lambda pair: -len(pair[1].body))
    for url, answer in answers:
        found = yield from _sitemap(session, home, answer)
        if found is not None:
            urls.remove(url)
            ask = msgspec.structs.replace(found.spec.ask, also=urls)
            spec = msgspec.structs.replace(found.spec, ask=ask)
            more = f"; {counted(len(urls), 'other sitemap is', 'other sitemaps are')} read, too"
            first, *others = found.seen
            return found._replace(spec=spec, seen=(first + (more if urls else ""), *others))
    return None


def _sitemap(session: DiscoverySession, home: str, answer: Response) -> Asking[Listed | None]:
    tables = sitemap_tables(home, answer.url)
    spec = spec_of(tables)
    page = read_list(spec, answer)
    if page is not None and page.files:
        first = yield page.files[-1]
        page = None if first is None else read_list(spec, first, 2)
    if page is None or not page.hits:
        return None
    texts = yield from look_at_texts(session, list(page.hits))
    return None if texts.page is None else _written("sitemap", tables, page, texts)


def _feed(session: DiscoverySession, home: str, answer: Response) -> Asking[Listed | None]:
    make = json_feed_tables if kind_of(answer) == "json" else feed_tables
    tables = make(home, answer.url)
    page = read_list(spec_of(tables), answer)
    if page is None or len(page.hits) < LEAST_PAGES:
        return None
    if page.next is None:
        yield from _try_pages(tables, answer, page)
    texts = yield from look_at_texts(session, list(page.hits))
    found = _written("feed", tables, page, texts)
    goes_on = page.next is not None or "{page}" in tables["ask"]["url"]
    return found._replace(named=0 if goes_on else len(page.hits))


def _try_pages(tables: dict[str, Any], answer: Response, page: Page) -> Asking[None]:
    """Find out whether a feed has pages that it does not name, as in WordPress."""
    mark = "&" if "?" in answer.url else "?"
    second = yield Request(f"{answer.url}{mark}paged=2")
    more = None if second is None else read_list(spec_of(tables), second)
    if more is not None and more.hits and not set(more.keys) & set(page.keys):
        tables["ask"]["url"] = f"{answer.url}{mark}paged={{page}}"
        tables["results"].pop("next")


def _written(kind: Any, tables: dict[str, Any], page: Page, texts: Texts) -> Listed:
    """Return a list that takes texts from the documents' pages if it lacks them."""
    results = tables["results"]
    if texts.page is not None and not texts.is_whole:
        tables["document"] = texts.tables()
        results.pop("snippet", None)
    elif "snippet" in results:
        results["text"] = results.pop("snippet")
    what = "the index of the site's own search" if kind == "search index" else f"a {kind}"
    count = counted(len(page.hits), "document") + (" in its first file" if page.next else "")
    seen = [f"{what}, {tables['ask']['url']}: {count}", texts.said()]
    seen += [] if tables["ask"]["lists"] == "all" else [_PART]
    return Listed(kind, spec_of(tables), tuple(seen))
