"""Test pausing, resuming, stopping and killing a harvest in its own process."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from bench.faulty.faults import Faulty, Refuse

import longline
from longline.errors import FolderError, InputError, Interrupted
from longline.harvester import Limits
from longline.harvester.control import CONTROL, budgets_of, place
from longline.harvester.standing import Standing, read_standing, standing_of
from longline.harvester.steering import LOOK_SECONDS, Steering
from longline.ledger import Certificate, Ledger
from longline.model import Request
from longline.simulate import Searcher, read_corpus, running_site, website
from longline.simulate.site.spec import html_spec

SEARCHER = Searcher(read_corpus("docstrings")[::4], limit=100, page_size=20)
PATIENCE_SECONDS = 30.0


class Child:
    """A harvest in another process, at twenty requests per second."""

    def __init__(self, folder: Path, source: Path | str, *options: str) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "longline", "harvest", str(source), "-o", str(folder)]
        asking = ["--allow-private", "--rate", "20", *options]
        self.process = subprocess.Popen(
            [*command, *asking], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def until(self, is_so: Callable[[Standing], bool]) -> Standing:
        """Wait until a condition on the harvest's state holds, and return the state."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        found = None
        while time.monotonic() < deadline:
            try:
                found = standing_of(self.folder)
            except FolderError:  # it has not started
                found = None
            if found is not None and is_so(found):
                return found
            time.sleep(0.1)
        raise AssertionError(f"after {PATIENCE_SECONDS} s it stands so: {found}")

    def ended(self) -> int:
        """Wait for the process to end."""
        return self.process.wait(PATIENCE_SECONDS)


@pytest.fixture
def log() -> list[str]:
    """Return the list for the site's requests."""
    return []


@pytest.fixture
def child(tmp_path: Path, log: list[str]) -> Iterator[Callable[..., Child]]:
    """Yield a function that starts a harvest of a site on loopback."""
    started: list[Child] = []
    with running_site(SEARCHER, log=log) as url:
        spec = tmp_path / "site.toml"
        spec.write_text(html_spec(SEARCHER, "site", f"{url}/"))

        def start(*options: str) -> Child:
            started.append(Child(tmp_path / "site", spec, *options))
            return started[-1]

        yield start
        for each in started:
            if each.process.poll() is None:
                each.process.kill()
            each.process.communicate()


@pytest.mark.slow
def test_a_paused_harvest_sends_nothing_and_goes_on_where_it_was(
    child: Callable[..., Child], log: list[str]
) -> None:
    """A pause stops requests and keeps the process; resume continues it; stop ends it."""
    one = child("--max-requests", "2000")
    one.until(lambda now: now.state == "running" and now.documents > 5 and bool(now.asks))
    longline.pause(one.folder)
    paused = one.until(lambda now: now.state == "paused")
    assert paused.pid == one.process.pid
    time.sleep(0.5)  # pending responses are received
    sent = len(log)
    time.sleep(2)
    assert len(log) == sent
    assert one.process.poll() is None
    longline.resume(one.folder)
    one.until(lambda now: now.state == "running" and now.requests > sent)
    longline.stop(one.folder)
    assert one.ended() == 3
    end = standing_of(one.folder)
    assert (end.state, end.outcome, end.cause) == ("ended", "partial", "interrupted")
    certificate = longline.open(one.folder).certificate
    assert (end.documents, end.requests) == (certificate.documents, certificate.requests)


@pytest.mark.slow
def test_the_budget_of_a_running_and_of_a_paused_harvest_is_changed(
    child: Callable[..., Child],
) -> None:
    """A new budget applies while it runs or is paused, and is in the certificate."""
    one = child("--max-requests", "2000")
    one.until(lambda now: now.documents > 5)
    longline.pause(one.folder)
    paused = one.until(lambda now: now.state == "paused")
    most = paused.requests + 30
    longline.set_budget(one.folder, max_requests=most)
    assert longline.standing(one.folder).requests_left == 30
    one.until(lambda now: now.limits["max_requests"] == most)
    longline.resume(one.folder)
    assert one.ended() == 3
    certificate = longline.open(one.folder).certificate
    assert (certificate.cause, certificate.requests) == ("budget", most)
    assert certificate.budget["requests"].allowed == most


@pytest.mark.slow
def test_a_budget_for_a_harvest_that_ended_is_that_of_its_next_run(
    child: Callable[..., Child],
) -> None:
    """It limits the next run, unless that run has its own, which replaces it."""
    first = child("--max-requests", "40")
    assert first.ended() == 3
    folder = first.folder
    longline.set_budget(folder, max_requests=60)
    assert standing_of(folder).requests_left == 20
    written = read_standing(folder)  # what the dashboard reads
    assert written is not None
    assert written.limits["max_requests"] == 60
    again = child()
    again.ended()
    assert standing_of(folder).requests == 60
    child("--max-requests", "70").ended()
    assert standing_of(folder).requests == 70
    assert budgets_of(folder) == {}


@pytest.mark.slow
def test_a_killed_harvest_is_said_to_be_interrupted(child: Callable[..., Child]) -> None:
    """It is reported as interrupted, cannot be steered, and can be run again."""
    one = child("--max-requests", "300")
    one.until(lambda now: now.documents > 5)
    os.kill(one.process.pid, signal.SIGKILL)
    one.ended()
    killed = standing_of(one.folder)
    assert (killed.state, killed.is_going) == ("interrupted", False)
    assert killed.in_words(time.time()) == "interrupted, run again"
    for steer in (longline.pause, longline.resume, longline.stop):
        with pytest.raises(FolderError, match="no run fills"):
            steer(one.folder)
    assert child("--max-requests", "300").ended() == 3
    assert standing_of(one.folder).requests == 300


@pytest.mark.slow
def test_a_wait_that_the_site_asks_for_is_said(tmp_path: Path) -> None:
    """The state shows the remaining seconds and the site's response."""
    busy = Refuse(429, retry_after="4", target="^/search", requests=[5])
    with running_site(Faulty(website(SEARCHER), busy)) as url:
        spec = tmp_path / "site.toml"
        spec.write_text(html_spec(SEARCHER, "site", f"{url}/"))
        one = Child(tmp_path / "site", spec, "--max-requests", "300")
        waits = one.until(lambda now: now.state == "waiting")
        assert re.match("waits for [0-4] s: .*429.*Retry-After 4", waits.in_words(time.time()))
        assert one.ended() == 3
    assert standing_of(one.folder).requests == 300
    one.process.communicate()


@pytest.mark.slow
def test_an_update_is_steered_in_the_folder_of_its_harvest(
    child: Callable[..., Child], tmp_path: Path
) -> None:
    """It is paused and stopped like a harvest, and reported as an update."""
    one = child("--size", str(len(SEARCHER.documents)), "--max-requests", "150")
    assert one.ended() == 3
    held = longline.open(one.folder).certificate.documents
    command = [sys.executable, "-m", "longline", "update", str(one.folder), "--allow-private"]
    update = subprocess.Popen(
        [*command, "--rate", "20"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        one.until(lambda now: now.is_update and now.state == "running" and bool(now.asks))
        longline.pause(one.folder)
        paused = one.until(lambda now: now.state == "paused")
        assert paused.in_words(0.0) == "update: paused"
        assert paused.saved == held != paused.documents
        longline.stop(one.folder)
        update.wait(PATIENCE_SECONDS)
    finally:
        update.kill()
        update.communicate()
    stopped = standing_of(one.folder)
    assert stopped.in_words(0.0) == "update: partial (interrupted)"
    assert stopped.saved == held
    assert longline.open(one.folder).certificate.documents == held


@pytest.mark.slow
def test_a_harvest_of_before_stands_as_its_certificate_says(child: Callable[..., Child]) -> None:
    """Without the state file the certificate gives the state, or it counts as interrupted."""
    one = child("--max-requests", "40")
    one.ended()
    now = standing_of(one.folder)
    (one.folder / "standing.json").unlink()
    then = standing_of(one.folder)
    same = "documents", "requests", "searches", "limits", "outcome", "cause", "stopped", "size"
    assert [getattr(then, name) for name in same] == [getattr(now, name) for name in same]
    (one.folder / "certificate.json").unlink()
    assert standing_of(one.folder).state == "interrupted"
    (one.folder / "harvest.db").write_text("torn")
    assert "harvest.db is damaged" in standing_of(one.folder).stopped
    assert standing_of(one.folder).outcome == "failed"


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"{", "cannot be read"), (b'{"max_fish": 1}', "no budget"), (b'{"max_bytes": 0}', "is 0")],
)
def test_a_damaged_budget_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    """Content of another program is refused, and the error names the file."""
    (tmp_path / "budget.json").write_bytes(content)
    with pytest.raises(FolderError, match=said) as error:
        budgets_of(tmp_path)
    assert "budget.json" in str(error.value)


@pytest.mark.slow
def test_a_wrong_budget_is_refused(child: Callable[..., Child]) -> None:
    """A number that is not above 0 and an unknown name change nothing."""
    one = child("--max-requests", "40")
    one.ended()
    with pytest.raises(InputError, match="is -1"):
        longline.set_budget(one.folder, max_requests=-1)
    with pytest.raises(TypeError, match="max_requests"):
        longline.set_budget(one.folder, max_request=1)  # type: ignore[call-arg]
    assert budgets_of(one.folder) == {}


def test_a_standing_is_read_back_as_it_was_written() -> None:
    """The state survives a JSON round trip."""
    one = Standing(state="waiting", documents=3, limits={"max_time": 1.5}, waits_until=1.0)
    assert msgspec.json.decode(msgspec.json.encode(one), type=Standing) == one
    assert "documents" in Certificate.__struct_fields__


def test_a_command_that_comes_while_a_harvest_begins_is_obeyed(tmp_path: Path) -> None:
    """Reading a long ledger again takes a while: what is asked for meanwhile is not lost."""
    place(tmp_path / CONTROL, b'{"wanted": "stop"}')

    async def begin() -> None:
        steering = Steering(tmp_path, Limits(), Ledger(), named=Standing(state="running"))
        async with steering.steering():
            await asyncio.sleep(1.5 * LOOK_SECONDS)
            await steering.may_ask(Request("https://shop.example/"))

    with pytest.raises(Interrupted):
        asyncio.run(begin())
