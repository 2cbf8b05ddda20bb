"""How soon a dashboard and a report are visible, and what a dashboard update costs.

    python -m bench.harvest.seen

1,000 harvests in a folder, and one with 10,000 searches; for comparison, the dashboard of one
harvest with one search, and a page with a single line. First paint is as reported by Chromium, the
median of five loads after one that fills its cache. An update is CPU of this process. The report is
of the harvest with 10,000 searches.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from tests.dashboard.written import add_searches, write_long, write_many

from longline.dashboard.children import Children
from longline.dashboard.desk import Desk
from longline.dashboard.detail import Wanted
from longline.dashboard.harvests import Harvests, chosen, key_of, ordered
from longline.reports import page, read_figures

LOADS = 5
SEARCHES = 10_000
HARVESTS = 1_000
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@contextmanager
def dashboard(folder: Path) -> Iterator[str]:
    """Run a dashboard of a folder; yield its URL."""
    command = [sys.executable, "-m", "longline", "dashboard", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        yield next(word for word in process.stderr.readline().split() if "://" in word)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def first_paint(shown: Any, address: str) -> float:
    """Return the milliseconds until a page's first paint."""
    times = []
    for _ in range(LOADS + 1):
        shown.goto(address)
        times.append(shown.wait_for_function(PAINTED).json_value())
    return statistics.median(times[1:])


def cpu(update: Callable[[], object]) -> float:
    """Return the milliseconds of CPU of an update."""
    began = time.process_time()
    update()
    return (time.process_time() - began) * 1000


def updates(folder: Path, searches: int) -> tuple[float, float]:
    """Return the cost of updating the table, and the page of a harvest with five new searches."""
    store = write_long(folder / "long", searches)
    desk = Desk(Harvests([folder]), Children(1))
    desk.harvests.scan()

    def table() -> None:
        desk.harvests.scan()
        desk.tick()
        ordered(chosen(desk.rows(), "source", "complete"), "saved", descending=True)[:25]

    detail = desk.detail(key_of(folder / "long"))
    assert detail is not None
    detail.catch_up()
    add_searches(store, searches, 5)
    store.close()

    def one() -> None:
        detail.catch_up()
        detail.curves()
        detail.chart(Wanted(size=25, descending=True))

    found = cpu(table), cpu(one)
    detail.close()
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        many, few, line = Path(place) / "many", Path(place) / "few", Path(place) / "line.html"
        many.mkdir(), few.mkdir()
        line.write_text("<!DOCTYPE html><title>One line</title><p>One line.")
        report = Path(place) / "report.html"
        write_many(many, HARVESTS)
        large, small = updates(many, SEARCHES), updates(few, 1)
        report.write_text(page([read_figures(many / "long")]), encoding="utf-8")
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        shown = browser.new_page(bypass_csp=True)
        with dashboard(many) as there, dashboard(few) as here:
            long_key, short_key = (f"harvest/{key_of(each / 'long')}" for each in (many, few))
            rows = {
                "dashboard, first paint": (first_paint(shown, there), first_paint(shown, here)),
                "one harvest, first paint": (
                    first_paint(shown, there + long_key),
                    first_paint(shown, here + short_key),
                ),
                "report, first paint": (
                    first_paint(shown, report.as_uri()),
                    first_paint(shown, line.as_uri()),
                ),
                "dashboard, update (CPU)": (large[0], small[0]),
                "one harvest, update (CPU)": (large[1], small[1]),
            }
        browser.close()
    print(f"| ms | {HARVESTS:,} harvests, {SEARCHES:,} searches | floor | ratio |")
    print("|---|---:|---:|---:|")
    for name, (ours, floor) in rows.items():
        print(f"| {name} | {ours:.0f} | {floor:.0f} | {ours / floor:.1f} |")


if __name__ == "__main__":
    main()
