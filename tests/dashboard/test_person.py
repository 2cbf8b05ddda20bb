"""Test the dashboard as a person uses it, in a browser."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.dashboard.conftest import Serve, Served
from tests.dashboard.written import write_long, write_many
from tests.postgres import server

import longline
from longline.dashboard.harvests import key_of
from longline.errors import FolderError
from longline.events import DocumentReceived
from longline.fetch import has_browser
from longline.harvester import standing_of
from longline.model import Document
from longline.queue import Fleet
from longline.simulate import Searcher, read_corpus, running_site

CHROMIUM = "/usr/bin/chromium"
SLOWLY = 30_000
"""Milliseconds that a page may take on a busy machine."""

HOSTILE = "<img src=x onerror=window.owned=1> {{ 7*7 }} </script><script>window.owned=1</script>"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture
def page(serve: Serve) -> Iterator[Any]:
    """Yield a browser page that fails the test if a script fails or is refused.

    It uses `serve` so that the browser closes before the dashboards: a page reports a failed
    connection when its dashboard stops.
    """
    if not has_browser() or not Path(CHROMIUM).exists():
        pytest.skip("no Chromium here, or the extra `browser` is not installed")
    from playwright.sync_api import sync_playwright

    wrong: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(SLOWLY)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda said: (
                wrong.append(said.text) if said.type == "error" and "404" not in said.text else None
            ),
        )
        yield page
        browser.close()
    assert not wrong


def until(is_so: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(FolderError):  # it has not started
            if is_so():
                return
        time.sleep(0.2)
    raise AssertionError(f"not after {seconds} s")


def started(page: Any, served: Served, source: str, most: int) -> Path:
    """Plan and start a harvest with the form; return its folder."""
    page.goto(f"{served.url}new")
    assert page.get_by_role("button", name="Start").is_disabled()
    page.get_by_label("Address of the source").fill(source)
    page.get_by_label("Folder").fill("site")
    page.get_by_text("localhost and local networks").click()
    page.get_by_label("Requests at most").fill(str(most))
    page.get_by_label("Requests a second").fill("25")
    page.get_by_role("button", name="Plan").click()
    page.get_by_text("What it would cost").wait_for(timeout=90_000)
    page.get_by_role("cell", name=re.compile("adaptive|partition")).first.wait_for()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/harvest/*")
    return served.folder / "site"


def kept_answer(page: Any) -> str:
    """Open the stored answers of cut searches until one is found; not all are kept."""
    for place in range(5):
        page.get_by_role("button", name="stored answer of").nth(place).click()
        page.locator(".q-dialog h2").wait_for()
        found = page.locator(".q-dialog pre").all_inner_texts()
        page.get_by_role("button", name="Close").click()
        page.locator(".q-dialog").wait_for(state="detached")
        if found:
            return str(found[0])
    raise AssertionError("none of five is kept")


def test_a_harvest_is_started_watched_steered_and_read(page: Any, serve: Serve) -> None:
    """Plan, start, watch, change the budget, pause, resume, see the cuts, open the report."""
    served = serve()
    box = Searcher(read_corpus("docstrings")[::3], limit=40, page_size=20, boolean=False)
    with running_site(box) as url:
        folder = started(page, served, f"{url}/", 5_000)
        page.get_by_text(re.compile(r"^asks '")).wait_for(timeout=60_000)
        page.locator("svg.chart").first.wait_for()
        until(lambda: standing_of(folder).truncated_queries > 0)

        page.get_by_role("button", name="Pause").click()
        page.locator(".ll-badge", has_text="paused").wait_for()
        paused = standing_of(folder)
        time.sleep(2)
        assert standing_of(folder).requests == paused.requests
        most = paused.requests + 40
        field = page.get_by_label("requests", exact=True)
        assert field.input_value() == "5000"
        field.fill(str(most))
        page.get_by_role("button", name="Change").click()
        until(lambda: standing_of(folder).limits["max_requests"] == most)
        assert standing_of(folder).state == "paused"
        page.get_by_role("button", name="Resume").click()
        page.locator(".ll-badge", has_text="partial (budget)").wait_for(timeout=60_000)

        certificate = longline.open(folder).certificate
        assert certificate.requests == most
        assert str(certificate.documents) in page.locator(".ll-facts").inner_text().replace(",", "")
        page.get_by_role("tab", name="Cut").click()
        page.get_by_role("cell", name="capped").first.wait_for()
        assert "<html" in kept_answer(page).lower()
        page.get_by_role("tab", name="Log").click()
        page.get_by_text(re.compile(r"stopped, partial \(budget\): all")).wait_for()

        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Report").click()
        report = opened.value
        report.wait_for_load_state()
        assert report.locator("svg").count() > 2


def test_a_harvest_that_is_killed_is_interrupted(page: Any, serve: Serve) -> None:
    """The window shows it within seconds, and can run it again from there."""
    served = serve()
    with running_site(Searcher(read_corpus("docstrings")[::3], limit=40, page_size=20)) as url:
        folder = started(page, served, f"{url}/", 5_000)
        until(lambda: standing_of(folder).documents > 20)
        os.kill(standing_of(folder).pid, signal.SIGKILL)
        page.locator(".ll-badge", has_text="interrupted, run again").wait_for()
        before = standing_of(folder)
        page.get_by_role("button", name="Run again").click()
        until(lambda: standing_of(folder).documents > before.documents)
        assert standing_of(folder).pid != before.pid

        page.goto(served.url)
        page.get_by_role("checkbox").nth(1).click()
        page.get_by_role("button", name="Stop").click()
        page.locator(".ll-badge", has_text="partial (interrupted)").wait_for(timeout=60_000)


def test_of_a_harvest_that_cannot_be_read_nothing_is_called_empty(page: Any, serve: Serve) -> None:
    """The error is shown instead of empty lists; the other harvest's documents can be saved."""
    served = serve()
    for name in ("whole", "broken"):
        write_long(served.folder / name, 40).close()
    (served.folder / "broken" / "harvest.db").write_bytes(b"no database" * 999)
    page.goto(f"{served.url}harvest/{key_of(served.folder / 'broken')}")
    page.get_by_role("status").filter(has_text="was not made by longline").wait_for()
    page.get_by_role("tab").first.wait_for(state="hidden")
    assert not page.get_by_text("nothing here").is_visible()

    page.goto(f"{served.url}harvest/{key_of(served.folder / 'whole')}")
    page.get_by_role("tab", name="Cut").click()
    page.get_by_text("nothing here", exact=True).wait_for()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Documents as CSV").click()
    assert saved.value.suggested_filename == "whole.csv"
    assert len(Path(saved.value.path()).read_text().splitlines()) > 200

    page.goto(served.url)
    page.get_by_label("Filter").fill("no such harvest")
    page.get_by_text("no harvest fits the filter and the state", exact=True).wait_for()


def test_sources_that_could_not_be_learnt_are_named(page: Any, serve: Serve) -> None:
    """Of a list of sources, those without a harvest are named with the reason."""
    dashboard = serve()
    with longline.demo_site() as url:
        longline.harvest_many(
            [{"url": url, "folder": "here"}, {"url": "http://127.0.0.1:9/", "folder": "dead"}],
            dashboard.folder,
            allow_private=True,
            retries=0,
            max_requests=20,
        )
    page.goto(dashboard.url)
    page.get_by_role("link", name="here", exact=True).wait_for()
    page.get_by_text("1 source of the list has no harvest: dead (no answer").wait_for()


def test_what_a_source_says_is_text(page: Any, serve: Serve) -> None:
    """Tags and templates in names, errors, searches and answers are shown as text."""
    served = serve()
    write_many(served.folder, 1)
    standing = served.folder / "harvest-0000" / "standing.json"
    text = standing.read_text().replace("status 403", HOSTILE.replace('"', '\\"'))
    standing.write_text(text.replace("https://source-0.example/", HOSTILE))
    page.goto(served.url)
    page.get_by_text("window.owned=1").first.wait_for()
    assert page.get_by_text("{{ 7*7 }}").count() > 0
    page.locator("a[href^='/harvest/']").click()
    page.get_by_text("window.owned=1").first.wait_for()
    assert page.evaluate("window.owned") is None


@pytest.mark.parametrize("width", [1280, 390])
def test_documents_are_searched_and_read(width: int, page: Any, serve: Serve) -> None:
    """A document is found by its words and read; what it holds is text, and no script runs."""
    served = serve()
    store = write_long(served.folder / "long", 40)
    url = "https://source.example/odd"
    odd = Document("odd", url, title="An odd one", text=HOSTILE, fields={"year": 1921})
    store.record(DocumentReceived(odd))
    store.close()
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{served.url}harvest/{key_of(served.folder / 'long')}")
    if width < 600:  # a row without a table's head names only what it has
        assert "coverage" not in page.locator(".ll-item").first.inner_text()
    page.get_by_role("tab", name="Documents").click()
    page.get_by_text("of 206").wait_for()
    page.get_by_label("Search in titles").fill("window.OWNED")
    page.get_by_text("of 1", exact=False).first.wait_for()
    page.get_by_role("button", name="read An odd one").click()
    shown = page.locator(".q-dialog")
    assert shown.locator("pre").inner_text() == HOSTILE
    assert shown.get_by_role("link").get_attribute("href") == url
    assert "year: 1921" in shown.inner_text()
    page.get_by_role("button", name="Close").click()
    shown.wait_for(state="detached")
    assert page.evaluate("window.owned") is None


def test_those_who_do_not_see_or_point_can_use_it(page: Any, serve: Serve) -> None:
    """axe-core finds no problem on any page, and no page is wider than a phone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    served = serve()
    write_many(served.folder, 3)
    write_long(served.folder / "long", 40).close()
    shown = page.context.browser.new_context(bypass_csp=True).new_page()
    for place in ("", "new", f"harvest/{key_of(served.folder / 'long')}"):
        for width in (1280, 390):
            shown.set_viewport_size({"width": width, "height": 844})
            shown.goto(f"{served.url}{place}")
            shown.locator("h1").wait_for()
            time.sleep(2)
            found = axe.run(shown).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
            assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_tables_are_sorted_by_the_keyboard(page: Any, serve: Serve) -> None:
    """A heading can be reached and pressed, and says the order; the number of rows is right."""
    served = serve()
    write_long(served.folder / "long", 40).close()
    for place, heading in (("", "saved"), (f"harvest/{key_of(served.folder / 'long')}", "new")):
        page.goto(f"{served.url}{place}")
        page.locator("tbody tr").first.wait_for()
        for order in ("ascending", "descending"):
            page.get_by_role("columnheader", name=heading, exact=True).press("Enter")
            page.locator(f"th[aria-sort={order}]", has_text=heading).wait_for()
    for _ in range(4):
        page.reload()
        page.get_by_text("of 40").wait_for()


def test_of_a_thousand_harvests_a_browser_gets_what_is_seen(page: Any, serve: Serve) -> None:
    """The same holds for ten thousand searches of one harvest."""
    served = serve()
    write_many(served.folder, 1_000)
    write_long(served.folder / "long", 10_000).close()
    page.goto(served.url)
    page.get_by_label("Filter").fill("harvest-0999")
    page.locator("tbody tr").nth(1).wait_for(state="detached")
    page.get_by_label("Filter").fill("")
    page.locator("tbody tr").nth(24).wait_for()
    assert page.locator("tbody tr").count() == 25
    page.goto(f"{served.url}harvest/{key_of(served.folder / 'long')}")
    page.get_by_text("word9999").first.wait_for(timeout=60_000)
    assert page.locator(".q-tab-panel tbody tr").count() == 25
    assert page.content().count("word") < 200


def test_the_sources_of_a_fleet_are_seen(page: Any, serve: Serve) -> None:
    """They are listed page by page with worker and reason, filtered by host and state."""
    url = server().database()
    with Fleet(url) as fleet:
        fleet.submit([{"url": f"http://host-{n}.example/"} for n in range(120)])
        taken = fleet.leases.take("node-7:42", 600)
        assert taken is not None
        other = fleet.leases.take("node-8:42", 600)
        assert other is not None
        failed = {"state": "ended", "outcome": "failed", "said": HOSTILE}
        fleet.leases.end_slice(other.lease, other.row.source, **failed)
    served = serve(url)
    page.goto(served.url)
    page.get_by_role("link", name="The fleet in").click()
    page.get_by_text("119 wait, 2 of them running; 1 ended").wait_for()
    rows = page.locator("tbody tr")
    until(lambda: rows.count() == 50)
    assert page.get_by_role("cell", name="node-7:42").count() == 1
    page.get_by_role("button", name="Next page").click()
    page.get_by_role("cell", name="http://host-99.example/").wait_for()
    page.get_by_role("button", name="Next page").click()
    until(lambda: rows.count() == 20)
    page.get_by_role("button", name="Page before").click()
    until(lambda: rows.count() == 50)
    page.get_by_label("Host").fill("host-33.example")
    until(lambda: rows.count() == 1)
    page.get_by_label("Host").fill("")
    until(lambda: rows.count() == 50)
    page.get_by_label("State").click()
    page.get_by_role("option", name="ended").click()
    until(lambda: rows.count() == 1)
    assert "window.owned" in rows.first.inner_text()
    assert page.evaluate("window.owned") is None
