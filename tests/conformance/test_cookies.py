"""Run the cookie tests of the IETF's http-state working group (RFC 6265)."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from longline.errors import UnreachableError
from longline.fetch import WebFetcher
from longline.fetch._cookies import read_date
from longline.model import Request

NOT_OURS = {
    "0028": "what it wants to be sent is no header Cookie",
    "disabled-chromium0022": "NUL in a header: the answer may be refused (RFC 9110, 5.5), and is",
    "disabled-chromium0023": "CR in a header: the same",
    "disabled-path0029": "paths are compared byte by byte (5.1.4), so that %6F is no o",
}


@pytest.mark.slow
def test_cookies_are_kept_and_sent_as_the_rfc_says(
    vectors: Path, site: Any, reply: Any, run: Any
) -> None:
    """After every response of the suite exactly the expected cookies are sent."""
    folder = vectors / "http-state/tests/data/parser"
    names = sorted(path.name.removesuffix("-test") for path in folder.glob("*-test"))
    assert len(names) == 222
    failed = {}
    for name in names:
        wanted = (folder / f"{name}-expected").read_bytes().strip().removeprefix(b"Cookie: ")
        sent = cookies_sent(folder / f"{name}-test", site, reply, run)
        if sent != wanted:
            failed[name] = (sent, wanted)
    assert failed.keys() == NOT_OURS.keys(), failed


def test_dates_are_read_as_the_rfc_says(vectors: Path) -> None:
    """Every date of the suite is read as expected, or is invalid."""
    folder = vectors / "http-state/tests/data/dates"
    cases = [case for path in sorted(folder.glob("*.json")) for case in read_cases(path)]
    assert len(cases) == 70
    for case in cases:
        read = read_date(case["test"])
        wanted = case["expected"]
        assert (read and format_datetime(read, usegmt=True)) == wanted, case


def read_cases(path: Path) -> list[dict[str, str | None]]:
    """Read a file of cases, which may start with lines of a licence."""
    text = path.read_text()
    return list(json.loads(text[text.index("[\n") :]))


def cookies_sent(test: Path, site: Any, reply: Any, run: Any) -> bytes:
    """Serve the response of a test, and return the Cookie header of the next request."""
    port = site.url.rpartition(":")[2]
    name = test.name.removesuffix("-test")
    lines = to_come(test.read_bytes()).splitlines()
    location = f"/cookie-parser-result?{name}".encode()
    if lines and lines[-1].startswith(b"Location: "):
        location = lines.pop().removeprefix(b"Location: ").replace(b":8888", f":{port}".encode())
    head = b"\r\n".join([b"HTTP/1.1 302 Found", b"Location: " + location, *lines, b"", b""])
    site.seen.clear()
    site.replies = {f"/cookie-parser?{name}": reply(raw=head)}

    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    async def work(fetcher: WebFetcher) -> None:
        url = f"http://home.example.org:{port}/cookie-parser?{name}"
        site.replies |= dict.fromkeys([result(location)], "ok")
        with suppress(UnreachableError):
            await fetcher.fetch(Request(url))

    run(work, robots=False, resolve=resolve)
    sent: str = site.seen[-1].headers.get("cookie", "")
    return sent.encode("latin-1")


def result(location: bytes) -> str:
    return re.sub(r"^http://[^/]*", "", location.decode())


def to_come(test: bytes) -> bytes:
    """Replace years that were in the future when the tests were written by the next year."""
    year = datetime.now(UTC).year + 1
    return re.sub(rb"20(19|27)", str(year).encode(), test)
