"""Faults that prevent access to pages: errors, broken connections, logins, robots.txt."""

from collections.abc import Callable

from tests.honesty import wire
from tests.honesty.stage import Stage, When
from tests.honesty.switch import (
    BLOCKED,
    BROKEN,
    FINE,
    GONE,
    WHOLE,
    Switch,
    every,
    lifted,
    some,
)
from tests.honesty.wire import BOTH, CAPTCHA, DOCUMENTS, LOGIN, SEARCH, Wire

COMMON = "return"
"""A word that a quarter of the documents contain."""


def _from(name: str, does: str, act: wire.Act, outcomes: frozenset[str]) -> tuple[Switch, Switch]:
    """Return a fault of all documents and result pages after 250 requests, and its lifted form."""
    return lifted(
        lambda runs: Switch(
            name=name,
            does=f"after 250 requests {does}",
            wires=(Wire(act=act, target=BOTH, when=When(after=250, runs=runs)),),
            bound="served",
            outcomes=outcomes,
        )
    )


def _document(name: str, does: str, act: wire.Act, one_in: float = 600) -> Switch:
    """Return a permanent fault of some documents."""
    keys = some(name, one_in)
    return Switch(
        name=f"{name}-document",
        does=does,
        wires=(Wire(act=act, target=DOCUMENTS, keys=keys),),
        lost=keys,
    )


def _page(name: str, does: str, act: wire.Act) -> Switch:
    """Return a permanent fault of one result page in fifty."""
    when = When(share=0.02, lasting=True)
    wires = (Wire(act=act, target=rf"{SEARCH}.*q=", when=when),)
    return Switch(name=f"{name}-page", does=does, wires=wires)


def _gone(status: int) -> Switch:
    keys = some(f"gone-{status}", 40)
    wires = (Wire(act=wire.refuse(status), target=DOCUMENTS, keys=keys),)
    does = f"2.5 % of the documents answer {status}"
    return Switch(name=f"gone-{status}", does=does, wires=wires, gone=keys)


def _busy(status: int) -> Switch:
    wires = (Wire(act=wire.refuse(status, 1), target=BOTH, when=When(share=0.01)),)
    does = f"1 % of requests, at random, answer {status} and ask to wait a second"
    return Switch(name=f"busy-{status}", does=does, wires=wires, outcomes=WHOLE)


def _forbidding(name: str, does: str, rules: Callable[[Stage], str], **more: object) -> Switch:
    def robots(stage: Stage) -> str:
        return f"User-agent: *\n{rules(stage)}"

    return Switch(name=name, does=does, robots=robots, group="robots", **more)  # type: ignore[arg-type]


_FEW_FORBIDDEN = some("robots-few", 40)
_PDFS = some("pdf", 18)
_BAD = some("broken-500", 10)

LOST = (
    _gone(404),
    _gone(410),
    Switch(
        name="broken-500",
        does="10 % of the documents answer 500 for ever",
        wires=(Wire(act=wire.refuse(500), target=DOCUMENTS, keys=_BAD),),
        lost=_BAD,
    ),
    Switch(
        name="passing-500",
        does="10 % of requests, at random, answer 500",
        wires=(Wire(act=wire.refuse(500), target=BOTH, when=When(share=0.1)),),
        outcomes=WHOLE,
    ),
    _document("broken-off", "a document's connection breaks in its middle", wire.break_off),
    _page("broken-off", "2 % of result pages break off in their middle", wire.break_off),
    _document(
        "length",
        "a document says that it is longer than it is",
        wire.spoil(wire.unchanged, length=50),
    ),
    _page(
        "length",
        "2 % of result pages say that they are longer than they are",
        wire.spoil(wire.unchanged, length=50),
    ),
    _document("endless", "a document never ends: a byte every half second", wire.never_end),
    Switch(
        name="endless-page",
        does="the result pages of the fourth query never end: a byte every half second",
        wires=(Wire(act=wire.never_end, target=SEARCH, queries=range(3, 4)),),
    ),
    Switch(
        name="first-query-500",
        does="the first query answers 500 for ever",
        wires=(Wire(act=wire.refuse(500), target=SEARCH, queries=range(1)),),
    ),
    Switch(
        name="first-queries-500",
        does="the first six queries answer 500 for ever",
        wires=(Wire(act=wire.refuse(500), target=SEARCH, queries=range(6)),),
    ),
    Switch(
        name="common-word-500",
        does=f"every query with {COMMON!r} in it answers 500",
        wires=(Wire(act=wire.refuse(500), target=rf"{SEARCH}.*q=[^&]*\b{COMMON}\b"),),
    ),
    Switch(
        name="pdf",
        does="5.5 % of the documents are PDFs",
        wires=(Wire(act=wire.spoil(wire.pdf), target=DOCUMENTS, keys=_PDFS),),
        gone=_PDFS,
    ),
    _busy(429),
    _busy(503),
    *_from("forbidden-403", "everything answers 403", wire.refuse(403), BLOCKED),
    *_from("limited-429", "everything answers 429", wire.refuse(429), BLOCKED),
    *_from("broken-503", "everything answers 503", wire.refuse(503), BROKEN),
    *_from("login-site", "everything shows a login page", wire.show("Sign in", LOGIN), BLOCKED),
    *_from(
        "captcha-site", "everything shows a captcha", wire.show("Just a moment", CAPTCHA), BLOCKED
    ),
    *_from("away", "nothing listens any more", wire.leave, GONE),
    _forbidding(
        "robots-documents",
        "robots.txt disallows documents",
        lambda stage: "Disallow: /documents\nDisallow: /api/documents\n",
        lost=every,
        outcomes=BLOCKED,
    ),
    _forbidding(
        "robots-search",
        "robots.txt disallows the search",
        lambda stage: "Disallow: /search\nDisallow: /api/search\n",
        lost=every,
        outcomes=BLOCKED,
    ),
    _forbidding(
        "robots-few",
        "robots.txt disallows 2.5 % of the documents",
        lambda stage: "".join(
            f"Disallow: {path}{key}$\n"
            for key in sorted(_FEW_FORBIDDEN(stage))
            for path in ("/documents/", "/api/documents/")
        ),
        gone=_FEW_FORBIDDEN,
        outcomes=FINE | BLOCKED,
    ),
    Switch(
        name="robots-503",
        group="robots",
        does="robots.txt answers 503 once the site's description was read",
        wires=(Wire(act=wire.refuse(503), target="^/robots.txt", when=When(after=1)),),
        lost=every,
        outcomes=BLOCKED | GONE,
    ),
)
