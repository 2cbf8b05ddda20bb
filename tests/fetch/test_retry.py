"""Retries: which failures are retried, and after how long."""

import gzip
import socket
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import RefusedError, StoppedShort, UnreachableError
from longline.fetch._retry import STUBBORN_TRIES, Tries, backoff, retry_after
from longline.model import Response

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HANG_UP = b""


@given(st.text(max_size=30))
def test_any_retry_after_is_a_wait_or_nothing(value: str) -> None:
    """Any header is read as a wait of 0 seconds or more, or as None."""
    wait = retry_after(value, NOW)
    assert wait is None or wait >= 0


@given(st.integers(0, 10**6))
def test_retry_after_as_a_date_is_the_time_until_then(seconds: int) -> None:
    """An HTTP date gives the same wait as the number of seconds until then."""
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after(date, NOW) == retry_after(str(seconds), NOW) == seconds


@pytest.mark.parametrize(
    "value",
    [None, "", "-5", "soon", "1.5", "Wed, 31 Dec 2025 23:59:59 GMT", "Wed, 99 Foo 2026", "²"],
)
def test_nonsense_asks_for_nothing(value: str | None) -> None:
    """Negative, past, fractional and unreadable values are ignored."""
    assert retry_after(value, NOW) is None


@given(st.integers(1, 60), st.integers(0, 2**32))
def test_backoff_doubles_within_its_bounds(attempt: int, seed: int) -> None:
    """The wait is 50 to 150 % of the doubled base, and never above the maximum."""
    wait = backoff(attempt, base_seconds=1, most_seconds=100, rng=np.random.default_rng(seed))
    doubled = 2.0 ** (attempt - 1)
    assert min(100, 0.5 * doubled) <= wait <= min(100, 1.5 * doubled)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_site_is_asked_four_times(site: Any, reply: Any, fetch: Any, status: int) -> None:
    """A temporary status is retried three times, and the response counts all requests."""
    site.replies["/"] = [reply(status=status)] * 3 + [reply("done")]
    response = fetch(site.url)
    assert isinstance(response, Response)
    assert (response.body, response.requests, len(site.seen)) == (b"done", 4, 4)
    site.replies["/"] = reply(status=status)
    error = fetch(site.url)
    assert isinstance(error, RefusedError)
    assert (error.status, error.requests) == (status, 4)


def test_an_error_of_the_site_is_tried_twice(site: Any, reply: Any, fetch: Any) -> None:
    """Status 500 is retried once, after a short wait."""
    site.replies["/"] = [reply(status=500), reply("done")]
    assert isinstance(fetch(site.url), Response)
    site.replies["/"] = reply(status=500)
    begun = time.monotonic()
    error = fetch(site.url, wait_seconds=1.0)
    assert isinstance(error, RefusedError)
    assert (error.status, error.requests, len(site.seen)) == (500, 2, 4)
    assert 0.25 <= time.monotonic() - begun < 0.95


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 501])
def test_final_statuses_are_not_tried_again(site: Any, reply: Any, fetch: Any, status: int) -> None:
    """A permanent status is refused after one request, with status and URL."""
    site.replies["/x"] = reply("sorry", status=status)
    error = fetch(f"{site.url}/x")
    assert isinstance(error, RefusedError)
    assert (error.status, error.url, error.requests) == (status, f"{site.url}/x", 1)
    assert len(site.seen) == 1


def test_a_status_that_does_not_pass_is_refused_in_the_end(
    site: Any, reply: Any, fetch: Any
) -> None:
    """After the last retry the status is final, and every request is counted."""
    site.replies["/"] = reply(status=503)
    error = fetch(site.url, retries=2)
    assert isinstance(error, RefusedError)
    assert (error.status, error.requests, len(site.seen)) == (503, 3, 3)


@pytest.mark.parametrize(
    "broken",
    [HANG_UP, b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", b"no HTTP\r\n"],
    ids=["nothing", "half", "no HTTP"],
)
def test_a_broken_answer_is_tried_twice(site: Any, reply: Any, fetch: Any, broken: bytes) -> None:
    """A connection that breaks before or within the response is retried once."""
    site.replies["/"] = [reply(raw=broken), reply("ok")]
    response = fetch(site.url)
    assert isinstance(response, Response)
    assert (response.body, response.requests) == (b"ok", 2)
    site.replies["/"] = reply(raw=broken)
    error = fetch(site.url)
    assert isinstance(error, UnreachableError)
    assert (error.requests, len(site.seen)) == (2, 4)


def test_troubles_of_several_kinds_are_counted_together(site: Any, reply: Any, fetch: Any) -> None:
    """Different failures share the limit of four tries; two broken or failing ones end it."""
    site.replies["/"] = [
        reply(status=503),
        reply(raw=HANG_UP),
        reply(status=503),
        reply(status=429),
    ]
    error = fetch(site.url)
    assert isinstance(error, RefusedError)
    assert (error.status, error.requests) == (429, 4)
    site.replies["/"] = [reply(status=500), reply(status=503), reply(raw=HANG_UP)]
    assert fetch(site.url).requests == 3


def test_slow_refusals_are_not_tried_for_ever(site: Any, reply: Any, fetch: Any) -> None:
    """Retries stop once responses have taken twice the deadline in total."""
    site.replies["/"] = reply(status=503, wait_seconds=0.35)
    error = fetch(site.url, deadline=0.5)
    assert isinstance(error, RefusedError)
    assert (error.status, error.requests) == (503, 3)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.sampled_from(["busy", "broken", "slow"]), st.floats(0, 60)), min_size=8),
    st.integers(1, 6),
)
def test_tries_have_bounds_in_number_and_time(troubles: list[Any], most: int) -> None:
    """Tries are limited by their number, by two that are not busy, and by 120 seconds."""
    rng = np.random.default_rng(0)
    tries = Tries(most, 120, wait_seconds=1, most_wait_seconds=60, rng=rng)
    made = []
    for trouble, seconds in troubles:
        made.append((trouble, seconds))
        wait = tries.wait_after(trouble, seconds)
        if wait is None:
            break
        assert 0.25 <= wait <= 60
    assert tries.made == len(made) <= most
    assert sum(trouble != "busy" for trouble, _ in made) <= STUBBORN_TRIES
    assert sum(seconds for _, seconds in made[:-1]) < 120


def test_a_refused_connection_is_named(fetch: Any, site: Any) -> None:
    """The error of a refused connection has host, port, reason and number of tries."""
    error = fetch("http://127.0.0.1:1/")
    assert isinstance(error, UnreachableError)
    assert (error.host, error.port, error.requests) == ("127.0.0.1", 1, 4)
    assert "Connection refused" in str(error)


def test_a_name_that_does_not_exist_is_named(fetch: Any) -> None:
    """An unknown name is not retried, and the error names it."""
    error = fetch("http://a..b:81/")
    assert isinstance(error, UnreachableError)
    assert (error.host, error.port, error.requests) == ("a..b", 81, 1)


def test_silence_times_out(site: Any, reply: Any, fetch: Any) -> None:
    """A server that does not answer is tried twice and is then unreachable."""
    site.replies["/"] = reply("late", wait_seconds=1.0)
    error = fetch(site.url, timeout=0.1)
    assert isinstance(error, UnreachableError)
    assert "nothing came for 0.1 s" in str(error)
    assert error.requests == 2


def test_a_drip_is_cut_off(site: Any, reply: Any, fetch: Any) -> None:
    """An endless response is stopped at the deadline, and retried once."""
    site.replies["/"] = reply(b"x" * 400, drip_seconds=0.05)
    begun = time.monotonic()
    error = fetch(site.url, deadline=0.3)
    assert isinstance(error, UnreachableError)
    assert "longer than 0.3 s" in str(error)
    assert error.requests == 2
    assert time.monotonic() - begun < 1.2


def test_a_drip_of_headers_is_cut_off(fetch: Any) -> None:
    """Endless headers are stopped at the deadline, too."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)

        def drip() -> None:
            for _ in range(2):
                connection, _ = server.accept()
                with connection, suppress(OSError):
                    connection.sendall(b"HTTP/1.1 200 OK\r\n")
                    for number in range(100):
                        connection.sendall(b"X-%d: a\r\n" % number)
                        time.sleep(0.03)

        dripping = threading.Thread(target=drip)
        dripping.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        error = fetch(url, deadline=0.2)
        dripping.join()
    assert isinstance(error, UnreachableError)
    assert ("longer than 0.2 s" in str(error), error.requests) == (True, 2)


def test_the_deadline_is_twice_the_timeout(site: Any, reply: Any, fetch: Any) -> None:
    """By default, the deadline of a complete response is twice the timeout."""
    site.replies["/"] = reply(b"x" * 400, drip_seconds=0.05)
    error = fetch(site.url, timeout=0.2, retries=0)
    assert isinstance(error, UnreachableError)
    assert "longer than 0.4 s" in str(error)


@pytest.mark.parametrize("wait", ["1", "date"])
def test_retry_after_is_obeyed(site: Any, reply: Any, fetch: Any, wait: str) -> None:
    """The next try waits as long as the source asks, in seconds or as a date."""

    def refuse(seen: Any) -> Any:
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
        return reply(status=503, headers={"Retry-After": date if wait == "date" else wait})

    site.replies["/"] = [refuse, reply("ok")]
    response = fetch(site.url)
    assert isinstance(response, Response)
    assert site.seen[1].seconds - site.seen[0].seconds >= (0.9 if wait == "date" else 1.0)


@pytest.mark.parametrize("wait", ["-3", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"])
def test_a_senseless_retry_after_is_an_ordinary_retry(
    site: Any, reply: Any, fetch: Any, wait: str
) -> None:
    """A Retry-After that makes no sense leads to an ordinary retry."""
    site.replies["/"] = [reply(status=429, headers={"Retry-After": wait}), reply("ok")]
    response = fetch(site.url)
    assert isinstance(response, Response)
    assert response.requests == 2


def test_what_was_sent_in_vain_before_a_stop_is_counted(site: Any, reply: Any, fetch: Any) -> None:
    """When a budget ends between two tries, the error counts the requests already sent."""
    site.replies["/"] = [reply(status=503)] * 9
    allowed = iter(range(2))

    def spend() -> None:
        if next(allowed, None) is None:
            raise StoppedShort("spent")

    stopped = fetch(site.url, on_send=spend, wait_seconds=0.001, robots=False)
    assert isinstance(stopped, StoppedShort)
    assert (stopped.requests, len(site.pages)) == (2, 2)


def test_every_answer_is_weighed(site: Any, reply: Any, fetch: Any) -> None:
    """The hook gets the body size in bytes of each response, also of refusals."""
    site.replies["/"] = [reply("busy", status=503), reply("done it")]
    weighed: list[int] = []
    fetch(site.url, on_receive=weighed.append, wait_seconds=0.001, robots=False)
    assert weighed == [4, 7]


@pytest.mark.parametrize("coding", ["", "gzip", "br"])
def test_a_refusal_with_a_captcha_says_so(coding: str, site: Any, reply: Any, fetch: Any) -> None:
    """A 403 with a captcha is reported as a captcha, a plain one as refused; also compressed."""
    check = "<title>Just a moment</title><div class=g-reCAPTCHA></div>"
    for text, cause in (("no", "refused"), (check, "captcha")):
        body = gzip.compress(text.encode()) if coding == "gzip" else text
        site.replies["/"] = reply(body, status=403, headers={"Content-Encoding": coding})
        error = fetch(site.url)
        assert isinstance(error, RefusedError)
        assert error.ending == ("blocked", cause)
    assert error.advice == "wait some hours, and lower the rate"
