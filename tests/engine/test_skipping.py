"""Test what is done behind a result page that the server never shows."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

import longline
from longline.fetch import Manners
from longline.simulate import running_site

SIZE, ROWS, BROKEN = 60, 6, 4

BY_LINK = 'next = "css:a.next"'
SPEC = """
[source]
name = "Broken list"
url = "{url}/"
[ask]
url = "{url}/find?q={{query}}{more}"
{paging}
[results]
hit = "css:li"
link = "css:a"
title = "css:a"
text = "css:a"
total = "css:b"
{next}
"""


class Site:
    """A site whose search for anything lists all documents, but for some broken pages."""

    def __init__(self, broken: set[int]) -> None:
        self.broken = broken
        self.asked: list[int] = []

    def app(self) -> Starlette:
        """Return the site."""

        def find(request: Request) -> Response:
            given = request.query_params
            at = int(given.get("page") or 1 + int(given.get("from") or 0) // ROWS)
            self.asked.append(at)
            if at in self.broken:
                return HTMLResponse("<h1>Server error</h1>", status_code=500)
            shown = range((at - 1) * ROWS, min(SIZE, at * ROWS))
            rows = "".join(f'<li><a href="/{n}">Document {n} of the sea</a></li>' for n in shown)
            on = f'<a class=next href="?q={given["q"]}&page={at + 1}">Next</a>'
            more = on if at * ROWS < SIZE else ""
            return HTMLResponse(f"<b>{SIZE} results</b><ul>{rows}</ul>{more}")

        return Starlette(routes=[Route("/find", find)])


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the fetcher's first wait."""
    monkeypatch.setattr(Manners, "wait_seconds", 0.01)


def written(folder: Path, url: str, *, by_offset: bool) -> Path:
    """Write a spec whose next pages are linked, or counted by rows."""
    path = folder / "source.toml"
    more, paging = ("&from={offset}", f"page_size = {ROWS}") if by_offset else ("", "")
    link = "" if by_offset else BY_LINK
    path.write_text(SPEC.format(url=url, more=more, paging=paging, next=link), encoding="utf-8")
    return path


def harvest(spec: Path, folder: Path) -> longline.Harvest:
    """Send one search that finds everything."""
    options = {"allow_private": True, "rate": 1000, "strategy": "list", "words": ["sea"]}
    return longline.harvest(spec, folder, estimate=False, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("by_offset", [False, True])
def test_the_pages_behind_a_broken_one_are_read(tmp_path: Path, by_offset: bool) -> None:
    """Its rows are missing, which is told; a retry brings them once the server works."""
    site = Site({BROKEN})
    with running_site(site.app()) as url:
        ended = harvest(written(tmp_path, url, by_offset=by_offset), tmp_path / "h")
        assert len(ended.documents) == SIZE - ROWS
        assert ended.certificate.outcome == "partial"
        assert ended.certificate.cuts == {"failed": 1}
        site.broken.clear()
        again = longline.retry(tmp_path / "h", allow_private=True)
    assert len(again.documents) == SIZE
    assert again.certificate.cuts == {}


def test_the_pages_behind_two_broken_ones_are_not_guessed(tmp_path: Path) -> None:
    """Then the end of the list may be meant: one more page is asked for, and no other."""
    site = Site({BROKEN, BROKEN + 1})
    with running_site(site.app()) as url:
        ended = harvest(written(tmp_path, url, by_offset=False), tmp_path / "h")
    assert len(ended.documents) == 3 * ROWS
    assert max(site.asked) == BROKEN + 1
    assert ended.certificate.outcome == "partial"
