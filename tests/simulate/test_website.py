import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from parsel import Selector

from longline.model import Document, Query, Request, Response
from longline.simulate.search.searcher import Searcher
from longline.simulate.site.server import running_site
from longline.simulate.site.website import website
from longline.source import Source, read_spec

HOSTILE = [
    Document(
        'x/"><script>alert(1)</script>',
        title="</h1><script>alert(2)</script> & ship",
        text="</article><img src=x onerror=alert(3)> ship\x00\x1b[0m ship &amp; </p>",
    ),
    Document("a b/c?d=e&f#g%2F+ü/../東", title="", text="ship 'quoted' \"twice\"\r\n\r\nsecond"),
    Document("../../etc/passwd", title="ship", text="far up"),
    Document("😀", title="ship 😀", text="x"),
]
PAGES = ["0", "-1", "x", "1.5", "%D9%A3"]
VOID = {"meta", "link", "input", "br", "img", "hr"}


class TidyHtml(HTMLParser):
    """Fails on an element that is not closed properly, or an id used twice."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def is_tidy(text: str) -> bool:
    parser = TidyHtml()
    parser.feed(text)
    parser.close()
    return not parser.open and len(parser.ids) == len(set(parser.ids))


@pytest.fixture
def web(box: Searcher) -> Iterator[httpx2.Client]:
    with running_site(box) as url, httpx2.Client(base_url=url) as client:
        yield client


@pytest.fixture
def hostile() -> Iterator[httpx2.Client]:
    with running_site(Searcher(HOSTILE)) as url, httpx2.Client(base_url=url) as client:
        yield client


def ask(client: httpx2.Client, request: Request | None) -> Response:
    assert request is not None
    answer = client.get(request.url)
    assert answer.status_code == 200
    return Response(
        url=str(answer.url),
        status=answer.status_code,
        content_type=answer.headers["content-type"],
        body=answer.content,
    )


@pytest.mark.parametrize("spec_path", ["/source.toml", "/api/source.toml"])
@pytest.mark.parametrize("counts", ["exact", "approximate", "none"])
@pytest.mark.parametrize("ranking", ["static", "bm25"])
def test_the_site_shows_what_the_searcher_says(ships, spec_path, counts, ranking) -> None:
    """HTML and JSON, read with the site's own spec, give the searcher's pages and texts."""
    box = Searcher(ships, ranking=ranking, limit=25, page_size=10, counts=counts, seed=2)
    with running_site(box) as url, httpx2.Client(base_url=url) as client:
        source = Source(read_spec(client.get(spec_path).text))
        if source.form_request():
            source = source.with_form(ask(client, source.form_request()))
        for query in (
            Query(("ship",)),
            Query(("ship", "harbour"), ("pilot",)),
            Query(("pilot",), ("in harbour",)),
            Query((), any_of=("pilot", "harbour")),
            Query(("ship",), ("pilot",), ("harbour", "submarine")),
            Query(("submarine",)),
        ):
            request, number = source.search_request(query), 1
            while request is not None:
                page = source.page(query, number, request, ask(client, request))
                truth = box.search(query, number)
                # A page without hits is recognised by its words, and means a total of 0.
                assert page.total == truth.total or not truth.hits
                assert [(hit.key, hit.title, hit.snippet) for hit in page.hits] == [
                    (hit.key, hit.title, hit.snippet) for hit in truth.hits
                ]
                assert (page.next is None) == (truth.next is None)
                for hit in page.hits[:2]:
                    read = source.document(hit, ask(client, source.document_request(hit)))
                    kept = box.document(hit.key)
                    assert kept is not None
                    assert (read.key, read.title) == (kept.key, kept.title)
                    assert read.text.split() == kept.text.split()
                request, number = page.next, number + 1


def test_every_page_is_tidy_and_leads_on(web: httpx2.Client) -> None:
    """All linked pages exist, are well-formed HTML in UTF-8, and none lists documents."""
    waiting, seen = ["/"], set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = web.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert is_tidy(answer.text)
        waiting += Selector(answer.text).css("a::attr(href)").getall()
    assert seen == {"/", "/search", "/help", "/about", "/news", "/contact", "/legal"}


def test_the_home_page_names_the_spec(web: httpx2.Client) -> None:
    """A link element has the address of the source spec."""
    link = Selector(web.get("/").text).css("link[rel=longline-source]")
    assert link.attrib["type"] == "application/toml"
    assert read_spec(web.get(link.attrib["href"]).text).ask.limit == 40


def test_the_form_leads_to_the_results(web: httpx2.Client) -> None:
    """The search form has a labelled text input, a hidden field and a button."""
    page = Selector(web.get("/search").text)
    search, other = page.css("form")
    assert other.attrib["method"] == "post"
    assert "hits" not in web.post(other.attrib["action"]).text
    box = search.css("input[type=text]")
    assert page.css(f"label[for={box.attrib['id']}]")
    hidden = search.css("input[type=hidden]").attrib
    asked = {box.attrib["name"]: "pilot", hidden["name"]: hidden["value"]}
    results = Selector(web.get(search.attrib["action"], params=asked).text)
    assert len(results.css("ol.results > li")) == 10
    assert results.css("form input[name=q]").attrib["value"] == "pilot"


def test_totals_and_links_onward_are_shown(web: httpx2.Client) -> None:
    """Range and total are above the rows, previous and next below, none past the limit."""
    pages = []
    path: str | None = "/search?q=ship"
    while path:
        pages.append(Selector(web.get(path).text))
        path = pages[-1].css("a[rel=next]::attr(href)").get()
    assert [page.css(".total::text").get() for page in pages] == [
        "1-10 of 60 results",
        "11-20 of 60 results",
        "21-30 of 60 results",
        "31-40 of 60 results",
    ]
    back = urlsplit(pages[1].css("a[rel=prev]").attrib["href"])
    assert parse_qs(back.query) == {"q": ["ship"], "site": ["all"]}
    one = Selector(web.get("/search?q=ship+harbour+-pilot").text)
    assert one.css(".total::text").get() == "1-6 of 6 results"
    assert not one.css("nav.pages")


def test_nothing_found_is_said_kindly(web: httpx2.Client) -> None:
    """A query without hits and a page past the end have the form and no rows."""
    for path, words in (
        ("/search?q=submarine", "Nothing was found"),
        ("/search?q=ship&page=9", "no more"),
    ):
        page = web.get(path)
        assert page.status_code == 200
        assert words in page.text
        assert Selector(page.text).css("form[role=search]")
        assert not Selector(page.text).css("ol")


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/documents/none",
        "/documents/",
        *(f"/search?q=ship&page={page}" for page in PAGES),
    ],
)
def test_what_is_not_there_is_not_found(web: httpx2.Client, path: str) -> None:
    """The response is 404, with a link to the home page; below /api as JSON."""
    page = web.get(path)
    assert page.status_code == 404
    assert Selector(page.text).css("main a[href='/']")
    assert is_tidy(page.text)
    answer = web.get(f"/api{path}")
    assert answer.status_code == 404
    assert set(answer.json()) == {"error"}


def test_the_api_answers_in_json(web: httpx2.Client) -> None:
    """It has total, hits and next page; a query without words is an error."""
    page = web.get("/api/search", params={"q": "ship", "page": 2}).json()
    assert (page["total"], page["total_relation"], len(page["hits"])) == (60, "exact", 10)
    hit = page["hits"][0]
    assert set(hit) == {"id", "url", "title", "snippet", "api_url"}
    assert Selector(web.get(hit["url"]).text).css("h1::text").get() == hit["title"]
    assert web.get(hit["api_url"]).json()["id"] == hit["id"]
    assert web.get(page["next"]).json()["hits"] != page["hits"]
    assert web.get("/api/search?q=ship&page=4").json()["next"] is None
    assert web.get("/api/search?q=").status_code == 400
    assert web.get("/nowhere").status_code == 404
    assert web.post("/api/search").status_code == 405


def test_hostile_documents_stay_text(hostile: httpx2.Client) -> None:
    """Markup in titles, texts, keys and queries is escaped; every document can be opened."""
    listing = hostile.get("/search", params={"q": 'ship -"><script>evil(4)</script>'})
    shown = Selector(listing.text)
    assert is_tidy(listing.text)
    assert not shown.css("script, img")
    assert shown.css("input[name=q]").attrib["value"] == 'ship -"><script>evil(4)</script>'
    links = {li.css(".key::text").get(): li.css("a").attrib["href"] for li in shown.css("li")}
    assert set(links) == {document.key for document in HOSTILE}
    for document in HOSTILE:
        page = hostile.get(links[document.key])
        assert is_tidy(page.text)
        assert not Selector(page.text).css("script, img")
        title = Selector(page.text).css("h1").xpath("string()").get()
        text = Selector(page.text).css("article").xpath("string()").get() or ""
        assert title == (document.title or document.key)
        assert text.split() == re.sub(r"[\x00\x1b]", "\ufffd", document.text).split()
        assert hostile.get("/api" + links[document.key]).json()["text"] == document.text


def test_the_spec_survives_a_hostile_name(ships: list[Document]) -> None:
    """Any site name becomes valid TOML and a valid title."""
    name = 'The "Sea" \\ <Library> \x7f \n 😀'
    with running_site(website(Searcher(ships), name=name)) as url:
        assert read_spec(httpx2.get(f"{url}/source.toml").text).source.name == name
        title = Selector(httpx2.get(url).text).css("title::text").get() or ""
        assert '"Sea" \\ <Library>' in title


def test_robots_say_what_they_are_told(ships: list[Document]) -> None:
    """Everything is allowed by default; a test may forbid it, or have no robots.txt."""
    for robots, status in (("User-agent: *\nDisallow: /\n", 200), (None, 404)):
        with running_site(website(Searcher(ships), robots=robots)) as url:
            answer = httpx2.get(f"{url}/robots.txt")
            assert answer.status_code == status
            assert robots is None or answer.text == robots
    with running_site(Searcher(ships)) as url:
        assert httpx2.get(f"{url}/robots.txt").text == "User-agent: *\nAllow: /\n"


def test_a_box_without_not_explains_no_syntax(ships: list[Document]) -> None:
    """There is no help page, and operators are ordinary words."""
    with running_site(Searcher(ships, boolean=False)) as url:
        assert httpx2.get(f"{url}/help").status_code == 404
        assert "/help" not in httpx2.get(f"{url}/search?q=submarine").text
        assert "Nothing was found" in httpx2.get(f"{url}/search?q=ship+NOT+pilot").text
        assert read_spec(httpx2.get(f"{url}/source.toml").text).ask.dialect.not_ == ""
