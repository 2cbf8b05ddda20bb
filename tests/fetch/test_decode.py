"""Content codings: a body is decoded completely, or refused."""

import gzip
import zlib
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import RefusedError, UnreachableError
from longline.fetch._decode import BrokenCodingError, Decoder
from longline.model import Request

TEXT = b"Everything behind a search box. " * 200


gz = partial(gzip.compress, mtime=0)


def raw_deflate(data: bytes) -> bytes:
    made = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return made.compress(data) + made.flush()


MAKE = {"gzip": gz, "x-gzip": gz, "deflate": zlib.compress}


def closed(body: bytes, coding: str) -> bytes:
    """Return a response without a length, so that only the coding marks the end of the body."""
    return f"HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n".encode() + body


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gz(TEXT)),
        ("X-GZIP", gz(TEXT)),
        ("gzip", gz(TEXT[:100]) + gz(b"") + gz(TEXT[100:])),
        ("gzip", gz(TEXT) + b"\0" * 512),
        ("gzip", gz(TEXT) + b"\n"),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("deflate", zlib.compress(TEXT) + b"\0"),
        ("gzip, deflate", zlib.compress(gz(TEXT))),
        ("gzip,, identity , gzip", gz(gz(TEXT))),
        ("identity", TEXT),
        ("utf-8", TEXT),
        ("", TEXT),
    ],
)
def test_what_is_encoded_is_read_whole(
    site: Any, reply: Any, fetch: Any, coding: str, body: bytes
) -> None:
    """All requested codings are decoded, also nested ones and bodies with several members."""
    site.replies["/"] = reply(raw=closed(body, coding))
    assert fetch(site.url).body == TEXT
    assert site.seen[0].headers["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gz(TEXT)[:-1]),
        ("gzip", gz(TEXT)[:-9]),
        ("gzip", gz(TEXT)[:1]),
        ("gzip", gz(TEXT)[:-8] + b"\0" * 8),
        ("gzip", gz(TEXT) + b"\x1f"),
        ("gzip", gz(TEXT) + gz(TEXT)[:-4]),
        ("deflate", zlib.compress(TEXT)[:-1]),
        ("deflate", raw_deflate(TEXT)[:-1]),
        ("gzip, deflate", zlib.compress(gz(TEXT)[:-1])),
    ],
)
def test_what_is_cut_short_is_asked_for_again(
    site: Any, reply: Any, fetch: Any, coding: str, body: bytes
) -> None:
    """A truncated or damaged body is requested again, and never accepted as complete."""
    site.replies["/"] = [reply(raw=closed(body, coding)), reply(TEXT)]
    response = fetch(site.url)
    assert (response.body, response.requests) == (TEXT, 2)
    site.replies["/"] = reply(raw=closed(body, coding))
    error = fetch(site.url, retries=1)
    assert isinstance(error, UnreachableError)
    assert "damaged" in str(error)


def test_a_host_whose_coding_is_damaged_is_asked_for_plain_text(
    site: Any, reply: Any, run: Any
) -> None:
    """After a damaged coding, the host receives requests for plain text only."""

    def answer(seen: Any) -> Any:
        is_plain = seen.headers["accept-encoding"] == "identity"
        return reply(TEXT) if is_plain else reply(raw=closed(gz(TEXT)[:-5], "gzip"))

    site.replies["/"] = answer

    async def twice(fetcher: Any) -> list[Any]:
        return [await fetcher.fetch(Request(site.url)) for _ in range(2)]

    first, second = run(twice, robots=False)
    assert (first.body, first.requests, second.body, second.requests) == (TEXT, 2, TEXT, 1)


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, br", "gzip," * 6])
def test_a_coding_that_cannot_be_undone_is_named(
    site: Any, reply: Any, fetch: Any, coding: str
) -> None:
    """An unsupported coding is refused after one request, and the error names it."""
    site.replies["/"] = reply(b"\x1b\x03", headers={"Content-Encoding": coding})
    error = fetch(site.url)
    assert isinstance(error, RefusedError)
    assert coding.rpartition(" ")[2].partition(",")[0] in str(error)
    assert error.requests == 1


def test_a_coding_does_not_hide_an_error(site: Any, reply: Any, fetch: Any) -> None:
    """The coding of an error page is ignored."""
    site.replies["/"] = [reply(b"?", 503, headers={"Content-Encoding": "br"}), reply(TEXT)]
    assert fetch(site.url).body == TEXT


def test_an_empty_body_is_empty_in_every_coding(site: Any, reply: Any, fetch: Any) -> None:
    """An empty body is accepted with any coding."""
    site.replies["/"] = reply(b"", headers={"Content-Encoding": "gzip"})
    assert fetch(site.url).body == b""


def test_rules_in_an_unknown_coding_keep_out(site: Any, reply: Any, fetch: Any) -> None:
    """An unreadable robots.txt does not count as permission."""
    site.replies |= {"/": "a", "/robots.txt": reply(b"?", headers={"Content-Encoding": "br"})}
    assert isinstance(fetch(site.url, robots=True), RefusedError)
    assert site.pages == []


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gz(b"0" * 20_000_000)),
        ("gzip, gzip", gz(gz(b"0" * 20_000_000))),
        ("gzip, gzip", gz(gz(b"") * 1_000_000)),
        ("gzip", gz(b"") * 100_000),
        ("deflate", zlib.compress(b"0" * 20_000_000)),
    ],
)
def test_no_step_of_decoding_passes_the_limit(
    site: Any, reply: Any, fetch: Any, coding: str, body: bytes
) -> None:
    """The size limit applies to every step of decoding."""
    site.replies["/"] = reply(raw=closed(body, coding))
    error = fetch(site.url, max_body_bytes=1_000_000)
    assert isinstance(error, RefusedError)
    assert "1,000,000 bytes" in str(error)


@given(
    st.lists(st.binary(max_size=300), max_size=4),
    st.lists(st.sampled_from(sorted(MAKE)), max_size=3),
    st.integers(1, 50),
    st.integers(0, 10_000),
)
def test_in_any_pieces_all_comes_or_none(
    members: list[bytes], codings: list[str], piece_bytes: int, cut: int
) -> None:
    """Decoding restores the input from pieces of any size; a truncated body is rejected."""
    whole = body = b"".join(members)
    for place, coding in enumerate(codings):
        parts = members if place == 0 and "gzip" in coding else [body]
        body = b"".join(map(MAKE[coding], parts))
    assert decoded(codings, body, piece_bytes) == whole
    short = body[: cut % (len(body) or 1)]
    if codings and short:
        # A cut between two members is invisible; the members before it are complete.
        parts_of = decoded(codings, short, piece_bytes)
        assert parts_of is None or (len(members) > 1 and whole.startswith(parts_of))


def decoded(codings: list[str], body: bytes, piece_bytes: int) -> bytes | None:
    decoder = Decoder(", ".join(codings), most_bytes=100_000)
    pieces = [body[i : i + piece_bytes] for i in range(0, len(body), piece_bytes)]
    try:
        came = b"".join(b"".join(decoder.feed(piece)) for piece in pieces)
        decoder.end()
    except BrokenCodingError:
        return None
    return came
