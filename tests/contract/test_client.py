"""Test what every client guarantees: in memory, through a form, a JSON API and sessions."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.requests import Request as StarletteRequest
from starlette.responses import HTMLResponse
from starlette.routing import Route
from tests.webs import web_fetcher

from longline.engine.session_client import SessionClient
from longline.engine.site_client import SiteClient
from longline.errors import PageError, SilentError, SourceError
from longline.events import FormReceived, NonsenseAnswered
from longline.model import Document, Hit, Page, Query, Request, Total
from longline.ports import SourceClient
from longline.simulate import MemoryClient, Searcher, running_site
from longline.simulate.site.spec import api_spec, html_spec
from longline.source import Source, read_spec

DOCUMENTS = [
    Document(f"log/{n:02}", "", f"Log of day {n}", f"A ship {'left' if n % 2 else 'reached'} port.")
    for n in range(40)
]
SEARCHER = Searcher(DOCUMENTS, limit=25, page_size=10)

MANY = 40
"""Number of queries that find nothing."""

MakeClient = Callable[[], SourceClient]


@pytest.fixture(params=["memory", "form", "api", "session"])
def make_client(request: pytest.FixtureRequest) -> Iterator[MakeClient]:
    """Yield a function that makes a new client on the same source."""
    with ExitStack() as stack:
        if request.param == "memory":
            yield lambda: MemoryClient(SEARCHER)
            return
        url = stack.enter_context(running_site(SEARCHER))
        write = api_spec if request.param == "api" else html_spec
        spec = read_spec(write(SEARCHER, "ships", f"{url}/"))
        if request.param == "session":
            spec = msgspec.structs.replace(
                spec, ask=msgspec.structs.replace(spec.ask, paging="session")
            )
        source = Source(spec)

        def client() -> SourceClient:
            fetcher = web_fetcher()
            if request.param != "session":
                return SiteClient(source, fetcher)
            return SessionClient(source, fetcher, partial(SiteClient, source))

        yield client


async def all_pages(client: SourceClient, query: Query) -> tuple[list[list[str]], int]:
    """Return the keys of every page of a query, and the number of requests."""
    pages, spent = [], 0
    request: Request | None = None
    for number in range(1, 10):
        page, requests = await client.search(query, number, request)
        spent += requests
        pages.append([hit.key for hit in page.hits])
        request = page.next
        if request is None:
            break
    return pages, spent


def run_with(make_client: MakeClient, work: Callable[[SourceClient], object]) -> None:
    """Run a coroutine with a new client and close it."""

    async def run() -> None:
        client = make_client()
        try:
            await work(client)  # type: ignore[misc]
        finally:
            await client.close()

    asyncio.run(run())


def test_pages_follow_each_other_to_the_return_limit(make_client: MakeClient) -> None:
    """The pages equal the searcher's own, for one request each."""

    async def work(client: SourceClient) -> None:
        pages, spent = await all_pages(client, Query(("ship",)))
        assert [len(page) for page in pages] == [10, 10, 5]
        assert list(chain(*pages)) == SEARCHER.keys(Query(("ship",)))
        assert spent == 3

    run_with(make_client, work)


def test_excluded_terms_exclude(make_client: MakeClient) -> None:
    """A query with an excluded term returns documents with the one term and without the other."""

    async def work(client: SourceClient) -> None:
        pages, _ = await all_pages(client, Query(("ship",), excluded=("left",)))
        assert sorted(chain(*pages)) == [f"log/{n:02}" for n in range(0, 40, 2)]

    run_with(make_client, work)


def test_alternatives_bring_what_holds_one_of_them(make_client: MakeClient) -> None:
    """A document needs one of the alternatives, all required terms and no excluded one."""

    async def work(client: SourceClient) -> None:
        either, _ = await all_pages(client, Query(("day",), any_of=("left", "reached")))
        assert list(chain(*either)) == SEARCHER.keys(Query(("day",), any_of=("left", "reached")))
        assert len(list(chain(*either))) == 25
        one, _ = await all_pages(client, Query((), ("reached",), ("left", "reached")))
        assert sorted(chain(*one)) == [f"log/{n:02}" for n in range(1, 40, 2)]

    run_with(make_client, work)


def test_query_without_matches_has_an_empty_page(make_client: MakeClient) -> None:
    """A query that finds nothing returns a page without hits, not an error."""

    async def work(client: SourceClient) -> None:
        pages, _ = await all_pages(client, Query(("submarine",)))
        assert pages == [[]]

    run_with(make_client, work)


def test_reading_a_hit_brings_its_document(make_client: MakeClient) -> None:
    """A document has its hit's key, its title and its complete text, and costs one request."""

    async def work(client: SourceClient) -> None:
        page, _ = await client.search(Query(("reached",)), 1, None)
        document, requests = await client.read(page.hits[0])
        original = next(each for each in DOCUMENTS if each.key == page.hits[0].key)
        assert (document.key, document.title) == (original.key, original.title)
        assert original.text in document.text
        assert requests == 1

    run_with(make_client, work)


def test_missing_document_is_a_source_error(make_client: MakeClient) -> None:
    """A hit with a dead link is the source's failure."""

    async def work(client: SourceClient) -> None:
        page, _ = await client.search(Query(("ship",)), 1, None)
        url = page.hits[0].url.replace("log", "lag")
        with pytest.raises(SourceError):
            await client.read(Hit("lag/00", url))

    run_with(make_client, work)


def test_form_is_fetched_once_and_told() -> None:
    """The page with the form is requested once, and not at all if it is already known."""
    log: list[str] = []
    told: list[FormReceived | NonsenseAnswered] = []

    async def search(client: SiteClient) -> None:
        await client.search(Query(("ship",)), 1, None)
        await client.search(Query(("port",)), 1, None)
        await client.close()

    def client(**options: object) -> SiteClient:
        fetcher = web_fetcher()
        return SiteClient(Source(spec), fetcher, on_event=told.append, **options)  # type: ignore[arg-type]

    with running_site(SEARCHER, log=log) as url:
        spec = read_spec(html_spec(SEARCHER, "ships", f"{url}/"))
        asyncio.run(search(client()))
        assert log.count("/search") == 1
        assert isinstance(told[0], FormReceived)
        asyncio.run(search(client(form=told[0].response)))
        assert log.count("/search") == 1
    assert sum(isinstance(event, FormReceived) for event in told) == 1


def test_later_page_needs_the_one_before() -> None:
    """A page that no earlier page announced is refused, not guessed."""

    async def work(client: SourceClient) -> None:
        with pytest.raises(PageError, match="not announced"):
            await client.search(Query(("ship",)), 2, None)

    with running_site(SEARCHER) as url:
        spec = read_spec(html_spec(SEARCHER, "ships", f"{url}/"))
        fetcher = web_fetcher()
        run_with(lambda: SiteClient(Source(spec), fetcher), work)


async def ask_nonsense(client: SourceClient) -> None:
    """Query many words that no document has."""
    for turn in range(MANY):
        await client.search(Query((f"xz{turn}",)), 1, None)


def test_a_status_for_nothing_is_believed_while_the_site_is_there() -> None:
    """Status 404 is an empty page; after some in a row an earlier query is repeated."""
    gone = False

    async def find(request: StarletteRequest) -> HTMLResponse:
        is_there = request.query_params["q"] == "web" and not gone
        body = '<ul><li><a href="/1">The web</a></ul>' if is_there else "nothing"
        return HTMLResponse(body, 200 if is_there else 404)

    async def work(client: SourceClient) -> None:
        nonlocal gone
        page, _ = await client.search(Query(("web",)), 1, None)
        assert len(page.hits) == 1
        for turn in range(MANY):
            page, _ = await client.search(Query((f"xq{turn}",)), 1, None)
            assert page == Page(total=Total(0))
        gone = True
        with pytest.raises(SilentError, match="also for 'web'"):
            await ask_nonsense(client)

    with running_site(Starlette(routes=[Route("/find", find)])) as url:
        spec = (
            f'[source]\nname = "x"\nurl = "{url}/"\n[ask]\nurl = "{url}/find?q={{query}}"\n'
            '[results]\nhit = "li"\nlink = "a"\nempty = "status:404"\n'
        )
        fetcher = web_fetcher(retries=0)
        run_with(lambda: SiteClient(Source(read_spec(spec)), fetcher), work)


def test_a_page_that_stays_torn_loses_its_last_row_and_says_so() -> None:
    """It is requested three times; if it is truncated each time, it is marked."""
    asked: list[str] = []

    async def find(request: StarletteRequest) -> HTMLResponse:
        asked.append(word := request.query_params["q"])
        rows = '<li><a href="/1">The web</a><li><a href="/2">Of the deep</a>'
        end = "</ul></html>" if word == "web" else " se"
        return HTMLResponse(f"<html><ul>{rows}{end}")

    async def work(client: SourceClient) -> None:
        whole, _ = await client.search(Query(("web",)), 1, None)
        torn, requests = await client.search(Query(("deep",)), 1, None)
        assert (len(whole.hits), whole.torn) == (2, False)
        assert (len(torn.hits), torn.torn) == (1, True)
        assert requests == asked.count("deep") == 3

    with running_site(Starlette(routes=[Route("/find", find)])) as url:
        spec = (
            f'[source]\nname = "x"\nurl = "{url}/"\n[ask]\nurl = "{url}/find?q={{query}}"\n'
            '[results]\nhit = "li"\nlink = "a"\n'
        )
        fetcher = web_fetcher(retries=0)
        run_with(lambda: SiteClient(Source(read_spec(spec)), fetcher), work)
