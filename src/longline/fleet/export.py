"""Export a fleet's documents as files that are written once: one for each ended source."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from longline.api import export
from longline.errors import InputError
from longline.files import replacing
from longline.ledger import decode
from longline.plugins import needed
from longline.queue import Fleet, Row

MANIFEST = "manifest.json"

KEEP_SECONDS = 10.0
"""Seconds between writes of the manifest; a part missing in it is written again."""


class Part(msgspec.Struct, frozen=True):
    """A file with the documents of one source, as they were when it ended."""

    name: str
    source: str
    outcome: str
    cause: str
    documents: int
    requests: int


class Parts(msgspec.Struct):
    """The contents of the manifest."""

    parts: list[Part] = []


def export_parts(database: str, out: str) -> Iterator[Part]:
    """Write a Parquet file for each ended source, and yield it; existing files stay.

    `manifest.json` lists all of them. A source that was retried gets a new file, whose name ends in
    the number of its requests.

    Args:
        database: URL of the fleet's database.
        out: A folder, or a place of fsspec such as s3://bucket/name.

    Raises:
        InputError: Parquet or the place needs an extra that is not installed.
        StorageError: The database cannot be opened.
    """
    known = _read(out)
    names = {part.name for part in known.parts}
    kept_at = time.monotonic()
    with Fleet(database) as fleet:
        try:
            for row in fleet.sources("ended"):
                name = f"source-{row.source:08}-{row.requests}.parquet"
                if name in names or row.spec is None or row.harvest is None:
                    continue
                known.parts.append(_written(fleet, row, out, name))
                if time.monotonic() - kept_at > KEEP_SECONDS:
                    _write(out, known)
                    kept_at = time.monotonic()
                yield known.parts[-1]
        finally:
            _write(out, known)


def _written(fleet: Fleet, row: Row, out: str, name: str) -> Part:
    """Write the documents of a source."""
    with tempfile.TemporaryDirectory(prefix="longline-part-") as work:
        folder = Path(work)
        fleet.unpack(row, folder)
        documents = export(folder, "parquet", f"{out.rstrip('/')}/{name}", force=True)
    return Part(name, row.url, row.outcome, row.cause, documents, row.requests)


def _read(out: str) -> Parts:
    if "://" in out:
        places = _places()
        path = f"{out.rstrip('/')}/{MANIFEST}"
        system, there = places.core.url_to_fs(path)
        return _decoded(system.cat_file(there), path) if system.exists(there) else Parts()
    file = Path(out) / MANIFEST
    Path(out).mkdir(parents=True, exist_ok=True)
    return _decoded(file.read_bytes(), str(file)) if file.is_file() else Parts()


def _decoded(content: bytes, path: str) -> Parts:
    try:
        return decode(content, Parts)
    except msgspec.DecodeError as error:
        raise InputError(
            f"{path} is no manifest of a fleet: {error}", advice="choose another place"
        ) from None


def _write(out: str, parts: Parts) -> None:
    content = msgspec.json.format(msgspec.json.encode(parts))
    if "://" in out:
        system, there = _places().core.url_to_fs(f"{out.rstrip('/')}/{MANIFEST}")
        system.pipe_file(there, content)
        return
    with replacing(Path(out) / MANIFEST) as stream:
        stream.write(content)


def _places() -> Any:
    return needed("fsspec", "objects", "an object store")
