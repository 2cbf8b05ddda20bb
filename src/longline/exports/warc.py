"""WARC: stored exchanges as sent, and the documents made from them."""

from contextlib import closing
from typing import BinaryIO
from urllib.parse import quote

import msgspec

from longline.exports.material import Material
from longline.harvester import open_store
from longline.model import Document
from longline.store.segments import has_segments, read_segments
from longline.store.warc import Records

CERTIFICATE = "urn:longline:certificate"


def write_warc(material: Material, stream: BinaryIO) -> int:
    """Write records, each a separate gzip member; return the number of documents.

    First the requests and answers as sent, if `harvest --warc` stored them; otherwise the few pages
    in the journal, as resources without headers. Then a conversion for each document: JSON of its
    columns. Then the certificate.
    """
    records = Records(stream)
    if has_segments(material.folder):
        for piece in read_segments(material.folder):
            stream.write(piece)
    else:
        records.about("", material.certificate.source)
        _resources(material, records)
    table, encoder, written = material.table, msgspec.json.Encoder(), 0
    for document, seconds in material.documents.dated():
        body = encoder.encode(table.row(document))
        records.content("conversion", address_of(document), "application/json", body, seconds)
        written += 1
    ended = open_ended(material)
    records.content("resource", CERTIFICATE, "application/json", material.certificate_json, ended)
    return written


def open_ended(material: Material) -> float:
    """Return the time of the journal's newest entry, in seconds since 1970."""
    with closing(open_store(material.folder)) as store:
        return store.span()[1]


def _resources(material: Material, records: Records) -> None:
    with closing(open_store(material.folder)) as store:
        for response, seconds in store.dated_responses():
            media_type = response.content_type or "application/octet-stream"
            records.content("resource", response.url, media_type, response.body, seconds)


def address_of(document: Document) -> str:
    """Return a URN made of a document's key; its URL stays free, so that replay shows the page.

    >>> address_of(Document("a b"))
    'urn:longline:document:a%20b'
    """
    return f"urn:longline:document:{quote(document.key, safe='')}"
