"""A JSON interface with ten fields per row and a catalogue with eight, with known contents."""

import json
from datetime import date, timedelta
from html import escape
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.engines import Engine, Rules, Text, corpus

DOCUMENTS = 300
SUBJECTS = ("history", "weather", "rivers", "trade", "maps")
PLACES = ("Leiden", "Basel", "Porto", "Turku")


def facts(place: int) -> dict[str, Any]:
    """Return the true fields of a document besides its title and text."""
    published = date(1990, 1, 1) + timedelta(days=37 * place)
    return {
        "year": published.year,
        "published": published.isoformat(),
        "price": round(3 + place * 0.25, 2),
        "subjects": [SUBJECTS[place % 5], SUBJECTS[place % 3]],
        "creator": {"name": f"Author {place % 13}", "born": 1900 + place % 13},
        "open_access": place % 2 == 0,
        "doi": f"10.1234/x{place}" if place % 3 else None,
        "pdf": f"https://files.example/{place}.pdf",
    }


class Fielded:
    """Both interfaces over one corpus."""

    def __init__(self) -> None:
        self.texts: list[Text] = list(corpus("docs"))[:DOCUMENTS]
        self.places = {text.key: place for place, text in enumerate(self.texts)}
        self.engine = Engine(tuple(self.texts), Rules())
        self.app = Starlette(
            routes=[
                Route("/api/search", self.api),
                Route("/", self.home),
                Route("/search", self.listing),
                Route("/record/{key}", self.record),
            ]
        )

    def row(self, text: Text, typed: str) -> dict[str, Any]:
        """Return a row of the interface: an id, a title, a text, eight fields and a score."""
        known = facts(self.places[text.key])
        score = len(typed) / (1 + len(text.body))
        return {"id": text.key, "title": text.title, "body": text.body, **known, "score": score}

    async def api(self, request: Request) -> Response:
        typed = request.query_params.get("q", "")
        number = max(1, int(request.query_params.get("page") or 1))
        found = self.engine.search(typed)
        rows = [self.row(text, typed) for text in found[20 * (number - 1) : 20 * number]]
        return JSONResponse({"total": len(found), "results": rows})

    async def home(self, request: Request) -> Response:
        return HTMLResponse('<h1>Catalogue</h1><form action="/search"><input name="q"></form>')

    async def listing(self, request: Request) -> Response:
        typed = request.query_params.get("q", "")
        number = max(1, int(request.query_params.get("page") or 1))
        found = self.engine.search(typed)
        rows = []
        for text in found[10 * (number - 1) : 10 * number]:
            known = facts(self.places[text.key])
            rows.append(
                f'<li class="record"><h3><a href="/record/{text.key}">{escape(text.title)}</a></h3>'
                f'<span class="by">{known["creator"]["name"]}</span> '
                f'<time class="issued" datetime="{known["published"]}">some day</time>'
                f'<p class="text">{escape(text.body[:120])}</p></li>'
            )
        more = f'<a rel="next" href="/search?q={escape(typed)}&amp;page={number + 1}">Next</a>'
        following = more if len(found) > 10 * number else ""
        said = f"<p>{len(found)} records found</p>" if found else "<p>Nothing was found.</p>"
        return HTMLResponse(f"<title>Catalogue</title>{said}<ul>{''.join(rows)}</ul>{following}")

    async def record(self, request: Request) -> Response:
        place = self.places[request.path_params["key"]]
        text, known = self.texts[place], facts(place)
        linked = {"@context": "https://schema.org", "@type": "Book", "isbn": f"978-{place:06d}"}
        return HTMLResponse(
            f"<title>{escape(text.title)}</title>"
            f'<meta name="DC.publisher" content="Press {place % 4}">'
            f'<script type="application/ld+json">{json.dumps(linked)}</script>'
            f"<h1>{escape(text.title)}</h1>"
            f"<dl><dt>Place:</dt><dd>{PLACES[place % 4]}</dd>"
            f"<dt>Pages</dt><dd>{100 + place}</dd></dl>"
            f"<table><tr><th>Shelf</th><td>A {place}</td></tr></table>"
            f'<p>Priced <span itemprop="price" content="{known["price"]}">cheap</span></p>'
            f"<article>{escape(text.body)}</article>"
        )
