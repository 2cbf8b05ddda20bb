"""What a simulated site may offer besides its search: a sitemap, OAI-PMH, a feed."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from longline.model import Document
from longline.simulate.search import Box
from longline.simulate.site import html as _html
from longline.simulate.site.website import website

SITEMAP_ROWS = 1000
"""URLs per sitemap file; with more documents, there is an index of several files."""

OAI_ROWS = 100
"""Records per answer."""

FEED_ROWS = 20
"""Entries of the feed: the newest documents, which are the first."""

OFFERS = ("sitemap", "oai-pmh", "feed")

_STAMP = "2026-01-01T00:00:00Z"


def website_with(box: Box, documents: Sequence[Document], offers: Collection[str]) -> Starlette:
    """Return the web site of a search box, with what it offers besides its search.

    Args:
        box: Answers the queries.
        documents: Documents that the offers show.
        offers: Some of `OFFERS`.
    """
    beside = Beside(documents, "The Simulated Library", offers)
    return website(box, head=beside.head(), routes=beside.routes())


class Beside:
    """Endpoints of the offers.

    Args:
        documents: Documents of the site.
        name: Name of the site.
        offers: Some of `OFFERS`.
    """

    def __init__(self, documents: Sequence[Document], name: str, offers: Collection[str]) -> None:
        self._documents = documents
        self._name = name
        self._offers = offers

    def routes(self) -> list[Route]:
        """Return the routes of the offers."""
        endpoints: dict[str, list[tuple[str, Callable[[Request], Response]]]] = {
            "sitemap": [("/sitemap.xml", self._sitemap), ("/sitemap-{file:int}.xml", self._part)],
            "oai-pmh": [("/oai", self._oai)],
            "feed": [("/feed.xml", self._feed)],
        }
        return [Route(*each) for offer in self._offers for each in endpoints[offer]]

    def head(self) -> str:
        """Return the links to offers for the head of the home page."""
        kind = 'type="application/rss+xml" href="/feed.xml"'
        return f'<link rel="alternate" {kind}>\n' if "feed" in self._offers else ""

    def _sitemap(self, request: Request) -> Response:
        if len(self._documents) <= SITEMAP_ROWS:
            return self._urls(request, self._documents)
        files = range(-(-len(self._documents) // SITEMAP_ROWS))
        base = _base(request)
        rows = "".join(f"<sitemap><loc>{base}/sitemap-{n}.xml</loc></sitemap>\n" for n in files)
        return _xml(f"<sitemapindex {_SITEMAPS}>\n{rows}</sitemapindex>")

    def _part(self, request: Request) -> Response:
        start = request.path_params["file"] * SITEMAP_ROWS
        return self._urls(request, self._documents[start : start + SITEMAP_ROWS])

    def _urls(self, request: Request, documents: Sequence[Document]) -> Response:
        rows = "".join(
            f"<url><loc>{escape(_base(request) + _html.document_path(each.key))}</loc></url>\n"
            for each in documents
        )
        if not rows:
            raise HTTPException(404)
        return _xml(f"<urlset {_SITEMAPS}>\n{rows}</urlset>")

    def _feed(self, request: Request) -> Response:
        rows = "".join(
            f"<item><title>{_text(each.title)}</title>"
            f"<link>{escape(_base(request) + _html.document_path(each.key))}</link></item>\n"
            for each in self._documents[:FEED_ROWS]
        )
        name = _text(self._name)
        return _xml(f'<rss version="2.0"><channel><title>{name}</title>\n{rows}</channel></rss>')

    # OAI-PMH 2.0, the minimum that a harvester needs.

    def _oai(self, request: Request) -> Response:
        asked = request.query_params
        verb = asked.get("verb", "")
        answers = {
            "Identify": self._identify,
            "ListIdentifiers": self._list,
            "ListRecords": self._list,
        }
        body = answers[verb](request) if verb in answers else _oai_error("badVerb", verb)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        url = escape(str(request.url.replace(query="")))
        return _xml(
            '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
            f"<responseDate>{now}</responseDate><request verb={quoteattr(verb)}>{url}</request>"
            f"{body}</OAI-PMH>"
        )

    def _identify(self, request: Request) -> str:
        return (
            f"<Identify><repositoryName>{_text(self._name)}</repositoryName>"
            f"<baseURL>{_base(request)}/oai</baseURL><protocolVersion>2.0</protocolVersion>"
            f"<earliestDatestamp>{_STAMP}</earliestDatestamp><deletedRecord>no</deletedRecord>"
            "<granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify>"
        )

    def _list(self, request: Request) -> str:
        asked = request.query_params
        token = asked.get("resumptionToken")
        if token is None and asked.get("metadataPrefix") != "oai_dc":
            return _oai_error("cannotDisseminateFormat", "oai_dc is all there is")
        if token is not None and not (token.isascii() and token.isdigit()):
            return _oai_error("badResumptionToken", token)
        start = int(token or 0)
        end = start + OAI_ROWS
        rows = [_record(each, asked["verb"]) for each in self._documents[start:end]]
        if not rows:
            return _oai_error("noRecordsMatch", "")
        size, onward = len(self._documents), str(end) if end < len(self._documents) else ""
        rest = (
            f'<resumptionToken completeListSize="{size}" cursor="{start}">{onward}'
            "</resumptionToken>"
        )
        return f"<{asked['verb']}>{''.join(rows)}{rest}</{asked['verb']}>"


_SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def _record(document: Document, verb: str) -> str:
    key = _text(document.key)
    header = (
        f"<header><identifier>oai:simulated:{key}</identifier>"
        f"<datestamp>{_STAMP}</datestamp></header>"
    )
    if verb == "ListIdentifiers":
        return header
    return (
        f"<record>{header}<metadata>"
        '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:identifier>{key}</dc:identifier><dc:title>{_text(document.title)}</dc:title>"
        "</oai_dc:dc></metadata></record>"
    )


def _oai_error(code: str, text: str) -> str:
    return f'<error code="{code}">{_text(text)}</error>'


def _text(text: str) -> str:
    """Escape a text for XML; a form feed, which XML does not allow, becomes a space."""
    return _html.escape(text).replace("\x0c", " ")


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def _xml(body: str) -> Response:
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'
    return Response(text, media_type="application/xml")
