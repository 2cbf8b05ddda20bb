"""Export a harvest: a format by its name, a file that appears when all of it is written."""

from pathlib import Path
from typing import BinaryIO

from longline.errors import FolderError, InputError
from longline.exports.columns import Table
from longline.exports.formats import Writer, writer_of
from longline.exports.manifest import write_manifest
from longline.exports.material import Credit, Material
from longline.exports.places import place_of
from longline.files import is_of_harvest, writing
from longline.harvester import check_harvest
from longline.text.numbers import counted


def export(
    folder: Path,
    to: str,
    target: str | Path | BinaryIO,
    *,
    force: bool = False,
    credit: Credit = Credit(),
) -> int:
    """Write the documents of a harvest, in the order in which they came.

    A file that is written to has its manifest beside it, a folder has it inside.

    Args:
        folder: The harvest's folder; the harvest may be running.
        to: One of `format_names()`.
        target: A path, or a place that fsspec knows, such as "s3://bucket/name"; it appears when
            all of it is written. Or a binary stream that is open.
        force: Replace what is there.
        credit: What the user says of the documents.

    Returns:
        How many documents were written.

    Raises:
        FolderError: There is no harvest, or it is damaged; a stream has what comes before.
        InputError: There is no such format, something stands there already, or the place cannot
            be written.
        StorageError: There is no room for it.
    """
    check_harvest(folder)
    writer, material = writer_of(to), Material(folder, credit)
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
    return written


def _to_stream(material: Material, writer: Writer, to: str, stream: BinaryIO) -> int:
    """Write what can be read, also of a harvest that is damaged further on."""
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
