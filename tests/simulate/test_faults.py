import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest
from bench.faulty.faults import Drop, Fault, Faulty, Refuse, Slow

from longline.simulate.search.searcher import Searcher
from longline.simulate.site.server import running_site
from longline.simulate.site.website import website


@contextmanager
def faulty(box: Searcher, *faults: Fault) -> Iterator[httpx2.Client]:
    with running_site(Faulty(website(box), *faults)) as url, httpx2.Client(base_url=url) as client:
        yield client


def statuses(client: httpx2.Client, path: str, times: int) -> list[int]:
    return [client.get(path).status_code for _ in range(times)]


def test_chosen_requests_are_refused(box: Searcher) -> None:
    """The second and third search get 429 with Retry-After; other pages do not count."""
    fault = Refuse(429, retry_after="1", target="^/search", requests=[2, 3])
    with faulty(box, fault) as client:
        assert statuses(client, "/", 3) == [200] * 3
        assert statuses(client, "/search?q=ship", 4) == [200, 429, 429, 200]
    with faulty(box, fault) as client:
        client.get("/search?q=ship")
        assert client.get("/search?q=pilot").headers["retry-after"] == "1"
        assert statuses(client, "/search?q=ship", 2) == [429, 200]


def test_chosen_paths_always_fail(box: Searcher) -> None:
    """A server error and a missing document are set by address; the rest works."""
    with faulty(
        box,
        Refuse(500, target="page=2"),
        Refuse(404, target="^/documents/log%2F01$"),
    ) as client:
        assert statuses(client, "/search?q=ship&page=2", 2) == [500, 500]
        assert statuses(client, "/documents/log%2F01", 1) == [404]
        assert statuses(client, "/documents/log%2F02", 1) == [200]
        assert "retry-after" not in client.get("/search?q=ship&page=2").headers


@pytest.mark.parametrize("after_bytes", [0, 100, 10**9])
def test_a_dropped_connection_breaks_the_answer(box: Searcher, after_bytes: int) -> None:
    """The announced length is never received; a new connection gets a response."""
    with faulty(box, Drop(after_bytes, target="^/search", requests=[1])) as client:
        if after_bytes > 10_000:
            assert client.get("/search?q=ship").status_code == 200
        else:
            with pytest.raises(httpx2.RemoteProtocolError):
                client.get("/search?q=ship")
        assert httpx2.get(client.base_url.join("/search?q=ship")).status_code == 200


def test_faults_combine(box: Searcher) -> None:
    """A request matched by two faults is slow and refused; other requests are normal."""
    with faulty(box, Slow(0.2, requests=[2]), Refuse(503, requests=[2])) as client:
        assert client.get("/").status_code == 200
        started = time.monotonic()
        assert client.get("/").status_code == 503
        assert time.monotonic() - started >= 0.2
        assert client.get("/").status_code == 200


def test_a_slow_answer_does_not_hold_up_the_end(box: Searcher) -> None:
    """A site stops quickly although a response is still pending."""
    started = time.monotonic()
    with faulty(box, Slow(60)) as client, pytest.raises(httpx2.ReadTimeout):
        client.get("/", timeout=0.1)
    assert time.monotonic() - started < 10
