"""Differences for programs: JSON lines, and an Atom feed (RFC 4287)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import msgspec
from lxml import etree  # type: ignore[import-untyped]

from longline.updates.changes import Change

ATOM = "http://www.w3.org/2005/Atom"
SUMMARY = 300
"""Letters of a document's text in an entry."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def lines(changes: Iterable[Change]) -> Iterator[bytes]:
    """Yield a JSON object a line."""
    for change in changes:
        yield msgspec.json.encode(change._asdict()) + b"\n"


def feed(changes: Iterable[Change], source: str, updated: str) -> Iterator[bytes]:
    """Yield an Atom feed of changes, piece by piece; what could not be checked is left out.

    Args:
        changes: An entry each.
        source: Address of the source, for the title.
        updated: When the later harvest ended; ISO 8601.

    >>> whole = b"".join(feed([], "https://x.example/", "2026-11-24T00:00:00+00:00"))
    >>> etree.fromstring(whole).findtext(f"{{{ATOM}}}updated")
    '2026-11-24T00:00:00+00:00'
    """
    stream = io.BytesIO()
    with etree.xmlfile(stream, encoding="utf-8") as xml:
        xml.write_declaration()
        with xml.element(f"{{{ATOM}}}feed", nsmap={None: ATOM}):
            for name, text in (
                ("title", f"Changes in {source}"),
                ("id", _identity(source, "feed", updated)),
                ("updated", updated),
            ):
                xml.write(_element(name, text))
            author = etree.Element(f"{{{ATOM}}}author")
            author.append(_element("name", "longline"))
            xml.write(author)
            for change in changes:
                if change.kind in ("new", "changed", "gone"):
                    xml.write(_entry(change, source, updated))
                yield _taken(stream)
    yield _taken(stream)


def _entry(change: Change, source: str, updated: str) -> Any:
    document = change.document
    entry = etree.Element(f"{{{ATOM}}}entry")
    title = document.title or document.url or change.key
    entry.append(_element("title", f"{change.kind}: {title}"))
    entry.append(_element("id", _identity(source, change.key, f"{change.kind} {updated}")))
    entry.append(_element("updated", updated))
    if urlsplit(document.url).scheme in ("http", "https"):
        entry.append(etree.Element(f"{{{ATOM}}}link", href=_clean(document.url)))
    entry.append(etree.Element(f"{{{ATOM}}}category", term=change.kind))
    entry.append(_element("summary", document.text[:SUMMARY]))
    return entry


def _identity(source: str, key: str, version: str) -> str:
    """Return an identifier that is the same whenever the same feed is made."""
    digest = sha256(f"{source}\n{key}\n{version}".encode(errors="surrogatepass")).hexdigest()
    return f"urn:sha256:{digest}"


def _element(name: str, text: str) -> Any:
    element = etree.Element(f"{{{ATOM}}}{name}")
    element.text = _clean(text)
    return element


def _clean(text: str) -> str:
    return _NO_XML.sub("�", text)


def _taken(stream: io.BytesIO) -> bytes:
    piece = stream.getvalue()
    stream.seek(0)
    stream.truncate()
    return piece
