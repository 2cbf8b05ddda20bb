"""Charsets: arbitrary bytes with any declaration in header and page."""

import codecs
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from tests.fuzz import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.text.charset import codec_of, read_text, unmarked
from longline.text.media_type import media_type, parameter
from longline.text.url import resolve, write_fields

LABELS = (
    *(
        "utf-8",
        "utf8",
        "UTF-16",
        "utf-16be",
        "utf-32",
        "utf-7",
        "latin1",
        "iso-8859-8-i",
        "x-user-defined",
    ),
    *(
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "iso-2022-kr",
        "hz-gb-2312",
        "gb18030",
        "big5",
        "x-sjis",
    ),
    *(
        "replacement",
        "macintosh",
        "koi8-u",
        "hex",
        "rot13",
        "idna",
        "undefined",
        "unicode_escape",
        "\0",
    ),
)
WORDS = (
    *(
        b"<meta charset=",
        b"<meta http-equiv=content-type content='text/html; charset=",
        b"charset=",
        b"<",
    ),
    *(
        b"<?xml version='1.0' encoding='",
        b"<!--",
        b"-->",
        b"<title>",
        b"</title>",
        b"<body>",
        b">",
        b"'",
        b'"',
    ),
    *(
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"\xff\xfe\0\0",
        b"\0\0\xfe\xff",
        b"+AAA-",
        b"\x1b$B",
        b"~{",
    ),
    *(
        b"<\0?\0x\0",
        b"\0<\0?\0x",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\x81",
        b"\xfc",
        b"a=",
        b"=",
        b" ",
        b"/",
    ),
    *(label.encode() for label in LABELS),
)
TYPES = ('text/html; charset="utf-8"', 'text/html;a="x;charset=y"; charset=latin1', "text/html", "")


class Came(NamedTuple):
    """A body, with the content type that its header declares."""

    body: bytes
    content_type: str
    kind: Literal["html", "xml", "json"]


def make(rng: Random, vectors: Path | None) -> Came:
    """Draw a page and a header."""
    good = seeds.pages()
    if vectors is not None:
        whole = seeds.files(vectors / "html5lib-tests/encoding", "*.dat")
        good = [*good, *rng.choice(whole).split(b"#data\n")[1:]]
    label = rng.choice(LABELS)
    types = Mutator(rng, TYPES, (";", "=", '"', "\\", " ", "charset", f"charset={label}", label))
    return Came(Mutator(rng, good, WORDS).case(), types.case(), rng.choice(("html", "xml", "json")))


def check(came: Came) -> None:
    """Any body is read as text, with a charset that can encode links."""
    charset, text = read_text(came.body, came.content_type, came.kind)
    text.encode()
    codecs.lookup(charset)
    for page in (charset, codec_of(parameter(came.content_type, "charset")) or "utf-8"):
        written = unmarked(page)
        assert resolve(f"/?q={text[:50]}ü\u0259", "http://x.example/", written).isascii()
        assert write_fields([("q", f"{text[:50]}\u0259")], written).isascii()
    assert media_type(came.content_type) == media_type(came.content_type).lower()


TARGET = Target("charsets", make, check)
