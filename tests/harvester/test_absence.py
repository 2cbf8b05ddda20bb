"""Test a site that stops responding during a harvest: the harvest waits for some time."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bench.faulty.faults import Drop, Fault, Faulty, Refuse

from longline.errors import PageError, RefusedError, SourceError, UnreachableError
from longline.fetch import Manners, Wait
from longline.harvester import HarvestRun, Limits, Listeners
from longline.harvester.absence import WAITS, Absence
from longline.ledger import Certificate
from longline.simulate import Searcher, read_corpus, running_site, website
from longline.simulate.site.spec import html_spec
from longline.source import read_spec

DOCUMENTS = read_corpus("docstrings")[:90]
SEARCHER = Searcher(DOCUMENTS, limit=30, page_size=10)
ENDLESS = range(60, 10**6)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
GONE = UnreachableError("no answer from a.example", host="a.example")


def harvested(folder: Path, fault: Fault, **options: Any) -> tuple[Certificate, list[Wait]]:
    """Harvest a site with a fault; return the certificate and the waits."""
    waits: list[Wait] = []
    asking = {"wait_seconds": 0.005, "retries": 1} | options
    limits = Limits(allow_private=True, size=len(DOCUMENTS), **asking)
    with running_site(Faulty(website(SEARCHER), fault)) as url:
        run = HarvestRun(folder, read_spec(html_spec(SEARCHER, "logs", f"{url}/")), None, limits)
        certificate = asyncio.run(run.run(Listeners(on_wait=waits.append)))
    return certificate, [wait for wait in waits if wait.gives_up is not None]


@pytest.mark.parametrize(
    "fault", [Refuse(502, requests=range(60, 78)), Drop(requests=range(60, 78))]
)
def test_a_site_that_comes_back_is_harvested_to_the_end(tmp_path: Path, fault: Fault) -> None:
    """Failed requests are repeated, and nothing is missing."""
    certificate, waits = harvested(tmp_path, fault)
    assert certificate.outcome == "complete"
    assert certificate.documents_failed == 0
    assert 0 < len(waits) <= len(WAITS)
    assert {wait.host for wait in waits} == {"127.0.0.1"}


def test_a_site_that_stays_away_is_given_up(tmp_path: Path) -> None:
    """Each wait is reported once, although several documents are requested at a time."""
    certificate, waits = harvested(tmp_path, Refuse(502, requests=ENDLESS))
    assert certificate.outcome == "unreachable"
    assert len(waits) == len(WAITS)
    assert certificate.stopped.endswith("run it again later to continue")


@pytest.mark.parametrize("options", [{"retries": 0}, {"max_wait": 0.01}])
def test_who_wants_no_wait_gets_none(tmp_path: Path, options: dict[str, float]) -> None:
    """There is no wait if retries are off or the longest allowed wait is too short."""
    certificate, waits = harvested(tmp_path, Refuse(502, requests=ENDLESS), **options)
    assert (certificate.outcome, waits) == ("unreachable", [])


def test_a_site_that_never_answered_is_no_reason_to_wait(tmp_path: Path) -> None:
    """The error is raised at once and shows the status."""
    with pytest.raises(SourceError, match=r"in a row failed.*502"):
        harvested(tmp_path, Refuse(502, target="^/search"))


def test_how_long_is_waited() -> None:
    """Each wait is longer, at most five minutes and at most the allowed maximum."""
    rested: list[float] = []
    told: list[Wait] = []

    async def rest(seconds: float) -> None:
        rested.append(seconds)

    async def outlast(most: float, error: Exception = GONE) -> int:
        absence = Absence(Manners(max_wait=most), rest, told.append, NOON.timestamp)
        turns = 0
        while await absence.outlast(error, turns):  # type: ignore[arg-type]
            turns += 1
        return turns

    assert asyncio.run(outlast(600)) == len(WAITS)
    assert sum(rested) <= 300
    assert told[0].until == NOON + timedelta(seconds=WAITS[0])
    assert told[0].gives_up == NOON + timedelta(seconds=sum(WAITS))
    assert asyncio.run(outlast(45)) == 2
    assert asyncio.run(outlast(600, PageError("not a host's"))) == 0
    assert asyncio.run(outlast(600, RefusedError("503", url="http://b.example/1"))) == len(WAITS)


def test_the_time_for_asking_again_is_part_of_the_wait() -> None:
    """The time that was named when the wait began is not exceeded."""
    told: list[Wait] = []
    now = NOON.timestamp()

    async def rest(seconds: float) -> None:
        nonlocal now
        now += seconds + 60  # asking again takes a minute

    async def outlast() -> int:
        absence = Absence(Manners(max_wait=600), rest, told.append, lambda: now)
        turns = 0
        while await absence.outlast(GONE, turns):
            turns += 1
        return turns

    assert asyncio.run(outlast()) < len(WAITS)
    assert {wait.gives_up for wait in told} == {NOON + timedelta(seconds=sum(WAITS))}
