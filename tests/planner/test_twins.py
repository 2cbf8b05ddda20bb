"""Two sites with the same search; the pages of one show a date that is not searched."""

import html
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

import longline
from longline.ledger import Certificate
from longline.simulate import Searcher, read_corpus, running_site
from longline.simulate.search import read_query

SIZE, LIMIT, ROWS = 500, 100, 50
RNG = np.random.default_rng(11)
DRAWN = [each for each in read_corpus("docstrings") if each.text and each.title]
BY_KEY = {DRAWN[n].key: DRAWN[n] for n in RNG.permutation(len(DRAWN))[:SIZE].tolist()}


def box(reads_terms: int | None) -> Searcher:
    """Return the search of both sites, which may read only the first terms of a query."""
    return Searcher(
        BY_KEY.values(), limit=LIMIT, page_size=ROWS, boolean=True, reads_terms=reads_terms
    )


KEYS = list(BY_KEY)
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MONTHS = ["january", "february", "march", "april", "june", "july", "august", "october"]
OFFICES = ["return", "value", "object", "string", "file", "name", "call", "error", "list", "type"]
SPEC = """
[source]
name = "twin"
url = "{url}/"
[ask]
url = "{url}/s?q={{query}}&page={{page}}"
page_size = 50
limit = 100
[ask.dialect]
not = "NOT {{term}}"
max_terms = 20
[results]
hit = "css:li"
link = "css:a"
title = "css:a"
total = "css:p.count"
total_pattern = '(\\d+) found'
empty = "text:0 found"
[document]
text = "css:article"
"""


def site(searcher: Searcher, *, is_dated: bool) -> Starlette:
    """Return one of the two sites."""

    def search(request: Request) -> Response:
        page = searcher.search(
            read_query(request.query_params["q"]), int(request.query_params["page"])
        )
        rows = "".join(
            f'<li><a href="/doc/{KEYS.index(hit.key)}">{html.escape(hit.title)}</a></li>'
            for hit in page.hits
        )
        count = page.total.documents if page.total else 0
        return HTMLResponse(f"<html lang=en><p class=count>{count} found</p><ul>{rows}</ul>")

    def document(request: Request) -> Response:
        number = int(request.path_params["number"])
        said = html.escape(BY_KEY[KEYS[number]].text)
        words = [DAYS[number % 7], MONTHS[number % 8], OFFICES[number * 7 % 10]]
        dated = f"<p>Filed on {' '.join(words)}, see {OFFICES[number // 3 % 10]}</p>"
        return HTMLResponse(f"<html lang=en><article>{dated * is_dated}<p>{said}</p></article>")

    return Starlette(routes=[Route("/s", search), Route("/doc/{number}", document)])


def harvested(folder: Path, searcher: Searcher, *, is_dated: bool) -> Certificate:
    """Harvest one of the two sites with the same spec."""
    folder.mkdir()
    with running_site(site(searcher, is_dated=is_dated)) as url:
        (folder / "source.toml").write_text(SPEC.format(url=url))
        options = {"allow_private": True, "rate": 1000, "estimate": False}
        return longline.harvest(folder / "source.toml", folder / "h", **options).certificate  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("reads_terms", [None, 8])
def test_dates_that_are_not_searched_cost_nothing(reads_terms: int | None, tmp_path: Path) -> None:
    """AND, NOT and the length of queries are judged by exact totals: both are harvested alike.

    The dated site had an overlapping rate of 6.0 when texts were trusted.
    """
    searcher = box(reads_terms)
    plain = harvested(tmp_path / "plain", searcher, is_dated=False)
    dated = harvested(tmp_path / "dated", searcher, is_dated=True)
    assert plain.documents >= 0.99 * SIZE
    assert dated.documents >= 0.99 * SIZE
    assert "NOT does not work" not in dated.stopped
    assert "reads only" not in dated.stopped
    assert (dated.overlapping_rate or 9) <= 1.2 * (plain.overlapping_rate or 1)
