"""Forms that are set to a period, with days as they are written in many countries."""

import html
from datetime import date, timedelta
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE

import longline
from longline.simulate import running_site

pytestmark = pytest.mark.slow

FIRST = date(2019, 1, 1)
DAYS = {key: FIRST + timedelta(days=9 * n) for n, key in enumerate(DOCUMENTS)}
LAST = max(DAYS.values())


def written(day: date) -> str:
    """Return a day as the site writes it."""
    return f"{day.day:02}/{day.month:02}/{day.year}"


def read(said: str) -> date | None:
    """Return the day that was sent; None if it is none."""
    try:
        day, month, year = map(int, said.split("/"))
        return date(year, month, day)
    except ValueError:
        return None


def journal(most_days: int) -> Starlette:
    """Return a journal whose form is set to its last months."""

    def listed(request: Request) -> Response:
        given = request.query_params
        start, end = written(LAST - timedelta(days=300)), written(LAST)
        form = f"""<form action=/find><input name=from value="{start}"><input name=to value="{end}">
        <input name=q type=search><button>Search</button></form>"""
        low, high = read(given.get("from", "")), read(given.get("to", ""))
        if low is None or high is None or (high - low).days > most_days:
            said = "<p>Please give two days." if given.get("q") else ""
            return HTMLResponse(f"<html lang=en>{form}{said}")
        found = [each for each in found_by(request) if low <= DAYS[each.key] <= high]
        rows = "".join(
            f'<li><a href="/doc/{each.key}">{html.escape(each.title)}</a></li>' for each in found
        )
        count = f"<p>{len(found)} notices.</p>"
        return HTMLResponse(f"<html lang=en>{form}{count}<ul>{rows}</ul>")

    def notice(request: Request) -> Response:
        held = DOCUMENTS[request.path_params["key"]]
        body = f"<h1>{html.escape(held.title)}</h1><p>{html.escape(held.text)}</p>"
        return HTMLResponse(f"<html lang=en><main>{body}</main>")

    routes = [Route("/", listed), Route("/find", listed), Route("/doc/{key}", notice)]
    return Starlette(routes=routes)


def test_a_period_is_widened(tmp_path: Path) -> None:
    """Where a longer period is accepted, all documents come."""
    with running_site(journal(most_days=10**6)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) >= 0.98 * SIZE


def test_a_period_that_cannot_be_widened_is_named(tmp_path: Path) -> None:
    """A harvest of the last months was complete, and nothing told of the years before."""
    with (
        running_site(journal(most_days=301)) as url,
        pytest.raises(longline.LonglineError, match="the form is set to a period"),
    ):
        longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
