"""Search sites that keep the query in a session, or put the session into their links.

Each has a twin without a session: `Session()`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote, urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, Text, corpus

ENGINE = Engine(corpus("docs")[:300], Rules(nots=("-",)), "en")
SIZE = 10


@dataclass
class Visit:
    """What a site stores for a session.

    Attributes:
        token: Every submitted form must contain it.
        typed, number: Query and page number that were last shown.
        ticket: Gives access to the next page at any time.
    """

    token: str
    typed: str = ""
    number: int = 1
    ticket: str = ""


@dataclass
class Sessions:
    """A site.

    Attributes:
        paging: How pages continue: "honest", or by a session that stores the last query: "link",
            "place" (the link has the position, but not the query), "button" or "form"; or by a
            "ticket", which is as good as the words.
        links: The kind of its links to documents.
        forms: Forms are sent by POST, and need a token.
        lasts: Number of requests after which a session is forgotten.
    """

    paging: str = "honest"
    links: str = "plain"
    forms: bool = False
    lasts: int | None = None
    visits: dict[str, Visit] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    tickets: list[str] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def app(self) -> Starlette:
        """The application."""
        return Starlette(routes=[Route("/{path:path}", self.answer, methods=["GET", "POST"])])

    async def answer(self, request: Request) -> Response:
        given = dict(request.query_params) | dict(await request.form())
        cookie = request.cookies.get("visit", "")
        if self.lasts and len(self.log) % self.lasts == self.lasts - 1:
            self.visits.clear()
        self.log.append(f"{request.method} {request.url.path}?{urlencode(given)}")
        if cookie not in self.visits:
            cookie = f"v{next(self._numbers) * 7919:x}c"
            self.visits[cookie] = Visit(f"t{next(self._numbers) * 104729:x}")
        response = self._page(request, given, self.visits[cookie])
        response.set_cookie("visit", cookie)
        return response

    def _page(self, request: Request, given: dict[str, str], visit: Visit) -> Response:
        key = self._key(request, given)
        if key is not None:
            return self._document(key)
        if self.forms and request.method == "POST" and given.get("csrf") != visit.token:
            return HTMLResponse("<title>Page expired</title><p>Page expired</p>", 419)
        if self.forms and request.method == "GET" and "q" in given:
            given = {}
        if not self._turn(given, visit):
            return HTMLResponse(self._whole("Home", self._form("", visit) + WELCOME))
        texts = ENGINE.search(visit.typed)
        return HTMLResponse(self._whole(f"{visit.typed} - hits", self._hits(texts, visit)))

    def _turn(self, given: dict[str, str], visit: Visit) -> bool:
        """Store the requested query in the session; return whether there is one."""
        if given.get("q", "").strip():
            visit.typed, visit.number = given["q"].strip(), int(given.get("page", 1))
        elif given.get("ticket", "").rpartition("-")[0].isdigit():
            at, _, number = given["ticket"].rpartition("-")
            visit.typed, visit.number = self.tickets[int(at)], int(number)
        elif "start" in given:
            visit.number = int(given["start"]) // SIZE + 1
        elif "go" in given:
            visit.number += 1
        else:
            return False
        return bool(visit.typed)

    # The content of pages.

    def _whole(self, title: str, body: str) -> str:
        return f'<html lang="en"><title>{escape(title)}</title><body>{body}</body></html>'

    def _form(self, typed: str, visit: Visit) -> str:
        token = f'<input type="hidden" name="csrf" value="{visit.token}">' if self.forms else ""
        method = "post" if self.forms else "get"
        return (
            f'<form action="/find" method="{method}" id="search">{token}<input type="search" '
            f'name="q" value="{escape(typed)}"><button>Search</button></form>'
        )

    def _hits(self, texts: list[Text], visit: Visit) -> str:
        start = (visit.number - 1) * SIZE
        form = self._form(visit.typed, visit)
        shown = texts[start : start + SIZE]
        if not shown:
            return f"{form}<p>Nothing was found for <b>{escape(visit.typed)}</b>.</p>"
        turn = f"r{next(self._numbers) * 15485863:x}"
        rows = "".join(
            f'<li class="hit"><a href="{escape(self._href(text, place, turn, visit))}">'
            f"{escape(text.title)}</a><p>{escape(text.body[:160])}</p></li>"
            for place, text in enumerate(shown, start + 1)
        )
        count = f'<p class="count">{start + 1}-{start + len(shown)} of {len(texts)}</p>'
        self.tickets.append(visit.typed)
        visit.ticket = f"{len(self.tickets) - 1}-{visit.number + 1}"
        more = PAGERS[self.paging](visit) if start + SIZE < len(texts) else ""
        return f"{form}{count}<ol>{rows}</ol>{more}"

    def _href(self, text: Text, place: int, turn: str, visit: Visit) -> str:
        return LINKS[self.links].format(
            key=text.key, place=place, turn=turn, visit=visit.token, words=quote(visit.typed)
        )

    def _key(self, request: Request, given: dict[str, str]) -> str | None:
        path = request.url.path.partition(";")[0].strip("/").split("/")
        if "doc" not in path:
            return None
        return given.get("id") or path[-1]

    def _document(self, key: str) -> Response:
        text = next((text for text in ENGINE.texts if text.key == key), None)
        if text is None:
            return HTMLResponse("<h1>There is no such document</h1>", 404)
        body = f"<h1>{escape(text.title)}</h1><article><p>{escape(text.body)}</p></article>"
        return HTMLResponse(self._whole(text.title, body))


WELCOME = f"<p>{escape(' '.join(ENGINE.texts[3].body.split()[:40]))}</p>"

LINKS = {
    "plain": "/doc/{key}",
    "parameter": "/doc?id={key}&sid={turn}",
    "parameter of a session": "/doc?id={key}&sid={visit}",
    "parameter of a path": "/doc/{key};jsessionid={turn}",
    "segment": "/s/{turn}/doc/{key}",
    "segment of a session": "/s/{visit}/doc/{key}",
    "query": "/doc?id={key}&hl={words}&position={place}",
    "query in the path": "/results/{words}/doc/{key}",
}


def _honest(visit: Visit) -> str:
    words = quote(visit.typed)
    return f'<a href="/find?q={words}&amp;page={visit.number + 1}" class="next">Next page</a>'


def _post_honest(visit: Visit) -> str:
    return _post(
        visit,
        f'<input type="hidden" name="q" value="{escape(visit.typed)}">'
        f'<input type="hidden" name="page" value="{visit.number + 1}">',
    )


def _post(visit: Visit, more: str = "") -> str:
    return (
        f'<form action="/find" method="post" class="more"><input type="hidden" name="csrf" '
        f'value="{visit.token}">{more}<button name="go" value="on">Next page</button></form>'
    )


PAGERS: dict[str, Callable[[Visit], str]] = {
    "honest": _honest,
    "honest form": _post_honest,
    "link": lambda visit: '<a href="/find?go=on" class="next">Next page</a>',
    "ticket": lambda visit: f'<a href="/find?ticket={visit.ticket}">Next page</a>',
    "place": lambda visit: f'<a href="/find?start={visit.number * SIZE}">Next page</a>',
    "button": lambda visit: '<form action="/find"><button name="go">Next page</button></form>',
    "form": _post,
}  # fmt: skip
