"""Unusual sizes, sessions, transfers and documents."""

from bench.faulty.lies import StandIns
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Scope
from tests.honesty import wire
from tests.honesty.lies import (
    POPULAR,
    Filtered,
    HeldBack,
    RandomStandIns,
    always,
)
from tests.honesty.stage import Stage, When, with_text
from tests.honesty.switch import (
    WHOLE,
    Documents,
    Switch,
    some,
)
from tests.honesty.wire import BOTH, DOCUMENTS, SEARCH, Wire

_WITHHELD = some("withheld", 10)

SIZES = (
    Switch(
        name="stand-ins",
        does="where nothing matches, the same ten documents are shown",
        lies=(always(StandIns(POPULAR)),),
        outcomes=WHOLE,
    ),
    Switch(
        name="stand-ins-random",
        does="where nothing matches, ten documents at random are shown",
        lies=(lambda stage, box: RandomStandIns(stage, box),),
    ),
    Switch(
        name="shard-down",
        does="every query passes over a third of the documents, another third each",
        lies=(lambda stage, box: Filtered(stage, box),),
    ),
    Switch(
        name="withheld",
        does="10 % of the documents are counted, but never shown",
        lies=(lambda stage, box: HeldBack(_WITHHELD(stage)),),
        gone=_WITHHELD,
    ),
)

# Sessions and transfers.


def _headers(name: str, does: str, change: wire.Spoil, **more: object) -> Switch:
    """Return a harmless fault that changes every response."""
    wires = (Wire(act=wire.spoil(change), target=BOTH),)
    given = {"outcomes": WHOLE} | more
    return Switch(name=name, does=does, wires=wires, **given)  # type: ignore[arg-type]


def _token(stage: Stage) -> str:
    return stage.random("token", stage.searches).randbytes(8).hex()


async def _tokens(stage: Stage, *asgi: object) -> None:
    act = wire.spoil(wire.linked(lambda path: f"{path}?sid={_token(stage)}"))
    await act(stage, *asgi)  # type: ignore[arg-type]


async def _dotted(stage: Stage, app: ASGIApp, scope: Scope, *asgi: object) -> None:
    host, _, port = Headers(scope=scope)["host"].partition(":")
    act = wire.spoil(wire.linked(lambda path: f"http://{host}.:{port}{path}"))
    await act(stage, app, scope, *asgi)  # type: ignore[arg-type]


def _keyless(headers: object, body: bytes) -> bytes:
    return body.replace(b'key = "css:.key"\n', b"")


_KEYLESS = Wire(act=wire.spoil(_keyless), target="^/source.toml")
_TOKENS = Wire(act=_tokens, target=SEARCH)
_CUT_SHORT = some("gzip-cut", 20)
_PATH = "\\documents\\"

WAYS = (
    Switch(
        name="session-get",
        does='"next" leads on from the query that the session asked last',
        session="get",
        group="session",
        only="html",
    ),
    Switch(
        name="session-post",
        does="the same, by a form that posts a token of the session",
        session="post",
        group="session",
        only="html",
    ),
    Switch(
        name="token-links",
        does="links to documents carry a token that changes with every look",
        wires=(_TOKENS,),
        only="html",
        outcomes=WHOLE,
    ),
    Switch(
        name="token-keys",
        does="the same, where nothing but its link tells a document from another",
        wires=(_TOKENS, _KEYLESS),
        only="html",
    ),
    _headers("odd-cookie", "a cookie has a letter that is not ASCII", wire.odd_cookie),
    Switch(
        name="gzip-cut",
        group="gzip",
        does="5 % of the documents are cut short inside their gzip",
        wires=(Wire(act=wire.spoil(wire.gzip_cut), target=DOCUMENTS, keys=_CUT_SHORT),),
        lost=_CUT_SHORT,
    ),
    Switch(
        name="gzip-cut-pages",
        group="gzip",
        does="10 % of result pages, at random, are cut short inside their gzip",
        wires=(Wire(act=wire.spoil(wire.gzip_cut), target=SEARCH, when=When(after=1, share=0.1)),),
    ),
    _headers(
        "gzip-members", "every answer is gzip of three members", wire.gzip_members, group="gzip"
    ),
    _headers(
        "says-utf-16", "pages in UTF-8 say that they are UTF-16", wire.says_utf_16, only="html"
    ),
    _headers(
        "backslashes",
        "links to documents have backslashes",
        wire.linked(lambda path: path.replace("/documents/", _PATH)),
        only="html",
    ),
    Switch(
        name="dotted-host",
        does="links to documents name the host with a dot at its end",
        wires=(Wire(act=_dotted, target=SEARCH),),
        host="localhost",
        group="host",
        only="html",
        outcomes=WHOLE,
    ),
)

# Documents.

LONG = 5_000_000


def _emptied(documents: Documents) -> Documents:
    return tuple(
        with_text(each, each.title, "") if place % 60 == 7 else each
        for place, each in enumerate(documents)
    )


def _lengthened(documents: Documents) -> Documents:
    first, *rest = documents
    text = f"{first.text}\n" + "longword " * (LONG // 9)
    return (with_text(first, first.title, text), *rest)


def _odd_titles(documents: Documents) -> Documents:
    odd = (
        "=1+1",
        "@SUM(A1:A9)",
        "+cmd|' /C calc'!A0",
        "a\tb\x0bc",
        "\u202eoverride",
        "x" * 3000,
        "",
    )
    return tuple(
        with_text(each, odd[place // 40 % len(odd)], each.text) if place % 40 == 3 else each
        for place, each in enumerate(documents)
    )


OF_DOCUMENTS = (
    Switch(name="empty-texts", does="every sixtieth document has no text", corpus=_emptied),
    Switch(name="long-text", does="one document is 5 MB long", corpus=_lengthened, outcomes=WHOLE),
    Switch(
        name="odd-titles",
        does="every fortieth title is a formula, has control characters, is huge or empty",
        corpus=_odd_titles,
        outcomes=WHOLE,
    ),
)
