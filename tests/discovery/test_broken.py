"""Randomly damaged saved pages never raise an unexpected exception."""

import random

import msgspec
import pytest
from tests.discovery.test_golden import CASES, Case

from longline.discovery.answer import ParsedAnswer, show
from longline.discovery.reading.hit_elements import find_records
from longline.discovery.reading.next_link import more_button, next_selector, onwards, size_names
from longline.discovery.reading.search_form import boxes, forms
from longline.discovery.reading.title_snippet import find_snippet, find_title
from longline.discovery.reading.total_number import find_total
from longline.errors import PageError
from longline.model import Request, Response

JUNK = (
    *(b"<", b">", b'"', b"'", b"\\", b"[", b"{", b"\x00", b"</div>", b"<form>", b"id='1 2'"),
    *(b"<div class='a b:c'>", b"<a href='http://[::1'>x</a>", b"<input name='q\"]'>", b"\xff"),
    *(b"<a href='?q=%zz&page=99999999999999999999999'>2</a>", b"<base href='ht!tp://'>"),
    *("日本".encode(), "<a href='?page=²'>2</a>".encode()),
)


def damaged(page: ParsedAnswer, rng: random.Random) -> ParsedAnswer:
    body = bytearray(page.response.body)
    for _ in range(rng.randint(1, 25)):
        at = rng.randrange(len(body) + 1)
        if rng.random() < 0.4:
            del body[at : at + rng.randint(1, 200)]
        else:
            body[at:at] = rng.choice(JUNK)
    response = msgspec.structs.replace(page.response, body=bytes(body))
    return show(page.words, page.request, response)


@pytest.mark.parametrize("seed", range(40))
def test_damaged_pages_are_read_or_refused(seed: int) -> None:
    """Forms, hits, fields, next links and totals of damaged pages are found or missing."""
    rng = random.Random(seed)
    case = Case(rng.choice(CASES))
    try:
        pages = [damaged(page, rng) for page in case.pages]
        empty = [damaged(page, rng) for page in case.empty]
    except PageError:
        return
    for page in pages:
        assert all(guess.field for guess in forms(page))
        assert all(box.selector for box in boxes(page))
        more_button(page)
        size_names(page, page.request.url)
        clicks = onwards(page)
        next_selector([(page, click.element) for click in clicks[:1]], empty)
    records = find_records(pages, empty)
    if records is not None:
        elements = [each for found in records.elements.values() for each in found]
        find_snippet(elements, find_title(elements, records.link))
        find_total(pages, records.elements)
        assert records.hit


def test_links_that_sort_a_table_are_no_hits() -> None:
    """They hold the words, and stand on each page that has hits, of which there may be one."""
    heads = ("Number", "Subject", "Status", "Queue", "Owner", "Priority", "Requestor", "Created")

    def table(word: str, title: str) -> ParsedAnswer:
        query = f"(%20Subject%20LIKE%20'{word}'%20)%20AND%20(%20Status%20%3D%20'open'%20)"
        sorts = [
            f'<th><a href="/list?OrderBy={head}&Page=1&Query={query}">{head}</a></th>'
            for head in heads
        ]
        above = f"<tr>{''.join(sorts[:4])}</tr><tr>{''.join(sorts[4:])}</tr>"
        row = f'<td><a href="/ticket?id={len(title)}">{title}</a></td><td>new</td>'
        inside = f"<table>{above}<tr>{row}</tr></table>" if title else "<p>None</p>"
        body = f"<html><body><div id=body>{inside}</div>".encode()
        url = f"http://x.example/s?q={word}"
        response = Response(url=url, status=200, content_type="text/html", body=body)
        return show(word, Request(url), response)

    pages = [
        table("henry", "Re: Who is Henry Spencer anyway?"),
        table("time", "Re: What time does the library open"),
        table("anyway", "How we could buy it, anyway"),
    ]
    found = find_records(pages, [table("qzxvab", ""), table("wvqzcd", "")])
    taken = [] if found is None else [each for hits in found.elements.values() for each in hits]
    assert not any(element.tag == "th" for element in taken)
