"""The manifest of an export: its contents, and the checksum of each file."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from longline.exports.material import CERTIFICATE, Material
from longline.harvester import sources_without_harvest
from longline.ledger import Certificate
from longline.model.fields import FieldType
from longline.outcomes import Cause, Outcome
from longline.version import __version__

FORMAT = "longline manifest 1"
IN_FOLDER = "manifest.json"
BESIDE = ".manifest.json"


class FileEntry(msgspec.Struct, frozen=True):
    """A file of an export.

    Attributes:
        name: Its path relative to the manifest's folder.
    """

    name: str
    bytes: int
    sha256: str


class CertificateEntry(msgspec.Struct, frozen=True):
    """The certificate of the harvest.

    Attributes:
        name: Its file name in the harvest's folder, and in exports that are folders.
        documents: By its count; a harvest that ran meanwhile has more.
        size_low, size_high: The source's size, 95 % sure; null if unknown.
        begun_at, ended_at: Of the harvest, ISO 8601, UTC.
    """

    name: str
    outcome: Outcome | Literal[""]
    cause: Cause
    documents: int
    size_low: int | None
    size_high: int | None
    begun_at: str | None
    ended_at: str | None


class HarvestEntry(msgspec.Struct, frozen=True):
    """One of several harvests in an export, or a source of their list without a harvest.

    Attributes:
        folder: Its name, which is in the column `harvest`.
        certificate: None if there is no harvest.
        stopped: Why the harvest ended, or why there is none.
    """

    folder: str
    source: str
    certificate: CertificateEntry | None
    stopped: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Describes an export, so that it can be checked.

    Attributes:
        written_as: The format's name.
        written_at: ISO 8601, UTC.
        columns: Columns of each document, with their types.
        certificate: None if the harvest has lost the files needed to make one, or `harvests` has
            one for each.
        harvests: Of an export of several.
    """

    format: str = FORMAT
    longline: str
    source: str
    written_as: str
    written_at: str
    documents: int
    columns: dict[str, FieldType]
    certificate: CertificateEntry | None
    harvests: tuple[HarvestEntry, ...] = ()
    files: tuple[FileEntry, ...]


def write_manifest(material: Material, written_as: str, documents: int, made: Path) -> Path:
    """Write the manifest of an export, beside a file or in a folder; return its path.

    Args:
        material: The exported harvest.
        written_as: The format's name.
        documents: Number of documents written.
        made: The complete file or folder.
    """
    path = made / IN_FOLDER if made.is_dir() else made.with_name(made.name + BESIDE)
    within = made if made.is_dir() else made.parent
    found = material.known
    manifest = Manifest(
        longline=__version__,
        source=found.source if found else "",
        written_as=written_as,
        written_at=datetime.now(UTC).isoformat(timespec="seconds"),
        documents=documents,
        columns=material.table.types,
        certificate=_entry(found) if found else None,
        harvests=tuple(_harvests(material)),
        files=tuple(
            FileEntry(each.relative_to(within).as_posix(), each.stat().st_size, sha256_of(each))
            for each in files_of(made)
        ),
    )
    path.write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return path


def files_named(manifest: bytes) -> set[str]:
    """Return the files that the manifest in a folder names, and itself; none if it is not one."""
    try:
        found = msgspec.json.decode(manifest, type=Manifest)
    except msgspec.DecodeError:
        return set()
    return {IN_FOLDER, *(each.name for each in found.files)}


def _harvests(material: Material) -> Iterator[HarvestEntry]:
    for each in material.parts:
        found = each.known
        entry = _entry(found) if found else None
        source, stopped = (found.source, found.stopped) if found else ("", "")
        yield HarvestEntry(each.folder.name, source, entry, stopped)
    for lacking in sources_without_harvest(material.folder) if material.parts else ():
        yield HarvestEntry(lacking.folder, lacking.source, None, lacking.stopped)


def _entry(found: Certificate) -> CertificateEntry:
    names = CertificateEntry.__struct_fields__[1:]
    return CertificateEntry(CERTIFICATE, *(getattr(found, name) for name in names))


def files_of(made: Path) -> Iterator[Path]:
    """Yield the files of an export, sorted by name."""
    if made.is_file():
        yield made
    else:
        yield from sorted(each for each in made.rglob("*") if each.is_file())


def sha256_of(path: Path) -> str:
    """Return the SHA-256 checksum of a file, in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
