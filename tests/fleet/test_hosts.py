"""Test what a fleet knows about hosts: the active worker, robots.txt, waits, quotas."""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.responses import PlainTextResponse, RedirectResponse
from tests.fleet.test_fleet import given, site, to_the_end
from tests.postgres import server

from longline.fetch._pace import Place
from longline.fleet.hosts import MARGIN_SECONDS, LeasedHosts
from longline.queue import Fleet
from longline.simulate import running_site, website
from longline.store import HOSTS, NOW, LeaseLostError

pytestmark = pytest.mark.slow

ALONE = "127.0.0.2"


class Sites:
    """A site on every loopback address, whose documents may be on another one.

    Attributes:
        asked: Host, path, and the host of the source that led there.
        waits: Seconds that a host asks to wait, once.
    """

    def __init__(self) -> None:
        self.elsewhere: dict[str, str] = {}
        self.asked: list[tuple[str, str, str]] = []
        self.waits: dict[str, int] = {}
        self.port = 0
        self._apps = {f"127.0.0.{n}": website(site(n, 25)) for n in range(2, 5)}

    def url(self, host: str) -> str:
        return f"http://{host}:{self.port}/"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Respond as the requested host."""
        if scope["type"] != "http":
            return
        host = dict(scope["headers"])[b"host"].decode().partition(":")[0]
        path = scope["path"]
        source = host
        if path.startswith("/of/"):
            _, _, source, path = path.split("/", 3)
            path = f"/{path}"
        self.asked.append((host, path, source))
        answer: Any = self._apps[source]
        if host in self.waits and path == "/search":
            headers = {"Retry-After": str(self.waits.pop(host))}
            answer = PlainTextResponse("later", 429, headers)
        elif path.startswith("/documents/") and source == host and host in self.elsewhere:
            answer = RedirectResponse(f"{self.url(self.elsewhere[host])}of/{host}{path}")
        await answer({**scope, "path": path}, receive, send)


@pytest.fixture
def sites() -> Iterator[Sites]:
    """Yield these sites on loopback."""
    found = Sites()
    with running_site(found, host="0.0.0.0") as base:
        found.port = int(base.rpartition(":")[2])
        yield found


@contextmanager
def fleet_of(sites: Sites, hosts: list[str], **options: object) -> Iterator[Fleet]:
    """Submit sources and yield their fleet."""
    with Fleet(server().database()) as fleet:
        fleet.submit(given([sites.url(host) for host in hosts], **options))
        yield fleet


def side_by_side(fleet: Fleet, workers: int = 2) -> None:
    """Run slices until no source waits, in independent threads."""

    def work() -> None:
        with Fleet(fleet.name) as own:
            to_the_end(own, requests=40)

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


@pytest.mark.parametrize("elsewhere", ["a third host", "each other's"])
def test_a_host_of_documents_has_one_talker_too(sites: Sites, elsewhere: str) -> None:
    """Two sources whose documents are on each other's hosts do not deadlock."""
    one, two, third = "127.0.0.2", "127.0.0.3", "127.0.0.4"
    shared = elsewhere == "a third host"
    sites.elsewhere = {one: third, two: third} if shared else {one: two, two: one}
    with fleet_of(sites, [one, two]) as fleet:
        side_by_side(fleet)
        rows = list(fleet.sources())
        assert [(row.outcome, row.documents) for row in rows] == [("complete", 25)] * 2
        slices = sum(row.slices for row in rows)
    for host in {third} if shared else {one, two}:
        talkers = [
            source for asked, path, source in sites.asked if asked == host and "/robots" not in path
        ]
        assert set(talkers) == {one, two}
        turns = len(list(itertools.groupby(talkers)))
        assert turns <= 2 * slices


def test_robots_is_read_once_of_a_host(sites: Sites) -> None:
    """This holds for any number of sources and slices on it."""
    with fleet_of(sites, [ALONE]) as fleet:
        fleet.submit(given([f"{sites.url(ALONE)}search"]))
        to_the_end(fleet, requests=40)
        assert {row.outcome for row in fleet.sources()} == {"complete"}
    assert [path for _, path, _ in sites.asked].count("/robots.txt") == 1


def test_a_wait_that_a_host_asks_for_holds_for_all(sites: Sites) -> None:
    """This includes a wait that is longer than a single harvest accepts."""
    with fleet_of(sites, [ALONE], max_wait=1.0) as fleet:
        fleet.submit(given([f"{sites.url(ALONE)}search"]))
        sites.waits = {ALONE: 4}
        while not any(path == "/search" for _, path, _ in sites.asked):
            to_the_end(fleet, most=1)
        began, asked = time.monotonic(), len(sites.asked)
        row = next(row for row in fleet.sources() if row.said)
        assert row.state == "waiting"
        assert "asked to wait until" in row.said
        assert fleet.due() == 0
        while time.monotonic() - began < 2.5:
            to_the_end(fleet, most=1)
        assert len(sites.asked) == asked
        to_the_end(fleet)
        assert {row.outcome for row in fleet.sources()} == {"complete"}


def test_the_requests_of_a_day_are_those_of_the_host(sites: Sites) -> None:
    """The limit covers all sources of a host; then they wait for midnight UTC."""
    with fleet_of(sites, [ALONE], max_requests_per_day=60) as fleet:
        fleet.submit(given([f"{sites.url(ALONE)}search"], max_requests_per_day=50))
        to_the_end(fleet, requests=20, most=6)
        assert 40 <= len(sites.asked) <= 50
        assert fleet.due() == 0
        said = [row.said for row in fleet.sources()]
        assert any("its requests of the day are spent" in each for each in said)
        assert [row.state for row in fleet.sources()] == ["waiting"] * 2, said


def test_a_lease_counts_from_when_it_was_asked_for() -> None:
    """A worker that was paused right after taking a lease notices it before a request."""
    with Fleet(server().database()) as fleet, Fleet(fleet.name) as other:
        fleet.submit(given(["http://a.example/"]))
        take = fleet.leases.take

        def late(worker: str, seconds: float) -> Any:
            taken = take(worker, seconds)
            time.sleep(0.6)
            return taken

        fleet.leases.take = late  # type: ignore[method-assign]
        hosts = LeasedHosts(fleet.leases, "stopped", 0.5)
        assert hosts.take() is not None
        assert other.leases.take("quick", 30) is not None
        with pytest.raises(LeaseLostError):
            hosts.sends("a.example")


def test_a_dead_worker_keeps_a_slow_host_alone_for_its_pace() -> None:
    """A dead worker blocks a slow host longer than its lease; a live one only for the delay."""
    with Fleet(server().database()) as fleet:
        fleet.submit(given(["http://a.example/"]))
        hosts = LeasedHosts(fleet.leases, "w", 30.0)
        assert hosts.take() is not None
        hosts.delays["a.example"] = 100.0
        hosts.sends("a.example")
        assert ready_in(fleet) == pytest.approx(115, abs=5)
        hosts.places["a.example"] = place = Place(100.0, is_public=True)
        place.free_at = time.monotonic() + 60
        hosts.give_back()
        assert ready_in(fleet) == pytest.approx(60 + MARGIN_SECONDS, abs=5)


def ready_in(fleet: Fleet) -> float:
    """Return the seconds until the only host may be taken."""
    with fleet._transaction() as connection:
        return float(connection.execute(sa.select(HOSTS.c.ready_at - NOW)).scalar_one())
