"""Later result pages that have their own address, with a page number or an offset."""

import json

import pytest

from longline.errors import SpecError
from longline.model import Query, Request, Response, Total
from longline.source import Source, read_spec

SPEC = """
[source]
name = "gazette"
url = "https://gazette.example/"
[ask]
url = "https://gazette.example/s?q={{query}}"
page_size = 2
{later}
[results]
hit = "css:article"
link = "css:a"
total = "css:p"
total_pattern = '([0-9]+)'
"""
BY_OFFSET = 'next_url = "https://gazette.example/more?q={query}&from={offset}"'
FROM_NOUGHT = """next_url = "https://gazette.example/more?q={query}&page={page}"
first_page = -1
"""
BY_POST = """next_url = "https://gazette.example/more"
next_body = "words={query}&page={page}"
"""
WORDS = Query(("tides",))


def rows(*names: str) -> str:
    """Return hits as markup; their paragraph holds a number that is not a total."""
    return "".join(f"<article><a href=/{name}>{name}</a><p>7 miles</article>" for name in names)


def response(body: str, content_type: str = "text/html") -> Response:
    """Return a response with this body."""
    return Response(
        url="https://gazette.example/s", status=200, body=body.encode(), content_type=content_type
    )


@pytest.mark.parametrize(
    ("later", "second", "third"),
    [
        (BY_OFFSET, ("GET", "q=tides&from=2", b""), ("GET", "q=tides&from=4", b"")),
        (FROM_NOUGHT, ("GET", "q=tides&page=0", b""), ("GET", "q=tides&page=1", b"")),
        (BY_POST, ("POST", "", b"words=tides&page=2"), ("POST", "", b"words=tides&page=3")),
    ],
)
def test_later_pages_are_counted_at_their_own_address(
    later: str, second: tuple[str, str, bytes], third: tuple[str, str, bytes]
) -> None:
    """Later pages use their own address; only the first page has a total."""
    source = Source(read_spec(SPEC.format(later=later)))
    first = source.search_request(WORDS)
    assert (first.method, first.url) == ("GET", "https://gazette.example/s?q=tides")
    page = source.page(WORDS, 1, first, response(f"<p>5 found</p>{rows('a', 'b')}"))
    assert page.total == Total(5)
    asked: list[Request] = []
    for number, body in (2, rows("c", "d")), (3, json.dumps({"html": rows("e", "f")})):
        assert page.next is not None
        asked.append(page.next)
        page = source.page(WORDS, number, page.next, response(body))
        assert len(page.hits) == 2
        assert page.total is None
    sent = [(each.method, each.url.partition("?")[2], each.body) for each in asked]
    assert sent == [second, third]
    assert page.next is not None
    assert source.page(WORDS, 4, page.next, response("")).next is None


def test_an_address_that_counts_nothing_is_refused() -> None:
    """A `next_url` without a page or offset is refused."""
    later = 'next_url = "https://gazette.example/more?q={query}"'
    with pytest.raises(SpecError, match=r"put \{next\}, \{page\} or \{offset\} in"):
        read_spec(SPEC.format(later=later))
