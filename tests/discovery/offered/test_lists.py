"""OAI-PMH, sitemaps and feeds are read to the end, and only called complete if they are."""

import gzip
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.discovery.grade import finder_of
from tests.discovery.offered.kit import (
    DOCUMENTS,
    SIZE,
    WANTED,
    as_page,
    harvested,
    share_of_text,
    site,
    titles,
)
from tests.test_attachments import pdf

import longline
from longline.discovery import ListFinder
from longline.simulate import running_site

Shown = Callable[[Request], Response]

PER_ANSWER = 7
APART = 12
JSON = "application/json"
UNKNOWN = "how many documents it leaves out is not known"


def as_record(n: int, home: str, *, in_short: bool = False) -> str:
    """Return a record in Dublin Core; every fifth one is deleted.

    The short record of `APART` lacks the address of its document, and the next has no valid one.

    Args:
        n: Place of its document.
        home: Address that documents' pages are below.
        in_short: It has the first words of its document instead of the text.
    """
    document = DOCUMENTS[n]
    head = f"<identifier>oai:library:{document.key}</identifier>"
    head += f"<datestamp>2026-01-0{1 + n % 9}</datestamp>"
    if n % 5 == 4:
        return f'<record><header status="deleted">{head}</header></record>'
    title = html.escape(document.title)
    apart = {APART: "ISSN 1", APART + 1: "http://[1"} if in_short else {}
    at = apart.get(n, f"{home}/p/{document.key}")
    text = html.escape(" ".join(document.text.split()[:9]) if in_short else document.text)
    return (
        f"<record><header>{head}</header><metadata><oai_dc:dc"
        ' xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{title}</dc:title><dc:description>{text}</dc:description>"
        f"<dc:identifier>{at}</dc:identifier>"
        "</oai_dc:dc></metadata></record>"
    )


def oai(request: Request, home: str = "", *, in_short: bool = False) -> Response:
    """Answer as in OAI-PMH 2.0: a token continues the list, and is sent only with the verb."""
    home = home or str(request.base_url).rstrip("/")
    asked = dict(request.query_params)
    verb, token = asked.pop("verb", ""), asked.pop("resumptionToken", None)
    if verb == "Identify":
        inner = "<Identify><repositoryName>Library</repositoryName></Identify>"
    elif (
        verb != "ListRecords"
        or (token is None and asked.get("metadataPrefix") != "oai_dc")
        or (token and asked)
    ):
        inner = '<error code="badArgument"/>'
    else:
        start = int(token or 0)
        end = start + PER_ANSWER
        records = "".join(
            as_record(n, home, in_short=in_short) for n in range(start, min(end, SIZE))
        )
        more = str(end) if end < SIZE else ""
        said = (
            f'<resumptionToken completeListSize="{SIZE}" cursor="{start}">{more}</resumptionToken>'
        )
        inner = f"<ListRecords>{records}{said}</ListRecords>"
    body = f'<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">{inner}</OAI-PMH>'
    return Response(body, media_type="text/xml")


FRONT = "<html lang=en><title>Library</title><p>Welcome</p>{}</html>"
LINK = '<a href="/repository/oai?verb=Identify">OAI-PMH</a>'


@pytest.mark.parametrize(
    ("place", "link"),
    [("/repository/oai", LINK), pytest.param("/oai/request", "", marks=pytest.mark.slow)],
)
def test_a_repository_is_read_record_by_record(place: str, link: str, tmp_path: Path) -> None:
    """Every record that is not deleted is held, at one request per answer."""
    harvest = harvested(repository(place, link, oai, told), tmp_path)
    certificate = harvest.certificate
    assert titles(harvest) == {d.title for n, d in enumerate(DOCUMENTS) if n % 5 != 4}
    assert share_of_text(harvest) > 0.9
    assert certificate.outcome == "complete"
    assert certificate.result_pages == -(-SIZE // PER_ANSWER)
    address = next(iter(harvest.documents)).fields["address"]
    assert "/p/" in str(address)
    assert address == next(iter(harvest.documents)).url


def repository(place: str, link: str, records: Shown, own: Shown, *further: Route) -> Starlette:
    """Return a site with a repository, and a page of its own for each document."""
    front = HTMLResponse(FRONT.format(link))
    routes = [Route("/", lambda request: front), Route(place, records), Route("/p/{key}", own)]
    return Starlette(routes=[*routes, *further])


def told(request: Request) -> Response:
    """A document's own page, with its text."""
    return HTMLResponse(as_page(DOCUMENTS[int(request.path_params["key"][1:])]))


def framed(request: Request) -> Response:
    """A document's own page, which shows a file, beside a link to its description."""
    key = request.path_params["key"]
    title = html.escape(DOCUMENTS[int(key[1:])].title)
    shown = f"<iframe src=/files/{key}></iframe><a href=/about/{key}>Description</a>"
    return HTMLResponse(f"<title>Library</title><main><h1>{title}</h1>{shown}</main>")


def in_file(request: Request) -> Response:
    """A document's text as a PDF file."""
    said = DOCUMENTS[int(request.path_params["key"][1:])].text.encode("ascii", "replace").decode()
    written = re.sub(r"([\\()])", r"\\\1", " ".join(said.split()))
    return Response(pdf(written), media_type="application/pdf")


def in_short(request: Request) -> Response:
    """Records with the first words of their documents."""
    return oai(request, in_short=True)


def elsewhere(request: Request) -> Response:
    """Records whose documents are on a host that does not exist."""
    return oai(request, "http://library.example", in_short=True)


def test_the_texts_of_a_repository_are_read_in_its_files(tmp_path: Path) -> None:
    """A site that names its repository is asked for its documents; the repository for records."""
    links = Route("/files/{key}", in_file), Route("/about/{key}", told)
    app = repository("/repository/oai", LINK, in_short, framed, *links)
    harvest = harvested(app, tmp_path / "site")
    assert (len(harvest.documents), harvest.certificate.cut_texts) == (SIZE * 4 // 5, 2)
    assert share_of_text(harvest) > 0.9
    records = harvested(app, tmp_path / "records", "/repository/oai")
    assert (len(records.documents), records.certificate.outcome) == (SIZE * 4 // 5, "complete")
    assert records.certificate.document_pages == 0
    assert share_of_text(records) < 0.5


def test_a_repository_of_documents_that_cannot_be_read_is_not_whole(tmp_path: Path) -> None:
    """Its records are kept, and are not called its documents' texts."""
    harvest = harvested(repository("/repository/oai", LINK, elsewhere, told), tmp_path)
    assert len(harvest.documents) == SIZE * 4 // 5
    assert harvest.certificate.outcome == "partial"
    assert harvest.certificate.cut_texts == SIZE * 4 // 5


@pytest.mark.parametrize("fault", ["token", "page"])
def test_a_list_that_breaks_off_is_not_whole(fault: str, tmp_path: Path) -> None:
    """An error instead of the third answer, or a page for people, does not end the list."""

    def answer(request: Request) -> Response:
        if request.query_params.get("resumptionToken") != str(2 * PER_ANSWER):
            return oai(request)
        if fault == "page":
            return HTMLResponse("<html><title>Library</title><p>Please come back later.</p></html>")
        return Response(
            '<OAI-PMH><error code="badResumptionToken"/></OAI-PMH>', media_type="text/xml"
        )

    front = HTMLResponse(FRONT.format(LINK))
    app = Starlette(routes=[Route("/", lambda request: front), Route("/repository/oai", answer)])
    certificate = harvested(app, tmp_path).certificate
    assert 0 < certificate.documents <= 2 * PER_ANSWER
    assert certificate.outcome == "partial"
    assert "did not come" in certificate.stopped


def urlset(home: str, keys: list[str]) -> str:
    """Return a sitemap."""
    urls = "".join(
        f"<url><loc>{home}/p/{key}.html</loc><lastmod>2026-01-02</lastmod></url>" for key in keys
    )
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


def parts(home: str) -> str:
    """Return an index of two sitemaps."""
    files = "".join(f"<sitemap><loc>{home}/map{n}.xml.gz</loc></sitemap>" for n in (0, 1))
    return (
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{files}</sitemapindex>'
    )


KEYS = [document.key for document in DOCUMENTS]
MAPS = {
    "/maps.xml": parts,
    "/map0.xml.gz": lambda home: gzip.compress(urlset(home, KEYS[::2]).encode()),
    "/map1.xml.gz": lambda home: gzip.compress(urlset(home, KEYS[1::2]).encode()),
}


@pytest.mark.slow
def test_a_sitemap_in_packed_parts_is_read_and_not_called_whole(tmp_path: Path) -> None:
    """All pages of the sitemap are held, and the certificate says that there may be others."""
    app = site(MAPS, robots="User-agent: *\nSitemap: {home}/maps.xml")
    harvest = harvested(app, tmp_path)
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) > 0.9
    assert (harvest.certificate.outcome, harvest.certificate.size) == ("partial", None)
    assert UNKNOWN in harvest.certificate.stopped


def test_a_sitemap_is_read_from_its_own_address(tmp_path: Path) -> None:
    """The user may give the URL of the sitemap itself."""
    harvest = harvested(site(MAPS), tmp_path, "/maps.xml")
    assert titles(harvest) == WANTED
    assert harvest.certificate.discovery_requests <= 6


def test_addresses_of_before_lead_to_documents_that_count_once(tmp_path: Path) -> None:
    """A sitemap often keeps the addresses that documents had: they are redirected."""
    old = [f"old-{key}" for key in KEYS[:10]]
    app = site({"/map.xml": lambda home: urlset(home, [*old[:5], *KEYS, *old[5:]])})

    async def moved(request: Request) -> Response:
        return RedirectResponse(f"/p/{request.path_params['key']}.html", status_code=301)

    app.router.routes.insert(0, Route("/p/old-{key}.html", moved))
    harvest = harvested(app, tmp_path, "/map.xml")
    assert len(harvest.documents) == harvest.certificate.documents == SIZE
    assert titles(harvest) == WANTED
    assert harvest.certificate.duplicate_documents == 0
    assert not any("/old-" in document.key for document in harvest.documents)
    again = longline.harvest(tmp_path / "harvest", allow_private=True)
    assert again.certificate.documents == SIZE
    assert again.certificate.requests == harvest.certificate.requests


def test_a_file_of_a_list_that_does_not_come_is_missing(tmp_path: Path) -> None:
    """If one of several files is missing, this is reported, and the next run requests it."""
    maps = {name: made for name, made in MAPS.items() if name != "/map0.xml.gz"}
    harvest = harvested(site(maps), tmp_path, "/maps.xml")
    assert len(harvest.documents) == SIZE // 2
    assert "1 page of the list did not come" in harvest.certificate.stopped
    assert harvest.certificate.outcome == "partial"


def feed(start: int, following: str) -> str:
    """Return a page of a feed, with the first words of texts."""
    entries = "".join(
        f"<entry><title>{html.escape(d.title)}</title><id>{d.key}</id>"
        f"<link href='/p/{d.key}.html'/>"
        f"<updated>2026-01-02T03:04:05Z</updated><summary>{html.escape(d.text[:60])}</summary></entry>"
        for d in DOCUMENTS[start : start + 10]
    )
    link = f"<link rel='next' href='{following}'/>" if following else ""
    return f"<feed xmlns='http://www.w3.org/2005/Atom'><title>Library</title>{link}{entries}</feed>"


@pytest.mark.parametrize("kind", ["of RFC 5005", "counted"])
def test_a_feed_is_followed_through_its_pages(kind: str, tmp_path: Path) -> None:
    """Pages that a feed links, or numbers, are read to the last one."""

    def answer(request: Request) -> Response:
        at = int(request.query_params.get("paged", 1))
        if (at - 1) * 10 >= SIZE:
            return Response("", status_code=404)
        more = f"/feed?paged={at + 1}" if kind != "counted" and at * 10 < SIZE else ""
        return Response(feed((at - 1) * 10, more), media_type="application/atom+xml")

    def document(request: Request) -> Response:
        key = request.path_params["key"]
        return HTMLResponse(as_page(next(d for d in DOCUMENTS if d.key == key)))

    app = Starlette(routes=[Route("/feed", answer), Route("/p/{key}.html", document)])
    harvest = harvested(app, tmp_path, "/feed")
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) > 0.9
    assert UNKNOWN in harvest.certificate.stopped


def test_a_second_feed_is_left_alone_where_the_first_is_good() -> None:
    """A site may name a feed of its posts, and then one of their comments."""
    comments: list[str] = []

    def of_comments(home: str) -> str:
        comments.append(home)
        return feed(0, "")

    named = "".join(
        f'<link rel="alternate" type="application/atom+xml" href="/{name}.xml">'
        for name in ("posts", "comments")
    )
    files = {"/posts.xml": feed(0, ""), "/comments.xml": of_comments}
    with finder_of(site(files, named), kind=ListFinder) as finder:
        assert finder.how.startswith("a feed")
    assert not comments


SPEC = """
[source]
name = "library"
url = "URL/"
[ask]
url = "URL/s?q={query}"
[results]
hit = "css:li"
link = "css:a"
title = "css:a"
next = "css:a[rel=next]"
total = "css:p"
[document]
text = "css:main"
"""


def test_an_index_is_compared_with_the_search(tmp_path: Path) -> None:
    """If a site has both, the plan says how many of the hits are in the index."""
    rows = [
        {"url": f"/p/{d.key}.html", "title": d.title, "content": d.text} for d in DOCUMENTS[:-10]
    ]
    form = '<form action="/s"><input type=search name=q><input type=submit value=Search></form>'
    script = "<script>fetch('/js/search-data.json')</script>"

    def search(request: Request) -> Response:
        words = request.query_params.get("q", "").lower().split()
        found = [d for d in DOCUMENTS if words and all(w in d.text.lower() for w in words)]
        start = 10 * (int(request.query_params.get("page", 1)) - 1)
        items = "".join(
            f'<li><a href="/p/{d.key}.html">{html.escape(d.title)}</a></li>'
            for d in found[start : start + 10]
        )
        asked = urlsplit(str(request.url)).query.partition("&page")[0]
        page = start // 10 + 2
        more = (
            f'<a rel=next href="/s?{asked}&page={page}">next</a>' if start + 10 < len(found) else ""
        )
        return HTMLResponse(
            f"<html lang=en>{form}<p>{len(found)} results</p><ul>{items}</ul>{more}"
        )

    files = {"/js/search-data.json": json.dumps(rows)}
    inner = site(files, form + script)
    app = Starlette(routes=[Route("/s", search)])
    app.mount("/", inner)
    with running_site(app) as url:
        (tmp_path / "source.toml").write_text(SPEC.replace("URL", url))
        plan = longline.plan(str(tmp_path / "source.toml"), allow_private=True)
    [route] = [route for route in plan.routes if route.route == "index"]
    assert route.reach is not None
    assert route.reach < 1
    assert route.command.endswith("/js/search-data.json")
    assert "hits are in it" in route.note


def test_a_plan_of_a_list_counts_it(tmp_path: Path) -> None:
    """A complete list is counted with a request or two; a partial one is a lower bound."""
    front = '<meta name="generator" content="Hugo 0.131.0">'
    rows = [
        {"permalink": f"/p/{d.key}.html", "title": d.title, "content": d.text} for d in DOCUMENTS
    ]
    with running_site(site({"/index.json": json.dumps(rows)}, front)) as url:
        plan = longline.plan(f"{url}/", allow_private=True)
    assert (plan.size.documents, plan.size.low, plan.size.high) == (SIZE, SIZE, SIZE)
    assert plan.is_list
    assert plan.recommended_here == "listing"
    with running_site(site(MAPS)) as url:
        plan = longline.plan(f"{url}/maps.xml", allow_private=True)
    assert (plan.size.documents, plan.size.high) == (SIZE, None)
    assert UNKNOWN in plan.routes[0].note


def test_a_page_that_leads_to_lists_in_json_is_followed(tmp_path: Path) -> None:
    """The longest list is read, and the other one is reported as left out."""
    rows = [{"id": n, "title": d.title, "body": d.text} for n, d in enumerate(DOCUMENTS)]
    kinds = [{"id": n, "name": name} for n, name in enumerate(("book", "map", "letter"))]
    links = "<h1>It runs</h1><ul><li><a href='kinds'>Kinds</a><li><a href='notes'>Notes</a></ul>"
    app = Starlette(
        routes=[
            Route("/", lambda request: HTMLResponse(f"<html lang=en>{links}")),
            Route("/kinds", lambda request: Response(json.dumps(kinds), media_type=JSON)),
            Route("/notes", lambda request: Response(json.dumps(rows), media_type=JSON)),
        ]
    )
    harvest = harvested(app, tmp_path)
    assert titles(harvest) == WANTED
    assert share_of_text(harvest) > 0.99
    assert harvest.certificate.outcome == "partial"
    assert "/kinds" in (tmp_path / "harvest/source.toml").read_text()


@pytest.mark.parametrize("has_text", [True, False])
def test_texts_behind_a_link_of_a_listed_page_are_read(has_text: bool, tmp_path: Path) -> None:
    """A list leads to records, and these to the texts: files of which some may be scans."""
    pytest.importorskip("pypdf")
    app = site({"/map.xml": lambda home: urlset(home, KEYS)})
    held = {document.key: document for document in DOCUMENTS}

    async def record(request: Request) -> Response:
        key = request.path_params["key"]
        title = html.escape(held[key].title)
        link = f'<p>Full text: <a href="/files/{key}.pdf">PDF</a>'
        return HTMLResponse(f"<html lang=en><title>{title}</title><h1>{title}</h1>{link}")

    async def file(request: Request) -> Response:
        words = " ".join(re.findall("[a-z]+", held[request.path_params["key"]].text.lower())[:90])
        return Response(pdf(words if has_text else ""), media_type="application/pdf")

    app.router.routes[:0] = [Route("/p/{key}.html", record), Route("/files/{key}.pdf", file)]
    harvest = harvested(app, tmp_path, "/map.xml")
    assert titles(harvest) == WANTED
    words = [len(document.text.split()) for document in harvest.documents]
    assert (min(words) > 20) == has_text
    if not has_text:
        assert sum(harvest.certificate.attachments_unread.values()) == SIZE
