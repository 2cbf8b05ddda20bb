"""Specs that search in a browser: which browsing they request, and what they may not contain."""

import pytest

from longline.errors import SpecError
from longline.model import Browsing, Hit, Page, Query, Request, Response
from longline.source import Source, read_spec

VIEWED = """
[source]
name = "shop"
url = "https://shop.example/"
[ask]
url = "https://shop.example/#/search?q={query}&page={page}"
browser = true
page_size = 2
[results]
hit = "css:li"
link = "css:a"
[document]
text = "css:article"
browser = true
"""

TYPED = """
[source]
name = "shop"
url = "https://shop.example/"
[ask]
browser = true
[ask.form]
page = "https://shop.example/"
selector = "css:#box"
button = "css:#go"
[results]
hit = "css:li"
link = "css:a"
next = "css:a.next"
"""


def test_views_are_asked_for_in_a_browser() -> None:
    """Result pages, later pages and documents are opened in a browser, with their fragments."""
    source = Source(read_spec(VIEWED))
    query = Query(("deep sea",))
    request = source.search_request(query)
    assert request.url == "https://shop.example/#/search?q=%22deep%20sea%22&page=1"
    assert request.browser == Browsing()
    rows = b"<li><a href='#/doc/1'>A</a><li><a href='#/doc/2'>B</a>"
    page = source.page(query, 1, request, Response(url=request.url, status=200, body=rows))
    assert [hit.key for hit in page.hits] == [
        "https://shop.example/#/doc/1",
        "https://shop.example/#/doc/2",
    ]
    assert page.next is not None
    assert page.next.url.endswith("&page=2")
    assert page.next.browser == Browsing()
    wanted = source.document_request(page.hits[0])
    assert wanted is not None
    assert (wanted.url, wanted.browser) == (page.hits[0].url, Browsing())


def test_a_box_is_typed_into() -> None:
    """The form's page is opened and its box filled, without fetching the form first."""
    source = Source(read_spec(TYPED))
    assert source.form_request() is None
    request = source.search_request(Query(("deep",)))
    assert request.url == "https://shop.example/"
    assert request.browser == Browsing(box="css:#box", words="deep", button="css:#go")
    body = b"<li><a href=/1>A</a></li><a class=next href='#!p2'>next</a>"
    page = source.page(
        Query(("deep",)), 1, request, Response(url=request.url, status=200, body=body)
    )
    assert page.next is not None
    assert (page.next.url, page.next.browser) == ("https://shop.example/#!p2", Browsing())


def test_only_the_document_needs_a_browser() -> None:
    """Only the pages that the spec names use the browser."""
    spec = read_spec(VIEWED.replace("browser = true\npage_size", "page_size"))
    source = Source(spec)
    assert source.search_request(Query(("deep",))).browser is None
    wanted = source.document_request(Hit("1", "https://shop.example/1"))
    assert wanted is not None
    assert wanted.browser == Browsing()


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (("browser = true\n", ""), "ask.form.field"),
        (("[results]", "[ask.form.fields]\nsort = 'date'\n[results]"), "ask.form.fields"),
        (("[results]", "[facets.a]\nparameter = 'a'\nvalues = ['b']\n[results]"), "facets"),
    ],
)
def test_what_a_browser_cannot_do_is_refused(change: tuple[str, str], key: str) -> None:
    """Form fields and facets are refused in a browser; a form without one needs a field name."""
    with pytest.raises(SpecError, match=f"key {key}"):
        read_spec(TYPED.replace(*change))


def test_next_page_is_kept_with_its_browser() -> None:
    """A page read from the journal keeps the browsing of its next request."""
    import msgspec

    page = Page((), None, Request("https://x.example/#/s?page=2", browser=Browsing()))
    assert msgspec.json.decode(msgspec.json.encode(page), type=Page) == page


def test_journal_keeps_a_response_as_before() -> None:
    """Responses saved by versions without a browser are still read."""
    import msgspec

    kept = b'{"url":"https://x.example/","status":200,"content_type":"","body":"YQ==","requests":1}'
    response = msgspec.json.decode(kept, type=Response)
    assert response == Response(url="https://x.example/", status=200, body=b"a")
    assert msgspec.json.decode(msgspec.json.encode(response), type=Response) == response
