"""Sources without words, or that complete words, are harvested from their URL only."""

import html
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_blind_kinds import page

import longline
from longline.simulate import read_corpus, running_site

pytestmark = pytest.mark.slow

SIZE, LIMIT, ROWS = 240, 100, 10
RNG = np.random.default_rng(7)
DRAWN = [each for each in read_corpus("docstrings") if each.text and each.title]
PLACES = RNG.permutation(len(DRAWN))[:SIZE].tolist()
DOCUMENTS = [DRAWN[place] for place in PLACES]
TITLES = [f"{each.title} {n}" for n, each in enumerate(DOCUMENTS)]
NAMES = TITLES[:120]
KINDS = RNG.choice(["book", "letter", "map"], SIZE, p=[0.4, 0.3, 0.3]).tolist()
YEARS = RNG.integers(1950, 2000, SIZE).tolist()


def listed(request: Request, form: str, found: list[int], *, total: bool = True) -> Response:
    """Show a page of hits, up to the limit."""
    at = int(request.query_params.get("page", 1))
    shown = found[:LIMIT][ROWS * (at - 1) : ROWS * at]
    rows = "".join(f'<li><a href="/doc/{n}">{html.escape(TITLES[n])}</a></li>' for n in shown)
    kept = {name: value for name, value in request.query_params.items() if name != "page"}
    onward = html.escape("?" + urlencode({**kept, "page": at + 1}))
    more = f'<a href="{onward}">next</a>' if at * ROWS < min(len(found), LIMIT) else ""
    count = f"<p>{len(found)} entries</p>" if total else ""
    return page(f"{form}{count}<ul>{rows}</ul>{more}")


def options(values: list[str], *, has_any: bool = True) -> str:
    """Return a list's options."""
    any_ = "<option value=''>any</option>" if has_any else ""
    return any_ + "".join(f"<option>{value}</option>" for value in values)


def by_lists(request: Request) -> Response:
    """A kind and a decade, each in a list; the complete list has a limit."""
    decades = [str(1950 + 10 * n) for n in range(5)]
    form = f"""<form action="/list"><select name=kind>{options(["book", "letter", "map"])}</select>
    <select name=decade>{options(decades)}</select><button>Show</button></form>"""
    kind, decade = (request.query_params.get(name, "") for name in ("kind", "decade"))
    found = [
        n
        for n in range(SIZE)
        if kind in ("", KINDS[n]) and decade in ("", str(YEARS[n] // 10 * 10))
    ]
    return listed(request, form, found)


def by_years(request: Request) -> Response:
    """A first and a last year, in lists of years."""
    years = [str(year) for year in range(1950, 2000)]
    form = f"""<form action="/list"><select name=year_from>{options(years)}</select>
    <select name=year_to>{options(years)}</select><input type=submit></form>"""
    low = int(request.query_params.get("year_from") or 0)
    high = int(request.query_params.get("year_to") or 9999)
    return listed(request, form, [n for n in range(SIZE) if low <= YEARS[n] <= high])


def by_dates(request: Request) -> Response:
    """Two dates; there is no total, and the first rows are those of the complete list."""
    form = """<form action="/list"><input type=date name=from min=1950-01-01>
    <input type=date name=to max=1999-12-31><button>Show</button></form>"""
    low = request.query_params.get("from") or "0"
    high = request.query_params.get("to") or "9999"
    found = [n for n in range(SIZE) if low <= f"{YEARS[n]}-06-15" <= high]
    return listed(request, form, sorted(found, key=lambda n: YEARS[n]), total=False)


def by_a_kind_that_is_needed(request: Request) -> Response:
    """A list without "any": the first option is the default."""
    kinds = ["book", "letter", "map"]
    form = f"""<form action="/list"><select name=kind>{options(kinds, has_any=False)}</select>
    <button>Show</button></form>"""
    kind = request.query_params.get("kind") or "book"
    return listed(request, form, [n for n in range(SIZE) if KINDS[n] == kind])


def by_a_kind_to_choose(request: Request) -> Response:
    """Nothing is shown before a kind is chosen."""
    form = f"""<form action="/list"><select name=kind>{options(["book", "letter", "map"])}</select>
    <button>Show</button></form>"""
    kind = request.query_params.get("kind", "")
    found = [n for n in range(SIZE) if KINDS[n] == kind]
    return listed(request, form, found) if found else page(f"{form}<p>Choose a kind.</p>")


def by_a_kind_with_more_than_is_shown(request: Request) -> Response:
    """A kind must be chosen; only its newest 50 are shown, and a decade divides it."""
    decades = [str(1950 + 10 * n) for n in range(5)]
    form = f"""<form action="/list"><select name=kind>{options(["book", "letter", "map"])}</select>
    <select name=decade>{options(decades)}</select><button>Show</button></form>"""
    kind, decade = (request.query_params.get(name, "") for name in ("kind", "decade"))
    found = [n for n in range(SIZE) if kind == KINDS[n]]
    found = [n for n in found if decade in ("", str(YEARS[n] // 10 * 10))]
    found.sort(key=lambda n: -YEARS[n])
    if not kind:
        return page(f"{form}<p>Choose a kind.</p>")
    many = "More than 50 entries match. Only the first 50 are shown."
    rows = "".join(f'<li><a href="/doc/{n}">{html.escape(TITLES[n])}</a></li>' for n in found[:50])
    return page(
        f"{form}<p>{many if len(found) > 50 else f'{len(found)} entries.'}</p><ul>{rows}</ul>"
    )


def one_list(request: Request) -> Response:
    """Only a list, page by page."""
    at = int(request.query_params.get("page", 1))
    rows = "".join(
        f'<li><a href="/doc/{n}">{html.escape(TITLES[n])}</a></li>'
        for n in range(ROWS * (at - 1), min(ROWS * at, SIZE))
    )
    more = f'<a href="?page={at + 1}">Next</a>' if ROWS * at < SIZE else ""
    return page(f"<ul>{rows}</ul>{more}")


def document(request: Request) -> Response:
    """Show a document."""
    number = int(request.path_params["number"])
    text = html.escape(DOCUMENTS[number].text)
    return page(f"<article><h2>{html.escape(TITLES[number])}</h2><p>{text}</p></article>")


LISTS = (
    *(by_lists, by_years, by_dates, by_a_kind_that_is_needed, by_a_kind_to_choose),
    *(by_a_kind_with_more_than_is_shown, one_list),
)
UNCOUNTED = (by_dates, by_a_kind_with_more_than_is_shown, one_list)


@pytest.mark.parametrize("answer", LISTS, ids=lambda answer: answer.__name__)
def test_a_list_comes_whole_from_its_address(
    answer: Callable[[Request], Response], tmp_path: Path
) -> None:
    """All documents are held without any words, and learning stays within 40 requests."""
    routes = [Route("/list", answer), Route("/", answer), Route("/doc/{number}", document)]
    with running_site(Starlette(routes=routes)) as url:
        found = longline.discover(f"{url}/list", allow_private=True, browser=False)
        assert found.requests <= 40
        assert not found.spec.ask.takes_words
        (tmp_path / "source.toml").write_text(found.toml)
        harvest = longline.harvest(
            tmp_path / "source.toml", tmp_path / "harvest", allow_private=True
        )
    certificate = harvest.certificate
    assert certificate.documents == SIZE
    # A list without a total may leave documents out.
    assert certificate.outcome == ("partial" if answer in UNCOUNTED else "complete")
    assert certificate.requests < SIZE + 120
    assert not certificate.truncated_queries


def names_that(typed: str, how: str) -> list[str]:
    """Return the names that complete the text, at their beginning or at any word."""
    begun = [name for name in NAMES if name.lower().startswith(typed)]
    words = [name for name in NAMES if f" {typed}" in name.lower().replace(".", " ")]
    return begun if how == "start" else list(dict.fromkeys([*begun, *words]))


def completed(how: str, shape: str) -> Callable[[Request], Response]:
    """Return a box that completes what is typed."""

    def answer(request: Request) -> Response:
        typed = request.query_params.get("term", "").lower().strip()
        found = names_that(typed, how)[:10] if typed else []
        if shape == "strings":
            return JSONResponse(found)
        return JSONResponse([{"id": TITLES.index(n) + 1, "label": n, "value": n} for n in found])

    return answer


@pytest.mark.parametrize(
    ("how", "shape"),
    [("start", "strings"), ("start", "objects")],
)
def test_names_come_by_how_they_begin(how: str, shape: str, tmp_path: Path) -> None:
    """Nearly all names are held, by prefixes that are split if an answer is full."""
    routes = [Route("/suggest", completed(how, shape))]
    with running_site(Starlette(routes=routes)) as url:
        found = longline.discover(f"{url}/suggest?term=a", allow_private=True)
        assert found.requests <= 40
        assert found.spec.ask.matches == "prefix"
        (tmp_path / "source.toml").write_text(found.toml)
        harvest = longline.harvest(
            tmp_path / "source.toml", tmp_path / "harvest", allow_private=True
        )
    assert harvest.certificate.documents >= 0.95 * len(NAMES)
    assert harvest.certificate.requests < 15 * len(NAMES)
