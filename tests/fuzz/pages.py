"""Result pages and documents: truncated, nested, repeated, of the wrong kind or charset."""

from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from tests.fuzz import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.errors import PageError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.source import Source
from longline.source.spec import DocumentPage

WORDS = (
    *(
        b"<",
        b">",
        b"</",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"<?xml version='1.0'?>",
        b"<!DOCTYPE",
    ),
    *(
        b"<div>",
        b"</div>",
        b"<table>",
        b"<a href='",
        b"<a>",
        b"<base href='//[x'>",
        b"<base href=''>",
    ),
    *(b"<form action='http://[", b"<input type=file>", b"<input type=image name=x>", b"<select>"),
    *(b"<button name=next>", b"<li class=hit>", b"<svg>", b"<math>", b"<template>", b"<plaintext>"),
    *(
        b"<!ENTITY a 'aaaa'>",
        b"&a;",
        b"&#0;",
        b"&#xD800;",
        b"&#x110000;",
        b"&#99999999999;",
        b"&amp",
    ),
    *(
        b"&lt;b&gt;",
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\xc3",
        b"\x00",
        b"\x1b",
    ),
    *(b"javascript:__doPostBack('a','b')", b"__doPostBack('", b"javascript:void(0)", b"mailto:x"),
    *(
        b"http://[",
        b"//",
        b"http://x.example:99999/",
        b"#/view",
        b"?q=\xfc",
        b"\\",
        b"data:,x",
        b"%zz",
    ),
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b'"',
        b"null",
        b"true",
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"-1",
        b"9" * 5000,
    ),
    *(
        b'"\\ud800"',
        b'"\\u0000"',
        b"[[[[[[[[",
        b'{"a":',
        b"[],",
        b"{},",
        b'"id":',
        b'"results":',
        b'"error":1',
    ),
    *(
        b"1-24 of 1,801",
        b"about 12.5 million",
        b"<title>Login</title>",
        b"captcha",
        b"<meta charset=x-sjis>",
    ),
    *(
        b"<?xml version='1.0' encoding='utf-16'?>",
        b"xmlns='x'",
        b"xmlns:a='",
        b"a:b='1'",
        b"<a:b>",
        b"lang=''",
    ),
)
TYPES = ("", "text/html", "text/html; charset=", "application/json", "text/xml; charset=utf-16")
CHARSETS = (
    "utf-8",
    "utf-7",
    "shift_jis",
    "iso-2022-jp",
    "hz-gb-2312",
    "big5",
    "replacement",
    "hex",
)
QUERY = Query(("deep", "web"))


class Came(NamedTuple):
    """A response, the source that reads it, and the page number."""

    seed: int
    number: int
    response: Response
    form: bytes | None
    html: str


def make(rng: Random, _vectors: Path | None) -> Came:
    """Draw a response, mostly from a page of the same source."""
    seed = rng.randrange(len(seeds.saved()))
    saved = seeds.saved()[seed]
    url = f"{saved.spec.source.url}search?q=deep+web"
    body = Mutator(rng, seeds.pages(), WORDS)
    other = rng.random() < 0.1
    kind = rng.choice(TYPES)
    response = Response(
        url=url if rng.random() < 0.9 else f"{url}&page=2#x",
        status=rng.choice((200, 200, 200, 404, 500)),
        content_type=kind + (rng.choice(CHARSETS) if kind.endswith("=") else ""),
        headers=(("link", "<//[>; rel=next"),) if rng.random() < 0.1 else (),
        body=body.case() if other else Mutator(rng, [saved.body], WORDS).case(),
    )
    form = Mutator(rng, [saved.form], WORDS).case() if saved.form else None
    return Came(
        seed, rng.choice((1, 1, 1, 2, 3)), response, form, rng.choice(("css:body", "xpath://p"))
    )


def check(came: Came) -> None:
    """A response gives a page and a document that can be saved, or `PageError`."""
    spec = seeds.saved()[came.seed].spec
    source = Source(msgspec.structs.replace(spec, document=DocumentPage(came.html, title="css:h1")))
    request = Request(came.response.url)
    try:
        if came.form is not None:
            source = source.with_form(Response(url=request.url, status=200, body=came.form))
            request = source.search_request(QUERY)
        page = source.page(QUERY, came.number, request, came.response)
        kept(page, Page)
        assert page.total is None or 0 <= page.total.documents < 2**63
        assert all(hit.key for hit in page.hits)
    except PageError:
        pass
    try:
        kept(source.document(Hit("1", request.url), came.response), Document)
    except PageError:
        return


def kept(thing: Page | Document, kind: type[Page | Document]) -> None:
    """Check that the journal returns a page or document unchanged."""
    assert msgspec.json.decode(msgspec.json.encode(thing), type=kind) == thing
    for text in msgspec.to_builtins(thing).values():
        assert "\0" not in text if isinstance(text, str) else True


TARGET = Target("pages", make, check)
