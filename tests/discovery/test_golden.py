"""Saved pages with their expected reading: one folder of golden/ for each make of site.

A folder holds the page with the form, the answers to two nonsense words (`answer0`, `answer1`) and
to three words of the site, and `expected.json`: the form's field, and the true content of pages.
They were written by `save_golden.py` from servers that know the truth about themselves.
"""

import json
from pathlib import Path
from urllib.parse import quote_plus, urljoin

import pytest

from longline.discovery.answer import ParsedAnswer, node, show
from longline.discovery.reading.hit_elements import Records, find_records, hits_on
from longline.discovery.reading.search_form import forms
from longline.discovery.reading.title_snippet import find_snippet, find_title
from longline.discovery.reading.total_number import find_total
from longline.model import Request, Response
from longline.source.select import read_select

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(folder.name for folder in GOLDEN.iterdir())
BASE = "http://site.example"


class Case:
    """The content of one folder."""

    def __init__(self, name: str) -> None:
        self.folder = GOLDEN / name
        self.expected = json.loads((self.folder / "expected.json").read_text(encoding="utf-8"))
        self.truth = self.expected["pages"]

    def shown(self, file: str, words: str = "") -> ParsedAnswer:
        field, path = self.expected["field"], self.expected["path"]
        encoded = quote_plus(words, encoding=self.expected["charset"])
        url = f"{BASE}{path}?{field}={encoded}" if words else f"{BASE}/"
        body = (self.folder / file).read_bytes()
        kind = f"text/html; charset={self.expected['charset']}"
        response = Response(url=url, status=200, content_type=kind, body=body)
        return show(words, Request(url), response)

    @property
    def empty(self) -> list[ParsedAnswer]:
        nonsense = self.expected["nonsense"]
        return [self.shown(f"answer{at}.html", word) for at, word in enumerate(nonsense)]

    @property
    def pages(self) -> list[ParsedAnswer]:
        return [self.shown(f"answer{at}.html", p["word"]) for at, p in enumerate(self.truth, 2)]

    def records(self) -> tuple[Records, list[ParsedAnswer], dict[ParsedAnswer, list[object]]]:
        pages = self.pages
        records = find_records(pages, self.empty)
        assert records is not None
        return records, pages, hits_on(records, [*pages, *self.empty])


def test_there_are_enough_of_them() -> None:
    """At least 20 forms and 30 result pages are saved."""
    assert len(CASES) >= 20
    assert sum(len(Case(name).truth) for name in CASES) >= 30


@pytest.mark.parametrize("name", CASES)
def test_form(name: str) -> None:
    """The search form, and its field, rank before every other form of the page."""
    case = Case(name)
    page = case.shown("form.html")
    best = forms(page)[0]
    assert (best.field, best.method) == (case.expected["field"], case.expected["method"])
    assert best.score >= 3
    found = page.answer.root.css(best.selector.removeprefix("css:"))
    assert [each.root for each in found] == [best.element]


@pytest.mark.parametrize("name", CASES)
def test_hits(name: str) -> None:
    """The selector finds the right number of hits on each page, and none on empty pages."""
    case = Case(name)
    _, pages, hits = case.records()
    counts = [len(hits[page]) for page in pages]
    assert counts == [len(page["rows"]) for page in case.truth]
    assert not any(hits[page] for page in hits if page not in pages)


@pytest.mark.parametrize("name", CASES)
def test_links(name: str) -> None:
    """Each hit's link leads to its document."""
    case = Case(name)
    records, pages, hits = case.records()
    for page, truth in zip(pages, case.truth, strict=True):
        select = read_select(records.link) if records.link else None
        links = [select.first(node(hit)) for hit in hits[page]] if select else []
        got = [urljoin(BASE, link.root.get("href")) for link in links if link is not None]
        assert got == [urljoin(BASE, row["url"]) for row in truth["rows"] if row["url"]]


@pytest.mark.parametrize("name", CASES)
def test_titles_and_snippets(name: str) -> None:
    """Title and snippet of each hit are those of its document."""
    case = Case(name)
    records, pages, hits = case.records()
    elements = [element for page in pages for element in hits[page]]
    rows = [row for page in case.truth for row in page["rows"]]
    title = find_title(elements, records.link)
    assert title is not None
    assert [" ".join(text.split()) for text in title.texts] == [
        " ".join(row["title"].split()) for row in rows
    ]
    snippet = find_snippet(elements, title)
    if snippet is None:
        assert not any(row["snippet"] for row in rows)
        return
    pairs = zip(snippet.texts, rows, strict=True)
    assert all(not got or got == " ".join(row["snippet"].split()) for got, row in pairs)


@pytest.mark.parametrize("name", CASES)
def test_totals(name: str) -> None:
    """The total is read if the page has one, and no other number is taken for it."""
    case = Case(name)
    _, pages, hits = case.records()
    found = find_total(pages, hits)
    said = [page["total"] for page in case.truth]
    if len(set(said)) < 2:
        # If all pages show the same total, or none, it cannot be identified.
        assert found is None
        return
    assert found is not None
    assert [total.documents if total else None for total in found.values] == said
