"""Feeds that name their own search, such as catalogues in OPDS."""

from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from tests.discovery.offered.kit import DOCUMENTS, WANTED, harvested, matching, titles

pytestmark = pytest.mark.slow

ROWS = 15
ATOM = "application/atom+xml;profile=opds-catalog"


def feed(inside: str) -> Response:
    """Return a feed, which names the search of its site."""
    search = "application/opensearchdescription+xml"
    links = (
        f'<link rel="self" href="/opds"/><link rel="search" type="{search}" href="/search.xml"/>'
    )
    atom = 'xmlns="http://www.w3.org/2005/Atom"'
    return Response(f"<?xml version='1.0'?><feed {atom}>{links}{inside}</feed>", media_type=ATOM)


def menu(request: Request) -> Response:
    """Lead to other feeds: no entry is a document."""
    said = "".join(
        f"<entry><title>{name}</title><id>urn:{name}</id>"
        f'<link href="/{name}" type="{ATOM}"/></entry>'
        for name in ("new", "subjects", "authors")
    )
    return feed(said)


def described(request: Request) -> Response:
    """Describe the search; its media type has parameters."""
    begins = "http://" + request.headers["host"]
    template = f"{begins}/find?query={{searchTerms}}&amp;page={{startPage?}}"
    url = f'<Url type="{ATOM};kind=acquisition" template="{template}"/>'
    zero = 'xmlns="http://a9.com/-/spec/opensearch/1.1/"'
    return Response(
        f"<?xml version='1.0'?><OpenSearchDescription {zero}><ShortName>Books</ShortName>{url}"
        "</OpenSearchDescription>",
        media_type="application/opensearchdescription+xml",
    )


def found(request: Request) -> Response:
    """Show the first letters of each text; the first link of an entry is its cover."""
    matched = matching(request.query_params.get("query"))
    first = ROWS * (int(request.query_params.get("page", "1")) - 1)
    entries = "".join(
        f"<entry><title>{escape(each.title)}</title><id>urn:{each.key}</id>"
        f'<summary>{escape(each.text[:80])}...</summary><link href="/cover/{each.key}.jpg" '
        f'type="image/jpeg"/><link rel="http://opds-spec.org/acquisition/open-access" '
        f'href="/get/{each.key}.txt" type="text/plain"/></entry>'
        for each in matched[first : first + ROWS]
    )
    opensearch = 'xmlns="http://a9.com/-/spec/opensearch/1.1/"'
    return feed(f"<totalResults {opensearch}>{len(matched)}</totalResults>{entries}")


def text(request: Request) -> Response:
    """Return a text."""
    held = {each.key: each.text for each in DOCUMENTS}
    return PlainTextResponse(held[request.path_params["key"]])


def test_the_search_that_a_feed_names_brings_all(tmp_path: Path) -> None:
    """The feed's own entries lead to other feeds, and are no documents."""
    routes = [
        Route("/opds", menu),
        Route("/search.xml", described),
        Route("/find", found),
        Route("/get/{key}.txt", text),
    ]
    harvest = harvested(Starlette(routes=routes), tmp_path, "/opds")
    assert titles(harvest) == WANTED
    texts = {each.title: each.text for each in harvest.documents}
    whole = [
        " ".join(each.text.split()) == " ".join(texts[each.title].split()) for each in DOCUMENTS
    ]
    assert sum(whole) >= 0.9 * len(DOCUMENTS)
