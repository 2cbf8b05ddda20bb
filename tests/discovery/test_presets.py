"""Presets: each is recognised, sends the documented request, and reads a documented answer.

A file of tests/golden/presets contains a page with the marks, the expected request for "deep NOT
web" (or "deep", without NOT), and a short answer written by hand from the source's own
documentation, with the expected reading.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse
from starlette.responses import Response as Answered
from starlette.routing import Route
from tests.discovery.grade import finder_of

from longline.discovery import SpecFinder
from longline.discovery.presets.opensearch import described
from longline.discovery.presets.preset import Preset, options, presets, recognised
from longline.engine import Engine
from longline.engine.site_client import PageClient
from longline.errors import RefusedError
from longline.events import ResponseReceived
from longline.ledger import Ledger
from longline.model import Query, Request, Response
from longline.source import Source, read_spec
from longline.store import MemoryStore

GOLDEN = Path(__file__).parents[1] / "golden" / "presets"
NAMED = {preset.name: preset for preset in presets()}
SPEC_TEXT = """[source]
name = "x"
url = "https://x.example/"
[ask]
url = "https://x.example/?q={query}"
[results]
hit = "li"
link = "a"
"""
CHOSEN = {
    "schema": "dc",
    "book": "books",
    "index": "books",
    "db": "museum",
    "table": "objects",
    "id": "no",
}


class Case(msgspec.Struct, forbid_unknown_fields=True):
    url: str
    content_type: str
    page: str
    request: str
    answer_type: str
    answer: str
    keys: list[str]
    title: str
    body: str = ""
    total: int | None = None
    text: str | None = None
    following: str = ""
    following_body: str = ""


def read_case(name: str) -> Case:
    return msgspec.toml.decode((GOLDEN / f"{name}.toml").read_bytes(), type=Case)


def recognised_in(case: Case) -> tuple[Preset, dict[str, str]]:
    page = Response(
        url=case.url, status=200, content_type=case.content_type, body=case.page.encode()
    )
    preset, values = next(iter(recognised(page)))
    return preset, {**CHOSEN, **values}


@pytest.mark.parametrize("name", sorted(NAMED))
def test_preset_is_recognised_asks_and_reads(name: str) -> None:
    """Its marks are found, and no other preset's before; request and answer are as saved."""
    case = read_case(name)
    preset, values = recognised_in(case)
    assert preset.name == name
    spec = preset.spec(values)
    source = Source(spec)
    query = Query(("deep",), ("web",) if spec.ask.dialect.not_ else ())
    request = source.search_request(query)
    assert (request.url, request.body.decode()) == (case.request, case.body)
    answer = Response(
        url=request.url, status=200, content_type=case.answer_type, body=case.answer.encode()
    )
    page = source.page(query, 1, request, answer)
    assert [hit.key for hit in page.hits] == case.keys
    assert (page.total and page.total.documents) == case.total
    assert page.hits[0].title == case.title
    assert case.text is None or page.hits[0].text == case.text
    assert case.following in (page.next.url if page.next else "")
    assert case.following_body in (page.next.body.decode() if page.next else "")


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_preset_says_what_is_known_of_its_kind(preset: Preset) -> None:
    """The saved TOML names its documentation and limits, and is read as the same spec."""
    _, values = recognised_in(read_case(preset.name))
    toml = preset.toml(values)
    assert read_spec(toml) == preset.spec(values)
    assert preset.documented in toml
    assert len(preset.notes) > 30
    assert "{" not in toml.split("[ask]")[0].replace("{query}", "")


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://sru.example/", "https://sru.example/news"),
        ("https://sru.example/?operation=explain&version=1.2", "https://sru.example/news"),
        ("https://sru.example/sru/news", "https://sru.example/sru/news"),
    ],
)
def test_a_server_that_describes_itself_names_where_it_searches(url: str, base: str) -> None:
    """Its root names the database; a URL below the root is that of the database."""
    body = (
        b"<zs:explainResponse xmlns:zs='http://docs.oasis-open.org/ns/search-ws/sruResponse'>"
        b"<explain xmlns='http://explain.z3950.org/dtd/2.0/'><serverInfo><host>sru.example</host>"
        b"<port>443</port><database>news</database></serverInfo></explain></zs:explainResponse>"
    )
    page = Response(url=url, status=200, content_type="application/xml", body=body)
    assert [(preset.name, values["base"]) for preset, values in recognised(page)] == [("sru", base)]


def test_records_in_marc_are_read_where_the_address_asks_for_them() -> None:
    """They have abstracts, which Dublin Core lacks; the order of the parameters does not matter."""
    marc = "https://sru.example/dnb?recordSchema=MARC21-xml&query=a&operation=searchRetrieve"
    page = Response(url=marc, status=200, content_type="application/xml", body=b"<a/>")
    preset, values = next(iter(recognised(page)))
    assert (preset.name, values["schema"]) == ("sru", "MARC21-xml")
    body = (
        b"<searchRetrieveResponse><numberOfRecords>1</numberOfRecords><records><record>"
        b"<recordData><record><controlfield tag='001'>77</controlfield>"
        b"<datafield tag='245'><subfield code='a'>Deep web</subfield></datafield>"
        b"<datafield tag='520'><subfield code='a'>A survey.</subfield></datafield>"
        b"<datafield tag='650'><subfield code='a'>Search</subfield></datafield></record>"
        b"</recordData></record></records></searchRetrieveResponse>"
    )
    source, query = Source(preset.spec(values)), Query(("deep",))
    request = source.search_request(query)
    assert "recordSchema=MARC21-xml" in request.url
    answer = Response(url=request.url, status=200, content_type="application/xml", body=body)
    (hit,) = source.page(query, 1, request, answer).hits
    assert (hit.key, hit.title, hit.text) == ("77", "Deep web", "Deep web\nA survey.")


def test_choices_take_the_best_first() -> None:
    """Among the searchable tables the largest is first, and hidden ones are left out."""
    tables = [
        {"name": "small", "count": 5, "fts_table": "f", "hidden": False},
        {"name": "plain", "count": 99, "fts_table": None, "hidden": False},
        {"name": "large", "count": 50, "fts_table": "f", "hidden": False},
        {"name": "f", "count": 70, "fts_table": "f", "hidden": True},
    ]
    body = msgspec.json.encode({"tables": tables})
    answer = Response(url="https://x.example/db.json", status=200, body=body)
    table = next(choice for choice in NAMED["datasette"].choices if choice.name == "table")
    assert options(table, answer) == ["large", "small"]


def test_a_choice_may_take_a_part_of_what_it_finds() -> None:
    """kiwix-serve's books are named by the last part of their URLs in the catalog."""
    body = b"""<feed xmlns="http://www.w3.org/2005/Atom">
    <entry><title>Old maps</title><link type="text/html" href="/content/old_maps"/></entry>
    <entry><title>New maps</title><link type="text/html" href="/new_maps/"/></entry></feed>"""
    kind = "application/atom+xml;charset=utf-8"
    answer = Response(url="https://x.example/", status=200, content_type=kind, body=body)
    assert options(NAMED["kiwix"].choices[0], answer) == ["old_maps", "new_maps"]


class Pages:
    """A fetcher over pages in memory."""

    def __init__(self, pages: dict[str, tuple[str, str]]) -> None:
        self.pages = pages
        self.asked: list[str] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        if request.url not in self.pages:
            raise RefusedError(f"status 404 from {request.url}")
        kind, body = self.pages[request.url]
        return Response(url=request.url, status=200, content_type=kind, body=body.encode())

    async def close(self) -> None: ...


def find(url: str, pages: Iterable[tuple[str, str, str]]) -> tuple[SpecFinder, Pages]:
    fetcher = Pages({url: (kind, body) for url, kind, body in pages})
    finder = SpecFinder(url)
    asyncio.run(Engine(finder, PageClient(fetcher), MemoryStore(), Ledger()).run())
    return finder, fetcher


HOME = "https://data.example/"
DATASETTE = read_case("datasette")


def datasette(answer: str) -> list[tuple[str, str, str]]:
    tables = [{"name": "objects", "count": 2, "fts_table": "objects_fts", "hidden": False}]
    search = DATASETTE.request.replace("%22deep%22+NOT+%22web%22", "%22the%22")
    return [
        (HOME, "text/html", DATASETTE.page),
        (f"{HOME}-/databases.json", "application/json", '[{"name": "museum"}]'),
        (
            f"{HOME}museum.json",
            "application/json",
            msgspec.json.encode({"tables": tables}).decode(),
        ),
        (
            f"{HOME}museum/objects.json?_size=1&_shape=objects",
            "application/json",
            '{"primary_keys": ["no"]}',
        ),
        (search, "application/json", answer),
    ]


def test_what_a_preset_needs_is_asked_for_and_tried() -> None:
    """Database, table and key are requested; a preset only counts if one answer is readable."""
    finder, fetcher = find(HOME, datasette(DATASETTE.answer))
    assert finder.spec is not None
    assert finder.spec.source.name == "museum-objects"
    assert "datasette" in finder.how
    trial = fetcher.asked[4:]
    assert "_search=%22the%22" in trial[0]
    # Its few hits give words to check the operators, for which there are no answers here.
    assert len(trial) <= 8
    assert finder.requests <= 7


def test_preset_whose_answer_cannot_be_read_does_not_count() -> None:
    """Marks are no proof: if the answer has another format, the source must be learnt."""
    finder, _ = find(HOME, datasette("<html><title>Log in</title></html>"))
    assert finder.spec is None


def test_a_table_that_cannot_be_searched_is_left_to_its_list() -> None:
    """Datasette ignores `_search` for such a table, and shows a box only for the other tables."""
    page = f"{HOME}museum/letters"
    box = "<input type=search name=_search>"
    for form, is_it in ((box, True), ("", False)):
        body = f"<body class='table db-museum'><form>{form}</form></body>"
        answer = Response(url=page, status=200, content_type="text/html", body=body.encode())
        assert ("datasette" in {preset.name for preset, _ in recognised(answer)}) is is_it


def test_a_page_without_marks_is_left_to_be_learnt() -> None:
    """One request shows that nothing describes the source."""
    finder, fetcher = find(HOME, [(HOME, "text/html", "<form role=search><input name=q></form>")])
    assert finder.spec is None
    assert fetcher.asked == [HOME]


DESCRIPTION = """<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Museum</ShortName>
<Url type="text/html" template="https://data.example/find?q={searchTerms}"/>
<Url type="application/rss+xml" indexOffset="0"
 template="https://data.example/find?q={searchTerms}&amp;from={startIndex?}&amp;n={count?}"/>
</OpenSearchDescription>"""
FEED = """<rss xmlns:o="http://a9.com/-/spec/opensearch/1.1/" version="2.0"><channel>
<o:totalResults>3</o:totalResults>
<item><title>One</title><link>https://data.example/1</link>
<description>the first</description></item>
<item><title>Two</title><link>https://data.example/2</link>
<description>the second</description></item>
</channel></rss>"""


def test_an_opensearch_description_is_enough() -> None:
    """A site that describes its search by a feed is queried by that feed."""
    head = '<link rel="search" type="application/opensearchdescription+xml" href="/osd.xml">'
    asked = "https://data.example/find?q=the&from=0"
    finder, _ = find(
        HOME,
        [
            (HOME, "text/html", f"<html><head>{head}</head></html>"),
            (f"{HOME}osd.xml", "application/xml", DESCRIPTION),
            (asked, "application/rss+xml", FEED),
        ],
    )
    assert finder.spec is not None
    answer = Response(url=asked, status=200, content_type="application/rss+xml", body=FEED.encode())
    page = Source(finder.spec).page(Query(("the",)), 1, Request(asked), answer)
    assert [(hit.url, hit.title, hit.snippet) for hit in page.hits] == [
        ("https://data.example/1", "One", "the first"),
        ("https://data.example/2", "Two", "the second"),
    ]
    assert page.total is not None
    assert page.total.documents == 3
    assert page.next is not None
    assert "from=2" in page.next.url
    assert finder.spec.shows_parts  # no document page could be read


def test_a_feed_of_first_results_is_left_for_the_sites_own_search() -> None:
    """A feed without further pages shows less than the search that is named beside it."""
    short = DESCRIPTION.replace("&amp;from={startIndex?}&amp;n={count?}", "&amp;format=rss")
    head = '<link rel="search" type="application/opensearchdescription+xml" href="/osd.xml">'
    page = (HOME, "text/html", f"<html><head>{head}</head></html>")
    finder, _ = find(HOME, [page, (f"{HOME}osd.xml", "application/xml", short)])
    assert finder.spec is None
    alone = Response(url=f"{HOME}osd.xml", status=200, body=short.encode())
    assert described(alone) is not None
    feed_only = short.replace('type="text/html"', 'type="application/x-suggestions+json"')
    named = Response(url=f"{HOME}osd.xml", status=200, body=feed_only.encode())
    assert described(named, has_pages=True) is not None


def test_results_of_a_feed_without_texts_are_read_on_their_pages() -> None:
    """If a feed has one line per document, its text is elsewhere."""
    text = "What the museum has to tell of its oldest coins, at some length. "
    pages = [
        (f"https://data.example/{n}", "text/html", f"<h1>{n}</h1><p>{text * 9}{n}</p><p>Map {n}")
        for n in (1, 2)
    ]
    found = (f"{HOME}find?q=the&from=0", "application/rss+xml", FEED)
    finder, _ = find(f"{HOME}osd.xml", [(f"{HOME}osd.xml", "text/xml", DESCRIPTION), found, *pages])
    assert finder.spec is not None
    assert finder.spec.document is not None
    assert not finder.spec.shows_parts


def test_an_opensearch_description_may_be_the_address() -> None:
    """Catalogues of maps have no start page, only the description."""
    asked = "https://data.example/find?q=the&from=0"
    where = f"{HOME}?request=GetCapabilities&mode=opensearch"
    described_ = (where, "application/xml", DESCRIPTION)
    finder, _ = find(where, [described_, (asked, "application/rss+xml", FEED)])
    assert finder.spec is not None
    assert finder.how == f"the OpenSearch description {where}"


def test_a_description_without_a_feed_is_none() -> None:
    """No description explains the format of an HTML answer."""
    text = DESCRIPTION.replace("application/rss+xml", "application/x-suggestions+json")
    assert described(Response(url="https://x.example/d", status=200, body=text.encode())) is None


BOOKS = """<feed xmlns="http://www.w3.org/2005/Atom">{}</feed>"""
BOOK = '<entry><title>{0}</title><link type="text/html" href="/content/{0}"/></entry>'
FOUND = """<rss version="2.0" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><channel>
<o:totalResults>1</o:totalResults><item><title>One</title><link>/content/maps/1</link>
<description>A map.</description></item></channel></rss>"""


def library(names: list[str], *, takes_all: bool) -> Starlette:
    """Return a kiwix-serve with some books, which may refuse to search several together."""

    async def home(request: Asked) -> Answered:
        return HTMLResponse('<form id="kiwixSearchForm"></form>')

    async def catalog(request: Asked) -> Answered:
        body = BOOKS.format("".join(map(BOOK.format, names)))
        return Answered(body, media_type="application/atom+xml")

    async def search(request: Asked) -> Answered:
        if not takes_all and "books.name" not in request.query_params:
            return Answered("<error>confusion of tongues</error>", 400)
        return Answered(FOUND, media_type="application/rss+xml")

    async def content(request: Asked) -> Answered:
        return HTMLResponse("<h1>One</h1><p>A map.</p>")

    return Starlette(
        routes=[
            Route("/", home),
            Route("/content/maps/1", content),
            Route("/catalog/v2/entries", catalog),
            Route("/search", search),
        ]
    )


@pytest.mark.parametrize(
    ("names", "takes_all", "names_book", "said"),
    [
        (["maps", "plants"], True, False, "# all 2 of book are searched: maps, plants"),
        (["maps", "plants"], False, True, "# of book only maps is searched, not: plants"),
        (["maps"], True, True, ""),
    ],
)
def test_all_books_are_searched_or_it_is_said_which_are_not(
    names: list[str], takes_all: bool, names_book: bool, said: str
) -> None:
    """All books of a kiwix-serve are searched together; otherwise the spec says which are not."""
    with finder_of(library(names, takes_all=takes_all)) as finder:
        assert finder.spec is not None
        assert ("books.name=maps" in finder.spec.ask.url) == names_book
        assert said in finder.toml
        assert ("searched:" in finder.toml) == bool(said and takes_all)


def test_a_preset_keeps_what_else_rows_hold() -> None:
    """CKAN's rows have more than title and notes: each key becomes a field."""
    case = read_case("ckan")
    preset, values = recognised_in(case)
    asked = Source(preset.spec(values)).search_request(Query(("the",)))
    pages = [(case.url, case.content_type, case.page), (asked.url, case.answer_type, case.answer)]
    finder, _ = find(case.url, pages)
    assert finder.spec is not None
    fields = finder.spec.fields
    assert read_spec(finder.toml).fields == fields
    print({name: (each.row, each.type, each.many) for name, each in fields.items()})
    assert fields["name"].row == "jmes:name"


@pytest.mark.parametrize(
    ("name", "body", "is_spec"),
    [
        ("/source.toml", SPEC_TEXT, True),
        ("/sources/mine", "# Ours\n\n" + SPEC_TEXT, True),
        ("/", "ARCHIVE\n\nUsage: /search?q=WORDS&start=N\n", False),
        ("/README.md", "# Specs\n\nWrite:\n\n" + SPEC_TEXT, False),
    ],
)
def test_a_plain_file_is_a_spec_by_its_name_or_its_first_table(
    name: str, body: str, is_spec: bool
) -> None:
    """Any other plain text is a page, and not an invalid spec."""
    finder = SpecFinder(f"https://x.example{name}")
    request = finder.next()
    assert isinstance(request, Request)
    came = Response(url=request.url, status=200, content_type="text/plain", body=body.encode())
    finder.tell(ResponseReceived(request, came, 1))
    finder.next()
    assert (finder.spec is not None) == is_spec
