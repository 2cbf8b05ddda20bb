"""What learning counts as requests, what stays of a trial, the reason after an odd answer."""

import json
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from longline.discovery import Discoverer
from longline.discovery.answer import show
from longline.discovery.answer_pages import PagingState
from longline.discovery.asking.json_address import try_data
from longline.discovery.dialect.wider import _finds
from longline.discovery.document.text_link import _behind
from longline.discovery.findings import Way
from longline.discovery.gate import check_known_items, note_filters
from longline.discovery.hopeless import BY_WORDS, advice_on
from longline.discovery.session import Asking, DiscoverySession, OutOfRequests
from longline.events import RequestFailed, ResponseReceived
from longline.model import Request, Response
from longline.simulate import read_corpus
from longline.source.spec import Ask, Results

HOME = "https://shop.example/"
FORM = "<title>Shop</title><p>nets ropes sails</p><form action=/s><input name=q></form>"


def html(url: str, body: str) -> Response:
    return Response(url=url, status=200, content_type="text/html", body=body.encode())


@pytest.mark.parametrize(("each", "sent"), [(1, 5), (2, 5), (4, 3)])
def test_redirects_may_cost_as_much_again_and_no_more(each: int, sent: int) -> None:
    """A limit of 5 requests allows 5 more for redirects: one per page fits, three do not."""
    discoverer = Discoverer(HOME, np.random.default_rng(0), max_requests=5)
    came = 0
    while isinstance(asked := discoverer.next(), Request):
        where = asked.url if each == 1 else f"{asked.url}#led"
        discoverer.tell(ResponseReceived(asked, html(where, FORM), each))
        came += 1
    assert came == sent
    assert discoverer.requests == each * sent
    assert "not enough to find any results" in discoverer.problem


@pytest.mark.parametrize(("body", "title"), [(FORM, "Shop"), ("<p>Down</p>", "")])
def test_a_page_in_place_of_data_is_named(body: str, title: str) -> None:
    """If an HTML page is returned in place of data, its title is given as the reason."""
    session = DiscoverySession(HOME, np.random.default_rng(0), kind="json")
    asking = session.get_plainly(Request(f"{HOME}api?q=net"), "net")
    next(asking)
    with pytest.raises(StopIteration) as done:
        asking.send(html(f"{HOME}api?q=net", body))
    assert done.value.value is None
    assert session.reason == f"a page titled {title!r} came where data was expected"


def test_without_a_request_left_nothing_is_said_of_known_documents() -> None:
    """If no request is left, known documents are not reported as missing."""
    session = DiscoverySession(HOME, np.random.default_rng(0), max_requests=0)
    session.ask = Ask(url=f"{HOME}?q={{query}}")
    first = show("net", Request(HOME), html(HOME, FORM))
    with pytest.raises(OutOfRequests):
        next(check_known_items(session, PagingState(session, first)))
    assert "known_items" not in session.findings


@pytest.mark.parametrize(
    ("given", "filters"),
    [
        ("?q=net&court=2&from=2019", "court=2, from=2019"),
        ("?q=net&court=&utm=3", ""),
        ("?q=net&year=2005&sort=date&page=2", "year=2005"),
        ("news?year=2005", ""),
        ("", ""),
    ],
)
def test_filters_of_the_address_given_that_searches_leave_out_are_named(
    given: str, filters: str
) -> None:
    """These are parameters that the search sends with another value, or not at all."""
    session = DiscoverySession(f"{HOME}{given}", np.random.default_rng(0))
    session.ask = Ask(url=f"{HOME}?q={{query}}&court=&from=&page={{page}}")
    note_filters(session)
    found = session.findings.get("ask.filters")
    assert (found.value if found else "") == filters
    assert found is None or "is left out of searches" in found.warning


def test_a_filter_of_the_address_given_that_every_search_sends_is_named() -> None:
    """Nothing else says that only a part of the source is harvested."""
    session = DiscoverySession(f"{HOME}?q=net&kind=paper&format=json", np.random.default_rng(0))
    session.ask = Ask(url=f"{HOME}?q={{query}}&kind=paper&format=json")
    note_filters(session)
    found = session.findings["ask.filters"]
    assert found.value == "kind=paper"
    assert "only what it matches is saved" in found.warning


DRAWN = [each for each in read_corpus("docstrings") if each.text and each.title][:300]


def rows(request: Request, position: str) -> list[dict[str, str]]:
    """Return ten documents with the words sent as `q`, from a position on."""
    sent = dict(parse_qsl(urlsplit(request.url).query))
    words, start = sent.get("q", "").lower().split(), int(sent.get(position, 0))
    found = [each for each in DRAWN if words and all(word in each.text for word in words)]
    texts = [each.text if "full" in sent else each.text[:20] for each in found]
    rows = [{"id": d.key, "name": d.title, "about": t} for d, t in zip(found, texts, strict=True)]
    return rows[start : start + 10]


def run(discoverer: Discoverer, answer: Callable[[Request], object], most: int = 99) -> int:
    """Answer in JSON until learning ends, or is stopped; return the number of requests."""
    for sent in range(most):
        asked = discoverer.next()
        if not isinstance(asked, Request):
            return sent
        body = json.dumps(answer(asked)).encode()
        came = Response(url=asked.url, status=200, content_type="application/json", body=body)
        failed = RequestFailed(asked, "gone", 1)
        discoverer.tell(ResponseReceived(asked, came, 1) if body != b"null" else failed)
    discoverer.next()
    discoverer.conclude("the time is over")
    return most


@pytest.mark.parametrize("position", ["offset", "a name that nobody guesses"])
def test_what_is_tried_when_learning_stops_is_not_kept(position: str) -> None:
    """Wherever learning stops, a request sends nothing that a complete discovery leaves out."""

    def learnt(most: int) -> tuple[Discoverer, int]:
        discoverer = Discoverer(f"{HOME}api?q=return", np.random.default_rng(0))
        return discoverer, run(discoverer, lambda asked: rows(asked, position), most)

    whole, sent = learnt(99)
    assert whole.spec is not None
    for most in range(sent):
        spec = learnt(most)[0].spec
        assert spec is None or spec.ask.url in (f"{HOME}api?q={{query}}", whole.spec.ask.url)


def test_what_another_example_sends_is_left_out_where_it_fails() -> None:
    """A source that goes away while it is tried is learnt as it was known before."""
    long_came: list[Request] = []

    def answer(asked: Request) -> object:
        if long_came:
            return None
        long_came.extend([asked] if "full" in asked.url else [])
        return rows(asked, "offset")

    way = Way(Ask(url=f"{HOME}api?q={{query}}"), beside=("full=1",))
    discoverer = Discoverer(HOME, np.random.default_rng(0), ways=[way])
    run(discoverer, answer)
    assert long_came
    assert discoverer.spec is not None
    assert discoverer.spec.ask.url == f"{HOME}api?q={{query}}"


def test_a_page_without_hits_shows_no_document_again() -> None:
    """A form's setting may find something where the form as it is set finds nothing."""
    session = DiscoverySession(HOME, np.random.default_rng(0))
    session.ask, session.results = Ask(url=f"{HOME}?q={{query}}"), Results(hit="css:li")
    nothing = show("net", Request(HOME), html(HOME, "<p>Nothing was found"))
    with pytest.raises(StopIteration) as done:
        next(_finds(session, nothing, set()))
    assert done.value.value is False


def test_a_page_that_does_not_come_is_requested_once() -> None:
    """Only a file is looked at again, for its text."""
    session = DiscoverySession(HOME, np.random.default_rng(0))
    behind = _behind(session, f"{HOME}full/7")
    assert next(behind).url == f"{HOME}full/7"
    with pytest.raises(StopIteration) as done:
        behind.send(None)
    assert done.value.value is None


def unanswered(plan: Asking[str]) -> str:
    """Answer none of a plan's requests; return its outcome."""
    try:
        while True:
            next(plan)
    except StopIteration as done:
        return str(done.value)


def test_advice_on_data_that_does_not_come_is_that_on_pages() -> None:
    """Other words may bring an answer."""
    session = DiscoverySession(HOME, np.random.default_rng(0))
    plan = try_data(session, Ask(url=f"{HOME}api?q={{query}}"), [])
    assert advice_on(unanswered(plan)).startswith(BY_WORDS)


def test_nothing_of_one_way_to_query_stays_for_the_next() -> None:
    """Lists that were shown for nothing stay known apart: they may be read without words."""
    session = DiscoverySession(HOME, np.random.default_rng(0))
    page = show("", Request(HOME), html(HOME, FORM))
    session.begin(Ask(url=f"{HOME}s?q={{query}}"), page=page)
    session.results, session.texts, session.empty_status = Results(hit="css:li"), {"7": "Sea"}, 404
    session.listings, session.probes, session.empty = [page], [page], [page]
    session.begin(Ask(url=f"{HOME}api?q={{query}}"), "json")
    found = (session.results, session.texts, session.empty_status, session.listings)
    assert (*found, session.probes, session.empty) == (None, {}, None, [], [], [])
    assert session.other_listings == [page]
