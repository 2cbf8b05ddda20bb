"""The cases of Google's robots.txt parser (google/robotstxt)."""

import asyncio
import json
from pathlib import Path
from typing import Any

from longline.errors import RobotsError
from longline.events import RobotsRead
from longline.fetch._robots import Robots, origin_of

_ENCODED = "octets are compared after percent-encoding is undone (RFC 9309, 2.2.2)"
NOT_OURS = {
    ("", "FooBot"): "no URL: Google's own interface",
    ("", ""): "no URL: Google's own interface",
    ("http://foo.bar/x/y", "Foo Bar"): "the product token of this User-Agent is Foo (2.2.1)",
    ("http://foo.bar/foo/bar/ツ", "FooBot"): _ENCODED,
    ("http://foo.bar/foo/bar/baz", "FooBot"): _ENCODED,
}


def test_rules_are_obeyed_as_google_obeys_them(vectors: Path) -> None:
    """Every case is decided as Google does, except where that contradicts RFC 9309."""
    cases = json.loads((vectors / "google-robotstxt/cases.json").read_text())
    assert len(cases) == 76
    failed = [case for case in cases if case["url"] == "" or is_allowed(case) != case["allowed"]]
    assert {(case["url"], case["agent"]) for case in failed} == NOT_OURS.keys(), failed
    assert len(failed) == 8


def is_allowed(case: dict[str, Any]) -> bool:
    """Return whether the fetcher allows the request."""
    origin = origin_of(case["url"])
    read = RobotsRead(origin, 200, case["robots"])

    async def main() -> None:
        robots = Robots(
            case["agent"],
            None,  # type: ignore[arg-type]
            known={origin: read},
            on_read=print,
            now=lambda: read.read_at,
        )
        await robots.check(case["url"])

    try:
        asyncio.run(main())
    except RobotsError:
        return False
    return True
