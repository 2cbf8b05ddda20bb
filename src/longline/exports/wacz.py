"""WACZ: a web archive with an index and a page list, in one file for replay viewers.

Source: the WACZ format, version 1.1.1.
"""

import hashlib
import io
import shutil
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
from cdxj_indexer.main import CDXJIndexer

from longline.errors import InputError, option
from longline.exports.material import Material
from longline.exports.warc import write_warc
from longline.ledger import in_words
from longline.store.segments import has_segments
from longline.store.warc import moment
from longline.version import __version__

VERSION = "1.1.1"
WARC = "archive/data.warc.gz"
INDEX = "indexes/index.cdx.gz"
BLOCKS = "indexes/index.idx"
PAGES = "pages/pages.jsonl"

LINES = 1024
"""Lines of the index per compressed block."""

SORTED_LETTERS = 8_000_000
"""Characters of the index sorted in memory; larger ones are merged from files."""


def write_wacz(material: Material, path: Path) -> int:
    """Write a ZIP with a web archive, its index and its pages; return the number of documents.

    Raises:
        InputError: The harvest did not store its exchanges, so there is no page to show.
    """
    if not has_segments(material.folder):
        raise InputError(
            f"the harvest in {material.folder} has not kept the pages as they were sent",
            advice=f"harvest with {option('warc=True')} into a new folder; or export to warc, "
            "which has the documents alone",
        )
    with zipfile.ZipFile(path, "x") as archive:
        # Compressed content is stored unchanged, so that it can be read from any position.
        with archive.open(_named(WARC, zipfile.ZIP_STORED), "w", force_zip64=True) as warc:
            written = write_warc(material, cast(BinaryIO, warc))
        _write_index(archive)
        _write_pages(archive, material)
        _describe(archive, material)
    return written


def _named(path: str, packed: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(path, datetime.now(UTC).timetuple()[:6])
    found.compress_type = packed
    return found


def _write_index(archive: zipfile.ZipFile) -> None:
    """Write the index in compressed blocks, and the start of each block."""
    with tempfile.TemporaryFile() as packed, archive.open(WARC) as warc:
        blocks = io.StringIO()
        CDXJIndexer(
            blocks,
            [warc],
            sort=True,
            post_append=True,
            compress=packed,
            lines=LINES,
            max_sort_buff_size=SORTED_LETTERS,
            data_out_name=INDEX.rpartition("/")[2],
            filename=WARC.rpartition("/")[2],
        ).process_all()
        warc.close()  # a ZIP cannot be written while it is read
        packed.seek(0)
        with archive.open(_named(INDEX, zipfile.ZIP_STORED), "w", force_zip64=True) as index:
            shutil.copyfileobj(packed, index)
    archive.writestr(_named(BLOCKS), blocks.getvalue())


def _write_pages(archive: zipfile.ZipFile, material: Material) -> None:
    """Write a line for each document with a URL: its page, title, text and fields."""
    head = {"format": "json-pages-1.0", "id": "pages", "title": "Documents", "hasText": True}
    table = material.table
    with archive.open(_named(PAGES), "w", force_zip64=True) as pages:
        pages.write(msgspec.json.encode(head) + b"\n")
        for document, seconds in material.documents.dated():
            if document.url:
                page = table.row(document) | {"id": document.key, "ts": moment(seconds)}
                pages.write(msgspec.json.encode(page) + b"\n")


def _describe(archive: zipfile.ZipFile, material: Material) -> None:
    """Write a list of files with checksums; and the checksum of that list."""
    resources = [_entry(archive, path) for path in archive.namelist()]
    package = {
        "profile": "data-package",
        "wacz_version": VERSION,
        "title": f"Pages of {material.title}",
        "description": in_words(material.certificate),
        "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "software": f"longline {__version__}",
        "resources": resources,
    }
    packed = msgspec.json.format(msgspec.json.encode(package), indent=2)
    archive.writestr(_named("datapackage.json"), packed)
    digest = {
        "path": "datapackage.json",
        "hash": f"sha256:{hashlib.sha256(packed).hexdigest()}",
    }
    archive.writestr(_named("datapackage-digest.json"), msgspec.json.encode(digest))


def _entry(archive: zipfile.ZipFile, path: str) -> dict[str, str | int]:
    digest = hashlib.sha256()
    with archive.open(path) as stream:
        while piece := stream.read(1 << 20):
            digest.update(piece)
    name = path.rpartition("/")[2].lower()
    size = archive.getinfo(path).file_size
    return {"name": name, "path": path, "hash": f"sha256:{digest.hexdigest()}", "bytes": size}
