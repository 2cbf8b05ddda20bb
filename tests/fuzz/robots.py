"""robots.txt: malformed rules, and patterns that could take very long to match."""

from collections.abc import Coroutine
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.fuzz import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.errors import RobotsError
from longline.events import RobotsRead
from longline.fetch._robots import Robots, origin_of

SEEDS = (
    "User-agent: *\nDisallow: /in\nAllow: /in/*.html$\nCrawl-delay: 2\nRequest-rate: 1/5\n",
    "User-agent: longline/2\nUser-agent: *\nDisallow: /*?q=\n\nSitemap: https://x.example/s.xml",
)
WORDS = (
    *(
        "User-agent: ",
        "Disallow: ",
        "Allow: ",
        "Crawl-delay: ",
        "Request-rate: ",
        "Visit-time: ",
        "Sitemap: ",
    ),
    *(
        "*",
        "$",
        "/",
        "a",
        "*a",
        "%",
        "%2F",
        "%zz",
        "?",
        "#",
        ":",
        "\n",
        "\r",
        "\v",
        "\u2028",
        "\ufeff",
        "\0",
    ),
    *(
        "longline",
        "nan",
        "inf",
        "-1",
        "0",
        "1/0",
        "0/5",
        "1/5m",
        "1e400",
        "9" * 5000,
        "0600-0845",
        "1/1h",
        " ",
        "²",
    ),
)
PATHS = (
    "/",
    "/in/1.html",
    "/?q=deep+web",
    "/a/" * 60,
    "/" + "a" * 2000,
    "/%E2%98%83;x?y=z#f",
    "/in[1]",
)


class Ruled(NamedTuple):
    """A robots.txt, and the URL to check."""

    text: str
    url: str


def make(rng: Random, vectors: Path | None) -> Ruled:
    """Draw rules and a URL."""
    good = list(SEEDS)
    if vectors is not None:
        cases = seeds.json_of(vectors / "google-robotstxt/cases.json")
        good += [case["robots"] for case in cases]
    return Ruled(Mutator(rng, good, WORDS).case(), f"https://x.example{rng.choice(PATHS)}")


def check(ruled: Ruled) -> None:
    """Any robots.txt gives a finite delay of 0 seconds or more, or `RobotsError`."""
    read = RobotsRead(origin_of(ruled.url), 200, ruled.text)
    robots = Robots("longline/1", None, known={read.origin: read}, on_read=id, now=lambda: 0.0)  # type: ignore[arg-type]
    try:
        seconds = now(robots.check(ruled.url))
    except RobotsError:
        return
    assert isfinite(seconds), seconds
    assert seconds >= 0


def now(coroutine: Coroutine[Any, Any, float]) -> float:
    """Run a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return float(end.value)
    raise AssertionError("it waits")


TARGET = Target("robots", make, check)
