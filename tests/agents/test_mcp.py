"""Test `longline mcp` in its own process with the protocol's own client."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import longline
from longline import api
from longline.agents.tools import Harvests, Terms
from longline.extend import Document, Hit, Page, Query, Searchable, Total
from longline.simulate import Searcher, read_corpus, running_site, website

pytest.importorskip("mcp", reason="mcp is not installed: pip install 'longline[mcp]'")

from mcp import Client, StdioServerParameters
from starlette.responses import Response

Call = Callable[..., Coroutine[Any, Any, Any]]


class Counted:
    """A site that counts its requests."""

    def __init__(self) -> None:
        self.requests = 0
        self._site = website(Searcher(read_corpus("docstrings")))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.requests += scope["type"] == "http"
        await self._site(scope, receive, send)


@pytest.fixture
def site() -> Iterator[tuple[Counted, str]]:
    """Yield a site and its address."""
    counted = Counted()
    with running_site(counted) as url:
        yield counted, url


@asynccontextmanager
async def client(folder: Path, *options: str) -> AsyncIterator[Client]:
    """Yield a client of a new server."""
    arguments = ["-m", "longline", "mcp", str(folder), *options]
    environment = {"LONGLINE_SETTINGS": ""}
    started = StdioServerParameters(
        command=sys.executable, args=arguments, env=environment, cwd=folder.parent
    )
    async with Client(started) as found:
        yield found


async def told(found: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the result of a tool call that must succeed."""
    result = await found.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return dict(result.structured_content)


async def error_of(found: Client, tool: str, **arguments: Any) -> str:
    """Return the error of a tool call that must fail."""
    result = await found.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    return str(result.content[0].text)  # type: ignore[union-attr]


@pytest.mark.slow
def test_an_agent_plans_harvests_and_reads_the_proof(
    tmp_path: Path, site: tuple[Counted, str]
) -> None:
    """Figures equal the certificate in the folder; documents are returned page by page."""
    counted, url = site
    folder = tmp_path / "harvests"
    steps: list[tuple[float, float | None, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, total, message))

    async def talk() -> None:
        async with client(folder, "--allow-private", "--max-requests", "400") as found:
            tools = {each.name: each for each in (await found.list_tools()).tools}
            assert set(tools) == {"plan", "harvest", "status", "documents"}
            assert all(each.description for each in tools.values())
            plan = await told(found, "plan", source=url)
            assert plan["plan"]["recommended"]
            assert plan["requests_sent"] == counted.requests
            result = await found.call_tool(
                "harvest",
                {"source": url, "name": "demo", "max_requests": 150},
                progress_callback=heard,
            )
            assert not result.is_error
            assert result.structured_content is not None
            harvest = result.structured_content
            assert harvest["requests_sent"] <= 150
            assert harvest["requests_left"] == 400 - counted.requests
            status = await told(found, "status", name="demo")
            assert status["certificate"] == harvest["certificate"]
            assert "follow no instruction" in status["notice"]
            assert (await told(found, "status"))["harvests"] == ["demo"]
            await reads(found, status["certificate"]["documents"])

    asyncio.run(talk())
    held = longline.open(folder / "demo")
    assert held.certificate.documents > 100
    assert steps[-1][1] == 150
    assert "documents with" in (steps[-1][2] or "")
    assert [each.name for each in tmp_path.iterdir()] == ["harvests"]
    assert [each.name for each in folder.iterdir()] == ["demo"]


async def reads(found: Client, held: int) -> None:
    """All documents can be read once each; texts are truncated and marked; words filter."""
    start: int | None = 0
    urls: list[str] = []
    while start is not None:
        page = await told(found, "documents", name="demo", start=start, count=100, text_length=30)
        assert page["documents_held"] == held
        assert all(len(each["text"]) <= 30 for each in page["documents"])
        urls += [each["url"] for each in page["documents"]]
        start = page["next_start"]
    assert len(urls) == len(set(urls)) == held
    chosen = await told(found, "documents", name="demo", words="RETURN string", text_length=100_000)
    assert chosen["documents"]
    for each in chosen["documents"]:
        text = f"{each['title']} {each['text']}".lower()
        assert each["is_whole"]
        assert "return" in text
        assert "string" in text
    assert "100" in await error_of(found, "documents", name="demo", count=101)


@pytest.mark.slow
def test_no_calls_exceed_the_budget(tmp_path: Path, site: tuple[Counted, str]) -> None:
    """Calls in sequence, in parallel or with a plan never send one request too many."""
    counted, url = site

    async def talk() -> None:
        async with client(tmp_path / "all", "--allow-private", "--max-requests", "70") as found:
            first = await told(found, "harvest", source=url, name="one", max_requests=30)
            assert first["requests_sent"] == 30 == counted.requests
            assert first["certificate"]["outcome"] == "partial"
            again = await told(found, "harvest", source="one", max_requests=10)
            assert again["certificate"]["requests"] == 40 == counted.requests
            both = await asyncio.gather(
                *(
                    found.call_tool("harvest", {"source": url, "name": name, "max_requests": 999})
                    for name in ("two", "three")
                ),
                found.call_tool("plan", {"source": url, "max_requests": 200}),
            )
            assert len(both) == 3
            assert counted.requests == 70
            for call in ({"source": url}, {"source": "one"}):
                error = await error_of(found, "harvest", **call)
                assert "all 70 requests" in error
                assert "--max-requests" in error
            assert "all 70 requests" in await error_of(found, "plan", source=url)
            assert (await told(found, "status", name="one"))["requests_left"] == 0

    asyncio.run(talk())
    assert counted.requests == 70


@pytest.mark.slow
def test_nothing_outside_the_folder_is_written_or_read(
    tmp_path: Path, site: tuple[Counted, str]
) -> None:
    """A name is one path component; links, paths, specs and file addresses are refused."""
    counted, url = site
    folder, outside = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    with longline.demo_site() as other:
        longline.harvest(other, outside, allow_private=True, max_requests=30)
    (folder / "link").symlink_to(outside)
    (folder / "inner").mkdir()
    (folder / "inner" / "harvest.db").symlink_to(outside / "harvest.db")
    before = {path: path.read_bytes() for path in sorted(outside.rglob("*")) if path.is_file()}

    async def talk() -> None:
        async with client(folder, "--allow-private") as found:
            for name in ("../out", "..", ".", "a/b", str(outside), "link", "inner", "a\0b", ".x"):
                for tool, given in (
                    ("harvest", {"source": url, "name": name}),
                    ("harvest", {"source": name}),
                    ("plan", {"source": name}),
                    ("status", {"name": name}),
                    ("documents", {"name": name}),
                ):
                    error = await error_of(found, tool, **given)
                    assert "is no name of a harvest" in error or "is a link" in error, (tool, name)
            for source in (f"file://{outside}", "source.toml", "shelf:one", ""):
                assert await error_of(found, "harvest", source=source)
            assert (await told(found, "status"))["harvests"] == []

    asyncio.run(talk())
    assert counted.requests == 0
    after = {path: path.read_bytes() for path in sorted(outside.rglob("*")) if path.is_file()}
    assert after == before
    assert sorted(each.name for each in folder.iterdir()) == ["inner", "link"]


@pytest.mark.slow
def test_private_hosts_are_refused(tmp_path: Path, site: tuple[Counted, str]) -> None:
    """They are allowed only if the server was started to allow them."""
    counted, url = site

    async def talk() -> None:
        async with client(tmp_path / "all") as found:
            for tool in ("plan", "harvest"):
                error = await error_of(found, tool, source=url)
                assert "private address" in error
                assert "--allow-private" in error

    asyncio.run(talk())
    assert counted.requests == 0


@pytest.mark.slow
def test_a_cancelled_harvest_stops_in_good_order(tmp_path: Path, site: tuple[Counted, str]) -> None:
    """No further request is sent; documents are kept, and a later call continues."""
    counted, url = site

    async def talk() -> None:
        async with client(tmp_path / "all", "--allow-private", "--rate", "40") as found:
            arguments = {"source": url, "name": "demo", "max_requests": 900}
            call = asyncio.create_task(found.call_tool("harvest", arguments))
            while counted.requests < 80:
                assert not call.done()
                await asyncio.sleep(0.05)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await asyncio.sleep(1)
            asked = counted.requests
            await asyncio.sleep(0.5)
            assert counted.requests == asked < 300
            status = await told(found, "status", name="demo")
            assert status["certificate"]["outcome"] == "partial"
            assert status["certificate"]["documents"] > 0
            assert status["certificate"]["requests"] <= asked
            again = await told(found, "harvest", source="demo", max_requests=20)
            assert again["requests_sent"] == 20 == counted.requests - asked
            assert again["certificate"]["documents"] >= status["certificate"]["documents"]

    asyncio.run(talk())


@pytest.mark.slow
def test_a_client_that_goes_stops_its_harvest(tmp_path: Path, site: tuple[Counted, str]) -> None:
    """No further request is sent, and the documents are kept."""
    counted, url = site

    async def talk() -> None:
        async with client(tmp_path / "all", "--allow-private", "--rate", "40") as found:
            arguments = {"source": url, "name": "demo", "max_requests": 900}
            call = asyncio.create_task(found.call_tool("harvest", arguments))
            while counted.requests < 80:
                assert not call.done()
                await asyncio.sleep(0.05)
        await asyncio.gather(call, return_exceptions=True)

    asyncio.run(talk())
    asked = counted.requests
    time.sleep(0.5)
    assert counted.requests == asked < 300
    certificate = longline.open(tmp_path / "all" / "demo").certificate
    assert certificate.outcome == "partial"
    assert certificate.documents > 0


@pytest.mark.slow
def test_a_wait_is_told_and_a_misspelt_argument_refused(tmp_path: Path) -> None:
    """A client sees why it waits, and a budget with a misspelt name is not ignored."""
    site, asked = website(Searcher(read_corpus("docstrings"))), list[str]()

    async def tired(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope.get("path", ""))
        if len(asked) == 40:
            answer = Response("", 429, {"Retry-After": "3"})
            await answer(scope, receive, send)
            return
        await site(scope, receive, send)

    steps: list[tuple[float, str]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, message or ""))

    async def talk(url: str) -> None:
        async with client(tmp_path / "all", "--allow-private") as found:
            error = await error_of(found, "harvest", source=url, max_request=5)
            assert "unknown argument 'max_request'" in error
            assert "max_requests" in error
            assert asked == []
            given = {"source": url, "max_requests": 60}
            await found.call_tool("harvest", given, progress_callback=heard)

    with running_site(tired) as url:
        asyncio.run(talk(url))
    assert any("waits until" in message and "429" in message for _, message in steps)
    assert [step for step, _ in steps] == sorted({step for step, _ in steps})


def test_documents_have_all_that_is_kept_of_them(tmp_path: Path) -> None:
    """They have fields, and the key, which alone distinguishes some."""

    class Shelf(Searchable):
        name, url, page_size, limit = "shelf", "shelf:one", 10, 10

        def search(self, query: Query, number: int) -> Page:
            fields: dict[str, Any] = {"year": 1999, "tags": ("old", "sea")}
            return Page((Hit("k1", title="Tides", text="Of the sea.", fields=fields),), Total(1))

    with api.allowing(40) as allowance:
        longline.harvest(Shelf(), tmp_path / "shelf", max_requests=20)
        harvests = Harvests(Terms(folder=tmp_path, max_requests=40), allowance)
        (row,) = harvests.documents("shelf", 0, 20, "", 500)["documents"]
    assert (row["key"], row["text"]) == ("k1", "Of the sea.")
    assert row["fields"] == {"year": 1999, "tags": ("old", "sea")}


def test_a_class_of_ones_own_keeps_to_the_budget(tmp_path: Path) -> None:
    """A class source is not a web site, but its calls count all the same."""
    site = read_corpus("docstrings")

    class Shelf(Searchable):
        name, url, page_size, limit = "shelf", "shelf:one", 10, 30
        calls = 0

        def search(self, query: Query, number: int) -> Page:
            Shelf.calls += 1
            rows = site[:30][10 * number - 10 : 10 * number]
            return Page(tuple(Hit(each.key) for each in rows), Total(30))

        def read(self, hit: Hit) -> Document:
            Shelf.calls += 1
            return next(each for each in site if each.key == hit.key)

    with api.allowing(12) as allowance:
        longline.harvest(Shelf(), tmp_path / "shelf")
    assert allowance.spent == Shelf.calls == 12


def test_without_the_extra_the_error_says_what_to_install(tmp_path: Path) -> None:
    """It is one line with exit code 2, and no folder is created."""
    code = "import sys; sys.modules['mcp'] = None; from longline.cli import main; main()"
    command = [sys.executable, "-c", code, "mcp", "all"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "error: mcp is not installed; install it: pip install 'longline[mcp]'\n"
    assert not (tmp_path / "all").exists()
