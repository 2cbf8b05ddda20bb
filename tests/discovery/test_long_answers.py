"""The time that totals take grows with the length of answers, not with its square."""

import json
import time

import numpy as np

from longline.discovery.answer import ParsedAnswer, show
from longline.discovery.answer_pages import PagingState
from longline.discovery.paging.json_total import learn_data_total
from longline.discovery.reading import data_hits_in, find_total
from longline.discovery.session import DiscoverySession
from longline.model import Request, Response
from longline.source.spec import Ask, Results

API = "https://shop.example/api"


def rows(words: str, found: int) -> ParsedAnswer:
    """Return an answer with two rows, its total, and a thousand names with their numbers."""
    by = {f"name{n}": n * found // 1000 for n in range(1000)}
    hits = [{"id": f"{words}{n}", "title": f"{words} {n}"} for n in range(2)]
    body = json.dumps({"hits": hits, "found": found, "by": by}).encode()
    response = Response(url=API, status=200, content_type="application/json", body=body)
    return show(words, Request(f"{API}?q={words}"), response)


def test_the_total_stands_among_a_thousand_numbers() -> None:
    """Facets may be an object with the number of each name."""
    session = DiscoverySession(API, np.random.default_rng(0), kind="json")
    session.ask = Ask(url=f"{API}?q={{query}}")
    session.results = Results(hit="jmes:hits[*]", key="jmes:id")
    session.probes = [rows("sea", 90), rows("net", 310), rows("sail", 12)]
    session.data_hits = data_hits_in(session.probes[0], "hits[*]")
    began = time.perf_counter()
    learn_data_total(PagingState(session, session.probes[0]))
    assert session.results.total == "jmes:found"
    assert time.perf_counter() - began < 3


def found(words: str, number: int) -> ParsedAnswer:
    """Return a page with four thousand hits and their total."""
    hits = "".join(f"<li>{words} {at:c}</li>" for at in [*range(0x4E00, 0x4E00 + 4000)])
    body = f"<html><p class=count>{number} found</p><ul>{hits}</ul></html>".encode()
    return show(words, Request(API), Response(url=API, status=200, body=body))


def test_the_total_stands_above_thousands_of_hits() -> None:
    """Nothing stands between them."""
    pages = [found("sea", 5100), found("net", 4200), found("sail", 9050)]
    began = time.perf_counter()
    total = find_total(pages, {page: page.root.findall(".//li") for page in pages})
    assert total is not None
    assert [each and each.documents for each in total.values] == [5100, 4200, 9050]
    assert time.perf_counter() - began < 4
