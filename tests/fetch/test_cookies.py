"""Cookies are stored byte for byte and sent only where they belong."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.fetch import WebFetcher
from longline.fetch._cookies import Jar, read_date
from longline.model import Request

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("value", ["Zürich".encode(), b"Z\xfcrich", "東京".encode(), b'"a b", c'])
def test_a_cookie_goes_back_as_it_came(site: Any, reply: Any, run: Any, value: bytes) -> None:
    """A cookie is sent back with exactly the bytes received."""
    head = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nSet-Cookie: town=" + value
    site.replies |= {"/": reply(raw=head + b"\r\n\r\n"), "/b": "b"}

    async def work(fetcher: WebFetcher) -> None:
        for _ in range(2):
            assert (await fetcher.fetch(Request(f"{site.url}/"))).body == b"b"

    run(work, robots=False)
    sent = [seen.headers.get("cookie", "") for seen in site.seen]
    assert [each.encode("latin-1") for each in sent] == [b"", *[b"town=" + value] * 3]


def test_a_cookie_of_the_spec_is_sent_as_it_is_written(site: Any, fetch: Any) -> None:
    """A Cookie header in the request itself is sent in UTF-8."""
    site.replies["/"] = "a"
    fetch(Request(site.url, headers=(("Cookie", "town=Zürich"),)))
    assert site.seen[0].headers["cookie"].encode("latin-1") == "town=Zürich".encode()


def test_a_script_sets_no_cookie_that_the_source_has_set(site: Any, reply: Any, run: Any) -> None:
    """A script can add cookies, but not replace those that the source set."""
    site.replies["/"] = reply("a", headers={"Set-Cookie": "a=1"})

    async def work(fetcher: WebFetcher) -> None:
        await fetcher.fetch(Request(f"{site.url}/"))
        fetcher.keep_cookies("a=2; b=ü; c=3", f"{site.url}/in/page")
        await fetcher.fetch(Request(f"{site.url}/"))

    run(work, robots=False)
    assert site.seen[1].headers["cookie"].encode("latin-1") == "a=1; b=ü; c=3".encode()


def test_a_cookie_ends(site: Any) -> None:
    """A cookie is sent until it expires; Max-Age has priority over Expires."""
    jar = Jar()
    expires = b"; Expires=Thu, 01 Jan 2026 00:01:00 GMT"
    jar.keep(b"a=1" + expires, "http://x.example/", NOW)
    jar.keep(b"b=2; Max-Age=120" + expires, "http://x.example/", NOW)
    sent = [jar.header("http://x.example/", NOW + timedelta(seconds=s)) for s in (0, 59, 61, 121)]
    assert sent == [b"a=1; b=2", b"a=1; b=2", b"b=2", b""]
    jar.keep(b"b=; Max-Age=0", "http://x.example/", NOW)
    assert jar.names() == {b"a"}


@pytest.mark.parametrize(
    ("header", "other", "is_sent"),
    [
        (b"a=1", "http://x.example/", True),
        (b"a=1", "http://in.x.example/", False),
        (b"a=1; Domain=x.example", "http://in.x.example/", True),
        (b"a=1; Domain=.X.Example", "http://in.x.example/", True),
        (b"a=1; Domain=example", "http://y.example/", False),
        (b"a=1; Domain=y.example", "http://y.example/", False),
        (b"a=1; Secure", "http://x.example/", False),
        (b"a=1; Secure", "https://x.example/", True),
        (b"a=1; Path=/in", "http://x.example/inner", False),
        (b"a=1; Path=/in", "http://x.example/in/ner", True),
        (b"a=1; Path=/in/", "http://x.example/in", False),
        (b"a=" + b"x" * 5000, "http://x.example/", False),
    ],
)
def test_a_cookie_goes_only_where_it_belongs(header: bytes, other: str, is_sent: bool) -> None:
    """Host, domain, path and the Secure flag decide where a cookie is sent."""
    jar = Jar()
    jar.keep(header, "https://x.example/search", NOW)
    assert bool(jar.header(other, NOW)) == is_sent


def test_an_address_has_no_hosts_below_it() -> None:
    """A part of an IP address is not a cookie domain."""
    jar = Jar()
    jar.keep(b"a=1; Domain=0.0.1", "http://127.0.0.1/", NOW)
    assert not jar.names()


def test_cookies_do_not_pile_up() -> None:
    """Only the last fifty cookies of a source are kept."""
    jar = Jar()
    for number in range(1000):
        jar.keep(b"c%d=1" % number, "http://x.example/", NOW)
    assert jar.names() == {b"c%d" % number for number in range(950, 1000)}


@given(st.binary(max_size=80), st.sampled_from([b"", b"a=1;Expires=", b"a=1;Max-Age=", b"a=1;"]))
def test_any_header_is_a_cookie_or_none(rest: bytes, start: bytes) -> None:
    """No bytes raise an error, and the header that is sent contains no line break."""
    jar = Jar()
    jar.keep(start + rest.translate(None, b"\r\n\0"), "http://x.example/", NOW)
    assert not set(jar.header("http://x.example/", NOW)) & set(b"\r\n\0")


@given(st.text(max_size=40))
def test_any_text_is_a_date_or_none(text: str) -> None:
    """Any text is read as a date in UTC or as None, without an error."""
    read = read_date(text)
    assert read is None or read.tzinfo is UTC
