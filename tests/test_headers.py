"""Test sources whose headers give the total and the next page."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.harvests import Harvest

from longline.discovery.presets.preset import recognised
from longline.errors import SpecError
from longline.harvester import read_ledger
from longline.harvester.settings import Limits, Settings
from longline.model import Response as Came
from longline.simulate import running_site
from longline.source import Spec, read_spec

POSTS = 250
ALL = [
    {
        "id": number,
        "link": f"http://blog.example/{number}",
        "title": {"rendered": f"Post {number}"},
        "content": {"rendered": f"<p>A ship, number {number}"},
    }
    for number in range(POSTS)
]
SETTINGS = Settings(strategy="adaptive", words=("ship",))


async def posts(request: Request) -> Response:
    """Answer as WordPress does: totals in headers, status 400 after the last page."""
    size, number = int(request.query_params["per_page"]), int(request.query_params.get("page") or 1)
    found = [post for post in ALL if request.query_params["search"] in str(post)]
    pages = -(-len(found) // size)
    if size > 100 or number > max(1, pages):
        return JSONResponse({"code": "rest_post_invalid_page_number"}, 400)
    headers = {"X-WP-Total": str(len(found)), "X-WP-TotalPages": str(pages)}
    if number < pages:
        following = request.url.include_query_params(page=number + 1)
        headers["Link"] = f'<{request.url}>; rel="first", <{following}>; rel="next last"'
        headers["X-Next-Page"] = str(number + 1)
    return JSONResponse(found[(number - 1) * size : number * size], headers=headers)


async def home(request: Request) -> Response:
    return HTMLResponse('<link rel="https://api.w.org/" href="/wp-json/"><p>A blog')


@pytest.fixture
def blog() -> Iterator[str]:
    routes = [Route("/", home), Route("/wp-json/wp/v2/posts", posts)]
    with running_site(Starlette(routes=routes)) as url:
        yield url


def preset_of(url: str) -> Spec:
    page = Came(
        url=f"{url}/",
        status=200,
        content_type="text/html",
        body=b'<link rel="https://api.w.org/" href="/wp-json/">',
    )
    return next(preset.spec(values) for preset, values in recognised(page))


def spec_of(url: str, ask: str, next_: str) -> Spec:
    return read_spec(
        f"""
        [source]
        name = "blog"
        url = "{url}/"
        kind = "json"
        [ask]
        url = "{url}/wp-json/wp/v2/posts?search={{query}}&per_page=60{ask}"
        [results]
        hit = "@"
        key = "id"
        text = "content.rendered"
        total = "header:x-wp-total"
        {next_}
    """.replace('hit = "@"', 'hit = "[*]"')
    )


def limits(queries: int = 1, requests: int | None = None) -> Limits:
    return Limits(
        allow_private=True, robots=False, size=POSTS, max_queries=queries, max_requests=requests
    )


def test_wordpress_is_paged_by_its_exact_total(blog: str, tmp_path: Path) -> None:
    """The preset reads the total from its header, and requests no page after the last one."""
    certificate = Harvest(tmp_path, preset_of(blog), SETTINGS, limits()).run()
    assert (certificate.documents, certificate.result_pages, certificate.requests) == (250, 3, 3)
    assert certificate.cuts == {}
    assert read_ledger(tmp_path)[0].chart()[0].reported == POSTS


@pytest.mark.parametrize(
    ("ask", "next_"),
    [
        ("", ""),
        ("", 'next = "header:Link"'),
        ("&page={next}", 'next = "header:X-Next-Page"'),
    ],
)
def test_header_leads_from_page_to_page(blog: str, tmp_path: Path, ask: str, next_: str) -> None:
    """A Link header is followed, named in the spec or not; a header's value fills {next}."""
    certificate = Harvest(tmp_path, spec_of(blog, ask, next_), SETTINGS, limits()).run()
    assert (certificate.documents, certificate.result_pages) == (250, 5)
    assert certificate.cuts == {}


def test_harvest_goes_on_by_the_header_that_came_before(blog: str, tmp_path: Path) -> None:
    """If a run stopped after page 2, the next one continues with page 3 and repeats no request."""
    spec = spec_of(blog, "", 'next = "header:Link"')
    first = Harvest(tmp_path, spec, SETTINGS, limits(requests=2)).run()
    assert (first.documents, first.target_met) == (120, False)
    second = Harvest(tmp_path, spec, SETTINGS, limits()).run()
    assert (second.documents, second.requests) == (250, 5)
    connection = sqlite3.connect(tmp_path / "harvest.db")
    kept = connection.execute("SELECT payload FROM journal").fetchall()
    connection.close()
    assert not any("rel=" in row[0] for row in kept)


def test_header_that_cannot_be_is_an_error_with_its_line(blog: str) -> None:
    """An impossible header name is refused, and the error names its line."""
    with pytest.raises(SpecError, match=r"results\.next.*names no header"):
        spec_of(blog, "", 'next = "header:Link to the next"')


@pytest.mark.slow
def test_discover_gives_the_preset_where_no_page_has_a_form(blog: str, tmp_path: Path) -> None:
    """A page without a form that shows a preset's marks gives the preset."""
    path = tmp_path / "source.toml"
    command = [sys.executable, "-m", "longline", "discover", blog, "--allow-private"]
    done = subprocess.run(
        [*command, "--no-browser", "-o", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WordPress" in done.stderr
    assert read_spec(path.read_text()).results.total == "header:X-WP-Total"
