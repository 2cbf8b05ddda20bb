"""What a documentation says is left out by default is asked for."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.offered.kit import DOCUMENTS, WANTED, harvested, matching, titles
from tests.discovery.offered.test_interfaces import FOUND, NEEDLE, described, number, parameter, row

from longline.discovery.described.defaults import wider_value
from longline.discovery.described.operations import Parameter

YEARS = {document.key: 2000 + n % 20 for n, document in enumerate(DOCUMENTS)}


@pytest.mark.parametrize(
    ("name", "said", "wider"),
    [
        ("fromDate", "YYYYMMDD; default: the last 12 months", "18000101"),
        ("start_date", "Unix timestamp of the oldest entry. Defaults to a month ago.", "0"),
        ("min_year", "First year. Default: 2015", "1800"),
        ("von", "Ältestes Datum, z. B. 2019-01-31. Vorgabe: vor einem Jahr", "1800-01-01"),
        ("days", "How many days back. Default 30.", "36500"),
        ("include_archived", "boolean, false by default. Default: false", "true"),
        ("current_only", "Default: true", "false"),
        ("state", "Default: open. open, closed, all", "all"),
        ("status", "One of published, draft or any. By default only published ones.", "any"),
        # Nothing is left out, or nobody knows what.
        ("from", "The oldest day. Default: none.", ""),
        ("start", "Row to start at. Default: 0", ""),
        ("include_facets", "Whether to count. No default is told.", ""),
        ("state", "Default: all. open, closed, all", ""),
        ("order", "Default: asc. asc, desc", ""),
        ("limit", "Default: 20", ""),
        ("operator", "Default: and. and, or, any", ""),
        ("fuzzy", "Also find words with typing errors. Default: false", ""),
    ],
)  # fmt: skip
def test_defaults_that_leave_something_out(name: str, said: str, wider: str) -> None:
    assert wider_value(name, said) == wider


def test_rows_of_data_are_counted_and_days_are_not() -> None:
    """A text may count rows, unless it is said to be a date."""
    assert Parameter("start", said="Row of the data to start at").role == "offset"
    assert Parameter("start", said="First date of the data").role == ""


def news(request: Request) -> Response:
    """Find the stories of recent years only, if nothing else is asked for."""
    since = int(request.query_params.get("from", "2015-01-01")[:4])
    found = [d for d in matching(request.query_params["q"]) if YEARS[d.key] >= since]
    at, size = number(request, "page", 1), 10
    rows = [row(d) for d in found[(at - 1) * size : at * size]]
    return JSONResponse({"total": len(found), "stories": rows})


def test_a_documentation_page_tells_that_old_stories_are_left_out(tmp_path: Path) -> None:
    said = "The oldest day allowed, such as 2012-06-30. Default: five years back."
    page = (
        "<html lang=en><h1>Stories API</h1><table>"
        "<tr><td><code>q</code></td><td>Words to find. All are required by default.</td></tr>"
        f"<tr><td><code>from</code></td><td>{said}</td></tr></table>"
        "<pre>GET /v2/stories?q=return&amp;page=1</pre>"
    )
    routes = [Route("/", lambda _: HTMLResponse(page)), Route("/v2/stories", news)]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert titles(harvest) == WANTED


def cases(request: Request) -> Response:
    """Find open cases only, if the closed ones are not asked for."""
    is_all = request.query_params.get("include_closed") == "true"
    found = [d for d in matching(request.query_params["needle"]) if is_all or YEARS[d.key] % 2]
    start, size = number(request, "start", 0), min(number(request, "limit", 5), 20)
    rows = [row(d) for d in found[start : start + size]]
    return JSONResponse({"hits": rows, "total": len(found)})


def test_a_description_tells_that_closed_cases_are_left_out(tmp_path: Path) -> None:
    closed = parameter("include_closed", "boolean", default=False)
    description = described("/find", [*NEEDLE, closed], FOUND)
    routes = [Route("/find", cases), Route("/openapi.json", lambda _: JSONResponse(description))]
    harvest = harvested(Starlette(routes=routes), tmp_path)
    assert titles(harvest) == WANTED
