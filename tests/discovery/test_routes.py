"""Routes other than the search: found on real servers, counted, never invented."""

import asyncio
import gzip

import pytest
from bench.faulty.beside import website_with
from starlette.applications import Starlette
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.webs import web_fetcher

from longline.discovery.routes.dates_listed import Dated, listed_dates
from longline.discovery.routes.route_finder import Offer, RouteFinder
from longline.discovery.routes.site_offers import (
    Likeness,
    dumps_in,
    feeds_in,
    oai_bases_in,
    oai_list,
    read_feed,
    sitemap_urls,
)
from longline.engine import Engine
from longline.engine.site_client import PageClient
from longline.ledger import Ledger
from longline.model import Document, Hit
from longline.model import Response as Answer
from longline.simulate import Searcher, running_site, website
from longline.simulate.site.spec import api_spec, html_spec
from longline.source import Spec, read_spec
from longline.store import MemoryStore

CORPUS = [Document(f"doc-{n}", title=f"Title {n}", text=f"alpha word{n}") for n in range(2500)]


def look(spec: Spec, hits: list[Hit], **how: object) -> RouteFinder:
    """Run a finder on a real server."""
    finder = RouteFinder(spec, hits, **how)  # type: ignore[arg-type]
    client = PageClient(web_fetcher())

    async def run() -> None:
        try:
            await Engine(finder, client, MemoryStore(), Ledger()).run()
        finally:
            await client.close()

    asyncio.run(run())
    return finder


def hits_at(base: str, count: int = 40) -> list[Hit]:
    """Return hits of the simulated site."""
    return [Hit(each.key, f"{base}/documents/{each.key}") for each in CORPUS[::60][:count]]


def offers_of(box: Searcher, offers: tuple[str, ...] = (), **how: object) -> dict[str, Offer]:
    """Return the offers found on a simulated site, by kind."""
    with running_site(website_with(box, CORPUS, offers)) as url:
        spec = read_spec(api_spec(box, "site", f"{url}/"))
        finder = look(spec, hits_at(url), **how)
    return {offer.kind: offer for offer in finder.offers}


def test_a_site_without_anything_offers_nothing() -> None:
    """A plain search site has no other route."""
    assert offers_of(Searcher(CORPUS, limit=100, page_size=50)) == {}


def test_a_sitemap_index_is_counted() -> None:
    """Each file of an index of three is read, and every hit is found in it."""
    found = offers_of(Searcher(CORPUS), ("sitemap",))["sitemap"]
    assert (found.documents, found.lists, found.found) == (2500, 4, 1.0)
    assert not found.is_reckoned


def test_oai_pmh_says_how_long_its_list_is() -> None:
    """ListIdentifiers gives the size, and so the number of its pages."""
    found = offers_of(Searcher(CORPUS), ("oai-pmh",))["oai-pmh"]
    assert (found.documents, found.lists) == (2500, 25)
    assert found.url.endswith("/oai")


def test_a_feed_has_the_newest_only() -> None:
    """A feed that the home page names is read."""
    found = offers_of(Searcher(CORPUS), ("feed",))["feed"]
    assert (found.documents, found.lists) == (20, 1)


def test_a_listing_ends_at_the_return_limit() -> None:
    """A listing without a query is followed to its last available page."""
    box = Searcher(CORPUS, limit=100, page_size=50, lists_all=True)
    found = offers_of(box, limit=100)["listing"]
    assert (found.documents, found.lists, found.total) == (100, 2, 2500)
    assert "return limit" in found.note


def test_a_listing_may_go_on_to_its_end() -> None:
    """If the last page of a listing exists, all documents are available."""
    box = Searcher(CORPUS, limit=None, page_size=50, lists_all=True)
    found = offers_of(box, limit=100)["listing"]
    assert (found.documents, found.lists) == (2500, 50)
    assert "beyond the return limit" in found.note


@pytest.mark.parametrize(("limit", "shown"), [(None, 2500), (1000, 1000), (700, 500), (50, 50)])
def test_an_unknown_limit_is_tried(limit: int | None, shown: int) -> None:
    """The answer to a common word is followed up to one of the usual limits."""
    box = Searcher(CORPUS, limit=limit, page_size=50)
    with running_site(website(box)) as url:
        finder = look(read_spec(api_spec(box, "site", f"{url}/")), hits_at(url), word="alpha")
    # If the last answer has one page only, there is no way to request more.
    assert finder.shown == (shown if limit != 50 else None)


def test_a_form_lists_too() -> None:
    """If a source is queried by a form, the listing is requested by the form."""
    box = Searcher(CORPUS, limit=200, page_size=50, lists_all=True, counts="none")
    with running_site(website(box)) as url:
        spec = read_spec(html_spec(box, "site", f"{url}/"))
        form = asyncio.run(fetched(f"{url}/search"))
        finder = look(spec, hits_at(url), form=form, limit=200)
    assert [(o.kind, o.documents, o.total) for o in finder.offers] == [("listing", 200, None)]


async def fetched(url: str) -> Answer:
    """Fetch a page."""
    from longline.model import Request

    fetcher = web_fetcher()
    try:
        return await fetcher.fetch(Request(url))
    finally:
        await fetcher.close()


def test_requests_are_bounded() -> None:
    """No more requests are sent than allowed, and earlier findings are kept."""
    box = Searcher(CORPUS)
    log: list[str] = []
    site = website_with(box, CORPUS, ("sitemap", "oai-pmh", "feed"))
    with running_site(site, log=log) as url:
        spec = read_spec(api_spec(box, "site", f"{url}/"))
        finder = look(spec, hits_at(url), robots="", max_requests=6)
    assert [offer.kind for offer in finder.offers] == ["sitemap"]
    assert len([path for path in log if path != "/robots.txt"]) == 6


def test_robots_names_the_sitemap_and_a_large_index_is_sampled() -> None:
    """Three of ten compressed files are read; the others are assumed to be similar."""
    with running_site(packed_site()) as url:
        spec = read_spec(api_spec(Searcher(CORPUS), "site", f"{url}/"))
        finder = look(spec, [Hit("7", f"{url}/d/7.html"), Hit("8", f"{url}/d/8.html")])
    sitemap, dump = (
        next(offer for offer in finder.offers if offer.kind == kind) for kind in ("sitemap", "dump")
    )
    assert (sitemap.documents, sitemap.lists, sitemap.is_reckoned) == (300, 11, True)
    assert sitemap.found is None
    assert dump.url == f"{url}/all-documents.jsonl.gz"


def packed_site() -> Starlette:
    """A site with a compressed sitemap under a custom name, and a dump on its home page."""

    def home(request: Asked) -> Response:
        return HTMLResponse('<a href="/all-documents.jsonl.gz">all of it</a>')

    def robots(request: Asked) -> Response:
        return Response(f"User-agent: *\nAllow: /\nSitemap: {request.base_url}maps/index.xml\n")

    def index(request: Asked) -> Response:
        rows = "".join(
            f"<sitemap><loc>{request.base_url}maps/{n}.xml.gz</loc></sitemap>" for n in range(10)
        )
        return Response(f"<sitemapindex>{rows}</sitemapindex>")

    def part(request: Asked) -> Response:
        first = 30 * int(request.path_params["number"])
        urls = [f"{request.base_url}d/{n}.html" for n in range(first, first + 30)]
        urls += [f"{request.base_url}about/{first}"]
        rows = "".join(f"<url><loc>{each}</loc></url>" for each in urls)
        return Response(gzip.compress(f"<urlset>{rows}</urlset>".encode()))

    return Starlette(
        routes=[
            Route("/", home),
            Route("/robots.txt", robots),
            Route("/maps/index.xml", index),
            Route("/maps/{number:int}.xml.gz", part),
        ]
    )


def test_addresses_of_documents_are_told_from_others() -> None:
    """Common parts of the hits' URLs identify documents; keys are also found in other URLs."""
    api = Likeness([Hit(f"k{n}", f"https://x.example/api/documents/k{n}") for n in range(5)])
    urls = [f"https://x.example/documents/k{n}" for n in range(3, 20)]
    assert api.counted([*urls, "https://x.example/about/us"]) == (17, 2)
    by_id = Likeness(
        [Hit("a", "https://x.example/show?id=1"), Hit("b", "https://x.example/show?id=2")]
    )
    assert by_id.counted(["https://x.example/show?id=9", "https://x.example/list?id=9"]) == (1, 0)
    assert Likeness([]).counted(urls) == (0, 0)


@pytest.mark.parametrize(
    "body", [b"", b"<html>no</html>", b"\x1f\x8bbroken", b"<urlset", b"\xff" * 9]
)
def test_what_is_no_sitemap_has_no_addresses(body: bytes) -> None:
    """Broken and foreign answers are ignored, and raise no error."""
    answer = Answer(url="https://x.example/sitemap.xml", status=200, body=body)
    assert sitemap_urls(answer) == (False, [])
    assert read_feed(answer)[0] == []
    assert oai_list(answer)[0] == 0
    assert feeds_in(answer) == []
    assert oai_bases_in(answer) == []


def test_dumps_are_files_that_say_so() -> None:
    """A compressed file named as complete is a dump; a brochure is not."""
    body = b"""<a href="/files/complete.zip">x</a> <a href="/brochure.zip">Brochure</a>
    <a href="/data.csv.gz">the whole data</a> <a href="/dumps">dumps</a>"""
    home = Answer(url="https://x.example/", status=200, body=body)
    robots = "# see https://dumps.x.example/2026/everything.tar.gz instead\nUser-agent: *"
    assert dumps_in(home, robots) == [
        "https://dumps.x.example/2026/everything.tar.gz",
        "https://x.example/files/complete.zip",
        "https://x.example/data.csv.gz",
    ]


def test_an_index_of_sitemaps_that_names_itself_is_read_once() -> None:
    """Its addresses are relative, and lead to it and to one other file."""
    index = "<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap>"
    index += "<sitemap><loc>/more.xml</loc></sitemap></sitemapindex>"
    pages = "<urlset><url><loc>/a</loc><lastmod>2026-03-01</lastmod></url></urlset>"
    steps = listed_dates("https://x.example/")
    assert next(steps).url == "https://x.example/sitemap.xml"
    more = steps.send(Answer(url="https://x.example/sitemap.xml", status=200, body=index.encode()))
    assert more.url == "https://x.example/more.xml"
    with pytest.raises(StopIteration) as done:
        steps.send(Answer(url=more.url, status=200, body=pages.encode()))
    assert done.value.value == [Dated("https://x.example/a", "2026-03-01")]
