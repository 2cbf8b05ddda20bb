"""Test what every fetcher guarantees, over HTTP, in a browser and in a folder."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from tests.webs import needs_browser, web_fetcher

from longline.errors import RefusedError
from longline.fetch import BrowserFetcher, FolderFetcher
from longline.model import Browsing, Request, Response
from longline.ports import Fetcher
from longline.simulate import running_site

HOME = b"<html><title>Harbour</title><a href='log/'>Log</a></html>"
LOG = "<html><title>Log \u00e9</title></html>".encode("latin-1")


@dataclass
class Reached:
    """A fetcher and the address of its site, without a final slash."""

    fetcher: Fetcher
    origin: str
    browser: Browsing | None = None

    def fetch(self, path: str) -> Response:
        """Fetch one page and close."""

        async def run() -> Response:
            try:
                return await self.fetcher.fetch(
                    Request(f"{self.origin}{path}", browser=self.browser)
                )
            finally:
                await self.fetcher.close()

        return asyncio.run(run())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a site of two pages, and a secret file next to it."""
    site = tmp_path / "site"
    (site / "log").mkdir(parents=True)
    (site / "index.html").write_bytes(HOME)
    (site / "log/index.html").write_bytes(LOG)
    (site / "large.html").write_bytes(b"x" * 5000)
    (tmp_path / "secret.html").write_bytes(b"secret")
    return site


@pytest.fixture(
    params=["web", "folder", pytest.param("browser", marks=[pytest.mark.slow, needs_browser])]
)
def reached(request: pytest.FixtureRequest, folder: Path) -> Iterator[Reached]:
    """Yield a fetcher on that site that accepts pages of at most 1,000 bytes."""
    with ExitStack() as stack:
        if request.param == "folder":
            yield Reached(FolderFetcher(folder, max_bytes=1000), "file://")
            return
        site = Starlette(routes=[Mount("/", StaticFiles(directory=folder, html=True))])
        url = stack.enter_context(running_site(site))
        web = web_fetcher(max_body_bytes=1000)
        if request.param == "web":
            yield Reached(web, url)
            return
        yield Reached(BrowserFetcher(web), url, Browsing())


def is_page(response: Response, body: bytes, reached: Reached) -> bool:
    """Return whether a page is unchanged; a browser rewrites the markup."""
    if reached.browser is None:
        return response.body == body
    title = body[body.index(b"<title>") : body.index(b"</title>")].decode("latin-1")[:11]
    return title.encode() in response.body


def test_page_comes_as_it_is(reached: Reached) -> None:
    """The body is the file's, byte for byte without a browser; type and address are right too."""
    response = reached.fetch("/index.html")
    assert is_page(response, HOME, reached)
    assert response.status == 200
    assert response.content_type.startswith("text/html")
    assert response.url == f"{reached.origin}/index.html"


def test_folder_stands_for_its_index(reached: Reached) -> None:
    """The address of a folder returns its index page."""
    assert is_page(reached.fetch("/log/"), LOG, reached)


@pytest.mark.parametrize("path", ["/nothing.html", "/%2e%2e/secret.html", "/..%2fsecret.html"])
def test_nothing_outside_is_had(reached: Reached, path: str) -> None:
    """Paths outside the site are refused with status 404, even if the file exists on disk."""
    with pytest.raises(RefusedError) as caught:
        reached.fetch(path)
    assert caught.value.status == 404


def test_too_large_is_refused(reached: Reached) -> None:
    """A page beyond the limit is refused, not truncated."""
    with pytest.raises(RefusedError, match="1,000"):
        reached.fetch("/large.html")


def test_symbolic_link_does_not_lead_outside(folder: Path, tmp_path: Path) -> None:
    """A link inside a folder to a file outside counts as absent."""
    (folder / "leak.html").symlink_to(tmp_path / "secret.html")
    with pytest.raises(RefusedError):
        Reached(FolderFetcher(folder), "file://").fetch("/leak.html")
