"""What learning counts as requests, and its reason after an unexpected answer."""

import numpy as np
import pytest

from longline.discovery import Discoverer
from longline.discovery.answer import show
from longline.discovery.answer_pages import PagingState
from longline.discovery.gate import check_known_items, note_filters
from longline.discovery.session import DiscoverySession, OutOfRequests
from longline.events import ResponseReceived
from longline.model import Request, Response
from longline.source.spec import Ask

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
    [("?q=net&court=2&from=2019", "court=2, from=2019"), ("?q=net&court=&utm=3", ""), ("", "")],
)
def test_filters_of_the_address_given_that_searches_leave_out_are_named(
    given: str, filters: str
) -> None:
    """Only parameters that the search also sends, with another value, are filters."""
    session = DiscoverySession(f"{HOME}{given}", np.random.default_rng(0))
    session.ask = Ask(url=f"{HOME}?q={{query}}&court=&from=&page={{page}}")
    note_filters(session)
    found = session.findings.get("ask.filters")
    assert (found.value if found else "") == filters
    assert found is None or "is left out of searches" in found.warning
