"""Write down the fields of documents, from all answers and pages received so far."""

from typing import Any

import jmespath  # type: ignore[import-untyped]

from longline.discovery.fields import (
    data_fields,
    kept_paths,
    markup_fields,
    page_fields,
    rows_of,
)
from longline.discovery.session import DiscoverySession
from longline.model import Hit
from longline.source.spec import FieldPlace
from longline.text.numbers import counted

MOST_ROWS = 300
"""Maximum number of rows to read."""


def learn_fields(session: DiscoverySession) -> None:
    """Find fields besides title and text in rows and documents' pages, without further requests."""
    if session.results is None:
        return
    found = _of_data(session) if session.kind == "json" else _of_markup(session)
    found |= _of_pages(session, found)
    session.fields = found
    for name, place in found.items():
        pages = counted(len(session.documents), "document's page", "documents' pages")
        where = "in most rows" if place.row else f"on {pages}"
        session.find(f"fields.{name}", place.type, "likely", f"stands {where}")


def _of_data(session: DiscoverySession) -> dict[str, FieldPlace]:
    results, hits = session.results, session.data_hits
    if results is None or hits is None:
        return {}
    rows = []
    for probe in session.probes:
        page = session.read(probe)
        items = jmespath.search(results.hit.removeprefix("jmes:"), probe.data) or []
        if page is not None and isinstance(items, list):
            rows += rows_of(page.keys, items)
    taken = kept_paths(results, is_read=session.document is not None)
    return data_fields(rows[:MOST_ROWS], taken=taken, labels=hits.labels)


def _of_markup(session: DiscoverySession) -> dict[str, FieldPlace]:
    rows: list[Any] = []
    hits: list[Hit] = []
    for probe in session.probes:
        page, elements = session.read(probe), session.elements(probe)
        if page is not None and len(page.hits) == len(elements):
            rows += elements
            hits += page.hits
    shown = [[hit.title, hit.snippet] for hit in hits]
    return markup_fields(rows[:MOST_ROWS], [hit.key for hit in hits], shown=shown)


def _of_pages(session: DiscoverySession, known: dict[str, FieldPlace]) -> dict[str, FieldPlace]:
    document, pages = session.document, session.documents
    if document is None or not pages:
        return {}
    if all(shown.is_data for _, shown in pages):
        taken = {document.text.removeprefix("jmes:"), document.title.removeprefix("jmes:")}
        rows = rows_of([hit.key for hit, _ in pages], [shown.data for _, shown in pages])
        found = data_fields(rows, taken=taken, where="page")
        return {name: place for name, place in found.items() if name not in known}
    markup = [(hit, shown) for hit, shown in pages if not shown.is_data]
    shown_already = [[hit.title, shown.answer.title()] for hit, shown in markup]
    return page_fields([shown for _, shown in markup], known=known, shown=shown_already)
