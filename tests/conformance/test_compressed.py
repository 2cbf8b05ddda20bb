"""Run Scrapy's samples of compressed responses from a real server."""

from pathlib import Path
from typing import Any

import pytest

from longline.errors import RefusedError, UnreachableError
from longline.model import Response

CASES = {
    # for each file: its encoding and the expected result
    "html-gzip.bin": ("gzip", Response),
    "html-rawdeflate.bin": ("deflate", Response),
    "html-zlibdeflate.bin": ("deflate", Response),
    "html-gzip-deflate.bin": ("gzip, deflate", Response),
    "html-gzip-deflate-gzip.bin": ("gzip, deflate, gzip", Response),
    "feed-sample1.xml.gz": ("gzip", Response),
    "feed-sample1.xml": ("", Response),
    "unexpected-eof-output.txt": ("", Response),
    "unexpected-eof.gz": ("gzip", UnreachableError),
    "truncated-crc-error.gz": ("gzip", UnreachableError),
    "truncated-crc-error-short.gz": ("gzip", UnreachableError),
    "bomb-gzip.bin": ("gzip", RefusedError),
    "bomb-deflate.bin": ("deflate", RefusedError),
    "bomb-br.bin": ("br", RefusedError),
    "bomb-zstd.bin": ("zstd", RefusedError),
    "html-br.bin": ("br", RefusedError),
    "html-zstd-static-content-size.bin": ("zstd", RefusedError),
    "html-zstd-static-no-content-size.bin": ("zstd", RefusedError),
    "html-zstd-streaming-no-content-size.bin": ("zstd", RefusedError),
}
NOT_ENCODINGS = {"feed-sample1.tar", "feed-sample1.zip", "feed-sample1.xml.bz2", "LICENSE"}


def test_no_sample_is_left_out(vectors: Path) -> None:
    """Every sample is tested, except those in formats that HTTP does not know."""
    names = {path.name for path in (vectors / "compressed").iterdir()}
    assert names == CASES.keys() | NOT_ENCODINGS


@pytest.mark.parametrize("name", CASES)
def test_a_sample_comes_whole_or_not_at_all(
    vectors: Path, site: Any, reply: Any, fetch: Any, name: str
) -> None:
    """Complete samples are read, truncated ones are retried, and growing ones are refused."""
    coding, wanted = CASES[name]
    body = (vectors / "compressed" / name).read_bytes()
    site.replies["/"] = reply(body, headers={"Content-Encoding": coding} if coding else {})
    came = fetch(site.url, max_body_bytes=1_000_000, retries=1)
    assert isinstance(came, wanted)
    assert len(site.seen) == 2 if wanted is UnreachableError else 1


def test_one_page_is_the_same_in_every_encoding(
    vectors: Path, site: Any, reply: Any, fetch: Any
) -> None:
    """Both kinds of deflate give the same bytes, and a gzip file gives its content."""

    def came(name: str) -> bytes:
        body = (vectors / "compressed" / name).read_bytes()
        site.replies["/"] = reply(body, headers={"Content-Encoding": CASES[name][0]})
        whole: bytes = fetch(site.url).body
        return whole

    assert came("html-rawdeflate.bin") == came("html-zlibdeflate.bin")
    assert came("html-gzip-deflate.bin").lower().startswith(b"<!doctype html")
    assert came("feed-sample1.xml.gz") == came("feed-sample1.xml")
