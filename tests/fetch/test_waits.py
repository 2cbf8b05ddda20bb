"""Waits that a site asks for: obeyed, reported, limited, and saved for the next run."""

import asyncio
import io
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.harvests import Harvest

from longline.cli._progress import waiting
from longline.errors import AskedToWait, Interrupted, LonglineError, RefusedError
from longline.fetch import Wait, WebFetcher
from longline.fetch._retry import ABSURD_SECONDS, asked_wait
from longline.harvester.settings import Limits
from longline.model import Request, Response
from longline.source import read_spec

NOW = datetime(2026, 11, 23, 14, tzinfo=UTC)
EPOCH = int(NOW.timestamp())
HTTP_DATE = format_datetime(NOW + timedelta(seconds=90), usegmt=True)

REMAINING = ["X-RateLimit-Remaining", "RateLimit-Remaining", "X-Rate-Limit-Remaining"]
RESET = ["X-RateLimit-Reset", "RateLimit-Reset", "X-Rate-Limit-Reset"]
PAIRS = list(zip(REMAINING, RESET, strict=True))


def asked(status: int, **headers: str) -> float | None:
    """Return the requested wait in seconds, or None; underscores in names become hyphens."""
    small = {name.lower().replace("_", "-"): value for name, value in headers.items()}
    found = asked_wait(status, small, NOW)
    return None if found is None else found[0]


@pytest.mark.parametrize(("remaining", "reset"), PAIRS)
@pytest.mark.parametrize("status", [403, 429, 503])
@pytest.mark.parametrize(
    "value", [str(EPOCH + 90), "90", "90.0", HTTP_DATE, "2026-11-23T14:01:30Z"]
)
def test_a_spent_allowance_asks_to_wait(
    status: int, remaining: str, reset: str, value: str
) -> None:
    """No requests left, with a reset as epoch, seconds or date, means to wait until then."""
    assert asked(status, **{remaining: "0", reset: value}) == 90


@pytest.mark.parametrize(("remaining", "reset"), PAIRS)
@pytest.mark.parametrize("left", ["1", "59", "", "none", "-1", "0, 0"])
def test_an_allowance_that_is_not_spent_asks_for_nothing(
    remaining: str, reset: str, left: str
) -> None:
    """A refusal with requests left, or without a valid number, asks for no wait."""
    assert asked(403, **{remaining: left, reset: "90"}) is None


@pytest.mark.parametrize("status", [200, 302, 400, 401, 404, 501])
def test_other_answers_ask_for_nothing(status: int) -> None:
    """Only a temporary refusal can ask for a wait."""
    assert asked(status, Retry_After="5", **{"X-RateLimit-Remaining": "0"}) is None


def test_a_refusal_without_any_header_asks_for_nothing() -> None:
    """403 needs a Retry-After or a spent quota; 429 needs any header with a time."""
    assert asked(403) is None
    assert asked(403, **{"X-RateLimit-Reset": "90"}) is None
    assert asked(429) is None
    assert asked(429, **{"X-RateLimit-Reset": "90"}) == 90
    assert asked(403, Retry_After="7") == 7


def test_retry_after_goes_before_other_headers() -> None:
    """Retry-After has priority over other headers, unless it is invalid."""
    both = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "90"}
    assert asked(429, Retry_After="5", **both) == 5
    assert asked(429, Retry_After="soon", **both) == 90


@given(st.sampled_from(["Retry-After", *RESET]), st.text(max_size=30) | st.integers().map(str))
def test_no_header_asks_for_an_absurd_wait(name: str, value: str) -> None:
    """Any header gives a wait of 0 seconds to 31 days, or None."""
    seconds = asked(429, **{name: value})
    assert seconds is None or 0 <= seconds <= ABSURD_SECONDS


@pytest.mark.parametrize(
    "value", ["-5", str(EPOCH - 5), "2678401", "9" * 40, str(EPOCH + 2678401), "Infinity", "nan"]
)
@pytest.mark.parametrize("name", ["Retry-After", *RESET])
def test_absurd_and_past_waits_are_ignored(name: str, value: str) -> None:
    """Negative, past and endless waits are ignored."""
    assert asked(429, **{name: value}) is None


@pytest.mark.parametrize("status", [403, 429, 503])
def test_the_site_is_left_alone_so_long(site: Any, reply: Any, run: Any, status: int) -> None:
    """After a refusal that asks for one second, no request is sent for that time."""
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}
    site.replies |= {"/a": [reply(status=status, headers=headers), reply("a")], "/b": "b"}
    told: list[Wait] = []

    async def work(fetcher: WebFetcher) -> list[Response]:
        first = asyncio.create_task(fetcher.fetch(Request(f"{site.url}/a")))
        while not told:
            await asyncio.sleep(0.01)
        return [await fetcher.fetch(Request(f"{site.url}/b")), await first]

    responses = run(work, on_wait=told.append, robots=False)
    assert [response.body for response in responses] == [b"b", b"a"]
    times = [seen.seconds for seen in site.seen]
    assert min(times[1:]) - times[0] >= 0.99
    assert [(wait.host, wait.reason) for wait in told] == [
        ("127.0.0.1", f"{status}, X-RateLimit-Reset 1")
    ]


@pytest.mark.parametrize(("long", "said"), [(0.0, ["500 Internal Server Error"]), (60.0, [])])
def test_a_retry_is_told_where_it_takes_long(
    site: Any, reply: Any, run: Any, monkeypatch: pytest.MonkeyPatch, long: float, said: list[str]
) -> None:
    """A retry after a long wait is reported; a short one is not."""
    monkeypatch.setattr("longline.fetch._send.LONG_SECONDS", long)
    site.replies["/"] = [reply(status=500), reply("a")]
    told: list[Wait] = []
    run(lambda fetcher: fetcher.fetch(Request(site.url)), on_wait=told.append, robots=False)
    assert [wait.reason for wait in told if not wait.is_asked] == said


@pytest.mark.parametrize("status", [403, 429, 503])
@pytest.mark.parametrize("retries", [0, 3])
def test_a_wait_beyond_the_allowed_one_ends_the_run(
    site: Any, reply: Any, run: Any, status: int, retries: int
) -> None:
    """A wait above the maximum ends the run with its end time, without further requests."""
    site.replies["/"] = reply(status=status, headers={"Retry-After": "61"})
    waits: list[Wait] = []
    kept: list[Wait] = []

    async def work(fetcher: WebFetcher) -> list[Any]:
        requests = [fetcher.fetch(Request(site.url)) for _ in range(2)]
        return [await outcome_of(each) for each in requests]

    first, second = run(
        work,
        max_wait=60,
        retries=retries,
        robots=False,
        now=NOW.timestamp,
        on_wait=waits.append,
        on_asked=kept.append,
    )
    until = NOW + timedelta(seconds=61)
    for error in first, second:
        assert isinstance(error, AskedToWait)
        assert (error.host, error.until) == ("127.0.0.1", until)
        assert "until 2026-11-23 14:02 UTC" in str(error)
        assert f"({status}, Retry-After 61)" in str(error)
    assert (first.requests, second.requests, len(site.seen)) == (1, 0, 1)
    assert (waits, kept) == ([], [Wait("127.0.0.1", until, f"{status}, Retry-After 61")])


async def outcome_of(coming: Any) -> Any:
    try:
        return await coming
    except LonglineError as error:
        return error


def test_a_wait_just_as_long_as_allowed_is_waited_for(site: Any, reply: Any, fetch: Any) -> None:
    """A wait equal to the maximum does not end the run."""
    site.replies["/"] = [reply(status=429, headers={"Retry-After": "1"}), reply("a")]
    assert isinstance(fetch(site.url, max_wait=1.0), Response)


def test_a_site_that_asks_again_and_again_is_refused_in_the_end(
    site: Any, reply: Any, fetch: Any
) -> None:
    """Requested waits count as tries."""
    site.replies["/"] = reply(status=429, headers={"Retry-After": "0"})
    error = fetch(site.url)
    assert isinstance(error, RefusedError)
    assert (error.status, error.requests) == (429, 4)


@pytest.mark.parametrize("seconds", [30.0, 3000.0])
def test_what_an_earlier_run_was_asked_for_is_heeded(site: Any, fetch: Any, seconds: float) -> None:
    """A wait from an earlier run applies until its end."""
    site.replies["/"] = "a"
    wait = Wait("127.0.0.1", NOW, "429, Retry-After 3000")

    def ask(before: float) -> Any:
        now = NOW.timestamp() - before
        return fetch(site.url, known_waits={"127.0.0.1": wait}, now=lambda: now, max_wait=9)

    assert isinstance(ask(seconds), AskedToWait)
    assert not site.seen
    assert isinstance(ask(-1), Response)


def test_other_hosts_need_not_wait(site: Any, fetch: Any) -> None:
    """A wait requested by one host does not affect another."""
    site.replies["/"] = "a"
    waits = {"b.example": Wait("b.example", NOW + timedelta(days=1), "429, Retry-After 86400")}
    assert isinstance(fetch(site.url, known_waits=waits, now=NOW.timestamp), Response)


def test_an_interrupt_ends_a_wait_at_once(site: Any, reply: Any, run: Any) -> None:
    """A stop ends all requested waits at once."""
    site.replies["/"] = reply(status=503, headers={"Retry-After": "500"})

    async def work(fetcher: WebFetcher) -> tuple[Any, float]:
        asking = [asyncio.create_task(fetcher.fetch(Request(site.url))) for _ in range(3)]
        while not site.seen:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        begun = time.monotonic()
        fetcher.stop()
        outcomes = await asyncio.gather(*asking, return_exceptions=True)
        return outcomes, time.monotonic() - begun

    outcomes, seconds = run(work, robots=False)
    assert all(isinstance(outcome, Interrupted) for outcome in outcomes)
    assert seconds < 0.5


def test_a_wait_is_said_once_and_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wait prints one line with its end, host and reason, and no date for today."""
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    say = waiting()
    today = datetime.now(UTC).replace(hour=0, minute=5, second=0, microsecond=0)
    for until in today, today, today + timedelta(days=1):
        say(Wait("shop.example", until, "429, Retry-After 300"))
    for _ in range(2):
        say(Wait("shop.example", today, "nothing came for 30 s", is_asked=False))
    say(Wait("shop.example", today, "no answer", is_asked=False, gives_up=today))
    tomorrow = f"{today + timedelta(days=1):%Y-%m-%d}"
    assert said.getvalue().splitlines() == [
        "waiting until 00:05 UTC: shop.example asked for it (429, Retry-After 300)",
        f"waiting until {tomorrow} 00:05 UTC: shop.example asked for it (429, Retry-After 300)",
        "00:05 UTC: asking shop.example again (nothing came for 30 s)",
        "waiting for shop.example, which does not answer any more, until 00:05 UTC at most; "
        "--max-wait SECONDS sets how long, Ctrl-C ends it (no answer)",
    ]


SPEC = """
[source]
name = "pets"
url = "{url}/"
[ask]
url = "{url}/search?q={{query}}"
[results]
hit = ".hit"
link = "a"
title = "a"
"""


def harvests(folder: Path, url: str, limits: Sequence[Limits]) -> list[Any]:
    """Run one harvest per limits; return the certificates."""
    spec = read_spec(SPEC.format(url=url))
    return [Harvest(folder, spec, {"words": ("cat", "dog")}, each).run() for each in limits]


def test_the_next_run_knows_what_the_site_asked_for(site: Any, reply: Any, tmp_path: Path) -> None:
    """A harvest asked to wait a day stops cleanly; the next run sends no request."""
    site.replies["/robots.txt"] = ""
    refusal = reply(status=429, headers={"Retry-After": "86400"})
    site.replies |= {f"/search?q={word}": refusal for word in ("cat", "dog")}
    limits = Limits(allow_private=True)
    first, second = harvests(tmp_path / "got", site.url, [limits, limits])
    asked_for = len(site.seen)
    for certificate in first, second:
        assert "asked to wait until" in certificate.stopped
        assert "(429, Retry-After 86400)" in certificate.stopped
        assert not certificate.target_met
    assert first.stopped == second.stopped
    assert len(site.seen) == asked_for == 2
    assert second.requests == 2


TOLD = [
    {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2"},
    {"RateLimit": '"minute";r=0;t=2'},
    {"RateLimit": "limit=9, remaining=0, reset=2"},
]


@pytest.mark.slow
@pytest.mark.parametrize("headers", TOLD, ids=lambda headers: next(iter(headers.values())))
def test_a_good_answer_that_leaves_nothing_is_heeded(
    site: Any, reply: Any, run: Any, headers: dict[str, str]
) -> None:
    """If a response spends the quota, it is kept, and the next request waits for the reset."""
    site.replies["/a"] = [reply("a", headers=headers), reply("again")]
    told: list[Wait] = []

    async def work(fetcher: WebFetcher) -> list[Response]:
        return [await fetcher.fetch(Request(f"{site.url}/a")) for _ in range(2)]

    first, second = run(work, on_wait=told.append, robots=False)
    assert (first.body, second.body) == (b"a", b"again")
    times = [seen.seconds for seen in site.seen]
    assert times[1] - times[0] >= 1.9
    assert [wait.host for wait in told] == ["127.0.0.1"]


def test_requests_that_are_left_are_sent_without_a_pause(site: Any, reply: Any, run: Any) -> None:
    """With two requests left, two are sent at once; the next one waits."""
    left = {"X-RateLimit-Remaining": "2", "X-RateLimit-Reset": "1"}
    site.replies["/a"] = reply("a", headers=left)

    async def work(fetcher: WebFetcher) -> list[Response]:
        return [await fetcher.fetch(Request(f"{site.url}/a")) for _ in range(4)]

    run(work, robots=False)
    times = [seen.seconds for seen in site.seen]
    assert times[2] - times[0] < 0.9
    assert times[3] - times[0] >= 0.9


def test_a_quota_beyond_the_allowed_wait_ends_the_run_after_the_answer(
    site: Any, reply: Any, run: Any
) -> None:
    """If the quota's reset is too far away, the response is kept and the next request fails."""
    spent = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600"}
    site.replies["/"] = reply("a", headers=spent)

    async def work(fetcher: WebFetcher) -> list[Any]:
        return [await outcome_of(fetcher.fetch(Request(site.url))) for _ in range(2)]

    first, second = run(work, max_wait=60, robots=False)
    assert first.body == b"a"
    assert isinstance(second, AskedToWait)
    assert len(site.seen) == 1
