"""Test that no database query of a fleet of 100,000 sources scans a complete table."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa
from tests.postgres import server

from longline.errors import InputError
from longline.queue import Fleet

SOURCES, A_HOST = 100_000, 5


@pytest.fixture(scope="module")
def fleet() -> Iterator[Fleet]:
    """Yield 20,000 hosts with five sources each, most of them finished."""
    with Fleet(server().database()) as made:
        with made._transaction() as connection:
            connection.execute(
                sa.text(
                    "INSERT INTO hosts (host, ready_at) SELECT 'host-' || n || '.example', 0 "
                    f"FROM generate_series(0, {SOURCES // A_HOST - 1}) AS n"
                )
            )
            connection.execute(
                sa.text(
                    "INSERT INTO sources (url, host, options, state, documents, requests) "
                    "SELECT 'http://host-' || n / 5 || '.example/' || n % 5, "
                    "'host-' || n / 5 || '.example', '{}', "
                    "CASE WHEN n % 5 = 0 THEN 'waiting' ELSE 'ended' END, 3, 7 "
                    f"FROM generate_series(0, {SOURCES - 1}) AS n"
                )
            )
        with made._engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(sa.text("ANALYZE"))
        yield made


@contextmanager
def explained(fleet: Fleet) -> Iterator[list[str]]:
    """Collect the full table scans that PostgreSQL plans for each statement."""
    whole: list[str] = []

    def explain(connection: Any, cursor: Any, statement: str, given: Any, *_: object) -> None:
        if re.match(r"\s*(SELECT|UPDATE|DELETE)", statement) and "advisory" not in statement:
            plan = connection.connection.cursor()
            plan.execute(f"EXPLAIN {statement}", given)
            found = [row[0] for row in plan.fetchall()]
            is_whole = re.compile(r"Seq Scan on (sources|hosts)")
            whole.extend(f"{line.strip()}: {statement}" for line in found if is_whole.search(line))
            plan.close()

    sa.event.listen(fleet._engine, "before_cursor_execute", explain)
    try:
        yield whole
    finally:
        sa.event.remove(fleet._engine, "before_cursor_execute", explain)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["attachments", "warc"])
def test_files_are_refused(fleet: Fleet, name: str) -> None:
    """The folder of a slice is deleted, so options that save files are refused."""
    with pytest.raises(InputError, match=f"keeps no files, and {name} asks"):
        fleet.submit([{"url": "https://x.example/", name: True}])


def test_nothing_is_read_from_end_to_end(fleet: Fleet) -> None:
    """This covers listing a page, counting, taking a source, and changing some."""
    some = [f"http://host-{n}.example/0" for n in range(3)]
    with explained(fleet) as whole:
        assert fleet.counts()[:5] == (SOURCES // 5, 0, 0, 0, SOURCES * 4 // 5)
        assert fleet.due(40) == 40
        last = 0
        for state in (None, "waiting", "ended"):
            page = fleet.page(SOURCES // 2, state, most=25)  # type: ignore[arg-type]
            assert len(page) == 25
            assert page[0].source > SOURCES // 2
            last = max(last, page[-1].source)
        assert [row.host for row in fleet.page(host="host-777.example")] == ["host-777.example"] * 5
        assert len(fleet.page(host="host-777.example", state="waiting")) == 1
        taken = fleet.leases.take("w", 30)
        assert taken is not None
        (row,) = [row for row in fleet.page(host=taken.row.host) if row.worker]
        assert (row.source, row.worker) == (taken.row.source, "w")
        fleet.leases.renew(taken.lease, 30)
        fleet.leases.end_slice(taken.lease, taken.row.source, documents=5, requests=9)
        fleet.leases.give_back(taken.lease, pause=0)
        assert fleet.change("paused", ("waiting",), some) == 3
        assert fleet.change("waiting", ("paused",), some) == 3
        assert fleet.submit([{"url": "http://host-7.example/new"}]) == 1
    assert whole == []


@pytest.mark.slow
def test_totals_are_those_of_all_sources(fleet: Fleet) -> None:
    """They are right after any change, of one source or of all."""
    assert fleet.change("paused", ("waiting",)) > SOURCES // 6
    assert fleet.change("waiting", ("paused",), ["http://host-9.example/0"]) == 1
    with fleet._transaction() as connection:
        asked = sa.text(
            "SELECT state, count(*), sum(documents), sum(requests) FROM sources GROUP BY 1"
        )
        found = {row[0]: row[1:] for row in connection.execute(asked)}
    counts = fleet.counts()
    assert {state: getattr(counts, state) for state in found} == {
        state: row[0] for state, row in found.items()
    }
    assert counts.documents == sum(row[1] for row in found.values())
    assert counts.requests == sum(row[2] for row in found.values())


@pytest.mark.slow
def test_a_page_in_the_middle_costs_what_the_first_one_costs(fleet: Fleet) -> None:
    """Each page is found by key."""

    def seconds(last: int) -> float:
        began = time.perf_counter()
        assert len(fleet.page(last, "ended")) == 1000
        return time.perf_counter() - began

    first, late = (min(seconds(last) for _ in range(5)) for last in (0, SOURCES * 9 // 10))
    assert late < 5 * first
