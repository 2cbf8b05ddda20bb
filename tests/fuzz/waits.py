"""Waits that responses request: Retry-After, X-RateLimit-*."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.errors import minute
from longline.fetch._retry import ABSURD_SECONDS, asked_wait, retry_after

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ("retry-after", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit-reset-after")
SEEDS = (
    *(
        "120",
        "0",
        "-5",
        "1.5",
        "1767225630",
        "1767225630123",
        "soon",
        "Thu, 01 Jan 2026 00:00:30 GMT",
    ),
    *("2026-01-01T00:00:30Z", "2026-01-01", "20260101T000030", "Thursday, 01-Jan-26 00:00:30 GMT"),
    *(
        "Thu Jan  1 00:00:30 2026",
        "01 Jan 2026 00:00:30 +9999",
        "2026-W01-1",
        "100;w=60",
        "nan",
        "",
    ),
)
WORDS = (
    *(
        "9" * 30,
        "0",
        "-",
        "+",
        ":",
        ",",
        ".",
        " ",
        "T",
        "Z",
        "GMT",
        "+0000",
        "-9999",
        "+99:99",
        "24:00:00",
    ),
    *(
        "e",
        "1e9",
        "inf",
        "²",
        "٣",
        "１",
        "\0",
        "(",
        ")",
        "(a",
        "Feb 30",
        "Jan",
        "0001",
        "9999",
        "10000",
        "W",
        "\ud800",
    ),
)


class Asked(NamedTuple):
    """The status and headers of a refusal."""

    status: int
    headers: dict[str, str]


def make(rng: Random, _vectors: Path | None) -> Asked:
    """Draw a refusal."""
    mutator = Mutator(rng, SEEDS, WORDS)
    names = rng.sample(NAMES, rng.choice((1, 2, 3)))
    return Asked(rng.choice((403, 429, 503)), {name: mutator.case() for name in names})


def check(asked: Asked) -> None:
    """A requested wait is None, or a number of seconds that can be waited and printed."""
    found = asked_wait(asked.status, asked.headers, NOW)
    seconds = [retry_after(value, NOW) for value in asked.headers.values()]
    for each in (*seconds, found and found[0]):
        assert each is None or 0 <= each <= ABSURD_SECONDS, each
        assert each is None or minute(NOW + timedelta(seconds=each))


TARGET = Target("waits", make, check)
