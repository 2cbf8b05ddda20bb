"""Export a harvest in a format given by its name; the file appears only when it is complete."""

from pathlib import Path
from threading import Event
from typing import BinaryIO

from longline.errors import FolderError, InputError, Interrupted
from longline.exports.columns import Table
from longline.exports.formats import Writer, writer_of
from longline.exports.manifest import write_manifest
from longline.exports.material import Credit, Material, Together
from longline.exports.places import place_of
from longline.files import is_of_harvest, writing
from longline.harvester import check_harvest, is_harvest
from longline.text.numbers import counted


def export(
    folder: Path,
    to: str,
    target: str | Path | BinaryIO,
    *,
    force: bool = False,
    credit: Credit = Credit(),
    stopped: Event | None = None,
) -> int:
    """Write the documents of a harvest, in the order of arrival; or of each in a folder of many.

    A file gets a manifest beside it, a folder contains its manifest.

    Args:
        folder: The harvest's folder, or one with several; these may be running.
        to: One of `format_names()`.
        target: A path, or a URL that fsspec supports, such as "s3://bucket/name"; it appears when
            it is complete. Or an open binary stream.
        force: Replace an existing file, or a folder with nothing but a former export.
        credit: Licence and creator, given by the user.
        stopped: Once it is set, the export ends, and nothing is left of it.

    Returns:
        The number of documents written.

    Raises:
        FolderError: There is no harvest, or it is damaged; a stream has the documents before the
            damage.
        InputError: There is no such format, the target exists, or it cannot be written.
        StorageError: The disk is full.
        Interrupted: `stopped` was set.
    """
    writer, stopped = writer_of(to), stopped or Event()
    inside = [] if is_harvest(folder) else sorted(filter(is_harvest, folder.glob("*/")))
    if inside and not writer.takes_many:
        raise InputError(
            f"{folder} holds {counted(len(inside), 'harvest')}, and {to} takes one",
            advice="name one of them, or write all as csv, jsonl or parquet",
        )
    if not inside:
        check_harvest(folder)
    material = Together(folder, inside, stopped) if inside else Material(folder, credit, stopped)
    if not isinstance(target, str | Path):
        return _to_stream(material, writer, to, target)
    path = Path(target)
    if is_of_harvest(path, folder):
        raise InputError(f"{target} is a file of a harvest", advice="choose another file")
    if path.exists() and not path.is_file() and not path.is_dir():  # a pipe, a device
        with path.open("wb") as stream:
            return _to_stream(material, writer, to, stream)
    place = place_of(target)
    place.check(force=force)
    with (
        writing(target, advice="choose a place you may write"),
        place.made_aside() as made,
    ):
        written = writer(material, made)
        write_manifest(material, to, written, made)
        if stopped.is_set():
            raise Interrupted
    return written


def _to_stream(material: Material, writer: Writer, to: str, stream: BinaryIO) -> int:
    """Write all readable documents, even if a later part of the harvest is damaged."""
    if not writer.is_text:
        raise InputError(
            f"the format {to!r} is not written to a stream", advice="give it a file: -o FILE"
        )
    try:
        return writer.write(material, stream)
    except FolderError as error:
        read = material.documents.read
        before = f"; only {counted(read, 'document')} could be read and written" if read else ""
        raise FolderError(f"{error.message}{before}", advice=error.advice) from error


def table_of(folder: Path) -> Table:
    """Return the documents of a harvest with their columns.

    Raises:
        FolderError: There is no harvest, or it is damaged.
    """
    return Material(folder).table
