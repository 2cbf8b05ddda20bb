"""Export a harvest: a format by its name, a file that appears when all of it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from longline import plugins
from longline.errors import FolderError, InputError, UnknownNameError
from longline.exports.columns import Table
from longline.exports.formats import write_csv, write_jsonl
from longline.files import is_of_harvest, replacing
from longline.harvester import check_harvest, contents_of_folder, read_documents
from longline.model import Document


class Format(Protocol):
    """Write documents to a stream; one of these stands behind each entry point of exports."""

    def __call__(self, documents: Table, stream: BinaryIO) -> int:
        """Write each as it comes, keep none, and return how many they were."""


FORMATS: dict[str, Format] = {"jsonl": write_jsonl, "csv": write_csv}


def format_names() -> list[str]:
    """Return the names of the formats, those that other packages add included."""
    return [*FORMATS, *(name for name in plugins.names("longline.exports") if name not in FORMATS)]


def writer_of(name: str) -> Format:
    """Return what writes a format.

    Raises:
        UnknownNameError: There is none of this name.
        InputError: The package that has it cannot be imported.
    """
    found: Format | None = FORMATS.get(name) or plugins.load("longline.exports", name)
    if found is None:
        raise UnknownNameError("format", name, format_names())
    return found


def export(folder: Path, to: str, target: Path | BinaryIO) -> int:
    """Write the documents of a harvest, in the order in which they came.

    Args:
        folder: Of the harvest; it may be running.
        to: One of `format_names()`.
        target: A file, which appears when all of it is written and takes the place of what was
            there; or a binary stream that is open.

    Returns:
        How many documents were written.

    Raises:
        FolderError: There is no harvest, or it is damaged; a stream has what comes before.
        InputError: There is no such format, or the file cannot be written.
    """
    check_harvest(folder)
    write = writer_of(to)
    if not isinstance(target, Path):
        return _to_stream(folder, write, target)
    if is_of_harvest(target, folder):
        raise InputError(f"{target} is a file of a harvest", advice="choose another file")
    try:
        with replacing(target) as stream:
            return write(table_of(folder), stream)
    except OSError as error:
        raise InputError(
            f"cannot write {target}: {error.strerror}", advice="choose a file you may write"
        ) from None


class _Documents:
    """The documents of a harvest, read each time anew.

    Attributes:
        read: How many were taken so far.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.read = 0

    def __iter__(self) -> Iterator[Document]:
        for document in read_documents(self._folder):
            yield document
            self.read += 1


def table_of(folder: Path, documents: Iterable[Document] | None = None) -> Table:
    """Return the documents of a harvest with their columns.

    Args:
        folder: Of the harvest; it may be running.
        documents: Others than its own, of the same columns.

    Raises:
        FolderError: There is no harvest, or it is damaged.
    """
    contents = contents_of_folder(folder)
    return Table(
        _Documents(folder) if documents is None else documents,
        contents.columns,
        has_attachments=contents.attachments > 0,
    )


def _to_stream(folder: Path, write: Format, stream: BinaryIO) -> int:
    """Write what can be read, also of a harvest that is damaged further on."""
    documents = _Documents(folder)
    try:
        return write(table_of(folder, documents), stream)
    except FolderError as error:
        read = documents.read
        before = f"; only {read:,} documents could be read and written" if read else ""
        raise FolderError(f"{error.message}{before}", advice=error.advice) from error
