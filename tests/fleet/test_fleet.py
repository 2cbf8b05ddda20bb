"""Test a fleet: slices under leases, in this process and in others that are killed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.command_line import longline as command_line
from tests.postgres import server

import longline
from longline.errors import InputError, StorageError
from longline.fleet import Slice, Work, export_parts, run_slices
from longline.fleet import run as run_fleet
from longline.fleet.slices import FOLDER, FOLDER_SECONDS, sweep
from longline.queue import Fleet
from longline.simulate import Searcher, read_corpus, running_site
from longline.store import HOSTS, LeaseLostError
from longline.store.postgres import PostgresStore

pytestmark = pytest.mark.slow

MOST_SLICES = 60
RATE = 400
"""Requests per second: as many as this machine can answer, so that no test waits."""

STEADY = 60
"""Requests per second for an interrupted harvest: it then takes some seconds."""

ONE_SLICE = """
import asyncio, sys
from longline.fleet import Work, run_slices
from longline.queue import Fleet
fleet, work = Fleet(sys.argv[1]), Work(int(sys.argv[2]), lease_seconds=3)
(one,) = asyncio.run(run_slices(fleet, work, worker="other", most=1))
print(one.result)
"""


def site(number: int, documents: int = 40) -> Searcher:
    """Make a site with unique texts."""
    texts = read_corpus("docstrings")
    return Searcher(texts[number::50][:documents], limit=40, page_size=10)


@pytest.fixture
def url() -> str:
    """Return the URL of a database without a fleet."""
    return server().database()


@pytest.fixture
def sites() -> Iterator[Callable[[int], list[str]]]:
    """Yield a function that starts sites on loopback; `logs` has their requests."""
    with ExitStack() as stack:
        logs: list[list[str]] = []

        def start(number: int) -> list[str]:
            urls = []
            for place in range(number):
                logs.append([])
                urls.append(stack.enter_context(running_site(site(place), log=logs[-1])) + "/")
            return urls

        start.logs = logs  # type: ignore[attr-defined]
        yield start


def given(urls: list[str], **options: object) -> list[dict[str, object]]:
    """Return sources as they are submitted."""
    return [{"url": url, "allow_private": True, "rate": RATE} | options for url in urls]


def whole(number: int) -> list[set[str]]:
    """Return the titles of each of this many sites."""
    return [{document.title for document in site(place).documents} for place in range(number)]


def held(fleet: Fleet, folder: Path) -> list[set[str]]:
    """Return the titles that a fleet holds of each source."""
    found = []
    for row in fleet.sources():
        fleet.unpack(row, folder / f"of-{row.source}")
        documents = longline.open(folder / f"of-{row.source}").documents
        found.append({document.title for document in documents})
    return found


def to_the_end(fleet: Fleet, most: int = MOST_SLICES, requests: int = 500) -> list[Slice]:
    """Run slices until no source waits, or this many."""
    done = []
    deadline = time.monotonic() + 90
    for _ in range(most):
        time.sleep(0.05)  # the pause of a host between two slices
        while not fleet.due() and most == MOST_SLICES and fleet.counts().waiting:
            assert time.monotonic() < deadline, "it did not end"
            time.sleep(0.05)
        if not fleet.counts().waiting:
            break
        done += asyncio.run(run_slices(fleet, Work(requests, lease_seconds=3), most=1))
    return done


def test_sources_are_submitted_once(url: str) -> None:
    """A source without a host is an error."""
    with Fleet(url) as fleet:
        assert fleet.submit(given(["http://a.example/", "http://b.example/x"])) == 2
        assert fleet.submit(given(["http://a.example/", "http://c.example/"])) == 1
        assert [row.host for row in fleet.sources()] == ["a.example", "b.example", "c.example"]
        with pytest.raises(InputError, match="no host"):
            fleet.submit([{"url": "nowhere"}])


def test_slices_bring_all_that_there_is(
    url: str, sites: Callable[[int], list[str]], tmp_path: Path
) -> None:
    """Each slice uses a temporary folder; then parts are exported, each once."""
    urls = sites(2)
    with Fleet(url) as fleet:
        fleet.submit(given(urls))
        done = to_the_end(fleet, requests=60)
        assert sum(one.result == "more" for one in done) >= 2
        assert held(fleet, tmp_path) == whole(len(urls))
        assert {row.outcome for row in fleet.sources()} == {"complete"}
        counts = fleet.counts()
    assert counts.documents == sum(one.documents for one in done)
    pytest.importorskip("pyarrow")
    parts = list(export_parts(url, str(tmp_path / "parts")))
    assert [part.source for part in parts] == urls
    assert sum(part.documents for part in parts) == counts.documents
    assert list(export_parts(url, str(tmp_path / "parts"))) == []


def test_a_host_has_one_talker(url: str) -> None:
    """A host has one worker at a time, however many of its sources wait."""
    with Fleet(url) as fleet:
        fleet.submit(given(["http://a.example/1", "http://a.example/2", "http://b.example/"]))
        first, second, third = (fleet.leases.take("w", 30) for _ in range(3))
        assert first is not None and second is not None  # noqa: PT018
        assert {first[1].host, second[1].host} == {"a.example", "b.example"}
        assert third is None


def test_who_lost_a_lease_can_neither_ask_nor_write(url: str) -> None:
    """The lease number decides, not a machine's clock."""
    with Fleet(url) as fleet:
        fleet.submit(given(["http://a.example/"]))
        taken = fleet.leases.take("slow", 0.05)
        assert taken is not None
        row, old = taken
        time.sleep(0.1)
        assert fleet.leases.take("quick", 30) is not None
        for late in (
            lambda: fleet.leases.renew(old, 30),
            lambda: fleet.leases.keep(old, row.source, spec="late"),
            lambda: fleet.leases.end_slice(old, row.source),
            lambda: fleet.leases.give_back(old, pause=0),
            lambda: fleet.leases.hold_back(old, 30),
            lambda: fleet.leases.set_apart(old, 1),
        ):
            with pytest.raises(LeaseLostError, match=r"taken over a\.example"):
                late()
        store = PostgresStore(url, PostgresStore.create(url, "anywhere"), old)
        with pytest.raises(LeaseLostError):
            store.set_setting("late", "yes")
        store.close()


def test_who_is_stopped_in_a_transaction_locks_nobody_out(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends an idle transaction after some seconds, here one."""
    monkeypatch.setattr("longline.queue.fleet.IDLE_SECONDS", 1)
    with Fleet(url) as fleet, Fleet(url) as stopped:
        fleet.submit(given(["http://a.example/"]))
        assert fleet.leases.take("w", 0) is not None
        with pytest.raises(StorageError), stopped._transaction() as connection:  # noqa: PT012
            connection.execute(sa.select(HOSTS.c.host).with_for_update())
            assert fleet.leases.take("w", 0) is None
            until(lambda: fleet.leases.take("w", 0) is not None)
            connection.execute(sa.select(HOSTS.c.host))


def test_a_source_whose_workers_die_is_given_up(url: str) -> None:
    """It is given up after ten tries; retry starts it again."""
    with Fleet(url) as fleet:
        fleet.submit(given(["http://a.example/"]))
        for _ in range(10):
            assert fleet.leases.take("w", 0) is not None
        assert fleet.leases.take("w", 0) is None
        (row,) = fleet.sources("ended")
        assert (row.outcome, row.said) == ("failed", "given up: 10 slices in a row did not end")
        assert fleet.change("waiting", ("ended",)) == 1
        assert [row.said for row in fleet.sources("waiting")] == [""]
        assert fleet.leases.take("w", 0) is not None


@pytest.mark.parametrize(
    "secret",
    [{"headers": {"X-Key": "k"}}, {"cookies": "jar.txt"}, {"proxy": "http://me:pw@p.example:3128"}],
)
def test_a_secret_is_not_saved_in_the_database(url: str, secret: dict[str, object]) -> None:
    with Fleet(url) as fleet:
        with pytest.raises(InputError, match="a secret would stand there"):
            fleet.submit(given(["http://a.example/"], **secret))
        assert not list(fleet.sources())


def test_retry_takes_the_options_that_are_given_alone(url: str, tmp_path: Path) -> None:
    with Fleet(url) as fleet:
        fleet.submit([{"url": "http://a.example/", "rate": 2.0, "max_requests": 50}])
        fleet.change("cancelled", ("waiting",))
        command_line(
            tmp_path, "fleet", "retry", "--database", url, "--allow-private", "--max-requests", 90
        )
        (row,) = fleet.sources("waiting")
        assert row.given == {"rate": 2.0, "max_requests": 90, "allow_private": True}


def test_a_cluster_that_is_not_there_is_named_at_once(url: str) -> None:
    """Ray itself would retry endlessly."""
    pytest.importorskip("ray", reason="Ray is not installed (longline[fleet])")
    with pytest.raises(InputError, match=r"cannot reach the Ray cluster at 127\.0\.0\.1:1"):
        run_fleet(url, address="127.0.0.1:1")


def test_sources_are_paused_resumed_and_cancelled(url: str) -> None:
    """This works for all or for named sources; an unknown source is an error."""
    urls = ["http://a.example/", "http://b.example/"]
    with Fleet(url) as fleet:
        fleet.submit(given(urls))
        assert fleet.change("paused", ("waiting",), urls[:1]) == 1
        assert [row.url for row in fleet.sources("paused")] == urls[:1]
        assert fleet.change("waiting", ("paused",)) == 1
        assert fleet.change("cancelled", ("waiting", "paused")) == 2
        assert fleet.leases.take("w", 30) is None
        with pytest.raises(InputError, match=r"http://c\.example/ is no source"):
            fleet.change("paused", ("waiting",), ["http://c.example/"])


def test_a_source_that_spent_its_budget_needs_a_greater_one(
    url: str, sites: Callable[[int], list[str]]
) -> None:
    """Retry skips it until it has a larger budget; then it continues."""
    urls = sites(1)
    log = sites.logs[0]  # type: ignore[attr-defined]
    with Fleet(url) as fleet:
        fleet.submit(given(urls, max_requests=50))
        to_the_end(fleet)
        (row,) = fleet.sources("ended")
        assert (row.outcome, row.cause, row.requests) == ("partial", "budget", 50)
        assert fleet.change("waiting", ("ended",)) == 0
        assert fleet.change("waiting", ("ended",), options={"max_requests": 1000}) == 1
        (row,) = fleet.sources("waiting")
        assert row.given == {"allow_private": True, "rate": RATE, "max_requests": 1000}
        asked = len(log)
        to_the_end(fleet)
        (row,) = fleet.sources("ended")
        assert (row.outcome, row.documents) == ("complete", 40)
        assert len(log) - asked == row.requests - 50


def test_a_source_that_is_harvested_is_paused_soon(
    url: str, sites: Callable[[int], list[str]]
) -> None:
    """It pauses within half a lease, before its slice ends; later it continues."""
    urls = sites(1)
    log = sites.logs[0]  # type: ignore[attr-defined]
    with Fleet(url) as fleet:
        fleet.submit(given(urls, rate=STEADY))
        worker = subprocess.Popen([sys.executable, "-c", ONE_SLICE, url, "500"])
        until(lambda: len(log) > 35)
        assert fleet.change("paused", ("waiting",)) == 1
        worker.wait(10)
        assert len(log) < 120
        (row,) = fleet.sources()
        assert (row.state, row.outcome, row.slices) == ("paused", "", 1)
        assert fleet.change("waiting", ("paused",)) == 1
        to_the_end(fleet)
        (row,) = fleet.sources("ended")
        assert (row.outcome, row.documents) == ("complete", 40)


def test_a_source_that_fails_stops_no_other(
    url: str, sites: Callable[[int], list[str]], tmp_path: Path
) -> None:
    """Its reason is saved, and it counts as incomplete."""
    (there,) = sites(1)
    with Fleet(url) as fleet:
        fleet.submit(given(["http://127.0.0.1:1/", there], retries=0))
        to_the_end(fleet)
        ends = {row.url: (row.outcome, row.said) for row in fleet.sources("ended")}
    assert ends[there][0] == "complete"
    assert ends["http://127.0.0.1:1/"][0] == "unreachable"
    assert "127.0.0.1" in ends["http://127.0.0.1:1/"][1]
    status = command_line(tmp_path, "fleet", "status", "--database", url)
    assert "1 source that ended lacks documents" in status.stdout
    again = command_line(tmp_path, "fleet", "run", "--database", url)
    assert (again.returncode, "1 source that ended" in again.stdout) == (3, True)


def test_the_folder_of_a_harvest_goes_on_in_a_fleet(
    url: str, sites: Callable[[int], list[str]], tmp_path: Path
) -> None:
    """Its journal is moved, and no request is repeated."""
    (there,) = sites(1)
    begun = longline.harvest(
        there, tmp_path / "begun", allow_private=True, max_requests=30
    ).certificate.requests
    with Fleet(url) as fleet:
        assert fleet.adopt(tmp_path / "begun") == 1
        assert fleet.adopt(tmp_path / "begun") == 0
        (row,) = fleet.sources()
        assert row.harvest is not None
        taken = fleet.leases.take("w", 0)
        assert taken is not None
        fleet.unpack(row, tmp_path / "unpacked")
        assert longline.open(tmp_path / "unpacked").certificate.requests == begun


def test_what_was_learnt_by_hand_is_used(
    url: str, sites: Callable[[int], list[str]], tmp_path: Path
) -> None:
    """This helps even if the fleet could not learn the source."""
    (there,) = sites(1)
    longline.plan(there, tmp_path / "learnt", allow_private=True)
    with Fleet(url) as fleet:
        fleet.submit([{"url": there, "max_requests": 500}])  # an address that is not allowed
        to_the_end(fleet)
        (row,) = fleet.sources("ended")
        assert (row.outcome, row.spec) == ("failed", None)
        assert "allow it with --allow-private; longline fleet retry takes options" in row.said
        assert "try it alone: longline plan" in row.said
        assert fleet.adopt(tmp_path / "learnt", {"allow_private": True, "rate": RATE}) == 1
        (row,) = fleet.sources("waiting")
        assert row.spec is not None
        assert row.given == {"allow_private": True, "rate": RATE, "max_requests": 500}
        to_the_end(fleet)
        (row,) = fleet.sources("ended")
        assert (row.outcome, row.documents) == ("complete", 40)


def test_a_worker_that_was_killed_loses_nothing(
    url: str, sites: Callable[[int], list[str]], tmp_path: Path
) -> None:
    """Its lease expires, and another worker continues from the journal."""
    urls = sites(1)
    log = sites.logs[0]  # type: ignore[attr-defined]
    with Fleet(url) as fleet:
        fleet.submit(given(urls, rate=STEADY))
        worker = subprocess.Popen([sys.executable, "-c", ONE_SLICE, url, "500"])
        until(lambda: len(log) > 35)
        worker.kill()
        worker.wait()
        to_the_end(fleet)
        assert held(fleet, tmp_path) == whole(len(urls))


def test_a_worker_that_was_stopped_asks_nothing_when_it_wakes(
    url: str, sites: Callable[[int], list[str]], tmp_path: Path
) -> None:
    """Its lease has expired meanwhile, and another worker has completed the source."""
    urls = sites(1)
    log = sites.logs[0]  # type: ignore[attr-defined]
    with Fleet(url) as fleet:
        fleet.submit(given(urls, rate=STEADY))
        worker = subprocess.Popen(
            [sys.executable, "-c", ONE_SLICE, url, "500"], stdout=subprocess.PIPE, text=True
        )
        until(lambda: len(log) > 35)
        os.kill(worker.pid, signal.SIGSTOP)
        to_the_end(fleet)
        asked = len(log)
        os.kill(worker.pid, signal.SIGCONT)
        said, _ = worker.communicate(timeout=30)
        # If it was stopped during a transaction, the server has ended that.
        assert said.strip() in ("lost", "failed")
        assert len(log) == asked
        assert held(fleet, tmp_path) == whole(len(urls))


def until(is_so: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it never was"
        time.sleep(0.01)


def test_what_a_killed_worker_left_on_the_disk_is_removed_a_day_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders of active slices and of other programs are kept."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    old, new, other = (tmp_path / name for name in (f"{FOLDER}1", f"{FOLDER}2", "other"))
    for folder in (old, new, other):
        folder.mkdir()
        (folder / "source.toml").touch()
    for folder in (old, other):
        os.utime(folder, (time.time() - 2 * FOLDER_SECONDS,) * 2)
    sweep()
    assert sorted(tmp_path.iterdir()) == sorted([new, other])
