"""Bodies with content codings: damaged, truncated, or different from their header."""

import gzip
import zlib
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.fuzz import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.fetch._decode import (
    BrokenCodingError,
    Decoder,
    NotCodedError,
    TooLongError,
    UnknownCodingError,
)

PAGE = b"<p>the deep web</p>" * 20
RAW = zlib.compress(PAGE)[2:-4]
EMPTY = gzip.compress(b"", mtime=0)
SEEDS = (
    *(
        gzip.compress(PAGE, mtime=0),
        zlib.compress(PAGE),
        RAW,
        PAGE,
        gzip.compress(b"\0" * 500_000, mtime=0),
    ),
    *(
        gzip.compress(zlib.compress(PAGE), mtime=0),
        EMPTY + gzip.compress(PAGE, mtime=0) + b"\0" * 512,
        b"",
    ),
)
WORDS = (
    b"\x1f\x8b",
    b"\x1f\x8b\x08",
    b"\x78\x9c",
    b"\x78\xda",
    b"\0" * 8,
    b"\xff" * 4,
    b"<",
    EMPTY,
    SEEDS[0],
)
HEADERS = (
    "gzip",
    "deflate",
    "x-gzip",
    "gzip, deflate",
    "deflate, gzip",
    "gzip, gzip",
    "identity",
    "br",
)
MOST_BYTES = 2_000_000


class Coded(NamedTuple):
    """A body in pieces, with its Content-Encoding."""

    header: str
    pieces: list[bytes]


def make(rng: Random, vectors: Path | None) -> Coded:
    """Draw a body and its header."""
    good = list(SEEDS)
    if vectors is not None:
        good += [each[:60_000] for each in seeds.files(vectors / "compressed", "*.*")]
    header = rng.choice(HEADERS)
    if rng.random() < 0.1:
        header = Mutator(rng, HEADERS, (",", "gzip", " ", "zstd")).case()
    body = Mutator(rng, good, WORDS).case()
    size = rng.choice((1, 2, 7, 1000, 65536, 10**7))
    if size < 100:
        body = body[:5000]
    return Coded(header, [body[at : at + size] for at in range(0, len(body), size)])


def check(coded: Coded) -> None:
    """A body is decoded or refused by one of four errors, and reading stops at the limit."""
    with suppress(UnknownCodingError, NotCodedError, BrokenCodingError, TooLongError):
        decoder = Decoder(coded.header, most_bytes=MOST_BYTES)
        taken = 0
        for piece in coded.pieces:
            for part in decoder.feed(piece):
                taken += len(part)
                if taken > MOST_BYTES:
                    return
        decoder.end()


TARGET = Target("codings", make, check)
