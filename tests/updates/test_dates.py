"""Test that an update rereads what a site's sitemap or feed reports as changed."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from tests.updates.sources import Changing, documents

import longline
from longline.simulate import Searcher, running_site, website

BEFORE = documents(200)
CHANGED = {each.key for each in BEFORE[:12]}
AFTER = [
    msgspec.structs.replace(each, text=f"{each.text} Amended.") if each.key in CHANGED else each
    for each in BEFORE
]
OPTIONS: dict[str, Any] = {"allow_private": True, "rate": 1000}


def dated(request: Request, day: str, key: str) -> tuple[str, str]:
    """Return the address of a document and its date of change."""
    return f"{request.base_url}documents/{key}", day


def sitemap(changed: str, others: str) -> Route:
    """Return a sitemap with these dates."""

    def answer(request: Request) -> Response:
        rows = (dated(request, changed if d.key in CHANGED else others, d.key) for d in AFTER)
        urls = (f"<url><loc>{u}</loc><lastmod>{day}</lastmod></url>" for u, day in rows)
        return Response(f"<urlset>{''.join(urls)}</urlset>", media_type="application/xml")

    return Route("/sitemap.xml", answer)


def feed(changed: str, others: str) -> Route:
    """Return an Atom feed of the changed documents, and of a few others."""

    def answer(request: Request) -> Response:
        rows = [dated(request, f"{changed}T10:00:00Z", key) for key in CHANGED]
        rows += [dated(request, f"{others}T10:00:00Z", each.key) for each in AFTER[-20:]]
        entries = (f'<entry><link href="{u}"/><updated>{d}</updated></entry>' for u, d in rows)
        text = f'<feed xmlns="http://www.w3.org/2005/Atom">{"".join(entries)}</feed>'
        return Response(text, media_type="application/atom+xml")

    return Route("/feed.xml", answer)


HEAD = '<link rel="alternate" type="application/atom+xml" href="/feed.xml">'


def site_of(held: list[longline.Document], *routes: Route) -> Any:
    """Return a site whose rows show only titles, so that changed texts are invisible there."""
    box = Searcher(held, limit=50, page_size=10, snippets=False)
    return website(box, routes=routes, head=HEAD)


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Changing, str, Path]:
    """Yield a completely harvested site, its address, and the folder."""
    changing = Changing(site_of(BEFORE))
    folder = tmp_path_factory.mktemp("dates") / "site"
    with running_site(changing) as url:
        longline.harvest(url, folder, **OPTIONS)
        yield changing, url, folder  # type: ignore[misc]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("route", "finds"),
    [
        (sitemap("2199-01-01", "2020-01-01"), True),
        (feed("2199-01-01", "2020-01-01"), True),
        (sitemap("2199-01-01", "2199-01-01"), False),
        (sitemap("2020-01-01", "2020-01-01"), False),
        (sitemap("soon", "never"), False),
    ],
    ids=["sitemap", "feed", "all now", "none", "no dates"],
)
def test_what_is_said_to_have_changed_is_read_again(
    harvested: tuple[Changing, str, Path], tmp_path: Path, route: Route, finds: bool
) -> None:
    """Dates reveal all changes; dates that mark everything as changed are ignored."""
    changing, _, folder = harvested
    shutil.copytree(folder, tmp_path / "site")
    changing.inside = site_of(AFTER, route)
    changing.paths.clear()
    updated = longline.update(tmp_path / "site", reread=0, **OPTIONS)
    counts = updated.certificate.update
    assert counts is not None
    assert counts.gone == counts.new == 0
    assert counts.changed == (len(CHANGED) if finds else 0)
    read = sum(path.startswith("/documents/") for path in changing.paths)
    assert read <= len(CHANGED) + 2
