"""Test the report in a browser: light and dark, on a phone, by keyboard, on paper."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from longline.reports import page, read_figures

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium"),
    pytest.mark.slow,
]

WINDOWS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1100, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1100, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True},
    "narrow": {"viewport": {"width": 320, "height": 640}, "is_mobile": True},
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Yield a headless Chromium."""
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def address(large: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of the report of a harvest of 10,000 searches."""
    file = tmp_path_factory.mktemp("report") / "large.html"
    file.write_text(page([read_figures(large)]), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def two(small: Path, killed: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of the report of two harvests."""
    file = tmp_path_factory.mktemp("report") / "two.html"
    file.write_text(page([read_figures(small), read_figures(killed)]), encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("window", WINDOWS)
def test_nobody_is_kept_out(browser: Any, address: str, two: str, window: str) -> None:
    """axe-core finds no problem, and nothing is too wide or refused."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(**WINDOWS[window])
    shown = context.new_page()
    complaints: list[str] = []
    shown.on("console", lambda message: complaints.append(message.text))
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    for each in (address, two):
        shown.goto(each)
        found = axe.run(shown).response["violations"]
        assert not [(rule["id"], rule["nodes"][0]["html"]) for rule in found]
        wide = shown.evaluate("document.documentElement.scrollWidth")
        assert wide == WINDOWS[window]["viewport"]["width"]
    assert not complaints
    context.close()


def test_a_table_is_sorted_by_keyboard(browser: Any, address: str) -> None:
    """Enter on a column's name sorts by it, down and up; screen readers get the direction."""
    shown = browser.new_page()
    shown.goto(address)
    head = shown.locator("table.record thead th", has_text="new").first
    head.locator("button").focus()
    shown.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    cells = shown.locator("table.record tbody tr td:nth-child(4)").all_text_contents()
    values = [int(cell.replace(",", "")) for cell in cells]
    assert len(values) == 200
    assert values == sorted(values, reverse=True)
    shown.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    shown.close()


def test_it_reads_without_scripts(browser: Any, address: str) -> None:
    """Headline, drawings and table are visible, and no sort buttons."""
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(address)
    assert "documents are saved" in shown.locator("h1").inner_text()
    assert shown.locator("svg.chart").first.is_visible()
    assert shown.locator("table.record tbody tr").count() == 201
    assert shown.locator("th button").count() == 0
    context.close()


def test_it_goes_on_paper(browser: Any, address: str) -> None:
    """Its PDF has pages with dark text on a light background."""
    shown = browser.new_page(color_scheme="dark")
    shown.goto(address)
    pdf = shown.pdf(format="A4", print_background=True)
    assert pdf.startswith(b"%PDF")
    shown.emulate_media(media="print")
    colour = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == "rgb(255, 255, 255)"
    shown.close()
