"""Cookies: malformed Set-Cookie headers on unusual hosts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.fuzz import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.fetch._cookies import Jar, read_date

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SEEDS = (
    b"a=1; Path=/in; Max-Age=60; Domain=.x.example; Secure; HttpOnly; SameSite=Lax",
    b"sid=x; Expires=Thu, 01 Jan 2027 00:00:30 GMT; path=/",
    b"b=; expires=Thursday, 01-Jan-70 00:00:00 GMT",
)
WORDS = (
    *(
        b";",
        b"=",
        b",",
        b" ",
        b"\t",
        b'"',
        b"Path=",
        b"Domain=",
        b"Expires=",
        b"Max-Age=",
        b"Secure",
        b"a=1",
    ),
    *(
        b"-1",
        b"9" * 30,
        b"\xb2",
        b"\xfc",
        b"\xff",
        b"..",
        b".",
        b"x.example",
        b"127.0.0.1",
        b"[::1]",
        b"/",
    ),
    *(b"00:00:60", b"24:00:00", b"31 feb 2026", b"1601", b"9999", b"jan", b"99", b"1" * 5000),
)
URLS = ("https://x.example/in/1", "http://x.example", "http://127.0.0.1/", "http://[::1]:8080/a;b")


class Sent(NamedTuple):
    """The Set-Cookie headers of some responses, and the URLs that sent them."""

    headers: list[bytes]
    urls: list[str]


def make(rng: Random, vectors: Path | None) -> Sent:
    """Draw headers and URLs."""
    good = list(SEEDS)
    if vectors is not None:
        good += seeds.files(vectors / "http-state/tests/data/parser", "*-test")
    mutator = Mutator(rng, good, WORDS)
    count = rng.choice((1, 1, 2, 2, 3, 3, 4, 60))
    return Sent([mutator.case() for _ in range(count)], [rng.choice(URLS) for _ in range(count)])


def check(sent: Sent) -> None:
    """The jar raises no error, and its size is limited."""
    jar = Jar()
    for header, url in zip(sent.headers, sent.urls, strict=True):
        jar.keep(header, url, NOW)
        for moment in (NOW, NOW + timedelta(days=500)):
            assert isinstance(jar.header(url, moment), bytes)
        for part in header.split(b";"):
            read_date(part.decode("latin-1"))
    assert len(jar.names()) <= 50 * len(URLS)


TARGET = Target("cookies", make, check)
