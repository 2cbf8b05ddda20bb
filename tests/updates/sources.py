"""A source that changes between harvests, at one address."""

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from html import escape
from typing import Any

import msgspec
import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from longline.model import Document
from longline.simulate import Searcher, read_corpus, website

Scope = MutableMapping[str, Any]


class Changing:
    """An ASGI application whose content may be replaced while it is served.

    Attributes:
        inside: The current application.
        paths: Paths requested since `paths` was cleared.
    """

    def __init__(self, inside: Any) -> None:
        self.inside = inside
        self.paths: list[str] = []

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[..., Any]
    ) -> None:
        """Pass the request to the current application."""
        if scope["type"] == "http":
            self.paths.append(scope["path"])
        await self.inside(scope, receive, send)


def documents(count: int, seed: int = 0) -> list[Document]:
    """Return this many random docstrings of the standard library."""
    corpus = read_corpus("docstrings")
    places = np.random.default_rng(seed).choice(len(corpus), count, replace=False)
    return [corpus[place] for place in places.tolist()]


def amended(document: Document) -> Document:
    """Return a document with a new title and text."""
    return msgspec.structs.replace(
        document, title=f"{document.title} (second edition)", text=f"{document.text} amended"
    )


def site_of(held: list[Document], **kind: Any) -> Any:
    """Return a web site over documents, with at most 50 per query by default."""
    return website(Searcher(held, **{"limit": 50, "page_size": 10, **kind}))


class Repository:
    """OAI-PMH, 40 records a page; what is deleted is named and counted, as in the protocol.

    Attributes:
        deleted: Keys of the records that are named as deleted.
    """

    def __init__(self, held: Sequence[Document]) -> None:
        self.deleted: set[str] = set()
        self._held = held
        self._token = 0

    def forget(self) -> None:
        """Let all tokens expire."""
        self._token += 1

    def site(self) -> Starlette:
        """Return the site; its interface is at /oai."""
        return Starlette(routes=[Route("/oai", self._answer)])

    def _answer(self, request: Request) -> Response:
        asked = request.query_params
        if asked.get("verb") != "ListRecords":
            return self._said('<error code="badVerb">Illegal verb</error>')
        made, _, place = asked.get("resumptionToken", f"{self._token}-0").partition("-")
        if made != str(self._token):
            return self._said('<error code="badResumptionToken">The token has expired</error>')
        first = int(place)
        further = f"{made}-{first + 40}" if first + 40 < len(self._held) else ""
        token = f'<resumptionToken completeListSize="{len(self._held)}">{further}</resumptionToken>'
        records = "".join(map(self._record, self._held[first : first + 40]))
        return self._said(f"<ListRecords>{records}{token}</ListRecords>")

    def _record(self, document: Document) -> str:
        is_gone = document.key in self.deleted
        status = ' status="deleted"' if is_gone else ""
        head = f"<header{status}><identifier>oai:x:{document.key}</identifier></header>"
        title, text = escape(document.title), escape(document.text)
        dc = f"<dc:title>{title}</dc:title><dc:description>{text}</dc:description>"
        names = (
            'xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/"'
        )
        data = f"<metadata><oai_dc:dc {names}>{dc}</oai_dc:dc></metadata>"
        return f"<record>{head}{'' if is_gone else data}</record>"

    def _said(self, body: str) -> Response:
        start = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        return Response(f"{start}{body}</OAI-PMH>", media_type="text/xml")
