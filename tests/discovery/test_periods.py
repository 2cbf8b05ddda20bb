"""Forms that are set to a period, with days as they are written in many countries."""

import html
import re
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import found_by
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, document

import longline
from longline.simulate import running_site

pytestmark = pytest.mark.slow

FIRST = date.today() - timedelta(days=9 * SIZE)
DAYS = {key: FIRST + timedelta(days=9 * n) for n, key in enumerate(DOCUMENTS)}
LAST = max(DAYS.values())


def written(day: date) -> str:
    """Return a day as the site writes it."""
    return f"{day.day:02}/{day.month:02}/{day.year}"


def read_as(format_: str, said: str) -> date | None:
    """Return the day that was sent; None if it is not in this format."""
    codes = {"dd": "%d", "tt": "%d", "mm": "%m", "yyyy": "%Y", "jjjj": "%Y"}
    wanted = re.sub(r"[a-z]+", lambda name: codes[name[0]], format_.lower())
    try:
        return datetime.strptime(said, wanted).date()
    except ValueError:
        return None


def journal(most_days: int, *, wants_words: bool = False) -> Starlette:
    """Return a journal whose form is set to its last months."""

    def listed(request: Request) -> Response:
        given = request.query_params
        start, end = written(LAST - timedelta(days=300)), written(LAST)
        form = f"""<form action=/find><input name=from value="{start}"><input name=to value="{end}">
        <input name=q type=search><button>Search</button></form>"""
        low, high = (read_as("dd/mm/yyyy", given.get(each, "")) for each in ("from", "to"))
        lacks_words = wants_words and not given.get("q")
        if lacks_words or low is None or high is None or (high - low).days > most_days:
            said = "<p>Please give two days." if given.get("q") else ""
            return HTMLResponse(f"<html lang=en>{form}{said}")
        every = found_by(request) if given.get("q") else DOCUMENTS.values()
        found = [each for each in every if low <= DAYS[each.key] <= high]
        rows = "".join(
            f'<li><a href="/doc/{each.key}">{html.escape(each.title)}</a></li>' for each in found
        )
        count = f"<p>{len(found)} notices.</p>"
        return HTMLResponse(f"<html lang=en>{form}{count}<ul>{rows}</ul>")

    routes = [Route("/", listed), Route("/find", listed), Route("/doc/{key}", document)]
    return Starlette(routes=routes)


def test_a_period_is_widened(tmp_path: Path) -> None:
    """Where a longer period is accepted, all documents come."""
    with running_site(journal(most_days=10**6)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) >= 0.98 * SIZE


def test_a_period_that_cannot_be_widened_is_divided_by_months(tmp_path: Path) -> None:
    """Without words, each month is listed."""
    with running_site(journal(most_days=301)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) == SIZE


def test_a_period_that_cannot_be_changed_is_named(tmp_path: Path) -> None:
    """A harvest of the last months was complete, and nothing told of the years before."""
    with (
        running_site(journal(most_days=301, wants_words=True)) as url,
        pytest.raises(longline.LonglineError, match="the form is set to a period"),
    ):
        longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)


def by_days(most_days: int, format_: str) -> Starlette:
    """Return a register that takes two days in text boxes, and no words."""

    def listed(request: Request) -> Response:
        boxes = f"""<form action=/find>From <input name=start placeholder="{format_}">
        <input name=end placeholder="{format_}"><button>Show</button></form>"""
        days = [read_as(format_, request.query_params.get(each, "")) for each in ("start", "end")]
        low, high = days
        if low is None or high is None or (high - low).days > most_days:
            return HTMLResponse(f"<html lang=en>{boxes}<p>Give two days.")
        found = [each for key, each in DOCUMENTS.items() if low <= DAYS[key] <= high]
        rows = "".join(
            f'<li><a href="/doc/{each.key}">{html.escape(each.title)}</a></li>' for each in found
        )
        return HTMLResponse(f"<html lang=en>{boxes}<p>{len(found)} notices.</p><ul>{rows}</ul>")

    routes = [Route("/", listed), Route("/find", listed), Route("/doc/{key}", document)]
    return Starlette(routes=routes)


@pytest.mark.parametrize(
    ("most_days", "format_"),
    [(10**6, "dd/mm/yyyy"), (10**6, "mm/dd/yyyy"), (365, "TT.MM.JJJJ"), (31, "yyyy-mm-dd")],
)
def test_days_in_text_boxes_divide_a_register(most_days: int, format_: str, tmp_path: Path) -> None:
    """Days are written as the form says, for all time, for years or for months."""
    with running_site(by_days(most_days, format_)) as url:
        harvest = longline.harvest(f"{url}/", tmp_path / "h", allow_private=True, rate=1000)
    assert len(harvest.documents) == SIZE
