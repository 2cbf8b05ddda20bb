"""Presets on imitations of their interfaces: URLs for readers, and readable texts.

The imitations answer as each interface is documented, with page sizes, offsets and markup.
"""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

import longline
from longline.model import Document
from longline.simulate import Searcher, read_corpus, running_site
from longline.simulate.search import read_query

pytestmark = pytest.mark.slow

SIZE = 150
CORPUS = [each for each in read_corpus("docstrings") if each.text and each.title]
PLACES = np.random.default_rng(13).permutation(len(CORPUS))[:SIZE].tolist()
DOCUMENTS = {str(1000 + n): CORPUS[place] for n, place in enumerate(PLACES)}
NUMBERS = {each.key: number for number, each in DOCUMENTS.items()}
MARKUP = re.compile(r"'''|\[\[|\{\{|</?p>|<jats|&lt;|&quot;")


class Asked(NamedTuple):
    """A site, and the requests that it got."""

    app: Starlette
    requests: list[str]


def found(typed: str, box: Searcher) -> list[Document]:
    """Return all that a search finds, in its order."""
    query = read_query(re.sub(r"(^|\s)-(\w)", r"\1NOT \2", typed), boolean=True)
    return [DOCUMENTS[NUMBERS[hit.key]] for hit in box.search(query).hits] if typed else []


BOX = Searcher(DOCUMENTS.values(), limit=None, page_size=SIZE)


def site(home: str, *routes: Route) -> Asked:
    """Return a site with a home page and an interface, which records its requests."""
    requests: list[str] = []

    def index(request: Request) -> Response:
        return HTMLResponse(home.replace("{base}", str(request.base_url).rstrip("/")))

    app = Starlette(routes=[Route("/", index), *routes])

    async def noting(scope, receive, send):  # type: ignore[no-untyped-def]
        if scope["type"] == "http":
            requests.append(f"{scope['path']}?{scope['query_string'].decode()}")
        await app(scope, receive, send)

    return Asked(noting, requests)  # type: ignore[arg-type]


def wikitext(row: Document) -> str:
    """Return a document in MediaWiki's markup."""
    return f"'''{row.title}''' is [[Python|one]]. <nowiki>{row.text}</nowiki>"


def wiki() -> Asked:
    """MediaWiki: `generator=search`, continued by an offset; contents are wikitext."""

    def api(request: Request) -> Response:
        asked = request.query_params
        rows = found(asked.get("gsrsearch", ""), BOX)
        first, most = int(asked.get("gsroffset", 0)), min(int(asked.get("gsrlimit", 10)), 50)
        pages = [
            {
                "pageid": int(NUMBERS[row.key]),
                "ns": 0,
                "title": row.title,
                "index": first + place,
                "revisions": [{"slots": {"main": {"content": wikitext(row)}}}],
                "canonicalurl": f"{request.base_url}wiki/{NUMBERS[row.key]}",
            }
            for place, row in enumerate(rows[first : first + most], 1)
        ]
        answer: dict[str, object] = {"batchcomplete": True}
        answer["query"] = {"searchinfo": {"totalhits": len(rows)}, "pages": pages[::-1]}
        if first + most < len(rows):
            answer["continue"] = {"gsroffset": first + most, "continue": "gsroffset||"}
        return JSONResponse(answer)

    head = '<link rel="EditURI" type="application/rsd+xml" href="{base}/w/api.php?action=rsd">'
    return site(f"<html><head>{head}</head></html>", Route("/w/api.php", api))


def blog() -> Asked:
    """WordPress: posts and pages apart, 100 per request, totals in headers, an error at the end."""

    def posts(request: Request) -> Response:
        asked = request.query_params
        typed = asked.get("search", "")
        rows = found(typed, BOX) if typed else [*DOCUMENTS.values()]
        is_page = request.path_params["kind"] == "pages"
        rows = [row for row in rows if (int(NUMBERS[row.key]) % 5 == 0) == is_page]
        most, at = int(asked.get("per_page", 10)), int(asked.get("page", 1))
        if most > 100 or at > max(1, -(-len(rows) // most)):
            return JSONResponse({"code": "rest_invalid_param", "data": {"status": 400}}, 400)
        shown = [
            {
                "id": int(NUMBERS[row.key]),
                "link": f"{request.base_url}{NUMBERS[row.key]}/a-post/",
                "title": {"rendered": html.escape(row.title)},
                "content": {"rendered": f"<p>{html.escape(row.text)}</p>\n", "protected": False},
            }
            for row in rows[most * (at - 1) : most * at]
        ]
        headers = {"X-WP-Total": str(len(rows)), "X-WP-TotalPages": str(-(-len(rows) // most))}
        return JSONResponse(shown, headers=headers)

    head = '<link rel="https://api.w.org/" href="{base}/wp-json/" />'
    return site(f"<html><head>{head}</head></html>", Route("/wp-json/wp/v2/{kind}", posts))


def library() -> Asked:
    """kiwix-serve: at most 140 hits per request, as a feed; articles are pages in a frame."""

    def catalog(request: Request) -> Response:
        entry = '<entry><title>B</title><link type="text/html" href="/content/book"/></entry>'
        feed = f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'
        return Response(feed, media_type="application/atom+xml")

    def search(request: Request) -> Response:
        asked = request.query_params
        rows = found(asked.get("pattern", ""), BOX)
        first, most = int(asked.get("start", 1)) - 1, int(asked.get("pageLength", 25))
        if most > 140:
            return Response("<error/>", 400)
        items = "".join(
            f"<item><title>{html.escape(row.title)}</title><link>/content/book/{NUMBERS[row.key]}"
            f"</link><description>{html.escape(row.text[:100])}</description></item>"
            for row in rows[first : first + most]
        )
        head = 'version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
        total = f"<opensearch:totalResults>{len(rows)}</opensearch:totalResults>"
        rss = f"<rss {head}><channel>{total}{items}</channel></rss>"
        return Response(rss, media_type="application/rss+xml")

    def article(request: Request) -> Response:
        one = DOCUMENTS[request.path_params["number"]]
        bar = "<div id=kiwixtoolbar>Library Home Random</div>"
        body = f"{bar}<h1>{html.escape(one.title)}</h1><p>{html.escape(one.text)}</p>"
        return HTMLResponse(f"<html><title>{html.escape(one.title)}</title><body>{body}")

    form = '<form id="kiwixSearchForm"><input name=pattern></form>'
    return site(
        f"<html><body>{form}</body></html>",
        Route("/catalog/v2/entries", catalog),
        Route("/search", search),
        Route("/content/book/{number}", article),
    )


def forum() -> Asked:
    """Discourse: 50 posts per page, at most ten pages, no totals; a post's text separately."""

    def search(request: Request) -> Response:
        rows = found(request.query_params.get("q", ""), BOX)
        at = int(request.query_params.get("page", 1))
        posts = [
            {"id": int(NUMBERS[row.key]), "blurb": row.text[:60], "post_number": 2,
             "topic_id": int(NUMBERS[row.key]) + 5000}
            for row in rows[50 * (at - 1) : 50 * at]
        ]  # fmt: skip
        more = True if at < 10 and 50 * at < len(rows) else None
        grouped = {"more_full_page_results": more, "term": "x"}
        return JSONResponse({"posts": posts, "topics": [], "grouped_search_result": grouped})

    def post(request: Request) -> Response:
        one = DOCUMENTS[request.path_params["number"]]
        cooked = f"<p>{html.escape(one.text)}</p>"
        slug = one.title.lower().replace(".", "-")
        return JSONResponse({"cooked": cooked, "topic_slug": slug, "post_number": 2})

    head = '<meta name="generator" content="Discourse 3.5.0 - https://github.com/discourse/x">'
    return site(
        f"<html><head>{head}</head></html>",
        Route("/search.json", search),
        Route("/posts/{number}.json", post),
    )


ADDRESSES = {
    wiki: (r"/wiki/\d+$", "gsrlimit=50"),
    blog: (r"/\d+/a-post/$", "per_page=100"),
    library: (r"/content/book/\d+$", "pageLength=140"),
    forum: (r"/t/\d+/2$", "/search.json"),
}


@contextmanager
def harvested(asked: Asked, folder: Path) -> Iterator[longline.Harvest]:
    with running_site(asked.app) as url:
        yield longline.harvest(f"{url}/", folder, allow_private=True, rate=1000)


@pytest.mark.parametrize("make", ADDRESSES, ids=lambda make: make.__name__)
def test_a_preset_brings_what_readers_want(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Each document has its page's URL and its full text, with many documents per request."""
    asked, (address, rows) = make(), ADDRESSES[make]
    with harvested(asked, tmp_path / "h") as harvest:
        held = list(harvest.documents)
    assert len(held) >= 0.95 * SIZE
    for each in held:
        assert re.search(address, each.url), each.url
        assert "api.php" not in each.url
        assert "json" not in each.url
        own = DOCUMENTS[re.findall(r"\d{4,}", each.url)[-1]] if make is not forum else None
        own = own or DOCUMENTS[str(int(re.findall(r"/t/(\d+)", each.url)[0]) - 5000)]
        assert own.text.split()[-5:] == each.text.split()[-5:]
        assert not set(MARKUP.findall(each.text)) - set(MARKUP.findall(own.text))
    searches = [each for each in asked.requests if rows in each]
    certificate = harvest.certificate
    assert len(searches) >= certificate.result_pages + certificate.probe_pages


def test_what_discover_learnt_is_not_asked_again(tmp_path: Path) -> None:
    """A harvest from a plan's folder, or from its file, sends no request to learn the source."""
    asked = blog()
    with running_site(asked.app) as url:
        longline.discover(f"{url}/", allow_private=True).save(tmp_path / "source.toml")
        before = len(asked.requests)
        first = longline.harvest(
            tmp_path / "source.toml", tmp_path / "a", allow_private=True, rate=1000
        )
        assert asked.requests[before:].count("/?") == 0
        longline.plan(f"{url}/", tmp_path / "b", allow_private=True, rate=1000)
        before = len(asked.requests)
        second = longline.harvest(f"{url}/", tmp_path / "b", allow_private=True, rate=1000)
        assert asked.requests[before:].count("/?") == 0
    assert first.certificate.discovery_requests == 0
    assert second.certificate.discovery_requests == 0


def test_an_example_of_a_forums_interface_brings_whole_posts(tmp_path: Path) -> None:
    """The address of a search in JSON has no generator's name, but is of no other software."""
    with running_site(forum().app) as url:
        example = f"{url}/search.json?q=time"
        found = longline.harvest(example, tmp_path, allow_private=True, rate=1000, max_requests=90)
    held = list(found.documents)
    assert held
    assert all(re.search(r"/t/\d+/2$", each.url) for each in held)
    assert min(len(each.text.split()) for each in held) > 3
    assert found.certificate.cut_texts == 0
