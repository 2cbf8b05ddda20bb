"""Test that the numbers of a report equal those of the journal."""

import time
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports import oracle
from tests.reports.written import Written, write

from longline.events import PageReceived
from longline.ledger import Ledger, facet_parts
from longline.model import Document, Facet, Filter, Hit, Page, Query, Total
from longline.model.fields import Fields
from longline.reports import Live, changes_since, read_figures
from longline.reports.course import Thinned
from longline.reports.figures import MOST_GROUPS, MOST_MARKS, MOST_ROWS
from longline.reports.fullness import Fullness


@pytest.fixture(params=range(4))
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a harvest with random searches and documents."""
    seed: int = request.param
    return write(tmp_path / "got", Written(5 + 90 * seed, 400 + 900 * seed, seed).events())


def test_requests_are_those_of_the_journal(folder: Path) -> None:
    """Each purpose has the journal's number of requests, and the outcomes add up to it."""
    figures = read_figures(folder)
    assert {each.kind: each.requests for each in figures.asked} == oracle.requests_by_kind(folder)
    for each in figures.asked:
        assert each.requests == each.brought + each.empty + each.failed + each.extra
    assert sum(each.requests for each in figures.asked) == figures.certificate.requests


def test_each_point_of_the_curve_is_one_of_the_journal(folder: Path) -> None:
    """Each point is a state of the journal, and the last one equals the certificate."""
    figures, known = read_figures(folder), oracle.documents_after(folder)
    assert all(point.documents in known[point.requests] for point in figures.course)
    requests = [point.requests for point in figures.course]
    assert requests == sorted(requests)
    last, found = figures.course[-1], figures.certificate
    assert (last.requests, last.documents) == (found.requests, found.documents)
    assert (last.size, last.low, last.high) == (found.size, found.size_low, found.size_high)


def test_searches_are_those_of_the_journal(folder: Path) -> None:
    """Groups, pairs of reported and received, and the chart count every search."""
    figures, rows = read_figures(folder), oracle.chart(folder)
    assert sum(group.searches for group in figures.searches) == len(rows)
    for group in figures.searches:
        own = rows[group.first - 1 : group.first - 1 + group.searches]
        assert group.new == sum(row["new"] for row in own)
        assert group.df_high == max(
            (row.get("reported", row["received"]) for row in own if "reported" in row),
            default=group.df_high,
        )
    reported = [row for row in rows if "reported" in row]
    assert sum(claim.searches for claim in figures.claims) == len(reported)
    if len(rows) <= MOST_ROWS:
        shown = [(row.received, row.new) for row in figures.chart]
        assert shown == [(row["received"], row["new"]) for row in rows]


def test_fields_are_as_full_as_the_documents(folder: Path) -> None:
    """Each field counts the documents that have a value in it."""
    figures = read_figures(folder)
    assert {each.name: each.filled for each in figures.fields} | oracle.filled(folder) == {
        each.name: each.filled for each in figures.fields
    }
    assert {each.documents for each in figures.fields} == {figures.certificate.documents}


@pytest.mark.slow
def test_of_a_long_harvest_the_numbers_stay_few(large: Path) -> None:
    """10,000 searches stay within the bounds, and every list says how much it omits."""
    figures = read_figures(large)
    rows = oracle.chart(large)
    assert figures.certificate.queries == len(rows) == 10000
    assert len(figures.course) <= 201
    assert len(figures.searches) <= MOST_GROUPS
    assert sum(group.new for group in figures.searches) == sum(row["new"] for row in rows)
    assert len(figures.claims) <= MOST_MARKS
    assert sum(claim.searches for claim in figures.claims) == sum("reported" in r for r in rows)
    assert len(figures.chart) == MOST_ROWS
    assert figures.left_out["chart"] == 10000 - MOST_ROWS
    assert figures.left_out["truncations"] + MOST_ROWS == sum(figures.certificate.cuts.values())
    assert figures.left_out["failed_documents"] + MOST_ROWS == figures.certificate.documents_failed


def test_looking_again_reads_on(tmp_path: Path) -> None:
    """Figures read in two looks equal those read in one."""
    events = list(Written(80, 900).events())
    folder = write(tmp_path / "got", events[:300])
    live = Live(folder)
    before = live.look()
    store = live.reading.store.__class__(folder / "harvest.db")
    store.record(*events[300:])
    store.close()
    after = live.look(fields=True)
    live.close()
    whole = read_figures(folder)
    assert before.certificate.requests < after.certificate.requests
    assert after == whole


@given(st.integers(0, 1000), st.integers(1, 40))
def test_thinned_points_are_even_and_few(seen: int, least: int) -> None:
    """The first and the last point are kept, and evenly spaced ones between."""
    thinned: Thinned[int] = Thinned(least)
    for number in range(seen):
        thinned.add(lambda number=number: number)  # type: ignore[misc]
    points = thinned.points()
    assert len(points) <= 2 * least
    assert len(points) >= min(seen, least)
    assert points[:1] + points[-1:] == ([0, seen - 1] if seen else [])
    steps = {second - first for first, second in pairwise(points[:-1])}
    assert len(steps) <= 1


def test_parts_of_a_source_show_their_holes() -> None:
    """The narrowest of nested ranges count, and results of narrower queries count for them."""
    ledger = Ledger()
    counts = {("2000", "2003"): 9, ("2000", "2001"): 5, ("2002", "2003"): 4}
    for number, ((low, high), total) in enumerate(counts.items()):
        query = Query((), filters=(Filter("year", low, high),))
        hits = tuple(Hit(f"{number}-{place}") for place in range(2))
        ledger.tell(PageReceived(query, 1, Page(hits, Total(total))))
    within = Query(("web",), filters=(Filter("year", "2002"),))
    ledger.tell(PageReceived(within, 1, Page((Hit("x"), Hit("2-0")), Total(2))))
    years = Facet("year", "number", low="2000", high="2003")
    found = [(p.value, p.high, p.reported, p.received) for p in facet_parts(ledger, [years])]
    assert found == [("2000", "2001", 5, 2), ("2002", "2003", 4, 3)]
    letters = Facet("name", "prefix", values=("a", "b"))
    for prefix, total in (("a", 9), ("ab", 3)):
        query = Query((), filters=(Filter("name", prefix),))
        ledger.tell(PageReceived(query, 1, Page((Hit(prefix),), Total(total))))
    found = [(p.value, p.high, p.reported, p.received) for p in facet_parts(ledger, [letters])]
    assert ("ab", "", 3, 1) in found


def test_parts_of_many_days_are_found_at_once() -> None:
    """The time grows as the number of parts does, whatever they contain."""
    ledger = Ledger()
    for day in range(4000):
        query = Query((), filters=(Filter("day", str(day)),))
        ledger.tell(PageReceived(query, 1, Page((Hit(str(day)),), Total(2))))
    days = Facet("day", "number", low="0", high="4000")
    begun = time.perf_counter()
    assert len(facet_parts(ledger, [days])) == 4000
    assert time.perf_counter() - begun < 2


@given(st.lists(st.dates(min_value=date(1980, 1, 1), max_value=date(2026, 12, 31)), max_size=30))
def test_documents_are_counted_by_the_time_in_their_fields(days: list[date]) -> None:
    """Each document with a date counts in its month or year, and no period is missing."""
    fullness = Fullness()
    for number, day in enumerate(days):
        written = day.isoformat() if number % 2 else f"{day.isoformat()}T10:00:00Z"
        fields: Fields = {"published": written, "pages": 0, "shelf": "A-1"}
        fullness.add(Document(str(number), fields=fields))
    counted = fullness.dates()
    assert {each.field for each in counted} <= {"published"}
    assert sum(each.documents for each in counted) == len(days)
    for each in counted:
        assert each.documents == sum(day.isoformat().startswith(each.period) for day in days)
    if days:
        by_year = len(counted[0].period) == 4
        length = max(days).year - min(days).year
        if not by_year:
            length = 12 * length + max(days).month - min(days).month
        assert len(counted) == length + 1 <= (50 if by_year else 48)
        filled = {each.name: each.filled for each in fullness.counts()}
        assert filled["published"] == filled["pages"] == len(days)


def test_an_earlier_harvest_is_compared_document_by_document(tmp_path: Path) -> None:
    """New, gone, changed and unchanged documents are counted as with sets of keys."""
    one = write(tmp_path / "one", Written(30, 300, 1).events())
    other = write(tmp_path / "other", Written(30, 300, 2).events())
    keys = [set[str](), set[str]()]
    for place, folder in enumerate((one, other)):
        for event, payload in oracle.entries(folder):
            if event == "DocumentReceived":
                keys[place].add(payload["key"])
    found = changes_since(other, one)
    assert (found.new, found.missing) == (len(keys[1] - keys[0]), len(keys[0] - keys[1]))
    assert (found.same, found.changed) == (len(keys[0] & keys[1]), 0)
