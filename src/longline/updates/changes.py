"""Differences between the documents of two harvests of a source; also as JSON lines and Atom."""

import io
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import urlsplit

import msgspec
from lxml import etree  # type: ignore[import-untyped]

from longline.events import DocumentGone, DocumentUnchecked, SameDocument
from longline.harvester import Settings, field_names, open_store, settings_of
from longline.model import Document
from longline.store import TableStore

Kind = Literal["new", "changed", "moved", "gone", "unchecked", "missing"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which they are counted."""

AT_ONCE = 100
"""How many documents are looked up by one statement."""


class Change(NamedTuple):
    """A document that differs between two harvests.

    Attributes:
        kind: "new": only the later one has it; "changed": another title, text or field; "moved":
            the same under another key; "gone": the source does not have it any more; "unchecked":
            the later one kept it without requesting it; "missing": the later one does not have it,
            which proves nothing about the source.
        key: The document's key, in the later harvest if it has it.
        before, after: The document in each harvest; None if it does not have it.
        reason: Why it is unchecked or gone; otherwise "".

    Example:
        >>> import longline
        >>> before = longline.Document("7", title="Opening hours")
        >>> longline.Change("gone", "7", before, None).document.title
        'Opening hours'
    """

    kind: Kind
    key: str
    before: Document | None
    after: Document | None
    reason: str = ""

    @property
    def document(self) -> Document:
        """The newest of the two."""
        found = self.after or self.before
        assert found is not None
        return found


def shared_fields(
    one: frozenset[str] | None, other: frozenset[str] | None
) -> Collection[str] | None:
    """Return the fields by which the documents of two harvests are compared; None for all.

    A field that only one of the specs names says nothing about the documents.
    """
    return None if one is None or other is None else one & other


def kind_of(
    before: Document,
    after: Document,
    settings: Settings,
    fields: Collection[str] | None = None,
) -> Literal["changed", "unchanged"]:
    """Return whether a document changed.

    Snippets depend on the query: if only they are kept, only the title and the fields are compared.

    Args:
        before: The document in the earlier harvest.
        after: The same one in the later harvest.
        settings: Of the later harvest.
        fields: Names of the fields to compare; None for all.

    >>> one, other = Document("a", title="Sea", text="x"), Document("a", title="Sea", text="y")
    >>> kind_of(one, other, Settings()), kind_of(one, other, Settings(listing_only=True))
    ('changed', 'unchanged')
    >>> one, other = Document("a", fields={"court": "A"}), Document("a", fields={"Court": "A"})
    >>> kind_of(one, other, Settings(), shared_fields(frozenset({"court"}), frozenset({"Court"})))
    'unchanged'
    """
    names = before.fields.keys() | after.fields.keys() if fields is None else fields
    is_same = before.title == after.title
    is_same &= all(before.fields.get(name) == after.fields.get(name) for name in names)
    if not settings.listing_only:
        is_same = is_same and before.text == after.text
    return "unchanged" if is_same else "changed"


def beside(
    documents: Iterable[Document], store: TableStore
) -> Iterator[tuple[Document, Document | None]]:
    """Yield each document with the one of another harvest that has its key, or None."""
    left = iter(documents)
    while some := list(islice(left, AT_ONCE)):
        held = store.held(each.key for each in some)
        yield from ((each, held.get(each.key)) for each in some)


def differences(before: Path, after: Path) -> Iterator[Change]:
    """Yield the differences between two harvests: first documents of the later one, in its order.

    Args:
        before: Folder of the earlier one.
        after: Folder of the later one; if it is an update of the other, it knows which documents
            are gone.

    Raises:
        FolderError: One of them is not the folder of a harvest.
    """
    settings = settings_of(after, None)
    moved: dict[str, str] = {}  # the keys of the earlier harvest, by those of the later one
    with closing(open_store(before)) as earlier, closing(open_store(after)) as later:
        events = later.events()
        reasons: dict[str, DocumentGone | DocumentUnchecked] = {}
        for event in events:
            if isinstance(event, DocumentGone | DocumentUnchecked):
                reasons[event.key] = event
            elif isinstance(event, SameDocument):
                moved[event.kept] = event.key
        fields = shared_fields(field_names(earlier), field_names(later))
        for document, old in beside(later.documents(), earlier):
            noted = reasons.get(document.key)
            if old is None and document.key in moved:
                earlier_key = moved[document.key]
                before_it = earlier.held([earlier_key]).get(earlier_key)
                yield Change("moved" if before_it else "new", document.key, before_it, document)
            elif old is None:
                yield Change("new", document.key, None, document)
            elif isinstance(noted, DocumentUnchecked):
                yield Change("unchecked", document.key, old, document, noted.reason)
            elif kind_of(old, document, settings, fields) == "changed":
                yield Change("changed", document.key, old, document)
        kept = {*later.keys(), *moved.values()}
        for document in earlier.documents():
            if document.key not in kept:
                noted = reasons.get(document.key)
                is_gone = isinstance(noted, DocumentGone)
                reason = noted.reason if noted is not None else ""
                kind: Kind = "gone" if is_gone else "missing"
                yield Change(kind, document.key, document, None, reason)


ATOM = "http://www.w3.org/2005/Atom"
SUMMARY = 300
"""Maximum characters of a document's text in an entry."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def lines(changes: Iterable[Change]) -> Iterator[bytes]:
    """Yield each change as a line of JSON."""
    for change in changes:
        yield msgspec.json.encode(change._asdict()) + b"\n"


def feed(changes: Iterable[Change], source: str, updated: str) -> Iterator[bytes]:
    """Yield an Atom feed of changes, piece by piece, without unchecked and missing documents.

    Args:
        changes: One entry each.
        source: URL of the source, for the title.
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
                if change.kind in ("new", "changed", "moved", "gone"):
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
    """Return an identifier that is always the same for the same feed."""
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
